//! Opens each folder of a path by its name in the folder before, without following links. So a link is also refused
//! if it is planted between two operations.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, fstatvfs, fsync, mkdirat, openat, renameat, statat, unlinkat,
};
use sitegate_address::SitePath;

use super::entry::{EntryKind, FolderEntry, Obstacle, is_absent};

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Without links, and without waiting for the other end of a named pipe.
const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// Magic numbers of file systems whose `syncfs` waits until the disk has everything: ext4, XFS, Btrfs, F2FS, ZFS, tmpfs
/// and overlayfs. FUSE, for example, does not pass `syncfs` on.
#[cfg(target_os = "linux")]
const SYNCED_AT_ONCE: [u64; 7] =
    [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x2fc1_2fc1, 0x0102_1994, 0x794c_7630];

/// An open folder.
#[derive(Debug)]
pub(crate) struct RootFolder {
    path: PathBuf,
    /// Empty if there is no such folder.
    folder: OnceLock<OwnedFd>,
}

impl RootFolder {
    /// Opens a folder, which may be a link. It need not exist yet.
    ///
    /// # Errors
    /// When the folder cannot be opened.
    pub(crate) fn open(path: &Path) -> io::Result<RootFolder> {
        let root = RootFolder { path: path.to_path_buf(), folder: OnceLock::new() };
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
        if self.folder.get().is_none() {
            let folder = File::options().read(true).open(self.path.join("."))?;
            self.folder.get_or_init(|| OwnedFd::from(folder));
        }
        Ok(())
    }

    /// Returns its path, as given.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the folder of a key.
    fn folder(&self, key: &str) -> io::Result<OwnedFd> {
        let root = self.folder.get().ok_or_else(|| io::Error::from(ErrorKind::NotFound))?;
        let (mut folder, mut end) = (None, 0);
        for name in key.split('/').filter(|_| !key.is_empty()) {
            end += name.len();
            let above = folder.as_ref().unwrap_or(root);
            let opened = openat(above, name, FOLDER, Mode::empty());
            folder = Some(opened.map_err(|error| explain(above, name, &key[..end], error))?);
            end += 1;
        }
        folder.map_or_else(|| root.try_clone(), Ok)
    }

    fn parent<'k>(&self, key: &'k str) -> io::Result<(OwnedFd, &'k str)> {
        let (folder, name) = SitePath::new(key).split();
        Ok((self.folder(folder)?, name))
    }

    /// Returns the entry at a key.
    ///
    /// # Errors
    /// When there is none, or an obstacle is in its path.
    pub(crate) fn entry(&self, key: &str) -> io::Result<FolderEntry> {
        if key.is_empty() {
            return self.folder(key).map(|_| FolderEntry { kind: EntryKind::Folder, size: 0 });
        }
        let (folder, name) = self.parent(key)?;
        Ok(entry(&folder, name)?)
    }

    /// Returns the names and entries in a folder. Names that are not UTF-8 are left out.
    ///
    /// # Errors
    /// When there is no folder, or an obstacle is in its path.
    pub(crate) fn entries(&self, key: &str) -> io::Result<Vec<(String, FolderEntry)>> {
        let folder = self.folder(key)?;
        let mut found = Vec::new();
        for there in Dir::read_from(&folder)? {
            let there = there?;
            let Ok(name) = there.file_name().to_str() else { continue };
            if matches!(name, "." | "..") {
                continue;
            }
            match entry(&folder, name) {
                Ok(entry) => found.push((name.to_owned(), entry)),
                // It was removed meanwhile.
                Err(rustix::io::Errno::NOENT) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(found)
    }

    /// Opens a regular file.
    ///
    /// # Errors
    /// When there is none, or there is an obstacle.
    pub(crate) fn open_file(&self, key: &str) -> io::Result<File> {
        self.open_with(key, FILE | OFlags::RDONLY)
    }

    /// Opens or creates a regular file for locking.
    ///
    /// # Errors
    /// When it cannot be created, or there is an obstacle.
    pub(crate) fn open_lock(&self, key: &str) -> io::Result<File> {
        self.open_with(key, FILE | OFlags::RDWR | OFlags::CREATE)
    }

    fn open_with(&self, key: &str, flags: OFlags) -> io::Result<File> {
        let (folder, name) = self.parent(key)?;
        let opened = openat(&folder, name, flags, Mode::from_raw_mode(0o666));
        let file = File::from(opened.map_err(|error| explain(&folder, name, key, error))?);
        let kind = file.metadata()?.file_type();
        if kind.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if !kind.is_file() {
            return Err(explain(&folder, name, key, rustix::io::Errno::INVAL));
        }
        Ok(file)
    }

    /// Creates a file that must not exist.
    ///
    /// # Errors
    /// When it exists, cannot be created, or an obstacle is in its path.
    pub(crate) fn create_file(&self, key: &str) -> io::Result<File> {
        let (folder, name) = self.parent(key)?;
        let flags = FILE | OFlags::RDWR | OFlags::CREATE | OFlags::EXCL;
        Ok(File::from(openat(&folder, name, flags, Mode::from_raw_mode(0o666))?))
    }

    /// Creates one folder.
    ///
    /// # Errors
    /// When it exists, cannot be created, or an obstacle is in its path.
    pub(crate) fn make_folder(&self, key: &str) -> io::Result<()> {
        let (folder, name) = self.parent(key)?;
        Ok(mkdirat(&folder, name, Mode::from_raw_mode(0o777))?)
    }

    /// Renames a file, and replaces what is at the new key.
    ///
    /// # Errors
    /// When an obstacle is in a path, or the file system refuses.
    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let ((from, old), (to, new)) = (self.parent(from)?, self.parent(to)?);
        Ok(renameat(&from, old, &to, new)?)
    }

    /// Deletes a file.
    ///
    /// # Errors
    /// When there is none, or an obstacle is in its path.
    pub(crate) fn remove_file(&self, key: &str) -> io::Result<()> {
        let (folder, name) = self.parent(key)?;
        Ok(unlinkat(&folder, name, AtFlags::empty())?)
    }

    /// Deletes an empty folder.
    ///
    /// # Errors
    /// When it is not empty, or an obstacle is in its path.
    pub(crate) fn remove_folder(&self, key: &str) -> io::Result<()> {
        let (folder, name) = self.parent(key)?;
        Ok(unlinkat(&folder, name, AtFlags::REMOVEDIR)?)
    }

    /// Makes the names in a folder durable.
    ///
    /// # Errors
    /// When there is no such folder, or the file system refuses.
    pub(crate) fn sync_folder(&self, key: &str) -> io::Result<()> {
        Ok(fsync(self.folder(key)?)?)
    }

    /// Whether [`RootFolder::sync_all`] works here.
    #[cfg(target_os = "linux")]
    pub(crate) fn can_sync_all(&self) -> bool {
        let system = self.folder.get().and_then(|folder| rustix::fs::fstatfs(folder).ok());
        system.is_some_and(|system| SYNCED_AT_ONCE.contains(&(system.f_type as u64 & 0xffff_ffff)))
    }

    /// Makes everything on the file system durable at once. Since Linux 5.8, that reports all write errors.
    ///
    /// # Errors
    /// When the file system refuses.
    #[cfg(target_os = "linux")]
    pub(crate) fn sync_all(&self) -> io::Result<()> {
        self.folder.get().map_or(Ok(()), |folder| Ok(rustix::fs::syncfs(folder)?))
    }

    /// Whether [`RootFolder::sync_all`] works here.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn can_sync_all(&self) -> bool {
        false
    }

    /// Makes everything on the file system durable at once.
    ///
    /// # Errors
    /// Always: only Linux supports it.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn sync_all(&self) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Returns the number of bytes that can still be written; none if the file system does not report it.
    pub(crate) fn free_space(&self) -> Option<u64> {
        let system = fstatvfs(self.folder.get()?).ok()?;
        (system.f_blocks > 0).then(|| system.f_bavail.saturating_mul(system.f_frsize))
    }
}

fn entry(folder: impl AsFd, name: &str) -> rustix::io::Result<FolderEntry> {
    let found = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let kind = match FileType::from_raw_mode(found.st_mode) {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Folder,
        FileType::Symlink => EntryKind::Obstacle("a symbolic link"),
        FileType::Fifo => EntryKind::Obstacle("a named pipe"),
        FileType::Socket => EntryKind::Obstacle("a socket"),
        _ => EntryKind::Obstacle("a device"),
    };
    Ok(FolderEntry { kind, size: found.st_size as u64 })
}

/// Reports the obstacle that made an operation fail, if there is one.
fn explain(folder: impl AsFd, name: &str, key: &str, error: rustix::io::Errno) -> io::Error {
    match entry(folder, name) {
        Ok(FolderEntry { kind: EntryKind::Obstacle(kind), .. }) => Obstacle::error(key, kind),
        _ => error.into(),
    }
}
