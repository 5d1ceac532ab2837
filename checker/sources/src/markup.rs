//! HTML: URLs in attributes, style sheets and scripts.

use std::ops::Range;

use crate::SourceScan;

/// Finds the references of a document of HTML, with its front matter and the comments of template languages.
pub(crate) fn scan_document(_text: &str, _scan: &mut SourceScan<'_>) {}

/// Finds the references of HTML in a range of the text, such as a block of HTML or a tag in Markdown.
pub(crate) fn scan(_text: &str, _range: Range<usize>, _scan: &mut SourceScan<'_>) {}
