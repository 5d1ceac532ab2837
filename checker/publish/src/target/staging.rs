//! Stages a whole release in a folder: all new files are written and made durable below `.sitegate/tmp/`, before the first
//! one is renamed. A full disk, a lost source or a power loss until then changes nothing that visitors see.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::sync::MutexGuard;

use bytes::Bytes;
use sha2::{Digest, Sha256};
use sitegate_base::hex::hex;
use sitegate_base::lock::lock;
use sitegate_host::headers::STATE;

use crate::failure::{Failure, FailureKind};
use crate::random_id::random_id;
use crate::target::folder::{SYNC_ALL_FROM, TargetFolder, check_key};
use crate::target::object::PutError;
use crate::target::root_folder::{is_absent, parent};
use crate::target::staged_files::{STAGING, StagedFiles};
use crate::target::{LargeContent, LargeSource, PublishTarget, TargetKind, run_blocking};

/// Space that stays free, in bytes: for records, and for the names of new files.
const RESERVE: u64 = 1 << 20;

impl TargetFolder {
    fn staged(&self) -> MutexGuard<'_, StagedFiles> {
        lock(&self.staged)
    }

    /// Starts to stage a number of files, with an upper limit of the bytes that they take.
    ///
    /// # Errors
    /// When there is not enough space.
    pub(super) fn begin_staging(&self, files: usize, bytes: u64) -> Result<(), Failure> {
        self.staged().syncs_at_end = files >= SYNC_ALL_FROM && self.root.can_sync_all();
        let needed = bytes + RESERVE;
        match self.root.free_space() {
            Some(free) if free < needed => {
                let (path, needed, free) = (self.root().display(), needed.div_ceil(1 << 20), free >> 20);
                let message =
                    format!("{path}: the release needs {needed} MiB of free space, but there are {free} MiB");
                Err(Failure::new(FailureKind::Failed, message)
                    .help("all new files are written before the first one is replaced; free some space"))
            }
            _ => Ok(()),
        }
    }

    /// Stages a content for a key, if its digest is right.
    pub(super) fn stage(&self, key: &str, content: &LargeContent) -> Result<(), PutError> {
        let source = match &content.from {
            LargeSource::File(path) => match File::open(path) {
                Ok(file) => Some(file),
                Err(error) if is_absent(&error) => None,
                Err(error) => {
                    let message = format!("cannot read {}: {error}", path.display());
                    return Err(PutError::Other(Failure::new(FailureKind::Failed, message)));
                }
            },
            LargeSource::Key(kept) => self.open_file(kept).map_err(PutError::Other)?,
        };
        let Some(file) = source else { return Err(PutError::Different) };
        // Another size means another content, without reading it.
        if !file.metadata().is_ok_and(|there| there.is_file() && there.len() == content.size) {
            return Err(PutError::Different);
        }
        let mut hashed = Hashed { file, hash: Sha256::new() };
        let staged = self.stage_bytes(&mut hashed).map_err(PutError::Other)?;
        if hex(&hashed.hash.finalize()) != content.sha256 {
            let _ = self.root.remove_file(&staged);
            return Err(PutError::Different);
        }
        self.staged().files.insert(key.to_owned(), staged);
        Ok(())
    }

    /// Stages a content in memory for a key.
    pub(super) fn stage_body(&self, key: &str, body: &Bytes) -> Result<(), Failure> {
        let staged = self.stage_bytes(&mut body.as_ref())?;
        self.staged().files.insert(key.to_owned(), staged);
        Ok(())
    }

    fn stage_bytes(&self, content: &mut dyn Read) -> Result<String, Failure> {
        let is_durable = !self.staged().syncs_at_end;
        self.write_staged("the release", content, is_durable)
    }

    /// Writes a temporary file, and returns its key.
    pub(super) fn write_staged(
        &self,
        what: &str,
        content: &mut dyn Read,
        is_durable: bool,
    ) -> Result<String, Failure> {
        let folder = format!("{STATE}{STAGING}");
        let staged = format!("{folder}/{}", random_id());
        let create = || self.root.create_file(&staged);
        let created = create().or_else(|_| self.root.make_folders(&folder, |_| {}).and_then(|()| create()));
        let written = created.and_then(|mut file| {
            io::copy(content, &mut file)?;
            if is_durable { file.sync_all() } else { Ok(()) }
        });
        written.map(|()| staged.clone()).map_err(|error| {
            let _ = self.root.remove_file(&staged);
            self.failed("cannot write", what, &error)
        })
    }

    /// Makes the staged files durable, and creates their folders. Then only renames are left to do.
    pub(super) fn finish_staging(&self) -> Result<(), Failure> {
        let at = |error: io::Error| self.failed("cannot make durable:", "the release", &error);
        if self.staged().syncs_at_end {
            self.root.sync_all().map_err(at)?;
        }
        let mut changed = self.lock("")?;
        let mut staged = self.staged();
        let folders: BTreeSet<String> = staged.files.keys().map(|key| parent(key).to_owned()).collect();
        for folder in folders {
            match self.root.make_folders(&folder, |made| {
                staged.folders.insert(made.to_owned());
                changed.names.insert(parent(made).to_owned());
            }) {
                // A file of the last release is in its place until the switch.
                Err(error) if is_absent(&error) => {}
                made => made.map_err(|error| self.failed("cannot create", &folder, &error))?,
            }
        }
        Ok(())
    }

    /// Renames the staged files of keys to their places, after removing conflicting files.
    pub(super) fn switch(&self, keys: &[String], path_conflicts: &[String]) -> Result<(), Failure> {
        let mut changed = self.lock("")?;
        self.remove(path_conflicts, &mut changed.names)?;
        for key in keys {
            check_key(key)?;
            let Some(file) = self.staged().files.get(key).cloned() else {
                return Err(Failure::new(FailureKind::Failed, format!("{key} is not staged")));
            };
            self.rename_staged(key, &file, &mut changed.names)?;
            self.staged().files.remove(key);
        }
        Ok(())
    }

    /// Deletes the staged files that were not renamed, and their folders.
    pub(super) fn discard_staged(&self) -> Result<(), Failure> {
        let StagedFiles { files, folders, .. } = std::mem::take(&mut *self.staged());
        // What remains is deleted by the next run.
        for file in files.values() {
            let _ = self.root.remove_file(file);
        }
        let _changed = self.lock("")?;
        for folder in folders.iter().rev() {
            // A folder with files cannot be removed.
            let _ = self.root.remove_folder(folder);
        }
        Ok(())
    }
}

/// The stages of a publish to a folder. A bucket has none: its store writes each object as a whole.
impl PublishTarget {
    /// Starts to stage a number of files, with an upper limit of the bytes that they take.
    ///
    /// # Errors
    /// When there is not enough space.
    pub(crate) async fn begin_staging(&self, files: usize, bytes: u64) -> Result<(), Failure> {
        self.on_folder(move |folder| folder.begin_staging(files, bytes)).await
    }

    /// Stages a content for a key.
    ///
    /// # Errors
    /// [`PutError::Different`] when the content is missing, or its digest is wrong.
    pub(crate) async fn stage(&self, key: &str, content: LargeContent) -> Result<(), PutError> {
        let key = key.to_owned();
        let staged = self.on_folder(move |folder| Ok(folder.stage(&key, &content))).await;
        staged.map_err(PutError::Other)?
    }

    /// Stages a content in memory for a key.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) async fn stage_body(&self, key: &str, body: Bytes) -> Result<(), Failure> {
        let key = key.to_owned();
        self.on_folder(move |folder| folder.stage_body(&key, &body)).await
    }

    /// Makes the staged files durable, and creates their folders. Then only renames are left to do.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(crate) async fn finish_staging(&self) -> Result<(), Failure> {
        self.on_folder(TargetFolder::finish_staging).await
    }

    /// Renames the staged files of keys to their places, after removing conflicting files.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(crate) async fn switch(&self, keys: Vec<String>, path_conflicts: Vec<String>) -> Result<(), Failure> {
        self.count(keys.len());
        self.on_folder(move |folder| folder.switch(&keys, &path_conflicts)).await
    }

    /// Deletes the staged files that were not renamed, and their folders.
    ///
    /// # Errors
    /// When the lease was lost. The next run deletes them then.
    pub(crate) async fn discard_staged(&self) -> Result<(), Failure> {
        match &self.kind {
            TargetKind::Folder(_) => self.on_folder(TargetFolder::discard_staged).await,
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => Ok(()),
        }
    }

    /// Whether the file system of a folder treats two colliding keys as one.
    pub(crate) fn are_same_file(&self, keys: [&str; 2]) -> bool {
        match &self.kind {
            TargetKind::Folder(folder) => folder.are_same_file(keys),
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => false,
        }
    }

    async fn on_folder<T: Send + 'static>(
        &self,
        work: impl FnOnce(&TargetFolder) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        match &self.kind {
            TargetKind::Folder(folder) => run_blocking(folder, work).await,
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => Err(Failure::new(FailureKind::Failed, "a bucket stages no files")),
        }
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
