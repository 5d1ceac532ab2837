//! A reference: in which place of a document it stands, and what it says.

use std::ops::Range;

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
}

impl Kind {
    /// Whether a browser goes to the fragment, so that it must exist.
    pub fn follows_fragment(&self) -> bool {
        self.role == Role::Navigate || matches!(self.element, "iframe" | "frame" | "use")
    }

    /// Whether a browser loads the file together with the page: not so of alternatives, of which it takes one, of
    /// what a script asks for while it runs, of what a style sheet asks for only where it is used, of frames, which are pages of their own, and of pictures
    /// for other sites.
    pub fn is_loaded(&self) -> bool {
        if self.element == "js" {
            return matches!(self.attribute, "import" | "importScripts()");
        }
        self.role == Role::Load
            && !matches!(self.attribute, "srcset" | "imagesrcset" | "url()" | "icons")
            && !matches!(self.element, "iframe" | "frame" | "portal" | "meta" | "source" | "track")
    }

    /// The place in words: `<a href>`, `url()` in CSS.
    pub fn describe(&self) -> String {
        match self.element {
            "css" => format!("{} in CSS", self.attribute),
            "js" => self.attribute.to_owned(),
            element => match element.split_once(' ') {
                Some((element, rest)) => format!("<{element} {rest} {}>", self.attribute),
                None => format!("<{element} {}>", self.attribute),
            },
        }
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
