//! Defines what ignores findings.

use std::ops::Range;

use crate::contract::Contract;
use crate::walk::FileId;

/// An ignore, or the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IgnoredBy {
    /// An attribute or a comment in the file of the finding.
    Page {
        /// The file.
        file: FileId,
        /// The location of the rule's id in the ignore.
        rule_span: Range<u32>,
        /// The reason given.
        reason: Box<str>,
    },
    /// An `[[ignore]]` entry, by its index in [`Contract::ignores`].
    Contract(usize),
    /// The baseline.
    Baseline,
}

impl IgnoredBy {
    /// Returns the word that reports and seals use.
    pub fn kind(&self) -> &'static str {
        match self {
            IgnoredBy::Page { .. } => "page",
            IgnoredBy::Contract(_) => "contract",
            IgnoredBy::Baseline => "baseline",
        }
    }

    /// Returns the reason given. The baseline gives none.
    pub fn reason<'e>(&'e self, contract: &'e Contract) -> Option<&'e str> {
        match self {
            IgnoredBy::Page { reason, .. } => Some(reason),
            IgnoredBy::Contract(ignore) => contract.ignores.get(*ignore).map(|e| e.reason.as_str()),
            IgnoredBy::Baseline => None,
        }
    }
}
