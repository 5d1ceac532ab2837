//! Scans a text by words of eight bytes for the end of a name, a quote, or the next `<`.
//!
//! In a word, the first byte of the text is the lowest. Tests set the high bit of the bytes that they find. A borrow can
//! also set it in later bytes, so only the first found byte is certain.

use memchr::memchr;

use crate::key::{MAX_KEY_LENGTH, key};

/// Bytes of a word.
const WORD: usize = 8;
/// The value 1 in each byte of a word.
const ONES: u64 = u64::from_le_bytes([1; WORD]);

/// Marks the bytes of a word that are equal to `byte`.
#[inline(always)]
fn equal_to(word: u64, byte: u8) -> u64 {
    let zero_if_equal = word ^ (ONES * u64::from(byte));
    zero_if_equal.wrapping_sub(ONES) & !zero_if_equal
}

/// Marks the bytes of a word before `@` in ASCII. Of these, names have only digits, `-`, `.` and `:`.
#[inline(always)]
fn before_letters(word: u64) -> u64 {
    !(word | word << 1)
}

/// Returns the index of the first byte that `marks` marks, or the length of a word.
#[inline(always)]
fn first_marked(marks: u64) -> usize {
    (marks & ONES << 7).trailing_zeros() as usize / WORD
}

/// Returns the number of leading letters of a name with up to 16 bytes. Other characters of a name may follow.
#[inline(always)]
fn count_letters(bytes: u128) -> usize {
    // Few names are longer than a word.
    match first_marked(before_letters(bytes as u64)) {
        WORD => WORD + first_marked(before_letters((bytes >> 64) as u64)),
        length => length,
    }
}

/// Returns the number of bytes before the first that ends, or may end, the name of a tag or an attribute: a control
/// character, a space, `/`, `>` or `=`.
fn name_length(bytes: u128) -> usize {
    let ends = |word: u64| {
        let to_space = word.wrapping_sub(ONES * u64::from(b' ' + 1)) & !word;
        first_marked(to_space | equal_to(word, b'/') | equal_to(word, b'>') | equal_to(word, b'='))
    };
    match ends(bytes as u64) {
        WORD => WORD + ends((bytes >> 64) as u64),
        length => length,
    }
}

/// Returns the key (see [`key`]) of the first bytes of a name; 0 if it is empty or too long.
#[inline(always)]
fn key_of(bytes: u128, length: usize) -> u128 {
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
    (bytes | LOWER_CASE) & MASKS[length]
}

/// Returns the bytes at the end of a text, padded with zeros.
#[cold]
fn padded(rest: &[u8]) -> u128 {
    let mut bytes = [0; MAX_KEY_LENGTH];
    bytes[..rest.len()].copy_from_slice(rest);
    u128::from_le_bytes(bytes)
}

/// Returns the end of the name of a tag or an attribute that begins at `start`, and its key (see [`key`]).
#[inline(always)]
pub fn name_end<const IS_ATTRIBUTE: bool>(text: &[u8], start: usize) -> Option<(usize, u128)> {
    let is_end = |byte: u8| ends_name(byte) || IS_ATTRIBUTE && byte == b'=';
    let rest = text.get(start..).unwrap_or_default();
    let bytes = rest.first_chunk().map_or_else(|| padded(rest), |whole| u128::from_le_bytes(*whole));
    let mut length = count_letters(bytes);
    if !is_end(*rest.get(length)?) {
        length = name_length(bytes);
        if !is_end(*rest.get(length)?) {
            return unusual_name_end::<IS_ATTRIBUTE>(text, start);
        }
    }
    match key_of(bytes, length) {
        0 => unusual_name_end::<IS_ATTRIBUTE>(text, start),
        key => Some((start + length, key)),
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
#[inline(always)]
pub fn find(text: &[u8], start: usize, byte: u8) -> Option<usize> {
    // It is mostly close, where a call would cost more than the search.
    const INLINE_LENGTH: usize = 4 * WORD;
    let rest = text.get(start..)?;
    let Some(close) = rest.first_chunk::<INLINE_LENGTH>() else {
        return Some(start + memchr(byte, rest)?);
    };
    let (words, _) = close.as_chunks();
    for (index, word) in words.iter().enumerate() {
        let found = first_marked(equal_to(u64::from_le_bytes(*word), byte));
        if found < WORD {
            return Some(start + index * WORD + found);
        }
    }
    Some(start + INLINE_LENGTH + memchr(byte, &rest[INLINE_LENGTH..])?)
}

/// Whether a byte is white space in HTML.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// Whether a byte ends the name of a tag.
pub fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}
