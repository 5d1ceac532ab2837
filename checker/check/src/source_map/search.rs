//! Searches the sources for the needles, in parallel, and summarizes their occurrences by needle and by the kind of source.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::context::{HitTag, OccurrenceRole, SourceContext};
use super::documents::DocumentFindings;
use super::front_matter::stated_address;
use super::needles::{NeedleKey, Needles, Occurrence, Roots};
use super::page_sources::{PageSources, StatedPages, folder_of};
use super::source_files::{SourceFiles, SourceLocation};
use crate::report::excerpt::TextPosition;
use crate::walk::Tree;

/// Maximum number of hits of one needle in one source.
const MAX_PER_NEEDLE: usize = 64;

/// Maximum number of hits.
const MAX_HITS: usize = 2_000_000;

/// A location where a needle occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit {
    pub key: NeedleKey,
    pub location: SourceLocation,
    pub role: OccurrenceRole,
    /// How often pages show it in other locations than its own; `None` if it is shown once, at its own location.
    pub uses: Option<u32>,
    /// The tag that it is in.
    pub tag: Option<HitTag>,
}

/// The hits of a search of the sources.
pub(super) struct SearchedSources {
    pub hits: Vec<Hit>,
    /// Whether no hits were dropped.
    pub is_complete: bool,
    /// The pages that front matter names.
    pub stated: Vec<StatedPages>,
}

/// Searches the sources, and reads their front matter.
pub(super) fn search(
    files: &SourceFiles,
    page_sources: &PageSources,
    needles: &Needles,
    values: &[bool],
    base_path: &str,
    tree: &Tree,
) -> SearchedSources {
    let read = |source: u32| {
        let path = &files.paths[source as usize];
        let text = files.read(source).unwrap_or_default();
        let stated =
            stated_address(path, &text).map(|address| page_sources.stated(source, path, &address, tree));
        let folder = match (page_sources.folder(source), &stated) {
            (None, Some(stated)) => stated.pages.first().map(|page| folder_of(*page, tree)),
            (folder, _) => folder.map(str::to_owned),
        };
        let mut found = Vec::new();
        let roots = Roots {
            folder: folder.as_deref(),
            base_path,
            languages: &page_sources.languages,
            is_path: false,
        };
        needles.find(&text, roots, &mut found);
        (to_hits(source, path, &text, found, values), stated)
    };
    let (hits, stated): (Vec<Vec<Hit>>, Vec<Option<StatedPages>>) =
        (0..files.paths.len() as u32).into_par_iter().map(read).unzip();
    let mut hits = hits.concat();
    hits.par_sort_unstable();
    hits.dedup();
    let is_complete = hits.len() <= MAX_HITS;
    hits.truncate(MAX_HITS);
    SearchedSources { hits, is_complete, stated: stated.into_iter().flatten().collect() }
}

/// Converts occurrences in a source to hits with lines and columns.
fn to_hits(source: u32, path: &str, text: &[u8], mut found: Vec<Occurrence>, values: &[bool]) -> Vec<Hit> {
    if found.is_empty() {
        return Vec::new();
    }
    found.sort_unstable_by_key(|found| (found.key, found.start));
    let mut per_needle = (NeedleKey::MAX, 0);
    found.retain(|found| {
        per_needle = if per_needle.0 == found.key { (found.key, per_needle.1 + 1) } else { (found.key, 1) };
        per_needle.1 <= MAX_PER_NEEDLE
    });
    found.sort_unstable_by_key(|found| found.start);
    let context = SourceContext::new(path, text);
    let mut counted = TextPosition::default();
    let to_hit = |occurrence: &Occurrence| {
        counted = counted.advance_to(occurrence.start, text);
        let position = counted.position();
        let length = String::from_utf8_lossy(&text[occurrence.start..occurrence.end]).chars().count();
        let location =
            SourceLocation { source, line: position.line, column: position.column, length: length as u32 };
        let role = context.role(occurrence, values[occurrence.key as usize]);
        Hit {
            key: occurrence.key,
            location,
            role,
            uses: context.uses(occurrence),
            tag: context.tag(occurrence),
        }
    };
    found.iter().map(to_hit).collect()
}

/// Maximum number of candidates that are reported for a finding.
pub(super) const MAX_CANDIDATES: usize = 3;

/// Occurrences of all needles.
pub(super) struct Hits {
    all: Vec<Hit>,
    /// The index of the first hit of each needle.
    starts: Vec<usize>,
    summaries: Vec<HitSummary>,
    /// Whether every source was read and every occurrence recorded.
    pub is_complete: bool,
    /// For each source and needle: how often pages with only this source show it.
    shown: HashMap<(u32, NeedleKey), usize>,
}

/// The hits of one needle, without those of a lower role than others.
pub(super) struct HitSummary {
    /// The first in sources that are no pages of their own: templates, menus, settings.
    pub shared: Vec<SourceLocation>,
    /// The first in sources of pages.
    pub on_pages: Vec<SourceLocation>,
    /// Number of all in sources of pages.
    pub page_hits: usize,
    /// The first in texts whose page is unknown.
    pub unassigned: Vec<SourceLocation>,
    /// Their role.
    pub role: OccurrenceRole,
}

impl Hits {
    /// Summarizes hits, which are sorted by key and location.
    pub fn new(all: Vec<Hit>, keys: usize, page_sources: &PageSources, is_complete: bool) -> Hits {
        /// Maximum number of locations that a summary has of each kind: one more than are reported.
        const MAX_LOCATIONS: usize = MAX_CANDIDATES + 1;
        let starts: Vec<usize> =
            (0..=keys).map(|key| all.partition_point(|hit| (hit.key as usize) < key)).collect();
        let summary = |range: &[usize]| {
            let hits = &all[range[0]..range[1]];
            let role = hits.iter().map(|hit| hit.role).max().unwrap_or(OccurrenceRole::Mention);
            let mut summary = HitSummary {
                shared: Vec::new(),
                on_pages: Vec::new(),
                page_hits: 0,
                unassigned: Vec::new(),
                role,
            };
            for hit in hits.iter().filter(|hit| hit.role == role) {
                let list = if page_sources.is_page(hit.location.source) {
                    summary.page_hits += 1;
                    &mut summary.on_pages
                } else if page_sources.is_unassigned(hit.location.source) {
                    &mut summary.unassigned
                } else {
                    &mut summary.shared
                };
                if list.len() < MAX_LOCATIONS {
                    list.push(hit.location);
                }
            }
            summary
        };
        let summaries = starts.windows(2).map(summary).collect();
        Hits { all, starts, summaries, is_complete, shown: HashMap::new() }
    }

    /// Counts the texts on pages that have exactly one source.
    pub fn count_shown(&mut self, documents: &[DocumentFindings]) {
        for document in documents {
            let [own] = document.own.as_slice() else { continue };
            let mut counted = HashSet::new();
            for finding in document.findings.iter().filter(|finding| !finding.is_hint) {
                for key in finding.keys.into_iter().flatten() {
                    if counted.insert((finding.start, key)) {
                        *self.shown.entry((*own, key)).or_default() += 1;
                    }
                }
            }
        }
    }

    /// Whether the source's own page shows the text as often as the source contains it, so that no other page needs it
    /// as explanation.
    pub fn is_explained(&self, location: SourceLocation, keys: [Option<NeedleKey>; 2]) -> bool {
        keys.into_iter().flatten().any(|key| {
            let role = self.summaries[key as usize].role;
            let hits = self.within(key, location.source).iter().filter(|hit| hit.role == role);
            let uses: u32 = hits.map(|hit| hit.uses.unwrap_or(1)).sum();
            self.shown.get(&(location.source, key)) == Some(&(uses as usize))
        })
    }

    pub fn summaries(&self, keys: [Option<NeedleKey>; 2]) -> impl Iterator<Item = &HitSummary> + Clone {
        keys.into_iter().flatten().map(|key| &self.summaries[key as usize])
    }

    /// Returns the hits of a needle in all sources.
    pub fn everywhere(&self, key: NeedleKey) -> &[Hit] {
        &self.all[self.starts[key as usize]..self.starts[key as usize + 1]]
    }

    /// Returns the hits of a needle in one source.
    pub fn within(&self, key: NeedleKey, source: u32) -> &[Hit] {
        let hits = self.everywhere(key);
        let from = hits.partition_point(|hit| hit.location.source < source);
        let to = hits.partition_point(|hit| hit.location.source <= source);
        &hits[from..to]
    }

    /// Returns the hits of some needles in a source, each location once.
    pub fn of_any(&self, keys: [Option<NeedleKey>; 2], source: u32) -> Vec<Hit> {
        let mut hits: Vec<Hit> =
            keys.into_iter().flatten().flat_map(|key| self.within(key, source)).copied().collect();
        hits.sort_unstable_by_key(|hit| (hit.location, std::cmp::Reverse(hit.role)));
        hits.dedup_by_key(|hit| hit.location);
        hits
    }
}
