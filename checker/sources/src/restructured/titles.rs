//! Titles of sections, and transitions.

use super::blocks::BlockPlace;
use super::lines::SourceLine;
use super::scanner::RestructuredScanner;

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
