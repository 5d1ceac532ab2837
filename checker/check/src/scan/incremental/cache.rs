//! What is kept of an export from one check to the next, so that the next reads only what was changed meanwhile: the facts
//! of each file, and where its references lead for as long as no path comes or goes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use rayon::prelude::*;

use crate::contract::Contract;
use crate::deployment::Deployment;
use crate::index::anchors::Anchors;
use crate::index::join::{Joined, JoinedSum};
use crate::index::links::Links;
use crate::index::scripts::Scripts;
use crate::index::scripts::graph::WantedScript;
use crate::parse::Facts;
use crate::report::stages::LocatedFinding;
use crate::resolve::near::NearPaths;
use crate::resolve::{Base, redirects};
use crate::scan::error::ScanError;
use crate::walk::{FileId, Tree, os_bytes};
use sitegate_script::Script;

/// Files that may be others without all being joined again.
const FEW: usize = 16;

/// What is kept of one export that is checked by one contract.
#[derive(Default)]
pub struct CachedExport {
    tree: Option<Arc<Tree>>,
    deployment: Option<Deployment>,
    /// The files that say where the site lives.
    sources: Vec<FileId>,
    files: FileCache,
    /// Where something happened since, below the root.
    touched: BTreeSet<Vec<u8>>,
    needs_walk: bool,
}

/// What is kept of files, by their places in the tree. All threads of a scan fill it.
#[derive(Default)]
pub(crate) struct FileCache {
    slots: Vec<OnceLock<CachedFile>>,
    /// The number of this check, from 1.
    check: u32,
    /// The files that are others than at the last check, as they were then.
    changed: Vec<(FileId, Option<CachedFile>)>,
    /// Whether each file may be another than at the last check, where that is asked of many.
    differs: OnceLock<Vec<bool>>,
    /// What fragments can reach in each file.
    pub anchors: Anchors,
    /// The paths, ready for suggestions.
    pub near: Arc<OnceLock<NearPaths>>,
    /// What the last check made of all files, unless more than a few are others now.
    last: Mutex<Option<CachedScan>>,
    /// The fragments that the last check found unanswered, by files and places.
    dangling: Mutex<Arc<[(FileId, u32)]>>,
    /// Scripts in pages, by their text.
    inline: Mutex<HashMap<Arc<str>, InlineScript>>,
}

/// What a check makes of all files, for the next.
pub(crate) struct CachedScan {
    pub joined: Joined,
    /// The files of which rules found something, each by itself.
    pub files_with_findings: BTreeSet<FileId>,
    pub second_pass: SecondPass,
}

/// Results of second looks at files.
#[derive(Default)]
pub(crate) struct SecondPass {
    /// What was learnt of scripts, until some are others, or others are run.
    pub scripts: Option<Scripts>,
    /// By pages: fragments that they do not answer, and the ids that are most likely meant.
    pub near: BTreeMap<FileId, NearestIds>,
}

/// Fragments, each with the id that is most likely meant by it.
pub(crate) type NearestIds = BTreeMap<Box<str>, Option<Arc<str>>>;

/// What a script in a page says, and the last check that asked for it.
type InlineScript = (Arc<Script>, u32);

/// What is kept of one file.
pub(crate) struct CachedFile {
    /// As it was when it was read.
    stamp: FileStamp,
    /// The check that read it.
    check: u32,
    /// What it says, if anything.
    pub facts_of_file: Option<CachedFacts>,
    /// What it says as a script, once that was asked for.
    pub script: OnceLock<Arc<Script>>,
}

/// What a file says.
pub(crate) struct CachedFacts {
    pub facts: Facts,
    /// The assertions that hold for it.
    pub selected: Box<[usize]>,
    /// What follows from it among these paths.
    pub resolved: OnceLock<ResolvedFile>,
}

/// What the facts of one file mean on a site with these paths.
pub(crate) struct ResolvedFile {
    pub base: Base,
    pub links: Links,
    /// What rules found in the file by itself.
    pub found: Vec<LocatedFinding>,
    /// What it adds to the join.
    pub sum: JoinedSum,
}

/// What changes with a file's content, whoever writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileStamp {
    length: u64,
    modified: Option<SystemTime>,
    /// Number of the file, and when it was last changed in any way, which nobody can set.
    inode: [i64; 3],
}

impl FileStamp {
    pub fn of(metadata: &Metadata) -> FileStamp {
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
    /// Takes note that something happened to a file, by its path below the root: it was written to, came, went or moved.
    pub fn touch(&mut self, path: &Path) {
        let parts = path.components().map(|part| os_bytes(part.as_os_str()));
        self.touched.insert(parts.collect::<Vec<_>>().join(&b'/'));
    }

    /// Takes note that anything may have happened anywhere.
    pub fn doubt(&mut self) {
        self.needs_walk = true;
    }

    /// Whether the last check read a file, or could not.
    pub fn has_read(&self, file: FileId) -> bool {
        self.files.get(file).is_none_or(|known| known.check == self.files.check)
    }

    /// Lets go of what is not so any more. Gives the files that are there now, and where the site lives.
    pub(crate) fn update(&mut self, root: &Path, contract: &Contract) -> io::Result<(Arc<Tree>, Deployment)> {
        self.files.changed.clear();
        let rewritten = self.tree.as_ref().filter(|tree| !self.needs_walk && !tree.is_linked);
        let is_same = match rewritten.and_then(|tree| rewritten_files(tree, &self.touched)) {
            Some(files) => {
                files.into_iter().for_each(|file| self.files.forget(file));
                true
            }
            None => self.walk(root)?,
        };
        self.touched.clear();
        self.needs_walk = false;
        self.files.check += 1;
        let tree = Arc::clone(self.tree.get_or_insert_with(|| unreachable!("it was walked")));
        let is_unread = |file: &FileId| self.files.slots[*file as usize].get().is_none();
        let mut is_same = is_same;
        if !is_same {
            self.sources = Deployment::sampled_files(&tree);
        }
        let deployment = match self.deployment.take() {
            Some(known) if is_same && !self.sources.iter().any(is_unread) => known,
            known => {
                let now = Deployment::infer(&tree, contract);
                is_same &= known.is_some_and(|known| known.inferred == now.inferred);
                now
            }
        };
        is_same &= !tree.find(redirects::FILE_NAME.as_bytes()).as_ref().is_some_and(is_unread);
        if !is_same {
            self.files.slots.par_iter_mut().for_each(|slot| {
                if let Some(CachedFacts { resolved, .. }) =
                    slot.get_mut().and_then(|file| file.facts_of_file.as_mut())
                {
                    *resolved = OnceLock::new();
                }
            });
        }
        if !is_same || self.files.changed.len() > FEW {
            self.files.last = Mutex::default();
        }
        self.files.differs = OnceLock::new();
        self.deployment = Some(deployment.clone());
        Ok((tree, deployment))
    }

    /// Lists the export anew, and keeps what is known of files that are as they were. Whether all paths are.
    fn walk(&mut self, root: &Path) -> io::Result<bool> {
        let tree = Tree::walk(root)?;
        let mut old = std::mem::take(&mut self.files.slots);
        let before = self.tree.take();
        let is_same = before.as_ref().is_some_and(|before| before.has_same_paths(&tree));
        let slots = tree.ids().map(|file| {
            let before = before.as_ref().and_then(|before| before.find(tree.path(file)));
            before.map(|before| std::mem::take(&mut old[before as usize])).unwrap_or_default()
        });
        self.files.slots = slots.collect();
        let is_another = |(file, known): (usize, &CachedFile)| {
            let metadata = fs::metadata(tree.disk_path(file as FileId));
            (!metadata.is_ok_and(|now| FileStamp::of(&now) == known.stamp)).then_some(file as FileId)
        };
        let known = self.files.slots.par_iter().enumerate();
        let known = known.filter_map(|(file, slot)| is_another((file, slot.get()?)));
        let changed: Vec<FileId> = known.collect();
        if !is_same {
            self.files.anchors = Anchors::new(tree.len());
            self.files.near = Arc::default();
        }
        changed.into_iter().for_each(|file| self.files.forget(file));
        self.tree = Some(Arc::new(tree));
        Ok(is_same)
    }

    /// What is kept of files.
    pub(crate) fn files(&self) -> &FileCache {
        &self.files
    }
}

/// The files to be read again, where all paths are as they were: what came has gone again, and what went is back.
fn rewritten_files(tree: &Tree, touched: &BTreeSet<Vec<u8>>) -> Option<Vec<FileId>> {
    let mut files = Vec::new();
    for path in touched {
        match (tree.find(path), fs::symlink_metadata(tree.disk_path_of(path))) {
            (Some(file), Ok(now)) if now.is_file() => files.push(file),
            (None, Err(error)) if error.kind() == io::ErrorKind::NotFound && !tree.has(path) => {}
            _ => return None,
        }
    }
    Some(files)
}

impl FileCache {
    /// Lets go of what is kept of a file: it is another now.
    fn forget(&mut self, file: FileId) {
        let was = std::mem::take(&mut self.slots[file as usize]).into_inner();
        self.anchors.forget(file);
        // Of more than a few, what they were is not asked for.
        self.changed.push((file, was.filter(|_| self.changed.len() < FEW)));
    }

    /// The files that are others than at the last check, as they were then.
    pub fn changed(&self) -> &[(FileId, Option<CachedFile>)] {
        &self.changed
    }

    /// What the last check made of all files, unless more than a few are others now. It is the caller's from here on.
    pub fn take_scan(&self) -> Option<CachedScan> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Keeps what this check made of all files.
    pub fn cache_scan(&self, last: CachedScan) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(last);
    }

    /// The files of which rules found something, each by itself.
    pub fn files_with_findings(&self) -> BTreeSet<FileId> {
        let found_some = |facts_of_file: &CachedFacts| {
            facts_of_file.resolved.get().is_some_and(|resolved| !resolved.found.is_empty())
        };
        let finds = |slot: &OnceLock<CachedFile>| slot.get()?.facts_of_file.as_ref().map(found_some);
        let files = (0..).zip(&self.slots).filter(|(_, slot)| finds(slot) == Some(true));
        files.map(|(file, _)| file).collect()
    }

    /// Whether a file was read by this check.
    pub fn is_read(&self, file: FileId) -> bool {
        self.get(file).is_some_and(|known| known.check == self.check)
    }

    /// What is kept of a file.
    pub fn get(&self, file: FileId) -> Option<&CachedFile> {
        self.slots[file as usize].get()
    }

    /// Keeps what a file says, with how it was before it was read.
    pub fn keep(&self, file: FileId, stamp: FileStamp, facts_of_file: Option<CachedFacts>) -> &CachedFile {
        self.slots[file as usize].get_or_init(|| CachedFile {
            stamp,
            check: self.check,
            facts_of_file,
            script: OnceLock::new(),
        })
    }

    /// Whether a file may be another than at the last check, and so answer other fragments.
    pub fn may_differ(&self, file: FileId) -> bool {
        let differs = |slot: &OnceLock<CachedFile>| {
            slot.get().is_none_or(|known| {
                // Whoever is sent on by a page may arrive elsewhere though the page is the same.
                let hands_on = |facts_of_file: &CachedFacts| facts_of_file.facts.about.hands_on_fragments;
                known.check == self.check || known.facts_of_file.as_ref().is_some_and(hands_on)
            })
        };
        self.differs.get_or_init(|| self.slots.iter().map(differs).collect())[file as usize]
    }

    /// The fragments that the last check found unanswered, by files and places.
    pub fn dangling(&self) -> Arc<[(FileId, u32)]> {
        Arc::clone(&self.dangling.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Keeps the fragments that are not answered.
    pub fn cache_dangling(&self, joined: &Joined) {
        let places = joined.dangling.jumps.iter().map(|jump| (jump.file, jump.span.start)).collect();
        *self.dangling.lock().unwrap_or_else(PoisonError::into_inner) = places;
    }

    /// What a script says, which is read only once.
    pub fn script(
        &self,
        wanted: &WantedScript,
        read: impl FnOnce() -> Result<Script, ScanError>,
    ) -> Result<Arc<Script>, ScanError> {
        match wanted {
            WantedScript::File(file) => {
                let known = self.get(*file);
                if let Some(script) = known.and_then(|known| known.script.get()) {
                    return Ok(Arc::clone(script));
                }
                let script = Arc::new(read()?);
                // A file that could not be read the first time is read again the next.
                Ok(known.map_or_else(
                    || Arc::clone(&script),
                    |known| Arc::clone(known.script.get_or_init(|| Arc::clone(&script))),
                ))
            }
            WantedScript::Inline(text) => {
                let inline = || self.inline.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((script, asked)) = inline().get_mut(text) {
                    *asked = self.check;
                    return Ok(Arc::clone(script));
                }
                let script = Arc::new(read()?);
                inline().insert(Arc::clone(text), (Arc::clone(&script), self.check));
                Ok(script)
            }
        }
    }

    /// Forgets the scripts in pages that this check, which has read all that pages run, did not ask for.
    pub fn forget_inline(&self) {
        let mut inline = self.inline.lock().unwrap_or_else(PoisonError::into_inner);
        inline.retain(|_, (_, asked)| *asked == self.check);
    }
}
