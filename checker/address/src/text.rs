//! Text of addresses: `str`, or bytes for file names that are not UTF-8.

use std::ops::Range;

/// A text that is cut at ASCII delimiters such as `/` and `?`.
///
/// File names on Unix and decoded URL paths are bytes; references in pages are `str`. Both are cut in the same way, and
/// a cut at an ASCII byte never splits a character.
pub trait AddressText {
    /// Returns the text as bytes.
    fn bytes(&self) -> &[u8];

    /// Returns a part of the text, whose ends are the ends of the text or next to an ASCII byte.
    fn part(&self, range: Range<usize>) -> &Self;
}

impl AddressText for str {
    #[inline]
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    #[inline]
    fn part(&self, range: Range<usize>) -> &str {
        &self[range]
    }
}

impl AddressText for [u8] {
    #[inline]
    fn bytes(&self) -> &[u8] {
        self
    }

    #[inline]
    fn part(&self, range: Range<usize>) -> &[u8] {
        &self[range]
    }
}
