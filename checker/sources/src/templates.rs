//! Template languages and components: what they hide from the text, and the references in their expressions.

mod hidden;

use crate::SourceScan;

pub(crate) use hidden::{hidden, hidden_outside};

/// Finds the references of a template or a component.
pub(crate) fn scan(_path: &str, _text: &str, _scan: &mut SourceScan<'_>) {}
