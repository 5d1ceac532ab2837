//! Decodes a file's bytes: UTF-16, compressed sitemaps, and declared encodings.

use std::io::Read;
use std::ops::Deref;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use flate2::read::MultiGzDecoder;

/// Decodes UTF-16 if it has a byte order mark; other encodings stay unchanged.
pub(crate) fn decode_utf16(bytes: Vec<u8>) -> Vec<u8> {
    match Encoding::for_bom(&bytes) {
        Some((encoding, _)) if encoding == UTF_16LE || encoding == UTF_16BE => {
            encoding.decode_with_bom_removal(&bytes).0.into_owned().into_bytes()
        }
        _ => bytes,
    }
}

/// Maximum size of a decompressed sitemap in bytes: that of the protocol (sitemaps.org, "Sitemap index files").
pub(crate) const MAX_SITEMAP: u64 = 50 << 20;

/// Decompresses a sitemap (`sitemap.xml.gz`); other files stay unchanged. Of a larger one, only the beginning is read, and
/// of a damaged one what comes before the damage.
pub(crate) fn decompress_sitemap(path: &[u8], bytes: Vec<u8>) -> Vec<u8> {
    if !path.ends_with(b".xml.gz") || !bytes.starts_with(&[0x1f, 0x8b]) {
        return bytes;
    }
    let mut text = Vec::new();
    let _ = MultiGzDecoder::new(bytes.as_slice()).take(MAX_SITEMAP).read_to_end(&mut text);
    text
}

/// A file's bytes in an encoding that includes ASCII. UTF-8 is stored as text, so that its parts need no validation.
#[derive(Debug)]
pub enum Source {
    /// UTF-8.
    Text(String),
    /// Any other encoding.
    Bytes(Vec<u8>),
}

impl Source {
    /// Decodes a file's bytes like `decode_utf16`.
    pub fn decoded(bytes: Vec<u8>) -> Source {
        let text = String::from_utf8(decode_utf16(bytes));
        text.map_or_else(|error| Source::Bytes(error.into_bytes()), Source::Text)
    }

    /// Takes the bytes, or at least their buffer.
    pub(crate) fn take_bytes(&mut self) -> Vec<u8> {
        match std::mem::take(self) {
            Source::Text(text) => text.into_bytes(),
            Source::Bytes(bytes) => bytes,
        }
    }

    /// Returns the text in a range of bytes; `None` if it is not UTF-8.
    pub(crate) fn text(&self, start: usize, end: usize) -> Option<&str> {
        match self {
            Source::Text(text) => text.get(start..end),
            Source::Bytes(bytes) => std::str::from_utf8(bytes.get(start..end)?).ok(),
        }
    }
}

impl Default for Source {
    fn default() -> Source {
        Source::Bytes(Vec::new())
    }
}

impl Deref for Source {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Source::Text(text) => text.as_bytes(),
            Source::Bytes(bytes) => bytes,
        }
    }
}

/// Whether the bytes begin with a byte order mark, which declares their encoding.
pub fn has_bom(source: &[u8]) -> bool {
    Encoding::for_bom(source).is_some()
}

/// Returns the encoding of a label such as `windows-1252`, unless it is Unicode.
pub(crate) fn declared_encoding(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    let is_unicode = encoding == UTF_8 || encoding == UTF_16LE || encoding == UTF_16BE;
    (!is_unicode).then_some(encoding)
}

/// Returns the encoding label in a `<meta http-equiv="content-type" content="…">`.
pub(crate) fn charset_of_content_type(content: &[u8]) -> Option<&[u8]> {
    let lower = content.to_ascii_lowercase();
    let at = memchr::memmem::find(&lower, b"charset")?;
    let rest = content[at + b"charset".len()..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (rest, ends): (&[u8], fn(&u8) -> bool) = match rest.first()? {
        b'"' => (&rest[1..], |b| *b == b'"'),
        b'\'' => (&rest[1..], |b| *b == b'\''),
        _ => (rest, |b| b.is_ascii_whitespace() || *b == b';'),
    };
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    Some(&rest[..end])
}
