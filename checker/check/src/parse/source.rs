//! The content of a file: decompressed and decoded.

use std::io::Read;
use std::ops::Deref;

use encoding_rs::Encoding;
use flate2::read::MultiGzDecoder;

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

/// The content of a file, decoded.
#[derive(Debug)]
pub enum Source {
    /// UTF-8, or decoded to it. Its parts need no validation.
    Text(String),
    /// Bytes that are not UTF-8, of a file that declares no other encoding.
    Bytes(Vec<u8>),
}

impl Source {
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

impl From<Vec<u8>> for Source {
    /// Returns the source of a text that is decoded, or should be UTF-8.
    fn from(bytes: Vec<u8>) -> Source {
        String::from_utf8(bytes).map_or_else(|error| Source::Bytes(error.into_bytes()), Source::Text)
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
