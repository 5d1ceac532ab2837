//! Checks each folder of a path for links before an operation. Systems without `openat` offer no more, so a link that is
//! planted between the check and the operation is followed.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use super::entry::{EntryKind, FolderEntry, Obstacle, is_absent};

/// A folder.
#[derive(Debug)]
pub(crate) struct PortableFolder {
    path: PathBuf,
    /// The path without links. Empty if there is no such folder.
    real: OnceLock<PathBuf>,
}

impl PortableFolder {
    /// Opens a folder, which may be a link. It need not exist yet.
    ///
    /// # Errors
    /// When the folder cannot be opened.
    pub(crate) fn open(path: &Path) -> io::Result<PortableFolder> {
        let root = PortableFolder { path: path.to_path_buf(), real: OnceLock::new() };
        match root.open_created() {
            Err(error) if !is_absent(&error) => Err(error),
            _ => Ok(root),
        }
    }

    /// Opens the folder after it was created.
    ///
    /// # Errors
    /// When the folder cannot be opened.
    pub(crate) fn open_created(&self) -> io::Result<()> {
        let real = fs::canonicalize(&self.path)?;
        if !real.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        self.real.get_or_init(|| real);
        Ok(())
    }

    /// Returns its path, as given.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of a key, after checking its folders.
    fn checked(&self, key: &str) -> io::Result<PathBuf> {
        let mut path = self.real.get().ok_or(ErrorKind::NotFound)?.clone();
        let mut end = 0;
        for name in key.split('/').filter(|_| !key.is_empty()) {
            if end > 0 {
                self.refuse_obstacle(&path, &key[..end - 1])?;
            }
            let mut parts = Path::new(name).components();
            if !matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
            {
                return Err(ErrorKind::InvalidFilename.into());
            }
            path.push(name);
            end += name.len() + 1;
        }
        Ok(path)
    }

    fn refuse_obstacle(&self, path: &Path, key: &str) -> io::Result<()> {
        match entry(path) {
            Ok(FolderEntry { kind: EntryKind::Obstacle(kind), .. }) => Err(Obstacle::error(key, kind)),
            _ => Ok(()),
        }
    }

    /// Returns the path of a key, after checking its folders and itself.
    fn regular(&self, key: &str) -> io::Result<PathBuf> {
        let path = self.checked(key)?;
        self.refuse_obstacle(&path, key)?;
        Ok(path)
    }

    /// Returns the entry at a key.
    ///
    /// # Errors
    /// When there is none, or an obstacle is in its path.
    pub(crate) fn entry(&self, key: &str) -> io::Result<FolderEntry> {
        entry(&self.checked(key)?)
    }

    /// Returns the names and entries in a folder. Names that are not Unicode are left out.
    ///
    /// # Errors
    /// When there is no folder, or an obstacle is in its path.
    pub(crate) fn entries(&self, key: &str) -> io::Result<Vec<(String, FolderEntry)>> {
        let mut found = Vec::new();
        for there in fs::read_dir(self.regular(key)?)? {
            let there = there?;
            let Ok(name) = there.file_name().into_string() else { continue };
            match entry(&there.path()) {
                Ok(entry) => found.push((name, entry)),
                // It was removed meanwhile.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    /// Opens a regular file.
    ///
    /// # Errors
    /// When there is none, or there is an obstacle.
    pub(crate) fn open_file(&self, key: &str) -> io::Result<File> {
        let path = self.regular(key)?;
        if path.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        File::open(path)
    }

    /// Opens or creates a regular file for locking.
    ///
    /// # Errors
    /// When it cannot be created, or there is an obstacle.
    pub(crate) fn open_lock(&self, key: &str) -> io::Result<File> {
        File::options().create(true).append(true).open(self.regular(key)?)
    }

    /// Creates a file that must not exist.
    ///
    /// # Errors
    /// When it exists, cannot be created, or an obstacle is in its path.
    pub(crate) fn create_file(&self, key: &str) -> io::Result<File> {
        File::create_new(self.checked(key)?)
    }

    /// Creates one folder.
    ///
    /// # Errors
    /// When it exists, cannot be created, or an obstacle is in its path.
    pub(crate) fn make_folder(&self, key: &str) -> io::Result<()> {
        fs::create_dir(self.checked(key)?)
    }

    /// Renames a file, and replaces what is at the new key.
    ///
    /// # Errors
    /// When an obstacle is in a path, or the file system refuses.
    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.checked(from)?, self.checked(to)?)
    }

    /// Deletes a file.
    ///
    /// # Errors
    /// When there is none, or an obstacle is in its path.
    pub(crate) fn remove_file(&self, key: &str) -> io::Result<()> {
        fs::remove_file(self.checked(key)?)
    }

    /// Deletes an empty folder.
    ///
    /// # Errors
    /// When it is not empty, or an obstacle is in its path.
    pub(crate) fn remove_folder(&self, key: &str) -> io::Result<()> {
        fs::remove_dir(self.regular(key)?)
    }

    /// Makes the names in a folder durable, where the system supports that.
    ///
    /// # Errors
    /// None here.
    #[allow(clippy::unnecessary_wraps, clippy::unused_self)]
    pub(crate) fn sync_folder(&self, _: &str) -> io::Result<()> {
        Ok(())
    }

    /// Whether [`PortableFolder::sync_all`] works here.
    #[allow(clippy::unused_self)]
    pub(crate) fn can_sync_all(&self) -> bool {
        false
    }

    /// Makes everything on the file system durable at once.
    ///
    /// # Errors
    /// Always: only Linux supports it.
    #[allow(clippy::unused_self)]
    pub(crate) fn sync_all(&self) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Returns the number of bytes that can still be written; none if the system does not report it.
    #[allow(clippy::unused_self)]
    pub(crate) fn free_space(&self) -> Option<u64> {
        None
    }
}

fn entry(path: &Path) -> io::Result<FolderEntry> {
    let found = path.symlink_metadata()?;
    let kind = match found.file_type() {
        kind if kind.is_symlink() => EntryKind::Obstacle("a symbolic link"),
        kind if kind.is_dir() => EntryKind::Folder,
        kind if kind.is_file() => EntryKind::File,
        _ => EntryKind::Obstacle("a device"),
    };
    Ok(FolderEntry { kind, size: found.len() })
}
