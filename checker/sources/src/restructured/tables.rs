//! Tables: their extent, and their cells as blocks.

use std::ops::Range;

use super::blocks::BlockPlace;
use super::cells::TableLine;
use super::grid_tables::grid_cells;
use super::lines::{SourceLine, line};
use super::scanner::RestructuredScanner;
use super::simple_tables::simple_cells;

impl RestructuredScanner<'_> {
    /// Scans a table that begins at a line, and returns the number of the line after it.
    pub(super) fn table(&mut self, lines: &[SourceLine], at: usize, place: BlockPlace) -> Option<usize> {
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
fn cell_lines(text: &str, lines: &[TableLine], columns: &Range<usize>) -> Vec<SourceLine> {
    let slice = |table: &TableLine| line(text, table.offset(columns.start)..table.offset(columns.end));
    let lines: Vec<SourceLine> = lines.iter().map(slice).collect();
    let indent = lines.iter().filter(|line| !line.is_blank()).map(|line| line.indent).min().unwrap_or(0);
    lines.into_iter().map(|line| line.dedented(indent)).collect()
}
