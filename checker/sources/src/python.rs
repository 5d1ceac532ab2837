//! Python: docstrings in reStructuredText, and settings of Sphinx and Pelican.

use crate::{ScanOptions, SourceScan};

/// Finds the references of a module.
pub(crate) fn scan(_text: &str, _options: ScanOptions, _scan: &mut SourceScan<'_>) {}
