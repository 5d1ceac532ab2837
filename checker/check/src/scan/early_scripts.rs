//! Script files that are read beside the pages, as soon as one is met that runs them: a single one, such as the index of a
//! search, can take as long as hundreds of pages, and nothing else is left to be done once they are all read.

use std::collections::HashMap;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::Scope;

use super::error::ScanError;
use super::incremental::cache::FileCache;
use crate::index::scripts::graph::is_script_name;
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::parse::{ScriptSource, Source};
use crate::walk::FileId;
use sitegate_script::{Memory, Script, ascii, read_script};

/// The scripts that were read so far.
pub(super) struct EarlyScripts<'s> {
    site: &'s Site<'s>,
    cache: Option<&'s FileCache>,
    /// For each file, whether it was asked for.
    asked: Vec<AtomicBool>,
    read: Mutex<HashMap<FileId, Result<Script, ScanError>>>,
}

impl<'s> EarlyScripts<'s> {
    pub fn new(site: &'s Site<'s>, cache: Option<&'s FileCache>) -> Self {
        let asked = site.tree.ids().map(|_| AtomicBool::new(false)).collect();
        EarlyScripts { site, cache, asked, read: Mutex::default() }
    }

    /// Has the scripts read that a page runs, on the threads of a scope.
    pub fn ask<'e>(&'e self, view: &FileView<'_>, scope: &Scope<'e>) {
        for script in &view.facts.scripts {
            if let ScriptSource::File(reference) = script.source
                && let Some(file) = view.links.file(reference as usize)
                && !self.is_cached(file)
                && is_script_name(self.site.tree.path(file))
                && !self.asked[file as usize].load(Ordering::Relaxed)
                && !self.asked[file as usize].swap(true, Ordering::Relaxed)
            {
                scope.spawn(move |_| {
                    let script = script_file(self.site, file, &mut Memory::default());
                    self.known().insert(file, script);
                });
            }
        }
    }

    /// Whether an earlier check has read a script.
    fn is_cached(&self, file: FileId) -> bool {
        self.cache.and_then(|cache| cache.get(file)).is_some_and(|known| known.script.get().is_some())
    }

    /// A script, where it was read.
    pub fn take(&self, file: FileId) -> Option<Result<Script, ScanError>> {
        self.known().remove(&file)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<FileId, Result<Script, ScanError>>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a script file.
pub(super) fn script_file(site: &Site<'_>, file: FileId, memory: &mut Memory) -> Result<Script, ScanError> {
    let content = fs::read(site.tree.disk_path(file))
        .map_err(|source| ScanError::File { path: site.tree.display(file).into_owned(), source })?;
    let source = Source::decoded(content);
    Ok(match &source {
        Source::Text(text) => read_script(text, memory),
        Source::Bytes(bytes) => read_script(&ascii(bytes), memory),
    })
}
