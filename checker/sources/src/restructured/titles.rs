//! Titles of sections, and transitions.

use std::ops::Range;

use super::blocks::BlockPlace;
use super::lines::SourceLine;
use super::scanner::RestructuredScanner;
use crate::edits::Edit;

/// Minimum length of a line of punctuation that is not text if it does not fit.
const MIN_RULE: usize = 4;

impl RestructuredScanner<'_> {
    /// Scans a title with an underline; `None` if the lines are text.
    pub(super) fn underlined_title(
        &mut self,
        lines: &[SourceLine],
        at: usize,
        place: BlockPlace,
    ) -> Option<usize> {
        let (title, underline) = (lines[at], *lines.get(at + 1)?);
        let rule = self.of(underline);
        if underline.indent > 0 || !is_rule(rule) {
            return None;
        }
        if width(self.of(title)) > rule.len() && rule.len() < MIN_RULE {
            return None;
        }
        // In lists and quotes, a title is an error, and is not shown.
        if place.has_titles() {
            self.title(title);
        }
        Some(at + 2)
    }

    fn title(&mut self, title: SourceLine) {
        self.inline(&[title]);
        self.names.define_title(self.of(title));
    }

    /// Scans a title between two lines, or a transition; `None` if the line is text.
    pub(super) fn overlined_title(
        &mut self,
        lines: &[SourceLine],
        at: usize,
        place: BlockPlace,
    ) -> Option<usize> {
        let overline = self.of(lines[at]);
        if !is_rule(overline) {
            return None;
        }
        let is_short = overline.len() < MIN_RULE;
        if !place.has_titles() {
            let is_text = is_short || overline == "::";
            return (!is_text).then_some(at + 1);
        }
        let otherwise = |count: usize| (!is_short).then_some((at + count).min(lines.len()));
        let Some(title) = lines.get(at + 1).filter(|line| !line.is_blank()) else { return otherwise(1) };
        if is_rule(self.of(*title)) && title.indent == 0 {
            return otherwise(2);
        }
        let underline = lines.get(at + 2).filter(|line| line.indent == 0).map(|line| self.of(*line));
        if underline != Some(overline) || is_short && width(self.of(*title)) > overline.len() {
            return otherwise(3);
        }
        let title = *title;
        self.title(title);
        Some(at + 3)
    }
}

/// Returns sorted edits of references that also make the lines below and above a title longer, if it grows beyond them:
/// docutils warns of a line that is too short, and `sphinx-build -W` fails.
pub(crate) fn with_title_lines(text: &str, mut edits: Vec<Edit>) -> Vec<Edit> {
    let mut rest = &mut *edits;
    while let Some(first) = rest.first() {
        let line = line_at(text, first.start);
        let in_line = rest.iter().take_while(|edit| edit.end <= line.end).count();
        let (own, others) = std::mem::take(&mut rest).split_at_mut(in_line.max(1));
        if in_line > 0 {
            lengthen_title(text, line, own);
        }
        rest = others;
    }
    edits
}

/// Makes the lines of a title longer, if the edits in it need that.
fn lengthen_title(text: &str, line: Range<usize>, edits: &mut [Edit]) {
    let Some(line_break) = text[line.end..].find('\n') else { return };
    let below = line_at(text, line.end + line_break + 1);
    let above = line.start.checked_sub(1).map(|end| line_at(text, end));
    let Some(rule) = text.get(below.clone()).filter(|rule| is_rule(rule.trim_start())) else { return };
    let indent = rule.len() - rule.trim_start().len();
    let above = above.filter(|above| text[above.clone()] == *rule);
    let Some((margin, title)) = text[line.clone()].split_at_checked(indent) else { return };
    if !margin.trim_start().is_empty() {
        return;
    }
    let mut end = line.start + indent;
    let mut new_title = String::new();
    for edit in &*edits {
        new_title.extend([text.get(end..edit.start).unwrap_or(""), &edit.new]);
        end = edit.end;
    }
    new_title.push_str(text.get(end..line.end).unwrap_or(""));
    let length = rule.len() - indent;
    let missing = width(new_title.trim_end()).saturating_sub(length);
    if missing == 0 || width(title.trim_end()) > length {
        return;
    }
    let more = rule[indent..=indent].repeat(missing);
    if let Some(last) = edits.last_mut() {
        last.new.extend([&text[last.end..below.end], &more]);
        last.end = below.end;
    }
    if let Some((above, first)) = above.zip(edits.first_mut()) {
        first.new = format!("{more}{}{}", &text[above.end..first.start], first.new);
        first.start = above.end;
    }
}

/// Returns the line around an offset, without its end.
fn line_at(text: &str, at: usize) -> Range<usize> {
    let at = at.min(text.len());
    let start = text[..at].rfind('\n').map_or(0, |before| before + 1);
    let end = text[at..].find('\n').map_or(text.len(), |after| at + after);
    start..end - usize::from(text[start..end].ends_with('\r'))
}

/// Whether a line consists of one character of punctuation.
pub(super) fn is_rule(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|first| first.is_ascii_punctuation() && bytes.iter().all(|byte| byte == first))
}

/// Returns the number of columns of a title. East Asian characters take two.
fn width(text: &str) -> usize {
    text.chars().map(|char| if is_wide(char) { 2 } else { 1 }).sum()
}

/// Whether a character takes two columns.
pub(super) fn is_wide(char: char) -> bool {
    matches!(u32::from(char),
        0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0xa4cf | 0xa960..=0xa97f | 0xac00..=0xd7a3 | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1f64f | 0x1f900..=0x1f9ff | 0x20000..=0x3fffd)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::with_title_lines;
    use crate::edits::{Edit, edited_text};

    /// Replaces each `x` by a longer text.
    #[track_caller]
    fn edited(text: &str) -> String {
        let edit = |(start, _)| Edit { start, end: start + 1, new: "long-name".to_owned() };
        let edits = text.match_indices('x').map(edit).collect();
        String::from_utf8(edited_text(text.as_bytes(), &with_title_lines(text, edits)).unwrap()).unwrap()
    }

    #[test]
    fn lines_of_titles_grow_with_them() {
        for (text, expected) in [
            ("See `x`\n-------\n\nx\n", "See `long-name`\n---------------\n\nlong-name\n"),
            ("`x` `x`\r\n=======\r\n", "`long-name` `long-name`\r\n=======================\r\n"),
            ("====\n `x`\n====", "============\n `long-name`\n============"),
            ("a\n\n`x`\n------------", "a\n\n`long-name`\n------------"),
            ("`x` \u{8a2d}\n~~~~~~\n", "`long-name` \u{8a2d}\n~~~~~~~~~~~~~~\n"),
            ("`x`\n", "`long-name`\n"),
            ("`x`\n\n---\n", "`long-name`\n\n---\n"),
            ("`x`\n== ==\n", "`long-name`\n== ==\n"),
        ] {
            assert_eq!(edited(text), expected);
        }
        assert_eq!(
            edited("    \"\"\"\n    `x`\n    ---\n    \"\"\"\n"),
            "    \"\"\"\n    `long-name`\n    -----------\n    \"\"\"\n"
        );
    }
}
