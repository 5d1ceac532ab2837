//! Blocks of reStructuredText: titles, paragraphs, lists, quotes, literal blocks.

use super::lines::{
    SourceLine, block_after_marker, bullet, enumerator, field_marker, indented_block, is_marker, known_block,
    marked_block, option_marker, skip_columns, trim_end, trim_start,
};
use super::scanner::{Meaning, RestructuredScanner};

/// Where blocks are.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockPlace {
    /// Number of blocks around.
    depth: usize,
    /// Whether sections may begin.
    has_titles: bool,
}

impl BlockPlace {
    pub const DOCUMENT: BlockPlace = BlockPlace { depth: 0, has_titles: true };

    /// Returns the place in a list, a quote or a cell. No section may begin there.
    pub fn nested(self) -> BlockPlace {
        BlockPlace { depth: self.depth + 1, has_titles: false }
    }

    /// Returns the place in a directive, where extensions accept sections.
    pub fn in_directive(self) -> BlockPlace {
        BlockPlace { depth: self.depth + 1, has_titles: true }
    }

    pub fn has_titles(self) -> bool {
        self.has_titles
    }
}

/// Maximum number of blocks around a block. Deeper ones are no documentation, and would take the stack.
const MAX_DEPTH: usize = 40;

impl<'t> RestructuredScanner<'t> {
    /// Scans the blocks of lines.
    pub(super) fn blocks(&mut self, lines: &[SourceLine], place: BlockPlace) {
        if place.depth > MAX_DEPTH {
            return self.add_inert(lines);
        }
        let mut at = 0;
        while at < lines.len() {
            at = if lines[at].is_blank() { at + 1 } else { self.block(lines, at, place).max(at + 1) };
        }
    }

    /// Returns the text of a line.
    pub(super) fn of(&self, line: SourceLine) -> &'t str {
        &self.text[line.start..line.end]
    }

    /// Scans the block that begins at a line, and returns the number of the line after it.
    fn block(&mut self, lines: &[SourceLine], at: usize, place: BlockPlace) -> usize {
        let line = lines[at];
        if let Some(next) = self.explicit_block(lines, at, place) {
            return next;
        }
        self.names.end_chain();
        let is_metadata = std::mem::take(&mut self.is_at_metadata);
        if line.indent > 0 {
            return self.indented_blocks(lines, at, place);
        }
        let text = self.of(line);
        if let Some(length) = bullet(text).or_else(|| self.enumerator(lines, at))
            && let Some(end) = self.list_item(lines, at, length, place)
        {
            return end;
        }
        if let Some(length) = field_marker(text) {
            if is_metadata {
                return self.metadata(lines, at);
            }
            return self.field(lines, at, length, place);
        }
        if let Some(length) = option_marker(text)
            && let Some(end) = self.option_item(lines, at, length, place)
        {
            return end;
        }
        if is_marker(text, ">>>") {
            let end = lines[at..].iter().position(SourceLine::is_blank).map_or(lines.len(), |end| at + end);
            self.add_inert(&lines[at..end]);
            return end;
        }
        if is_marker(text, "|") {
            return self.line_of_block(lines, at);
        }
        if let Some(end) = self.table(lines, at, place) {
            return end;
        }
        self.overlined_title(lines, at, place).unwrap_or_else(|| self.text_block(lines, at, place))
    }

    /// Scans a quote or a definition, and returns the number of the line after it.
    fn indented_blocks(&mut self, lines: &[SourceLine], at: usize, place: BlockPlace) -> usize {
        let (end, indent) = indented_block(lines, at, false, false);
        let content: Vec<SourceLine> = lines[at..end].iter().map(|line| line.dedented(indent)).collect();
        self.blocks(&content, place.nested());
        end
    }

    /// Returns the offset and the column of the content after a marker; `None` if text follows it directly.
    pub(super) fn after_marker(&self, line: SourceLine, length: usize) -> Option<(usize, usize)> {
        let marker = line.start..line.start + length;
        let column = self.text[marker.clone()].chars().count();
        let (start, reached) = skip_columns(self.text, marker.end..line.end, column);
        (start > marker.end || start == line.end).then_some((start, reached))
    }

    fn list_item(
        &mut self,
        lines: &[SourceLine],
        at: usize,
        length: usize,
        place: BlockPlace,
    ) -> Option<usize> {
        let line = lines[at];
        let (start, column) = self.after_marker(line, length)?;
        let (end, indent) = if start < line.end {
            (known_block(lines, at, column), column)
        } else {
            indented_block(lines, at, true, false)
        };
        let content = block_after_marker(SourceLine { start, ..line }, &lines[at + 1..end], indent);
        self.blocks(&content, place.nested());
        Some(end)
    }

    fn field(&mut self, lines: &[SourceLine], at: usize, length: usize, place: BlockPlace) -> usize {
        let line = lines[at];
        self.inline(&[SourceLine { start: line.start + 1, end: line.start + length - 1, indent: 0 }]);
        let start = self.after_marker(line, length).map_or(line.end, |(start, _)| start);
        let (content, end) = marked_block(lines, at, start, false);
        self.blocks(&content, place.nested());
        end
    }

    /// Skips the fields at the start of a document: Sphinx and Pelican read them, and do not show them as markup.
    fn metadata(&self, lines: &[SourceLine], at: usize) -> usize {
        let mut end = at;
        while lines
            .get(end)
            .is_some_and(|line| line.is_blank() || line.indent > 0 || field_marker(self.of(*line)).is_some())
        {
            end += 1;
        }
        end
    }

    /// Scans an option with its description; `None` if it has none, so that it is text.
    fn option_item(
        &mut self,
        lines: &[SourceLine],
        at: usize,
        length: usize,
        place: BlockPlace,
    ) -> Option<usize> {
        let (start, _) = self.after_marker(lines[at], length)?;
        let (content, end) = marked_block(lines, at, start, false);
        if trim_end(&content).is_empty() {
            return None;
        }
        self.blocks(&content, place.nested());
        Some(end)
    }

    /// Scans a line of a line block, which has inline markup.
    fn line_of_block(&mut self, lines: &[SourceLine], at: usize) -> usize {
        let start = self.after_marker(lines[at], 1).map_or(lines[at].end, |(start, _)| start);
        let (content, end) = marked_block(lines, at, start, true);
        self.inline(trim_end(&content));
        end
    }

    /// Scans a paragraph, a title with an underline, or a term with its definition.
    fn text_block(&mut self, lines: &[SourceLine], at: usize, place: BlockPlace) -> usize {
        match lines.get(at + 1) {
            Some(next) if !next.is_blank() && next.indent > 0 => {
                self.inline(&lines[at..=at]);
                self.indented_blocks(lines, at + 1, place)
            }
            _ => self.underlined_title(lines, at, place).unwrap_or_else(|| self.paragraph(lines, at)),
        }
    }

    fn paragraph(&mut self, lines: &[SourceLine], at: usize) -> usize {
        let is_end = |line: &SourceLine| line.is_blank() || line.indent > 0;
        let end = lines[at + 1..].iter().position(is_end).map_or(lines.len(), |end| at + 1 + end);
        let mut text = lines[at..end].to_vec();
        let is_literal_next = self.strip_literal_mark(&mut text);
        self.inline(&text);
        if is_literal_next { self.literal_block(lines, end) } else { end }
    }

    /// Removes `::` from the end of a paragraph; returns whether it was there.
    fn strip_literal_mark(&self, lines: &mut Vec<SourceLine>) -> bool {
        let Some(last) = lines.last_mut() else { return false };
        let text = &self.text[last.start..last.end];
        let Some(before) = text.strip_suffix("::") else { return false };
        let backslashes = before.bytes().rev().take_while(|byte| *byte == b'\\').count();
        if backslashes % 2 == 1 {
            return false;
        }
        let kept = before.trim_end();
        if kept.len() == before.len() && !kept.is_empty() {
            last.end -= 1;
        } else {
            last.end = last.start + kept.len();
            if kept.is_empty() {
                lines.pop();
            }
        }
        true
    }

    /// Marks the literal block after a paragraph, indented or quoted, and returns the line after it.
    fn literal_block(&mut self, lines: &[SourceLine], from: usize) -> usize {
        let (end, _) = indented_block(lines, from, false, false);
        if !trim_end(&lines[from..end]).is_empty() {
            self.add_inert(&lines[from..end]);
            return end;
        }
        let start = lines.len() - trim_start(&lines[from..]).len();
        let Some(first) = lines.get(start) else { return from };
        let quote = self.text.as_bytes()[first.start];
        if !quote.is_ascii_punctuation() {
            return from;
        }
        let is_quoted = |line: &&SourceLine| {
            !line.is_blank() && line.indent == 0 && self.text.as_bytes()[line.start] == quote
        };
        let count = lines[start..].iter().take_while(is_quoted).count();
        self.add_inert(&lines[start..start + count]);
        start + count
    }

    /// Returns the length of the marker of an enumerated list. The next line shows whether it is one.
    fn enumerator(&self, lines: &[SourceLine], at: usize) -> Option<usize> {
        let length = enumerator(self.of(lines[at]))?;
        let next = lines.get(at + 1);
        let is_item = next
            .is_none_or(|next| next.is_blank() || next.indent > 0 || enumerator(self.of(*next)).is_some());
        is_item.then_some(length)
    }
}

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
        self.names.define_implicit(self.of(title), Meaning::Internal);
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
pub(super) fn width(text: &str) -> usize {
    text.chars().map(|char| if is_wide(char) { 2 } else { 1 }).sum()
}

/// Whether a character takes two columns.
pub(super) fn is_wide(char: char) -> bool {
    matches!(u32::from(char),
        0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0xa4cf | 0xa960..=0xa97f | 0xac00..=0xd7a3 | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1f64f | 0x1f900..=0x1f9ff | 0x20000..=0x3fffd)
}
