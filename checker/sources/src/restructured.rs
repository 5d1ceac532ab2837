//! reStructuredText.

use std::ops::Range;

use crate::{ScanOptions, SourceScan};

/// Finds the references of reStructuredText in a range of the text: a document, or a docstring.
pub(crate) fn scan(_text: &str, _range: Range<usize>, _options: ScanOptions, _scan: &mut SourceScan<'_>) {}
