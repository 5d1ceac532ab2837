//! Access to the files of a folder without following links, so that a planted link cannot point out of the folder.
//!
//! The folder itself may be a link; it is resolved once, when it is opened. Keys are paths below it with `/`. The
//! empty key is the folder itself.

mod entry;
#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod unix;

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sitegate_address::SitePath;

use entry::OpenMode;
pub(super) use entry::{EntryKind, FolderEntry, Obstacle, is_absent, parent};
#[cfg(not(unix))]
use portable::FolderPath as Folder;
#[cfg(unix)]
use unix::OpenFolder as Folder;

/// A folder with the files of a target.
///
/// Operations fail if a link or a special file is in the path of a key: see [`Obstacle`].
#[derive(Debug)]
pub(super) struct RootFolder {
    path: PathBuf,
    /// Empty if there is no such folder.
    root: OnceLock<Folder>,
}

impl RootFolder {
    /// Opens a folder, which may be a link. It need not exist yet.
    pub(super) fn open(path: &Path) -> io::Result<RootFolder> {
        let root = RootFolder { path: path.to_path_buf(), root: OnceLock::new() };
        match root.open_created() {
            Err(error) if !is_absent(&error) => Err(error),
            _ => Ok(root),
        }
    }

    /// Opens the folder after it was created.
    pub(super) fn open_created(&self) -> io::Result<()> {
        if self.root.get().is_none() {
            let root = Folder::open(&self.path)?;
            self.root.get_or_init(|| root);
        }
        Ok(())
    }

    /// Returns its path, as given.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the folder of a key.
    fn folder(&self, key: &str) -> io::Result<Folder> {
        let root = self.root.get().ok_or(ErrorKind::NotFound)?;
        let (mut folder, mut end) = (None, 0);
        for name in key.split('/').filter(|_| !key.is_empty()) {
            end += name.len();
            let above = folder.as_ref().unwrap_or(root);
            folder = Some(above.folder(name).map_err(|error| explain(above, name, &key[..end], error))?);
            end += 1;
        }
        folder.map_or_else(|| root.try_clone(), Ok)
    }

    /// Opens the folder above a key. Returns the name in it, too.
    fn parent<'k>(&self, key: &'k str) -> io::Result<(Folder, &'k str)> {
        let (folder, name) = SitePath::new(key).split();
        Ok((self.folder(folder)?, name))
    }

    /// Returns the entry at a key.
    pub(super) fn entry(&self, key: &str) -> io::Result<FolderEntry> {
        if key.is_empty() {
            return self.folder(key).map(|_| FolderEntry { kind: EntryKind::Folder, size: 0 });
        }
        let (folder, name) = self.parent(key)?;
        folder.entry(name)
    }

    /// Returns the names and entries in a folder. Names that are not Unicode are left out.
    pub(super) fn entries(&self, key: &str) -> io::Result<Vec<(String, FolderEntry)>> {
        let folder = self.folder(key)?;
        let mut found = Vec::new();
        for name in folder.names()? {
            match folder.entry(&name) {
                Ok(entry) => found.push((name, entry)),
                // It was removed meanwhile.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    /// Whether there is a folder.
    pub(super) fn is_folder(&self, key: &str) -> io::Result<bool> {
        match self.entry(key) {
            Ok(FolderEntry { kind: EntryKind::Obstacle(kind), .. }) => Err(Obstacle::error(key, kind)),
            Ok(entry) => Ok(entry.kind == EntryKind::Folder),
            Err(error) if is_absent(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Opens a regular file.
    pub(super) fn open_file(&self, key: &str) -> io::Result<File> {
        self.open_regular(key, OpenMode::Read)
    }

    /// Opens or creates a regular file for locking.
    pub(super) fn open_lock(&self, key: &str) -> io::Result<File> {
        self.open_regular(key, OpenMode::Lock)
    }

    fn open_regular(&self, key: &str, mode: OpenMode) -> io::Result<File> {
        let (folder, name) = self.parent(key)?;
        let file = folder.file(name, mode).map_err(|error| explain(&folder, name, key, error))?;
        let kind = file.metadata()?.file_type();
        if kind.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if !kind.is_file() {
            return Err(explain(&folder, name, key, ErrorKind::InvalidInput.into()));
        }
        Ok(file)
    }

    /// Creates a file that must not exist.
    pub(super) fn create_file(&self, key: &str) -> io::Result<File> {
        let (folder, name) = self.parent(key)?;
        folder.file(name, OpenMode::New)
    }

    /// Creates one folder, which must not exist.
    fn make_folder(&self, key: &str) -> io::Result<()> {
        let (folder, name) = self.parent(key)?;
        folder.make_folder(name)
    }

    /// Creates a folder and its parents below the root. Passes each that is new to `created`.
    pub(super) fn make_folders(&self, folder: &str, mut created: impl FnMut(&str)) -> io::Result<()> {
        if self.is_folder(folder)? {
            return Ok(());
        }
        for part in SitePath::new(folder).ancestors().chain([folder]) {
            match self.make_folder(part) {
                Ok(()) => created(part),
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                Err(_) if self.is_folder(part)? => {}
                Err(_) => return Err(ErrorKind::NotADirectory.into()),
            }
        }
        Ok(())
    }

    /// Renames a file, and replaces what is at the new key.
    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let ((from, old), (to, new)) = (self.parent(from)?, self.parent(to)?);
        from.rename(old, &to, new)
    }

    /// Deletes a file.
    pub(super) fn remove_file(&self, key: &str) -> io::Result<()> {
        let (folder, name) = self.parent(key)?;
        folder.remove_file(name)
    }

    /// Deletes an empty folder.
    pub(super) fn remove_folder(&self, key: &str) -> io::Result<()> {
        let (folder, name) = self.parent(key)?;
        folder.remove_folder(name)
    }

    /// Makes the names in a folder durable, if the system supports that.
    pub(super) fn sync_folder(&self, key: &str) -> io::Result<()> {
        self.folder(key)?.sync()
    }

    /// Whether [`RootFolder::sync_all`] works here.
    pub(super) fn can_sync_all(&self) -> bool {
        self.root.get().is_some_and(Folder::can_sync_all)
    }

    /// Makes everything on the file system durable at once.
    pub(super) fn sync_all(&self) -> io::Result<()> {
        self.root.get().map_or(Ok(()), Folder::sync_all)
    }

    /// Returns the number of bytes that can still be written; none if the system does not report it.
    pub(super) fn free_space(&self) -> Option<u64> {
        self.root.get()?.free_space()
    }
}

/// Reports the obstacle that made an operation fail, if there is one.
fn explain(folder: &Folder, name: &str, key: &str, error: io::Error) -> io::Error {
    match folder.entry(name) {
        Ok(FolderEntry { kind: EntryKind::Obstacle(kind), .. }) => Obstacle::error(key, kind),
        _ => error,
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use crate::folder::root::{Obstacle, RootFolder};

    #[test]
    fn no_operation_follows_a_link_or_opens_a_special_file() {
        let folder = tempfile::tempdir().unwrap();
        let (root, outside) = (folder.path().join("root"), folder.path().join("outside"));
        fs::create_dir(&root).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("file"), "theirs").unwrap();
        fs::write(root.join("file"), "ours").unwrap();
        symlink(&outside, root.join("folder")).unwrap();
        symlink(outside.join("file"), root.join("link")).unwrap();
        symlink("nowhere", root.join("dangling")).unwrap();
        let _socket = UnixListener::bind(root.join("socket")).unwrap();
        let root = RootFolder::open(&root).unwrap();
        let refused = |done: std::io::Result<()>, key: &str| {
            let error = done.unwrap_err();
            assert_eq!(Obstacle::from_error(&error).map(|found| found.key.as_str()), Some(key), "{error}");
        };
        for key in ["link", "dangling", "socket"] {
            refused(root.open_file(key).map(drop), key);
            refused(root.open_lock(key).map(drop), key);
            refused(root.is_folder(key).map(drop), key);
        }
        for key in ["folder/file", "folder/new"] {
            refused(root.open_file(key).map(drop), "folder");
            refused(root.open_lock(key).map(drop), "folder");
            refused(root.create_file(key).map(drop), "folder");
            refused(root.entry(key).map(drop), "folder");
            refused(root.remove_file(key), "folder");
            refused(root.remove_folder(key), "folder");
            refused(root.make_folder(key), "folder");
            refused(root.make_folders(key, |_| {}), "folder");
            refused(root.rename("file", key), "folder");
            refused(root.rename(key, "file"), "folder");
        }
        refused(root.entries("folder").map(drop), "folder");
        refused(root.sync_folder("folder"), "folder");
        assert!(root.create_file("dangling").is_err());
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
        // A link itself can be replaced.
        root.rename("file", "link").unwrap();
        assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "theirs");
    }
}
