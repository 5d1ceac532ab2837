//! Style sheets: `url()` and `@import`.

use std::ops::Range;

use crate::SourceScan;

/// Finds the references of a style sheet in a range of the text.
pub(crate) fn scan(_text: &str, _range: Range<usize>, _scan: &mut SourceScan<'_>) {}
