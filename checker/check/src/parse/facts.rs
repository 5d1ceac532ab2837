//! Facts: what one file says, as a value.
//!
//! They are made from the file's bytes and the contract alone; no other file is looked at, and nothing above reads
//! the bytes again but to show an excerpt. They own all their text, so that they outlive the bytes.

use std::ops::Range;

use super::about::About;
use super::damage::Damage;
use super::idrefs::IdAttribute;
use super::reference::{Reference, Value};
use super::reference_kind::ReferenceKind;
use sitegate_script::{Goal, ImportMap};

/// Bytes of an address that others are relative to, at the most: each of those is put behind it.
pub(super) const LONGEST_BASE: u32 = 2048;

/// A file, or a part of one, that cannot be read as what it says it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// What it should be: `SVG`, `JSON-LD` …
    pub what: &'static str,
    /// The parser's reason.
    pub reason: String,
    /// Where it gave up.
    pub span: Range<u32>,
}

/// An element that one of the contract's selectors matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Which assertion, by its place in the contract.
    pub assertion: usize,
    /// The start tag.
    pub span: Range<u32>,
    /// The attributes that the assertion asks for and that are there, decoded.
    pub attributes: Vec<(String, String)>,
    /// Its text with white space folded, where the assertion asks for it.
    pub text: Option<String>,
}

/// An id that several elements of a page have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedId {
    /// The id.
    pub id: Value,
    /// How many elements have it.
    pub count: usize,
    /// The line of the first, from 1.
    pub first_line: usize,
    /// The second, in bytes.
    pub second: Range<u32>,
}

/// A part of a page that is not closed before the page ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unclosed {
    /// What it is.
    pub part: UnclosedPart,
    /// Where it begins.
    pub span: Range<u32>,
    /// The bytes from there to the end.
    pub lost: u32,
}

/// What of a page can be left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnclosedPart {
    /// A tag, which is then dropped.
    Tag,
    /// A comment, which takes in what follows.
    Comment,
    /// An element that takes in what follows as text, by its name: `script`, `title` …
    Element(Box<str>),
}

/// An id that an attribute names and no element has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DanglingId {
    /// The attribute.
    pub attribute: IdAttribute,
    /// The id.
    pub id: Value,
    /// The id of the page that was most likely meant.
    pub near: Option<Value>,
    /// Where it is named.
    pub span: Range<u32>,
}

/// Bytes that are not text in the encoding of their file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadBytes {
    /// Somewhere, in the encoding that the page declares: its name.
    Declared(&'static str),
    /// This byte, at this offset, in UTF-8.
    Utf8(u8, u32),
}

/// One exception as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineIgnore {
    /// What it says: rules, then `:` and the reason.
    pub text: String,
    /// The bytes of that.
    pub span: Range<u32>,
    /// The reason, where the element gives it in an attribute of its own.
    pub reason: Option<String>,
    /// The bytes it covers; `None` for the whole file.
    pub scope: Option<Range<u32>>,
}

/// Where a page's script is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptSource {
    /// In the file that this reference leads to, by its place.
    File(u32),
    /// In the page: its text, and where that begins.
    Inline(Value, u32),
}

/// A script that a page runs, or gets ready to run, and that may load something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageScript {
    /// Where it is.
    pub source: ScriptSource,
    /// As what it is run; `None` where the page does not say.
    pub goal: Option<Goal>,
}

/// What speculation rules name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speculation {
    /// An address, or a pattern of addresses.
    pub text: Value,
    /// Where it stands.
    pub span: Range<u32>,
    /// Whether it is a pattern.
    pub is_pattern: bool,
}

/// What one file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Every text that is kept, one after the other.
    text: String,
    /// Its references, in the order they were met.
    pub references: Vec<Reference>,
    /// What fragments can reach, as sorted hashes (see `super::anchors`).
    pub anchors: Vec<u64>,
    /// The ids that several elements have, in the order of their first places.
    pub repeated_ids: Vec<RepeatedId>,
    /// The ids that attributes name and no element of their tree has, in the order of places.
    pub dangling_ids: Vec<DanglingId>,
    /// The first `<base href>`.
    pub base: Option<Value>,
    /// What it says of itself.
    pub about: About,
    /// The names of `map` elements, and their ids.
    pub maps: Vec<Value>,
    /// The `usemap` attributes.
    pub usemaps: Vec<(Value, Range<u32>)>,
    /// The `content` of refreshes that no browser obeys.
    pub idle_refreshes: Vec<Range<u32>>,
    /// What could not be read as what it says it is.
    pub malformed: Vec<Malformed>,
    /// What is not closed before the page ends.
    pub unclosed: Option<Unclosed>,
    /// Why it is not what its name says; only where a rule needs it.
    pub damage: Option<Damage>,
    /// The first bytes that are not text.
    pub bad_bytes: Option<BadBytes>,
    /// What the contract's selectors matched, by assertions, and then in document order.
    pub matches: Vec<Match>,
    /// What the contract forbids and the source holds, in the order of places.
    pub forbidden: Vec<(Value, Range<u32>)>,
    /// The digest of its bytes that the contract asks for, in hexadecimal.
    pub digest: Option<String>,
    /// The exceptions that are written in it, in the order of places.
    pub ignores: Vec<InlineIgnore>,
    /// The scripts that may load something.
    pub scripts: Vec<PageScript>,
    /// What its import maps say, together.
    pub import_map: Option<ImportMap>,
    /// What its speculation rules name.
    pub speculations: Vec<Speculation>,
}

impl Facts {
    /// A value's text.
    pub fn text(&self, value: Value) -> &str {
        if value.in_source {
            ""
        } else {
            self.text.get(value.start as usize..value.end as usize).unwrap_or("")
        }
    }

    /// The page's title, white space folded; empty where there is none.
    pub fn title(&self) -> &str {
        self.about.title.as_ref().map_or("", |(title, _)| self.text(*title))
    }

    /// Whether this is not a document but a part of one, for scripts to load.
    pub fn is_part(&self) -> bool {
        let about = &self.about;
        about.html.is_none() && about.title.is_none() && about.charset_end.is_none() && !about.has_doctype
    }

    /// Keeps a text.
    pub(super) fn keep(&mut self, text: &str) -> Value {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        Value { start, end: self.text.len() as u32, in_source: false }
    }

    /// Adds a reference.
    pub(super) fn push(&mut self, kind: ReferenceKind, value: Option<Value>, span: Range<u32>) {
        self.references.push(Reference { kind, value, span });
    }

    /// Adds a reference out of a style sheet.
    pub(super) fn push_css(&mut self, kind: ReferenceKind, url: &str, span: Range<u32>) {
        let value = Some(self.keep(url));
        self.push(kind, value, span);
    }

    /// Empties them for the next file. The largest buffers keep their memory.
    pub(super) fn clear(&mut self) {
        let Facts { mut text, mut references, mut anchors, .. } = std::mem::take(self);
        text.clear();
        references.clear();
        anchors.clear();
        *self = Facts { text, references, anchors, ..Facts::default() };
    }
}
