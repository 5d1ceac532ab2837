//! What was let pass: the findings that an exception or the baseline excuses, each with what excuses it.

use std::ops::Range;

use crate::contract::Contract;
use crate::diagnostic::Diagnostic;
use crate::walk::FileId;

/// A finding that is not reported, and why.
#[derive(Clone, Debug)]
pub struct ExcusedDiagnostic {
    /// The finding, as it would have been reported.
    pub finding: Diagnostic,
    /// What excuses it.
    pub by: ExcusedBy,
}

/// What excuses a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExcusedBy {
    /// An attribute or a comment of the file that it is in.
    Page {
        /// The file.
        file: FileId,
        /// Where the rule is named.
        named: Range<u32>,
        /// The reason that it gives.
        reason: Box<str>,
    },
    /// An `[[ignore]]`, by its place in [`Contract::exceptions`].
    Contract(usize),
    /// The baseline, which knows it.
    Baseline,
}

impl ExcusedBy {
    /// The word that reports and seals use.
    pub fn kind(&self) -> &'static str {
        match self {
            ExcusedBy::Page { .. } => "page",
            ExcusedBy::Contract(_) => "contract",
            ExcusedBy::Baseline => "baseline",
        }
    }

    /// The reason that was given; the baseline gives none.
    pub fn reason<'e>(&'e self, contract: &'e Contract) -> Option<&'e str> {
        match self {
            ExcusedBy::Page { reason, .. } => Some(reason),
            ExcusedBy::Contract(exception) => contract.exceptions.get(*exception).map(|e| e.reason.as_str()),
            ExcusedBy::Baseline => None,
        }
    }
}
