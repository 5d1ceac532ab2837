//! Publishes to a folder: every file is replaced atomically, and survives a power loss.
//!
//! A file is written below `.sitegate/tmp/`, made durable there (`fsync`), and then renamed. So visitors, and a
//! machine after a crash, find the old file or the new one. File names become durable when their folder is
//! synced ([`TargetFolder::flush`]). Renaming, deleting and creating records needs the operating system's lock
//! on `.sitegate/lock`. After locking, the lease is verified, so that a publisher that was suspended cannot do
//! harm when it wakes up.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bytes::Bytes;
use sha2::{Digest, Sha256};
use sitegate_base::chunks::each_chunk;
use sitegate_base::hex::hex;
use sitegate_hosting::headers::STATE;

use crate::failure::{Failure, FailureKind};
use crate::target::fence::{Fence, lease_lost};
use crate::target::large::{LargeContent, LargeSource};
use crate::target::object::{Condition, FileIdentity, ObjectContent, PutError, StoredObject};
use crate::target::options::folder;

/// The folder for files before they are renamed.
const STAGING: &str = "tmp";

/// The file that is locked while file names change.
const LOCK: &str = "lock";

/// How long to wait for the lock of another process.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// A folder, and the changes in it that are not durable yet.
#[derive(Debug)]
pub(crate) struct TargetFolder {
    root: PathBuf,
    fence: Arc<Fence>,
    /// Folders whose file names changed since they were last synced. The mutex also keeps threads of this
    /// process from contending for the file lock.
    changed: Mutex<BTreeSet<PathBuf>>,
}

impl TargetFolder {
    /// Opens the folder of a `file:` URL. With `create`, creates it if it does not exist.
    ///
    /// # Errors
    /// [`FailureKind::Usage`] when the URL names no folder, or the folder cannot be created.
    pub(super) fn open(url: &str, create: bool, fence: Arc<Fence>) -> Result<TargetFolder, Failure> {
        let root = folder(url)?;
        if create {
            let mut changed = BTreeSet::new();
            make_folders(&root, &mut changed)
                .and_then(|()| changed.iter().try_for_each(|folder| sync_folder(folder)))
                .map_err(|error| not_a_folder(&root, &error))?;
        }
        Ok(TargetFolder { root, fence, changed: Mutex::default() })
    }

    /// Returns its path.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    fn path(&self, key: &str) -> Result<PathBuf, Failure> {
        let odd = |part: &str| part.is_empty() || part == "." || part == ".." || part.contains('\0');
        if key.split('/').any(odd) {
            return Err(Failure::new(FailureKind::Usage, format!("`{key}` is not a valid file name")));
        }
        Ok(self.root.join(key))
    }

    fn state(&self, name: &str) -> PathBuf {
        self.root.join(STATE.trim_end_matches('/')).join(name)
    }

    /// Lists the files below a folder of the target state, by key.
    pub(crate) fn list(&self, prefix: &str) -> Result<HashMap<String, StoredObject>, Failure> {
        let mut found = HashMap::new();
        let mut folders = vec![prefix.trim_end_matches('/').to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = match fs::read_dir(self.path(&folder)?) {
                Ok(entries) => entries,
                Err(error) if is_absent(&error) => continue,
                Err(error) => return Err(failed("cannot list", &folder, &error)),
            };
            for entry in entries {
                let entry = entry.map_err(|error| failed("cannot list", &folder, &error))?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                let is_own = format!("{folder}/") == STATE && (name == STAGING || name == LOCK);
                let key = format!("{folder}/{name}");
                match fs::metadata(entry.path()) {
                    Ok(_) if is_own => {}
                    Ok(meta) if meta.is_dir() => folders.push(key),
                    Ok(meta) => {
                        drop(found.insert(key, StoredObject { size: meta.len(), ..StoredObject::default() }));
                    }
                    Err(error) if is_absent(&error) => {}
                    Err(error) => return Err(failed("cannot read", &key, &error)),
                }
            }
        }
        Ok(found)
    }

    /// Lists all files outside of the target state, by key, with their sizes. Symbolic links are not followed.
    pub(crate) fn site_files(&self) -> Result<BTreeMap<String, u64>, Failure> {
        let mut found = BTreeMap::new();
        let mut folders = vec![(String::new(), self.root.clone())];
        while let Some((prefix, path)) = folders.pop() {
            let at = |error: io::Error| failed("cannot list", &path.display().to_string(), &error);
            for entry in fs::read_dir(&path).map_err(at)? {
                let entry = entry.map_err(at)?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                let key = format!("{prefix}{name}");
                let meta = match entry.metadata() {
                    Ok(meta) => meta,
                    Err(error) if is_absent(&error) => continue,
                    Err(error) => return Err(at(error)),
                };
                if meta.is_dir() && format!("{key}/") != STATE {
                    folders.push((format!("{key}/"), entry.path()));
                } else if meta.is_file() {
                    found.insert(key, meta.len());
                }
            }
        }
        Ok(found)
    }

    /// Reads a file. Its tag is the digest.
    pub(crate) fn read(&self, key: &str) -> Result<Option<ObjectContent>, Failure> {
        let path = self.path(key)?;
        match fs::read(&path) {
            Ok(body) => {
                let tag = Some(hex(&Sha256::digest(&body)));
                Ok(Some(ObjectContent { body: Bytes::from(body), tag }))
            }
            Err(error) if is_absent(&error) || path.is_dir() => Ok(None),
            Err(error) => Err(failed("cannot read", key, &error)),
        }
    }

    /// Reads the size and digest of a file.
    pub(crate) fn inspect(&self, key: &str) -> Result<Option<StoredObject>, Failure> {
        let path = self.path(key)?;
        let found = File::open(&path).and_then(|mut file| {
            let identity = FileIdentity::from_file(&file, &path);
            let (size, sha256) = digest(&mut file)?;
            Ok(StoredObject { size, etag: None, sha256: Some(sha256), file: identity })
        });
        match found {
            Ok(found) => Ok(Some(found)),
            Err(error) if is_absent(&error) || path.is_dir() => Ok(None),
            Err(error) => Err(failed("cannot read", key, &error)),
        }
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
        for (end, _) in key.match_indices('/') {
            if fs::metadata(self.path(&key[..end])?).is_ok_and(|meta| meta.is_file()) {
                return Ok(vec![key[..end].to_owned()]);
            }
        }
        match fs::metadata(self.path(key)?) {
            Ok(meta) if meta.is_dir() => {
                let mut files: Vec<String> = self.list(key)?.into_keys().collect();
                files.sort_unstable();
                Ok(files)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Writes a file instead of conflicting ones. Returns its tag.
    pub(crate) fn write(
        &self,
        key: &str,
        body: &[u8],
        condition: &Condition,
        path_conflicts: &[String],
    ) -> Result<String, PutError> {
        let path = self.path(key).map_err(PutError::Other)?;
        let stage = || self.stage(key, &mut &*body);
        // A file without a condition may be large, so it is written before the lock is taken.
        let early = (*condition == Condition::Always).then(stage).transpose().map_err(PutError::Other)?;
        let mut changed = self.lock(key).map_err(PutError::Other)?;
        let holds = match condition {
            Condition::Always => true,
            Condition::Absent => !path.try_exists().unwrap_or(true),
            Condition::Unchanged(tag) => File::open(&path)
                .and_then(|mut file| digest(&mut file))
                .is_ok_and(|(_, sha256)| sha256 == *tag),
        };
        if !holds {
            return Err(PutError::Conflict);
        }
        let staged = early.map_or_else(stage, Ok).map_err(PutError::Other)?;
        self.rename_staged(key, &staged, path_conflicts, &mut changed.names).map_err(PutError::Other)?;
        Ok(hex(&Sha256::digest(body)))
    }

    /// Writes a large content instead of conflicting files, if its digest is right. Returns its tag.
    pub(crate) fn write_large(
        &self,
        key: &str,
        content: &LargeContent,
        path_conflicts: &[String],
    ) -> Result<String, PutError> {
        let from = match &content.from {
            LargeSource::File(path) => path.clone(),
            LargeSource::Key(kept) => self.path(kept).map_err(PutError::Other)?,
        };
        let mut source = match File::open(&from) {
            Ok(file) => Hashed { file, hash: Sha256::new() },
            Err(error) if is_absent(&error) || from.is_dir() => return Err(PutError::Different),
            Err(error) => {
                return Err(PutError::Other(failed("cannot read", &from.display().to_string(), &error)));
            }
        };
        // Another size means another content, without reading it.
        if source.file.metadata().is_ok_and(|metadata| metadata.len() != content.size) {
            return Err(PutError::Different);
        }
        let staged = self.stage(key, &mut source).map_err(PutError::Other)?;
        if hex(&source.hash.finalize()) != content.sha256 {
            let _ = fs::remove_file(&staged);
            return Err(PutError::Different);
        }
        let mut changed = self.lock(key).map_err(PutError::Other)?;
        self.rename_staged(key, &staged, path_conflicts, &mut changed.names).map_err(PutError::Other)?;
        Ok(content.sha256.clone())
    }

    /// Copies a file.
    pub(crate) fn copy(&self, from: &str, to: &str) -> Result<(), Failure> {
        let mut source = File::open(self.path(from)?).map_err(|error| failed("cannot copy", from, &error))?;
        let staged = self.stage(to, &mut source)?;
        self.rename_staged(to, &staged, &[], &mut self.lock(to)?.names)
    }

    /// Writes a durable temporary file.
    fn stage(&self, key: &str, content: &mut dyn Read) -> Result<PathBuf, Failure> {
        let at = |error: io::Error| failed("cannot write", key, &error);
        let folder = self.state(STAGING);
        fs::create_dir_all(&folder).map_err(at)?;
        let staged = folder.join(random_name());
        let written = File::create_new(&staged).and_then(|mut file| {
            io::copy(content, &mut file)?;
            file.sync_all()
        });
        if let Err(error) = written {
            let _ = fs::remove_file(&staged);
            return Err(at(error));
        }
        Ok(staged)
    }

    /// Renames a temporary file to its key.
    fn rename_staged(
        &self,
        key: &str,
        staged: &Path,
        path_conflicts: &[String],
        changed: &mut BTreeSet<PathBuf>,
    ) -> Result<(), Failure> {
        let path = self.path(key)?;
        let done = self.remove(path_conflicts, changed).and_then(|()| {
            let at = |error: io::Error| failed("cannot write", key, &error);
            make_folders(path.parent().unwrap_or(&self.root), changed).map_err(at)?;
            fs::rename(staged, &path).map_err(at)
        });
        match &done {
            Ok(()) => changed.extend(path.parent().map(Path::to_path_buf)),
            Err(_) => drop(fs::remove_file(staged)),
        }
        done
    }

    /// Deletes files, and folders that become empty.
    pub(crate) fn delete(&self, keys: &[String]) -> Result<(), Failure> {
        let mut changed = self.lock("")?;
        self.remove(keys, &mut changed.names)
    }

    fn remove(&self, keys: &[String], changed: &mut BTreeSet<PathBuf>) -> Result<(), Failure> {
        for key in keys {
            let path = self.path(key)?;
            match fs::remove_file(&path) {
                Ok(()) => {}
                Err(error) if is_absent(&error) || path.is_dir() => continue,
                Err(error) => return Err(failed("cannot delete", key, &error)),
            }
            let is_memory = key.starts_with(STATE);
            for folder in path.ancestors().skip(1).take_while(|folder| *folder != self.root) {
                // A folder with other files cannot be removed.
                if is_memory || fs::remove_dir(folder).is_err() {
                    break;
                }
                changed.remove(folder);
                changed.extend(folder.parent().map(Path::to_path_buf));
            }
            changed.extend(path.parent().filter(|parent| parent.exists()).map(Path::to_path_buf));
        }
        Ok(())
    }

    /// Makes the names of files durable that were written or deleted since the last call.
    pub(crate) fn flush(&self) -> Result<(), Failure> {
        let folders = std::mem::take(&mut *self.changed.lock().unwrap_or_else(PoisonError::into_inner));
        for folder in folders {
            match sync_folder(&folder) {
                Err(error) if !is_absent(&error) => {
                    return Err(failed("cannot make durable", &folder.display().to_string(), &error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Deletes leftovers of interrupted writes. Requires the lease.
    pub(crate) fn sweep(&self) -> Result<(), Failure> {
        let _changed = self.lock("")?;
        let Ok(entries) = fs::read_dir(self.state(STAGING)) else { return Ok(()) };
        for entry in entries.flatten() {
            // What cannot be deleted now is deleted by a later run.
            let _ = fs::remove_file(entry.path());
        }
        Ok(())
    }

    /// Returns the keys of leftovers of interrupted writes: in the target state, and next to the files of these
    /// keys, where earlier versions wrote `page.html#1` before renaming it to `page.html`.
    pub(crate) fn leftovers(&self, owned: &BTreeSet<String>) -> Result<Vec<String>, Failure> {
        let names = |folder: &Path| -> Vec<String> {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
        };
        let staged = names(&self.state(STAGING)).into_iter().map(|name| format!("{STATE}{STAGING}/{name}"));
        let mut found: Vec<String> = staged.collect();
        let folders: BTreeSet<&str> =
            owned.iter().map(|key| key.rsplit_once('/').map_or("", |(folder, _)| folder)).collect();
        for folder in folders {
            let path = if folder.is_empty() { self.root.clone() } else { self.path(folder)? };
            for name in names(&path) {
                let key = if folder.is_empty() { name } else { format!("{folder}/{name}") };
                let staged_for = key.rsplit_once('#').filter(|(_, number)| {
                    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
                });
                if staged_for.is_some_and(|(final_key, _)| owned.contains(final_key)) && !owned.contains(&key)
                {
                    found.push(key);
                }
            }
        }
        Ok(found)
    }

    /// Waits until no other process is changing file names.
    ///
    /// # Errors
    /// [`FailureKind::Held`] when one does not finish.
    pub(crate) fn wait_for_others(&self) -> Result<(), Failure> {
        match self.lock("") {
            Err(failure) if failure.kind == FailureKind::Held => Err(failure),
            // Without write access there is no lock to wait for.
            _ => Ok(()),
        }
    }

    /// Returns how long ago a file was written, by the clock of the file system.
    pub(crate) fn age(&self, key: &str) -> Option<Duration> {
        let then = fs::metadata(self.path(key).ok()?).and_then(|meta| meta.modified()).ok()?;
        let now = self.stage(key, &mut io::empty()).and_then(|staged| {
            let now = fs::metadata(&staged).and_then(|meta| meta.modified());
            let _ = fs::remove_file(&staged);
            now.map_err(|error| failed("cannot look at", key, &error))
        });
        // Without write access, use the clock of this machine instead.
        Some(now.unwrap_or_else(|_| std::time::SystemTime::now()).duration_since(then).unwrap_or_default())
    }

    /// Locks file names against other processes, and verifies that the lease allows writing a key.
    fn lock(&self, key: &str) -> Result<NameLock<'_>, Failure> {
        let mut names = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        let at = |error: io::Error| failed("cannot lock", &format!("{STATE}{LOCK}"), &error);
        make_folders(&self.state(""), &mut names).map_err(at)?;
        let file = File::options().create(true).append(true).open(self.state(LOCK)).map_err(at)?;
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
            let there = |record: &str| self.path(record).is_ok_and(|path| path.exists());
            if there(&hold.next) || !there(&hold.record) {
                return Err(lease_lost());
            }
        }
        Ok(NameLock { names, _file: file })
    }
}

/// A file that is hashed while it is read.
struct Hashed {
    file: File,
    hash: Sha256,
}

impl Read for Hashed {
    fn read(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(chunk)?;
        self.hash.update(&chunk[..read]);
        Ok(read)
    }
}

/// A lock on file names, released on drop.
struct NameLock<'f> {
    names: MutexGuard<'f, BTreeSet<PathBuf>>,
    _file: File,
}

fn failed(what: &str, key: &str, error: &io::Error) -> Failure {
    Failure::new(FailureKind::Failed, format!("{what} {key}: {error}"))
}

fn not_a_folder(path: &Path, error: &io::Error) -> Failure {
    let path_name = path.display();
    if path.is_file() {
        Failure::new(FailureKind::Usage, format!("{path_name} is a file, not a folder"))
    } else {
        Failure::new(FailureKind::Usage, format!("{path_name}: {error}"))
    }
}

/// Whether there is no file: nothing, a folder, or a file in the path of a folder. Windows reports a folder
/// differently.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory)
}

/// Returns a file's size and digest.
fn digest(file: &mut File) -> io::Result<(u64, String)> {
    let mut hash = Sha256::new();
    let size = each_chunk(file, |chunk| hash.update(chunk))?;
    Ok((size, hex(&hash.finalize())))
}

/// Creates a folder and its parents, and records the folders with new entries.
fn make_folders(folder: &Path, changed: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|folder| !folder.is_dir()).collect();
    fs::create_dir_all(folder)?;
    changed.extend(missing.into_iter().filter_map(Path::parent).map(Path::to_path_buf));
    Ok(())
}

/// Syncs a folder, if the system supports that.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Returns a unique file name.
fn random_name() -> String {
    let word = || std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", word(), word())
}
