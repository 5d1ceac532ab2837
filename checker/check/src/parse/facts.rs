//! Facts: everything that rules need to know about one file.
//!
//! They depend only on the file's bytes and the contract, not on other files. They own all their text, so that they
//! outlive the bytes. Later stages read the bytes again only to show a snippet.

use std::ops::Range;

use super::damage::Damage;
use super::leak::Leak;
use super::page_metadata::{ElementNote, IgnoredValue, NoteKind, PageMetadata};
use super::reference::{Reference, Value};
use super::reference_kind::ReferenceKind;
use sitegate_html::attribute_name::IdAttribute;
use sitegate_html::css::CssUse;
pub use sitegate_html::misnesting::Misnesting as MisnestedEffect;
use sitegate_script::{Goal, ImportMap};

/// Maximum length of a base URL in bytes. Every relative URL is appended to it.
pub(super) const MAX_BASE: u32 = 2048;

/// A file, or a part of one, that its readers reject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The expected format: `SVG`, `JSON-LD` …
    pub format: &'static str,
    /// The parser's message, or the reason of its readers.
    pub reason: String,
    /// The location of the error.
    pub span: Range<u32>,
    /// Whether it parses, but means nothing that its readers accept.
    pub parses: bool,
}

impl Malformed {
    /// Creates an error of the parser.
    pub fn syntax(format: &'static str, reason: impl Into<String>, span: Range<u32>) -> Malformed {
        Malformed { format, reason: reason.into(), span, parses: false }
    }

    /// Creates an error in a document that parses.
    pub fn meaning(format: &'static str, reason: impl Into<String>, span: Range<u32>) -> Malformed {
        Malformed { format, reason: reason.into(), span, parses: true }
    }
}

/// An element that a selector of the contract matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Index of the assertion in the contract.
    pub assertion: usize,
    /// The start tag.
    pub span: Range<u32>,
    /// The attributes that the assertion needs and that exist, decoded.
    pub attributes: Vec<(String, String)>,
    /// Its text with white space folded, if the assertion needs it.
    pub text: Option<String>,
}

/// A target of fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnchorName {
    /// The id or name.
    pub name: Value,
    /// The kind of its element.
    pub kind: AnchorKind,
}

/// The kind of the element that fragments refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnchorKind {
    /// Authors expect links to it: a heading, a term, a section, a figure, or a named `a`.
    Heading,
    /// Any other element.
    Element,
    /// It is not rendered: a script, a style, or metadata of the head.
    Hidden,
}

/// An id that several elements of a page have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedId {
    /// The id.
    pub id: Value,
    /// Number of elements with the id.
    pub count: usize,
    /// Line of the first, from 1.
    pub first_line: usize,
    /// Location of the second.
    pub second: Range<u32>,
}

/// A part of a page that is not closed where its author closed it, or at all, so that readers lose content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unclosed {
    /// The kind of part.
    pub part: UnclosedPart,
    /// Its beginning.
    pub span: Range<u32>,
    /// Number of bytes from there to where it ends for browsers.
    pub lost: u32,
}

/// The parts of a page that can be unclosed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnclosedPart {
    /// A tag, which browsers drop.
    Tag,
    /// A comment, which includes everything after it.
    Comment,
    /// An element that includes everything after it as text, by its name: `script`, `title` …
    Element(Box<str>),
    /// An element that includes markup after it as text, up to the end tag of a later one, because `/>` does not close it.
    Slash(Box<str>),
    /// An element whose content browsers do not show, by its name, which `/>` does not close: `video`, `object` …
    Fallback(Box<str>),
    /// A template, which includes everything after it.
    Template,
}

/// Markup that browsers do not nest as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MisnestedMarkup {
    /// What browsers do.
    pub effect: MisnestedEffect,
    /// The name of the element that causes it; empty for text, and [`MARK`] for a byte order mark.
    pub element: Box<str>,
    /// The name of the element around it that matters; empty if there is none.
    pub parent: Box<str>,
    /// The framework that hydrates this part of the page, so that it needs the elements that it wrote.
    pub framework: Option<&'static str>,
    /// The location of the cause.
    pub span: Range<u32>,
}

/// The byte order mark, which is a character of text except at the start of a file.
pub(crate) const MARK: &str = "\u{feff}";

impl MisnestedMarkup {
    /// Creates the fault of a byte order mark before the head.
    pub(super) fn mark_before_head(at: usize) -> MisnestedMarkup {
        MisnestedMarkup {
            effect: MisnestedEffect::HeadEnds(Vec::new()),
            element: MARK.into(),
            parent: "".into(),
            framework: None,
            span: at as u32..(at + MARK.len()) as u32,
        }
    }
}

/// An id that an attribute refers to and no element has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingId {
    /// The attribute.
    pub attribute: &'static IdAttribute,
    /// The id.
    pub id: Value,
    /// The suggested id of the page.
    pub suggestion: Option<Value>,
    /// The location of the reference.
    pub span: Range<u32>,
}

/// Bytes that are invalid in the encoding of their file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadBytes {
    /// Invalid bytes in the declared encoding with this name.
    Declared(&'static str),
    /// The text is UTF-8, but the declared encoding has this name.
    Misdeclared(&'static str),
    /// This byte at this offset is invalid in UTF-8.
    Utf8(u8, u32),
}

/// A comment or attribute that ignores findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineIgnore {
    /// Its text: rules, then `:` and the reason. The name of the attribute, if it is one of another checker.
    pub text: String,
    /// Whether it is an attribute or a class of another checker, which ignores all rules that pages may ignore.
    pub is_foreign: bool,
    /// The bytes of the text.
    pub span: Range<u32>,
    /// The reason, if a separate attribute contains it.
    pub reason: Option<String>,
    /// The bytes that it covers; `None` for the whole file.
    pub scope: Option<Range<u32>>,
}

/// The source of a page's script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptSource {
    /// A file: the index of its reference.
    File(u32),
    /// Inline: the text, and its offset.
    Inline(Value, u32),
}

/// A script that a page runs or preloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageScript {
    /// Its source.
    pub source: ScriptSource,
    /// How it is run; `None` if the page does not state it.
    pub goal: Option<Goal>,
    /// Whether it has the attribute `async`.
    pub is_async: bool,
}

/// A script that may load AMD modules: `<script data-main="app" src="require.js">`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmdLoader {
    /// Index of its reference.
    pub reference: u32,
    /// Whether it has the name of a loader.
    pub is_named: bool,
    /// The main module, and its location.
    pub main: Option<(Value, Range<u32>)>,
}

/// A URL or a pattern in speculation rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speculation {
    /// The URL or pattern.
    pub text: Value,
    /// Its location.
    pub span: Range<u32>,
    /// Whether it is a pattern.
    pub is_pattern: bool,
}

/// The facts of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// All stored texts, concatenated.
    pub(super) text: String,
    /// References, in document order.
    pub references: Vec<Reference>,
    /// Targets of fragments, as sorted hashes (see `super::anchors`).
    pub anchors: Vec<u64>,
    /// Targets of fragments with their texts, in document order. Filled only if they are needed.
    pub anchor_names: Vec<AnchorName>,
    /// Ids that several elements have, in the order of their first occurrences.
    pub repeated_ids: Vec<RepeatedId>,
    /// Ids that attributes refer to and no element of their tree has, in the order of locations.
    pub missing_ids: Vec<MissingId>,
    /// The first `<base href>`.
    pub base: Option<Value>,
    /// Metadata of the page.
    pub metadata: PageMetadata,
    /// Names and ids of `map` elements.
    pub maps: Vec<Value>,
    /// The `usemap` attributes.
    pub usemaps: Vec<(Value, Range<u32>)>,
    /// The `content` of refreshes that browsers cannot parse.
    pub invalid_refreshes: Vec<Range<u32>>,
    /// Parts that could not be parsed.
    pub malformed: Vec<Malformed>,
    /// Parts that are not closed where their author closed them, or at all.
    pub unclosed: Vec<Unclosed>,
    /// Misnested markup: the first of each kind, in the order in which it is found.
    pub misnested: Vec<MisnestedMarkup>,
    /// Damage of the file. Filled only if a rule needs it.
    pub damage: Option<Damage>,
    /// A secret in the file. Filled only if a rule needs it.
    pub leak: Option<Leak>,
    /// The first invalid bytes.
    pub bad_bytes: Option<BadBytes>,
    /// Elements that the contract's selectors match, by assertion and document order.
    pub matches: Vec<Match>,
    /// Text that the contract forbids, in the order of locations.
    pub forbidden: Vec<(Value, Range<u32>)>,
    /// Digest of the file in hexadecimal, if the contract needs it.
    pub digest: Option<String>,
    /// Comments and attributes that ignore findings, in the order of locations.
    pub ignores: Vec<InlineIgnore>,
    /// Scripts that may load files.
    pub scripts: Vec<PageScript>,
    /// The merged import maps.
    pub import_map: Option<ImportMap>,
    /// The start of the first import map, if a module comes before it.
    pub late_import_map: Option<u32>,
    /// The first script with the name of a loader of AMD modules, or else with `data-main`.
    pub amd_loader: Option<AmdLoader>,
    /// URLs and patterns of speculation rules.
    pub speculations: Vec<Speculation>,
}

/// Appends a text to the stored ones.
pub(super) fn store(stored: &mut String, text: &str) -> Value {
    let start = stored.len() as u32;
    stored.push_str(text);
    Value { start, end: stored.len() as u32, in_source: false }
}

impl Facts {
    /// Returns a value's text.
    pub fn text(&self, value: Value) -> &str {
        if value.in_source {
            ""
        } else {
            self.text.get(value.start as usize..value.end as usize).unwrap_or("")
        }
    }

    /// Returns the page's title, with white space folded; empty if there is none.
    pub fn title(&self) -> &str {
        self.metadata.title.as_ref().map_or("", |(title, _)| self.text(*title))
    }

    /// Whether this is a fragment of a document, for scripts to load.
    pub fn is_part(&self) -> bool {
        let metadata = &self.metadata;
        metadata.html.is_none()
            && metadata.title.is_none()
            && metadata.charset_end.is_none()
            && !metadata.has_doctype
    }

    /// Stores a text.
    pub(super) fn store(&mut self, text: &str) -> Value {
        store(&mut self.text, text)
    }

    /// Adds a reference.
    pub(super) fn push(&mut self, kind: ReferenceKind, value: Option<Value>, span: Range<u32>) {
        self.references.push(Reference { kind, value, span });
    }

    /// Adds a reference whose text is not that of the source.
    pub(super) fn push_text(&mut self, kind: ReferenceKind, text: &str, span: Range<u32>) {
        let value = Some(self.store(text));
        self.push(kind, value, span);
    }

    /// Notes something that a rule may report.
    pub(super) fn note(&mut self, kind: NoteKind, span: Range<u32>) {
        self.metadata.notes.push(ElementNote { kind, span });
    }

    /// Adds a URL of a style sheet that browsers read, and notes an import that they ignore.
    pub(super) fn add_css_url(&mut self, css_use: CssUse, url: &str, span: Range<u32>) {
        if css_use == CssUse::LateImport {
            self.note(NoteKind::LateImport(url.to_owned()), span.clone());
        }
        self.push_text(ReferenceKind::of_css(css_use), url, span);
    }

    /// Notes a token in a `format()` of a style sheet that no browser knows.
    pub(super) fn note_font_format(&mut self, token: &str, span: Range<u32>) {
        let name = token.trim_matches(['"', '\'']).to_owned();
        self.note(NoteKind::IgnoredValue(IgnoredValue::FontFormat, name), span);
    }

    /// Clears the facts for the next file. The largest buffers keep their memory.
    pub(super) fn clear(&mut self) {
        let Facts { mut text, mut references, mut anchors, .. } = std::mem::take(self);
        text.clear();
        references.clear();
        anchors.clear();
        *self = Facts { text, references, anchors, ..Facts::default() };
    }
}
