//! The report: what a check found, weighed and counted, and what follows from it. How it is printed never enters here.

pub mod baseline;
pub mod causes;
pub mod difference;
pub mod exceptions;
pub mod excerpt;
pub mod excuse_tally;
pub mod excused;
mod excuses;
pub mod fingerprint;
mod listed;
pub mod positions;
pub mod sources;
pub mod target;

use std::cmp::Ordering;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use excused::ExcusedFinding;

use crate::deployment::Deployment;
use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::external::WorldTally;
use crate::resolve::live::LiveSite;
use crate::resolve::redirects::Redirects;
use crate::rules::empty_export;
use crate::walk::{FileId, Tree};

/// The program's name, as reports and seals give it.
pub const PROGRAM: &str = "sitegate";

/// What is known of a file's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileDigest {
    /// Its length in bytes.
    pub size: u64,
    /// SHA-256 of its content.
    pub sha256: [u8; 32],
}

/// What a run looked at, and what it found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Files in the export.
    pub files: usize,
    /// HTML pages among them.
    pub pages: usize,
    /// Script files that were read.
    #[serde(default)]
    pub scripts: usize,
    /// References that were resolved.
    pub links: usize,
    /// Imports whose address is only known when they run, so that they were not followed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub computed: usize,
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
    /// Something could not be read, or there is no page to check, so nothing can be promised: 2.
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
pub struct Report {
    /// The files that were checked.
    pub tree: Arc<Tree>,
    /// Where the site lives, as far as it is known.
    pub deployment: Deployment,
    /// The redirects that its references were followed through.
    pub redirects: Arc<Redirects>,
    /// The findings that are not off, by path, position and rule.
    pub diagnostics: Vec<Diagnostic>,
    /// The findings that are excused, by pages and the contract in the order of places, then those that the baseline knows.
    pub excused: Vec<ExcusedFinding>,
    /// The live site that was checked, where it was one.
    pub live: Option<Arc<LiveSite>>,
    /// Counts.
    pub summary: Summary,
    /// What could not be read, with its path; any entry makes the verdict [`Verdict::Incomplete`].
    pub unread: Vec<String>,
    /// Whether there is no page, and the contract does not say that this may be so.
    pub is_without_pages: bool,
    /// The content of every file, by [`FileId`], where it was asked for.
    pub digests: Vec<FileDigest>,
    /// For each file, by [`FileId`], how many other files refer to it.
    pub inbound: Vec<u32>,
    /// The files that scripts are or load, with how many steps what each loads goes on.
    pub depths: Vec<(FileId, u32)>,
    /// What other hosts said, where they were asked.
    pub elsewhere: Option<WorldTally>,
}

impl Report {
    /// Why not all of a live site was looked at, a line for each reason.
    pub fn left_out(&self) -> &[String] {
        self.live.as_ref().map_or(&[], |live| &live.left_out)
    }

    /// What the check concludes.
    pub fn verdict(&self) -> Verdict {
        if !self.unread.is_empty() || self.is_without_pages {
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
        let mut errors = self.diagnostics.iter().filter(|found| found.severity == Severity::Error);
        self.is_without_pages = errors.any(|found| found.rule.id == empty_export::INFO.id);
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
