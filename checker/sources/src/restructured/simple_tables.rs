//! Simple tables: columns below `=====  ====`, rows by text in the first column.

use std::ops::Range;

use super::cells::{Cell, TableExtent, TableLine};
use super::lines::SourceLine;

/// Returns the simple table at the start of lines; `None` if they begin with none.
pub(super) fn simple_cells(text: &str, lines: &[SourceLine]) -> Option<TableExtent> {
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
