//! The effects of start tags on the open elements, as far as these decide whether markup may be misnested: one row for
//! each name. The open elements are one set of bits, so that one test decides whether a tag has any effect.

use crate::element::{Name, Namespace};

// The kind of the current element: those with optional end tags, headings, and others that tags depend on.
pub(crate) const OPTIONAL: u64 = 1;
pub(crate) const IN_P: u64 = 1 << 1;
const IN_LI: u64 = 1 << 2;
const IN_DT: u64 = 1 << 3;
const IN_OPTION: u64 = 1 << 4;
const IN_OPTGROUP: u64 = 1 << 5;
const IN_RUBY_PART: u64 = 1 << 6;
const IN_CELL: u64 = 1 << 7;
const IN_ROW: u64 = 1 << 8;
const IN_BODY: u64 = 1 << 9;
const IN_COLGROUP: u64 = 1 << 10;
const IN_CAPTION: u64 = 1 << 11;
const IN_HEAD: u64 = 1 << 12;
const IN_TABLE: u64 = 1 << 13;
const IN_HEADING: u64 = 1 << 14;
pub(crate) const IN_RAW: u64 = 1 << 15;
pub(crate) const IN_TEMPLATE: u64 = 1 << 16;
const IN_RUBY: u64 = 1 << 17;
/// The kinds of current elements whose end tags the parser implies before most others (13.2.6.3).
pub(crate) const IMPLIED: u64 = IN_P | IN_LI | IN_DT | IN_OPTION | IN_OPTGROUP | IN_RUBY_PART;

// Open elements that a start tag may close, or that make it ineffective.
pub(crate) const PARAGRAPH: u64 = 1 << 20;
const LINK: u64 = 1 << 21;
const BUTTON: u64 = 1 << 22;
const FORM: u64 = 1 << 23;
const SELECT: u64 = 1 << 24;
const NOBR: u64 = 1 << 25;
const ITEM: u64 = 1 << 26;
const DESCRIPTION: u64 = 1 << 27;
/// Not an open element, but that the current one is a part of a table other than a cell or a caption.
pub(crate) const TABLE: u64 = 1 << 28;
const ALL: u64 = PARAGRAPH | LINK | BUTTON | FORM | SELECT | NOBR | ITEM | DESCRIPTION | TABLE;

/// That the parser closed a `<p>` in the current element before its end tag.
pub(crate) const HAS_CLOSED: u64 = 1 << 29;
/// Is always set: tags that need more than the test of their rule test it.
pub(crate) const ANY: u64 = 1 << 30;

/// The effects of a start tag on the open elements.
#[derive(Clone, Copy)]
pub(crate) struct StartRule {
    /// The elements in which it has any effect but that it is open, or which its content does not inherit.
    pub unusual_in: u64,
    /// The open elements that those in it can reach.
    pub keeps: u64,
    /// The kind of current element and the open element that it is.
    pub is: u64,
    /// The kinds of current elements whose omitted end tags it implies.
    pub ends: u64,
    /// The kind of current element that it needs.
    pub needs: u64,
    /// The kind of current element in which the parser adds another one around it.
    pub adds_in: u64,
    /// The kinds of current elements, and the open elements, in which it is misnested.
    pub misnested_in: u64,
    /// Whether it has no content.
    pub is_void: bool,
}

pub(crate) static RULES: [StartRule; Name::COUNT] = {
    let mut rules = [rule(Name::Other); Name::COUNT];
    let mut index = 0;
    while index + 1 < Name::COUNT {
        rules[index] = rule(Name::ALL[index]);
        index += 1;
    }
    rules
};

/// Whether the start tag of an element implies the omitted end tag of the current one (HTML standard, 13.2.6.4).
pub fn implies_end(current: Name, next: Name) -> bool {
    RULES[next as usize].ends & RULES[current as usize].is != 0
}

impl StartRule {
    /// Returns the rule of an element of SVG or `MathML`.
    pub(crate) fn foreign(name: Name) -> StartRule {
        let keeps = ALL & !(PARAGRAPH | BUTTON | SELECT | TABLE);
        StartRule { keeps, is: ANY, ..RULES[name as usize] }
    }
}

/// Returns the rule of a name (HTML standard, 13.2.6.4).
const fn rule(name: Name) -> StartRule {
    use Name::{
        A, Applet, Body, Button, Caption, Col, Colgroup, Dd, Dt, Form, Frameset, Head, Hr, Iframe, Input, Li,
        Marquee, Math, Nobr, Noframes, Noscript, Object, Optgroup, Option, P, Rb, Rp, Rt, Rtc, Ruby, Script,
        Select, Style, Svg, Table, Tbody, Td, Template, Textarea, Tfoot, Th, Thead, Title, Tr,
    };
    let is_heading = name.is_heading();
    let ends_paragraph = name.ends_paragraph();
    let bounds_items = name.is_special(Namespace::Html) && !matches!(name, Name::Address | Name::Div | P);
    let heading = if is_heading { IN_HEADING } else { 0 };
    let mut rule = StartRule {
        unusual_in: 0,
        keeps: if bounds_items { ALL & !(ITEM | DESCRIPTION) } else { ALL },
        is: ANY | heading,
        ends: if ends_paragraph { IN_P | IN_COLGROUP } else { IN_COLGROUP },
        needs: ANY,
        adds_in: 0,
        misnested_in: if ends_paragraph { TABLE | PARAGRAPH | heading } else { TABLE },
        is_void: name.is_void(),
    };
    match name {
        P => rule.is |= PARAGRAPH | IN_P | OPTIONAL,
        A => (rule.is, rule.misnested_in) = (ANY | LINK, TABLE | LINK),
        Button => {
            (rule.is, rule.misnested_in) = (ANY | BUTTON, TABLE | BUTTON);
            rule.keeps &= !PARAGRAPH;
        }
        Form => (rule.is, rule.misnested_in) = (ANY | FORM, TABLE | PARAGRAPH | FORM),
        Select => {
            (rule.is, rule.misnested_in) = (ANY | SELECT, TABLE | SELECT);
            rule.keeps &= !(PARAGRAPH | BUTTON);
        }
        Input => rule.misnested_in = TABLE | SELECT,
        Nobr => (rule.is, rule.misnested_in) = (ANY | NOBR, TABLE | NOBR),
        Li => {
            rule.ends |= IN_LI;
            (rule.is, rule.misnested_in) = (ANY | ITEM | IN_LI | OPTIONAL, TABLE | PARAGRAPH | ITEM);
        }
        Dd | Dt => {
            rule.ends |= IN_DT;
            rule.misnested_in = TABLE | PARAGRAPH | DESCRIPTION;
            rule.is |= DESCRIPTION | IN_DT | OPTIONAL;
        }
        // The other elements with implied end tags end only in a `select` or a `ruby`.
        Option => {
            rule.ends |= IN_OPTION;
            rule.is |= IN_OPTION | OPTIONAL;
            rule.misnested_in |= IMPLIED & !(IN_OPTION | IN_OPTGROUP);
        }
        Optgroup => {
            rule.ends |= IN_OPTION | IN_OPTGROUP;
            rule.is |= IN_OPTGROUP | OPTIONAL;
            (rule.needs, rule.misnested_in) = (SELECT, TABLE | IMPLIED & !(IN_OPTION | IN_OPTGROUP));
        }
        Rb | Rtc | Rp | Rt => {
            rule.ends |= IN_RUBY_PART;
            (rule.is, rule.needs) = (ANY | IN_RUBY_PART | OPTIONAL, IN_RUBY);
        }
        Ruby => rule.is |= IN_RUBY,
        Hr => rule.misnested_in |= SELECT,
        Head => rule.is |= IN_HEAD | OPTIONAL,
        Body => rule.ends = IN_HEAD,
        Table => {
            rule.keeps &= !(PARAGRAPH | BUTTON | SELECT);
            rule.is |= TABLE | IN_TABLE;
        }
        Caption => {
            rule.ends |= IMPLIED | IN_CELL | IN_ROW | IN_BODY | IN_CAPTION;
            (rule.needs, rule.misnested_in) = (IN_TABLE, 0);
            (rule.is, rule.keeps) = (ANY | IN_CAPTION | OPTIONAL, FORM | NOBR);
        }
        Colgroup | Tbody | Tfoot | Thead => {
            rule.ends |= IMPLIED | IN_CELL | IN_ROW | IN_BODY | IN_CAPTION;
            (rule.needs, rule.misnested_in) = (IN_TABLE, 0);
            rule.is |= if matches!(name, Colgroup) { IN_COLGROUP | OPTIONAL } else { IN_BODY | OPTIONAL };
        }
        Col => {
            rule.ends = IN_CAPTION;
            (rule.needs, rule.adds_in, rule.misnested_in) = (IN_COLGROUP | IN_TABLE, IN_TABLE, 0);
        }
        Tr => {
            rule.ends |= IMPLIED | IN_CELL | IN_ROW | IN_CAPTION;
            (rule.needs, rule.adds_in, rule.misnested_in) = (IN_BODY | IN_TABLE, IN_TABLE, 0);
            rule.is |= IN_ROW | OPTIONAL;
        }
        Td | Th => {
            rule.ends |= IMPLIED | IN_CELL | IN_CAPTION;
            (rule.needs, rule.adds_in) = (IN_ROW | IN_BODY | IN_TABLE, IN_BODY | IN_TABLE);
            (rule.is, rule.keeps, rule.misnested_in) = (ANY | IN_CELL | OPTIONAL, FORM | NOBR, 0);
        }
        Script | Style => {
            (rule.ends, rule.misnested_in) = (0, 0);
            (rule.is, rule.keeps) = (ANY | IN_RAW, ALL & !TABLE);
        }
        // Frames replace the body, so that its nesting does not matter.
        Frameset => rule.misnested_in = ANY,
        Template => {
            (rule.ends, rule.misnested_in) = (0, 0);
            (rule.is, rule.keeps) = (ANY | IN_TEMPLATE, 0);
        }
        Applet | Marquee | Object => rule.keeps &= !(PARAGRAPH | LINK | BUTTON | SELECT),
        Title | Noscript | Noframes | Textarea | Iframe => rule.is |= IN_RAW,
        _ => {}
    }
    let needs_steps = rule.is_void || rule.needs != ANY || matches!(name, Body | Head | Table | Svg | Math);
    rule.unusual_in = rule.ends | rule.adds_in | rule.misnested_in | if needs_steps { ANY } else { 0 };
    rule
}
