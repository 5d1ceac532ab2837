//! The objects of a store, the conditions of writes, and the reasons why an operation fails.

use std::collections::BTreeMap;
use std::fs::File;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use bytes::Bytes;

use crate::failure::{Failure, FailureKind};

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
    /// Only if the entity tag is still this one, in the form to send: see [`super::TagForm`].
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
