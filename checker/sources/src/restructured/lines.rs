//! Lines of a block, without copies: nested blocks are the same lines with less indentation.

use std::ops::Range;

/// A line, as the parser of a block sees it: its text, without white space at both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceLine {
    /// Offset of the first character that is not white space; of the end in a blank line.
    pub start: usize,
    /// Offset after the last character that is not white space.
    pub end: usize,
    /// Number of columns before it, in its block.
    pub indent: usize,
}

impl SourceLine {
    pub fn is_blank(&self) -> bool {
        self.start == self.end
    }

    /// Returns the same line in a block that is indented.
    pub fn dedented(self, columns: usize) -> SourceLine {
        SourceLine { indent: self.indent.saturating_sub(columns), ..self }
    }
}

/// Columns of a tab, as in docutils.
const TAB: usize = 8;

/// Splits a range of the text into lines, at the separators of Python.
pub(crate) fn split_lines(text: &str, range: Range<usize>) -> Vec<SourceLine> {
    let bytes = &text.as_bytes()[..range.end];
    let mut lines = Vec::new();
    let mut start = range.start;
    let mut at = range.start;
    while at < bytes.len() {
        let length = separator(bytes, at);
        if length > 0 {
            lines.push(line(text, start..at));
            start = at + length;
        }
        at += length.max(1);
    }
    if start < bytes.len() {
        lines.push(line(text, start..bytes.len()));
    }
    lines
}

/// Returns the length of the line separator at an offset, or 0.
fn separator(bytes: &[u8], at: usize) -> usize {
    match bytes[at] {
        b'\r' if bytes.get(at + 1) == Some(&b'\n') => 2,
        b'\n' | b'\r' | 0x1c..=0x1e => 1,
        0xc2 if bytes.get(at + 1) == Some(&0x85) => 2,
        0xe2 if matches!(bytes.get(at + 1..at + 3), Some([0x80, 0xa8 | 0xa9])) => 3,
        _ => 0,
    }
}

/// Returns a line without its indentation.
pub(crate) fn line(text: &str, range: Range<usize>) -> SourceLine {
    let end = range.start + text[range.clone()].trim_end().len();
    let (start, indent) = skip_columns(text, range.start..end, 0);
    SourceLine { start, end, indent }
}

/// Skips white space from a column on; returns the offset and the column after it.
pub(crate) fn skip_columns(text: &str, range: Range<usize>, column: usize) -> (usize, usize) {
    let mut reached = column;
    for (at, byte) in text.as_bytes()[range.clone()].iter().enumerate() {
        match byte {
            b'\t' => reached = (reached / TAB + 1) * TAB,
            b' ' | 0x0b | 0x0c => reached += 1,
            _ => return (range.start + at, reached),
        }
    }
    (range.end, reached)
}

/// Returns the end of the indented block that begins at a line, and its indentation. `has_first`: the indentation of the
/// first line is known, as after a marker, and does not count.
pub(super) fn indented_block(
    lines: &[SourceLine],
    from: usize,
    has_first: bool,
    is_until_blank: bool,
) -> (usize, usize) {
    let mut indent = None;
    let mut end = from + usize::from(has_first);
    while let Some(line) = lines.get(end) {
        if line.is_blank() {
            if is_until_blank {
                break;
            }
        } else if line.indent == 0 {
            break;
        } else {
            indent = Some(indent.map_or(line.indent, |least: usize| least.min(line.indent)));
        }
        end += 1;
    }
    (end, indent.unwrap_or_default())
}

/// Returns the end of the lines that are indented by at least a number of columns, after the first line.
pub(super) fn known_block(lines: &[SourceLine], from: usize, indent: usize) -> usize {
    let is_end = |line: &SourceLine| !line.is_blank() && line.indent < indent;
    lines[from + 1..].iter().position(is_end).map_or(lines.len(), |end| from + 1 + end)
}

/// Returns a block with another first line, and the others dedented.
pub(super) fn block_after_marker(first: SourceLine, others: &[SourceLine], indent: usize) -> Vec<SourceLine> {
    std::iter::once(SourceLine { indent: 0, ..first })
        .chain(others.iter().map(|line| line.dedented(indent)))
        .collect()
}

/// Returns the lines of a block after a marker whose other lines are indented by any number of columns, and its end.
pub(super) fn marked_block(
    lines: &[SourceLine],
    at: usize,
    start: usize,
    is_until_blank: bool,
) -> (Vec<SourceLine>, usize) {
    let first = SourceLine { start, ..lines[at] };
    let (end, indent) = indented_block(lines, at, true, is_until_blank);
    (block_after_marker(first, &lines[at + 1..end], indent), end)
}

/// Removes blank lines at the end.
pub(super) fn trim_end(lines: &[SourceLine]) -> &[SourceLine] {
    let end = lines.iter().rposition(|line| !line.is_blank()).map_or(0, |last| last + 1);
    &lines[..end]
}

/// Removes blank lines at the start.
pub(super) fn trim_start(lines: &[SourceLine]) -> &[SourceLine] {
    let start = lines.iter().position(|line| !line.is_blank()).unwrap_or(lines.len());
    &lines[start..]
}

/// Returns the bytes from the first to the last line; `None` if all are blank.
pub(super) fn covered(lines: &[SourceLine]) -> Option<Range<usize>> {
    let lines = trim_start(trim_end(lines));
    Some(lines.first()?.start..lines.last()?.end)
}
