//! Scripts: imports, properties that name pages, attributes of JSX.

use std::ops::Range;

use crate::SourceScan;

/// Finds the references of a script in a range of the text. `path` decides between `JavaScript`, `TypeScript` and JSX.
pub(crate) fn scan(_path: &str, _text: &str, _range: Range<usize>, _scan: &mut SourceScan<'_>) {}
