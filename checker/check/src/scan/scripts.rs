//! Reads the scripts that pages run, and those that scripts run in turn: each file once, all that is known to be wanted
//! at the same time.

use std::fs;
use std::sync::Arc;

use oxc_allocator::Allocator;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::kept::KeptFiles;
use crate::index::Index;
use crate::index::scripts::Scripts;
use crate::index::scripts::entrances::Entrance;
use crate::index::scripts::graph::{Graph, LoadCounts, WantedScript};
use crate::index::site::Site;
use crate::parse::{STACK, Script, Source, ascii, read_script};

/// Follows what pages run. What cannot be read is added to `unread`.
pub(super) fn read(
    index: &mut Index<'_>,
    entrances: Vec<Entrance>,
    kept: Option<&KeptFiles>,
    unread: &mut Vec<String>,
) {
    if entrances.is_empty() {
        return;
    }
    let site = index.site;
    let pool =
        match ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).stack_size(STACK).build() {
            Ok(pool) => pool,
            Err(error) => return unread.push(format!("scripts: {error}")),
        };
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
                Some(kept) => kept.script(one, || script(site, one, memory)),
                None => script(site, one, memory).map(Arc::new),
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

fn script(site: &Site<'_>, wanted: &WantedScript, memory: &mut Allocator) -> Result<Script, String> {
    match wanted {
        WantedScript::Inline(text) => Ok(read_script(text, memory)),
        WantedScript::File(file) => {
            let content = fs::read(site.tree.disk_path(*file))
                .map_err(|error| format!("{}: {error}", site.tree.display(*file)))?;
            let source = Source::decoded(content);
            Ok(match &source {
                Source::Text(text) => read_script(text, memory),
                Source::Bytes(bytes) => read_script(&ascii(bytes), memory),
            })
        }
    }
}
