//! Markup in which expressions are replaced by a filler of the same length, so that quotes and brackets in them are not
//! taken for those of tags.

use std::ops::Range;

/// Markup whose expressions are replaced, and the offset of its start in the text.
pub(crate) struct Masked {
    pub bytes: Vec<u8>,
    start: usize,
    /// The expressions and statements of the template language, from the first to the last delimiter.
    pub constructs: Vec<Range<usize>>,
    /// Comments in expressions.
    pub comments: Vec<Range<usize>>,
}

/// Replaces an expression at which a value or a name must not end. It is in no name and no URL.
const FILLER: u8 = b'\x01';

impl Masked {
    /// Copies a range of a text, of which nothing is masked yet.
    pub fn new(text: &str, range: Range<usize>) -> Masked {
        let bytes = text.as_bytes()[range.clone()].to_vec();
        Masked { bytes, start: range.start, constructs: Vec::new(), comments: Vec::new() }
    }

    /// Converts a range of the masked bytes to one of the text.
    pub fn in_text(&self, range: Range<usize>) -> Range<usize> {
        self.start + range.start..self.start + range.end
    }

    /// Replaces a range. Line ends are replaced, too: no offset changes.
    pub fn fill(&mut self, range: Range<usize>, filler: u8) {
        self.bytes[range].fill(filler);
    }

    /// Replaces an expression: between attributes by spaces, so that the names next to it are apart, and in values by a
    /// filler that does not end them.
    pub fn fill_expression(&mut self, range: Range<usize>) {
        let before = range.start.checked_sub(1).map_or(b' ', |at| self.bytes[at]);
        let is_apart = before.is_ascii_whitespace() || matches!(before, b'"' | b'\'' | b'>');
        self.fill(range, if is_apart { b' ' } else { FILLER });
    }
}
