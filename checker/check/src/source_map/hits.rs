//! Occurrences of the needles in the sources, by needle and by the kind of source.

use std::collections::{HashMap, HashSet};

use super::context::OccurrenceRole;
use super::documents::DocumentFindings;
use super::needles::NeedleKey;
use super::page_sources::PageSources;
use super::search::Hit;
use super::source_files::SourceLocation;

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
