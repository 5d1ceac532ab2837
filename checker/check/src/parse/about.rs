//! What a page says about itself, and elements that rules beyond links want to see.

use std::ops::Range;

use super::reference::Value;

/// What one page says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The start tag of `html`, where it is written.
    pub html: Option<Range<u32>>,
    /// Whether that names a language.
    pub has_lang: bool,
    /// The first `title`, with the place of its content.
    pub title: Option<(Value, Range<u32>)>,
    /// Whether there is a description with words in it.
    pub has_description: bool,
    /// Where the first tag that declares the encoding ends.
    pub charset_end: Option<u32>,
    /// Whether there is nothing in it but white space.
    pub is_blank: bool,
    /// Whether it begins with a doctype.
    pub has_doctype: bool,
    /// Whether the file begins with a byte order mark.
    pub has_bom: bool,
    /// Whether the page asks search engines to leave it out.
    pub noindex: bool,
    /// Whether it sends readers on by a refresh.
    pub refreshes: bool,
    /// Whether it sends readers on with the fragment that they came with, by a script beside the refresh.
    pub hands_on_fragments: bool,
    /// The references of `<link rel="canonical">`, by their place in the page's list.
    pub canonicals: Vec<usize>,
    /// The references of `<link rel="alternate" hreflang>`, with their languages in lower case.
    pub alternates: Vec<(usize, Box<str>)>,
    /// Elements of interest.
    pub notes: Vec<Note>,
}

/// An element that a rule may have something to say about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What was noticed.
    pub what: Noticed,
    /// The bytes that show it.
    pub span: Range<u32>,
}

/// What was noticed of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noticed {
    /// It shows a picture and has no text for it: `img`, `input` or `area`.
    NoAlt(&'static str),
    /// Its reference, by its place in the page's list, opens a window that can reach back.
    OpensWindow(usize),
    /// What is wrong with its `srcset`, in words.
    Srcset(String),
    /// Its reference must have this content.
    Integrity(usize, String),
}
