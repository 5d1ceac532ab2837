//! Matches the contract's selectors as the tokenizer passes, so that the page need not be read again. What it finds is what `lol_html`
//! would, to the byte; where a page is so odd that this cannot be promised, it gives up.

use std::ops::Range;

use super::attribute_at::value_of;
use super::foreign::ForeignParts;
use super::tokenizer::{Namespace, PassedTag, TagSink};
use crate::contract::Assertion;
use crate::contract::selector::{
    Combinator, Comparison, ComplexSelector, CompoundSelector, SimpleSelector, Test, ValueTest,
};
use crate::parse::names::{Attribute, LONGEST, Tag, is_void, key};
use crate::parse::wanted::Selected;

/// The most compound selectors, and those that others are to lie in: each has one bit.
const MOST: usize = u128::BITS as usize;
const MOST_AROUND: usize = u64::BITS as usize;

/// Slots for the names of elements.
const SLOTS: usize = 64;

/// An element that an assertion selects.
pub(super) struct Selection {
    /// Which assertion, by its place in the contract.
    pub assertion: usize,
    /// Its start tag.
    pub tag: Range<usize>,
    /// Whether it holds nothing.
    pub is_void: bool,
    /// Where its own end tag begins, if it has one.
    pub end: Option<usize>,
}

/// What was matched of a page.
pub(super) struct Matched<'c> {
    /// In the order of places.
    pub found: Vec<Selection>,
    /// The assertions that are left to `lol_html`.
    pub rest: Vec<(usize, &'c Assertion)>,
}

pub(super) struct Matcher<'c, 't> {
    text: &'t [u8],
    compounds: Vec<Compound<'c>>,
    /// Which of them an element can meet, a bit for each: by the slot of its name, if it has an id, and in any case.
    of_slot: [u128; SLOTS],
    of_ids: u128,
    of_all: u128,
    /// How many compound selectors others are to lie in.
    around: usize,
    /// The assertions that ask for more than can be matched here.
    rest: Vec<(usize, &'c Assertion)>,
    /// Whether open elements are kept: for what lies in them, or for where they end.
    follows: bool,
    open: Vec<StackElement>,
    foreign: ForeignParts,
    /// How many open elements may still be looked at for an end tag's own.
    looks: usize,
    gave_up: bool,
    found: Vec<Selection>,
}

/// A compound selector, and what it is to an assertion.
struct Compound<'c> {
    /// The number of the element's name; 0 for any.
    key: u128,
    conditions: &'c [SimpleSelector],
    /// Where it must lie, by the bits of what may be there.
    lies: Option<(Combinator, u64)>,
    meaning: Meaning,
}

#[derive(Clone, Copy)]
enum Meaning {
    /// Others are to lie in it: its bit.
    Scope(u64),
    /// It is what an assertion selects.
    Subject(usize),
}

/// An element whose end tag was not met.
struct StackElement {
    key: u128,
    name: Range<u32>,
    /// The bits of what it matches.
    matched: u64,
    /// Those, and the bits of what is around it.
    inside: u64,
    /// What is selected of it.
    found: Range<u32>,
}

impl<'c, 't> Matcher<'c, 't> {
    pub fn new(text: &'t [u8], selected: &Selected<'c>) -> Self {
        let mut matcher = Matcher {
            text,
            compounds: Vec::new(),
            of_slot: [0; SLOTS],
            of_ids: 0,
            of_all: 0,
            around: 0,
            rest: Vec::new(),
            follows: false,
            open: Vec::new(),
            foreign: ForeignParts::default(),
            looks: text.len(),
            gave_up: false,
            found: Vec::new(),
        };
        for &(index, assertion) in selected {
            match assertion.alternatives.as_deref().filter(|alternatives| matcher.has_room(alternatives)) {
                Some(alternatives) => {
                    alternatives.iter().for_each(|alternative| matcher.add(index, &alternative.compounds));
                    matcher.follows |= assertion.reads_text();
                }
                None => matcher.rest.push((index, assertion)),
            }
        }
        matcher.follows |= matcher.around > 0;
        matcher
    }

    /// Whether there are bits for all these, and numbers for the names in them.
    fn has_room(&self, alternatives: &[ComplexSelector]) -> bool {
        let around: usize = alternatives.iter().map(|alternative| alternative.compounds.len() - 1).sum();
        let mut compounds = alternatives.iter().flat_map(|alternative| &alternative.compounds);
        self.around + around <= MOST_AROUND
            && self.compounds.len() + around + alternatives.len() <= MOST
            && compounds.all(|compound| compound.name.as_ref().is_none_or(|name| name.len() <= LONGEST))
    }

    fn add(&mut self, assertion: usize, compounds: &'c [CompoundSelector]) {
        let mut around = None;
        for (place, selector) in compounds.iter().enumerate() {
            let key = selector.name.as_ref().map_or(0, |name| key(name.as_bytes()));
            let lies = around.map(|bit| (selector.combinator, bit));
            let meaning = if place + 1 == compounds.len() {
                Meaning::Subject(assertion)
            } else {
                let bit = 1 << self.around;
                self.around += 1;
                around = Some(bit);
                Meaning::Scope(bit)
            };
            let tells_id =
                |condition: &SimpleSelector| condition.holds && matches!(condition.test, Test::Id(_));
            let one = 1 << self.compounds.len();
            match &selector.name {
                Some(_) => self.of_slot[slot(key)] |= one,
                None if selector.conditions.iter().any(tells_id) => self.of_ids |= one,
                None => self.of_all |= one,
            }
            self.compounds.push(Compound { key, conditions: &selector.conditions, lies, meaning });
        }
    }

    /// Whether there is nothing to match.
    pub fn is_idle(&self) -> bool {
        self.compounds.is_empty()
    }

    /// What was found; nothing where all is left to `lol_html`.
    pub fn finish(self) -> Option<Matched<'c>> {
        (!self.gave_up).then_some(Matched { found: self.found, rest: self.rest })
    }

    #[inline]
    fn start_tag(&mut self, tag: &PassedTag<'_>) {
        let first = self.found.len();
        let mut candidates = self.of_slot[slot(tag.key)] | self.of_all;
        if self.of_ids != 0 && tag.attributes.iter().any(|known| known.name == Attribute::Id) {
            candidates |= self.of_ids;
        }
        let matched = match candidates {
            0 => 0,
            _ => self.matched(tag, candidates),
        };
        if self.follows && !self.is_void(tag) {
            self.open.push(StackElement {
                key: tag.key,
                name: tag.name.start as u32..tag.name.end as u32,
                matched,
                inside: self.open.last().map_or(0, |open| open.inside) | matched,
                found: first as u32..self.found.len() as u32,
            });
        }
    }

    /// Whether an element holds nothing, to `lol_html`.
    fn is_void(&self, tag: &PassedTag<'_>) -> bool {
        match self.foreign.namespace() {
            Namespace::Html => is_void(tag.key),
            _ => tag.is_empty,
        }
    }

    /// Takes in what selects an element, and gives the bits of what others are to lie in.
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
            let lies = match compound.lies {
                None => true,
                Some((Combinator::Descendant, bit)) => inside & bit != 0,
                Some((Combinator::Child, bit)) => parent & bit != 0,
            };
            if !lies || !compound.conditions.iter().all(|condition| element.meets(condition)) {
                continue;
            }
            match compound.meaning {
                Meaning::Scope(bit) => matched |= bit,
                Meaning::Subject(assertion) => {
                    if !self.found[first..].iter().any(|found| found.assertion == assertion) {
                        self.found.push(Selection { assertion, tag: tag.range.clone(), is_void, end: None });
                    }
                }
            }
        }
        matched
    }

    /// Closes the innermost open element of this name, and all that are open in it.
    #[inline]
    fn end_tag(&mut self, tag: &PassedTag<'_>) {
        let name = &self.text[tag.name.clone()];
        let is_same = |open: &StackElement| {
            let other = &self.text[open.name.start as usize..open.name.end as usize];
            open.key == tag.key && (other == name || other.eq_ignore_ascii_case(name))
        };
        let Some(place) = self.open.iter().rposition(is_same) else {
            self.look(self.open.len());
            return;
        };
        self.look(self.open.len() - place);
        let found = self.open[place].found.clone();
        for found in &mut self.found[found.start as usize..found.end as usize] {
            found.end = Some(tag.range.start);
        }
        self.open.truncate(place);
    }

    /// Counts the open elements that were looked at, so that a page with many that are never closed takes no longer than its length says.
    fn look(&mut self, count: usize) {
        match self.looks.checked_sub(count) {
            Some(left) => self.looks = left,
            None => self.gave_up = true,
        }
    }

    /// Follows a tag into SVG or `MathML`, through it, and out. Gives up where `lol_html` sees another end of it than the tokenizer.
    #[cold]
    fn follow_foreign(&mut self, tag: &PassedTag<'_>) {
        let name = &self.text[tag.name.clone()];
        let is_told = if tag.is_end {
            self.foreign.end_tag(tag.tag, name);
            true
        } else {
            self.foreign.start_tag(tag.tag, name, tag.is_empty)
        };
        self.gave_up |= !is_told || self.foreign.namespace() != tag.content;
    }
}

impl TagSink for Matcher<'_, '_> {
    #[inline]
    fn tag(&mut self, tag: &PassedTag<'_>) {
        if self.gave_up || tag.is_end && !self.follows && self.foreign.is_empty() {
            return;
        }
        let is_root = matches!(tag.tag, Tag::Svg | Tag::Math);
        if is_root || !self.foreign.is_empty() || tag.content != Namespace::Html {
            self.follow_foreign(tag);
        }
        if tag.is_end { self.end_tag(tag) } else { self.start_tag(tag) }
    }
}

/// An element whose start tag is at hand.
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

    /// Its id, which the tokenizer always passes on.
    fn id(&self) -> Option<&'a [u8]> {
        let id = self.tag.attributes.iter().find(|known| known.name == Attribute::Id)?;
        Some(id.value.clone().map_or(b"", |value| &self.text[value]))
    }

    fn value(&self, name: &str) -> Option<&'a [u8]> {
        value_of(self.text, self.tag.name.end, name.as_bytes())
    }
}

/// Whether a value passes a test.
fn accepts(test: &ValueTest, folds_case: bool, value: &[u8]) -> bool {
    let wanted = test.value.as_bytes();
    let same = |part: &[u8]| if folds_case { part.eq_ignore_ascii_case(wanted) } else { part == wanted };
    let length = wanted.len();
    let begins = value.get(..length).is_some_and(same);
    match test.comparison {
        Comparison::Equals => same(value),
        Comparison::IsOrBeginsWithDash => same(value) || begins && value.get(length) == Some(&b'-'),
        _ if wanted.is_empty() => false,
        Comparison::HasWord => value.split(u8::is_ascii_whitespace).any(same),
        Comparison::BeginsWith => begins,
        Comparison::EndsWith => value.len().checked_sub(length).is_some_and(|start| same(&value[start..])),
        Comparison::Contains => value.windows(length).any(same),
    }
}

/// The slot of a name.
fn slot(key: u128) -> usize {
    let folded = key as u64 ^ (key >> 64) as u64;
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SLOTS.ilog2())) as usize
}
