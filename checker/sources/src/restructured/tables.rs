//! Tables: their extent, and their cells as blocks.
//!
//! Grid tables have cells between `+`, `-` and `|`, found as docutils does, from corner to corner. Simple tables have
//! columns below `=====  ====`, and rows by text in the first column. `csv-table` has comma-separated values.

use std::collections::BTreeSet;
use std::ops::Range;

use super::blocks::{BlockPlace, is_wide};
use super::lines::{SourceLine, line};
use super::scanner::RestructuredScanner;

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

/// A line of a table by columns, as its characters and their offsets. The second column of a wide character is NUL.
struct TableLine {
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
struct Cell {
    pub lines: Range<usize>,
    pub columns: Range<usize>,
}

/// The extent of a table in its block.
struct TableExtent {
    /// Number of its lines.
    pub length: usize,
    /// Its cells in the order of the document; none if it is malformed, so that it is shown as it is written.
    pub cells: Option<Vec<Cell>>,
}

/// Returns the grid table at the start of lines; `None` if they begin with none.
fn grid_cells(text: &str, lines: &[SourceLine]) -> Option<TableExtent> {
    let of = |line: &SourceLine| &text[line.start..line.end];
    if !is_border(of(lines.first()?)) {
        return None;
    }
    let is_row =
        |line: &&SourceLine| !line.is_blank() && line.indent == 0 && of(line).starts_with(['+', '|']);
    let rows = lines.iter().take_while(is_row).count();
    let bottom = (0..rows).rev().find(|row| (*row >= 2 || *row + 1 == rows) && is_border(of(&lines[*row])));
    let Some(bottom) = bottom else { return Some(TableExtent { length: rows, cells: None }) };
    let length = bottom + 1;
    let mut grid: Vec<TableLine> = lines[..length].iter().map(|line| TableLine::new(text, *line)).collect();
    let width = grid[0].columns.len();
    let is_aligned =
        |line: &TableLine| line.columns.len() == width && matches!(line.at(width - 1), '+' | '|');
    let cells = grid.iter().all(is_aligned).then(|| {
        replace_head_border(&mut grid)?;
        GridSearch { right: width - 1, bottom, done: vec![0; width], steps: 0, grid }.cells()
    });
    Some(TableExtent { length, cells: cells.flatten() })
}

/// Whether a line is `+---+---+`.
fn is_border(line: &str) -> bool {
    let inner = line.strip_prefix("+-").and_then(|rest| rest.strip_suffix("-+"));
    inner.is_some_and(|inner| !inner.is_empty() && inner.bytes().all(|byte| matches!(byte, b'-' | b'+')))
}

/// Replaces the border after the head, `+===+===+`, by a usual one; `None` if there are two.
fn replace_head_border(grid: &mut [TableLine]) -> Option<()> {
    let is_head = |line: &TableLine| {
        line.at(0) == '+'
            && line.at(1) == '='
            && line.columns.iter().all(|(char, _)| matches!(char, '=' | '+'))
    };
    let mut heads = grid.iter_mut().filter(|line| is_head(line));
    if let Some(head) = heads.next() {
        for (char, _) in head.columns.iter_mut().filter(|(char, _)| *char == '=') {
            *char = '-';
        }
    }
    heads.next().is_none().then_some(())
}

/// A search for the cells of a grid.
struct GridSearch {
    grid: Vec<TableLine>,
    bottom: usize,
    right: usize,
    /// For each column, the number of lines whose cells are known.
    done: Vec<usize>,
    steps: usize,
}

/// Maximum number of characters that a search reads; a real table has fewer.
const MAX_STEPS: usize = 4_000_000;

impl GridSearch {
    /// Returns the cells in order; `None` if they do not cover the grid.
    fn cells(mut self) -> Option<Vec<Cell>> {
        let mut cells = Vec::new();
        let mut corners = BTreeSet::from([(0, 0)]);
        while let Some((top, left)) = corners.pop_first() {
            if top == self.bottom || left == self.right || top < self.done[left] {
                continue;
            }
            let Some((bottom, right)) = self.cell_at(top, left) else {
                if self.steps > MAX_STEPS {
                    return None;
                }
                continue;
            };
            if self.done[left..right].iter().any(|done| *done != top) {
                return None;
            }
            self.done[left..right].fill(bottom);
            cells.push(Cell { lines: top + 1..bottom, columns: left + 1..right });
            corners.extend([(top, right), (bottom, left)]);
        }
        self.done[..self.right].iter().all(|done| *done == self.bottom).then_some(cells)
    }

    /// Returns the lower right corner of the cell with an upper left one.
    fn cell_at(&mut self, top: usize, left: usize) -> Option<(usize, usize)> {
        for right in left + 1..=self.right {
            match self.grid[top].at(right) {
                '+' => {
                    if let Some(bottom) = self.bottom_of(top, left, right) {
                        return Some((bottom, right));
                    }
                }
                '-' => {}
                _ => return None,
            }
        }
        None
    }

    fn bottom_of(&mut self, top: usize, left: usize, right: usize) -> Option<usize> {
        for bottom in top + 1..=self.bottom {
            self.steps += 1;
            match self.grid[bottom].at(right) {
                '+' => {
                    if self.is_closed(top, left, bottom, right) {
                        return Some(bottom);
                    }
                }
                '|' => {}
                _ => return None,
            }
        }
        None
    }

    /// Whether the lower and the left border are complete.
    fn is_closed(&mut self, top: usize, left: usize, bottom: usize, right: usize) -> bool {
        self.steps += right - left + bottom - top;
        if self.steps > MAX_STEPS {
            return false;
        }
        let lower = &self.grid[bottom];
        lower.at(left) == '+'
            && (left + 1..right).all(|column| matches!(lower.at(column), '+' | '-'))
            && (top + 1..bottom).all(|row| matches!(self.grid[row].at(left), '+' | '|'))
    }
}

/// Returns the simple table at the start of lines; `None` if they begin with none.
fn simple_cells(text: &str, lines: &[SourceLine]) -> Option<TableExtent> {
    let of = |line: &SourceLine| &text[line.start..line.end];
    let top = of(lines.first()?);
    let is_border = |line: &SourceLine| {
        line.indent == 0
            && of(line).starts_with('=')
            && of(line).bytes().all(|byte| matches!(byte, b'=' | b' '))
    };
    if !is_border(lines.first()?) || !top.contains(' ') {
        return None;
    }
    let mut last = None;
    for (number, line) in lines.iter().enumerate().skip(1).filter(|(_, line)| is_border(line)) {
        if of(line).len() != top.len() {
            return Some(TableExtent { length: number + 1, cells: None });
        }
        let is_second = last.replace(number).is_some();
        if is_second || lines.get(number + 1).is_none_or(SourceLine::is_blank) {
            return Some(TableExtent { length: number + 1, cells: rows(text, &lines[..=number]) });
        }
    }
    Some(TableExtent { length: last.map_or(lines.len(), |last| last + 1), cells: None })
}

/// A table that is read row by row.
struct SimpleTable {
    lines: Vec<TableLine>,
    /// The columns of the borders. The last one is as wide as its text.
    columns: Vec<Range<usize>>,
    border_end: usize,
    cells: Vec<Cell>,
}

/// Returns the cells; `None` if text is between columns, or spans do not fit.
fn rows(text: &str, lines: &[SourceLine]) -> Option<Vec<Cell>> {
    let lines: Vec<TableLine> = lines.iter().map(|line| TableLine::new(text, *line)).collect();
    let columns = spans(&lines[0]);
    let border_end = columns.last()?.end;
    let first = columns[0].clone();
    let mut table = SimpleTable { lines, columns, border_end, cells: Vec::new() };
    let mut start = 1;
    let mut has_text = false;
    for offset in 1..table.lines.len() {
        if is_span_line(&table.lines[offset]) {
            table.add_row(start..offset, Some(offset))?;
            (start, has_text) = (offset + 1, false);
        } else if !table.lines[offset].is_blank(first.clone()) {
            if has_text && offset != start {
                table.add_row(start..offset, None)?;
            }
            (start, has_text) = (offset, true);
        } else if !has_text {
            start = offset + 1;
        }
    }
    Some(table.cells)
}

/// Whether a line is a border, or `---` below columns that are one.
fn is_span_line(line: &TableLine) -> bool {
    let first = line.at(0);
    matches!(first, '-' | '=') && line.columns.iter().all(|(char, _)| *char == first || *char == ' ')
}

fn spans(line: &TableLine) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    for (column, _) in line.columns.iter().enumerate().filter(|(_, (char, _))| *char != ' ') {
        match spans.last_mut().filter(|span| span.end == column) {
            Some(span) => span.end += 1,
            None => spans.push(column..column + 1),
        }
    }
    spans
}

impl SimpleTable {
    /// Adds the cells of a row; `spans` is the line below it.
    fn add_row(&mut self, lines: Range<usize>, span_line: Option<usize>) -> Option<()> {
        let mut columns = self.columns.clone();
        if let Some(line) = span_line {
            columns = spans(&self.lines[line]);
            let last = columns.last_mut().filter(|last| last.end == self.border_end)?;
            last.end = self.columns.last()?.end;
        }
        if lines.is_empty() {
            return Some(());
        }
        self.widen_last(&mut columns, lines.clone())?;
        self.check_spans(&columns)?;
        self.cells.extend(columns.into_iter().map(|columns| Cell { lines: lines.clone(), columns }));
        Some(())
    }

    /// Makes the last column as wide as its text; `None` if text is in a margin.
    fn widen_last(&mut self, columns: &mut [Range<usize>], lines: Range<usize>) -> Option<()> {
        let (last, others) = columns.split_last_mut()?;
        let starts = others.iter().skip(1).map(|column| column.start).chain([last.start]);
        for (column, next) in others.iter().zip(starts) {
            let is_free = |line: &TableLine| line.is_blank(column.end..next);
            if !self.lines[lines.clone()].iter().all(is_free) {
                return None;
            }
        }
        let widest = self.lines[lines].iter().map(|line| line.columns.len()).max().unwrap_or(0);
        let main = self.columns.last_mut()?;
        main.end = main.end.max(widest);
        last.end = last.end.max(main.end);
        Some(())
    }

    /// Whether the columns of a row begin and end with those of the borders.
    fn check_spans(&self, columns: &[Range<usize>]) -> Option<()> {
        let mut borders = self.columns.iter();
        for column in columns {
            let mut border = borders.next()?;
            if border.start != column.start {
                return None;
            }
            while border.end != column.end {
                border = borders.next()?;
            }
        }
        Some(())
    }
}

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
