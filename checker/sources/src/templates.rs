//! Template languages and components: what they hide from the text, and the references in their expressions.

use std::ops::Range;

use crate::SourceScan;

/// Finds the references of a template or a component.
pub(crate) fn scan(_path: &str, _text: &str, _scan: &mut SourceScan<'_>) {}

/// Returns the ranges that a template language hides in any authored text: its comments and raw blocks. The markup in a
/// raw block is shown as text in examples, or as it is; which of both is not known.
pub(crate) fn hidden(_text: &str) -> Vec<Range<usize>> {
    Vec::new()
}
