//! Represents a reference in a file.

use std::ops::Range;

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
