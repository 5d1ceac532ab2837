//! What is said of the objects of a target: what is there, and on what condition one is written.

#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use bytes::Bytes;

use crate::failure::Failure;

/// What is at a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Present {
    /// Its length in bytes.
    pub size: u64,
    /// The store's entity tag, without quotes.
    pub etag: Option<String>,
    /// SHA-256 of its content, where the target is cheap to read.
    pub sha256: Option<String>,
    /// Which file it is, where the target is a folder.
    pub file: Option<FileIdentity>,
}

/// A file of this machine, whatever name led to it: to a file system that takes letters of either case for one,
/// `About.html` and `about.html` are one file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileIdentity(pub(crate) String);

impl FileIdentity {
    /// The file at a path; none where it cannot be told.
    #[cfg(unix)]
    pub(super) fn of(path: &Path) -> Option<FileIdentity> {
        let meta = std::fs::metadata(path).ok()?;
        Some(FileIdentity(format!("{}:{}", meta.dev(), meta.ino())))
    }

    /// The file at a path; none where it cannot be told.
    #[cfg(not(unix))]
    pub(super) fn of(path: &Path) -> Option<FileIdentity> {
        // Where a name is told as it was given, this is it.
        Some(FileIdentity(std::fs::canonicalize(path).ok()?.to_string_lossy().into_owned()))
    }
}

/// An object that was read.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Its content.
    pub body: Bytes,
    /// The store's entity tag, without quotes; of a file its SHA-256.
    pub tag: Option<String>,
}

/// On what condition an object is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// None.
    Always,
    /// Only where there is none yet.
    Absent,
    /// Only where the entity tag is still this one, as it is to be sent.
    Unchanged(String),
}

/// Why an object was not written.
#[derive(Debug)]
pub(crate) enum PutError {
    /// Its condition did not hold.
    Conflict,
    /// A large content is not there, or is not what it should be; nothing was written.
    Different,
    /// Anything else.
    Other(Failure),
}
