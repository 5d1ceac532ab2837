//! Reads the scripts that pages run, and those that scripts run in turn: each file once, all that is known to be wanted
//! at the same time. Most of those that pages name have been read by then (see [`super::early_scripts`]).

use std::sync::Arc;

use oxc_allocator::Allocator;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::early_scripts::{EarlyScripts, script_file};
use super::kept::KeptFiles;
use crate::index::Index;
use crate::index::scripts::Scripts;
use crate::index::scripts::entrances::Entrance;
use crate::index::scripts::graph::{Graph, LoadCounts, WantedScript};
use crate::index::site::Site;
use crate::parse::{STACK, Script, read_script};

/// The threads that scripts are read on, or why there are none.
pub(super) type Threads = Result<ThreadPool, String>;

/// Threads with room for scripts that are nested as deeply as any that is read.
pub(super) fn threads() -> Threads {
    let threads = ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).stack_size(STACK);
    threads.build().map_err(|error| format!("scripts: {error}"))
}

/// Follows what pages run. What cannot be read is added to `unread`.
pub(super) fn read(
    index: &mut Index<'_>,
    entrances: Vec<Entrance>,
    (threads, early): (&Threads, &EarlyScripts<'_>),
    kept: Option<&KeptFiles>,
    unread: &mut Vec<String>,
) {
    if entrances.is_empty() {
        return;
    }
    let pool = match threads {
        Ok(pool) => pool,
        Err(reason) => return unread.push(reason.clone()),
    };
    let site = index.site;
    let mut graph = Graph::new(site, entrances);
    let Index { usage, loads, links, .. } = index;
    let mut counts = LoadCounts { usage, loads, links };
    loop {
        let wanted = graph.wanted(&mut counts);
        if wanted.is_empty() {
            break;
        }
        let scripts: Vec<Result<Arc<Script>, String>> = pool.install(|| {
            let read = |memory: &mut Allocator, one: &WantedScript| match kept {
                Some(kept) => kept.script(one, || script(site, one, early, memory)),
                None => script(site, one, early, memory).map(Arc::new),
            };
            wanted.par_iter().map_init(Allocator::new, read).collect()
        });
        for (wanted, script) in wanted.into_iter().zip(scripts) {
            match script {
                Ok(script) => graph.take(wanted, script),
                Err(reason) => {
                    unread.push(reason);
                    graph.take(wanted, Arc::default());
                }
            }
        }
    }
    unread.extend(graph.cut().map(str::to_owned));
    let idle = std::mem::take(&mut index.scripts.idle);
    index.scripts = Scripts { idle, ..graph.finish(&mut counts) };
}

fn script(
    site: &Site<'_>,
    wanted: &WantedScript,
    early: &EarlyScripts<'_>,
    memory: &mut Allocator,
) -> Result<Script, String> {
    match wanted {
        WantedScript::Inline(text) => Ok(read_script(text, memory)),
        WantedScript::File(file) => early.take(*file).unwrap_or_else(|| script_file(site, *file, memory)),
    }
}
