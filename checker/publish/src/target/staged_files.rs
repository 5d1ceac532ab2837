//! The temporary files of a release.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hasher};

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

/// Returns a unique name for a temporary file.
pub(crate) fn random_name() -> String {
    let word = || std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", word(), word())
}

/// Whether a temporary file has a name of [`random_name`].
pub(crate) fn is_staged_name(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
