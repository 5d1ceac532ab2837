//! The file of known findings that a contract names.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The file of a baseline, read once, so that what is applied is what is sealed.
#[derive(Debug)]
pub struct BaselineFile {
    path: PathBuf,
    content: io::Result<Vec<u8>>,
}

impl BaselineFile {
    /// Reads a baseline. Where it cannot be read, that is said once it is needed.
    pub fn read(path: &Path) -> BaselineFile {
        BaselineFile { path: path.to_path_buf(), content: fs::read(path) }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its bytes; `None` where it could not be read.
    pub fn bytes(&self) -> &[u8] {
        self.content.as_deref().unwrap_or_default()
    }

    /// Its bytes.
    ///
    /// # Errors
    /// When it could not be read.
    pub fn content(&self) -> Result<&[u8], &io::Error> {
        self.content.as_deref()
    }
}
