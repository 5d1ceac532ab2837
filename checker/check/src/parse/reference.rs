//! A reference: in which place of a document it stands, and what it says.

use std::ops::Range;

/// What a reference is for, which decides what its value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// Only developer tools ask for it: a source map.
    Debug,
    /// A script is likely to load it later, as lazy loaders do.
    Perhaps,
}

/// One place in HTML or CSS where a reference can stand.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// The element, or `css`, or `js`.
    pub element: &'static str,
    /// The attribute, the CSS function, or the words of a script.
    pub attribute: &'static str,
    /// What it is for.
    pub role: Role,
}

impl Role {
    /// Whether an empty value is a mistake.
    pub fn needs_value(self) -> bool {
        matches!(self, Role::Load | Role::Relate)
    }

    /// Whether it leads to a document or a file, and is not a part of what it stands in.
    pub fn is_link(self) -> bool {
        matches!(self, Role::Navigate | Role::Relate | Role::Cite)
    }
}

/// The formats that are neither pages, drawings, style sheets nor scripts, by the name that their kinds have for an element,
/// and how messages name them.
const FILES: [(&str, &str); 11] = [
    ("JSON-LD", "JSON-LD"),
    ("_headers", "`_headers`"),
    ("browserconfig", "browserconfig.xml"),
    ("feed", "a feed"),
    ("feed content", "the content of a feed"),
    ("llms.txt", "llms.txt"),
    ("manifest", "a web app manifest"),
    ("opensearch", "an OpenSearch description"),
    ("robots.txt", "robots.txt"),
    ("security.txt", "security.txt"),
    ("sitemap", "a sitemap"),
];

impl Kind {
    /// Whether a browser goes to the fragment, so that it must exist.
    pub fn follows_fragment(&self) -> bool {
        self.role == Role::Navigate || matches!(self.element, "iframe" | "frame" | "use")
    }

    /// Whether what is sent there is answered by a program, so that no file need be there: a form of `method=post`.
    pub fn is_posted(&self) -> bool {
        matches!(self.element, "form method=post" | "button formmethod=post")
    }

    /// Whether a browser loads the file together with the page: not so of alternatives, of which it takes one, of
    /// what a script asks for while it runs, of what a style sheet asks for only where it is used, of frames, which are pages of their own, and of pictures
    /// for other sites.
    pub fn is_loaded(&self) -> bool {
        if self.element == "js" {
            return matches!(self.attribute, "import" | "importScripts()");
        }
        self.role == Role::Load
            && !matches!(self.attribute, "srcset" | "imagesrcset" | "url()" | "data-src")
            && !matches!(self.element, "iframe" | "frame" | "portal" | "source" | "track")
            && !self.is_for_machines()
    }

    /// The place in words: `<a href>`, `url()` in CSS.
    pub fn describe(&self) -> String {
        match self.element {
            "css" => format!("{} in CSS", self.attribute),
            "js" => self.attribute.to_owned(),
            // Any element may have it.
            _ if self.attribute == "data-src" => self.attribute.to_owned(),
            element => match FILES.iter().find(|(name, _)| *name == element) {
                Some((_, file)) => format!("{} in {file}", self.attribute),
                None => format!("<{element} {}>", self.attribute),
            },
        }
    }

    /// Whether it stands in what machines alone read, such as a feed or a manifest: nothing of a page depends on it.
    pub fn is_for_machines(&self) -> bool {
        self.element.starts_with("meta") || FILES.iter().any(|(name, _)| *name == self.element)
    }
}

/// A text of the file: a range of what [`crate::parse::Facts::text`] reads.
///
/// While the file is parsed, it may be a range of the source instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) in_source: bool,
}

/// One reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Where it stands.
    pub kind: &'static Kind,
    /// What it says; `None` where the attribute that must be there is not.
    pub value: Option<Value>,
    /// Its bytes in the source; the start tag where there is no value.
    pub span: Range<u32>,
}
