//! Grid tables: cells between `+`, `-` and `|`, found as docutils does, from corner to corner.

use std::collections::BTreeSet;

use super::cells::{Cell, TableExtent, TableLine};
use super::lines::SourceLine;

/// Returns the grid table at the start of lines; `None` if they begin with none.
pub(super) fn grid_cells(text: &str, lines: &[SourceLine]) -> Option<TableExtent> {
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
