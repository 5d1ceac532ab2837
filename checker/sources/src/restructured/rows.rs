//! Rows of comma-separated values in `csv-table`: each cell is reStructuredText.

use super::blocks::BlockPlace;
use super::lines::{SourceLine, line};
use super::scanner::RestructuredScanner;

impl RestructuredScanner<'_> {
    /// Scans the cells. Cells with doubled quotes have no offsets in the text, and no references.
    pub(super) fn rows(&mut self, lines: &[SourceLine], place: BlockPlace) {
        // The lines of a quoted cell that does not end on its first line.
        let mut open = None;
        for row in lines {
            let mut next = Some(row.start);
            while let Some(at) = next {
                next = self.cell_at(*row, at, &mut open, place);
            }
        }
    }

    /// Scans the cell at an offset, and returns that of the next one on the line.
    fn cell_at(
        &mut self,
        row: SourceLine,
        at: usize,
        open: &mut Option<Vec<SourceLine>>,
        place: BlockPlace,
    ) -> Option<usize> {
        let text = &self.text[at..row.end];
        let unindented = text.trim_start_matches(' ');
        let is_continued = open.is_some();
        let is_quoted = is_continued || unindented.starts_with('"');
        let written = if is_continued { text } else { unindented.strip_prefix('"').unwrap_or(unindented) };
        let start = row.end - written.len();
        let end = if is_quoted { closing_quote(written) } else { written.find(',').or(Some(written.len())) };
        let content = line(self.text, start..end.map_or(row.end, |end| start + end));
        let indent = if is_continued { row.indent } else { 0 };
        let mut cell = open.take().unwrap_or_default();
        cell.push(SourceLine { indent: content.indent + indent, ..content });
        let Some(end) = end else {
            *open = Some(cell);
            return None;
        };
        self.cell(&cell, is_quoted, place);
        let after = &written[end..];
        after.find(',').map(|comma| row.end - after.len() + comma + 1)
    }

    fn cell(&mut self, lines: &[SourceLine], is_quoted: bool, place: BlockPlace) {
        let has_doubled = is_quoted && lines.iter().any(|line| self.of(*line).contains("\"\""));
        if has_doubled {
            return self.add_inert(lines);
        }
        let (Some(first), others) = (lines.first(), &lines[1..]) else { return };
        let first = SourceLine { indent: 0, ..*first };
        self.blocks(&[&[first], others].concat(), place.nested());
    }
}

/// Returns the offset of the quote that ends a cell. Two quotes are a character of it.
fn closing_quote(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'"', Some(b'"')) => at += 2,
            (b'"', _) => return Some(at),
            _ => at += 1,
        }
    }
    None
}
