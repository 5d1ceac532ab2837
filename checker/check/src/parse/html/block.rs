//! Scans sixteen bytes of a text at a time for the end of a name, a quote, or the next `<`.

use memchr::memchr;
use wide::u8x16;

use crate::parse::names::key;

const SIZE: usize = 16;

/// Sixteen bytes of a text.
#[derive(Clone, Copy)]
struct Block(u8x16);

impl Block {
    /// Loads the bytes at an offset; the end of the text is padded with zeros.
    #[inline(always)]
    fn at(text: &[u8], start: usize) -> Block {
        let rest = text.get(start..).unwrap_or_default();
        if let Some(whole) = rest.first_chunk() {
            Block(u8x16::new(*whole))
        } else {
            let mut bytes = [0; SIZE];
            bytes[..rest.len()].copy_from_slice(rest);
            Block(u8x16::new(bytes))
        }
    }

    /// Returns the number of bytes before the first that ends, or may end, the name of a tag or an attribute.
    #[inline(always)]
    fn name_length(self) -> usize {
        let equals = |byte| self.0.simd_eq(u8x16::splat(byte));
        let space = u8x16::splat(b' ');
        let to_space = self.0.max(space).simd_eq(space);
        let ends = to_space | equals(b'/') | equals(b'>') | equals(b'=');
        (ends.to_bitmask() | 1 << SIZE).trailing_zeros() as usize
    }

    /// Returns a bit mask of the bytes that are equal to `byte`, the first one lowest.
    #[inline(always)]
    fn mask(self, byte: u8) -> u32 {
        self.0.simd_eq(u8x16::splat(byte)).to_bitmask()
    }
}

/// Returns the end of a name, before the first control character, space, `/`, `>` or `=`, and its key (see [`key`]).
/// The key is 0 if the name is empty or too long.
#[inline]
fn short_name(text: &[u8], start: usize) -> (usize, u128) {
    /// Masks for names of each length.
    const MASKS: [u128; SIZE + 1] = {
        let mut masks = [0; SIZE + 1];
        let mut length = 1;
        while length < SIZE {
            masks[length] = masks[length - 1] << 8 | 0xff;
            length += 1;
        }
        masks
    };
    /// Converts letters to lower case. No other byte becomes a letter or a part of a known name.
    const LOWER_CASE: u128 = u128::from_le_bytes([0x20; SIZE]);
    let block = Block::at(text, start);
    let length = block.name_length();
    let bytes = u128::from_le_bytes(block.0.to_array());
    (start + length, (bytes | LOWER_CASE) & MASKS[length])
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
    const INLINE_LENGTH: usize = 2 * SIZE;
    let rest = text.get(start..)?;
    if rest.len() < INLINE_LENGTH {
        return Some(start + memchr(byte, rest)?);
    }
    let mask = Block::at(rest, 0).mask(byte) | Block::at(rest, SIZE).mask(byte) << SIZE;
    match mask {
        0 => Some(start + INLINE_LENGTH + memchr(byte, &rest[INLINE_LENGTH..])?),
        mask => Some(start + mask.trailing_zeros() as usize),
    }
}

/// Whether a byte is white space in HTML.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// Whether a byte ends the name of a tag.
pub(super) fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}
