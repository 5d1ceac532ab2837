//! Ranks what was found in the sources: which of the places is the one that a finding was written at, if that can be told at all.
//!
//! A place is certain where it is the only one that the finding can come from:
//! - the generator says so, and the text stands there as often as on the page;
//! - the page is a copy of a source;
//! - the text stands in the page's own source as often as on the page, and in no source that pages share;
//! - the text stands in one place of all sources that the page can be made from; where that is the source of another page, that page shows it
//!   as often as its source has it, so that it cannot come from what all pages are made with.

use std::collections::{HashMap, HashSet};

use super::documents::{DocumentFindings, ElementMark, FindingNeedle};
use super::needles::{Needle, NeedleKey};
use super::page_sources::PageSources;
use super::search::{Hit, SourceLocation};

/// Places that are told where nobody knows which of several it is.
const CANDIDATES: usize = 3;

/// Where a finding was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceMatch {
    /// One place, or several of which it may be any: the likeliest first, three at most.
    pub locations: Box<[SourceLocation]>,
    /// Whether it is the first place, beyond doubt.
    pub is_certain: bool,
}

/// What was found, by what was looked for.
pub(super) struct Hits {
    all: Vec<Hit>,
    /// Where the hits of each key begin.
    starts: Vec<usize>,
    /// Of each key, those that say most.
    summaries: Vec<HitSummary>,
    /// Whether nothing was left out.
    is_whole: bool,
    /// For each source and key, how often the page shows it that the source alone becomes.
    shown: HashMap<(u32, NeedleKey), usize>,
}

/// The hits of one key, without doubtful ones where there are others.
#[derive(Default)]
struct HitSummary {
    /// The first in sources that are no pages of their own: templates, menus, settings.
    shared: Vec<SourceLocation>,
    /// The first in sources of pages, and how many there are.
    of_pages: Vec<SourceLocation>,
    on_pages: usize,
    /// The first in texts whose page is not known.
    loose: Vec<SourceLocation>,
    is_doubtful: bool,
}

/// Places that a summary keeps of each kind: one more than are told.
const KEPT: usize = CANDIDATES + 1;

impl Hits {
    /// Sums up hits, which are sorted by key and place.
    pub fn new(all: Vec<Hit>, keys: usize, page_sources: &PageSources, is_whole: bool) -> Hits {
        let starts: Vec<usize> =
            (0..=keys).map(|key| all.partition_point(|hit| (hit.key as usize) < key)).collect();
        let summary = |range: &[usize]| {
            let hits = &all[range[0]..range[1]];
            let is_doubtful = hits.iter().all(|hit| hit.is_doubtful);
            let mut summary = HitSummary { is_doubtful, ..HitSummary::default() };
            for hit in hits.iter().filter(|hit| hit.is_doubtful == is_doubtful) {
                let list = match hit.place.source {
                    source if page_sources.is_page(source) => {
                        summary.on_pages += 1;
                        &mut summary.of_pages
                    }
                    source if page_sources.is_loose(source) => &mut summary.loose,
                    _ => &mut summary.shared,
                };
                if list.len() < KEPT {
                    list.push(hit.place);
                }
            }
            summary
        };
        let summaries = starts.windows(2).map(summary).collect();
        Hits { all, starts, summaries, is_whole, shown: HashMap::new() }
    }

    /// Takes in what the pages show that have one source each.
    pub fn count_shown(&mut self, documents: &[DocumentFindings]) {
        for document in documents {
            let [own] = document.own.as_slice() else { continue };
            let mut seen = HashSet::new();
            for finding in document.findings.iter().filter(|finding| !finding.is_hint) {
                for key in finding.keys.into_iter().flatten().filter(|key| seen.insert((finding.start, *key)))
                {
                    *self.shown.entry((*own, key)).or_default() += 1;
                }
            }
        }
    }

    /// Whether what stands at a place of another page's source is on that page as often as it stands there, so that it is on no page for
    /// other reasons.
    fn is_explained(&self, place: SourceLocation, keys: [Option<NeedleKey>; 2]) -> bool {
        keys.into_iter().flatten().any(|key| {
            let uses: u32 = self
                .within(key, place.source)
                .iter()
                .filter(|hit| !hit.is_doubtful)
                .map(|hit| hit.uses.unwrap_or(1))
                .sum();
            self.shown.get(&(place.source, key)) == Some(&(uses as usize))
        })
    }

    /// The hits of a key in one source.
    fn within(&self, key: NeedleKey, source: u32) -> &[Hit] {
        let hits = &self.all[self.starts[key as usize]..self.starts[key as usize + 1]];
        let from = hits.partition_point(|hit| hit.place.source < source);
        let to = hits.partition_point(|hit| hit.place.source <= source);
        &hits[from..to]
    }

    /// The hits of any of these keys in a source, each place once.
    fn of_any(&self, keys: [Option<NeedleKey>; 2], source: u32) -> Vec<Hit> {
        let mut hits: Vec<Hit> =
            keys.into_iter().flatten().flat_map(|key| self.within(key, source)).copied().collect();
        hits.sort_unstable_by_key(|hit| (hit.place, hit.is_doubtful));
        hits.dedup_by_key(|hit| hit.place);
        hits
    }
}

/// What findings share that are about the same: what is looked for, and the element's mark where they are told apart by that.
type SameText<'d> = ([Option<NeedleKey>; 2], Option<&'d ElementMark>);

/// What a page says of a finding's text: which one it is of how many that are written in the same way, and of how many that mean the
/// same.
struct OnPage<'d> {
    /// The page's own sources.
    own: &'d [u32],
    same: (usize, usize),
    meant: (usize, usize),
}

/// Where on a page something is.
#[derive(Default)]
struct Starts {
    of_hints: Vec<u32>,
    of_others: Vec<u32>,
}

impl Starts {
    /// Which one a finding is, of how many. What is hinted at is what stands elsewhere on the page, where it does.
    fn of(&self, finding: &FindingNeedle) -> (usize, usize) {
        match (finding.is_hint, self.of_others.as_slice()) {
            (true, []) => {
                (self.of_hints.partition_point(|start| *start < finding.start), self.of_hints.len())
            }
            (true, [_]) => (0, 1),
            (true, _) => (0, usize::MAX), // of which of them, nobody knows
            (false, starts) => (starts.partition_point(|start| *start < finding.start), starts.len()),
        }
    }
}

/// Ranks the findings of a document.
pub(super) fn rank(document: &DocumentFindings, hits: &Hits) -> Vec<Option<SourceMatch>> {
    // Findings about the same, in the order of places: two rules may speak of one.
    let mut same: HashMap<SameText<'_>, Starts> = HashMap::new();
    for finding in document.findings.iter().filter(|finding| finding.needle.is_some()) {
        let [_, meant] = finding.keys;
        let marked = finding.mark.as_ref().map(|mark| (finding.keys, Some(mark)));
        let meant = meant.map(|meant| ([None, Some(meant)], None));
        for text in [Some((finding.keys, None)), meant, marked].into_iter().flatten() {
            let starts = same.entry(text).or_default();
            let starts = if finding.is_hint { &mut starts.of_hints } else { &mut starts.of_others };
            if starts.last() != Some(&finding.start) {
                starts.push(finding.start);
            }
        }
    }
    let rank = |finding: &FindingNeedle| {
        if let Some(copied) = finding.copied {
            return certain(copied);
        }
        let Some(needle) = &finding.needle else {
            // What a page lacks is added to its source, or to what makes pages of sources.
            let [own] = document.own.as_slice() else { return None };
            return uncertain([SourceLocation { source: *own, line: 1, column: 1, length: 0 }]);
        };
        let on_page = |text: SameText<'_>| same.get(&text).map_or((0, 0), |starts| starts.of(finding));
        let [_, meant] = finding.keys;
        let marked = finding.mark.as_ref().and_then(|mark| {
            let on_page = on_page((finding.keys, Some(mark)));
            by_mark(finding, mark, on_page, hits)
        });
        let of_page = OnPage {
            own: &document.own,
            same: on_page((finding.keys, None)),
            meant: on_page(([None, meant], None)),
        };
        let by_text = || by_text(finding, needle, &of_page, hits);
        // Lines of a text without a name may be counted from behind its front matter: they make nothing certain.
        let is_told = finding.mark.as_ref().is_some_and(|mark| mark.names_file);
        let found = match marked {
            Some(marked) if !is_told => {
                by_text().filter(|found| found.is_certain).or_else(|| uncertain(marked.locations))
            }
            Some(marked) => Some(marked),
            None => by_text(),
        };
        found.or_else(|| by_position(finding))
    };
    document.findings.iter().map(rank).collect()
}

fn certain(place: SourceLocation) -> Option<SourceMatch> {
    Some(SourceMatch { locations: Box::new([place]), is_certain: true })
}

fn uncertain(places: impl IntoIterator<Item = SourceLocation>) -> Option<SourceMatch> {
    let places: Box<[SourceLocation]> = places.into_iter().take(CANDIDATES).collect();
    (!places.is_empty()).then_some(SourceMatch { locations: places, is_certain: false })
}

/// The place that stands where the generator says the element does.
fn by_mark(
    finding: &FindingNeedle,
    mark: &ElementMark,
    (ordinal, on_page): (usize, usize),
    hits: &Hits,
) -> Option<SourceMatch> {
    let found = hits.of_any(finding.keys, mark.source?);
    let within: Vec<SourceLocation> =
        found.iter().map(|hit| hit.place).filter(|place| mark.lines.contains(&place.line)).collect();
    match within.len() {
        0 => None,
        count if count == on_page => certain(within[ordinal]),
        _ => uncertain(within),
    }
}

/// The place that the generator names, where the text stands nowhere: it is put together there.
fn by_position(finding: &FindingNeedle) -> Option<SourceMatch> {
    let mark = finding.mark.as_ref().filter(|mark| mark.is_of_tag && mark.names_file)?;
    let column = mark.column.filter(|column| *column > 0)?;
    certain(SourceLocation { source: mark.source?, line: mark.lines.start, column, length: 0 })
}

/// The places in sources that a finding may come from.
struct Candidates {
    /// In the page's own sources: those that mean the same, and those of them that are written in the same way.
    own: Vec<SourceLocation>,
    own_as_written: Vec<SourceLocation>,
    /// How often the page shows what stands in its own source, where that is one place.
    uses: usize,
    /// Whether what stands in the page's own source stands in the order in which the page shows it, as far as there is any.
    is_in_order: bool,
    /// Whether what stands in the page's own sources is doubtful, and what stands elsewhere is not.
    is_own_doubtful: bool,
    is_relative: bool,
    /// The first in sources that pages share.
    shared: Vec<SourceLocation>,
    /// The first in the sources of other pages, and whether there may be more.
    others: Vec<SourceLocation>,
    has_more: bool,
    is_doubtful: bool,
}

impl Candidates {
    fn of(keys: [Option<NeedleKey>; 2], needle: &Needle, own: &[u32], hits: &Hits) -> Candidates {
        let summaries = |keys: [Option<NeedleKey>; 2]| {
            keys.into_iter().flatten().map(|key| &hits.summaries[key as usize])
        };
        let is_doubtful = summaries(keys).all(|summary| summary.is_doubtful);
        let sound = move |summary: &&HitSummary| summary.is_doubtful == is_doubtful;
        let all_own: Vec<Hit> = own.iter().flat_map(|source| hits.of_any(keys, *source)).collect();
        let has_sound = all_own.iter().any(|hit| hit.is_doubtful == is_doubtful);
        let own_hits: Vec<Hit> =
            all_own.iter().filter(|hit| !has_sound || hit.is_doubtful == is_doubtful).copied().collect();
        let [as_written, meant] = keys;
        let is_as_written = |hit: &&Hit| {
            let within = as_written.map_or(&[][..], |key| hits.within(key, hit.place.source));
            within.iter().any(|written| written.place == hit.place)
        };
        let of_other = |place: &SourceLocation| !own.contains(&place.source);
        // A text whose page is not known may be this page's, where that has no other.
        let of_any = |summary: &HitSummary| match own {
            [] => [summary.shared.clone(), summary.loose.clone()].concat(),
            _ => summary.shared.clone(),
        };
        let mut shared: Vec<SourceLocation> =
            summaries(keys).filter(sound).flat_map(of_any).filter(of_other).collect();
        shared.sort_unstable();
        shared.dedup();
        // A relative reference means something else on every page, and may be any page's on one that many are put together on.
        let is_relative = match needle {
            Needle::Reference { raw, .. } => !(raw.starts_with('/') || raw.contains("://")),
            Needle::Link { .. } => true,
            Needle::Text { .. } => false,
        };
        let elsewhere = [as_written.filter(|_| !is_relative || own.is_empty()), meant];
        let of_pages = summaries(elsewhere).filter(sound).flat_map(|summary| match own {
            [] => summary.of_pages.clone(),
            _ => [summary.of_pages.clone(), summary.loose.clone()].concat(),
        });
        // A text whose page is not known may be taken in by this page.
        let taken_in = summaries([as_written.filter(|_| is_relative && !own.is_empty()), None])
            .filter(sound)
            .flat_map(|summary| summary.loose.clone());
        let mut others: Vec<SourceLocation> = of_pages.chain(taken_in).filter(of_other).collect();
        others.sort_unstable();
        others.dedup();
        let places = |hits: &mut dyn Iterator<Item = &Hit>| hits.map(|hit| hit.place).collect::<Vec<_>>();
        let own_places = places(&mut own_hits.iter());
        let most = summaries(elsewhere).filter(sound).map(|summary| summary.on_pages).max();
        let has_more = most.is_some_and(|most| most > own_places.len() + others.len());
        Candidates {
            own: own_places,
            own_as_written: places(&mut own_hits.iter().filter(is_as_written)),
            uses: own_hits.first().map_or(0, |hit| hit.uses.unwrap_or(1) as usize),
            is_in_order: own_hits.len() < 2 || own_hits.iter().all(|hit| hit.uses.is_none()),
            is_relative,
            is_own_doubtful: !own_hits.is_empty() && !has_sound,
            shared,
            others,
            has_more,
            is_doubtful,
        }
    }

    /// The one that it must be.
    fn only(
        &self,
        needle: &Needle,
        page: &OnPage<'_>,
        is_explained: &dyn Fn(SourceLocation) -> bool,
    ) -> Option<SourceLocation> {
        // It may well come from there, or be put together on a page that many others are put together on.
        if self.is_own_doubtful || self.is_relative && page.own.is_empty() {
            return None;
        }
        let has_others = !self.others.is_empty() || self.has_more;
        let ((ordinal, count), (_, meant)) = (page.same, page.meant);
        let in_one = |places: &[SourceLocation]| places.iter().all(|place| place.source == places[0].source);
        match (self.own.len(), self.shared.as_slice()) {
            // What only means the same may be what is written in another way.
            (own, []) if own > self.own_as_written.len() && meant > count => match own {
                _ if own == meant
                    && self.own_as_written.len() == count
                    && self.is_in_order
                    && in_one(&self.own) =>
                {
                    Some(self.own_as_written[ordinal])
                }
                _ => None,
            },
            (1, []) if self.uses == count => Some(self.own[0]),
            (own, []) if own > 0 && self.is_in_order && in_one(&self.own) => {
                match self.own_as_written.len() {
                    _ if own == count => Some(self.own[ordinal]),
                    written if written == count && own == meant => Some(self.own_as_written[ordinal]),
                    _ => None,
                }
            }
            // A word may stand anywhere by chance.
            _ if matches!(needle, Needle::Text { text, .. } if text.len() < LONG) => None,
            (0, [only]) if !has_others || !page.own.is_empty() && count == 1 => Some(*only),
            (0, []) if page.own.is_empty() && self.others.len() == 1 && !self.has_more => {
                Some(self.others[0]).filter(|other| is_explained(*other))
            }
            _ => None,
        }
    }
}

/// Bytes of a text from which on it stands nowhere by chance.
const LONG: usize = 8;

/// The place that is the only one which a finding can come from, or several of which it may be any.
fn by_text(finding: &FindingNeedle, needle: &Needle, page: &OnPage<'_>, hits: &Hits) -> Option<SourceMatch> {
    let places = Candidates::of(finding.keys, needle, page.own, hits);
    let only = || places.only(needle, page, &|place| hits.is_explained(place, finding.keys));
    if let Some(only) = (!places.is_doubtful && hits.is_whole).then(only).flatten() {
        return certain(only);
    }
    let strangers = places.shared.len() + places.others.len();
    if matches!(needle, Needle::Text { .. })
        && places.own.is_empty()
        && (strangers > CANDIDATES || places.has_more)
    {
        return None;
    }
    uncertain(places.own.into_iter().chain(places.shared).chain(places.others))
}
