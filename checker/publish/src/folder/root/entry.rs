//! The entries of a folder, and how to open one.

use std::io::{self, ErrorKind};

use sitegate_address::SitePath;

/// The kind of a folder's entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    File,
    Folder,
    /// Neither a file nor a folder: a link, a named pipe, a socket or a device.
    Obstacle(&'static str),
}

/// How to open a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenMode {
    /// Reads it.
    Read,
    /// Reads or creates it, for a lock.
    Lock,
    /// Creates it. It must not exist.
    New,
}

/// A folder's entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FolderEntry {
    pub kind: EntryKind,
    /// Its size in bytes.
    pub size: u64,
}

/// An entry that is neither a file nor a folder, instead of one.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{key} is {kind}")]
pub(crate) struct Obstacle {
    /// Its key.
    pub key: String,
    /// Its kind, with an article.
    pub kind: &'static str,
}

impl Obstacle {
    /// Returns the obstacle that an error reports.
    pub(crate) fn from_error(error: &io::Error) -> Option<&Obstacle> {
        error.get_ref()?.downcast_ref()
    }

    pub(crate) fn error(key: &str, kind: &'static str) -> io::Error {
        io::Error::other(Obstacle { key: key.to_owned(), kind })
    }
}

/// Whether there is no file: nothing, a folder, or a file in the path of a folder. Windows reports a folder
/// differently.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory)
}

/// Returns the key of the folder that contains a key.
pub(crate) fn parent(key: &str) -> &str {
    SitePath::new(key).folder()
}
