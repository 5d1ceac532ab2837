//! What is written of a check: its report, what the findings have in common, and how much of it people are told.

use std::time::Duration;

use crate::contract::Contract;
use crate::report::Report;
use crate::report::causes::Causes;
use crate::report::excuse_tally::{self, ExcuseTally};

/// How much the format for people tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Every cause, and every place of each.
    pub all: bool,
    /// Errors alone.
    pub quiet: bool,
}

/// What is written: a report, with what its formats say beyond it.
pub struct Presentation<'r> {
    /// The report.
    pub report: &'r Report,
    /// The contract that it was held to.
    pub contract: &'r Contract,
    /// What its findings have in common.
    pub causes: Causes,
    /// What was let pass, and why.
    pub excuses: Vec<ExcuseTally>,
    /// How long the check took, for the formats that people read at leisure.
    pub elapsed: Duration,
    /// How much the format for people tells.
    pub extent: Extent,
}

impl<'r> Presentation<'r> {
    /// Everything there is to write about a report.
    pub fn new(report: &'r Report, contract: &'r Contract, elapsed: Duration) -> Presentation<'r> {
        let causes = Causes::of(report, contract);
        let excuses = excuse_tally::tally(report, contract);
        Presentation { report, contract, causes, excuses, elapsed, extent: Extent::default() }
    }
}
