//! Scans eight bytes of a text at a time for the end of a name, a quote, or the next `<`.
//!
//! A word has the bytes of a text, the first one lowest. The tests set the high bit of each byte that they find. A borrow
//! can also set it in later bytes, so only the first found byte is certain.

use memchr::memchr;

use crate::parse::names::key;

/// Length of the longest name that has a key.
const MAX_KEY_LENGTH: usize = 16;
/// Bytes of a word.
const WORD: usize = 8;
/// The value 1 in each byte of a word.
const ONES: u64 = u64::from_le_bytes([1; WORD]);

/// Marks the bytes of a word that are equal to `byte`.
#[inline(always)]
fn equal_to(word: u64, byte: u8) -> u64 {
    let zero_if_equal = word ^ ONES * u64::from(byte);
    zero_if_equal.wrapping_sub(ONES) & !zero_if_equal
}

/// Returns the index of the first byte that `marks` marks, or the length of a word.
#[inline(always)]
fn first_marked(marks: u64) -> usize {
    (marks & ONES << 7).trailing_zeros() as usize / WORD
}

/// Returns the number of bytes of a word before the first that ends, or may end, the name of a tag or an attribute.
#[inline(always)]
fn name_length(word: u64) -> usize {
    let to_space = word.wrapping_sub(ONES * u64::from(b' ' + 1)) & !word;
    first_marked(to_space | equal_to(word, b'/') | equal_to(word, b'>') | equal_to(word, b'='))
}

/// Returns the end of a name, before the first control character, space, `/`, `>` or `=`, and its key (see [`key`]).
/// The key is 0 if the name is empty or too long.
#[inline]
fn short_name(text: &[u8], start: usize) -> (usize, u128) {
    /// Masks for names of each length.
    const MASKS: [u128; MAX_KEY_LENGTH + 1] = {
        let mut masks = [0; MAX_KEY_LENGTH + 1];
        let mut length = 1;
        while length < MAX_KEY_LENGTH {
            masks[length] = masks[length - 1] << 8 | 0xff;
            length += 1;
        }
        masks
    };
    /// Converts letters to lower case. No other byte becomes a letter or a part of a known name.
    const LOWER_CASE: u128 = u128::from_le_bytes([0x20; MAX_KEY_LENGTH]);
    let rest = text.get(start..).unwrap_or_default();
    let bytes = rest.first_chunk().map_or_else(|| padded(rest), |whole| u128::from_le_bytes(*whole));
    // Few names are longer than a word.
    let length = match name_length(bytes as u64) {
        WORD => WORD + name_length((bytes >> 64) as u64),
        length => length,
    };
    (start + length, (bytes | LOWER_CASE) & MASKS[length])
}

/// Returns the bytes at the end of a text, padded with zeros.
#[cold]
fn padded(rest: &[u8]) -> u128 {
    let mut bytes = [0; MAX_KEY_LENGTH];
    bytes[..rest.len()].copy_from_slice(rest);
    u128::from_le_bytes(bytes)
}

/// Returns the end of the name of a tag or an attribute that begins at `start`, and its key (see [`key`]).
#[inline]
pub(super) fn name_end<const IS_ATTRIBUTE: bool>(text: &[u8], start: usize) -> Option<(usize, u128)> {
    let (end, key) = short_name(text, start);
    let last = *text.get(end)?;
    if key != 0 && (ends_name(last) || IS_ATTRIBUTE && last == b'=') {
        Some((end, key))
    } else {
        unusual_name_end::<IS_ATTRIBUTE>(text, start)
    }
}

/// Handles names that are long or have unusual characters, for [`name_end`].
#[cold]
fn unusual_name_end<const IS_ATTRIBUTE: bool>(text: &[u8], start: usize) -> Option<(usize, u128)> {
    // A leading `=` belongs to the name.
    let second = start + 1;
    let ends = |b: &u8| ends_name(*b) || IS_ATTRIBUTE && *b == b'=';
    let end = second + text[second..].iter().position(ends)?;
    Some((end, key(&text[start..end])))
}

/// Finds a byte at or after an offset.
#[inline]
pub(super) fn find(text: &[u8], start: usize, byte: u8) -> Option<usize> {
    // It is mostly close, where a call would cost more than the search.
    const INLINE_WORDS: usize = 4;
    let rest = text.get(start..)?;
    let (words, _) = rest.as_chunks();
    for (index, word) in words.iter().take(INLINE_WORDS).enumerate() {
        let found = first_marked(equal_to(u64::from_le_bytes(*word), byte));
        if found < WORD {
            return Some(start + index * WORD + found);
        }
    }
    let searched = words.len().min(INLINE_WORDS) * WORD;
    Some(start + searched + memchr(byte, &rest[searched..])?)
}

/// Whether a byte is white space in HTML.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// Whether a byte ends the name of a tag.
pub(super) fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}
