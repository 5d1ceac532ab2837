//! Contents and listings too large for memory. Contents are read in chunks, and only published if their digest is right.

use std::path::PathBuf;
#[cfg(feature = "network")]
use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(feature = "network")]
use crate::failure::{Failure, FailureKind};

/// Minimum size of a large content, in bytes.
pub(crate) const LARGE: u64 = 8 << 20;

/// Maximum memory for writing one large content, in bytes: chunks in flight, plus the one being read.
pub(crate) const LARGE_MEMORY: u64 = 3 * LARGE;

/// Maximum size of a record or manifest of the target state, in bytes.
pub(crate) const MAX_DOCUMENT: u64 = 128 << 20;

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

/// Maximum memory for a listing, in bytes: about a million objects.
#[cfg(feature = "network")]
const MAX_LISTING: usize = 256 << 20;

/// The memory for a listing, shared by requests for its parts.
#[derive(Debug, Default)]
pub(crate) struct ListingRoom {
    #[cfg(feature = "network")]
    taken: AtomicUsize,
}

#[cfg(feature = "network")]
impl ListingRoom {
    /// Takes memory for a part of the listing.
    ///
    /// # Errors
    /// [`FailureKind::Failed`] when it has more than the maximum.
    pub(super) fn take(&self, bytes: usize) -> Result<(), Failure> {
        if self.taken.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) <= MAX_LISTING {
            return Ok(());
        }
        let message = "cannot list the target: its listing takes more than 256 MiB";
        Err(Failure::new(FailureKind::Failed, message)
            .help("publish to a prefix or bucket without other objects"))
    }
}
