//! Tables: their extent, and their cells as blocks.

use std::ops::Range;

use super::Scanner;
use super::blocks::Place;
use super::grid_tables::grid_cells;
use super::lines::{Line, line};
use super::simple_tables::simple_cells;
use super::titles::is_wide;

/// A line of a table by columns, as its characters and their offsets. The second column of a wide character is NUL.
pub(super) struct TableLine {
    pub columns: Vec<(char, usize)>,
    end: usize,
}

impl TableLine {
    pub fn new(text: &str, line: Line) -> TableLine {
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

    fn offset(&self, column: usize) -> usize {
        self.columns.get(column).map_or(self.end, |(_, offset)| *offset)
    }
}

/// A cell: the lines from the first to before the last one, and columns.
pub(super) struct Cell {
    pub lines: Range<usize>,
    pub columns: Range<usize>,
}

/// The extent of a table in its block.
pub(super) struct Table {
    /// Number of its lines.
    pub length: usize,
    /// Its cells in the order of the document; none if it is malformed, so that it is shown as it is written.
    pub cells: Option<Vec<Cell>>,
}

impl Scanner<'_> {
    /// Scans a table that begins at a line, and returns the number of the line after it.
    pub(super) fn table(&mut self, lines: &[Line], at: usize, place: Place) -> Option<usize> {
        let table = match self.of(lines[at]).as_bytes() {
            [b'+', b'-', ..] => grid_cells(self.text, &lines[at..])?,
            [b'=', ..] => simple_cells(self.text, &lines[at..])?,
            _ => return None,
        };
        let block = &lines[at..at + table.length];
        match table.cells {
            None => self.add_inert(block),
            Some(cells) => {
                let block: Vec<TableLine> =
                    block.iter().map(|line| TableLine::new(self.text, *line)).collect();
                for cell in cells {
                    let content = cell_lines(self.text, &block[cell.lines], &cell.columns);
                    self.blocks(&content, place.nested());
                }
            }
        }
        Some(at + table.length)
    }
}

/// Returns the lines of a cell, without their common indentation.
fn cell_lines(text: &str, lines: &[TableLine], columns: &Range<usize>) -> Vec<Line> {
    let slice = |table: &TableLine| line(text, table.offset(columns.start)..table.offset(columns.end));
    let lines: Vec<Line> = lines.iter().map(slice).collect();
    let indent = lines.iter().filter(|line| !line.is_blank()).map(|line| line.indent).min().unwrap_or(0);
    lines.into_iter().map(|line| line.dedented(indent)).collect()
}
