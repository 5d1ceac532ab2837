//! `_redirects` files: their destinations.

use crate::SourceScan;

/// Finds the destinations of a `_redirects` file.
pub(crate) fn scan(_text: &str, _scan: &mut SourceScan<'_>) {}
