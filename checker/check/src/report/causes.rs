//! What findings have in common: those of one rule and weight that are mended together are one cause.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use super::finding::Finding;
use crate::parse::Format;
use crate::raw_finding::Severity;
use sitegate_base::plural::count;

/// Places of a cause that are shown where not all are.
const EXAMPLES: usize = 3;

/// Which findings are told as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// Those that are mended together, wherever they are met.
    #[default]
    Cause,
    /// The same, on each page by itself.
    Page,
}

/// The causes of a report's findings: errors first, then those met in most places, then by their first place.
///
/// A finding is named by its place in [`super::Report::findings`], a cause by its place in this order.
#[derive(Debug, Default)]
pub struct Causes {
    entries: Vec<CauseExtent>,
    /// For each finding, its cause.
    of: Vec<u32>,
    /// The findings of each cause, in the order of the report, one cause after the other.
    members: Vec<u32>,
}

/// How far a cause reaches.
#[derive(Debug)]
pub struct CauseExtent {
    /// The documents that they are in.
    pub documents: usize,
    /// Whether each of those is a page.
    pub on_pages: bool,
    members: Range<usize>,
}

impl CauseExtent {
    /// How many findings it has.
    pub fn findings(&self) -> usize {
        self.members.len()
    }

    /// How far all of it reaches, where that is further than one place.
    pub fn extent(&self) -> Option<String> {
        self.extent_of(self.findings(), self.documents)
    }

    /// How far a part of it reaches, where that is further than one place: `on 1,204 pages`, `in 3 places on 2 pages`.
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

    /// The documents beside the first that it is met in: `202 more pages`.
    pub fn more_documents(&self) -> Option<String> {
        let word = if self.on_pages { "more page" } else { "more file" };
        (self.documents > 1).then(|| count(self.documents - 1, word))
    }
}

/// What tells one cause from another: its name, hashed in two ways that no site can foresee.
type Key = [u64; 2];

/// One that is still being counted.
struct Counting {
    first: u32,
    severity: Severity,
    findings: usize,
    documents: usize,
    on_pages: bool,
    last: u32,
}

impl Causes {
    /// Groups findings, which are sorted by files, by their causes. Those of a page by itself come in the order of pages.
    pub fn of(findings: &[Finding], grouping: Grouping) -> Causes {
        let hashers = [RandomState::new(), RandomState::new()];
        let mut counting: Vec<Counting> = Vec::new();
        // By page, a cause is known only as long as its document goes on.
        let mut known: HashMap<Key, u32> = HashMap::new();
        let mut of = Vec::with_capacity(findings.len());
        for (document, findings) in findings.chunk_by(Finding::is_in_file_of).enumerate() {
            if grouping == Grouping::Page {
                known.clear();
            }
            let is_page =
                findings[0].is_in_export() && Format::of(findings[0].file.as_bytes()) == Format::Html;
            for finding in findings {
                let parts = (&*finding.rule, finding.severity.as_str(), &*finding.cause);
                let key = hashers.each_ref().map(|hasher| hasher.hash_one(parts));
                let cause = *known.entry(key).or_insert_with(|| {
                    counting.push(Counting::new(finding, of.len()));
                    counting.len() as u32 - 1
                });
                counting[cause as usize].add(document as u32, is_page);
                of.push(cause);
            }
        }
        drop(known);
        Causes::in_order(&counting, of, grouping)
    }

    fn in_order(counting: &[Counting], mut of: Vec<u32>, grouping: Grouping) -> Causes {
        let mut order: Vec<u32> = (0..counting.len() as u32).collect();
        order.sort_by_key(|&at| {
            let cause = &counting[at as usize];
            let findings = if grouping == Grouping::Page { 0 } else { cause.findings };
            (Reverse((cause.severity, findings)), cause.first)
        });
        let mut rank = vec![0; order.len()];
        for (place, at) in order.iter().enumerate() {
            rank[*at as usize] = place;
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
        let mut members = vec![0; of.len()];
        for (finding, cause) in of.iter_mut().enumerate() {
            let place = rank[*cause as usize];
            *cause = place as u32;
            members[next[place]] = finding as u32;
            next[place] += 1;
        }
        Causes { entries, of, members }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (usize, &CauseExtent)> {
        self.entries.iter().enumerate()
    }

    /// One of them.
    pub fn get(&self, cause: usize) -> &CauseExtent {
        &self.entries[cause]
    }

    /// The cause of a finding.
    pub fn cause_of(&self, finding: usize) -> usize {
        self.of[finding] as usize
    }

    /// Its findings, in the order of the report.
    pub fn findings(&self, cause: usize) -> &[u32] {
        &self.members[self.entries[cause].members.clone()]
    }

    /// The first of its findings.
    pub fn first<'r>(&self, cause: usize, findings: &'r [Finding]) -> &'r Finding {
        &findings[self.findings(cause)[0] as usize]
    }

    /// A few of its findings, in different documents where it is met in several.
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

    /// The places beside the first: `369 more places on 203 pages`.
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
