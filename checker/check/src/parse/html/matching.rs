//! Matches the contract's selectors while the tokenizer runs, so that the page is read only once. It matches exactly
//! what `lol_html` does; if this is not certain on a page, it gives up.

use std::ops::Range;

use super::attribute_text::attribute_value;
use super::foreign_content::ForeignContent;
use super::tokenizer::{Namespace, PassedTag, TagSink};
use crate::contract::Assertion;
use crate::contract::selector::{
    Combinator, Comparison, ComplexSelector, CompoundSelector, SimpleSelector, Test, ValueTest,
};
use crate::parse::content_needs::Selected;
use crate::parse::names::{Attribute, MAX_KEY_LENGTH, Tag, is_void, key};

/// Maximum number of compound selectors, and of those that are ancestors of others: each has one bit.
const MAX_COMPOUNDS: usize = u128::BITS as usize;
const MAX_ANCESTORS: usize = u64::BITS as usize;

/// Number of slots for names of elements.
const SLOTS: usize = 64;

/// An element that an assertion selects.
pub(super) struct Selection {
    /// Index of the assertion in the contract.
    pub assertion: usize,
    /// The start tag.
    pub tag: Range<usize>,
    /// Whether it has no content.
    pub is_void: bool,
    /// Offset of its own end tag, if it has one.
    pub end: Option<usize>,
}

/// The matches on a page.
pub(super) struct Matched<'c> {
    /// Matches, in the order of locations.
    pub found: Vec<Selection>,
    /// Assertions that are left to `lol_html`.
    pub rest: Vec<(usize, &'c Assertion)>,
}

pub(super) struct Matcher<'c, 't> {
    text: &'t [u8],
    compounds: Vec<Compound<'c>>,
    /// Bit sets of the compounds that an element may match: by the slot of its name, with an id, and for any element.
    by_slot: [u128; SLOTS],
    with_id: u128,
    for_any: u128,
    /// Number of compound selectors that are ancestors of others.
    ancestors: usize,
    /// Assertions that cannot be matched here.
    rest: Vec<(usize, &'c Assertion)>,
    /// Whether open elements are tracked: for their descendants, or for their ends.
    tracks_open: bool,
    open: Vec<StackElement>,
    foreign: ForeignContent,
    /// Number of open elements that may still be compared with end tags.
    comparisons_left: usize,
    has_given_up: bool,
    found: Vec<Selection>,
}

/// A compound selector, and its role in an assertion.
struct Compound<'c> {
    /// The key of the element's name; 0 for any.
    key: u128,
    conditions: &'c [SimpleSelector],
    /// The required ancestors, as bits.
    required_ancestor: Option<(Combinator, u64)>,
    role: CompoundRole,
}

#[derive(Clone, Copy)]
enum CompoundRole {
    /// An ancestor of others, with its bit.
    Ancestor(u64),
    /// The element that an assertion selects.
    Subject(usize),
}

/// An element without an end tag so far.
struct StackElement {
    key: u128,
    name: Range<u32>,
    /// Bits of the compounds that it matches.
    matched: u64,
    /// These, and the bits of its ancestors.
    inside: u64,
    /// Its selections.
    found: Range<u32>,
}

impl<'c, 't> Matcher<'c, 't> {
    pub fn new(text: &'t [u8], selected: &Selected<'c>) -> Self {
        let mut matcher = Matcher {
            text,
            compounds: Vec::new(),
            by_slot: [0; SLOTS],
            with_id: 0,
            for_any: 0,
            ancestors: 0,
            rest: Vec::new(),
            tracks_open: false,
            open: Vec::new(),
            foreign: ForeignContent::default(),
            comparisons_left: text.len(),
            has_given_up: false,
            found: Vec::new(),
        };
        for &(index, assertion) in selected {
            match assertion.alternatives.as_deref().filter(|alternatives| matcher.has_room(alternatives)) {
                Some(alternatives) => {
                    for alternative in alternatives {
                        matcher.add(index, &alternative.compounds);
                    }
                    matcher.tracks_open |= assertion.reads_text();
                }
                None => matcher.rest.push((index, assertion)),
            }
        }
        matcher.tracks_open |= matcher.ancestors > 0;
        matcher
    }

    /// Whether there are enough bits for these selectors, and keys for their names.
    fn has_room(&self, alternatives: &[ComplexSelector]) -> bool {
        let ancestors: usize = alternatives.iter().map(|alternative| alternative.compounds.len() - 1).sum();
        let mut compounds = alternatives.iter().flat_map(|alternative| &alternative.compounds);
        self.ancestors + ancestors <= MAX_ANCESTORS
            && self.compounds.len() + ancestors + alternatives.len() <= MAX_COMPOUNDS
            && compounds
                .all(|compound| compound.name.as_ref().is_none_or(|name| name.len() <= MAX_KEY_LENGTH))
    }

    fn add(&mut self, assertion: usize, compounds: &'c [CompoundSelector]) {
        let mut ancestors = None;
        for (position, selector) in compounds.iter().enumerate() {
            let key = selector.name.as_ref().map_or(0, |name| key(name.as_bytes()));
            let required_ancestor = ancestors.map(|bit| (selector.combinator, bit));
            let role = if position + 1 == compounds.len() {
                CompoundRole::Subject(assertion)
            } else {
                let bit = 1 << self.ancestors;
                self.ancestors += 1;
                ancestors = Some(bit);
                CompoundRole::Ancestor(bit)
            };
            let requires_id =
                |condition: &SimpleSelector| condition.holds && matches!(condition.test, Test::Id(_));
            let one = 1 << self.compounds.len();
            match &selector.name {
                Some(_) => self.by_slot[slot(key)] |= one,
                None if selector.conditions.iter().any(requires_id) => self.with_id |= one,
                None => self.for_any |= one,
            }
            self.compounds.push(Compound { key, conditions: &selector.conditions, required_ancestor, role });
        }
    }

    /// Whether there is nothing to match.
    pub fn is_empty(&self) -> bool {
        self.compounds.is_empty()
    }

    /// Returns the matches; `None` if everything is left to `lol_html`.
    pub fn into_matches(self) -> Option<Matched<'c>> {
        (!self.has_given_up).then_some(Matched { found: self.found, rest: self.rest })
    }

    #[inline]
    fn start_tag(&mut self, tag: &PassedTag<'_>) {
        let first = self.found.len();
        let mut candidates = self.by_slot[slot(tag.key)] | self.for_any;
        if self.with_id != 0 && tag.attributes.iter().any(|known| known.name == Attribute::Id) {
            candidates |= self.with_id;
        }
        let matched = match candidates {
            0 => 0,
            _ => self.matched(tag, candidates),
        };
        if self.tracks_open && !self.is_void(tag) {
            self.open.push(StackElement {
                key: tag.key,
                name: tag.name.start as u32..tag.name.end as u32,
                matched,
                inside: self.open.last().map_or(0, |open| open.inside) | matched,
                found: first as u32..self.found.len() as u32,
            });
        }
    }

    /// Whether an element has no content, as `lol_html` sees it.
    fn is_void(&self, tag: &PassedTag<'_>) -> bool {
        match self.foreign.namespace() {
            Namespace::Html => is_void(tag.key),
            _ => tag.is_empty,
        }
    }

    /// Adds the assertions that select an element. Returns the bits of the ancestor compounds that it matches.
    fn matched(&mut self, tag: &PassedTag<'_>, mut candidates: u128) -> u64 {
        let (parent, inside) = self.open.last().map_or((0, 0), |open| (open.matched, open.inside));
        let is_html = self.foreign.namespace() == Namespace::Html;
        let is_void = self.is_void(tag);
        let element = Element { text: self.text, tag, is_html };
        let first = self.found.len();
        let mut matched = 0;
        while candidates != 0 {
            let compound = &self.compounds[candidates.trailing_zeros() as usize];
            candidates &= candidates - 1;
            if compound.key != 0 && compound.key != tag.key {
                continue;
            }
            let required_ancestor = match compound.required_ancestor {
                None => true,
                Some((Combinator::Descendant, bit)) => inside & bit != 0,
                Some((Combinator::Child, bit)) => parent & bit != 0,
            };
            if !required_ancestor || !compound.conditions.iter().all(|condition| element.meets(condition)) {
                continue;
            }
            match compound.role {
                CompoundRole::Ancestor(bit) => matched |= bit,
                CompoundRole::Subject(assertion) => {
                    if !self.found[first..].iter().any(|found| found.assertion == assertion) {
                        self.found.push(Selection { assertion, tag: tag.range.clone(), is_void, end: None });
                    }
                }
            }
        }
        matched
    }

    /// Closes the innermost open element with this name, and all elements in it.
    #[inline]
    fn end_tag(&mut self, tag: &PassedTag<'_>) {
        let name = &self.text[tag.name.clone()];
        let is_same = |open: &StackElement| {
            let other = &self.text[open.name.start as usize..open.name.end as usize];
            open.key == tag.key && (other == name || other.eq_ignore_ascii_case(name))
        };
        let Some(position) = self.open.iter().rposition(is_same) else {
            self.count_comparisons(self.open.len());
            return;
        };
        self.count_comparisons(self.open.len() - position);
        let matches = self.open[position].found.clone();
        for found in &mut self.found[matches.start as usize..matches.end as usize] {
            found.end = Some(tag.range.start);
        }
        self.open.truncate(position);
    }

    /// Counts the compared elements, so that the time does not exceed the length of the page, even with many unclosed
    /// elements.
    fn count_comparisons(&mut self, count: usize) {
        match self.comparisons_left.checked_sub(count) {
            Some(left) => self.comparisons_left = left,
            None => self.has_given_up = true,
        }
    }

    /// Handles a tag into SVG or `MathML`, inside, and out. Gives up if `lol_html` and the tokenizer disagree about
    /// the namespace.
    #[cold]
    fn follow_foreign(&mut self, tag: &PassedTag<'_>) {
        let name = &self.text[tag.name.clone()];
        let is_certain = if tag.is_end {
            self.foreign.end_tag(tag.tag, name);
            true
        } else {
            self.foreign.start_tag(tag.tag, name, tag.is_empty)
        };
        self.has_given_up |= !is_certain || self.foreign.namespace() != tag.content;
    }
}

impl TagSink for Matcher<'_, '_> {
    #[inline]
    fn tag(&mut self, tag: &PassedTag<'_>) {
        if self.has_given_up || tag.is_end && !self.tracks_open && self.foreign.is_empty() {
            return;
        }
        let is_root = matches!(tag.tag, Tag::Svg | Tag::Math);
        if is_root || !self.foreign.is_empty() || tag.content != Namespace::Html {
            self.follow_foreign(tag);
        }
        if tag.is_end { self.end_tag(tag) } else { self.start_tag(tag) }
    }
}

/// An element with its start tag.
struct Element<'a> {
    text: &'a [u8],
    tag: &'a PassedTag<'a>,
    is_html: bool,
}

impl<'a> Element<'a> {
    fn meets(&self, condition: &SimpleSelector) -> bool {
        let holds = match &condition.test {
            Test::Name(name) => self.text[self.tag.name.clone()].eq_ignore_ascii_case(name.as_bytes()),
            Test::Id(id) => self.id() == Some(id.as_bytes()),
            Test::Class(class) => self.value("class").is_some_and(|value| {
                value.split(u8::is_ascii_whitespace).any(|word| word == class.as_bytes())
            }),
            Test::Attribute(name) => self.value(name).is_some(),
            Test::Value(test) => {
                let folds_case = test.folds_case && self.is_html;
                self.value(&test.name).is_some_and(|value| accepts(test, folds_case, value))
            }
        };
        holds == condition.holds
    }

    /// Returns its id, which the tokenizer always reports.
    fn id(&self) -> Option<&'a [u8]> {
        let id = self.tag.attributes.iter().find(|known| known.name == Attribute::Id)?;
        Some(id.value.clone().map_or(b"", |value| &self.text[value]))
    }

    fn value(&self, name: &str) -> Option<&'a [u8]> {
        attribute_value(self.text, self.tag.name.end, name.as_bytes())
    }
}

/// Whether a value passes a test.
fn accepts(test: &ValueTest, folds_case: bool, value: &[u8]) -> bool {
    let expected = test.value.as_bytes();
    let same = |part: &[u8]| if folds_case { part.eq_ignore_ascii_case(expected) } else { part == expected };
    let length = expected.len();
    let begins = value.get(..length).is_some_and(same);
    match test.comparison {
        Comparison::Equals => same(value),
        Comparison::IsOrBeginsWithDash => same(value) || begins && value.get(length) == Some(&b'-'),
        _ if expected.is_empty() => false,
        Comparison::HasWord => value.split(u8::is_ascii_whitespace).any(same),
        Comparison::BeginsWith => begins,
        Comparison::EndsWith => value.len().checked_sub(length).is_some_and(|start| same(&value[start..])),
        Comparison::Contains => value.windows(length).any(same),
    }
}

/// Returns the slot of a name.
fn slot(key: u128) -> usize {
    let folded = key as u64 ^ (key >> 64) as u64;
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SLOTS.ilog2())) as usize
}
