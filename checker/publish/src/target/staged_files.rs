//! The temporary files of a release.

use std::collections::{BTreeMap, BTreeSet};

/// The folder for files before they are renamed, in the target state.
pub(crate) const STAGING: &str = "tmp";

/// The files that are staged for a release.
#[derive(Debug, Default)]
pub(crate) struct StagedFiles {
    /// The temporary file of each key.
    pub files: BTreeMap<String, String>,
    /// The folders that were created for them.
    pub folders: BTreeSet<String>,
    /// Whether one sync at the end makes all durable, instead of one for each file.
    pub syncs_at_end: bool,
}
