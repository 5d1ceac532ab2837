//! Writes prepared changes: first all new contents to the staging folder, then one rename for each file.
//!
//! The staging folder is on the same file system, outside of the sources: in the folder of Git. A staged file gets the
//! metadata of the file that it replaces: mode, owner and extended attributes.
//!
//! So an interruption leaves no temporary file between the sources. The next run removes what a killed one has left.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::changes::{Refusal, RefusalReason};
use super::checks::{FileVersion, PreparedChange, PreparedRename, device};
use super::git::run_git;

/// Name of the folder in that of Git.
const IN_GIT: &str = "sitegate-staging";

/// Name of the folder if there is no repository, or the sources are on another file system.
const IN_SOURCES: &str = ".sitegate-staging";

/// Name of the file whose lock excludes other runs.
const LOCK: &str = "lock";

/// Extension of staged files. Only they are removed, so that a folder of the same name keeps all else.
const STAGED: &str = "staged";

/// A folder of staged files.
#[derive(Debug)]
struct StagingFolder {
    path: PathBuf,
    device: Option<u64>,
    /// Locked while the value lives.
    _lock: File,
}

/// The folders of staged files: one for each file system.
#[derive(Debug)]
pub(super) struct Staging {
    candidates: Vec<PathBuf>,
    folders: Vec<StagingFolder>,
    staged: usize,
}

impl Staging {
    /// Prepares to stage files of a project. No folder is created yet.
    pub fn new(repository: Option<&Path>, project: &Path) -> Staging {
        let git = repository.and_then(git_folder).map(|folder| folder.join(IN_GIT));
        let candidates = git.into_iter().chain([project.join(IN_SOURCES)]).collect();
        Staging { candidates, folders: Vec::new(), staged: 0 }
    }

    /// Writes the new content of a file, with the metadata of the present one. Returns the staged file.
    ///
    /// # Errors
    /// If no folder of the same file system can be used, another run uses it, or there is no space.
    pub fn stage(&mut self, file: &Path, content: &[u8]) -> io::Result<PathBuf> {
        let folder = self.folder(file)?;
        self.stage_in(&folder, file, content)
    }

    /// Stages a file again, in its own folder: two paths of one device may be in different mounts.
    ///
    /// # Errors
    /// As with [`Staging::stage`].
    pub fn stage_next_to(&mut self, file: &Path, content: &[u8]) -> io::Result<PathBuf> {
        let path = file.with_file_name(IN_SOURCES);
        if !self.folders.iter().any(|folder| folder.path == path) {
            self.folders.push(StagingFolder::open(path.clone())?);
        }
        self.stage_in(&path, file, content)
    }

    fn stage_in(&mut self, folder: &Path, file: &Path, content: &[u8]) -> io::Result<PathBuf> {
        self.staged += 1;
        let staged = folder.join(format!("{}.{STAGED}", self.staged));
        File::create_new(&staged)?.write_all(content)?;
        keep_metadata(file, &staged)?;
        Ok(staged)
    }

    /// Returns the folder for a file. Creates it if there is none yet.
    fn folder(&mut self, file: &Path) -> io::Result<PathBuf> {
        let parent = file.parent().unwrap_or(file);
        let own = device(parent);
        if let Some(folder) = self.folders.iter().find(|folder| folder.device == own) {
            return Ok(folder.path.clone());
        }
        let mount = parent.ancestors().take_while(|folder| device(folder) == own).last().unwrap_or(parent);
        let candidates: Vec<PathBuf> =
            self.candidates.iter().cloned().chain([mount.join(IN_SOURCES)]).collect();
        let mut failure = None;
        for path in candidates {
            if path.parent().is_none_or(|above| device(above) != own) {
                continue;
            }
            match StagingFolder::open(path.clone()) {
                Ok(folder) => {
                    self.folders.push(folder);
                    return Ok(path);
                }
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => return Err(error),
                Err(error) => failure = Some(error),
            }
        }
        Err(failure.unwrap_or_else(|| io::ErrorKind::CrossesDevices.into()))
    }
}

impl StagingFolder {
    /// Creates a folder, or reuses that of a run that was killed. Excludes other runs.
    fn open(path: PathBuf) -> io::Result<StagingFolder> {
        /// A run that ends may remove the folder at the same time.
        const ATTEMPTS: usize = 10;
        for _ in 0..ATTEMPTS {
            match fs::create_dir(&path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()) {
                let message = format!("{} is no folder; remove it", path.display());
                return Err(io::Error::new(io::ErrorKind::NotADirectory, message));
            }
            let name = path.join(LOCK);
            let lock = match File::options().create(true).truncate(false).write(true).open(&name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                lock => lock?,
            };
            match lock.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    let message =
                        "another run of sitegate changes these sources; try again when it has ended";
                    return Err(io::Error::new(io::ErrorKind::ResourceBusy, message));
                }
                // Some network file systems have no locks.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            if is_same_file(&lock, &name) {
                remove_staged(&path)?;
                return Ok(StagingFolder { device: device(&path), path, _lock: lock });
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }
}

impl Drop for StagingFolder {
    fn drop(&mut self) {
        // What remains is removed by the next run.
        let _ = remove_staged(&self.path);
        let _ = fs::remove_file(self.path.join(LOCK));
        let _ = fs::remove_dir(&self.path);
    }
}

/// Removes the staged files of a folder.
fn remove_staged(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == STAGED) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Whether an open file still has its name: the run that had the lock before removes it.
#[cfg(unix)]
fn is_same_file(open: &File, name: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let key = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let open = open.metadata().map(key);
    open.is_ok_and(|open| fs::metadata(name).map(key).is_ok_and(|named| named == open))
}

/// An open file cannot be removed.
#[cfg(not(unix))]
fn is_same_file(_: &File, _: &Path) -> bool {
    true
}

/// Returns the folder of Git for a working tree: `.git`, or that of a linked working tree or a submodule.
fn git_folder(repository: &Path) -> Option<PathBuf> {
    let usual = repository.join(".git");
    if usual.is_dir() {
        return Some(usual);
    }
    let path = run_git(repository, &["rev-parse", "--absolute-git-dir"]).ok()?;
    Some(PathBuf::from(String::from_utf8(path).ok()?.trim_end_matches(['\n', '\r'])))
}

/// Copies the metadata that a file keeps when its content changes.
///
/// # Errors
/// If the mode cannot be set. The owner and the attributes are kept if the user may set them.
fn keep_metadata(present: &Path, new: &Path) -> io::Result<()> {
    let metadata = fs::metadata(present)?;
    #[cfg(unix)]
    {
        keep_owner(&metadata, new);
        keep_attributes(present, new);
    }
    // After the owner, because a change of it clears some bits.
    fs::set_permissions(new, metadata.permissions())
}

#[cfg(unix)]
fn keep_owner(metadata: &fs::Metadata, new: &Path) {
    use std::os::unix::fs::{MetadataExt, chown};
    let is_same = |own: &fs::Metadata| own.uid() == metadata.uid() && own.gid() == metadata.gid();
    if !fs::metadata(new).is_ok_and(|own| is_same(&own)) {
        // Only the administrator may give a file away.
        let _ = chown(new, Some(metadata.uid()), Some(metadata.gid()));
    }
}

/// Copies extended attributes, and access control lists with them. The system itself sets those of `security`.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn keep_attributes(present: &Path, new: &Path) {
    use rustix::fs::{XattrFlags, getxattr, listxattr, setxattr};
    const MAX: usize = 1 << 16;
    let mut names = vec![0; MAX];
    let listed = listxattr(present, &mut names[..]).unwrap_or(0);
    for name in names[..listed].split(|byte| *byte == 0) {
        let is_kept = !name.is_empty() && !name.starts_with(b"security.");
        let mut value = vec![0; if is_kept { MAX } else { 0 }];
        if is_kept && let Ok(length) = getxattr(present, name, &mut value[..]) {
            // Not all file systems have all attributes.
            let _ = setxattr(new, name, &value[..length], XattrFlags::empty());
        }
    }
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "macos"))))]
fn keep_attributes(_: &Path, _: &Path) {}

/// The reason why changes could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// A path cannot be read or written. All files are as before.
    #[error("{}: {source}; nothing is changed", path.display())]
    Unchanged {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A path could not be written, and others not restored.
    #[error("{}: {source}; some files are changed already: restore them with Git, and try again", path.display())]
    PartlyChanged {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

impl ApplyError {
    pub(super) fn unchanged(path: &Path) -> impl FnOnce(io::Error) -> ApplyError {
        let path = path.to_path_buf();
        move |source| ApplyError::Unchanged { path, source }
    }
}

/// Writes each change on its own. Returns the changes that failed, each with the file as it was.
pub(super) fn write_each(changes: &[PreparedChange<'_>], staging: &mut Staging) -> Vec<Refusal> {
    let mut failed = Vec::new();
    let mut staged = Vec::new();
    for change in changes {
        match staging.stage(&change.path, &change.new) {
            Ok(file) => staged.push((change, file)),
            Err(error) => failed.push((change, RefusalReason::Unwritable(error))),
        }
    }
    for (change, file) in staged {
        if FileVersion::of(&change.path) != Some(change.stamp) {
            failed.push((change, RefusalReason::ChangedSinceRead));
        } else if let Err(error) = replace(&change.path, &file, &change.new, staging) {
            failed.push((change, RefusalReason::Unwritable(error)));
        }
    }
    failed.into_iter().map(|(change, reason)| Refusal { file: change.name.to_path_buf(), reason }).collect()
}

/// Writes all changes and the move, or nothing.
///
/// # Errors
/// If one cannot be written. Then the others are restored.
pub(super) fn write_all(
    changes: &[PreparedChange<'_>],
    rename: Option<&PreparedRename>,
    staging: &mut Staging,
) -> Result<(), ApplyError> {
    let mut staged = Vec::new();
    for change in changes {
        let file = staging.stage(&change.path, &change.new).map_err(ApplyError::unchanged(change.name))?;
        staged.push((change, file));
    }
    if let Some(change) = changes.iter().find(|change| FileVersion::of(&change.path) != Some(change.stamp)) {
        let source = io::Error::other(RefusalReason::ChangedSinceRead.to_string());
        return Err(ApplyError::Unchanged { path: change.name.to_path_buf(), source });
    }
    let created = rename.map(move_files).transpose()?;
    let target = |change: &PreparedChange<'_>| {
        rename.map_or_else(|| change.path.clone(), |rename| rename.moved(&change.path))
    };
    for (number, (change, file)) in staged.iter().enumerate() {
        let Err(source) = replace(&target(change), file, &change.new, staging) else { continue };
        let path = change.name.to_path_buf();
        let mut restore = || -> io::Result<()> {
            for written in changes[..number].iter().rev() {
                let present = target(written);
                let old = staging.stage(&present, &written.old)?;
                replace(&present, &old, &written.old, staging)?;
            }
            let Some(rename) = rename else { return Ok(()) };
            fs::rename(&rename.to, &rename.from)?;
            remove_folders(created.as_deref().unwrap_or_default());
            Ok(())
        };
        return Err(match restore() {
            Ok(()) => ApplyError::Unchanged { path, source },
            Err(_) => ApplyError::PartlyChanged { path, source },
        });
    }
    Ok(())
}

/// Moves a file or folder. Returns the folders that were created for it, the deepest first.
fn move_files(rename: &PreparedRename) -> Result<Vec<PathBuf>, ApplyError> {
    let parents = rename.to.ancestors().skip(1);
    let created: Vec<PathBuf> =
        parents.take_while(|folder| !folder.exists()).map(Path::to_path_buf).collect();
    let moved = match rename.to.parent() {
        Some(folder) => fs::create_dir_all(folder).and_then(|()| fs::rename(&rename.from, &rename.to)),
        None => fs::rename(&rename.from, &rename.to),
    };
    if let Err(source) = moved {
        remove_folders(&created);
        return Err(ApplyError::Unchanged { path: rename.to.clone(), source });
    }
    Ok(created)
}

/// Removes folders that are empty again.
fn remove_folders(folders: &[PathBuf]) {
    for folder in folders {
        // One with other files stays.
        let _ = fs::remove_dir(folder);
    }
}

/// Replaces a file with a staged one, in one step.
fn replace(file: &Path, staged: &Path, content: &[u8], staging: &mut Staging) -> io::Result<()> {
    match fs::rename(staged, file) {
        // Two mounts of one device, as of a container.
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            fs::rename(staging.stage_next_to(file, content)?, file)
        }
        renamed => renamed,
    }
}
