//! Masks what a template language adds to markup.

use std::ops::Range;

use super::dialect::Dialect;
use super::masked::Masked;
use super::{braces, constructs};

/// Masks a range of a text. `hidden` are ranges of the text that are not read at all.
pub(crate) fn mask(text: &str, range: Range<usize>, hidden: &[Range<usize>], dialect: Dialect) -> Masked {
    let mut masked = Masked::new(text, range.clone());
    for part in hidden.iter().filter(|part| part.start >= range.start && part.end <= range.end) {
        masked.fill(part.start - range.start..part.end - range.start, b' ');
    }
    if dialect.has_braces() {
        braces::mask(&mut masked);
    } else {
        constructs::mask_constructs(&mut masked, dialect);
    }
    masked
}
