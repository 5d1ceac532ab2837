//! What findings have in common: those of one rule and weight that are mended together are one cause.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use rayon::prelude::*;

use super::Report;
use super::sources::Sources;
use super::target::Targets;
use crate::contract::Contract;
use crate::diagnostic::{Cause, Diagnostic, Place, Severity};
use crate::parse::Format;
use sitegate_base::plural::count;

/// Documents that each thread reads before what it found is put in order.
const TOGETHER: usize = 32;

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
/// A finding is named by its place in [`Report::diagnostics`], a cause by its place in this order.
#[derive(Debug, Default)]
pub struct Causes {
    entries: Vec<CommonCause>,
    /// For each finding, its cause.
    of: Vec<u32>,
    /// The findings of each cause, in the order of the report, one cause after the other.
    members: Vec<u32>,
}

/// What several findings have in common.
#[derive(Debug)]
pub struct CommonCause {
    /// What they are about, such as the path that they all lead to; `None` where only their message says it.
    pub thing: Option<Box<str>>,
    /// The documents that they are in.
    pub documents: usize,
    /// Whether each of those is a page.
    pub on_pages: bool,
    members: Range<usize>,
}

impl CommonCause {
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
    entry: CommonCause,
    first: u32,
    severity: Severity,
    findings: usize,
    last: Place,
}

impl Causes {
    /// Finds what causes the findings of a report. Those of a page by itself come in the order of pages.
    pub fn of(report: &Report, contract: &Contract, grouping: Grouping) -> Causes {
        let documents: Vec<&[Diagnostic]> =
            report.diagnostics.chunk_by(|a, b| a.location.place == b.location.place).collect();
        let start = || (Sources::one_by_one(report, contract), Targets::new(report));
        let hashers = [RandomState::new(), RandomState::new()];
        let mut counting = Vec::new();
        // By page, a cause is known only as long as its document goes on.
        let mut known: HashMap<Key, u32> = HashMap::new();
        let mut here = None;
        let mut of = Vec::with_capacity(report.diagnostics.len());
        for documents in documents.chunks(rayon::current_num_threads() * TOGETHER) {
            let keys: Vec<Vec<_>> = documents
                .par_iter()
                .map_init(start, |(sources, targets), findings| {
                    let key = |finding| key(finding, targets.of(finding, sources), &hashers);
                    findings.iter().map(key).collect()
                })
                .collect();
            for (finding, (key, thing)) in documents.iter().copied().flatten().zip(keys.into_iter().flatten())
            {
                if grouping == Grouping::Page
                    && here.replace(&finding.location.place) != Some(&finding.location.place)
                {
                    known.clear();
                }
                let cause = *known.entry(key).or_insert_with(|| {
                    counting.push(Counting::new(finding, of.len(), thing));
                    counting.len() as u32 - 1
                });
                counting[cause as usize].add(finding, report);
                of.push(cause);
            }
        }
        drop(known);
        Causes::in_order(counting, of, grouping)
    }

    fn in_order(mut counting: Vec<Counting>, mut of: Vec<u32>, grouping: Grouping) -> Causes {
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
            let Counting { entry, findings, .. } = &mut counting[at as usize];
            let start = end;
            end += *findings;
            CommonCause { thing: entry.thing.take(), members: start..end, ..*entry }
        });
        let entries: Vec<CommonCause> = numbered.collect();
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
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (usize, &CommonCause)> {
        self.entries.iter().enumerate()
    }

    /// One of them.
    pub fn get(&self, cause: usize) -> &CommonCause {
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
    pub fn first<'r>(&self, cause: usize, report: &'r Report) -> &'r Diagnostic {
        &report.diagnostics[self.findings(cause)[0] as usize]
    }

    /// A few of its findings, in different documents where it is met in several.
    pub fn examples(&self, cause: usize, report: &Report) -> Vec<u32> {
        let findings = self.findings(cause);
        let place = |finding: u32| &report.diagnostics[finding as usize].location.place;
        let mut examples: Vec<u32> = Vec::with_capacity(EXAMPLES);
        if self.entries[cause].documents >= EXAMPLES {
            for &finding in findings {
                if examples.last().is_none_or(|last| place(*last) != place(finding)) {
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
    pub fn more(&self, cause: usize, report: &Report) -> Option<String> {
        let [first, second, ..] = self.findings(cause) else { return None };
        let place = |finding: &u32| &report.diagnostics[*finding as usize].location.place;
        let (common, again) = (&self.entries[cause], place(first) == place(second));
        let documents = common.documents - usize::from(!again);
        let (on, word) = if common.on_pages { ("on", "page") } else { ("in", "file") };
        let extent = match common.documents {
            1 => format!("{on} this {word}"),
            _ => format!("{on} {}", count(documents, word)),
        };
        Some(format!("{} {extent}", count(common.findings() - 1, "more place")))
    }

    /// What a cause is known by beside its rule: the thing that its findings are about, or their message.
    pub fn name<'c>(&'c self, cause: usize, report: &'c Report) -> &'c str {
        let first = self.first(cause, report);
        match (&self.entries[cause].thing, &first.cause) {
            (Some(thing), _) => thing,
            (None, Cause::Kind(kind)) => kind,
            (None, _) => &first.message,
        }
    }
}

impl Counting {
    fn new(first: &Diagnostic, at: usize, thing: Option<Cow<'_, str>>) -> Counting {
        let entry = CommonCause { thing: thing.map(Into::into), documents: 0, on_pages: true, members: 0..0 };
        let (severity, last) = (first.severity, Place::Contract);
        Counting { entry, first: at as u32, severity, findings: 0, last }
    }

    fn add(&mut self, finding: &Diagnostic, report: &Report) {
        let place = &finding.location.place;
        if self.findings == 0 || self.last != *place {
            self.entry.documents += 1;
            self.last = place.clone();
            let path = match place {
                Place::File(file) => report.tree.path(*file),
                Place::Path(path) => path.as_bytes(),
                Place::Contract | Place::Base(_) => b"",
            };
            self.entry.on_pages &= Format::of(path) == Format::Html;
        }
        self.findings += 1;
    }
}

/// What tells the cause of a finding, and the thing that it is about.
fn key<'r>(
    finding: &Diagnostic,
    thing: Option<Cow<'r, str>>,
    hashers: &[RandomState; 2],
) -> (Key, Option<Cow<'r, str>>) {
    let (kind, name): (&str, &str) = match (&thing, &finding.cause) {
        (Some(thing), _) => ("thing", thing),
        (None, Cause::Kind(kind)) => ("kind", kind),
        (None, _) => ("message", &finding.message),
    };
    let parts = (finding.rule.id, finding.severity.as_str(), kind, name);
    (hashers.each_ref().map(|hasher| hasher.hash_one(parts)), thing)
}
