//! Represents a reference in a file.

use std::ops::Range;

use url::{ParseError, Url};

use super::reference_kind::ReferenceKind;

/// A text of the file: a range for [`crate::parse::Facts::text`].
///
/// While the file is parsed, it may be a range of the source instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) in_source: bool,
}

/// A reference in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The kind of element or attribute.
    pub kind: ReferenceKind,
    /// The value; `None` if the required attribute is missing.
    pub value: Option<Value>,
    /// Location in the source; the start tag if there is no value.
    pub span: Range<u32>,
}

/// Whether a URL depends on the document that it is in: it names neither a scheme nor a host.
pub(crate) fn is_relative(text: &str) -> bool {
    let text = text.trim();
    !text.starts_with("//") && Url::parse(text) == Err(ParseError::RelativeUrlWithoutBase)
}
