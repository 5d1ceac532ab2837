//! Contents too large to hold in memory: they are read a piece at a time, and written only where they turn out to be what
//! they should be.

use std::path::PathBuf;

/// From this many bytes on, a content is large.
pub(crate) const LARGE: u64 = 8 << 20;

/// The memory that writing one large content takes at most, in bytes: pieces on their way, and the one that is read.
pub(crate) const LARGE_MEMORY: u64 = 3 * LARGE;

/// A large content: where it is, and what it should be.
#[derive(Clone, Debug)]
pub(crate) struct LargeContent {
    /// Where it is read.
    pub from: LargeSource,
    /// Its length in bytes.
    pub size: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// Where a large content is read.
#[derive(Clone, Debug)]
pub(crate) enum LargeSource {
    /// A file on this machine.
    File(PathBuf),
    /// An object of the target.
    Key(String),
}
