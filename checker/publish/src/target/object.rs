//! The objects of a target, and the conditions of writes.

use std::fs::File;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use bytes::Bytes;

use crate::failure::{Failure, FailureKind};

/// An object as listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StoredObject {
    /// Its size in bytes.
    pub size: u64,
    /// The store's entity tag, without quotes.
    pub etag: Option<String>,
    /// SHA-256 of its content, if the target is a folder.
    pub sha256: Option<String>,
    /// The identity of the file, if the target is a folder.
    pub file: Option<FileIdentity>,
}

/// The identity of a file, independent of its name: on a case-insensitive file system `About.html` and
/// `about.html` are one file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileIdentity(pub(crate) String);

impl FileIdentity {
    /// Returns the identity of an open file; none if it is unknown.
    #[cfg(unix)]
    pub(super) fn from_file(file: &File, _: &Path) -> Option<FileIdentity> {
        let meta = file.metadata().ok()?;
        Some(FileIdentity(format!("{}:{}", meta.dev(), meta.ino())))
    }

    /// Returns the identity of an open file; none if it is unknown.
    #[cfg(not(unix))]
    pub(super) fn from_file(_: &File, path: &Path) -> Option<FileIdentity> {
        // The canonical path, in the case in which the file system stores it.
        Some(FileIdentity(std::fs::canonicalize(path).ok()?.to_string_lossy().into_owned()))
    }
}

/// An object with its content.
#[derive(Clone, Debug)]
pub(crate) struct ObjectContent {
    /// Its content.
    pub body: Bytes,
    /// The store's entity tag without quotes; the SHA-256 of a file.
    pub tag: Option<String>,
}

/// Reports an object that is larger than sitegate writes it.
pub(super) fn too_large(key: &str, limit: u64) -> Failure {
    let message = format!("{key} has more than {limit} bytes, so sitegate did not write it");
    Failure::new(FailureKind::Usage, message)
}

/// The condition of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// None.
    Always,
    /// Only if the object does not exist.
    Absent,
    /// Only if the entity tag is still this one, in the form to send.
    Unchanged(String),
}

/// The reason why a write failed.
#[derive(Debug)]
pub(crate) enum PutError {
    /// The condition did not hold.
    Conflict,
    /// A large content is missing, or its digest is wrong. Nothing was written.
    Different,
    /// Anything else.
    Other(Failure),
}

/// The features of a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TargetFeatures {
    /// Whether objects have headers.
    pub headers: bool,
    /// Whether a key may be both an object and a prefix of others. Then `terms` can exist next to
    /// `terms/index.html`, and both URLs work without a redirect.
    pub slashless_keys: bool,
    /// Whether an object may be a redirect, at a website endpoint.
    pub website_redirects: bool,
}
