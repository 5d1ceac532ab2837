//! Lines and columns of findings that are shown out of order, read in order and by all threads.

use rayon::prelude::*;

use super::Report;
use super::sources::{Position, Sources};
use crate::contract::Contract;

/// Where some findings of a report are.
pub struct Positions {
    /// Findings by their place in [`Report::diagnostics`], in order.
    findings: Vec<u32>,
    /// Line and column of each.
    places: Vec<(u32, u32)>,
}

impl Positions {
    /// Finds the lines and columns of these findings; each document is read once.
    pub fn of(report: &Report, contract: &Contract, mut findings: Vec<u32>) -> Positions {
        findings.sort_unstable();
        findings.dedup();
        let place = |finding: &u32| &report.diagnostics[*finding as usize].location.place;
        let documents: Vec<&[u32]> = findings.chunk_by(|a, b| place(a) == place(b)).collect();
        let start = || Sources::one_by_one(report, contract);
        let places: Vec<Vec<(u32, u32)>> = documents
            .par_iter()
            .map_init(start, |sources, findings| {
                let place = |finding: &u32| {
                    let position = sources.position(&report.diagnostics[*finding as usize]);
                    (position.line as u32, position.column as u32)
                };
                findings.iter().map(place).collect()
            })
            .collect();
        let places = places.concat();
        Positions { findings, places }
    }

    /// Where a finding begins; the start of its document, where it was not among those asked for.
    pub fn get(&self, finding: u32) -> Position {
        let (line, column) = self.findings.binary_search(&finding).map_or((1, 1), |at| self.places[at]);
        Position { line: line as usize, column: column as usize }
    }
}
