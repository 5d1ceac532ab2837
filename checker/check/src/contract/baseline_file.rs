//! The file of known findings that a contract names.

use std::fs;
use std::path::{Path, PathBuf};

/// The file of a baseline, read once, so that what is applied is what is sealed.
#[derive(Debug)]
pub struct BaselineFile {
    path: PathBuf,
    content: Result<Vec<u8>, String>,
}

impl BaselineFile {
    /// Reads a baseline. Where it cannot be read, that is said once it is needed.
    pub fn read(path: &Path) -> BaselineFile {
        let content = fs::read(path).map_err(|error| error.to_string());
        BaselineFile { path: path.to_path_buf(), content }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its bytes; `None` where it could not be read.
    pub fn bytes(&self) -> &[u8] {
        self.content.as_deref().unwrap_or_default()
    }

    /// Its bytes, or why it could not be read.
    pub fn content(&self) -> Result<&[u8], &str> {
        self.content.as_deref().map_err(String::as_str)
    }
}
