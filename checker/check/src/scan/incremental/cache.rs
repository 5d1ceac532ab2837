//! Caches an export between checks, so that the next check reads only changed files.
//!
//! The cache holds the facts of each file. It also holds resolved references, which stay valid until a path is added
//! or removed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

use rayon::prelude::*;

use crate::contract::Contract;
use crate::deployment::Deployment;
use crate::index::fragments::Anchors;
use crate::index::join::{Joined, ReferenceSummary};
use crate::index::scripts::Scripts;
use crate::index::scripts::graph::ScriptToRead;
use crate::index::view::Links;
use crate::parse::Facts;
use crate::raw_finding::RawFinding;
use crate::resolve::Base;
use crate::resolve::suggestion::SuggestionIndex;
use crate::scan::error::ScanError;
use crate::walk::{FileId, Tree, os_bytes};
use sitegate_base::lock::lock;
use sitegate_host::{Host, REDIRECTS_FILE};
use sitegate_script::Script;

/// Maximum number of changed files for which the cached join is updated. With more, all files are joined again.
const MAX_CHANGED: usize = 16;

/// The cached state of one export that is checked against one contract.
#[derive(Default)]
pub struct CachedExport {
    tree: Option<Arc<Tree>>,
    deployment: Option<Deployment>,
    /// The files that the deployment was inferred from.
    sampled_files: Vec<FileId>,
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
    /// The files that have changed since the last check, with their previous state.
    changed: Vec<(FileId, Option<CachedFile>)>,
    /// For each file, whether it may have changed since the last check. Computed on first use.
    differs: OnceLock<Vec<bool>>,
    /// The ids and anchors of each file.
    pub anchors: Anchors,
    /// The paths, indexed for suggestions.
    pub near: Arc<OnceLock<SuggestionIndex>>,
    /// The results of the last scan, unless more than [`MAX_CHANGED`] files have changed.
    last_scan: Mutex<Option<CachedScan>>,
    /// The dangling fragments of the last check, as file and offset.
    dangling: Mutex<Arc<[(FileId, u32)]>>,
    /// Inline scripts, by their text.
    inline: Mutex<HashMap<Arc<str>, InlineScript>>,
}

/// The results of one scan that the next scan can update.
pub(crate) struct CachedScan {
    pub joined: Joined,
    /// The files with findings of rules that see one file at a time.
    pub files_with_findings: BTreeSet<FileId>,
    pub second_pass: SecondPass,
}

/// Cached results of the second pass.
#[derive(Default)]
pub(crate) struct SecondPass {
    /// The followed scripts; `None` once a script or the set of entry points has changed.
    pub scripts: Option<Scripts>,
    /// For each page, its missing fragments with the ids that are most likely meant.
    pub near: BTreeMap<FileId, NearestIds>,
}

/// Fragments, each with the id that is most likely meant.
pub(crate) type NearestIds = BTreeMap<Box<str>, Option<Arc<str>>>;

/// A parsed inline script, with the number of the last check that used it.
type InlineScript = (Arc<Script>, u32);

/// The cached state of one file.
pub(crate) struct CachedFile {
    /// The file's stamp when it was read.
    stamp: FileStamp,
    /// The number of the check that read it.
    check: u32,
    /// Its facts, if it has any.
    pub cached_facts: Option<CachedFacts>,
    /// The file parsed as a script, once a page runs it.
    pub script: OnceLock<Arc<Script>>,
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
    /// The findings of rules that see one file at a time.
    pub findings: Vec<RawFinding>,
    /// The file's contribution to the join.
    pub sum: ReferenceSummary,
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
        self.files.changed.clear();
        let can_skip_walk = !self.needs_walk && self.tree.as_ref().is_some_and(|tree| !tree.is_linked);
        let walked_tree = if can_skip_walk { self.tree.as_ref() } else { None };
        // Whether resolved references are still valid.
        let mut is_same = match walked_tree.and_then(|tree| rewritten_files(tree, &self.changed_paths)) {
            Some(files) => {
                for file in files {
                    self.files.forget(file);
                }
                true
            }
            None => self.walk(root)?,
        };
        self.changed_paths.clear();
        self.needs_walk = false;
        self.files.check += 1;
        let tree = Arc::clone(self.tree.get_or_insert_with(|| unreachable!("it was walked")));
        let is_unread = |file: &FileId| self.files.slots[*file as usize].get().is_none();
        if !is_same {
            self.sampled_files = Deployment::sampled_files(&tree);
        }
        let deployment = match self.deployment.take() {
            Some(cached) if is_same && !self.sampled_files.iter().any(is_unread) => cached,
            cached => {
                let inferred = Deployment::infer(&tree, contract);
                is_same &= cached.is_some_and(|cached| cached.inferred == inferred.inferred);
                inferred
            }
        };
        let configs = Host::ALL.into_iter().filter_map(Host::config_file);
        let mut redirect_files = configs.chain([REDIRECTS_FILE]);
        is_same &= !redirect_files.any(|name| tree.find(name.as_bytes()).as_ref().is_some_and(is_unread));
        if !is_same {
            self.files.slots.par_iter_mut().for_each(|slot| {
                if let Some(CachedFacts { resolved, .. }) =
                    slot.get_mut().and_then(|file| file.cached_facts.as_mut())
                {
                    *resolved = OnceLock::new();
                }
            });
        }
        if !is_same || self.files.changed.len() > MAX_CHANGED {
            self.files.last_scan = Mutex::default();
        }
        self.files.differs = OnceLock::new();
        self.deployment = Some(deployment.clone());
        Ok((tree, deployment))
    }

    /// Lists the export again, and keeps the entries of unchanged files. Returns whether all paths are the same.
    fn walk(&mut self, root: &Path) -> io::Result<bool> {
        let tree = Tree::walk(root)?;
        let mut old_slots = std::mem::take(&mut self.files.slots);
        let old_tree = self.tree.take();
        let has_same_paths = old_tree.as_ref().is_some_and(|old| old.has_same_paths(&tree));
        let kept_slots = tree.ids().map(|file| {
            let old = old_tree.as_ref().and_then(|old| old.find(tree.path(file)));
            old.map(|old| std::mem::take(&mut old_slots[old as usize])).unwrap_or_default()
        });
        self.files.slots = kept_slots.collect();
        let has_changed = |file: FileId, cached: &CachedFile| {
            let metadata = fs::metadata(tree.disk_path(file));
            !metadata.is_ok_and(|metadata| FileStamp::new(&metadata) == cached.stamp)
        };
        let slots = self.files.slots.par_iter().enumerate();
        let changed = slots.filter_map(|(file, slot)| {
            let file = file as FileId;
            has_changed(file, slot.get()?).then_some(file)
        });
        let changed: Vec<FileId> = changed.collect();
        if !has_same_paths {
            self.files.anchors = Anchors::new(tree.len());
            self.files.near = Arc::default();
        }
        for file in changed {
            self.files.forget(file);
        }
        self.tree = Some(Arc::new(tree));
        Ok(has_same_paths)
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

pub(super) fn has_findings(resolved: &ResolvedFile) -> bool {
    !resolved.findings.is_empty()
}

impl FileCache {
    /// Removes the entry of a changed file.
    fn forget(&mut self, file: FileId) {
        let previous = std::mem::take(&mut self.slots[file as usize]).into_inner();
        self.anchors.forget(file);
        // The previous state is only used while few files have changed.
        let previous = if self.changed.len() < MAX_CHANGED { previous } else { None };
        self.changed.push((file, previous));
    }

    /// The files that have changed since the last check, with their previous state.
    pub fn changed(&self) -> &[(FileId, Option<CachedFile>)] {
        &self.changed
    }

    /// Removes and returns the results of the last scan; `None` if too much has changed.
    pub fn take_scan(&self) -> Option<CachedScan> {
        lock(&self.last_scan).take()
    }

    /// Stores the results of this scan for the next.
    pub fn cache_scan(&self, scan: CachedScan) {
        *lock(&self.last_scan) = Some(scan);
    }

    /// The files with findings of rules that see one file at a time.
    pub fn files_with_findings(&self) -> BTreeSet<FileId> {
        let resolved = |slot: &'_ OnceLock<CachedFile>| {
            slot.get()?.cached_facts.as_ref()?.resolved.get().map(has_findings)
        };
        let files = (0..).zip(&self.slots).filter(|(_, slot)| resolved(slot) == Some(true));
        files.map(|(file, _)| file).collect()
    }

    /// Whether this check read a file.
    pub fn is_read(&self, file: FileId) -> bool {
        self.get(file).is_some_and(|cached| cached.check == self.check)
    }

    /// The entry of a file.
    pub fn get(&self, file: FileId) -> Option<&CachedFile> {
        self.slots[file as usize].get()
    }

    /// Adds the facts of a file, with its stamp from before it was read.
    pub fn insert(&self, file: FileId, stamp: FileStamp, cached_facts: Option<CachedFacts>) -> &CachedFile {
        self.slots[file as usize].get_or_init(|| CachedFile {
            stamp,
            check: self.check,
            cached_facts,
            script: OnceLock::new(),
        })
    }

    /// Whether a file may have changed since the last check, and so have other anchors.
    pub fn may_differ(&self, file: FileId) -> bool {
        let differs = |slot: &OnceLock<CachedFile>| {
            slot.get().is_none_or(|cached| {
                // An unchanged redirect page may forward fragments to a changed page.
                let forwards = |cached_facts: &CachedFacts| cached_facts.facts.metadata.keeps_fragment;
                cached.check == self.check || cached.cached_facts.as_ref().is_some_and(forwards)
            })
        };
        self.differs.get_or_init(|| self.slots.iter().map(differs).collect())[file as usize]
    }

    /// The dangling fragments of the last check, as file and offset.
    pub fn dangling(&self) -> Arc<[(FileId, u32)]> {
        Arc::clone(&lock(&self.dangling))
    }

    /// Stores the dangling fragments of this check.
    pub fn cache_dangling(&self, joined: &Joined) {
        let offsets = joined.dangling.references.iter().map(|jump| (jump.file, jump.span.start)).collect();
        *lock(&self.dangling) = offsets;
    }

    /// Returns a parsed script, and parses it on first use.
    pub fn script(
        &self,
        wanted: &ScriptToRead,
        read: impl FnOnce() -> Result<Script, ScanError>,
    ) -> Result<Arc<Script>, ScanError> {
        match wanted {
            ScriptToRead::File(file) => {
                let cached = self.get(*file);
                if let Some(script) = cached.and_then(|cached| cached.script.get()) {
                    return Ok(Arc::clone(script));
                }
                let script = Arc::new(read()?);
                // A file that could not be read as a page has no entry, so its script is read again.
                Ok(match cached {
                    Some(cached) => Arc::clone(cached.script.get_or_init(|| script)),
                    None => script,
                })
            }
            ScriptToRead::Inline(text) => {
                let inline = || lock(&self.inline);
                if let Some((script, last_check)) = inline().get_mut(text) {
                    *last_check = self.check;
                    return Ok(Arc::clone(script));
                }
                let script = Arc::new(read()?);
                inline().insert(Arc::clone(text), (Arc::clone(&script), self.check));
                Ok(script)
            }
        }
    }

    /// Removes the inline scripts that this check did not use. Call it once all scripts have been followed.
    pub fn forget_inline(&self) {
        lock(&self.inline).retain(|_, (_, last_check)| *last_check == self.check);
    }
}
