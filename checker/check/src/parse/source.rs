//! Stores a file's decoded bytes.

use std::io::Read;
use std::ops::Deref;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
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
