//! Holds the content of a baseline file.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A baseline file. It is read once, so that the seal covers exactly the applied content.
#[derive(Debug)]
pub struct BaselineFile {
    path: PathBuf,
    content: io::Result<Vec<u8>>,
}

impl BaselineFile {
    /// Reads a baseline. A read error is reported when the content is needed.
    pub fn read(path: &Path) -> BaselineFile {
        BaselineFile { path: path.to_path_buf(), content: fs::read(path) }
    }

    /// Creates a baseline from the result of reading it.
    pub(super) fn of(path: PathBuf, content: io::Result<Vec<u8>>) -> BaselineFile {
        BaselineFile { path, content }
    }

    /// Returns the file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the content; `None` if the file could not be read.
    pub fn bytes(&self) -> &[u8] {
        self.content.as_deref().unwrap_or_default()
    }

    /// Returns the content.
    ///
    /// # Errors
    /// When the file could not be read.
    pub fn content(&self) -> Result<&[u8], &io::Error> {
        self.content.as_deref()
    }
}
