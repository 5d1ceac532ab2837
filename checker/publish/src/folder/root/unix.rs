//! Folders on Unix: names are resolved in an open folder, without following links. So a link is also refused if it is
//! planted between two operations.

use std::fs::File;
use std::io;
#[cfg(not(target_os = "linux"))]
use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, fstatvfs, fsync, mkdirat, openat, renameat, statat, unlinkat,
};

use super::entry::{EntryKind, FolderEntry, OpenMode};

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
pub(super) struct OpenFolder(OwnedFd);

impl OpenFolder {
    /// Opens a folder by its path, which may be a link.
    pub(super) fn open(path: &Path) -> io::Result<OpenFolder> {
        Ok(OpenFolder(File::options().read(true).open(path.join("."))?.into()))
    }

    pub(super) fn try_clone(&self) -> io::Result<OpenFolder> {
        Ok(OpenFolder(self.0.try_clone()?))
    }

    pub(super) fn folder(&self, name: &str) -> io::Result<OpenFolder> {
        Ok(OpenFolder(openat(&self.0, name, FOLDER, Mode::empty())?))
    }

    pub(super) fn entry(&self, name: &str) -> io::Result<FolderEntry> {
        let found = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
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

    pub(super) fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for there in Dir::read_from(&self.0)? {
            match there?.file_name().to_str() {
                Ok("." | "..") | Err(_) => {}
                Ok(name) => names.push(name.to_owned()),
            }
        }
        Ok(names)
    }

    pub(super) fn file(&self, name: &str, mode: OpenMode) -> io::Result<File> {
        let flags = match mode {
            OpenMode::Read => OFlags::RDONLY,
            OpenMode::Lock => OFlags::RDWR | OFlags::CREATE,
            OpenMode::New => OFlags::RDWR | OFlags::CREATE | OFlags::EXCL,
        };
        Ok(File::from(openat(&self.0, name, FILE | flags, Mode::from_raw_mode(0o666))?))
    }

    pub(super) fn make_folder(&self, name: &str) -> io::Result<()> {
        Ok(mkdirat(&self.0, name, Mode::from_raw_mode(0o777))?)
    }

    pub(super) fn rename(&self, name: &str, to: &OpenFolder, new: &str) -> io::Result<()> {
        Ok(renameat(&self.0, name, &to.0, new)?)
    }

    pub(super) fn remove_file(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::empty())?)
    }

    pub(super) fn remove_folder(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(fsync(&self.0)?)
    }

    #[cfg(target_os = "linux")]
    pub(super) fn can_sync_all(&self) -> bool {
        let system = rustix::fs::fstatfs(&self.0);
        system.is_ok_and(|system| SYNCED_AT_ONCE.contains(&(system.f_type as u64 & 0xffff_ffff)))
    }

    /// Since Linux 5.8, `syncfs` reports all write errors.
    #[cfg(target_os = "linux")]
    pub(super) fn sync_all(&self) -> io::Result<()> {
        Ok(rustix::fs::syncfs(&self.0)?)
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn can_sync_all(&self) -> bool {
        false
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn sync_all(&self) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    pub(super) fn free_space(&self) -> Option<u64> {
        let system = fstatvfs(&self.0).ok()?;
        (system.f_blocks > 0).then(|| system.f_bavail.saturating_mul(system.f_frsize))
    }
}
