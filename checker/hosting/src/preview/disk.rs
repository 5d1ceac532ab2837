//! The export as it is on disk at this moment, without what is not of the site.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sitegate_check::internal::resolve::answer::Files;

use crate::headers::STATE;

/// The files below a folder. What `publish` remembers there is not one of them, and no symbolic link leads out.
pub(super) struct Disk(PathBuf);

impl Disk {
    /// The files below `root`.
    ///
    /// # Errors
    /// When `root` is not there.
    pub fn new(root: &Path) -> io::Result<Disk> {
        fs::canonicalize(root).map(Disk)
    }

    /// The path to open a file by.
    pub fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// What a path of the site leads to, with all links followed.
    fn real(&self, path: &[u8]) -> Option<PathBuf> {
        let path = std::str::from_utf8(path).ok()?;
        let odd = path.contains(['\\', '\0']) || path.split('/').any(|part| matches!(part, "" | "." | ".."));
        if odd || path.split('/').next() == Some(STATE.trim_end_matches('/')) {
            return None;
        }
        fs::canonicalize(self.0.join(path)).ok().filter(|real| real.starts_with(&self.0))
    }
}

impl Files for Disk {
    type File = String;

    fn find(&self, path: &[u8]) -> Option<String> {
        self.real(path).filter(|real| real.is_file())?;
        String::from_utf8(path.to_vec()).ok()
    }

    fn is_folder(&self, path: &[u8]) -> bool {
        path.is_empty() || self.real(path).is_some_and(|real| real.is_dir())
    }
}
