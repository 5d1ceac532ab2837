//! Reads the scripts that pages run, and the scripts that those import, each file once.
//!
//! All scripts that are known to be needed are read in parallel. Most scripts that pages name have already been read by
//! [`super::early_scripts`].

use std::sync::Arc;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::early_scripts::{EarlyScripts, script_file};
use super::error::ScanError;
use super::incremental::cache::FileCache;
use crate::index::Index;
use crate::index::scripts::Scripts;
use crate::index::scripts::entry_points::PageEntryPoints;
use crate::index::scripts::graph::{Graph, ScriptToRead};
use crate::index::site::Site;
use sitegate_script::{Memory, STACK_SIZE, Script, read_script};

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
            let read = |memory: &mut Memory, requested: &ScriptToRead| match cache {
                Some(cache) => cache.script(requested, || read_wanted(site, requested, early, memory)),
                None => read_wanted(site, requested, early, memory).map(Arc::new),
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
    if let Some(cache) = cache {
        cache.forget_inline();
    }
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
