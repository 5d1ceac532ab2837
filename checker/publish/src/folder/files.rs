//! The files of a folder: each is replaced atomically, and survives a power loss.
//!
//! A file is written below `.sitegate/tmp/`, made durable there, and then renamed. So visitors, and a machine after a
//! crash, find the old file or the new one. The files of a release are all staged before the first one is renamed:
//! see [`super::staging`]. File names become durable when their folder is synced ([`TargetFolder::flush`]).
//! Renaming, deleting and creating records needs the operating system's lock on `.sitegate/lock`. After locking, the
//! lease is verified, so that a publisher that was suspended cannot do harm when it wakes up. Links are never
//! followed: see [`super::root`].

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use bytes::Bytes;
use sha2::{Digest, Sha256};
use sitegate_address::SitePath;
use sitegate_base::chunks::each_chunk;
use sitegate_base::hex::hex;
use sitegate_base::lock::lock;
use sitegate_host::headers::STATE;

use crate::failure::{Failure, FailureKind};
use crate::folder::root::{EntryKind, FolderEntry, Obstacle, RootFolder, is_absent, parent};
use crate::machine::random_id;
use crate::store::{
    Condition, Content, Fence, FileIdentity, ObjectContent, StoreError, StoredObject, lease_lost,
};

/// The folder for files before they are renamed, in the target state.
pub(super) const STAGING: &str = "tmp";

/// The file that is locked while file names change.
const LOCK: &str = "lock";

/// How long to wait for the lock of another process.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// Number of files or folders from which one sync of the whole file system is faster than one for each.
pub(super) const SYNC_ALL_FROM: usize = 64;

/// A folder, and the changes in it that are not durable yet.
#[derive(Debug)]
pub(super) struct TargetFolder {
    pub(super) root: RootFolder,
    pub(super) fence: Fence,
    /// Folders whose file names changed since they were last synced. The mutex also keeps threads of this
    /// process from contending for the file lock.
    changed: Mutex<BTreeSet<String>>,
    /// The files that are staged for the release.
    pub(super) staged: Mutex<StagedFiles>,
}

/// The temporary files of a release.
#[derive(Debug, Default)]
pub(super) struct StagedFiles {
    /// The temporary file of each key.
    pub(super) files: BTreeMap<String, String>,
    /// The folders that were created for them.
    pub(super) folders: BTreeSet<String>,
    /// Whether one sync at the end makes all durable, instead of one for each file.
    pub(super) syncs_at_end: bool,
}

impl TargetFolder {
    /// Opens a folder, which need not exist yet.
    ///
    /// # Errors
    /// [`FailureKind::Usage`] when it is something else, or cannot be opened.
    pub(super) fn open(path: &Path, fence: Fence) -> Result<TargetFolder, Failure> {
        let root = RootFolder::open(path).map_err(|error| not_a_folder(path, &error))?;
        Ok(TargetFolder { root, fence, changed: Mutex::default(), staged: Mutex::default() })
    }

    /// Creates the folder, if it does not exist.
    ///
    /// # Errors
    /// [`FailureKind::Usage`] when that is impossible.
    pub(super) fn create(&self) -> Result<(), Failure> {
        let path = self.root();
        let created = make_root(path).and_then(|()| self.root.open_created());
        created.map_err(|error| not_a_folder(path, &error))
    }

    /// Returns its path.
    pub(super) fn root(&self) -> &Path {
        self.root.path()
    }

    /// Reports an error of an operation at a key. An obstacle at or above the key is the user's to remove.
    pub(super) fn failed(&self, what: &str, key: &str, error: &io::Error) -> Failure {
        let Some(obstacle) = Obstacle::from_error(error) else {
            return Failure::new(FailureKind::Failed, format!("{what} {key}: {error}"));
        };
        let (path, kind) = (self.root().join(&obstacle.key), obstacle.kind);
        let message =
            format!("{} is {kind}; below the target, only files and folders are used", path.display());
        let help = if kind == "a symbolic link" {
            "delete the link, or replace it with what it points to"
        } else {
            "delete it, or move it out of the target"
        };
        Failure::new(FailureKind::Guard, message).help(help)
    }

    /// Lists the files below a folder, by key. Links and special files are left out, except in the target state.
    pub(super) fn list(&self, prefix: &str) -> Result<Vec<(String, StoredObject)>, Failure> {
        let state = STATE.trim_end_matches('/');
        if prefix.starts_with(STATE)
            && self.root.entry(state).is_ok_and(|entry| entry.kind == EntryKind::File)
        {
            return Err(self.wrong_kind(state, "file", "folder"));
        }
        let mut found = Vec::new();
        let mut folders = vec![prefix.trim_end_matches('/').to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = match self.root.entries(&folder) {
                Ok(entries) => entries,
                Err(error) if is_absent(&error) => continue,
                Err(error) => return Err(self.failed("cannot list", &folder, &error)),
            };
            for (name, entry) in entries {
                let key = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                let is_own = format!("{folder}/") == STATE && (name == STAGING || name == LOCK);
                match entry.kind {
                    EntryKind::Obstacle(kind) if is_strict(&key) => {
                        return Err(self.failed("", &key, &Obstacle::error(&key, kind)));
                    }
                    EntryKind::Obstacle(_) => {}
                    EntryKind::File if is_own && name == STAGING => {
                        return Err(self.wrong_kind(&key, "file", "folder"));
                    }
                    EntryKind::Folder if is_own && name == LOCK => {
                        return Err(self.wrong_kind(&key, "folder", "file"));
                    }
                    _ if is_own => {}
                    EntryKind::Folder => folders.push(key),
                    EntryKind::File => {
                        found.push((key, StoredObject { size: entry.size, ..StoredObject::default() }));
                    }
                }
            }
        }
        Ok(found)
    }

    /// Returns the keys of the folders in a folder.
    pub(super) fn folders(&self, folder: &str) -> Result<Vec<String>, Failure> {
        let folder = folder.trim_end_matches('/');
        match self.root.entries(folder) {
            Ok(entries) => {
                let folders = entries.into_iter().filter(|(_, entry)| entry.kind == EntryKind::Folder);
                Ok(folders.map(|(name, _)| format!("{folder}/{name}")).collect())
            }
            Err(error) if is_absent(&error) => Ok(Vec::new()),
            Err(error) => Err(self.failed("cannot list", folder, &error)),
        }
    }

    /// Moves a file or folder, without a lock: no publisher reads or writes it.
    pub(super) fn move_aside(&self, from: &str, to: &str) -> Result<(), Failure> {
        let moved = self.root.make_folders(parent(to), |_| {}).and_then(|()| self.root.rename(from, to));
        moved.map_err(|error| self.failed(&format!("cannot move {from} to"), to, &error))
    }

    fn wrong_kind(&self, key: &str, kind: &str, expected: &str) -> Failure {
        let path = self.root().join(key);
        Failure::new(FailureKind::Guard, format!("{} is a {kind}, not a {expected}", path.display()))
            .help("delete it, or move it out of the target")
    }

    /// Reads a file of at most `limit` bytes. Its tag is the digest.
    pub(super) fn read(&self, key: &str, limit: u64) -> Result<ObjectContent, StoreError> {
        let mut body = Vec::new();
        let file = self.open_file(key)?.ok_or(StoreError::Missing)?;
        let read = file.take(limit.saturating_add(1)).read_to_end(&mut body);
        read.map_err(|error| self.failed("cannot read", key, &error))?;
        if body.len() as u64 > limit {
            return Err(StoreError::TooLarge);
        }
        let tag = Some(hex(&Sha256::digest(&body)));
        Ok(ObjectContent { body: Bytes::from(body), tag })
    }

    /// Opens a file; none if there is no file.
    pub(super) fn open_file(&self, key: &str) -> Result<Option<File>, Failure> {
        check_key(key)?;
        match self.root.open_file(key) {
            Ok(file) => Ok(Some(file)),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(self.failed("cannot read", key, &error)),
        }
    }

    /// Reads the size and digest of a file.
    pub(super) fn inspect(&self, key: &str) -> Result<Option<StoredObject>, Failure> {
        let Some(mut file) = self.open_file(key)? else { return Ok(None) };
        let identity = FileIdentity::from_file(&file, &self.root().join(key));
        let (size, sha256) = digest(&mut file).map_err(|error| self.failed("cannot read", key, &error))?;
        Ok(Some(StoredObject { size, etag: None, sha256: Some(sha256), file: identity, age: None }))
    }

    /// Reads the sizes and digests of files. If one does not exist, those of the files that conflict with it.
    pub(super) fn inspect_all(&self, keys: Vec<String>) -> Result<Vec<(String, StoredObject)>, Failure> {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            if let Some(present) = self.inspect(&key)? {
                found.push((key, present));
                continue;
            }
            for other in self.conflicting_files(&key)? {
                found.extend(self.inspect(&other)?.map(|present| (other, present)));
            }
        }
        Ok(found)
    }

    /// Returns the files that conflict with a key: a file at the path of one of its folders, or the files of a
    /// folder at its path.
    fn conflicting_files(&self, key: &str) -> Result<Vec<String>, Failure> {
        let at = |error: io::Error| self.failed("cannot read", key, &error);
        for folder in SitePath::new(key).ancestors() {
            match self.root.entry(folder) {
                Ok(FolderEntry { kind: EntryKind::File, .. }) => return Ok(vec![folder.to_owned()]),
                Err(error) if is_absent(&error) => return Ok(Vec::new()),
                _ => {}
            }
        }
        if !self.root.is_folder(key).map_err(at)? {
            return Ok(Vec::new());
        }
        let mut files: Vec<String> = self.list(key)?.into_iter().map(|(file, _)| file).collect();
        files.sort_unstable();
        Ok(files)
    }

    /// Writes a file, and returns its tag.
    pub(super) fn write(
        &self,
        key: &str,
        content: &Content,
        condition: &Condition,
    ) -> Result<String, StoreError> {
        check_key(key)?;
        let stage = || self.write_staged(key, content, true);
        // A file without a condition may be large, so it is written before the lock is taken.
        let early = (*condition == Condition::Always).then(stage).transpose()?;
        let mut changed = self.lock(key)?;
        let holds = match condition {
            Condition::Always => true,
            Condition::Absent => self.root.entry(key).is_err_and(|error| is_absent(&error)),
            Condition::Unchanged(tag) => self
                .root
                .open_file(key)
                .and_then(|mut file| digest(&mut file))
                .is_ok_and(|(_, sha256)| sha256 == *tag),
        };
        if !holds {
            return Err(StoreError::Changed);
        }
        let (staged, sha256) = early.map_or_else(stage, Ok)?;
        let renamed = self.rename_staged(key, &staged, &mut changed.names);
        if renamed.is_err() {
            let _ = self.root.remove_file(&staged);
        }
        renamed?;
        Ok(sha256)
    }

    /// Renames a temporary file to its key.
    pub(super) fn rename_staged(
        &self,
        key: &str,
        staged: &str,
        changed: &mut BTreeSet<String>,
    ) -> Result<(), Failure> {
        let renamed = self.root.rename(staged, key).or_else(|_| {
            // Its folder is missing, or an empty folder is in its place.
            self.make_folders(parent(key), changed)?;
            if self.root.is_folder(key)? {
                self.remove_empty_folders(key)?;
            }
            self.root.rename(staged, key)
        });
        renamed.map_err(|error| self.failed("cannot write", key, &error))?;
        changed.insert(parent(key).to_owned());
        Ok(())
    }

    /// Creates a folder and its parents, and records the folders with new entries.
    pub(super) fn make_folders(&self, folder: &str, changed: &mut BTreeSet<String>) -> io::Result<()> {
        self.root.make_folders(folder, |made| {
            changed.insert(parent(made).to_owned());
        })
    }

    /// Deletes a folder that contains only empty folders.
    fn remove_empty_folders(&self, folder: &str) -> io::Result<()> {
        for (name, entry) in self.root.entries(folder)? {
            if entry.kind == EntryKind::Folder {
                self.remove_empty_folders(&format!("{folder}/{name}"))?;
            }
        }
        self.root.remove_folder(folder)
    }

    /// Deletes files, and folders that become empty.
    pub(super) fn delete(&self, keys: &[String]) -> Result<(), Failure> {
        let mut changed = self.lock("")?;
        self.remove(keys, &mut changed.names)
    }

    pub(super) fn remove(&self, keys: &[String], changed: &mut BTreeSet<String>) -> Result<(), Failure> {
        for key in keys {
            check_key(key)?;
            // Some systems report a folder as a missing permission.
            match self.root.is_folder(key).and_then(|is_folder| {
                if is_folder { Err(ErrorKind::IsADirectory.into()) } else { self.root.remove_file(key) }
            }) {
                Ok(()) => {}
                Err(error) if is_absent(&error) => continue,
                Err(error) => return Err(self.failed("cannot delete", key, &error)),
            }
            changed.insert(parent(key).to_owned());
            let mut folder = parent(key);
            // A folder with other files cannot be removed.
            while !folder.is_empty() && !key.starts_with(STATE) && self.root.remove_folder(folder).is_ok() {
                changed.remove(folder);
                folder = parent(folder);
                changed.insert(folder.to_owned());
            }
        }
        Ok(())
    }

    /// Makes the names of files durable that were written or deleted since the last call.
    pub(super) fn flush(&self) -> Result<(), Failure> {
        let folders = std::mem::take(&mut *lock(&self.changed));
        if folders.len() >= SYNC_ALL_FROM && self.root.can_sync_all() {
            return self.root.sync_all().map_err(|error| self.failed("cannot make durable", "", &error));
        }
        for folder in folders {
            match self.root.sync_folder(&folder) {
                Err(error) if !is_absent(&error) => {
                    return Err(self.failed("cannot make durable", &folder, &error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Waits until no other process is changing file names.
    ///
    /// # Errors
    /// [`FailureKind::Held`] when one does not finish.
    pub(super) fn wait_for_others(&self) -> Result<(), Failure> {
        match self.lock("") {
            Err(failure) if failure.kind == FailureKind::Held => Err(failure),
            // Without write access there is no lock to wait for.
            _ => Ok(()),
        }
    }

    /// Returns how long ago a file was written, by the clock of the file system.
    pub(super) fn age(&self, key: &str) -> Option<Duration> {
        let then = self.open_file(key).ok()??.metadata().and_then(|meta| meta.modified()).ok()?;
        let now =
            self.write_staged(key, &Content::Bytes(Bytes::new()), false).ok().and_then(|(staged, _)| {
                let now = self.root.open_file(&staged).and_then(|file| file.metadata()?.modified());
                let _ = self.root.remove_file(&staged);
                now.ok()
            });
        // Without write access, use the clock of this machine instead.
        let now = now.unwrap_or_else(|| self.fence.machine().calendar());
        Some(now.duration_since(then).unwrap_or_default())
    }

    /// Whether the file system treats two colliding keys as one. Probes it with two empty files in a temporary folder. If
    /// probing fails, the answer is no.
    pub(super) fn are_same_file(&self, keys: [&str; 2]) -> bool {
        let [first, second] = keys.map(|key| key.split('/'));
        let Some((one, other)) = first.zip(second).find(|(one, other)| one != other) else { return false };
        let folder = format!("{STATE}names-{}", random_id());
        let files = [format!("{folder}/{one}"), format!("{folder}/{other}")];
        let made = self.root.make_folders(&folder, |_| {}).and_then(|()| self.root.create_file(&files[0]));
        let is_one = made.is_ok()
            && self.root.create_file(&files[1]).is_err_and(|error| error.kind() == ErrorKind::AlreadyExists);
        for file in &files {
            let _ = self.root.remove_file(file);
        }
        let _ = self.root.remove_folder(&folder);
        is_one
    }

    /// Locks file names against other processes, and verifies that the lease allows writing a key.
    pub(super) fn lock(&self, key: &str) -> Result<NameLock<'_>, Failure> {
        let mut names = lock(&self.changed);
        let path = format!("{STATE}{LOCK}");
        let at = |error: io::Error| self.failed("cannot lock", &path, &error);
        self.make_folders(parent(&path), &mut names).map_err(at)?;
        let file = self.root.open_lock(&path).map_err(at)?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                // On a file system without locks, the lease check below must suffice.
                Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => break,
                Err(TryLockError::Error(error)) => return Err(at(error)),
                Err(TryLockError::WouldBlock) if start.elapsed() < LOCK_TIMEOUT => {
                    thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(Failure::new(
                        FailureKind::Held,
                        "another publisher is changing files and does not finish",
                    )
                    .help("wait for it; if its process hangs, kill it"));
                }
            }
        }
        if let Some(hold) = self.fence.check(key)? {
            let there = |record: &str| self.root.entry(record).is_ok();
            if there(&hold.next) || !there(&hold.record) {
                return Err(lease_lost());
            }
        }
        Ok(NameLock { names, _file: file })
    }
}

/// A lock on file names, released on drop.
pub(super) struct NameLock<'f> {
    pub(super) names: MutexGuard<'f, BTreeSet<String>>,
    _file: File,
}

/// Fails for a key that is not a path below the root.
pub(super) fn check_key(key: &str) -> Result<(), Failure> {
    let odd = |part: &str| part.is_empty() || part == "." || part == ".." || part.contains('\0');
    if key.split('/').any(odd) {
        return Err(Failure::new(FailureKind::Usage, format!("`{key}` is not a valid file name")));
    }
    Ok(())
}

fn not_a_folder(path: &Path, error: &io::Error) -> Failure {
    let path_name = path.display();
    if path.is_file() {
        Failure::new(FailureKind::Usage, format!("{path_name} is a file, not a folder"))
    } else {
        Failure::new(FailureKind::Usage, format!("{path_name}: {error}"))
    }
}

/// Whether a link or special file at a key is an error: in the target state, except among temporary files.
fn is_strict(key: &str) -> bool {
    key.strip_prefix(STATE).is_some_and(|name| !name.starts_with(&format!("{STAGING}/")))
}

/// Returns a file's size and digest.
fn digest(file: &mut File) -> io::Result<(u64, String)> {
    let mut hash = Sha256::new();
    let size = each_chunk(file, |chunk| hash.update(chunk))?;
    Ok((size, hex(&hash.finalize())))
}

/// Creates the root and its parents, and makes them durable.
fn make_root(root: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = root.ancestors().take_while(|folder| !folder.is_dir()).collect();
    fs::create_dir_all(root)?;
    for folder in missing.into_iter().filter_map(Path::parent).filter(|_| cfg!(unix)) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
