//! A folder as a target: every file is old or new whatever happens, and what is written stays after a power loss.
//!
//! A file is written below `.sitegate/tmp/`, made durable there (`fsync`), and then renamed to its place: visitors and
//! a machine that starts again find the old file or the new one. The names in a folder are durable once that folder
//! is ([`TargetFolder::flush`]). Renaming, deleting and creating records happens while the operating system's lock on
//! `.sitegate/lock` is held, right after a look whether the target is still ours, so that a publisher that was
//! stopped in between can do no harm when it wakes.

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
use sitegate_base::chunks::each_piece;
use sitegate_base::hex::hex;
use sitegate_hosting::headers::STATE;

use crate::failure::{Exit, Failure};
use crate::target::fence::{Fence, lost};
use crate::target::large::{LargeContent, LargeSource};
use crate::target::object::{Condition, FileIdentity, Found, Present, PutError};
use crate::target::store::folder;

/// Where files are written before they get their names.
const STAGING: &str = "tmp";

/// What is locked while names change.
const LOCK: &str = "lock";

/// How long to wait for another process that changes names.
const PATIENCE: Duration = Duration::from_secs(5);

/// A folder, and what is to be made durable in it.
#[derive(Debug)]
pub(crate) struct TargetFolder {
    root: PathBuf,
    fence: Arc<Fence>,
    /// Folders whose names changed since they were last made durable; changing names takes this too, so that the
    /// threads of this process do not wait for the system's lock.
    changed: Mutex<BTreeSet<PathBuf>>,
}

impl TargetFolder {
    /// Makes ready to read and write the folder of a `file:` URL. With `create`, it is made where it is not there.
    ///
    /// # Errors
    /// [`Exit::Usage`] when the URL names no folder, or the folder cannot be made.
    pub(super) fn open(url: &str, create: bool, fence: Arc<Fence>) -> Result<TargetFolder, Failure> {
        let root = folder(url)?;
        if create {
            let mut changed = BTreeSet::new();
            make_folders(&root, &mut changed)
                .and_then(|()| changed.iter().try_for_each(|folder| sync_folder(folder)))
                .map_err(|error| Failure::new(Exit::Usage, format!("{}: {error}", root.display())))?;
        }
        Ok(TargetFolder { root, fence, changed: Mutex::default() })
    }

    /// Its path.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    fn path(&self, key: &str) -> Result<PathBuf, Failure> {
        let odd = |part: &str| part.is_empty() || part == "." || part == ".." || part.contains('\0');
        if key.split('/').any(odd) {
            return Err(Failure::new(Exit::Usage, format!("`{key}` cannot be the name of a file")));
        }
        Ok(self.root.join(key))
    }

    fn state(&self, name: &str) -> PathBuf {
        self.root.join(STATE.trim_end_matches('/')).join(name)
    }

    /// The files below a folder of the memory, by key.
    pub(crate) fn list(&self, prefix: &str) -> Result<HashMap<String, Present>, Failure> {
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
                    Ok(meta) => drop(found.insert(key, Present { size: meta.len(), ..Present::default() })),
                    Err(error) if is_absent(&error) => {}
                    Err(error) => return Err(failed("cannot look at", &key, &error)),
                }
            }
        }
        Ok(found)
    }

    /// All files but the memory, by key, with their lengths; symbolic links are not followed.
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

    /// A file's content; its tag is the digest.
    pub(crate) fn read(&self, key: &str) -> Result<Option<Found>, Failure> {
        let path = self.path(key)?;
        match fs::read(&path) {
            Ok(body) => {
                let tag = Some(hex(&Sha256::digest(&body)));
                Ok(Some(Found { body: Bytes::from(body), tag }))
            }
            Err(error) if is_absent(&error) || path.is_dir() => Ok(None),
            Err(error) => Err(failed("cannot read", key, &error)),
        }
    }

    /// What is at a key.
    pub(crate) fn look(&self, key: &str) -> Result<Option<Present>, Failure> {
        let path = self.path(key)?;
        let found = File::open(&path).and_then(|mut file| {
            let identity = FileIdentity::of(&file, &path);
            let (size, sha256) = digest(&mut file)?;
            Ok(Present { size, etag: None, sha256: Some(sha256), file: identity })
        });
        match found {
            Ok(found) => Ok(Some(found)),
            Err(error) if is_absent(&error) || path.is_dir() => Ok(None),
            Err(error) => Err(failed("cannot read", key, &error)),
        }
    }

    /// What is at these keys. Where nothing is, what stands in the way is.
    pub(super) fn look_at(&self, keys: Vec<String>) -> Result<Vec<(String, Present)>, Failure> {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            if let Some(present) = self.look(&key)? {
                found.push((key, present));
                continue;
            }
            for other in self.in_the_way(&key)? {
                found.extend(self.look(&other)?.map(|present| (other, present)));
            }
        }
        Ok(found)
    }

    /// The files that a file of this name could not stand beside: a file where it needs a folder, or those of a
    /// folder where it is to stand itself.
    fn in_the_way(&self, key: &str) -> Result<Vec<String>, Failure> {
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

    /// Writes a file, in the place of others that could not stand beside it. Gives its tag.
    pub(crate) fn write(
        &self,
        key: &str,
        body: &[u8],
        condition: &Condition,
        obstacles: &[String],
    ) -> Result<String, PutError> {
        let path = self.path(key).map_err(PutError::Other)?;
        let stage = || self.stage(key, &mut &*body);
        // A file without a condition may be large, so it is written before others have to wait.
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
        self.place(key, &staged, obstacles, &mut changed.names).map_err(PutError::Other)?;
        Ok(hex(&Sha256::digest(body)))
    }

    /// Writes a large content, in the place of files that could not stand beside it, where it is what it should be.
    /// Gives its tag.
    pub(crate) fn write_large(
        &self,
        key: &str,
        content: &LargeContent,
        obstacles: &[String],
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
        // What is of another length need not be read to be known as another.
        if source.file.metadata().is_ok_and(|metadata| metadata.len() != content.size) {
            return Err(PutError::Different);
        }
        let staged = self.stage(key, &mut source).map_err(PutError::Other)?;
        if hex(&source.hash.finalize()) != content.sha256 {
            let _ = fs::remove_file(&staged);
            return Err(PutError::Different);
        }
        let mut changed = self.lock(key).map_err(PutError::Other)?;
        self.place(key, &staged, obstacles, &mut changed.names).map_err(PutError::Other)?;
        Ok(content.sha256.clone())
    }

    /// Copies a file.
    pub(crate) fn copy(&self, from: &str, to: &str) -> Result<(), Failure> {
        let mut source = File::open(self.path(from)?).map_err(|error| failed("cannot copy", from, &error))?;
        let staged = self.stage(to, &mut source)?;
        self.place(to, &staged, &[], &mut self.lock(to)?.names)
    }

    /// Writes a durable file that has no name in the site yet.
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

    /// Gives a staged file its name.
    fn place(
        &self,
        key: &str,
        staged: &Path,
        obstacles: &[String],
        changed: &mut BTreeSet<PathBuf>,
    ) -> Result<(), Failure> {
        let path = self.path(key)?;
        let done = self.remove(obstacles, changed).and_then(|()| {
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

    /// Deletes files, and folders that are empty without them.
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
                // What still holds a file cannot be removed.
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

    /// Makes the names of all files durable that were written or deleted since the last time.
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

    /// Deletes what interrupted writes left; only who holds the target may.
    pub(crate) fn sweep(&self) -> Result<(), Failure> {
        let _changed = self.lock("")?;
        let Ok(entries) = fs::read_dir(self.state(STAGING)) else { return Ok(()) };
        for entry in entries.flatten() {
            // What cannot be deleted now is deleted another time.
            let _ = fs::remove_file(entry.path());
        }
        Ok(())
    }

    /// The keys of what interrupted writes left: in the memory, and beside files of these keys, where earlier versions
    /// wrote `page.html#1` before it became `page.html`.
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

    /// Waits until no other process is in the middle of a change.
    ///
    /// # Errors
    /// [`Exit::Held`] when one does not get on.
    pub(crate) fn wait_for_others(&self) -> Result<(), Failure> {
        match self.lock("") {
            Err(failure) if failure.exit == Exit::Held => Err(failure),
            // Whoever may only read here waits for nobody.
            _ => Ok(()),
        }
    }

    /// How long ago a file was written, by the file system's own clock.
    pub(crate) fn age(&self, key: &str) -> Option<Duration> {
        let then = fs::metadata(self.path(key).ok()?).and_then(|meta| meta.modified()).ok()?;
        let now = self.stage(key, &mut io::empty()).and_then(|staged| {
            let now = fs::metadata(&staged).and_then(|meta| meta.modified());
            let _ = fs::remove_file(&staged);
            now.map_err(|error| failed("cannot look at", key, &error))
        });
        // Whoever may not write here can only take this machine's clock for the file system's.
        Some(now.unwrap_or_else(|_| std::time::SystemTime::now()).duration_since(then).unwrap_or_default())
    }

    /// Keeps other processes from changing names, and makes sure that the target is still ours to write a key.
    fn lock(&self, key: &str) -> Result<NameLock<'_>, Failure> {
        let mut names = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        let at = |error: io::Error| failed("cannot lock", &format!("{STATE}{LOCK}"), &error);
        make_folders(&self.state(""), &mut names).map_err(at)?;
        let file = File::options().create(true).append(true).open(self.state(LOCK)).map_err(at)?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                // A file system without locks: the look that follows must do.
                Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => break,
                Err(TryLockError::Error(error)) => return Err(at(error)),
                Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                    thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(Failure::new(Exit::Held, "another publisher is in the middle of a change")
                        .help("wait for it; if its process is stopped, end it"));
                }
            }
        }
        if let Some(hold) = self.fence.pass(key)? {
            let there = |record: &str| self.path(record).is_ok_and(|path| path.exists());
            if there(&hold.next) || !there(&hold.record) {
                return Err(lost());
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
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(piece)?;
        self.hash.update(&piece[..read]);
        Ok(read)
    }
}

/// The right to change names; it ends with this value.
struct NameLock<'f> {
    names: MutexGuard<'f, BTreeSet<PathBuf>>,
    _file: File,
}

fn failed(what: &str, key: &str, error: &io::Error) -> Failure {
    Failure::new(Exit::Failed, format!("{what} {key}: {error}"))
}

/// Whether there is no file: nothing at all, a folder, or a file where a folder would be. Windows does not say so of a folder.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory)
}

/// A file's length and digest, a piece at a time.
fn digest(file: &mut File) -> io::Result<(u64, String)> {
    let mut hash = Sha256::new();
    let size = each_piece(file, |piece| hash.update(piece))?;
    Ok((size, hex(&hash.finalize())))
}

/// Makes a folder and those above it, and notes the folders that got a name by it.
fn make_folders(folder: &Path, changed: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|folder| !folder.is_dir()).collect();
    fs::create_dir_all(folder)?;
    changed.extend(missing.into_iter().filter_map(Path::parent).map(Path::to_path_buf));
    Ok(())
}

/// Makes the names in a folder durable, where the system can.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// A name that no other write has.
fn random_name() -> String {
    let word = || std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", word(), word())
}
