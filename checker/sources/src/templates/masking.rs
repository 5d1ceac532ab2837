//! Replaces the expressions of template languages in markup by a filler of the same length, so that quotes and brackets
//! in them are not taken for those of tags.

use std::ops::Range;

use memchr::memmem;

use super::{Dialect, braces};

/// Markup whose expressions are replaced, and the offset of its start in the text.
pub(crate) struct Masked {
    pub bytes: Vec<u8>,
    start: usize,
    /// The expressions and statements of the template language, from the first to the last delimiter.
    pub constructs: Vec<Range<usize>>,
    /// Comments in expressions.
    pub comments: Vec<Range<usize>>,
}

/// Delimiters of expressions, statements and comments.
const DELIMITERS: [(&[u8], &[u8]); 3] = [(b"{{", b"}}"), (b"{%", b"%}"), (b"<%", b"%>")];

/// Stands for an expression at which a value or a name must not end. It is in no name and no URL.
const FILLER: u8 = b'\x01';

impl Masked {
    /// Masks a range of a text. `hidden` are ranges of the text that are not read at all.
    pub fn new(text: &str, range: Range<usize>, hidden: &[Range<usize>], dialect: Dialect) -> Masked {
        let bytes = text.as_bytes()[range.clone()].to_vec();
        let mut masked = Masked { bytes, start: range.start, constructs: Vec::new(), comments: Vec::new() };
        for part in hidden.iter().filter(|part| part.start >= range.start && part.end <= range.end) {
            masked.fill(part.start - range.start..part.end - range.start, b' ');
        }
        if dialect.has_braces() {
            braces::mask(&mut masked);
        } else {
            masked.mask_constructs(dialect);
        }
        masked
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

    /// Masks expressions and statements by their delimiters.
    fn mask_constructs(&mut self, dialect: Dialect) {
        let mut ends = DELIMITERS.map(|(_, close)| NextEnd { close, at: Some(0) });
        let mut at = 0;
        while let Some(found) = memchr::memchr2(b'{', b'<', &self.bytes[at..]) {
            let start = at + found;
            at = start + 1;
            let kind = DELIMITERS.iter().position(|(open, _)| self.bytes[start..].starts_with(open));
            let Some(kind) = kind.filter(|kind| dialect.has_construct(*kind)) else { continue };
            let Some(mut end) = ends[kind].after(&self.bytes, start + 2) else { continue };
            if kind == 0 && self.bytes[start..].starts_with(b"{{{") && self.bytes.get(end) == Some(&b'}') {
                end += 1;
            }
            if is_construct(&self.bytes[start..end]) {
                let range = start..end;
                self.constructs.push(self.in_text(range.clone()));
                self.fill_expression(range);
                at = end;
            }
        }
    }
}

/// The end of the next construct of a kind, which is searched for once.
struct NextEnd {
    close: &'static [u8],
    /// The offset after the last found delimiter; `None` if there is no other.
    at: Option<usize>,
}

impl NextEnd {
    fn after(&mut self, bytes: &[u8], start: usize) -> Option<usize> {
        if self.at? < start + self.close.len() {
            self.at = memmem::find(&bytes[start..], self.close).map(|end| start + end + self.close.len());
        }
        self.at
    }
}

/// Whether a text between delimiters is an expression, and not braces of a script with tags between them.
fn is_construct(text: &[u8]) -> bool {
    const MAX_LENGTH: usize = 4096;
    text.len() <= MAX_LENGTH
        && memmem::find(text, b"</script").is_none()
        && memmem::find(text, b"</style").is_none()
}
