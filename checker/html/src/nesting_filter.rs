//! Decides in the pass over a page's tags whether some of its markup may be misnested, so that only such pages need their
//! nesting. It also knows where the head ends.
//!
//! It tracks the open elements by their tags, with omitted end tags, and stops at the first doubt.

use std::ops::Range;

use crate::element::{Name, Namespace};
use crate::scan::is_space;
use crate::tag_reader::TagSink;
use crate::tokenizer::Tag;

/// Maximum depth of elements: that of browsers, which change the nesting of deeper ones. Reading such a page takes much
/// memory.
const MAX_DEPTH: usize = 512;

// Open elements that a start tag may close, or that make it ineffective.
const PARAGRAPH: u16 = 1;
const LINK: u16 = 1 << 1;
const BUTTON: u16 = 1 << 2;
const FORM: u16 = 1 << 3;
const SELECT: u16 = 1 << 4;
const NOBR: u16 = 1 << 5;
const ITEM: u16 = 1 << 6;
const DESCRIPTION: u16 = 1 << 7;
/// Not an open element, but that the current one is a part of a table other than a cell or a caption.
const TABLE: u16 = 1 << 8;

/// The kinds of current elements that tags depend on, as a set: those with optional end tags, and headings.
const NO_KIND: u32 = 0;
const OPTIONAL: u32 = 1;
const IN_P: u32 = 1 << 1;
const IN_LI: u32 = 1 << 2;
const IN_DT: u32 = 1 << 3;
const IN_OPTION: u32 = 1 << 4;
const IN_OPTGROUP: u32 = 1 << 5;
const IN_RUBY_PART: u32 = 1 << 6;
const IN_CELL: u32 = 1 << 7;
const IN_ROW: u32 = 1 << 8;
const IN_BODY: u32 = 1 << 9;
const IN_COLGROUP: u32 = 1 << 10;
const IN_CAPTION: u32 = 1 << 11;
const IN_HEAD: u32 = 1 << 12;
const IN_TABLE: u32 = 1 << 13;
const IN_HEADING: u32 = 1 << 14;
const IN_RAW: u32 = 1 << 15;
const IN_TEMPLATE: u32 = 1 << 16;
/// The kinds of current elements whose end tags the parser implies before most others (13.2.6.3).
const IMPLIED: u32 = IN_P | IN_LI | IN_DT | IN_OPTION | IN_OPTGROUP | IN_RUBY_PART;

/// The effects of a start tag on the open elements.
#[derive(Clone, Copy)]
struct StartRule {
    /// The kinds of current elements whose omitted end tags it implies.
    ends: u32,
    /// The kind of current element that it needs; 0 for any.
    needs: u32,
    /// The kind of current element in which the parser adds another one around it.
    adds_in: u32,
    /// The kinds of current elements in which it is misnested.
    misplaced_in: u32,
    /// The open elements with which it is misnested.
    conflicts: u16,
    /// The open elements that those in it cannot reach.
    hides: u16,
    /// The open element that it is.
    opens: u16,
    /// The kind that it is as the current element.
    kind: u32,
    /// Whether it has no content.
    is_void: bool,
}

static RULES: [StartRule; Name::COUNT] = {
    let mut rules = [rule(Name::Other); Name::COUNT];
    let mut index = 0;
    while index + 1 < Name::COUNT {
        rules[index] = rule(Name::ALL[index]);
        index += 1;
    }
    rules
};

/// Returns the rule of a name (HTML standard, 13.2.6.4).
const fn rule(name: Name) -> StartRule {
    use Name::{
        A, Applet, Button, Caption, Col, Colgroup, Dd, Dt, Form, Head, Hr, Input, Li, Listing, Marquee, Nobr,
        Object, Optgroup, Option, P, Plaintext, Pre, Rb, Rp, Rt, Rtc, Script, Select, Style, Table, Tbody,
        Td, Template, Tfoot, Th, Thead, Tr, Xmp,
    };
    let is_item = matches!(name, Li | Dd | Dt);
    let is_heading = name.is_heading();
    let ends_paragraph = name.is_block_start()
        || is_heading
        || is_item
        || matches!(name, Pre | Listing | Form | Plaintext | Table | Hr | Xmp);
    let mut rule = StartRule {
        ends: if ends_paragraph { IN_P | IN_COLGROUP } else { IN_COLGROUP },
        needs: 0,
        adds_in: 0,
        misplaced_in: if is_heading { IN_HEADING } else { 0 },
        conflicts: if ends_paragraph { TABLE | PARAGRAPH } else { TABLE },
        hides: if name.is_special(Namespace::Html) && !matches!(name, Name::Address | Name::Div | P) {
            ITEM | DESCRIPTION
        } else {
            0
        },
        opens: 0,
        kind: if is_heading { IN_HEADING } else { NO_KIND },
        is_void: name.is_void(),
    };
    match name {
        P => (rule.opens, rule.kind) = (PARAGRAPH, IN_P | OPTIONAL),
        A => (rule.opens, rule.conflicts) = (LINK, TABLE | LINK),
        Button => {
            (rule.opens, rule.conflicts) = (BUTTON, TABLE | BUTTON);
            rule.hides |= PARAGRAPH;
        }
        Form => (rule.opens, rule.conflicts) = (FORM, TABLE | PARAGRAPH | FORM),
        Select => {
            (rule.opens, rule.conflicts) = (SELECT, TABLE | SELECT);
            rule.hides |= PARAGRAPH | BUTTON;
        }
        Input => rule.conflicts = TABLE | SELECT,
        Nobr => (rule.opens, rule.conflicts) = (NOBR, TABLE | NOBR),
        Li => {
            rule.ends |= IN_LI;
            (rule.opens, rule.kind, rule.conflicts) = (ITEM, IN_LI | OPTIONAL, TABLE | PARAGRAPH | ITEM);
        }
        Dd | Dt => {
            rule.ends |= IN_DT;
            rule.conflicts = TABLE | PARAGRAPH | DESCRIPTION;
            (rule.opens, rule.kind) = (DESCRIPTION, IN_DT | OPTIONAL);
        }
        Option => {
            rule.ends |= IMPLIED & !IN_OPTGROUP;
            rule.kind = IN_OPTION | OPTIONAL;
        }
        Optgroup => {
            rule.ends |= IMPLIED;
            rule.kind = IN_OPTGROUP | OPTIONAL;
        }
        Rb | Rtc | Rp | Rt => {
            rule.ends |= IMPLIED;
            rule.kind = IN_RUBY_PART | OPTIONAL;
        }
        Hr => rule.ends |= IMPLIED,
        Head => rule.kind = IN_HEAD | OPTIONAL,
        Name::Body => rule.ends = IN_HEAD,
        Table => {
            rule.hides |= PARAGRAPH | BUTTON | SELECT;
            (rule.opens, rule.kind) = (TABLE, IN_TABLE);
        }
        Caption => {
            rule.ends |= IMPLIED | IN_CELL | IN_ROW | IN_BODY | IN_CAPTION;
            (rule.needs, rule.conflicts, rule.kind) = (IN_TABLE, 0, IN_CAPTION | OPTIONAL);
            rule.hides = PARAGRAPH | LINK | BUTTON | SELECT | ITEM | DESCRIPTION | TABLE;
        }
        Colgroup | Tbody | Tfoot | Thead => {
            rule.ends |= IMPLIED | IN_CELL | IN_ROW | IN_BODY | IN_CAPTION;
            (rule.needs, rule.conflicts) = (IN_TABLE, 0);
            rule.kind = if matches!(name, Colgroup) { IN_COLGROUP | OPTIONAL } else { IN_BODY | OPTIONAL };
        }
        Col => {
            rule.ends = IN_CAPTION;
            (rule.needs, rule.adds_in, rule.conflicts) = (IN_COLGROUP | IN_TABLE, IN_TABLE, 0);
        }
        Tr => {
            rule.ends |= IMPLIED | IN_CELL | IN_ROW | IN_CAPTION;
            (rule.needs, rule.adds_in, rule.conflicts) = (IN_BODY | IN_TABLE, IN_TABLE, 0);
            rule.kind = IN_ROW | OPTIONAL;
        }
        Td | Th => {
            rule.ends |= IMPLIED | IN_CELL | IN_CAPTION;
            (rule.needs, rule.adds_in, rule.conflicts) = (IN_ROW | IN_BODY | IN_TABLE, IN_BODY | IN_TABLE, 0);
            rule.kind = IN_CELL | OPTIONAL;
            rule.hides = PARAGRAPH | LINK | BUTTON | SELECT | ITEM | DESCRIPTION | TABLE;
        }
        Script | Style => {
            rule.ends = 0;
            (rule.conflicts, rule.kind, rule.hides) = (0, IN_RAW, TABLE);
        }
        Template => {
            rule.ends = 0;
            (rule.conflicts, rule.hides, rule.kind) = (0, u16::MAX, IN_TEMPLATE);
        }
        Applet | Marquee | Object => rule.hides |= PARAGRAPH | LINK | BUTTON | SELECT,
        Name::Title | Name::Noscript | Name::Noframes | Name::Textarea | Name::Iframe => rule.kind = IN_RAW,
        _ => {}
    }
    rule
}

/// An open element.
#[derive(Clone, Copy)]
struct Open {
    name: Name,
    /// The kind of the element around it.
    kind_around: u32,
    /// The open elements around it.
    elements_around: u16,
}

/// The part of the page that is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The head, or what is before it.
    Head,
    /// Between the head and the body.
    AfterHead,
    Body,
}

/// Finds out whether some markup of a page may be misnested.
pub struct NestingFilter<'t> {
    text: &'t [u8],
    stack: Vec<Open>,
    /// The kind of the current element.
    kind: u32,
    /// The open elements.
    open: u16,
    /// The namespace of the content at `end`.
    namespace: Namespace,
    /// The end of the last tag or comment.
    end: usize,
    part: Part,
    /// Whether the head ended without a tag that says so.
    left_head: bool,
    /// Whether the parser adds elements that are not written.
    adds_elements: bool,
    /// Whether some markup may be misnested. Then the rest is not tracked.
    is_doubtful: bool,
    /// Whether the elements are too deep to track. Then nothing more is found.
    is_too_deep: bool,
}

impl<'t> NestingFilter<'t> {
    /// Starts before the first tag. The filter finds nothing in text that is not a page.
    #[must_use]
    pub fn new(text: &'t [u8], is_page: bool) -> Self {
        NestingFilter {
            text,
            stack: Vec::new(),
            kind: NO_KIND,
            open: 0,
            namespace: Namespace::Html,
            end: 0,
            part: if is_page { Part::Head } else { Part::Body },
            left_head: false,
            adds_elements: false,
            is_doubtful: !is_page,
            is_too_deep: false,
        }
    }

    /// Whether some markup may be misnested.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    /// Whether the parser adds elements around some that are written, such as `tbody`.
    #[must_use]
    pub fn adds_elements(&self) -> bool {
        self.adds_elements
    }

    /// Whether the last tag is in the body, so that it is no metadata of the page.
    #[must_use]
    pub fn is_in_body(&self) -> bool {
        self.part == Part::Body
    }

    /// Handles the text after the last tag.
    pub fn end_of_page(&mut self, end: usize) {
        self.text_before(end);
    }

    fn has_text(&self, range: Range<usize>) -> bool {
        self.text.get(range).is_some_and(|text| !text.iter().all(|byte| is_space(*byte)))
    }

    /// Handles the text before a tag or a comment that begins here.
    #[inline(always)]
    fn text_before(&mut self, start: usize) {
        if (self.open & TABLE != 0 || self.part != Part::Body)
            && self.kind & IN_RAW == 0
            && self.has_text(self.end..start)
        {
            self.is_doubtful |= self.open & TABLE != 0;
            if self.part != Part::Body && self.kind & IN_TEMPLATE == 0 {
                self.leave_head();
            }
        }
    }

    #[cold]
    fn leave_head(&mut self) {
        self.left_head = self.part == Part::Head;
        self.part = Part::Body;
    }

    /// Handles a tag before the body.
    #[cold]
    fn tag_in_head(&mut self, name: Name, is_end: bool) {
        let is_in_template = self.open_templates();
        match (name, is_end) {
            _ if is_in_template => {}
            (Name::Body | Name::Frameset, false) => self.part = Part::Body,
            (Name::Head, true) => self.part = Part::AfterHead,
            (Name::Body | Name::Html | Name::Br, true) => self.leave_head(),
            (Name::Html | Name::Head, false) | (_, true) => {}
            (Name::Noscript, false) if self.part == Part::Head => {}
            (name, false) if name.is_head_content() => {}
            _ => self.leave_head(),
        }
    }

    fn open_templates(&self) -> bool {
        self.stack.iter().any(|open| open.name == Name::Template)
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Open> {
        let last = self.stack.pop()?;
        (self.kind, self.open) = (last.kind_around, last.elements_around);
        Some(last)
    }

    #[inline(always)]
    fn start(&mut self, name: Name) {
        let rule = &RULES[name as usize];
        while self.kind & rule.ends != 0 {
            self.pop();
        }
        let is_misplaced = self.open & rule.conflicts != 0 || self.kind & rule.misplaced_in != 0;
        if is_misplaced || rule.needs != 0 && self.kind & rule.needs == 0 {
            self.is_doubtful = true;
        }
        self.adds_elements |= self.kind & rule.adds_in != 0;
        if !rule.is_void {
            self.push(name, rule);
        }
    }

    #[inline(always)]
    fn push(&mut self, name: Name, rule: &StartRule) {
        self.stack.push(Open { name, kind_around: self.kind, elements_around: self.open });
        self.is_too_deep |= self.stack.len() > MAX_DEPTH;
        self.kind = rule.kind;
        self.open = self.open & !rule.hides | rule.opens;
    }

    #[inline(always)]
    fn end(&mut self, name: Name) {
        match self.stack.last() {
            Some(last) if last.name == name => {
                self.pop();
            }
            _ => self.unusual_end(name),
        }
    }

    /// Handles an end tag that is not that of the current element.
    #[cold]
    fn unusual_end(&mut self, name: Name) {
        let is_open = self.stack.iter().any(|open| open.name == name);
        if !is_open {
            // The parser ignores it, unless a start tag closed its element.
            self.is_doubtful |=
                matches!(name, Name::P | Name::Br) || RULES[name as usize].kind & OPTIONAL != 0;
            return;
        }
        while self.kind & OPTIONAL != 0 {
            if self.pop().is_some_and(|open| open.name == name) {
                return;
            }
        }
        if self.stack.last().is_some_and(|last| last.name == name) {
            self.pop();
        } else {
            self.is_doubtful = true;
        }
    }

    /// Handles a tag at the border of SVG or `MathML`, or in it.
    #[cold]
    fn foreign(&mut self, tag: &Tag, is_end: bool, before: Namespace, after: Namespace) {
        match (before, after) {
            (Namespace::Html, _) if is_end => self.end(tag.name),
            (Namespace::Html, _) => {
                self.is_doubtful |= self.open & TABLE != 0;
                self.push_foreign(tag.name);
            }
            (_, Namespace::Html) if is_end => {
                self.is_doubtful |= !matches!(tag.name, Name::Svg | Name::Math);
                self.end(tag.name);
            }
            (_, Namespace::Html) => {
                let is_part = tag.name.is_svg_integration_point() || tag.name.is_math_text();
                self.is_doubtful |= !is_part;
                self.push_foreign(tag.name);
            }
            // An end tag may close an HTML element around.
            _ if is_end => {
                let is_custom = || self.text[tag.name_range.clone()].contains(&b'-');
                let is_open = self.stack.iter().any(|open| open.name == tag.name);
                self.is_doubtful |= is_open
                    && !matches!(tag.name, Name::Svg | Name::Math)
                    && (tag.name != Name::Other || is_custom());
            }
            _ => {}
        }
    }

    fn push_foreign(&mut self, name: Name) {
        let rule = StartRule {
            hides: PARAGRAPH | BUTTON | SELECT | TABLE,
            kind: NO_KIND,
            opens: 0,
            ..RULES[name as usize]
        };
        self.push(name, &rule);
    }
}

impl TagSink for NestingFilter<'_> {
    #[inline(always)]
    fn tag(&mut self, tag: &Tag, content: Namespace) {
        if (self.is_doubtful || self.is_too_deep) && self.part == Part::Body {
            return;
        }
        let is_end = tag.name_range.start - tag.range.start == 2;
        self.text_before(tag.range.start);
        self.end = tag.range.end;
        if self.part != Part::Body {
            self.tag_in_head(tag.name, is_end);
        }
        if self.left_head && (tag.name == Name::Head && is_end || tag.name == Name::Body && !is_end) {
            self.is_doubtful = true;
        }
        let before = std::mem::replace(&mut self.namespace, content);
        if before != Namespace::Html || content != Namespace::Html {
            self.foreign(tag, is_end, before, content);
        } else if is_end {
            self.end(tag.name);
        } else if tag.is_empty && matches!(tag.name, Name::Svg | Name::Math) {
            self.is_doubtful |= self.open & TABLE != 0;
        } else {
            self.start(tag.name);
        }
    }

    #[inline(always)]
    fn comment(&mut self, range: Range<usize>) {
        self.text_before(range.start);
        self.end = range.end;
    }
}
