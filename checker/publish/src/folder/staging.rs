//! Stages a whole release in a folder: all new files are written and made durable below `.sitegate/tmp/`, before the first
//! one is renamed. A full disk, a lost source or a power loss until then changes nothing that visitors see.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::MutexGuard;

use sha2::{Digest, Sha256};
use sitegate_address::SitePath;
use sitegate_base::hex::hex;
use sitegate_base::lock::lock;
use sitegate_host::headers::STATE;

use crate::failure::{Failure, FailureKind};
use crate::folder::files::{STAGING, SYNC_ALL_FROM, StagedFiles, TargetFolder, check_key};
use crate::folder::root::{is_absent, parent};
use crate::machine::{is_random_id, random_id};
use crate::store::{Condition, Content, Headers, StoreError, Write};

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
    pub(super) fn stage(&self, key: &str, content: &Content) -> Result<(), StoreError> {
        let is_durable = !self.staged().syncs_at_end;
        let (staged, _) = self.write_staged("the release", content, is_durable)?;
        self.staged().files.insert(key.to_owned(), staged);
        Ok(())
    }

    /// Writes a temporary file, and returns its key and its digest.
    pub(super) fn write_staged(
        &self,
        what: &str,
        content: &Content,
        is_durable: bool,
    ) -> Result<(String, String), StoreError> {
        let (file, expected) = match content {
            Content::Bytes(bytes) => {
                let staged = self.write_temporary(what, &mut &bytes[..], is_durable)?;
                return Ok((staged, hex(&Sha256::digest(bytes))));
            }
            Content::File { path, sha256, .. } => (open_source(path)?, sha256),
            Content::Key { key, sha256, .. } => (self.open_file(key)?, sha256),
        };
        let Some(file) = file else { return Err(StoreError::Different) };
        // Another size means another content, without reading it.
        if !file.metadata().is_ok_and(|there| there.is_file() && there.len() == content.size()) {
            return Err(StoreError::Different);
        }
        let mut hashed = Hashed { file, hash: Sha256::new() };
        let staged = self.write_temporary(what, &mut hashed, is_durable)?;
        let sha256 = hex(&hashed.hash.finalize());
        if sha256 != *expected {
            let _ = self.root.remove_file(&staged);
            return Err(StoreError::Different);
        }
        Ok((staged, sha256))
    }

    fn write_temporary(
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
    pub(super) fn switch(&self, writes: &[Write]) -> Result<(), StoreError> {
        for write in writes {
            if self.staged().files.contains_key(&write.key) {
                continue;
            }
            let mut staged = Err(StoreError::Different);
            for content in &write.contents {
                staged = self.stage(&write.key, content);
                if !matches!(staged, Err(StoreError::Different)) {
                    break;
                }
            }
            staged?;
        }
        let mut changed = self.lock("")?;
        for write in writes {
            self.remove(&write.path_conflicts, &mut changed.names)?;
        }
        for Write { key, .. } in writes {
            check_key(key)?;
            let file = self.staged().files.get(key).cloned().ok_or(StoreError::Different)?;
            self.rename_staged(key, &file, &mut changed.names)?;
            self.staged().files.remove(key);
        }
        Ok(())
    }

    /// Copies a file.
    pub(super) fn copy(&self, from: &str, to: &str, condition: &Condition) -> Result<(), StoreError> {
        let mut contents = Vec::new();
        if !self.staged().files.contains_key(to) {
            let found = self.inspect(from)?.ok_or(StoreError::Missing)?;
            let sha256 = found.sha256.unwrap_or_default();
            contents.push(Content::Key { key: from.to_owned(), size: found.size, sha256 });
        }
        let (key, condition) = (to.to_owned(), condition.clone());
        self.switch(&[Write {
            key,
            contents,
            condition,
            headers: Headers::new(),
            path_conflicts: Vec::new(),
        }])
    }

    /// Deletes the files that were staged and not renamed, by this run or an interrupted one, and their folders.
    ///
    /// # Errors
    /// When the lease was lost. Then another run deletes them.
    pub(super) fn sweep(&self) -> Result<(), Failure> {
        let StagedFiles { files, folders, .. } = std::mem::take(&mut *self.staged());
        // What cannot be deleted now is deleted by a later run. This frees the space for a record, too.
        for file in files.values() {
            let _ = self.root.remove_file(file);
        }
        let _changed = self.lock("")?;
        for (key, _) in self.list(&format!("{STATE}{STAGING}/"))? {
            // Other files among them are not ours.
            if is_random_id(SitePath::new(key.as_str()).split().1) {
                let _ = self.root.remove_file(&key);
            }
        }
        for folder in folders.iter().rev() {
            // A folder with files cannot be removed.
            let _ = self.root.remove_folder(folder);
        }
        Ok(())
    }
}

/// Opens a file on this machine; none if there is no file.
fn open_source(path: &Path) -> Result<Option<File>, Failure> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => {
            Err(Failure::new(FailureKind::Failed, format!("cannot read {}: {error}", path.display())))
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
