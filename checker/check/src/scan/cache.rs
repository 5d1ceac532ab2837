//! Keeps the facts of an export between checks, so that the next check reads only changed files. It joins the facts of
//! all files again, with the code of every other check.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use rayon::prelude::*;

use crate::contract::Contract;
use crate::deployment::Deployment;
use crate::index::fragments::Anchors;
use crate::index::join::FileReferences;
use crate::index::view::Links;
use crate::parse::Facts;
use crate::raw_finding::RawFinding;
use crate::resolve::Base;
use crate::resolve::suggestion::SuggestionIndex;
use crate::scan::error::ScanError;
use crate::walk::{FileId, Tree, os_bytes};
use sitegate_host::{Host, REDIRECTS_FILE};
use sitegate_script::Script;

/// The cached state of one export that is checked against one contract.
#[derive(Default)]
pub struct CachedExport {
    tree: Option<Arc<Tree>>,
    deployment: Option<Deployment>,
    files: FileCache,
    /// Paths below the root that have changed since the last check.
    changed_paths: BTreeSet<Vec<u8>>,
    needs_walk: bool,
}

/// The cached state of all files, by their ids. All threads of a scan fill it.
#[derive(Default)]
pub(crate) struct FileCache {
    slots: Vec<OnceLock<CachedFile>>,
    /// The number of this check, from 1.
    check: u32,
    /// The paths, indexed for suggestions.
    pub near: Arc<OnceLock<SuggestionIndex>>,
    /// The ids of the cached files.
    pub anchors: Anchors,
}

/// The cached state of one file.
pub(crate) struct CachedFile {
    /// The file's stamp when it was read.
    stamp: FileStamp,
    /// The number of the check that read it.
    check: u32,
    /// Its facts, if it has any.
    pub cached_facts: Option<CachedFacts>,
    /// The file parsed as a script, once a page runs it.
    script: OnceLock<Arc<Script>>,
}

/// The facts of one file, with all that is derived from them.
pub(crate) struct CachedFacts {
    pub facts: Facts,
    /// The assertions that apply to the file, by index.
    pub selected: Box<[usize]>,
    /// The resolved file; empty once a path was added or removed.
    pub resolved: OnceLock<ResolvedFile>,
}

/// The facts of one file, resolved against the paths of the site.
pub(crate) struct ResolvedFile {
    pub base: Base,
    pub links: Links,
    pub references: FileReferences,
    /// The findings of rules that see one file at a time.
    pub findings: Vec<RawFinding>,
}

/// Metadata of a file that changes when its content changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileStamp {
    length: u64,
    modified: Option<SystemTime>,
    /// Inode number and change time. Programs cannot set the change time.
    inode: [i64; 3],
}

impl FileStamp {
    pub fn new(metadata: &Metadata) -> FileStamp {
        #[cfg(unix)]
        let inode = {
            use std::os::unix::fs::MetadataExt;
            [metadata.ino().cast_signed(), metadata.ctime(), metadata.ctime_nsec()]
        };
        #[cfg(not(unix))]
        let inode = [0; 3];
        FileStamp { length: metadata.len(), modified: metadata.modified().ok(), inode }
    }
}

impl CachedExport {
    /// Marks a path below the root as changed: written, added, removed or renamed.
    pub fn mark_changed(&mut self, path: &Path) {
        let parts = path.components().map(|part| os_bytes(part.as_os_str()));
        self.changed_paths.insert(parts.collect::<Vec<_>>().join(&b'/'));
    }

    /// Makes the next check list the whole export, because any file may have changed.
    pub fn require_walk(&mut self) {
        self.needs_walk = true;
    }

    /// Whether the last check read a file, or failed to read it.
    pub fn has_read(&self, file: FileId) -> bool {
        self.files.get(file).is_none_or(|cached| cached.check == self.files.check)
    }

    /// Drops outdated entries. Returns the current files and the deployment.
    pub(crate) fn update(&mut self, root: &Path, contract: &Contract) -> io::Result<(Arc<Tree>, Deployment)> {
        let can_skip_walk = !self.needs_walk && self.tree.as_ref().is_some_and(|tree| !tree.is_linked);
        let walked_tree = if can_skip_walk { self.tree.as_ref() } else { None };
        let rewritten = walked_tree.and_then(|tree| rewritten_files(tree, &self.changed_paths));
        let (has_same_paths, changed) = match rewritten {
            Some(files) => (true, files),
            None => self.walk(root)?,
        };
        for file in changed {
            self.files.slots[file as usize] = OnceLock::new();
            self.files.anchors.forget(file);
        }
        self.changed_paths.clear();
        self.needs_walk = false;
        self.files.check += 1;
        let tree = Arc::clone(self.tree.get_or_insert_with(|| unreachable!("it was walked")));
        let is_read = |file: FileId| self.files.get(file).is_some();
        let configs = Host::ALL.into_iter().filter_map(Host::config_file);
        let mut redirect_files =
            configs.chain([REDIRECTS_FILE]).filter_map(|name| tree.find(name.as_bytes()));
        let has_same_redirects = redirect_files.all(is_read);
        let known = self.deployment.take();
        let has_same_sample = has_same_paths && Deployment::sampled_files(&tree).into_iter().all(is_read);
        let (deployment, has_same_deployment) = match known {
            Some(known) if has_same_sample && has_same_redirects => (known, true),
            known => {
                let now = Deployment::infer(&tree, contract);
                let is_same = known.is_some_and(|known| known.inferred == now.inferred);
                (now, is_same)
            }
        };
        self.deployment = Some(deployment.clone());
        if !(has_same_paths && has_same_deployment && has_same_redirects) {
            self.files.near = Arc::default();
            for slot in &mut self.files.slots {
                if let Some(CachedFile { cached_facts: Some(cached_facts), .. }) = slot.get_mut() {
                    cached_facts.resolved = OnceLock::new();
                }
            }
        }
        Ok((tree, deployment))
    }

    /// Lists the export again, and keeps the entries by path. Returns whether all paths are the same, and the files that
    /// have changed.
    fn walk(&mut self, root: &Path) -> io::Result<(bool, Vec<FileId>)> {
        let tree = Tree::walk(root)?;
        let mut old_slots = std::mem::take(&mut self.files.slots);
        let old_tree = self.tree.take();
        let kept_slots = tree.ids().map(|file| {
            let old = old_tree.as_ref().and_then(|old| old.find(tree.path(file)));
            old.map(|old| std::mem::take(&mut old_slots[old as usize])).unwrap_or_default()
        });
        self.files.slots = kept_slots.collect();
        self.files.anchors = Anchors::new(tree.len());
        let has_changed = |file: &FileId| {
            let metadata = fs::metadata(tree.disk_path(*file)).ok();
            self.files
                .get(*file)
                .is_some_and(|cached| metadata.as_ref().map(FileStamp::new) != Some(cached.stamp))
        };
        let changed = tree.ids().into_par_iter().filter(has_changed).collect();
        let has_same_paths = old_tree.is_some_and(|old| old.has_same_paths(&tree));
        self.tree = Some(Arc::new(tree));
        Ok((has_same_paths, changed))
    }

    /// The cached files.
    pub(crate) fn files(&self) -> &FileCache {
        &self.files
    }
}

/// Returns the files to read again; `None` if a path was added or removed. A path that was added and removed, or
/// removed and restored, since the last check does not count.
fn rewritten_files(tree: &Tree, changed_paths: &BTreeSet<Vec<u8>>) -> Option<Vec<FileId>> {
    let mut files = Vec::new();
    for path in changed_paths {
        match (tree.find(path), fs::symlink_metadata(tree.disk_path_of(path))) {
            (Some(file), Ok(now)) if now.is_file() => files.push(file),
            (None, Err(error)) if error.kind() == io::ErrorKind::NotFound && !tree.has(path) => {}
            _ => return None,
        }
    }
    Some(files)
}

impl FileCache {
    /// The entry of a file.
    pub fn get(&self, file: FileId) -> Option<&CachedFile> {
        self.slots[file as usize].get()
    }

    /// Adds the facts of a file, with its stamp from before it was read.
    pub fn insert(&self, file: FileId, stamp: FileStamp, cached_facts: Option<CachedFacts>) -> &CachedFile {
        let (check, script) = (self.check, OnceLock::new());
        self.slots[file as usize].get_or_init(|| CachedFile { stamp, check, cached_facts, script })
    }

    /// Returns a file parsed as a script, and parses it on first use. A file that could not be read as a page has no
    /// entry, so its script is read again.
    pub fn script(
        &self,
        file: FileId,
        read: impl FnOnce() -> Result<Script, ScanError>,
    ) -> Result<Arc<Script>, ScanError> {
        let cached = self.get(file).map(|cached| &cached.script);
        if let Some(script) = cached.and_then(OnceLock::get) {
            return Ok(Arc::clone(script));
        }
        let script = Arc::new(read()?);
        if let Some(cached) = cached {
            let _ = cached.set(Arc::clone(&script));
        }
        Ok(script)
    }
}
