//! JSON, YAML and TOML: data, settings and front matter.

use std::ops::Range;

use crate::SourceScan;

/// Finds the references of JSON, also with comments and trailing commas.
pub(crate) fn json(_text: &str, _range: Range<usize>, _scan: &mut SourceScan<'_>) {}

/// Finds the references of YAML.
pub(crate) fn yaml(_text: &str, _range: Range<usize>, _scan: &mut SourceScan<'_>) {}

/// Finds the references of TOML.
pub(crate) fn toml(_text: &str, _range: Range<usize>, _scan: &mut SourceScan<'_>) {}

/// Finds the references of front matter (YAML, TOML or JSON), and returns the offset after it; 0 if the text has none.
pub(crate) fn front_matter(_text: &str, _scan: &mut SourceScan<'_>) -> usize {
    0
}
