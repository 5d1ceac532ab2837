//! Decides in the pass over a page's tags whether some of its markup may be misnested, so that only such pages need their
//! nesting. It also knows where the head ends.
//!
//! It tracks the open elements by their tags, with omitted end tags, and stops at the first doubt. Most misnested markup
//! is a `<p>` that another start tag ends before its `</p>`: such faults are certain without tree construction.

use std::ops::Range;

use crate::element::{Name, Namespace};
use crate::misnesting::{MAX_FOUND, Misnested, Misnesting, written_name};
use crate::scan::is_space;
use crate::start_rules::{
    ANY, HAS_CLOSED, IN_P, IN_RAW, IN_TEMPLATE, OPTIONAL, PARAGRAPH, RULES, StartRule, TABLE,
};
use crate::tag_reader::TagSink;
use crate::tokenizer::{Tag, TagAt};
use crate::tree::quirks::selects_quirks;

/// Maximum depth of elements: that of browsers, which change the nesting of deeper ones. Reading such a page takes much
/// memory.
const MAX_DEPTH: usize = 512;

/// An open element.
#[derive(Clone, Copy)]
struct Open {
    /// The kind of the element and the open elements that it can reach, as bits of [`crate::start_rules`]; its name
    /// above them.
    state: u64,
    /// The start of its tag.
    start: u32,
}

/// The document around the outermost element; no element has its name.
impl Default for Open {
    fn default() -> Open {
        Open { state: ANY | u64::from(u8::MAX) << Open::NAME, start: 0 }
    }
}

impl Open {
    /// The first bit of the name.
    const NAME: u32 = u64::BITS - u8::BITS;

    fn is_named(&self, name: Name) -> bool {
        self.state >> Open::NAME == name as u64
    }

    fn is(&self, bits: u64) -> bool {
        self.state & bits != 0
    }
}

/// The part of the page that is read.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    /// The head, or what is before it.
    #[default]
    Head,
    /// Between the head and the body.
    AfterHead,
    Body,
}

/// A `<p>` that a start tag ended. An end tag of it may follow in the element around.
struct ClosedParagraph {
    /// The number of elements around it.
    depth: usize,
    /// The start of its tag.
    start: u32,
    /// The start tag that ended it.
    cause: Range<usize>,
    /// Whether tree construction ends exactly this element there.
    is_certain: bool,
}

/// Finds out whether some markup of a page may be misnested.
#[derive(Default)]
pub struct NestingFilter<'t> {
    text: &'t [u8],
    /// The elements around the current one, outermost first.
    around: Vec<Open>,
    /// The current element.
    current: Open,
    /// The namespace of the content at `end`.
    namespace: Namespace,
    /// The end of the last tag or comment.
    end: usize,
    part: Part,
    /// Whether a `noscript` begins in the head.
    has_head_noscript: bool,
    /// The end of the head, as browsers with scripts read it.
    head_end: Option<usize>,
    /// Whether the next tag is handled by its rule alone, unless that says otherwise.
    is_usual: bool,
    /// Whether the head ended without a tag that says so.
    left_head: bool,
    /// Whether the end tag of that head may follow.
    left_open_head: bool,
    /// Whether there are end tags of `<p>` without an open one. In too deep elements, their meaning is unknown.
    has_stray_ends: bool,
    /// Whether the parser adds elements that are not written.
    adds_elements: bool,
    /// Whether some markup may be misnested. Then the rest is not tracked.
    is_doubtful: bool,
    /// Whether the elements are too deep to track. Then nothing more is found.
    is_too_deep: bool,
    /// By depth.
    closed_paragraphs: Vec<ClosedParagraph>,
    found: Vec<Misnested>,
}

impl<'t> NestingFilter<'t> {
    /// Starts before the first tag. The filter finds nothing in text that is not a page.
    #[must_use]
    pub fn new(text: &'t [u8], is_page: bool) -> Self {
        NestingFilter {
            text,
            part: if is_page { Part::Head } else { Part::Body },
            is_doubtful: !is_page,
            ..NestingFilter::default()
        }
    }

    /// Whether some markup may be misnested, but for [`NestingFilter::found`].
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    /// Whether the parser adds elements around some that are written, such as `tbody`.
    #[must_use]
    pub fn adds_elements(&self) -> bool {
        self.adds_elements
    }

    /// Returns the misnested markup of a page without doubts and without marked elements, as
    /// [`find_misnested`](crate::misnesting::find_misnested) does.
    #[must_use]
    pub fn found(&self) -> &[Misnested] {
        &self.found
    }

    /// Whether the last tag is in the body, so that it is no metadata of the page.
    #[must_use]
    pub fn is_in_body(&self) -> bool {
        self.part == Part::Body
    }

    /// Returns the text up to the end of the head, as browsers with scripts read it, if a `noscript` begins in it: others
    /// may end the head before.
    #[must_use]
    pub fn head_with_noscript(&self) -> Option<&'t [u8]> {
        self.text.get(..self.head_end?).filter(|_| self.has_head_noscript)
    }

    /// Handles the text after the last tag.
    pub fn end_of_page(&mut self, end: usize) {
        self.text_before(end);
    }

    fn has_text(&self, range: Range<usize>) -> bool {
        self.text.get(range).is_some_and(|text| !text.iter().all(|byte| is_space(*byte)))
    }

    /// Handles the text before a tag or a comment that begins here.
    fn text_before(&mut self, start: usize) {
        let is_read = self.current.is(TABLE) || self.part != Part::Body;
        if is_read && !self.current.is(IN_RAW) && self.has_text(self.end..start) {
            self.is_doubtful |= self.current.is(TABLE);
            if self.part != Part::Body && !self.current.is(IN_TEMPLATE) {
                self.head_end.get_or_insert(self.end);
                self.leave_head();
            }
        }
    }

    fn leave_head(&mut self) {
        self.left_head = self.part == Part::Head;
        self.left_open_head = self.left_head && self.is_open(Name::Head);
        self.part = Part::Body;
    }

    /// Handles a tag before the body.
    fn tag_in_head(&mut self, name: Name, is_end: bool) {
        let is_in_template = self.is_open(Name::Template);
        match (name, is_end) {
            _ if is_in_template => {}
            (Name::Body | Name::Frameset, false) => self.part = Part::Body,
            (Name::Head, true) => self.part = Part::AfterHead,
            (Name::Body | Name::Html | Name::Br, true) => self.leave_head(),
            (Name::Html | Name::Head, false) | (_, true) => {}
            (Name::Noscript, false) if self.part == Part::Head => self.has_head_noscript = true,
            (name, false) if name.is_head_content() => {}
            _ => self.leave_head(),
        }
    }

    /// Whether an element with this name is open.
    fn is_open(&self, name: Name) -> bool {
        self.current.is_named(name) || self.around.iter().any(|open| open.is_named(name))
    }

    /// Whether the page may be in quirks mode, in which a table does not end a paragraph.
    fn may_be_quirks(&self) -> bool {
        let start = self.text.trim_ascii_start();
        let doctype = memchr::memchr(b'>', start).map_or(start, |end| &start[..=end]);
        let begins = doctype.get(..b"<!doctype".len());
        !begins.is_some_and(|begins| begins.eq_ignore_ascii_case(b"<!doctype")) || selects_quirks(doctype)
    }

    /// Whether an open element has the name of the end tag that begins here. Names without a meaning are compared as they
    /// are written.
    #[inline(always)]
    fn is_ended(&self, open: &Open, name: Name, end_tag: usize) -> bool {
        open.is_named(name) && (name != Name::Other || self.is_written_alike(open, end_tag))
    }

    #[inline(never)]
    fn is_written_alike(&self, open: &Open, end_tag: usize) -> bool {
        let name_at = |start: usize| written_name(self.text, &(start..self.text.len()));
        name_at(open.start as usize).eq_ignore_ascii_case(name_at(end_tag))
    }

    /// Whether an element is open that the end tag ends.
    fn is_end_of_open(&self, name: Name, end_tag: usize) -> bool {
        std::iter::once(&self.current).chain(&self.around).any(|open| self.is_ended(open, name, end_tag))
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Open> {
        let around = self.around.pop()?;
        Some(std::mem::replace(&mut self.current, around))
    }

    #[inline(always)]
    fn push(&mut self, name: Name, rule: &StartRule, start: usize) {
        self.around.push(self.current);
        let state = self.current.state & rule.keeps | rule.is | (name as u64) << Open::NAME;
        self.current = Open { state, start: start as u32 };
    }

    /// Handles a start tag by all steps of its rule.
    fn start(&mut self, name: Name, range: &Range<usize>) {
        let rule = &RULES[name as usize];
        let mut closed = None;
        let mut is_certain = rule.misnested_in & PARAGRAPH != 0;
        while self.current.is(rule.ends)
            && let Some(popped) = self.pop()
        {
            is_certain &= closed.is_none() && !popped.is(HAS_CLOSED);
            if popped.is(IN_P | HAS_CLOSED) {
                closed = Some(popped.start);
            }
        }
        if let Some(start) = closed {
            self.is_doubtful |= name == Name::Table && self.may_be_quirks();
            self.add_closed(ClosedParagraph { depth: 0, start, cause: range.clone(), is_certain });
        }
        self.left_open_head |= self.left_head && name == Name::Head;
        // The parser ignores a second one.
        self.is_doubtful |= matches!(name, Name::Head | Name::Body | Name::Html)
            && !self.around.is_empty()
            && !self.current.is_named(Name::Html);
        self.is_doubtful |= self.current.is(rule.misnested_in) || !self.current.is(rule.needs);
        self.adds_elements |= self.current.is(rule.adds_in);
        if !rule.is_void {
            self.push(name, rule, range.start);
        }
    }

    /// Remembers a `<p>` that a start tag ended in what is the current element now.
    fn add_closed(&mut self, closed: ClosedParagraph) {
        let depth = self.around.len();
        // Those at this depth and below are of elements that are closed now, unless the current one has some.
        let kept = depth + usize::from(self.current.is(HAS_CLOSED));
        while self.closed_paragraphs.last().is_some_and(|last| last.depth >= kept) {
            self.closed_paragraphs.pop();
        }
        self.closed_paragraphs.push(ClosedParagraph { depth, ..closed });
        self.current.state |= HAS_CLOSED;
    }

    #[inline(always)]
    fn end(&mut self, name: Name, start: usize) {
        if self.is_ended(&self.current, name, start) {
            self.pop();
        } else {
            self.unusual_end(name, start);
        }
    }

    /// Handles an end tag that is not that of the current element.
    #[cold]
    fn unusual_end(&mut self, name: Name, start: usize) {
        if !self.is_end_of_open(name, start) {
            // The parser ignores it, unless a start tag closed its element.
            match name {
                Name::P if self.part == Part::Body && !self.current.is(TABLE) => self.end_closed(),
                Name::P | Name::Br => self.is_doubtful = true,
                _ => self.is_doubtful |= RULES[name as usize].is & OPTIONAL != 0,
            }
            return;
        }
        while self.current.is(OPTIONAL)
            && let Some(popped) = self.pop()
        {
            if popped.is_named(name) {
                return;
            }
            let is_exact = match name {
                // The end tag may be of an element in it that a start tag closed: `<li><dt><li><li></li></li>`.
                Name::Li | Name::Dd | Name::Dt => popped.is(IN_P),
                Name::Form | Name::Object | Name::Table => true,
                // Others end no special element in theirs.
                _ => name.is_block_end() || name.is_heading() || RULES[name as usize].misnested_in == 0,
            };
            self.is_doubtful |= !is_exact;
        }
        if self.is_ended(&self.current, name, start) {
            self.pop();
        } else {
            self.is_doubtful = true;
        }
    }

    /// Handles a `</p>` without an open `<p>`: the parser adds an empty one, and the text before is in none.
    fn end_closed(&mut self) {
        self.has_stray_ends = true;
        let depth = self.around.len();
        let is_alive = |closed: &ClosedParagraph| {
            let open =
                if closed.depth == depth { Some(&self.current) } else { self.around.get(closed.depth) };
            open.is_some_and(|open| open.is(HAS_CLOSED))
        };
        while self.closed_paragraphs.last().is_some_and(|last| !is_alive(last)) {
            self.closed_paragraphs.pop();
        }
        let Some(closed) = self.closed_paragraphs.pop() else { return };
        let ClosedParagraph { start, cause, is_certain, .. } = closed;
        // By the tags, this also ends the elements in it.
        self.is_doubtful |= !is_certain || closed.depth != depth;
        let parent = start as usize..start as usize + b"<p".len();
        let name = |tag: &Range<usize>| written_name(self.text, tag);
        let is_known = self.found.iter().any(|known| name(&known.cause).eq_ignore_ascii_case(name(&cause)));
        if !is_known && self.found.len() < MAX_FOUND {
            self.found.push(Misnested { how: Misnesting::ClosesParent, cause, parent, marked: None });
        }
    }

    /// Handles a tag at the border of SVG or `MathML`, or in it.
    fn foreign(&mut self, tag: &Tag, is_end: bool, before: Namespace, after: Namespace) {
        match (before, after) {
            (Namespace::Html, _) if is_end => self.end(tag.name, tag.range.start),
            (Namespace::Html, _) => {
                self.is_doubtful |= self.current.is(TABLE);
                self.push(tag.name, &StartRule::foreign(tag.name), tag.range.start);
            }
            (_, Namespace::Html) if is_end => {
                self.is_doubtful |= !matches!(tag.name, Name::Svg | Name::Math);
                self.end(tag.name, tag.range.start);
            }
            (_, Namespace::Html) => {
                let is_part = tag.name.is_svg_integration_point() || tag.name.is_math_text();
                self.is_doubtful |= !is_part;
                self.push(tag.name, &StartRule::foreign(tag.name), tag.range.start);
            }
            // An end tag may close an HTML element around.
            _ if is_end => {
                self.is_doubtful |= match tag.name {
                    Name::Svg | Name::Math => false,
                    // The parser may have added it.
                    Name::Tr | Name::Tbody => true,
                    name => self.is_end_of_open(name, tag.range.start),
                };
            }
            _ => {}
        }
    }

    /// Handles a tag that its rule decides alone: most do not depend on the elements around. Returns whether it did.
    #[inline(always)]
    fn is_decided(&mut self, name: Name, is_end: bool, range: &Range<usize>) -> bool {
        if !self.is_usual || self.current.is(TABLE) {
            return false;
        }
        if is_end {
            if !self.is_ended(&self.current, name, range.start) {
                return false;
            }
            self.pop();
        } else {
            let rule = &RULES[name as usize];
            if self.current.is(rule.unusual_in) || self.around.len() >= MAX_DEPTH {
                return false;
            }
            self.push(name, rule, range.start);
        }
        self.end = range.end;
        true
    }

    /// Handles a tag that its rule does not decide alone.
    #[inline(never)]
    fn unusual_tag(&mut self, tag: &Tag, is_end: bool, content: Namespace) {
        if (self.is_doubtful || self.is_too_deep) && self.part == Part::Body {
            return;
        }
        self.text_before(tag.range.start);
        self.end = tag.range.end;
        if self.part != Part::Body {
            self.tag_in_head(tag.name, is_end);
            if self.part != Part::Head {
                self.head_end.get_or_insert(tag.range.start);
            }
        }
        if self.left_head && (tag.name == Name::Head && is_end || tag.name == Name::Body && !is_end) {
            self.is_doubtful = true;
        }
        let before = std::mem::replace(&mut self.namespace, content);
        if before != Namespace::Html || content != Namespace::Html {
            self.foreign(tag, is_end, before, content);
        } else if is_end {
            self.end(tag.name, tag.range.start);
        } else if tag.is_empty && matches!(tag.name, Name::Svg | Name::Math) {
            self.is_doubtful |= self.current.is(TABLE);
        } else {
            self.start(tag.name, &tag.range);
        }
        self.is_too_deep |= self.around.len() > MAX_DEPTH;
        self.is_doubtful |= self.has_stray_ends && self.is_too_deep;
        self.is_usual = self.part == Part::Body
            && self.namespace == Namespace::Html
            && !(self.is_doubtful || self.is_too_deep || self.left_open_head);
    }
}

impl TagSink for NestingFilter<'_> {
    #[inline(always)]
    fn tag(&mut self, tag: &Tag, content: Namespace) {
        let is_end = tag.name_range.start - tag.range.start == 2;
        if content != Namespace::Html || !self.is_decided(tag.name, is_end, &tag.range) {
            self.unusual_tag(tag, is_end, content);
        }
    }

    #[inline(always)]
    fn skipped(&mut self, tag: TagAt) {
        if !self.is_decided(tag.element, tag.is_end, &(tag.start..tag.end)) {
            self.unusual_tag(&tag.into(), tag.is_end, Namespace::Html);
        }
    }

    #[inline(always)]
    fn comment(&mut self, range: Range<usize>) {
        self.text_before(range.start);
        self.end = range.end;
    }
}
