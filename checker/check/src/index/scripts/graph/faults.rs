//! Finds faults of scripts: names that no import map has, modules that run as classic scripts, scopes of service
//! workers that are not below the folder of the worker (Service Workers, "Register"), and scripts that cannot be
//! parsed.

use super::Graph;
use super::state::{Node, PlacedScript};
use crate::index::scripts::{FaultKind, ScriptFault};
use crate::resolve::{Base, Target};
use sitegate_script::{LoadKind, ScriptLoad, WorkerScope};

/// The header with which a server allows a wider scope.
const ALLOWING_HEADER: &str = "service-worker-allowed";

impl Graph<'_> {
    /// Records an import of a name that no import map has. A static import of it always fails; a dynamic one is often
    /// meant for other runtimes than browsers.
    pub(super) fn record_bare_import(&mut self, node: u32, load: &ScriptLoad) {
        if load.kind == LoadKind::Import {
            let PlacedScript { file, start, .. } = self.sources[self.nodes[node as usize].source as usize];
            let span = start + load.span.start..start + load.span.end;
            let kind = FaultKind::BareSpecifier(load.address.clone(), self.is_map_late(node));
            self.faults.push(ScriptFault { file, span, kind, trail: self.trail(node) });
        }
    }

    /// Whether a page has an import map that comes after its first module.
    fn is_map_late(&self, node: u32) -> bool {
        let page = self.nodes[node as usize].page;
        let at = self.entry_points.binary_search_by_key(&page, |entry| entry.page);
        at.is_ok_and(|at| self.entry_points[at].late_map.is_some())
    }

    /// Adds the faults of all scripts, when there is nothing more to read.
    pub(super) fn add_faults(&mut self) {
        for index in 0..self.nodes.len() {
            let Node { source, is_run_as_classic, .. } = self.nodes[index];
            let PlacedScript { file, start, .. } = self.sources[source as usize];
            let Some(script) = self.sources[source as usize].script.clone() else { continue };
            let mut found = Vec::new();
            if let (true, Some(span)) = (is_run_as_classic, &script.module_syntax) {
                found.push((span.clone(), FaultKind::RunAsClassic));
            }
            for scope in &script.worker_scopes {
                let PlacedScript { base, is_inline, .. } = &self.sources[source as usize];
                if let Some(folder) = self.scope_above(base, *is_inline, scope) {
                    found.push((scope.span.clone(), FaultKind::WideScope(scope.scope.clone(), folder)));
                }
            }
            if let Some(error) = &script.unreadable {
                found.push((error.offset()..error.offset(), FaultKind::Unreadable(error.to_string())));
            }
            for (span, kind) in found {
                let span = start + span.start..start + span.end;
                self.faults.push(ScriptFault { file, span, kind, trail: self.trail(index as u32) });
            }
        }
        self.faults.sort_by_key(|fault| (fault.file, fault.span.start));
        self.faults.dedup_by(|a, b| (a.file, &a.span, &a.kind) == (b.file, &b.span, &b.kind));
    }

    /// Returns the folder of a service worker whose scope is not below it, so that browsers refuse to register it.
    fn scope_above(&self, base: &Base, is_inline: bool, worker: &WorkerScope) -> Option<String> {
        // Two paths of one kind compare alike in any document.
        let is_comparable = is_inline || worker.script.starts_with('/') == worker.scope.starts_with('/');
        let (script, scope) = (base.join(&worker.script)?, base.join(&worker.scope)?);
        let folder = script.path().rfind('/').map(|end| script.path()[..=end].to_owned())?;
        let is_wide = script.origin() == scope.origin() && !scope.path().starts_with(&folder);
        if !is_comparable || !is_wide || self.may_be_allowed(base, &worker.script) {
            return None;
        }
        Some(folder)
    }

    /// Whether the owner of the site sets the header for the worker.
    fn may_be_allowed(&self, base: &Base, script: &str) -> bool {
        let target = self.site.resolver.resolve(base, script, &mut Vec::new());
        let Target::File { file, .. } = target else { return true };
        self.site.live().is_some()
            || self.site.header_for(file, ALLOWING_HEADER).is_some()
            || !self.site.headers_file_lines(file, ALLOWING_HEADER).is_empty()
    }
}
