//! The lines of tables by columns, and their cells.

use std::ops::Range;

use super::lines::SourceLine;
use super::titles::is_wide;

/// A line of a table by columns, as its characters and their offsets. The second column of a wide character is NUL.
pub(super) struct TableLine {
    pub columns: Vec<(char, usize)>,
    end: usize,
}

impl TableLine {
    pub fn new(text: &str, line: SourceLine) -> TableLine {
        /// Columns of a tab.
        const TAB: usize = 8;
        let mut columns = vec![(' ', line.start); line.indent];
        for (at, char) in text[line.start..line.end].char_indices() {
            let at = line.start + at;
            match char {
                '\t' => columns.resize((columns.len() / TAB + 1) * TAB, (' ', at)),
                // Combining characters take no column.
                '\u{300}'..='\u{36f}' => {}
                char => columns.push((char, at)),
            }
            if is_wide(char) {
                columns.push(('\0', at + char.len_utf8()));
            }
        }
        TableLine { columns, end: line.end }
    }

    /// Returns the character in a column; a space after the end.
    pub fn at(&self, column: usize) -> char {
        self.columns.get(column).map_or(' ', |(char, _)| *char)
    }

    pub fn is_blank(&self, columns: Range<usize>) -> bool {
        let end = columns.end.min(self.columns.len());
        columns.start >= end || self.columns[columns.start..end].iter().all(|(char, _)| char.is_whitespace())
    }

    pub fn offset(&self, column: usize) -> usize {
        self.columns.get(column).map_or(self.end, |(_, offset)| *offset)
    }
}

/// A cell: the lines from the first to before the last one, and columns.
pub(super) struct Cell {
    pub lines: Range<usize>,
    pub columns: Range<usize>,
}

/// The extent of a table in its block.
pub(super) struct TableExtent {
    /// Number of its lines.
    pub length: usize,
    /// Its cells in the order of the document; none if it is malformed, so that it is shown as it is written.
    pub cells: Option<Vec<Cell>>,
}
