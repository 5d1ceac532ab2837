//! Finds lines and columns in texts, and extracts the text around a location, shortened to fit a line of output.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sitegate_base::sanitize::is_unseen;

/// The text around a location, on the line that it begins on.
struct Excerpt {
    /// The text of the line, or the part of it around the location.
    line: String,
    /// The range of its characters at the location.
    marked: Range<usize>,
    /// Whether the line is cut at its start, and at its end.
    cut: (bool, bool),
}

/// A line and a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// In characters (Unicode scalar values), from 1.
    pub column: u32,
}

/// An offset in a text, with the lines and characters before it. Positions are counted from the previous one: many
/// findings on one very long line cost little more than one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextPosition {
    /// Number of line breaks before it.
    lines: usize,
    /// Number of characters before it on its line.
    chars: usize,
    offset: usize,
}

/// Maximum number of characters of a snippet on each side of the mark, and of the mark itself.
const WIDEST: usize = 160;

/// Maximum number of bytes of an excerpt on each side of the finding, and of the finding itself.
pub(crate) const NEAR: usize = 512;

/// The source line on which a finding begins, or the part of it around the finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Snippet {
    /// The text, without its indentation.
    pub text: Box<str>,
    /// Index of the first character to mark, counted from 0.
    pub start: u32,
    /// Number of characters to mark.
    pub length: u32,
    /// Whether the line is cut before the text.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cut_start: bool,
    /// Whether the line is cut after the text.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cut_end: bool,
    /// The whole text that the finding is about, if it is longer than the mark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marked: Option<Box<str>>,
}

impl TextPosition {
    /// Returns the position at an offset, counted from this position, or from the start if the offset is before it.
    pub fn advance_to(self, offset: usize, text: &[u8]) -> TextPosition {
        let offset = offset.min(text.len());
        let from = if self.offset <= offset { self } else { TextPosition::default() };
        let between = &text[from.offset..offset];
        let lines = from.lines + memchr::memchr_iter(b'\n', between).count();
        let chars = |part: &[u8]| String::from_utf8_lossy(part).chars().count();
        match memchr::memrchr(b'\n', between) {
            Some(last) => {
                let start = from.offset + last + 1;
                TextPosition { lines, chars: chars(&text[start..offset]), offset }
            }
            None => TextPosition { lines, chars: from.chars + chars(between), offset },
        }
    }

    /// Returns the line and column.
    pub fn position(self) -> Position {
        Position { line: self.lines as u32 + 1, column: self.chars as u32 + 1 }
    }
}

/// Returns the line that a range of a text begins on; `None` if the range is empty.
fn line_around(text: &[u8], span: Range<usize>) -> Option<Excerpt> {
    if span.is_empty() || span.end > text.len() {
        return None;
    }
    // A document may be one very long line, so only the part that can be shown is searched for line breaks.
    let first = span.start.saturating_sub(NEAR + 1);
    let start = memchr::memrchr(b'\n', &text[first..span.start]).map_or(0, |at| first + at + 1);
    let near = &text[span.start..text.len().min(span.start + 2 * NEAR + 1)];
    let end = memchr::memchr(b'\n', near).map_or(text.len(), |at| span.start + at);
    let from = boundary(text, span.start.saturating_sub(NEAR).max(start));
    let last = boundary(text, span.end.min(end).min(span.start + NEAR)).max(span.start);
    let to = boundary(text, (last + NEAR).min(end)).max(last);
    let chars = |range: Range<usize>| String::from_utf8_lossy(&text[range]);
    let before = chars(from..span.start);
    let marked = chars(span.start..last);
    let after = chars(last..to);
    let mark = before.chars().count();
    let mark = mark..mark + marked.trim_end_matches('\r').chars().count().max(1);
    let mut line = [before, marked, after].concat();
    line.truncate(line.trim_end_matches('\r').len());
    Some(Excerpt { line, marked: mark, cut: (from > start, to < end) })
}

/// Returns the nearest offset at or before `at` that is not inside a UTF-8 character.
fn boundary(text: &[u8], mut at: usize) -> usize {
    let least = at.saturating_sub(3);
    while at > least && text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
        at -= 1;
    }
    at
}

impl Excerpt {
    /// Returns the snippet for the report. `marked` is the whole text at the location.
    fn snippet(&self, marked: Option<&str>) -> Snippet {
        let line = &*self.line;
        let is_ascii = line.is_ascii();
        let count = if is_ascii { line.len() } else { line.chars().count() };
        // The text between two characters, counted from 0.
        let text = |range: Range<usize>| {
            let byte = |char: usize| {
                if is_ascii { char } else { line.char_indices().nth(char).map_or(line.len(), |(at, _)| at) }
            };
            &line[byte(range.start)..byte(range.end)]
        };
        // At the end of a line, there is nothing to mark.
        let mark = self.marked.start.min(count)..self.marked.end.min(count);
        let indent = if self.cut.0 {
            0
        } else {
            line.chars().take_while(|c| displayed(*c).is_whitespace()).count().min(mark.start)
        };
        let from = mark.start.saturating_sub(WIDEST).max(indent);
        let to = count.min(mark.start + 2 * WIDEST);
        let length = mark.len().min(WIDEST);
        let shown = text(mark.start..mark.start + length);
        Snippet {
            text: text(from..to).into(),
            start: (mark.start - from) as u32,
            length: length as u32,
            cut_start: self.cut.0 || from > indent,
            cut_end: self.cut.1 || to < count,
            marked: marked.filter(|marked| *marked != shown).map(Into::into),
        }
    }
}

impl Snippet {
    /// Returns the line that a range of a text begins on; `None` if the range is empty. `marked` is the whole text of
    /// the range, if it is to be known.
    pub(crate) fn around(text: &[u8], span: Range<usize>, marked: Option<&str>) -> Option<Snippet> {
        Some(line_around(text, span)?.snippet(marked))
    }

    /// Cuts a long line down to the `width` characters around the mark. Returns the text, and the mark's
    /// start and length in it. Control characters become spaces, other invisible ones `U+FFFD`.
    pub fn window(&self, width: usize) -> (String, usize, usize) {
        let chars: Vec<char> = self.text.chars().map(displayed).collect();
        let mark = (self.start as usize).min(chars.len());
        let length = (self.length as usize).min(chars.len() - mark).min(width);
        let room = width - length;
        let context = (chars.len() - mark - length).min(room / 4);
        let start = if mark + length + context <= width { 0 } else { mark.saturating_sub(room / 2) };
        let end = (start + width).min(chars.len());
        let before = if start > 0 || self.cut_start { "…" } else { "" };
        let after = if end < chars.len() || self.cut_end { "…" } else { "" };
        let text: String = chars[start..end].iter().collect();
        (format!("{before}{text}{after}"), mark - start + before.chars().count(), length.max(1))
    }

    /// Returns the whole text that the finding is about, if it is known and not too long.
    pub(super) fn marked(&self) -> Option<String> {
        let on_line = || self.text.chars().skip(self.start as usize).take(self.length as usize).collect();
        let marked = self.marked.as_deref().map_or_else(on_line, str::to_owned);
        (1..=NEAR).contains(&marked.len()).then_some(marked)
    }
}

/// Returns the character to display for a character. It is always one, so that marks stay in the right columns.
fn displayed(c: char) -> char {
    match c {
        c if c.is_control() => ' ',
        c if is_unseen(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// Whether a field is left out of the JSON.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) fn is_false(value: &bool) -> bool {
    !value
}

#[cfg(test)]
mod tests {
    use super::{Excerpt, boundary};

    const WIDTH: usize = 88;

    #[test]
    fn cuts_a_long_line_around_the_mark() {
        let line = format!("{}<a href=\"/x\">{}", "é".repeat(500), "z".repeat(500));
        let (text, from, length) =
            Excerpt { line, marked: 509..511, cut: (false, false) }.snippet(None).window(WIDTH);
        assert!(text.starts_with('…') && text.ends_with('…'));
        assert_eq!(text.chars().count(), WIDTH + 2);
        assert_eq!(text.chars().skip(from).take(length).collect::<String>(), "/x");
    }

    #[test]
    fn shows_nothing_at_the_end_of_a_line() {
        let excerpt = Excerpt { line: String::new(), marked: 600..601, cut: (false, false) };
        assert_eq!(excerpt.snippet(None).window(WIDTH), (String::new(), 0, 1));
    }

    #[test]
    fn removes_only_the_indent_of_a_short_line() {
        let mut excerpt =
            Excerpt { line: "    <a href=\"/x\">".to_owned(), marked: 13..15, cut: (false, false) };
        assert_eq!(excerpt.snippet(None).window(WIDTH), ("<a href=\"/x\">".to_owned(), 9, 2));
        excerpt.cut = (true, true);
        assert_eq!(excerpt.snippet(None).window(WIDTH), ("…    <a href=\"/x\">…".to_owned(), 14, 2));
    }

    #[test]
    fn never_splits_a_character() {
        let text = "aé€".as_bytes();
        let cuts: Vec<usize> = (0..=6).map(|at| boundary(text, at)).collect();
        assert_eq!(cuts, [0, 1, 1, 3, 3, 3, 6]);
    }
}
