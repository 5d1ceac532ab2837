//! MDX: Markdown with JSX, expressions and imports.

use std::ops::Range;

use crate::SourceScan;

/// Finds the references of MDX in a range of the text. Front matter is read if the range is the whole text.
pub(crate) fn scan(_text: &str, _range: Range<usize>, _scan: &mut SourceScan<'_>) {}
