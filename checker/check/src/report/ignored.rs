//! What was let pass: the findings that an exception or the baseline excuses, each with what excuses it.

use std::ops::Range;

use super::stages::RatedFinding;
use crate::contract::Contract;
use crate::walk::FileId;

/// A finding that is not reported, and why.
#[derive(Clone, Debug)]
pub struct IgnoredRatedFinding {
    /// The finding, as it would have been reported.
    pub finding: RatedFinding,
    /// What excuses it.
    pub by: IgnoredBy,
}

/// What excuses a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IgnoredBy {
    /// An attribute or a comment of the file that it is in.
    Page {
        /// The file.
        file: FileId,
        /// Where the rule is named.
        named: Range<u32>,
        /// The reason that it gives.
        reason: Box<str>,
    },
    /// An `[[ignore]]`, by its place in [`Contract::ignores`].
    Contract(usize),
    /// The baseline, which knows it.
    Baseline,
}

impl IgnoredBy {
    /// The word that reports and seals use.
    pub fn kind(&self) -> &'static str {
        match self {
            IgnoredBy::Page { .. } => "page",
            IgnoredBy::Contract(_) => "contract",
            IgnoredBy::Baseline => "baseline",
        }
    }

    /// The reason that was given; the baseline gives none.
    pub fn reason<'e>(&'e self, contract: &'e Contract) -> Option<&'e str> {
        match self {
            IgnoredBy::Page { reason, .. } => Some(reason),
            IgnoredBy::Contract(ignore) => contract.ignores.get(*ignore).map(|e| e.reason.as_str()),
            IgnoredBy::Baseline => None,
        }
    }
}
