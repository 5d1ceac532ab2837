//! Reads one file of the export: what it refers to, what it defines, what the contract selects in it.

mod about;
pub mod css;
pub mod descriptors;
mod encoding;
mod html;
pub mod ignores;
mod json;
pub(crate) mod kinds;
pub mod refresh;
mod robots;
mod source;
pub mod srcset;
mod text;
mod xml;

use std::ops::Range;

use crate::contract::Assertion;
use crate::resolve::Target;
use crate::walk::FileId;

pub use about::{About, Note, Noticed};
pub use encoding::has_bom;
pub use html::{base_href, parse_html};
pub use json::parse_manifest;
pub use robots::parse_robots;
pub use source::Source;
pub(crate) use source::decode_utf16;
pub use text::{decode_references, element_text};
pub use xml::parse_xml;

/// The formats that are read for references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// HTML, by the name's ending.
    Html,
    /// A style sheet.
    Css,
    /// A drawing.
    Svg,
    /// XML, which may be a sitemap or a feed.
    Xml,
    /// A web app manifest.
    Manifest,
    /// `robots.txt` at the root.
    Robots,
    /// Anything else: it counts as a target, and is not looked into.
    Other,
}

impl Format {
    /// The format of a file, by its name's ending in any case.
    pub fn of(path: &[u8]) -> Format {
        let name = path.rsplit(|&b| b == b'/').next().unwrap_or(path);
        let Some(dot) = name.iter().rposition(|&b| b == b'.') else { return Format::Other };
        let ending = &name[dot + 1..];
        let is = |wanted: &str| ending.eq_ignore_ascii_case(wanted.as_bytes());
        if is("html") || is("htm") || is("xhtml") {
            Format::Html
        } else if is("css") {
            Format::Css
        } else if is("svg") {
            Format::Svg
        } else if is("xml") || is("rss") || is("atom") {
            Format::Xml
        } else if is("webmanifest") || name == b"manifest.json" {
            Format::Manifest
        } else if path == b"robots.txt" {
            Format::Robots
        } else {
            Format::Other
        }
    }
}

/// What a reference is for, which decides what its value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A reader goes there: an empty value is this page, and the fragment must exist.
    Navigate,
    /// The browser loads it: a value is needed.
    Load,
    /// A document that this one says it is related to, such as its canonical one: a value is needed.
    Relate,
    /// A machine reads it, such as `cite`.
    Cite,
    /// An origin to connect to: never looked up.
    Connect,
}

/// One place in HTML or CSS where a reference can stand.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// The element, or `css`.
    pub element: &'static str,
    /// The attribute, or the CSS function.
    pub attribute: &'static str,
    /// What it is for.
    pub role: Role,
}

impl Role {
    /// Whether an empty value is a mistake.
    pub fn needs_value(self) -> bool {
        matches!(self, Role::Load | Role::Relate)
    }
}

impl Kind {
    /// Whether a browser goes to the fragment, so that it must exist.
    pub fn follows_fragment(&self) -> bool {
        self.role == Role::Navigate || matches!(self.element, "iframe" | "frame" | "use")
    }

    /// Whether a browser loads the file together with the page: not so of alternatives, of which it takes one, of
    /// what a style sheet asks for only where it is used, of frames, which are pages of their own, and of pictures
    /// for other sites.
    pub fn is_loaded(&self) -> bool {
        self.role == Role::Load
            && !matches!(self.attribute, "srcset" | "imagesrcset" | "url()" | "icons")
            && !matches!(self.element, "iframe" | "frame" | "meta" | "source" | "track")
    }

    /// The place in words: `<a href>`, `url()` in CSS.
    pub fn describe(&self) -> String {
        match self.element {
            "css" => format!("{} in CSS", self.attribute),
            element => match element.split_once(' ') {
                Some((element, rest)) => format!("<{element} {rest} {}>", self.attribute),
                None => format!("<{element} {}>", self.attribute),
            },
        }
    }
}

/// A value: a range of the page's source, or of its arena where it had to be decoded.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    start: u32,
    end: u32,
    in_arena: bool,
}

/// One reference.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Where it stands.
    pub kind: &'static Kind,
    /// What it says; `None` where the attribute that must be there is not.
    pub value: Option<Value>,
    /// Its bytes in the source; the start tag where there is no value.
    pub span: Range<u32>,
    /// Where it leads, once resolved.
    pub target: Target,
}

/// A file, or a part of one, that cannot be read as what it says it is.
#[derive(Clone, Debug)]
pub struct Malformed {
    /// What it should be: `SVG`, `JSON-LD` …
    pub what: &'static str,
    /// The parser's reason.
    pub reason: String,
    /// Where it gave up.
    pub span: Range<u32>,
}

/// An element that one of the contract's selectors matched.
#[derive(Clone, Debug)]
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

/// Everything that one pass over one file yields. A worker reuses it from file to file.
#[derive(Debug, Default)]
pub struct Page {
    /// The file.
    pub file: FileId,
    /// Its content.
    pub source: Source,
    /// Values that are no slice of the source: decoded character references, `srcdoc`.
    arena: String,
    /// Its references, in the order they were met.
    pub references: Vec<Reference>,
    /// The ids that fragments can reach, with their places.
    pub ids: Vec<(Value, Range<u32>)>,
    /// The names of `a` elements, which fragments can reach too.
    pub names: Vec<Value>,
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
    /// What the contract's selectors matched, in document order for each assertion.
    pub matches: Vec<Match>,
    /// The declared encoding, where it is not UTF-8.
    pub(crate) charset: Option<&'static encoding_rs::Encoding>,
}

impl Page {
    /// A file's content, to be parsed.
    pub fn new(source: Source) -> Page {
        Page { source, ..Page::default() }
    }

    /// Makes it ready for the next file, whose content then becomes [`Page::source`].
    pub fn clear(&mut self, file: FileId) {
        self.file = file;
        self.arena.clear();
        self.references.clear();
        self.ids.clear();
        self.names.clear();
        self.base = None;
        self.about.clear();
        self.maps.clear();
        self.usemaps.clear();
        self.idle_refreshes.clear();
        self.malformed.clear();
        self.matches.clear();
        self.charset = None;
    }

    /// A value's bytes.
    pub fn bytes(&self, value: Value) -> &[u8] {
        let from = if value.in_arena { self.arena.as_bytes() } else { &*self.source };
        &from[value.start as usize..value.end as usize]
    }

    /// A value's text. [`parse_html`] leaves only UTF-8 behind, so nothing is lost here.
    pub fn str(&self, value: Value) -> &str {
        let (start, end) = (value.start as usize, value.end as usize);
        if value.in_arena { self.arena.get(start..end) } else { self.source.text(start, end) }.unwrap_or("")
    }

    /// Whether it begins with a doctype, comments and white space left aside.
    pub fn has_doctype(&self) -> bool {
        const DOCTYPE: &[u8] = b"<!doctype";
        let mut rest = self.source.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&self.source);
        loop {
            rest = rest.trim_ascii_start();
            let end: &[u8] = match rest {
                [b'<', b'!', b'-', b'-', ..] => b"-->",
                [b'<', b'?', ..] => b">",
                _ => {
                    return rest
                        .get(..DOCTYPE.len())
                        .is_some_and(|start| start.eq_ignore_ascii_case(DOCTYPE));
                }
            };
            let Some(at) = memchr::memmem::find(rest, end) else { return false };
            rest = &rest[at + end.len()..];
        }
    }

    /// Whether this is no document but a part of one, for scripts to load.
    pub fn is_part(&self) -> bool {
        let about = &self.about;
        about.html.is_none() && about.title.is_none() && about.charset_end.is_none() && !self.has_doctype()
    }

    /// The page's title: character references decoded, white space folded; empty where there is none.
    pub fn title(&self) -> String {
        let Some(range) = &self.about.title else { return String::new() };
        let bytes = &self.source[range.start as usize..range.end as usize];
        let text = match self.charset {
            Some(encoding) if std::str::from_utf8(bytes).is_err() => encoding.decode(bytes).0,
            _ => String::from_utf8_lossy(bytes),
        };
        htmlize::unescape(&*text).split_ascii_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Adds a reference out of a style sheet.
    pub(crate) fn push_css(&mut self, kind: &'static Kind, url: &str, span: Range<u32>) {
        let value = Some(self.keep(url));
        self.push(kind, value, span);
    }

    /// Adds a reference; it has no target before it is resolved.
    fn push(&mut self, kind: &'static Kind, value: Option<Value>, span: Range<u32>) {
        let target = if kind.role == Role::Connect { Target::Unchecked } else { Target::Empty };
        self.references.push(Reference { kind, value, span, target });
    }

    /// Keeps text that is no slice of the source.
    fn keep(&mut self, text: &str) -> Value {
        let start = self.arena.len() as u32;
        self.arena.push_str(text);
        Value { start, end: self.arena.len() as u32, in_arena: true }
    }
}

/// What a parse needs to know of the contract: the assertions that hold for this page.
pub type Selected<'c> = [(usize, &'c Assertion)];
