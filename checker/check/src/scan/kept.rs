//! What is kept of an export from one check to the next, so that the next reads only what was changed meanwhile: the facts
//! of each file, and where its references lead for as long as no path comes or goes.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use rayon::prelude::*;

use crate::contract::Contract;
use crate::diagnostic::Diagnostic;
use crate::index::anchors::Dangling;
use crate::index::join::JoinedSum;
use crate::index::links::Links;
use crate::index::scripts::graph::WantedScript;
use crate::parse::{Facts, Script};
use crate::resolve::{Base, redirects};
use crate::walk::{FileId, Tree, os_bytes};
use crate::whereabouts::Whereabouts;

/// What is kept of one export that is checked by one contract.
#[derive(Default)]
pub struct KeptExport {
    tree: Option<Arc<Tree>>,
    whereabouts: Option<Whereabouts>,
    files: KeptFiles,
    /// Files that were written to since, by their paths below the root.
    written: BTreeSet<Vec<u8>>,
    is_doubted: bool,
}

/// What is kept of files, by their places in the tree. All threads of a scan fill it.
#[derive(Default)]
pub(crate) struct KeptFiles {
    slots: Vec<OnceLock<KeptFile>>,
    /// The number of this check, from 1.
    check: u32,
    /// Whether each file may be another than at the last check.
    differs: Vec<bool>,
    /// The fragments that the last check found unanswered, by files and places.
    dangling: Mutex<Arc<[(FileId, u32)]>>,
    /// What scripts in pages say, by their text.
    inline: Mutex<HashMap<Arc<str>, Arc<Script>>>,
}

/// What is kept of one file.
pub(crate) struct KeptFile {
    /// As it was when it was read.
    stamp: Stamp,
    /// The check that read it.
    check: u32,
    /// What it says, if anything.
    pub said: Option<Said>,
    /// What it says as a script, once that was asked for.
    pub script: OnceLock<Arc<Script>>,
}

/// What a file says.
pub(crate) struct Said {
    pub facts: Facts,
    /// The assertions that hold for it.
    pub selected: Box<[usize]>,
    /// What follows from it among these paths.
    pub seen: OnceLock<Seen>,
}

/// What the facts of one file mean on a site with these paths.
pub(crate) struct Seen {
    pub base: Base,
    pub links: Links,
    /// What rules found in the file by itself.
    pub found: Vec<Diagnostic>,
    /// What it adds to the join.
    pub sum: JoinedSum,
}

/// What changes with a file's content, whoever writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// Number of the file, and when it was last changed in any way, which nobody can set.
    inode: [i64; 3],
}

impl Stamp {
    pub fn of(metadata: &Metadata) -> Stamp {
        #[cfg(unix)]
        let inode = {
            use std::os::unix::fs::MetadataExt;
            [metadata.ino().cast_signed(), metadata.ctime(), metadata.ctime_nsec()]
        };
        #[cfg(not(unix))]
        let inode = [0; 3];
        Stamp { length: metadata.len(), modified: metadata.modified().ok(), inode }
    }
}

impl KeptExport {
    /// Takes note that a file was written to, by its path below the root.
    pub fn wrote(&mut self, path: &Path) {
        let parts = path.components().map(|part| os_bytes(part.as_os_str()));
        self.written.insert(parts.collect::<Vec<_>>().join(&b'/'));
    }

    /// Takes note that anything may have happened: files that came, went or moved.
    pub fn doubt(&mut self) {
        self.is_doubted = true;
    }

    /// Whether the last check read a file, or could not.
    pub fn has_read(&self, file: FileId) -> bool {
        self.files.get(file).is_none_or(|known| known.check == self.files.check)
    }

    /// Lets go of what is not so any more. Gives the files that are there now, and where the site lives.
    pub(crate) fn update(
        &mut self,
        root: &Path,
        contract: &Contract,
    ) -> io::Result<(Arc<Tree>, Whereabouts)> {
        let written: Option<Vec<FileId>> =
            self.tree.as_ref().and_then(|tree| self.written.iter().map(|path| tree.find(path)).collect());
        let is_same = match (&self.tree, written) {
            (Some(tree), Some(written)) if !self.is_doubted && !tree.is_linked => {
                for file in written {
                    self.files.slots[file as usize] = OnceLock::new();
                }
                true
            }
            _ => self.walk(root)?,
        };
        self.written.clear();
        self.is_doubted = false;
        self.files.check += 1;
        let tree = Arc::clone(self.tree.get_or_insert_with(|| unreachable!("it was walked")));
        let is_unread = |file: &FileId| self.files.slots[*file as usize].get().is_none();
        let mut is_same = is_same;
        let whereabouts = match self.whereabouts.take() {
            Some(known) if is_same && !Whereabouts::sources(&tree).iter().any(is_unread) => known,
            known => {
                let now = Whereabouts::find(&tree, contract);
                is_same &= known.is_some_and(|known| known.taken == now.taken);
                now
            }
        };
        is_same &= !tree.find(redirects::FILE_NAME.as_bytes()).as_ref().is_some_and(is_unread);
        if !is_same {
            self.files.slots.par_iter_mut().for_each(|slot| {
                if let Some(Said { seen, .. }) = slot.get_mut().and_then(|file| file.said.as_mut()) {
                    *seen = OnceLock::new();
                }
            });
        }
        // Whoever is sent on by a page may arrive elsewhere though the page is the same.
        let differs = |slot: &OnceLock<KeptFile>| {
            let said = slot.get().map(|known| known.said.as_ref());
            said.is_none_or(|said| said.is_some_and(|said| said.facts.about.hands_on_fragments))
        };
        self.files.differs = self.files.slots.iter().map(differs).collect();
        self.whereabouts = Some(whereabouts.clone());
        Ok((tree, whereabouts))
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
        self.files.slots.par_iter_mut().enumerate().for_each(|(file, slot)| {
            let is_as_it_was = |known: &KeptFile| {
                fs::metadata(tree.disk_path(file as FileId)).is_ok_and(|now| Stamp::of(&now) == known.stamp)
            };
            if !slot.get().is_none_or(is_as_it_was) {
                *slot = OnceLock::new();
            }
        });
        self.tree = Some(Arc::new(tree));
        Ok(is_same)
    }

    /// What is kept of files.
    pub(crate) fn files(&self) -> &KeptFiles {
        &self.files
    }
}

impl KeptFiles {
    /// What is kept of a file.
    pub fn get(&self, file: FileId) -> Option<&KeptFile> {
        self.slots[file as usize].get()
    }

    /// Keeps what a file says, with how it was before it was read.
    pub fn keep(&self, file: FileId, stamp: Stamp, said: Option<Said>) -> &KeptFile {
        self.slots[file as usize].get_or_init(|| KeptFile {
            stamp,
            check: self.check,
            said,
            script: OnceLock::new(),
        })
    }

    /// Whether a file may be another than at the last check, and so answer other fragments.
    pub fn may_differ(&self, file: FileId) -> bool {
        self.differs[file as usize]
    }

    /// The fragments that the last check found unanswered, by files and places.
    pub fn dangling(&self) -> Arc<[(FileId, u32)]> {
        Arc::clone(&self.dangling.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Keeps the fragments that are not answered.
    pub fn keep_dangling(&self, dangling: &Dangling) {
        let places = dangling.jumps.iter().map(|jump| (jump.file, jump.span.start)).collect();
        *self.dangling.lock().unwrap_or_else(PoisonError::into_inner) = places;
    }

    /// What a script says, which is read only once.
    pub fn script(
        &self,
        wanted: &WantedScript,
        read: impl FnOnce() -> Result<Script, String>,
    ) -> Result<Arc<Script>, String> {
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
                if let Some(script) = inline().get(text) {
                    return Ok(Arc::clone(script));
                }
                let script = Arc::new(read()?);
                inline().insert(Arc::clone(text), Arc::clone(&script));
                Ok(script)
            }
        }
    }
}
