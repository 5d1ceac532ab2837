//! A reference: in which place of a document it stands, and what it says.

use std::ops::Range;

use super::reference_kind::ReferenceKind;

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
    pub kind: ReferenceKind,
    /// What it says; `None` where the attribute that must be there is not.
    pub value: Option<Value>,
    /// Its bytes in the source; the start tag where there is no value.
    pub span: Range<u32>,
}
