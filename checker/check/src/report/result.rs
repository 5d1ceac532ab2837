//! Defines the result of a check, from which the [report](super::Report) is assembled.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use super::{Summary, Verdict};
use crate::contract::Contract;
use crate::deployment::Deployment;
use crate::external::ExternalHosts;
use crate::file_digest::FileDigest;
use crate::raw_finding::{DocumentId, RawFinding, Severity};
use crate::resolve::live::LiveSite;
use crate::rules::empty_export;
use crate::walk::{FileId, Tree};
use sitegate_address::inventory::Inventory;
use sitegate_host::redirects::Redirects;

/// The result of one check. It does not depend on the order of threads.
#[derive(Clone)]
pub struct CheckResult {
    /// The files that were checked.
    pub tree: Arc<Tree>,
    /// The deployment: origin, base path and host.
    pub(crate) deployment: Deployment,
    /// The redirects of the site.
    pub redirects: Arc<Redirects>,
    /// The findings, by path, position and rule, without those that are off.
    pub findings: Vec<RawFinding>,
    /// The ignored findings, each with what ignores it: first those that pages and the contract ignore, by location, then those in the baseline.
    pub ignored: Vec<(RawFinding, IgnoredBy)>,
    /// Whether fixes of findings can be used: the contract names sources, or people write the export.
    pub(crate) is_editable: bool,
    /// The live site, if one was checked.
    pub live: Option<Arc<LiveSite>>,
    /// Counts of what was checked and found.
    pub summary: Summary,
    /// Errors for everything that could not be read. Any entry makes the verdict [`Verdict::Incomplete`].
    pub unreadable: Vec<String>,
    /// Whether there is no page although the contract does not allow an empty export.
    pub(crate) is_without_pages: bool,
    /// The digest of every file, by number; empty unless [`crate::Checker::digest`] was on.
    pub digests: Vec<FileDigest>,
    /// For each file, by number, how many other files refer to it.
    pub inbound: Vec<u32>,
    /// Scripts and the files that they load, each with its [depth](crate::SealedFile::script_depth).
    pub depths: Vec<(FileId, u32)>,
    /// Imports, and fetches of files, whose URL is computed at run time: file and offset.
    pub computed: Vec<(FileId, u32)>,
    /// The results of external hosts, if external links were checked.
    pub external: Option<ExternalHosts>,
    /// The addresses of the site, if [`crate::Checker::inventory`] was on.
    pub inventory: Option<Inventory>,
}

impl CheckResult {
    /// Returns the reasons why parts of a live site were not checked.
    pub fn skipped(&self) -> &[String] {
        self.live.as_ref().map_or(&[], |live| &live.skipped)
    }

    /// Returns the verdict of the check.
    pub fn verdict(&self) -> Verdict {
        if !self.unreadable.is_empty() || self.is_without_pages {
            Verdict::Incomplete
        } else if self.summary.errors > 0 {
            Verdict::Failed
        } else {
            Verdict::Passed
        }
    }

    /// Sorts the findings and counts them by severity. Call it after findings were added or removed.
    pub(crate) fn recount(&mut self) {
        CheckResult::sort(&mut self.findings, &self.tree);
        let count = |severity| self.findings.iter().filter(|found| found.severity == severity).count();
        self.summary.errors = count(Severity::Error);
        self.summary.warnings = count(Severity::Warn);
        let mut errors = self.findings.iter().filter(|found| found.severity == Severity::Error);
        self.is_without_pages = errors.any(|found| found.rule.id == empty_export::INFO.id);
    }

    /// Sorts findings by path, position, rule and message, and removes duplicates.
    pub(crate) fn sort(findings: &mut Vec<RawFinding>, tree: &Tree) {
        let path = |document: &DocumentId| -> (u8, Vec<u8>) {
            match document {
                DocumentId::Contract => (0, Vec::new()),
                DocumentId::Base(index) => (0, index.to_be_bytes().to_vec()),
                DocumentId::HostConfig => (0, vec![u8::MAX; 3]),
                DocumentId::File(id) => (1, tree.path(*id).to_vec()),
                DocumentId::Path(path) => (1, path.as_bytes().to_vec()),
                DocumentId::Baseline => (2, Vec::new()),
            }
        };
        findings.sort_unstable_by(|a, b| {
            let by_document = match (&a.location.document, &b.location.document) {
                (DocumentId::File(a), DocumentId::File(b)) => a.cmp(b), // ids follow the order of paths
                (DocumentId::Contract, DocumentId::Contract) => Ordering::Equal,
                (a, b) => path(a).cmp(&path(b)),
            };
            by_document
                .then_with(|| a.location.span.start.cmp(&b.location.span.start))
                .then_with(|| a.rule.id.cmp(b.rule.id))
                .then_with(|| a.location.span.end.cmp(&b.location.span.end))
                .then_with(|| a.message.cmp(&b.message))
        });
        findings
            .dedup_by(|a, b| a.rule.id == b.rule.id && a.location == b.location && a.message == b.message);
    }
}

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
