//! What a check says: diagnostics with a place, and the report that holds them all.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::redirects::Redirects;
use crate::rules::RuleInfo;
use crate::walk::{FileId, Tree};

/// How much a finding weighs. Only [`Severity::Error`] fails the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Not reported.
    Off,
    /// Reported; the gate still passes.
    Warn,
    /// Reported; the gate fails.
    Error,
}

impl Severity {
    /// The word used in every output format.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Off => "off",
            Severity::Warn => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The document a location lies in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A file of the export.
    File(FileId),
    /// The contract itself (`sitegate.toml`), where a demand has nothing in the export to point at.
    Contract,
    /// A file that the contract extends, by its place in [`crate::config::Config::bases`].
    Base(u16),
    /// A path in the export that was not read: a special file, a link out of the tree.
    Path(Box<str>),
}

/// Where a finding stands: a document, and a range of bytes in it.
///
/// Line and column are computed only for what is printed (see [`crate::output::Sources`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The document.
    pub place: Place,
    /// Bytes from its start; empty where the finding is about the whole document.
    pub span: Range<u32>,
}

impl Location {
    /// A range of bytes in a file of the export.
    pub fn in_file(file: FileId, span: Range<u32>) -> Self {
        Location { place: Place::File(file), span }
    }

    /// A range of bytes in the contract.
    pub fn in_contract(span: Range<usize>) -> Self {
        Location { place: Place::Contract, span: span.start as u32..span.end as u32 }
    }
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The rule that found it.
    pub rule: &'static RuleInfo,
    /// What is wrong, in one sentence without a full stop; findings that say the same may share it.
    pub message: Arc<str>,
    /// Where.
    pub location: Location,
    /// The way out, where one is known.
    pub help: Option<Box<str>>,
    /// Whether the location's bytes are a reference, to be shown as `url`.
    pub is_reference: bool,
    /// How much it weighs here, set when the report is made.
    pub severity: Severity,
}

impl Diagnostic {
    /// A finding that is about something other than one reference.
    pub fn new(rule: &'static RuleInfo, location: Location, message: impl Into<Arc<str>>) -> Self {
        Diagnostic {
            rule,
            message: message.into(),
            location,
            help: None,
            is_reference: false,
            severity: rule.default,
        }
    }

    /// A finding whose location is the raw text of a reference.
    pub fn reference(rule: &'static RuleInfo, location: Location, message: impl Into<Arc<str>>) -> Self {
        Diagnostic { is_reference: true, ..Diagnostic::new(rule, location, message) }
    }

    /// Adds the way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<Box<str>>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// What a run looked at, and what it found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Files in the export.
    pub files: usize,
    /// HTML pages among them.
    pub pages: usize,
    /// References that were resolved.
    pub links: usize,
    /// Findings at error level.
    pub errors: usize,
    /// Findings at warning level.
    pub warnings: usize,
    /// Findings that an exception excuses, and that are not reported.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ignored: usize,
    /// Findings that the baseline knows, and that are not reported.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub baselined: usize,
}

/// Whether a count is left out of the JSON.
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What a check concludes, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No finding at error level: 0.
    Passed,
    /// At least one finding at error level: 1.
    Failed,
    /// Something could not be read, so nothing can be promised: 2.
    Incomplete,
}

impl Verdict {
    /// The process exit code, the same for every output format.
    pub fn exit_code(self) -> u8 {
        match self {
            Verdict::Passed => 0,
            Verdict::Failed => 1,
            Verdict::Incomplete => 2,
        }
    }
}

/// The whole result of one check, sorted so that it never depends on the order of threads.
#[derive(Debug)]
pub struct Report {
    /// The files that were checked.
    pub tree: Tree,
    /// The redirects that its references were followed through.
    pub redirects: Redirects,
    /// The findings that are not off, by path, position and rule.
    pub diagnostics: Vec<Diagnostic>,
    /// Counts.
    pub summary: Summary,
    /// What could not be read, with its path; any entry makes the verdict [`Verdict::Incomplete`].
    pub unread: Vec<String>,
    /// The content of every file, by [`FileId`], where it was asked for.
    pub digests: Vec<crate::FileDigest>,
    /// For each file, by [`FileId`], how many other files refer to it.
    pub inbound: Vec<u32>,
}

impl Report {
    /// What the check concludes.
    pub fn verdict(&self) -> Verdict {
        if !self.unread.is_empty() {
            Verdict::Incomplete
        } else if self.summary.errors > 0 {
            Verdict::Failed
        } else {
            Verdict::Passed
        }
    }

    /// Sorts the findings and counts them by weight, after some were added or taken away.
    pub(crate) fn recount(&mut self) {
        Report::sort(&mut self.diagnostics, &self.tree);
        let count = |severity| self.diagnostics.iter().filter(|d| d.severity == severity).count();
        self.summary.errors = count(Severity::Error);
        self.summary.warnings = count(Severity::Warn);
    }

    /// Sorts the findings by path, position, rule and message, and drops exact repeats.
    pub(crate) fn sort(diagnostics: &mut Vec<Diagnostic>, tree: &Tree) {
        let path = |place: &Place| -> (u8, Vec<u8>) {
            match place {
                Place::Contract => (0, Vec::new()),
                Place::Base(index) => (0, index.to_be_bytes().to_vec()),
                Place::File(id) => (1, tree.path(*id).to_vec()),
                Place::Path(path) => (1, path.as_bytes().to_vec()),
            }
        };
        diagnostics.sort_unstable_by(|a, b| {
            let places = match (&a.location.place, &b.location.place) {
                (Place::File(a), Place::File(b)) => a.cmp(b), // ids follow the order of paths
                (Place::Contract, Place::Contract) => Ordering::Equal,
                (a, b) => path(a).cmp(&path(b)),
            };
            places
                .then_with(|| a.location.span.start.cmp(&b.location.span.start))
                .then_with(|| a.rule.id.cmp(b.rule.id))
                .then_with(|| a.location.span.end.cmp(&b.location.span.end))
                .then_with(|| a.message.cmp(&b.message))
        });
        diagnostics
            .dedup_by(|a, b| a.rule.id == b.rule.id && a.location == b.location && a.message == b.message);
    }
}
