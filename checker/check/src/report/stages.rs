//! The stages of a finding between the rule that makes it and the report.

use std::sync::Arc;

use super::excerpt::Snippet;
use crate::raw_finding::{RawFinding, Severity};

/// The text at the location of a finding, collected while its file is in memory, so that the file is not read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingContext {
    /// Line and column of its first character, from 1.
    pub start: (u32, u32),
    /// Line and column after its last character, from 1.
    pub end: (u32, u32),
    /// The text of its span.
    pub text: Box<str>,
    /// The line, or the part of it around the span.
    pub snippet: Snippet,
    /// Whether the file is UTF-16.
    pub is_utf16: bool,
    /// The cause, if it is [`Cause::Target`](crate::raw_finding::Cause::Target) or
    /// [`Cause::Marked`](crate::raw_finding::Cause::Marked) and is not the message.
    pub cause: Option<Arc<str>>,
}

/// A raw finding with the context that the scan collected for it.
#[derive(Clone, Debug)]
pub struct LocatedFinding {
    /// The finding of the rule.
    pub raw: RawFinding,
    /// The text at its location; `None` if the document has to be read for it.
    pub context: Option<Box<FindingContext>>,
}

impl From<RawFinding> for LocatedFinding {
    fn from(raw: RawFinding) -> LocatedFinding {
        LocatedFinding { raw, context: None }
    }
}

/// A located finding with the severity that the contract gives it at its location.
#[derive(Clone, Debug)]
pub struct RatedFinding {
    /// The finding of the rule.
    pub raw: RawFinding,
    /// The text at its location; `None` if the document has to be read for it.
    pub context: Option<Box<FindingContext>>,
    /// Its severity; never [`Severity::Off`].
    pub severity: Severity,
}

impl RatedFinding {
    /// Adds a severity to a located finding.
    pub fn new(LocatedFinding { raw, context }: LocatedFinding, severity: Severity) -> RatedFinding {
        RatedFinding { raw, context, severity }
    }
}
