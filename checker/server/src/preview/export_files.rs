//! Reads the current files of the export on disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sitegate_host::answer::Files;

use sitegate_host::headers::STATE;

/// The files below a folder, without the target state and without symbolic links to the outside.
pub(super) struct ExportFiles(PathBuf);

impl ExportFiles {
    /// Opens the folder `root`.
    ///
    /// # Errors
    /// When `root` does not exist.
    pub fn new(root: &Path) -> io::Result<ExportFiles> {
        fs::canonicalize(root).map(ExportFiles)
    }

    /// Returns the file system path of a path of the site.
    pub fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// Resolves a path of the site, including symbolic links.
    fn resolve(&self, path: &[u8]) -> Option<PathBuf> {
        let path = std::str::from_utf8(path).ok()?;
        let is_invalid =
            path.contains(['\\', '\0']) || path.split('/').any(|part| matches!(part, "" | "." | ".."));
        if is_invalid || path.split('/').next() == Some(STATE.trim_end_matches('/')) {
            return None;
        }
        fs::canonicalize(self.0.join(path)).ok().filter(|resolve| resolve.starts_with(&self.0))
    }
}

impl Files for ExportFiles {
    type File = String;

    fn find(&self, path: &[u8]) -> Option<String> {
        self.resolve(path).filter(|resolve| resolve.is_file())?;
        String::from_utf8(path.to_vec()).ok()
    }

    fn is_folder(&self, path: &[u8]) -> bool {
        path.is_empty() || self.resolve(path).is_some_and(|resolve| resolve.is_dir())
    }
}
