//! Reads the scripts that pages run, and the scripts that those import, each file once.
//!
//! Scripts that pages name are read in parallel with pages, as soon as a page refers to them: one large script, such as a
//! search index, can take as long as hundreds of pages, and would be the last task of the scan. After that, all scripts
//! that are known to be needed are read in parallel.

use std::collections::HashMap;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use rayon::{Scope, ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::cache::FileCache;
use super::error::ScanError;
use crate::index::Index;
use crate::index::scripts::Scripts;
use crate::index::scripts::entry_points::PageEntryPoints;
use crate::index::scripts::graph::{Graph, ScriptToRead, is_script_name};
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::parse::{ScriptSource, Source};
use crate::walk::FileId;
use sitegate_base::lock::lock;
use sitegate_script::{Memory, STACK_SIZE, Script, read_script, read_undecoded};

/// The thread pool that reads scripts, or the error that prevented it.
pub(super) type Threads = Result<ThreadPool, ThreadPoolBuildError>;

/// The thread pool, the scripts that were read early, and the cache.
pub(super) type ScriptSources<'r> = (&'r Threads, &'r EarlyScripts<'r>, Option<&'r FileCache>);

/// Creates a thread pool with stacks that are large enough for the deepest nesting that the parser accepts.
pub(super) fn threads() -> Threads {
    let threads = ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).stack_size(STACK_SIZE);
    threads.build()
}

/// Follows scripts from the entry points of pages. Adds an error to `unreadable` for each script that cannot be read.
pub(super) fn read(
    index: &Index<'_>,
    entry_points: Arc<Vec<PageEntryPoints>>,
    (threads, early, cache): ScriptSources<'_>,
    collects_requests: bool,
    unreadable: &mut Vec<String>,
) -> Scripts {
    if entry_points.is_empty() {
        return Scripts::default();
    }
    let pool = match threads {
        Ok(pool) => pool,
        Err(error) => {
            unreadable.push(format!("scripts: {error}"));
            return Scripts::default();
        }
    };
    let site = index.site;
    let mut graph = Graph::new(site, entry_points);
    graph.requests.is_needed = collects_requests;
    loop {
        let wanted = graph.take_unread();
        if wanted.is_empty() {
            break;
        }
        let scripts: Vec<Result<Arc<Script>, ScanError>> = pool.install(|| {
            let read = |memory: &mut Memory, requested: &ScriptToRead| match (cache, requested) {
                (Some(cache), ScriptToRead::File(file)) => {
                    cache.script(*file, || read_wanted(site, requested, early, memory))
                }
                _ => read_wanted(site, requested, early, memory).map(Arc::new),
            };
            wanted.par_iter().map_init(Memory::default, read).collect()
        });
        for (requested, script) in wanted.into_iter().zip(scripts) {
            match script {
                Ok(script) => graph.add_script(requested, script),
                Err(error) => {
                    unreadable.push(error.to_string());
                    graph.add_script(requested, Arc::default());
                }
            }
        }
    }
    unreadable.extend(graph.limit_message().map(str::to_owned));
    graph.into_scripts()
}

fn read_wanted(
    site: &Site<'_>,
    wanted: &ScriptToRead,
    early: &EarlyScripts<'_>,
    memory: &mut Memory,
) -> Result<Script, ScanError> {
    match wanted {
        ScriptToRead::Inline(text) => Ok(read_script(text, memory)),
        ScriptToRead::File(file) => {
            early.take_script(*file).unwrap_or_else(|| script_file(site, *file, memory))
        }
    }
}

/// The scripts that have been read so far.
pub(super) struct EarlyScripts<'s> {
    site: &'s Site<'s>,
    /// For each file, whether reading it has been started.
    requested: Vec<AtomicBool>,
    scripts: Mutex<HashMap<FileId, Result<Script, ScanError>>>,
}

impl<'s> EarlyScripts<'s> {
    pub fn new(site: &'s Site<'s>) -> Self {
        let requested = site.tree.ids().map(|_| AtomicBool::new(false)).collect();
        EarlyScripts { site, requested, scripts: Mutex::default() }
    }

    /// Starts reading the scripts that a page runs, on the threads of a scope.
    pub fn prefetch<'e>(&'e self, view: &FileView<'_>, scope: &Scope<'e>) {
        for script in &view.facts.scripts {
            if let ScriptSource::File(reference) = script.source
                && let Some(file) = view.links.file(reference as usize)
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

    /// Removes and returns a script, if it has been read.
    pub fn take_script(&self, file: FileId) -> Option<Result<Script, ScanError>> {
        lock(&self.scripts).remove(&file)
    }
}

/// Reads a script file.
fn script_file(site: &Site<'_>, file: FileId, memory: &mut Memory) -> Result<Script, ScanError> {
    let content = fs::read(site.tree.disk_path(file))
        .map_err(|source| ScanError::File { path: site.tree.path_from_here(file), source })?;
    let source = Source::of_file(site.tree.path(file), content);
    Ok(match &source {
        Source::Text(text) => read_script(text, memory),
        Source::Bytes(bytes) => read_undecoded(bytes, memory),
    })
}
