//! The findings of a check, with what they refer to: the stage before the [report](super::Report).

use std::cmp::Ordering;
use std::sync::Arc;

use super::ignored::IgnoredRatedFinding;
use super::stages::RatedFinding;
use super::{FileDigest, Summary, Verdict};
use crate::deployment::Deployment;
use crate::external::ExternalSummary;
use crate::raw_finding::{DocumentId, Severity};
use crate::resolve::live::LiveSite;
use crate::resolve::redirects::Redirects;
use crate::rules::empty_export;
use crate::walk::{FileId, Tree};

/// The whole result of one check, sorted so that it never depends on the order of threads.
#[derive(Clone)]
pub struct CheckResult {
    /// The files that were checked.
    pub tree: Arc<Tree>,
    /// Where the site lives, as far as it is known.
    pub deployment: Deployment,
    /// The redirects that its references were followed through.
    pub redirects: Arc<Redirects>,
    /// The findings that are not off, by path, position and rule.
    pub findings: Vec<RatedFinding>,
    /// The findings that are excused, by pages and the contract in the order of places, then those that the baseline knows.
    pub ignored: Vec<IgnoredRatedFinding>,
    /// The live site that was checked, where it was one.
    pub live: Option<Arc<LiveSite>>,
    /// Counts.
    pub summary: Summary,
    /// What could not be read, with its path; any entry makes the verdict [`Verdict::Incomplete`].
    pub unreadable: Vec<String>,
    /// Whether there is no page, and the contract does not say that this may be so.
    pub is_without_pages: bool,
    /// The content of every file, by [`FileId`], where it was asked for.
    pub digests: Vec<FileDigest>,
    /// For each file, by [`FileId`], how many other files refer to it.
    pub inbound: Vec<u32>,
    /// The files that scripts are or load, with how many steps what each loads goes on.
    pub depths: Vec<(FileId, u32)>,
    /// What other hosts said, where they were asked.
    pub external: Option<ExternalSummary>,
}

impl CheckResult {
    /// Why not all of a live site was looked at, a line for each reason.
    pub fn skipped(&self) -> &[String] {
        self.live.as_ref().map_or(&[], |live| &live.skipped)
    }

    /// What the check concludes.
    pub fn verdict(&self) -> Verdict {
        if !self.unreadable.is_empty() || self.is_without_pages {
            Verdict::Incomplete
        } else if self.summary.errors > 0 {
            Verdict::Failed
        } else {
            Verdict::Passed
        }
    }

    /// Sorts the findings and counts them by weight, after some were added or taken away.
    pub(crate) fn recount(&mut self) {
        CheckResult::sort(&mut self.findings, &self.tree);
        let count = |severity| self.findings.iter().filter(|d| d.severity == severity).count();
        self.summary.errors = count(Severity::Error);
        self.summary.warnings = count(Severity::Warn);
        let mut errors = self.findings.iter().filter(|found| found.severity == Severity::Error);
        self.is_without_pages = errors.any(|found| found.raw.rule.id == empty_export::INFO.id);
    }

    /// Sorts the findings by path, position, rule and message, and drops exact repeats.
    pub(crate) fn sort(findings: &mut Vec<RatedFinding>, tree: &Tree) {
        let path = |place: &DocumentId| -> (u8, Vec<u8>) {
            match place {
                DocumentId::Contract => (0, Vec::new()),
                DocumentId::Base(index) => (0, index.to_be_bytes().to_vec()),
                DocumentId::File(id) => (1, tree.path(*id).to_vec()),
                DocumentId::Path(path) => (1, path.as_bytes().to_vec()),
            }
        };
        findings.sort_unstable_by(|a, b| {
            let places = match (&a.raw.location.document, &b.raw.location.document) {
                (DocumentId::File(a), DocumentId::File(b)) => a.cmp(b), // ids follow the order of paths
                (DocumentId::Contract, DocumentId::Contract) => Ordering::Equal,
                (a, b) => path(a).cmp(&path(b)),
            };
            places
                .then_with(|| a.raw.location.span.start.cmp(&b.raw.location.span.start))
                .then_with(|| a.raw.rule.id.cmp(b.raw.rule.id))
                .then_with(|| a.raw.location.span.end.cmp(&b.raw.location.span.end))
                .then_with(|| a.raw.message.cmp(&b.raw.message))
        });
        findings.dedup_by(|a, b| {
            a.raw.rule.id == b.raw.rule.id
                && a.raw.location == b.raw.location
                && a.raw.message == b.raw.message
        });
    }
}
