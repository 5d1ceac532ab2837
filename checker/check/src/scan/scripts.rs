//! Reads the scripts that pages run, and those that scripts run in turn: each file once, all that is known to be wanted
//! at the same time. Most of those that pages name have been read by then (see [`super::early_scripts`]).

use std::sync::Arc;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::early_scripts::{EarlyScripts, script_file};
use super::error::ScanError;
use super::incremental::cache::FileCache;
use crate::index::Index;
use crate::index::scripts::Scripts;
use crate::index::scripts::entrances::Entrance;
use crate::index::scripts::graph::{Graph, WantedScript};
use crate::index::site::Site;
use sitegate_script::{Memory, STACK_SIZE, Script, read_script};

/// The threads that scripts are read on, or why there are none.
pub(super) type Threads = Result<ThreadPool, ThreadPoolBuildError>;

/// What there is to read scripts with: threads, those that were read early, and those that are kept.
pub(super) type ReadyScripts<'r> = (&'r Threads, &'r EarlyScripts<'r>, Option<&'r FileCache>);

/// Threads with room for scripts that are nested as deeply as any that is read.
pub(super) fn threads() -> Threads {
    let threads = ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).stack_size(STACK_SIZE);
    threads.build()
}

/// Follows what pages run, and gives what was learnt of it. What cannot be read is added to `unread`.
pub(super) fn read(
    index: &Index<'_>,
    entrances: Arc<Vec<Entrance>>,
    (threads, early, cache): ReadyScripts<'_>,
    unreadable: &mut Vec<String>,
) -> Scripts {
    if entrances.is_empty() {
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
    let mut graph = Graph::new(site, entrances);
    loop {
        let wanted = graph.wanted();
        if wanted.is_empty() {
            break;
        }
        let scripts: Vec<Result<Arc<Script>, ScanError>> = pool.install(|| {
            let read = |memory: &mut Memory, one: &WantedScript| match cache {
                Some(cache) => cache.script(one, || script(site, one, early, memory)),
                None => script(site, one, early, memory).map(Arc::new),
            };
            wanted.par_iter().map_init(Memory::default, read).collect()
        });
        for (wanted, script) in wanted.into_iter().zip(scripts) {
            match script {
                Ok(script) => graph.take(wanted, script),
                Err(error) => {
                    unreadable.push(error.to_string());
                    graph.take(wanted, Arc::default());
                }
            }
        }
    }
    unreadable.extend(graph.cut().map(str::to_owned));
    if let Some(cache) = cache {
        cache.forget_inline();
    }
    graph.finish()
}

fn script(
    site: &Site<'_>,
    wanted: &WantedScript,
    early: &EarlyScripts<'_>,
    memory: &mut Memory,
) -> Result<Script, ScanError> {
    match wanted {
        WantedScript::Inline(text) => Ok(read_script(text, memory)),
        WantedScript::File(file) => early.take(*file).unwrap_or_else(|| script_file(site, *file, memory)),
    }
}
