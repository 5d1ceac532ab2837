//! Markdown.

use std::ops::Range;

use crate::{ScanOptions, SourceScan};

/// Finds the references of Markdown in a range of the text. Front matter is read if the range is the whole text.
pub(crate) fn scan(_text: &str, _range: Range<usize>, _options: ScanOptions, _scan: &mut SourceScan<'_>) {}
