//! Groups the changes of all pages by cause: one group for each changed block, on however many pages.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::changes::{BlockChange, ChangePlace, attribute_kind};
use crate::pages::PagePair;
use crate::texts::{TextId, TextTable};
use crate::words::{PartKind, has_own_change, is_date, word_diff};

/// Minimum number of pages, and of different changes, at a place that is summed up.
const MIN_REPEATED: usize = 10;

/// Minimum number of pages on which the date of a `time` element is noise.
const MIN_NOISE: usize = 3;

/// Minimum number of changes of one page only from which the page was rewritten.
const REWRITTEN: usize = 8;

/// The name of the attribute with the date of a `time` element.
const TIME_ATTRIBUTE: &str = "time[datetime]";

/// Number of examples of changes that are summed up.
const EXAMPLES: usize = 2;

/// Changes with the same cause.
#[derive(Debug)]
pub(crate) struct TextCause {
    pub kind: TextCauseKind,
    pub place: ChangePlace,
    /// Other names of metadata with the same values, and of attributes next to the first.
    pub copies: Vec<ChangePlace>,
    /// The old and new texts; of changes that are summed up, the first ones.
    pub texts: Vec<(Option<TextId>, Option<TextId>)>,
    /// Number of different changes.
    pub changes: usize,
    /// The pages, sorted and each once.
    pub pages: Vec<u32>,
    /// Page and gap of the first change, and its index, for the order.
    first: (u32, u32, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum TextCauseKind {
    /// One block, or several next to each other, that are the same on all pages.
    PageBlock,
    /// Blocks at one place that differ from page to page.
    Place,
    /// Most blocks of one page.
    Rewritten,
    /// It also differs between two builds of one commit.
    Noise,
    /// Only dates in `time` elements differ, on most pages.
    Time,
}

impl TextCauseKind {
    /// Whether it is not listed.
    pub fn is_noise(self) -> bool {
        matches!(self, TextCauseKind::Noise | TextCauseKind::Time)
    }
}

/// Returns the indexes of the pages of causes.
pub(crate) fn pages_of<'c>(causes: impl Iterator<Item = &'c TextCause>) -> BTreeSet<u32> {
    causes.flat_map(|cause| cause.pages.iter().copied()).collect()
}

impl TextCause {
    /// Whether all its pages differ only by dates in `time` elements.
    fn is_dated(&self, pairs: &[PagePair<'_>], texts: &TextTable) -> bool {
        let (Some(old), Some(new)) = self.texts[0] else { return false };
        if let ChangePlace::Attribute(_, name) = self.place {
            return texts.get(name) == TIME_ATTRIBUTE && is_date(texts.get(old)) && is_date(texts.get(new));
        }
        let undated = |times: &[(TextId, TextId)], text| {
            times.iter().find(|(own, _)| *own == text).map(|(_, undated)| *undated)
        };
        self.place.is_text()
            && self.pages.iter().all(|page| {
                let pair = &pairs[*page as usize];
                let old = undated(&pair.base.times, old);
                old.is_some() && old == undated(&pair.new.times, new)
            })
    }
}

/// What differs between two builds of one commit.
#[derive(Debug, Default)]
pub(crate) struct Noise {
    /// Texts of the new build at a place, and the text that the second build has; `None` if there is none, or several.
    volatile: HashMap<(ChangePlace, TextId), Option<TextId>>,
    /// Places where the second build has texts that the new one does not have.
    removals: HashSet<ChangePlace>,
}

impl Noise {
    /// Learns from the changes between two builds of one commit.
    pub fn learned(changes: &[BlockChange]) -> Noise {
        let mut noise = Noise::default();
        for change in changes {
            let Some(new) = change.new else {
                noise.removals.insert(change.place);
                continue;
            };
            let again = noise.volatile.entry((change.place, new)).or_insert(change.old);
            if *again != change.old {
                *again = None;
            }
        }
        noise
    }

    /// Whether texts differ by what also differs between two builds of one commit, and by no more.
    fn contains(
        &self,
        place: ChangePlace,
        (old, new): (Option<TextId>, Option<TextId>),
        texts: &TextTable,
    ) -> bool {
        let Some(new) = new else { return self.removals.contains(&place) };
        let Some(again) = self.volatile.get(&(place, new)) else { return false };
        let (Some(old), Some(again)) = (old, *again) else { return true };
        !has_own_change(texts.get(old), texts.get(new), texts.get(again))
    }
}

/// Groups changes, most pages first.
pub(crate) fn text_causes(
    changes: &[BlockChange],
    pairs: &[PagePair<'_>],
    noise: &Noise,
    texts: &TextTable,
) -> Vec<TextCause> {
    let uses = place_uses(changes, pairs);
    let mut causes = blocks(changes);
    let mut dated: HashMap<ChangePlace, BTreeSet<u32>> = HashMap::new();
    for cause in &mut causes {
        if noise.contains(cause.place, cause.texts[0], texts) {
            cause.kind = TextCauseKind::Noise;
        } else if cause.is_dated(pairs, texts) {
            // Undecided until the pages of the place are counted: dates of most pages are those of a build.
            cause.kind = TextCauseKind::Time;
            dated.entry(cause.place).or_default().extend(cause.pages.iter().copied());
        }
    }
    let is_on_most = |place: &ChangePlace| {
        let most = MIN_NOISE.max(uses.get(place).map_or(0, |uses| uses / 2));
        dated.get(place).is_some_and(|pages| pages.len() >= most)
    };
    for cause in causes.iter_mut().filter(|cause| cause.kind == TextCauseKind::Time) {
        if !is_on_most(&cause.place) {
            cause.kind = TextCauseKind::PageBlock;
        }
    }
    let causes = join_copies(join_equal_words(causes, texts));
    let causes = sum_up_places(causes);
    let causes = join_neighbors(causes, texts);
    let mut causes = sum_up_pages(causes, pairs);
    causes.sort_by_key(|cause| (cause.place.part(), std::cmp::Reverse(cause.pages.len()), cause.first));
    causes
}

type PlaceUses = HashMap<ChangePlace, usize, FixedState>;

/// Returns the number of pages that have each of the places with changes.
fn place_uses(changes: &[BlockChange], pairs: &[PagePair<'_>]) -> PlaceUses {
    let mut uses: PlaceUses = changes.iter().map(|change| (change.place, 0)).collect();
    let mut here = HashSet::new();
    for pair in pairs {
        here.clear();
        let head = pair.base.head.iter().chain(&pair.new.head).map(|(name, _)| ChangePlace::Head(*name));
        let blocks =
            pair.base.blocks.iter().chain(&pair.new.blocks).map(|(place, _)| ChangePlace::Text(*place));
        let attributes = pair.base.attributes.iter().chain(&pair.new.attributes);
        let attributes = attributes.map(|(place, name, _)| ChangePlace::Attribute(*place, *name));
        for place in head.chain(blocks).chain(attributes) {
            if let Some(uses) = uses.get_mut(&place)
                && here.insert(place)
            {
                *uses += 1;
            }
        }
    }
    uses
}

/// Groups equal changes.
fn blocks(changes: &[BlockChange]) -> Vec<TextCause> {
    type Key = (Option<ChangePlace>, Option<TextId>, Option<TextId>);
    let mut known: HashMap<Key, usize, FixedState> = HashMap::default();
    let mut causes: Vec<TextCause> = Vec::new();
    for (order, change) in changes.iter().enumerate() {
        // Metadata with different names are different causes, and so are attributes; texts of two places are one.
        let name = match change.place {
            ChangePlace::Text(_) => None,
            ChangePlace::Markup(_) => Some(ChangePlace::Markup(TextId::default())),
            ChangePlace::Structure(_) => Some(ChangePlace::Structure(None)),
            ChangePlace::Attribute(_, name) => Some(ChangePlace::Attribute(TextId::default(), name)),
            head @ ChangePlace::Head(_) => Some(head),
        };
        let key = (name, change.old, change.new);
        let index = *known.entry(key).or_insert_with(|| {
            causes.push(TextCause {
                kind: TextCauseKind::PageBlock,
                place: change.place,
                copies: Vec::new(),
                texts: vec![(change.old, change.new)],
                changes: 1,
                pages: Vec::new(),
                first: (change.page, change.gap, order),
            });
            causes.len() - 1
        });
        let pages = &mut causes[index].pages;
        if pages.last() != Some(&change.page) {
            pages.push(change.page);
        }
    }
    causes
}

/// Joins changes of metadata in which the same words changed: structured data and titles contain the texts of other pages.
fn join_equal_words(causes: Vec<TextCause>, texts: &TextTable) -> Vec<TextCause> {
    let mut known: HashMap<(ChangePlace, Vec<String>), usize> = HashMap::new();
    let mut joined: Vec<TextCause> = Vec::new();
    for cause in causes {
        let key = match cause.texts[0] {
            (Some(old), Some(new)) if cause.place.is_head() && cause.kind == TextCauseKind::PageBlock => {
                let parts = word_diff(Some(texts.get(old)), Some(texts.get(new)));
                let changed: Vec<String> = parts
                    .into_iter()
                    .filter(|part| part.kind != PartKind::Same)
                    .map(|part| format!("{:?} {}", part.kind, part.text))
                    .collect();
                // Changes after the compared words are not known to be equal.
                if changed.is_empty() {
                    joined.push(cause);
                    continue;
                }
                (cause.place, changed)
            }
            _ => {
                joined.push(cause);
                continue;
            }
        };
        if let Some(index) = known.get(&key) {
            let first: &mut TextCause = &mut joined[*index];
            first.pages.extend(cause.pages);
        } else {
            known.insert(key, joined.len());
            joined.push(cause);
        }
    }
    for cause in &mut joined {
        cause.pages.sort_unstable();
        cause.pages.dedup();
    }
    joined
}

/// Joins changes of metadata with the same values on the same pages: descriptions are also in social cards.
fn join_copies(causes: Vec<TextCause>) -> Vec<TextCause> {
    let mut known = HashMap::new();
    let mut joined: Vec<TextCause> = Vec::new();
    for cause in causes {
        if cause.place.is_head() && cause.kind == TextCauseKind::PageBlock {
            let next = joined.len();
            let index = *known.entry((cause.pages.clone(), cause.texts[0])).or_insert(next);
            if index < next {
                joined[index].copies.push(cause.place);
                continue;
            }
        }
        joined.push(cause);
    }
    joined
}

/// Sums up the changes at a place that differ from page to page, on many pages.
fn sum_up_places(causes: Vec<TextCause>) -> Vec<TextCause> {
    // Only changes of the same kind at the same place belong together.
    let key = |cause: &TextCause| {
        let (old, new) = cause.texts[0];
        (cause.kind, cause.place, old.is_some(), new.is_some())
    };
    let mut groups: BTreeMap<_, Vec<TextCause>> = BTreeMap::new();
    let mut result = Vec::new();
    for cause in causes {
        groups.entry(key(&cause)).or_default().push(cause);
    }
    for ((kind, ..), group) in groups {
        let single = |cause: &&TextCause| cause.pages.len() < MIN_REPEATED;
        let pages: BTreeSet<_> = group.iter().filter(single).flat_map(|cause| &cause.pages).collect();
        if !kind.is_noise() && pages.len() < MIN_REPEATED {
            result.extend(group);
            continue;
        }
        // Texts that many pages share stay causes of their own.
        let (differing, shared): (Vec<_>, Vec<_>) =
            group.into_iter().partition(|cause| kind.is_noise() || cause.pages.len() < MIN_REPEATED);
        result.extend(shared);
        if differing.len() < 2 {
            result.extend(differing);
            continue;
        }
        let kind = if kind.is_noise() { kind } else { TextCauseKind::Place };
        result.extend(summed_up(differing, kind));
    }
    result.sort_by_key(|cause| cause.first);
    result
}

/// Joins causes into one.
fn summed_up(causes: Vec<TextCause>, kind: TextCauseKind) -> Option<TextCause> {
    // A cause may have several blocks next to each other.
    let changes = causes.iter().map(|cause| cause.texts.len().max(cause.changes)).sum();
    let mut rest = causes.into_iter();
    let mut first = TextCause { kind, changes, ..rest.next()? };
    for cause in rest {
        first.pages.extend(cause.pages);
        if first.texts.len() < EXAMPLES {
            first.texts.extend(cause.texts);
        }
        first.first = first.first.min(cause.first);
    }
    first.pages.sort_unstable();
    first.pages.dedup();
    Some(first)
}

/// Joins blocks next to each other that were added, or removed, on the same pages; and attributes of the same kind.
fn join_neighbors(causes: Vec<TextCause>, texts: &TextTable) -> Vec<TextCause> {
    let mut joined: Vec<TextCause> = Vec::new();
    for cause in causes {
        let side = |one: &TextCause| match one.texts[0] {
            (None, Some(_)) => 1,
            (Some(_), None) => 2,
            _ => 0,
        };
        let is_structure = |one: &TextCause| matches!(one.place, ChangePlace::Structure(_));
        // `None` for causes that stay alone.
        let group = |one: &TextCause| match one.place {
            _ if one.kind != TextCauseKind::PageBlock => None,
            ChangePlace::Text(_) | ChangePlace::Structure(_) => Some(None),
            ChangePlace::Markup(_) | ChangePlace::Head(_) => None,
            ChangePlace::Attribute(_, name) => Some(Some(attribute_kind(texts.get(name)))),
        };
        match joined.last_mut() {
            Some(before)
                if group(before).is_some()
                    && group(before) == group(&cause)
                    && is_structure(before) == is_structure(&cause)
                    && (side(before) > 0 || is_structure(before))
                    && side(before) == side(&cause)
                    && (before.first.0, before.first.1) == (cause.first.0, cause.first.1)
                    && before.pages == cause.pages =>
            {
                before.texts.extend(cause.texts);
                if !cause.place.is_text()
                    && cause.place != before.place
                    && !before.copies.contains(&cause.place)
                {
                    before.copies.push(cause.place);
                }
            }
            _ => joined.push(cause),
        }
    }
    joined
}

/// Sums up the changes of pages of which most blocks have changed.
fn sum_up_pages(causes: Vec<TextCause>, pairs: &[PagePair<'_>]) -> Vec<TextCause> {
    let is_own = |cause: &TextCause| {
        cause.kind == TextCauseKind::PageBlock && cause.place.is_text() && cause.pages.len() == 1
    };
    let mut counts: HashMap<u32, usize> = HashMap::new();
    for cause in causes.iter().filter(|cause| is_own(cause)) {
        *counts.entry(cause.pages[0]).or_default() += cause.texts.len();
    }
    let is_rewritten = |cause: &TextCause| {
        is_own(cause) && {
            let count = counts[&cause.pages[0]];
            let pair = &pairs[cause.pages[0] as usize];
            let blocks = pair.base.blocks.len().max(pair.new.blocks.len());
            count > REWRITTEN && count * 3 > blocks
        }
    };
    let (rewritten, mut rest): (Vec<_>, Vec<_>) = causes.into_iter().partition(is_rewritten);
    let mut by_page: BTreeMap<u32, Vec<TextCause>> = BTreeMap::new();
    for cause in rewritten {
        by_page.entry(cause.pages[0]).or_default().push(cause);
    }
    rest.extend(by_page.into_values().filter_map(|group| summed_up(group, TextCauseKind::Rewritten)));
    rest
}
