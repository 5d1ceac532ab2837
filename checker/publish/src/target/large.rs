//! Contents too large for memory. They are read in chunks, and only published if their digest is right.

use std::path::PathBuf;

/// Minimum size of a large content, in bytes.
pub(crate) const LARGE: u64 = 8 << 20;

/// Maximum memory for writing one large content, in bytes: chunks in flight, plus the one being read.
pub(crate) const LARGE_MEMORY: u64 = 3 * LARGE;

/// A large content: its source and digest.
#[derive(Clone, Debug)]
pub(crate) struct LargeContent {
    /// Its source.
    pub from: LargeSource,
    /// Its size in bytes.
    pub size: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// The source of a large content.
#[derive(Clone, Debug)]
pub(crate) enum LargeSource {
    /// A file on this machine.
    File(PathBuf),
    /// An object of the target.
    Key(String),
}
