//! Groups findings by cause: findings with the same rule, severity and cause are fixed together.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::Arc;

use super::finding::{CommonCause, Finding};
use crate::parse::Format;
use crate::raw_finding::Severity;
use sitegate_base::plural::count;

/// Maximum number of examples of a cause.
const EXAMPLES: usize = 3;

/// The causes of a report's findings: errors first, then by number of findings, then by their first finding.
///
/// Findings are identified by their index in [`super::Report::findings`], causes by their index in this order.
#[derive(Debug, Default)]
pub struct Causes {
    entries: Vec<CauseExtent>,
    /// For each finding, its cause.
    by_finding: Vec<u32>,
    /// The findings of each cause, in the order of the report, one cause after the other.
    members: Vec<u32>,
}

/// The extent of a cause: the number of its findings and documents.
#[derive(Debug)]
pub struct CauseExtent {
    /// Number of documents with findings of this cause.
    pub documents: usize,
    /// Whether all of these documents are pages.
    pub on_pages: bool,
    members: Range<usize>,
}

impl CauseExtent {
    /// Returns the number of findings.
    pub fn findings(&self) -> usize {
        self.members.len()
    }

    /// Describes the extent; `None` for a single finding.
    pub fn extent(&self) -> Option<String> {
        self.extent_of(self.findings(), self.documents)
    }

    /// Describes the extent of a part of the findings: `on 1,204 pages`, `in 3 places on 2 pages`. `None` for a single
    /// finding.
    pub fn extent_of(&self, findings: usize, documents: usize) -> Option<String> {
        let (on, word) = if self.on_pages { ("on", "page") } else { ("in", "file") };
        let extent = format!("{on} {}", count(documents, word));
        match findings {
            1 => None,
            findings if documents == 1 => Some(format!("in {}", count(findings, "place"))),
            findings if findings == documents => Some(extent),
            findings => Some(format!("in {} {extent}", count(findings, "place"))),
        }
    }

    /// Describes the documents after the first: `202 more pages`. `None` for a single document.
    pub fn more_documents(&self) -> Option<String> {
        let word = if self.on_pages { "more page" } else { "more file" };
        (self.documents > 1).then(|| count(self.documents - 1, word))
    }
}

/// The key of a cause: rule, severity and name, hashed with two random states, so that no site can provoke a collision.
type CauseKey = [u64; 2];

/// A cause whose findings are being counted.
struct Counting {
    first: u32,
    severity: Severity,
    findings: usize,
    documents: usize,
    on_pages: bool,
    last: u32,
}

impl Causes {
    /// Groups findings by cause. The findings must be sorted by file.
    pub fn group(findings: &[Finding]) -> Causes {
        let hashers = [RandomState::new(), RandomState::new()];
        let mut counting: Vec<Counting> = Vec::new();
        let mut known: HashMap<CauseKey, u32> = HashMap::new();
        let mut by_finding = Vec::with_capacity(findings.len());
        for (document, in_document) in findings.chunk_by(Finding::is_in_file_of).enumerate() {
            let is_page =
                in_document[0].is_in_export() && Format::of(in_document[0].file.as_bytes()) == Format::Html;
            for finding in in_document {
                let parts = (&*finding.rule, finding.severity.as_str(), &*finding.cause);
                let key = hashers.each_ref().map(|hasher| hasher.hash_one(parts));
                let cause = *known.entry(key).or_insert_with(|| {
                    counting.push(Counting::new(finding, by_finding.len()));
                    counting.len() as u32 - 1
                });
                counting[cause as usize].add(document as u32, is_page);
                by_finding.push(cause);
            }
        }
        drop(known);
        Causes::sort(&counting, by_finding)
    }

    /// Returns the causes of a report's findings. `is_thing` returns whether the cause of a finding is a thing that it
    /// refers to.
    pub fn common(findings: &[Finding], is_thing: impl Fn(usize) -> bool) -> Vec<CommonCause> {
        let grouped = Causes::group(findings);
        let causes = grouped.iter().map(|(group, extent)| {
            let first = grouped.findings(group)[0] as usize;
            let Finding { rule, severity, cause, .. } = &findings[first];
            CommonCause {
                rule: Arc::clone(rule),
                severity: *severity,
                cause: Arc::clone(cause),
                findings: extent.findings(),
                files: extent.documents,
                thing: is_thing(first),
            }
        });
        causes.collect()
    }

    /// Sorts the causes, and collects the findings of each.
    fn sort(counting: &[Counting], mut by_finding: Vec<u32>) -> Causes {
        let mut order: Vec<u32> = (0..counting.len() as u32).collect();
        order.sort_by_key(|&at| {
            let cause = &counting[at as usize];
            (Reverse((cause.severity, cause.findings)), cause.first)
        });
        let mut rank = vec![0; order.len()];
        for (index, at) in order.iter().enumerate() {
            rank[*at as usize] = index;
        }
        let mut end = 0;
        let numbered = order.into_iter().map(|at| {
            let Counting { findings, documents, on_pages, .. } = counting[at as usize];
            let start = end;
            end += findings;
            CauseExtent { documents, on_pages, members: start..end }
        });
        let entries: Vec<CauseExtent> = numbered.collect();
        let mut next: Vec<usize> = entries.iter().map(|entry| entry.members.start).collect();
        let mut members = vec![0; by_finding.len()];
        for (finding, cause) in by_finding.iter_mut().enumerate() {
            let index = rank[*cause as usize];
            *cause = index as u32;
            members[next[index]] = finding as u32;
            next[index] += 1;
        }
        Causes { entries, by_finding, members }
    }

    /// Returns the number of causes.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no causes.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns all causes with their indices, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (usize, &CauseExtent)> {
        self.entries.iter().enumerate()
    }

    /// Returns the extent of a cause.
    pub fn get(&self, cause: usize) -> &CauseExtent {
        &self.entries[cause]
    }

    /// Returns the cause of a finding.
    pub fn cause_of(&self, finding: usize) -> usize {
        self.by_finding[finding] as usize
    }

    /// Returns the findings of a cause, in the order of the report.
    pub fn findings(&self, cause: usize) -> &[u32] {
        &self.members[self.entries[cause].members.clone()]
    }

    /// Returns the first finding of a cause.
    pub fn first<'r>(&self, cause: usize, findings: &'r [Finding]) -> &'r Finding {
        &findings[self.findings(cause)[0] as usize]
    }

    /// Returns a few findings of a cause, from different documents if there are enough.
    pub fn examples(&self, cause: usize, all: &[Finding]) -> Vec<u32> {
        let findings = self.findings(cause);
        let are_together = |a: u32, b: u32| all[a as usize].is_in_file_of(&all[b as usize]);
        let mut examples: Vec<u32> = Vec::with_capacity(EXAMPLES);
        if self.entries[cause].documents >= EXAMPLES {
            for &finding in findings {
                if examples.last().is_none_or(|last| !are_together(*last, finding)) {
                    examples.push(finding);
                }
                if examples.len() == EXAMPLES {
                    break;
                }
            }
        } else {
            examples.extend(findings.iter().take(EXAMPLES));
        }
        examples
    }

    /// Describes the findings of a cause after the first: `369 more places on 203 pages`. `None` for a single finding.
    pub fn more(&self, cause: usize, all: &[Finding]) -> Option<String> {
        let [first, second, ..] = self.findings(cause) else { return None };
        let again = all[*first as usize].is_in_file_of(&all[*second as usize]);
        let common = &self.entries[cause];
        let documents = common.documents - usize::from(!again);
        let (on, word) = if common.on_pages { ("on", "page") } else { ("in", "file") };
        let extent = match common.documents {
            1 => format!("{on} this {word}"),
            _ => format!("{on} {}", count(documents, word)),
        };
        Some(format!("{} {extent}", count(common.findings() - 1, "more place")))
    }
}

impl Counting {
    fn new(first: &Finding, at: usize) -> Counting {
        let severity = first.severity;
        Counting { first: at as u32, severity, findings: 0, documents: 0, on_pages: true, last: u32::MAX }
    }

    fn add(&mut self, document: u32, is_page: bool) {
        if self.last != document {
            self.documents += 1;
            self.last = document;
            self.on_pages &= is_page;
        }
        self.findings += 1;
    }
}
