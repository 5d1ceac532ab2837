//! Reads script files in parallel with pages, as soon as a page refers to them.
//!
//! One large script, such as a search index, can take as long as hundreds of pages. Starting early keeps it from
//! being the last task of the scan.

use std::collections::HashMap;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::Scope;

use super::error::ScanError;
use super::incremental::cache::FileCache;
use crate::index::scripts::graph::is_script_name;
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::parse::{ScriptSource, Source};
use crate::walk::FileId;
use sitegate_base::lock::lock;
use sitegate_script::{Memory, Script, ascii, read_script};

/// The scripts that have been read so far.
pub(super) struct EarlyScripts<'s> {
    site: &'s Site<'s>,
    cache: Option<&'s FileCache>,
    /// For each file, whether reading it has been started.
    requested: Vec<AtomicBool>,
    scripts: Mutex<HashMap<FileId, Result<Script, ScanError>>>,
}

impl<'s> EarlyScripts<'s> {
    pub fn new(site: &'s Site<'s>, cache: Option<&'s FileCache>) -> Self {
        let requested = site.tree.ids().map(|_| AtomicBool::new(false)).collect();
        EarlyScripts { site, cache, requested, scripts: Mutex::default() }
    }

    /// Starts reading the scripts that a page runs, on the threads of a scope.
    pub fn prefetch<'e>(&'e self, view: &FileView<'_>, scope: &Scope<'e>) {
        for script in &view.facts.scripts {
            if let ScriptSource::File(reference) = script.source
                && let Some(file) = view.links.file(reference as usize)
                && !self.is_cached(file)
                && is_script_name(self.site.tree.path(file))
                && !self.requested[file as usize].load(Ordering::Relaxed)
                && !self.requested[file as usize].swap(true, Ordering::Relaxed)
            {
                scope.spawn(move |_| {
                    let parsed = script_file(self.site, file, &mut Memory::default());
                    lock(&self.scripts).insert(file, parsed);
                });
            }
        }
    }

    /// Whether an earlier check has read a script.
    fn is_cached(&self, file: FileId) -> bool {
        self.cache.and_then(|cache| cache.get(file)).is_some_and(|cached| cached.script.get().is_some())
    }

    /// Removes and returns a script, if it has been read.
    pub fn take_script(&self, file: FileId) -> Option<Result<Script, ScanError>> {
        lock(&self.scripts).remove(&file)
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
