//! Tables.

use super::Scanner;
use super::blocks::Place;
use super::lines::Line;

impl Scanner<'_> {
    /// Scans a table that begins at a line, and returns the number of the line after it.
    pub(super) fn table(&mut self, lines: &[Line], at: usize, place: Place) -> Option<usize> {
        let _ = (lines, at, place);
        None
    }
}
