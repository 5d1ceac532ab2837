//! Contents to write and listings to read, which may be too large for memory.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use sha2::{Digest, Sha256};
use sitegate_base::hex::hex;

use crate::failure::{Failure, FailureKind};
use crate::store::object::{Condition, Headers};

/// Minimum size of a large content, in bytes. It is read in chunks, and its digest is not the tag of any store.
pub const LARGE: u64 = 8 << 20;

/// Maximum size of a record or manifest of the target state, in bytes.
pub const MAX_DOCUMENT: u64 = 128 << 20;

/// Maximum memory for a listing, in bytes: about a million objects.
const MAX_LISTING: usize = 256 << 20;

/// A content to write.
#[derive(Clone, Debug)]
pub enum Content {
    /// These bytes.
    Bytes(Bytes),
    /// A file on this machine.
    File {
        /// Its path.
        path: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// Its SHA-256, in hexadecimal. A file with another digest is not written.
        sha256: String,
    },
    /// The content of another object of the same store.
    Key {
        /// Its key.
        key: String,
        /// Its size in bytes.
        size: u64,
        /// Its SHA-256, in hexadecimal. An object with another digest is not written.
        sha256: String,
    },
}

impl Content {
    /// Returns its size in bytes.
    pub fn size(&self) -> u64 {
        match self {
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::File { size, .. } | Content::Key { size, .. } => *size,
        }
    }

    /// Returns its SHA-256, in hexadecimal.
    pub fn sha256(&self) -> String {
        match self {
            Content::Bytes(bytes) => hex(&Sha256::digest(bytes)),
            Content::File { sha256, .. } | Content::Key { sha256, .. } => sha256.clone(),
        }
    }
}

/// An object to write.
#[derive(Clone, Debug)]
pub struct Write {
    /// Its key.
    pub key: String,
    /// Its possible contents: the first one whose digest is right is written.
    pub contents: Vec<Content>,
    /// Its headers.
    pub headers: Headers,
    /// The condition of the write.
    pub condition: Condition,
    /// The keys of objects to remove first, because they are in the way: a file at the path of a folder, and vice versa.
    pub path_conflicts: Vec<String>,
}

/// A range of keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeyRange<'k> {
    /// The keys begin with this.
    pub prefix: &'k str,
    /// The keys are after this one, in the order of bytes.
    pub after: Option<&'k str>,
    /// The keys are this one, or before it.
    pub until: Option<&'k str>,
    /// Maximum number of keys: the first ones.
    pub limit: Option<usize>,
    /// The memory for a listing that has several parts.
    pub room: Option<&'k ListingRoom>,
}

impl<'k> KeyRange<'k> {
    /// Returns the range of all keys that begin with a prefix.
    pub fn below(prefix: &'k str) -> KeyRange<'k> {
        KeyRange { prefix, ..KeyRange::default() }
    }
}

/// The memory for a listing, shared by requests for its parts.
#[derive(Debug, Default)]
pub struct ListingRoom {
    taken: AtomicUsize,
}

impl ListingRoom {
    /// Takes memory for a part of the listing.
    ///
    /// # Errors
    /// [`FailureKind::Failed`] when it has more than the maximum.
    pub fn take(&self, bytes: usize) -> Result<(), Failure> {
        if self.taken.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) <= MAX_LISTING {
            return Ok(());
        }
        let message = "cannot list the target: its listing takes more than 256 MiB";
        Err(Failure::new(FailureKind::Failed, message)
            .help("publish to a prefix or bucket without other objects"))
    }
}
