//! Rows of comma-separated values in `csv-table`: each cell is reStructuredText.

use super::Scanner;
use super::blocks::Place;
use super::lines::{Line, line};

impl Scanner<'_> {
    /// Scans the cells. Cells with doubled quotes have no offsets in the text, and no references.
    pub(super) fn rows(&mut self, lines: &[Line], place: Place) {
        // The lines of the open quoted cell.
        let mut open: Option<Vec<Line>> = None;
        for row in lines {
            let mut at = row.start;
            loop {
                let (mut cell, is_quoted) = match open.take() {
                    Some(cell) => (cell, true),
                    None => {
                        at += self.text[at..row.end].len()
                            - self.text[at..row.end].trim_start_matches(' ').len();
                        let is_quoted = self.text[at..row.end].starts_with('"');
                        at += usize::from(is_quoted);
                        (Vec::new(), is_quoted)
                    }
                };
                let rest = &self.text[at..row.end];
                let end =
                    if is_quoted { closing_quote(rest) } else { Some(rest.find(',').unwrap_or(rest.len())) };
                let content = at..end.map_or(row.end, |end| at + end);
                let indent = if cell.is_empty() { 0 } else { row.indent };
                let content = line(self.text, content);
                cell.push(Line { indent: content.indent + indent, ..content });
                let Some(end) = end else {
                    open = Some(cell);
                    break;
                };
                self.cell(&cell, is_quoted, place);
                let after = &self.text[at + end + usize::from(is_quoted)..row.end];
                let Some(next) = after.find(',') else { break };
                at = row.end - after.len() + next + 1;
            }
        }
    }

    fn cell(&mut self, lines: &[Line], is_quoted: bool, place: Place) {
        let has_doubled = is_quoted && lines.iter().any(|line| self.of(*line).contains("\"\""));
        if has_doubled {
            return self.add_inert(lines);
        }
        let (Some(first), others) = (lines.first(), &lines[1..]) else { return };
        let first = Line { indent: 0, ..*first };
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
