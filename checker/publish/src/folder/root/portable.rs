//! Folders on systems without `openat`: each name is checked for links before an operation. A link that is planted between
//! the check and the operation is followed.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use super::entry::{EntryKind, FolderEntry, OpenMode};

/// The path of a folder, without links.
#[derive(Clone, Debug)]
pub(super) struct FolderPath(PathBuf);

impl FolderPath {
    /// Opens a folder by its path, which may be a link.
    pub(super) fn open(path: &Path) -> io::Result<FolderPath> {
        let real = fs::canonicalize(path)?;
        if real.is_dir() { Ok(FolderPath(real)) } else { Err(ErrorKind::NotADirectory.into()) }
    }

    #[expect(clippy::unnecessary_wraps, reason = "a system may have to open it again")]
    pub(super) fn try_clone(&self) -> io::Result<FolderPath> {
        Ok(self.clone())
    }

    /// Returns the path of a name, which must be a single one: Windows has more separators, and names of drives.
    fn path(&self, name: &str) -> io::Result<PathBuf> {
        let mut parts = Path::new(name).components();
        match (parts.next(), parts.next()) {
            (Some(Component::Normal(part)), None) if part == name => Ok(self.0.join(name)),
            _ => Err(ErrorKind::InvalidFilename.into()),
        }
    }

    /// Returns the path of a name that is no link or special file.
    fn plain_path(&self, name: &str) -> io::Result<PathBuf> {
        match self.entry(name) {
            Ok(FolderEntry { kind: EntryKind::Obstacle(_), .. }) => Err(ErrorKind::InvalidInput.into()),
            _ => self.path(name),
        }
    }

    pub(super) fn folder(&self, name: &str) -> io::Result<FolderPath> {
        match self.entry(name)?.kind {
            EntryKind::Folder => Ok(FolderPath(self.path(name)?)),
            _ => Err(ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn entry(&self, name: &str) -> io::Result<FolderEntry> {
        let found = self.path(name)?.symlink_metadata()?;
        let kind = match found.file_type() {
            kind if kind.is_symlink() => EntryKind::Obstacle("a symbolic link"),
            kind if kind.is_dir() => EntryKind::Folder,
            kind if kind.is_file() => EntryKind::File,
            _ => EntryKind::Obstacle("a device"),
        };
        Ok(FolderEntry { kind, size: found.len() })
    }

    pub(super) fn names(&self) -> io::Result<Vec<String>> {
        let names = fs::read_dir(&self.0)?.map(|there| Ok(there?.file_name().into_string().ok()));
        names.filter_map(io::Result::transpose).collect()
    }

    pub(super) fn file(&self, name: &str, mode: OpenMode) -> io::Result<File> {
        match mode {
            // Windows reports a folder as a missing permission.
            OpenMode::Read if self.entry(name)?.kind == EntryKind::Folder => {
                Err(ErrorKind::IsADirectory.into())
            }
            OpenMode::Read => File::open(self.plain_path(name)?),
            OpenMode::Lock => File::options().create(true).append(true).open(self.plain_path(name)?),
            OpenMode::New => File::create_new(self.path(name)?),
        }
    }

    pub(super) fn make_folder(&self, name: &str) -> io::Result<()> {
        fs::create_dir(self.path(name)?)
    }

    pub(super) fn rename(&self, name: &str, to: &FolderPath, new: &str) -> io::Result<()> {
        fs::rename(self.path(name)?, to.path(new)?)
    }

    pub(super) fn remove_file(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.path(name)?)
    }

    pub(super) fn remove_folder(&self, name: &str) -> io::Result<()> {
        fs::remove_dir(self.plain_path(name)?)
    }

    #[expect(
        clippy::unnecessary_wraps,
        clippy::unused_self,
        reason = "the names in a folder are durable here"
    )]
    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    #[expect(clippy::unused_self, reason = "only Linux supports it")]
    pub(super) fn can_sync_all(&self) -> bool {
        false
    }

    #[expect(clippy::unused_self, reason = "only Linux supports it")]
    pub(super) fn sync_all(&self) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    #[expect(clippy::unused_self, reason = "the standard library does not report it")]
    pub(super) fn free_space(&self) -> Option<u64> {
        None
    }
}
