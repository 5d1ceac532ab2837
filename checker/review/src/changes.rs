//! Finds the changed blocks, metadata and attributes of each page, and decides in which section of a review a changed
//! attribute is listed.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

use foldhash::fast::FixedState;
use rayon::prelude::*;

use crate::align;
use crate::facts::PageFacts;
use crate::pages::PagePair;
use crate::review::CauseKind;
use crate::structure::Structure;
use crate::texts::{TextId, TextTable};

/// Maximum product of the numbers of removed and added blocks in a row that are paired by their words.
const MAX_PAIRING: usize = 10_000;

/// The place of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum ChangePlace {
    /// The place of a block.
    Text(TextId),
    /// The place of a block whose text is the same, and whose markup is not.
    Markup(TextId),
    /// The place of a block whose text is the same, and the elements around it or in it are not.
    Structure(Option<TextId>),
    /// The name of metadata.
    Head(TextId),
    /// The place and the name of an attribute.
    Attribute(TextId, TextId),
}

impl ChangePlace {
    /// Returns its name for people: `footer > p`, `description`, `footer > p a[href]`.
    pub fn shown(self, texts: &TextTable) -> String {
        match self {
            ChangePlace::Text(own) | ChangePlace::Head(own) => texts.get(own).to_owned(),
            ChangePlace::Markup(place) => format!("{} markup", texts.get(place)),
            ChangePlace::Structure(place) => {
                format!("{} structure", place.map_or("page", |place| texts.get(place)))
            }
            ChangePlace::Attribute(place, name) => match texts.get(place) {
                "" => texts.get(name).to_owned(),
                place => format!("{place} {}", texts.get(name)),
            },
        }
    }

    /// Returns its rank: texts, then metadata, then attributes.
    pub fn part(self) -> u8 {
        match self {
            ChangePlace::Text(_) | ChangePlace::Markup(_) | ChangePlace::Structure(_) => 0,
            ChangePlace::Head(_) => 1,
            ChangePlace::Attribute(..) => 2,
        }
    }

    pub fn is_head(self) -> bool {
        matches!(self, ChangePlace::Head(_))
    }

    pub fn is_text(self) -> bool {
        matches!(self, ChangePlace::Text(_))
    }
}

/// A change of one page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockChange {
    /// Index of the pair of pages.
    pub page: u32,
    pub place: ChangePlace,
    pub old: Option<TextId>,
    pub new: Option<TextId>,
    /// The number of the gap in its page: changes next to each other have the same.
    pub gap: u32,
}

/// Returns the changes of all pages, in the order of pages.
pub(crate) fn changes(pairs: &[PagePair<'_>], texts: &TextTable) -> Vec<BlockChange> {
    let of_page = |(page, pair): (usize, &PagePair<'_>)| {
        let mut found = Vec::new();
        head_changes(page as u32, pair, &mut found);
        let mut attributes = Vec::new();
        attribute_changes(page as u32, pair, texts, &mut attributes);
        block_changes(page as u32, pair, texts, &attributes, &mut found);
        found.extend(attributes);
        found
    };
    pairs.par_iter().enumerate().flat_map_iter(of_page).collect()
}

fn head_changes(page: u32, pair: &PagePair<'_>, found: &mut Vec<BlockChange>) {
    let (old, new) = (&pair.base.head, &pair.new.head);
    if old == new {
        return;
    }
    // A name may occur several times: the nth occurrences belong together, without those that did not change.
    let mut by_name: Vec<(TextId, [Vec<TextId>; 2])> = Vec::new();
    let mut names: HashMap<TextId, usize, FixedState> = HashMap::default();
    for (side, (head, other)) in [(old, new), (new, old)].into_iter().enumerate() {
        let known: HashSet<&PageBlock, FixedState> = other.iter().collect();
        for (name, value) in head.iter().filter(|entry| !known.contains(entry)) {
            let index = *names.entry(*name).or_insert_with(|| {
                by_name.push((*name, Default::default()));
                by_name.len() - 1
            });
            by_name[index].1[side].push(*value);
        }
    }
    for (place, [old_values, new_values]) in by_name {
        for index in 0..old_values.len().max(new_values.len()) {
            let (removed, added) = (old_values.get(index).copied(), new_values.get(index).copied());
            found.push(BlockChange {
                page,
                place: ChangePlace::Head(place),
                old: removed,
                new: added,
                gap: u32::MAX,
            });
        }
    }
}

fn block_changes(
    page: u32,
    pair: &PagePair<'_>,
    texts: &TextTable,
    attributes: &[BlockChange],
    found: &mut Vec<BlockChange>,
) {
    let (old, new) = (&pair.base.blocks, &pair.new.blocks);
    let ids = |blocks: &[(TextId, TextId)]| -> Vec<TextId> { blocks.iter().map(|(_, text)| *text).collect() };
    let (old_ids, new_ids) = (ids(old), ids(new));
    let has_one_text = old_ids == new_ids;
    if has_one_text && pair.base.markup == pair.new.markup && pair.base.outline == pair.new.outline {
        return;
    }
    let gaps = if has_one_text { Vec::new() } else { exchange_gaps(&old_ids, &new_ids, false) };
    markup_changes(page, pair, &gaps, texts, found);
    structure_changes(page, pair, &gaps, (attributes, texts), found);
    for (gap, (a, b)) in gaps.into_iter().enumerate() {
        for (removed, added) in paired(&old[a], &new[b], texts) {
            let place = added.or(removed).map_or_else(TextId::default, |(place, _)| place);
            let (old_text, new_text) = (removed.map(|(_, text)| text), added.map(|(_, text)| text));
            found.push(BlockChange {
                page,
                place: ChangePlace::Text(place),
                old: old_text,
                new: new_text,
                gap: gap as u32,
            });
        }
    }
}

/// Compares the markup of the texts between gaps, which are the same.
fn markup_changes(
    page: u32,
    pair: &PagePair<'_>,
    gaps: &[align::Gap],
    texts: &TextTable,
    found: &mut Vec<BlockChange>,
) {
    type Markup = HashMap<u32, (TextId, TextId), FixedState>;
    let markup = |of: &PageFacts| -> Markup {
        of.markup.iter().map(|(block, kind, marked)| (*block, (*kind, *marked))).collect()
    };
    let (old, new) = (markup(pair.base), markup(pair.new));
    for (gap, (from, to)) in kept(gaps, (pair.base.blocks.len(), pair.new.blocks.len())) {
        for (i, j) in from.zip(to) {
            let (place, text) = pair.new.blocks[j];
            let of = |all: &Markup, block: usize| {
                let (kind, marked) = all.get(&(block as u32)).copied().unzip();
                (kind.filter(|kind| !texts.get(*kind).is_empty()), marked.unwrap_or(text))
            };
            let ((old_kind, old_text), (new_kind, new_text)) = (of(&old, i), of(&new, j));
            let (removed, added) = match (old_kind == new_kind, old_text == new_text) {
                (true, true) => continue,
                (true, false) => (Some(old_text), Some(new_text)),
                // It may have other inline markup because of its kind.
                (false, _) => (old_kind, new_kind),
            };
            let place = ChangePlace::Markup(place);
            found.push(BlockChange { page, place, old: removed, new: added, gap: gap as u32 });
        }
    }
}

/// Returns the parts that differ. If values were exchanged, each stays at its place: the rows of a table are what they
/// were. `ties` is whether they also do if another comparison has as many changes.
fn exchange_gaps<T: Eq + Hash>(old: &[T], new: &[T], ties: bool) -> Vec<align::Gap> {
    let gaps = align::gaps(old, new);
    if old.len() != new.len() || gaps.len() < 2 {
        return gaps;
    }
    let changes: usize = gaps.iter().map(|(a, b)| a.len().max(b.len())).sum();
    let differing: Vec<usize> = (0..old.len()).filter(|at| old[*at] != new[*at]).collect();
    if differing.len() + usize::from(!ties) > changes {
        return gaps;
    }
    let runs = differing.chunk_by(|a, b| a + 1 == *b).map(|run| run[0]..run[0] + run.len());
    runs.map(|run| (run.clone(), run)).collect()
}

/// Returns the parts of two sequences between gaps, each with the number of the gap after it. `end` is the end of both.
fn kept(gaps: &[align::Gap], end: (usize, usize)) -> impl Iterator<Item = (usize, align::Gap)> {
    let ends = gaps.iter().map(|(a, b)| (a.end, b.end));
    let starts = gaps.iter().map(|(a, b)| (a.start, b.start)).chain([end]);
    [(0, 0)].into_iter().chain(ends).zip(starts).map(|(from, to)| (from.0..to.0, from.1..to.1)).enumerate()
}

/// Compares the structure around the texts that are the same, and after the last one.
fn structure_changes(
    page: u32,
    pair: &PagePair<'_>,
    gaps: &[align::Gap],
    (attributes, texts): (&[BlockChange], &TextTable),
    found: &mut Vec<BlockChange>,
) {
    let (old, new) = (pair.base, pair.new);
    if old.outline == new.outline {
        return;
    }
    let one_sided = attributes.iter().filter(|change| change.old.is_none() || change.new.is_none());
    let listed = one_sided.filter_map(|change| match change.place {
        ChangePlace::Attribute(_, name) => Some(texts.get(name)),
        _ => None,
    });
    let structure = Structure::new(listed.collect(), texts);
    for (gap, (from, to)) in kept(gaps, (old.blocks.len() + 1, new.blocks.len() + 1)) {
        for (i, j) in from.clone().zip(to) {
            let before = gap.checked_sub(1).map(|before| &gaps[before]).filter(|_| i == from.start);
            let is_same = match before {
                Some((a, b)) => structure.is_same_around(old, a.clone(), new, b.clone()),
                None => structure.is_same(old, i, new, j),
            };
            if !is_same {
                let place = new.blocks.get(j).or(new.blocks.last()).map(|(place, _)| *place);
                let (removed, added) = (old.outline.get(i).copied(), new.outline.get(j).copied());
                let place = ChangePlace::Structure(place);
                // Those next to each other are one cause: the end of an element moves away from one text, and to another.
                found.push(BlockChange { page, place, old: removed, new: added, gap: u32::MAX });
            }
        }
    }
}

/// Compares the attributes. Those of a gap with the same name belong together, in order.
fn attribute_changes(page: u32, pair: &PagePair<'_>, texts: &TextTable, found: &mut Vec<BlockChange>) {
    if pair.base.attributes == pair.new.attributes {
        return;
    }
    // Ids are often generated, so only the order of those counts that both have.
    let own_ids = |of: &PageFacts| -> HashSet<PageBlock, FixedState> {
        let own = of.attributes.iter().filter(|(_, name, _)| texts.get(*name).ends_with("[id]"));
        own.map(|(_, name, value)| (*name, *value)).collect()
    };
    let all_ids = [own_ids(pair.base), own_ids(pair.new)];
    let compared = |of: &PageFacts| -> Vec<PageAttribute> {
        let own = of.attributes.iter().copied();
        own.filter(|(_, name, value)| {
            let id = (*name, *value);
            {
                let mut sides = all_ids.iter().map(|known| known.contains(&id));
                sides.next() == sides.next()
            }
        })
        .collect()
    };
    let (old, new) = (&compared(pair.base), &compared(pair.new));
    // Attributes whose place has another class now did not change.
    let ids = |all: &[PageAttribute]| -> Vec<PageBlock> {
        all.iter().map(|(_, name, value)| (*name, *value)).collect()
    };
    for (gap, (a, b)) in exchange_gaps(&ids(old), &ids(new), true).into_iter().enumerate() {
        let mut by_name: HashMap<TextId, VecDeque<PageAttribute>, FixedState> = HashMap::default();
        for added in &new[b.clone()] {
            by_name.entry(added.1).or_default().push_back(*added);
        }
        let mut push = |place: (TextId, TextId), removed: Option<TextId>, added: Option<TextId>| {
            let place = ChangePlace::Attribute(place.0, place.1);
            found.push(BlockChange { page, place, old: removed, new: added, gap: gap as u32 });
        };
        for (place, name, value) in &old[a] {
            let added = by_name.get_mut(name).and_then(VecDeque::pop_front);
            let at = added.map_or(*place, |(place, ..)| place);
            push((at, *name), Some(*value), added.map(|(.., other)| other));
        }
        // In the order in which the page names them: the order of ids depends on the threads that stored them.
        for (_, name, _) in &new[b] {
            for (place, _, value) in by_name.remove(name).into_iter().flatten() {
                push((place, *name), None, Some(value));
            }
        }
    }
}

type PageAttribute = (TextId, TextId, TextId);

type PageBlock = (TextId, TextId);

/// Pairs removed blocks with added ones, in order.
fn paired(
    old: &[PageBlock],
    new: &[PageBlock],
    texts: &TextTable,
) -> Vec<(Option<PageBlock>, Option<PageBlock>)> {
    let is_parallel = old.len() == new.len() && old.iter().zip(new).all(|(a, b)| a.0 == b.0);
    if is_parallel || old.len() * new.len() > MAX_PAIRING {
        let length = old.len().max(new.len());
        return (0..length).map(|at| (old.get(at).copied(), new.get(at).copied())).collect();
    }
    let pairs = align::best_pairs(old.len(), new.len(), |i, j| similarity(old[i], new[j], texts));
    pairs.into_iter().map(|(i, j)| (i.map(|i| old[i]), j.map(|j| new[j]))).collect()
}

/// Returns how similar two blocks are; 0 if they are unrelated.
fn similarity(old: PageBlock, new: PageBlock, texts: &TextTable) -> u32 {
    let (old_text, new_text) = (texts.get(old.1), texts.get(new.1));
    let is_same_word = |a: Option<&str>, b: Option<&str>| u32::from(a.is_some() && a == b);
    let (mut a, mut b) = (old_text.split_ascii_whitespace(), new_text.split_ascii_whitespace());
    let first = is_same_word(a.next(), b.next());
    let second = is_same_word(a.next(), b.next());
    let last = is_same_word(a.next_back(), b.next_back());
    match (old.0 == new.0, 2 * first + 2 * last + second) {
        (true, words) => 1 + 2 * words,
        (false, words) => words,
    }
}

/// Returns the kind of a changed attribute by its name, such as `a[href]`.
pub(crate) fn attribute_kind(name: &str) -> CauseKind {
    const TARGETS: [&str; 14] = [
        "href",
        "src",
        "action",
        "url",
        "poster",
        "ping",
        "cite",
        "background",
        "manifest",
        "codebase",
        "archive",
        "longdesc",
        "usemap",
        "hx-",
    ];
    const POLICIES: [&str; 15] = [
        "integrity",
        "nonce",
        "crossorigin",
        "referrer",
        "sandbox",
        "allow",
        "csp",
        "rel",
        "target",
        "formtarget",
        "srcdoc",
        "content-security-policy",
        "credentialless",
        "http-equiv",
        "x-frame-options",
    ];
    let (element, attribute) = name.split_once('[').unwrap_or(("", name));
    let attribute = attribute.trim_end_matches(']');
    if attribute.starts_with("on") || POLICIES.iter().any(|own| attribute.starts_with(own)) {
        CauseKind::Policy
    } else if element != "meta" && TARGETS.iter().any(|own| attribute.contains(own)) || name == "object[data]"
    {
        CauseKind::Target
    } else {
        CauseKind::Attribute
    }
}

#[cfg(test)]
mod tests {
    use super::{ChangePlace, attribute_kind, changes};
    use crate::facts::PageFacts;
    use crate::pages::{PagePair, PairedBy};
    use crate::review::CauseKind;
    use crate::texts::Texts;

    #[test]
    fn added_attributes_are_by_name_in_the_order_of_the_page() {
        const NAMES: [&str; 4] = ["script[crossorigin]", "link[rel]", "a[ping]", "link[rel]"];
        // The ids depend on the order in which threads store texts, and on the seed of their hashes.
        for first in NAMES {
            let texts = Texts::default();
            texts.intern(first);
            let attributes =
                NAMES.map(|name| (texts.intern("p"), texts.intern(name), texts.intern("x"))).to_vec();
            let added = PageFacts { attributes, ..PageFacts::default() };
            let base = PageFacts::default();
            let pairs = [PagePair { base: &base, new: &added, by: PairedBy::Address }];
            let texts = texts.freeze();
            let found = changes(&pairs, &texts).into_iter().map(|change| match change.place {
                ChangePlace::Attribute(_, name) => texts.get(name).to_owned(),
                _ => String::new(),
            });
            let expected = ["script[crossorigin]", "link[rel]", "link[rel]", "a[ping]"];
            assert_eq!(found.collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn attributes_have_kinds() {
        for (name, kind) in [
            ("a[href]", CauseKind::Target),
            ("button[formaction]", CauseKind::Target),
            ("img[data-srcset]", CauseKind::Target),
            ("object[data]", CauseKind::Target),
            ("svg use[xlink:href]", CauseKind::Target),
            ("script[integrity]", CauseKind::Policy),
            ("button[onclick]", CauseKind::Policy),
            ("meta[content-security-policy]", CauseKind::Policy),
            ("meta[referrer]", CauseKind::Policy),
            ("img[alt]", CauseKind::Attribute),
            ("p[hidden]", CauseKind::Attribute),
            ("noscript", CauseKind::Attribute),
        ] {
            assert_eq!(attribute_kind(name), kind, "{name}");
        }
    }
}
