//! The text around a finding, and a window on it that fits a line of output.

use std::ops::Range;

use sitegate_base::sanitize::is_unseen;

/// What surrounds a finding on the line that it begins on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The line's text, or what of it is near.
    pub line: String,
    /// The characters of it that the finding is about.
    pub marked: Range<usize>,
    /// Whether the line begins before the text, and ends after it.
    pub cut: (bool, bool),
}

impl Excerpt {
    /// Cuts a long line down to the `width` characters around the mark. Gives the text, and the mark's
    /// start and length in it. Control characters become spaces, and others that are not seen a replacement character.
    pub fn window(&self, width: usize) -> (String, usize, usize) {
        let chars: Vec<char> = self.line.chars().map(seen).collect();
        // Of a line that was only its end, nothing is left to mark.
        let mark = self.marked.start.min(chars.len())..self.marked.end.min(chars.len());
        let length = mark.len().min(width);
        let room = width - length;
        let indent = match self.cut.0 {
            true => 0,
            false => chars.iter().take_while(|c| c.is_whitespace()).count().min(mark.start),
        };
        let start = mark.start.saturating_sub(room / 2).max(indent);
        let start = if mark.start + length <= indent + width { indent } else { start };
        let end = (start + width).min(chars.len());
        let before = if start > indent || self.cut.0 { "…" } else { "" };
        let after = if end < chars.len() || self.cut.1 { "…" } else { "" };
        let text: String = chars[start..end].iter().collect();
        (format!("{before}{text}{after}"), mark.start - start + before.chars().count(), length.max(1))
    }
}

/// A character of a line as it is shown: one for one, so that marks stay under what they mark.
fn seen(c: char) -> char {
    match c {
        c if c.is_control() => ' ',
        c if is_unseen(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::Excerpt;

    const WIDTH: usize = 88;

    #[test]
    fn a_long_line_is_cut_around_the_mark() {
        let line = format!("{}<a href=\"/x\">{}", "é".repeat(500), "z".repeat(500));
        let (text, from, length) = Excerpt { line, marked: 509..511, cut: (false, false) }.window(WIDTH);
        assert!(text.starts_with('…') && text.ends_with('…'));
        assert_eq!(text.chars().count(), WIDTH + 2);
        assert_eq!(text.chars().skip(from).take(length).collect::<String>(), "/x");
    }

    #[test]
    fn of_a_line_that_was_only_its_end_nothing_is_shown() {
        let excerpt = Excerpt { line: String::new(), marked: 600..601, cut: (false, false) };
        assert_eq!(excerpt.window(WIDTH), (String::new(), 0, 1));
    }

    #[test]
    fn a_short_line_loses_its_indent_only() {
        let mut excerpt =
            Excerpt { line: "    <a href=\"/x\">".to_owned(), marked: 13..15, cut: (false, false) };
        assert_eq!(excerpt.window(WIDTH), ("<a href=\"/x\">".to_owned(), 9, 2));
        excerpt.cut = (true, true);
        assert_eq!(excerpt.window(WIDTH), ("…    <a href=\"/x\">…".to_owned(), 14, 2));
    }
}
