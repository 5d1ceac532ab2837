//! Stores of releases: objects by key, with headers and conditional writes.

mod capabilities;
mod fence;

use std::collections::BTreeMap;
use std::fs::File;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use sha2::{Digest, Sha256};
use sitegate_base::hex::hex;

use crate::failure::{Failure, FailureKind};

pub use crate::store::capabilities::{Conditions, KeyRules, StoreCapabilities, TagForm};
pub(crate) use crate::store::capabilities::{colliding_keys, invalid_keys};
pub(crate) use crate::store::fence::lease_lost;
pub use crate::store::fence::{Fence, Hold};

/// A place for releases. Everything that a publisher does is an operation on a store.
///
/// Each write, each copy and each removal checks [`Store::fence`] with its key before every attempt, so that a publisher
/// that lost its lease cannot write. An operation is retried by the store until its outcome is known, if possible.
///
/// The default methods are right for a store without files: it stages nothing, and all of its writes are durable.
#[async_trait]
pub trait Store: Send + Sync {
    /// Returns what the store can do. It never changes.
    fn capabilities(&self) -> &StoreCapabilities;

    /// Returns the fence before its writes.
    fn fence(&self) -> &Fence;

    /// Returns the shortest time of an answer so far. Distant stores get more concurrent requests.
    fn latency(&self) -> Duration {
        Duration::ZERO
    }

    /// Creates the place itself, if it does not exist.
    async fn create(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Lists the objects in a range of keys. A store that [does not list contents](StoreCapabilities::lists_contents)
    /// supports only a prefix that is empty or ends with `/`.
    async fn list(&self, range: KeyRange<'_>) -> Result<Vec<(String, StoredObject)>, StoreError>;

    /// Returns the keys of the folders directly in a folder, with or without files; none if [keys are
    /// flat](StoreCapabilities::has_flat_keys).
    async fn folders(&self, folder: &str) -> Result<Vec<String>, StoreError> {
        let _ = folder;
        Ok(Vec::new())
    }

    /// Reads what is at keys, with its digest. Of the keys at which there is nothing, reads what conflicts with them:
    /// a file at the path of a folder, or the files of a folder at the path of a file. The default lists everything.
    async fn inspect(&self, keys: &[&str]) -> Result<Vec<(String, StoredObject)>, StoreError> {
        let _ = keys;
        self.list(KeyRange::default()).await
    }

    /// Reads what is at one key, and how long ago it was written.
    ///
    /// # Errors
    /// [`StoreError::Missing`].
    async fn head(&self, key: &str) -> Result<StoredObject, StoreError>;

    /// Reads an object of at most `limit` bytes.
    ///
    /// # Errors
    /// [`StoreError::Missing`] and [`StoreError::TooLarge`].
    async fn get(&self, key: &str, limit: u64) -> Result<ObjectContent, StoreError>;

    /// Whether an object has this content. It may be large, so it is read in chunks. A missing one has not.
    async fn has_content(&self, key: &str, size: u64, sha256: &str) -> Result<bool, StoreError>;

    /// Writes an object, and returns its tag. If the answer is lost, finds out whether the write happened.
    ///
    /// # Errors
    /// [`StoreError::Changed`] and [`StoreError::Different`].
    async fn put(
        &self,
        key: &str,
        content: &Content,
        headers: &Headers,
        condition: &Condition,
    ) -> Result<Option<String>, StoreError>;

    /// Copies an object.
    ///
    /// # Errors
    /// [`StoreError::Changed`], if the store supports such a condition for copies.
    async fn copy(&self, from: &str, to: &str, condition: &Condition) -> Result<(), StoreError>;

    /// Removes objects. Missing ones count as removed.
    async fn remove(&self, keys: &[String]) -> Result<(), StoreError>;

    /// Moves an object that no publisher reads or writes, without the lease. In a folder, it may be a folder.
    async fn move_aside(&self, from: &str, to: &str) -> Result<(), StoreError> {
        self.copy(from, to, &Condition::Always).await?;
        self.remove(&[from.to_owned()]).await
    }

    /// Starts to [stage](StoreCapabilities::stages) a number of objects, with an upper limit of the bytes that they take.
    ///
    /// # Errors
    /// When there is not enough space.
    async fn begin_staging(&self, objects: usize, bytes: u64) -> Result<(), StoreError> {
        let _ = (objects, bytes);
        Ok(())
    }

    /// Prepares a write or a copy to a key, so that little can fail when it is made.
    ///
    /// # Errors
    /// [`StoreError::Different`].
    async fn stage(&self, key: &str, content: &Content) -> Result<(), StoreError> {
        let _ = (key, content);
        Ok(())
    }

    /// Makes everything durable that was staged.
    async fn finish_staging(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Writes objects, staged or not, and returns their tags. A store that stages does so with as short a pause between
    /// them as it can.
    ///
    /// # Errors
    /// Those of [`Store::put`].
    async fn switch(&self, writes: &[Write]) -> Result<Vec<Option<String>>, StoreError> {
        put_each(self, writes).await
    }

    /// Removes what was staged and not written, by this run or an interrupted one. Requires the lease.
    async fn sweep(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Makes all writes and removals durable, so that later ones cannot survive a power loss without them.
    async fn flush(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Waits until no other publisher is in the middle of a write that its lease no longer allows.
    ///
    /// # Errors
    /// [`FailureKind::Held`] when one does not finish.
    async fn wait_for_others(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Whether two keys that differ only in case, or in the encoding of accents, are one object.
    async fn are_same_object(&self, keys: [&str; 2]) -> bool {
        let _ = keys;
        false
    }

    /// Removes everything from the cache of a content delivery network in front of the store. `reference` names the
    /// request, so that a repeated one has no effect.
    ///
    /// # Errors
    /// [`FailureKind::Unverified`]: the release is live behind the cache.
    async fn invalidate(&self, distribution: &str, reference: &str) -> Result<(), StoreError> {
        let _ = (distribution, reference);
        Ok(())
    }
}

/// Puts objects one after the other, as a store does that stages nothing. Of the contents of each, the first with the right
/// digest is written.
///
/// # Errors
/// Those of [`Store::put`].
pub async fn put_each(
    store: &(impl Store + ?Sized),
    writes: &[Write],
) -> Result<Vec<Option<String>>, StoreError> {
    let mut tags = Vec::with_capacity(writes.len());
    for write in writes {
        if !write.path_conflicts.is_empty() {
            store.remove(&write.path_conflicts).await?;
        }
        let mut written = Err(StoreError::Different);
        for content in &write.contents {
            written = store.put(&write.key, content, &write.headers, &write.condition).await;
            if !matches!(written, Err(StoreError::Different)) {
                break;
            }
        }
        tags.push(written?);
    }
    Ok(tags)
}

/// The headers of an object, by their names in lower case.
pub type Headers = BTreeMap<String, String>;

/// An object without its content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredObject {
    /// Its size in bytes.
    pub size: u64,
    /// The store's entity tag, without quotes.
    pub etag: Option<String>,
    /// SHA-256 of its content in hexadecimal, if the store computed it.
    pub sha256: Option<String>,
    /// The identity of the file, if the object is one.
    pub file: Option<FileIdentity>,
    /// How long ago it was written, by the store's own clock. Listings do not have it.
    pub age: Option<Duration>,
}

/// The identity of a file, independent of its name: on a case-insensitive file system `About.html` and
/// `about.html` are one file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileIdentity(pub String);

impl FileIdentity {
    /// Returns the identity of an open file; none if it is unknown.
    #[cfg(unix)]
    pub(crate) fn from_file(file: &File, _: &Path) -> Option<FileIdentity> {
        let meta = file.metadata().ok()?;
        Some(FileIdentity(format!("{}:{}", meta.dev(), meta.ino())))
    }

    /// Returns the identity of an open file; none if it is unknown.
    #[cfg(not(unix))]
    pub(crate) fn from_file(_: &File, path: &Path) -> Option<FileIdentity> {
        // The canonical path, in the case in which the file system stores it.
        Some(FileIdentity(std::fs::canonicalize(path).ok()?.to_string_lossy().into_owned()))
    }
}

/// An object with its content.
#[derive(Clone, Debug)]
pub struct ObjectContent {
    /// Its content.
    pub body: Bytes,
    /// The store's entity tag without quotes; the SHA-256 of a file.
    pub tag: Option<String>,
}

/// The condition of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// None.
    Always,
    /// Only if the object does not exist.
    Absent,
    /// Only if the entity tag is still this one, in the form to send: see [`TagForm`].
    Unchanged(String),
}

/// The reason why an operation on a store failed.
///
/// An algorithm acts on the first four. A store that throttles, has no space left or is out of reach fails: it has
/// retried what can be retried, and its text says what to do.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such object.
    #[error("there is no such object")]
    Missing,
    /// The condition of a write does not hold, so nothing was written.
    #[error("someone else wrote the object")]
    Changed,
    /// The content to write is missing at its source, or its digest is wrong, so nothing was written.
    #[error("the content to write is missing, or changed")]
    Different,
    /// The object is larger than the limit of the read.
    #[error("the object is too large")]
    TooLarge,
    /// Anything else, with its text for the user: see [`FailureKind::Credentials`] (denied), [`FailureKind::Guard`]
    /// (something is in the way), [`FailureKind::Held`] (the lease was lost) and [`FailureKind::Failed`].
    #[error(transparent)]
    Failed(Failure),
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> StoreError {
        StoreError::Failed(failure)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        match error {
            StoreError::Failed(failure) => failure,
            StoreError::Changed | StoreError::Different => {
                Failure::new(FailureKind::Held, "another publisher was faster")
            }
            StoreError::Missing | StoreError::TooLarge => {
                Failure::new(FailureKind::Failed, error.to_string())
            }
        }
    }
}

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
