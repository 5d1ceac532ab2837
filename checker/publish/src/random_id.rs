//! Random IDs of temporary files, releases and runs.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Returns a random ID of 32 hexadecimal digits.
pub(crate) fn random_id() -> String {
    let word = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", word(), word())
}

/// Whether a name is one of [`random_id`].
pub(crate) fn is_random_id(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
