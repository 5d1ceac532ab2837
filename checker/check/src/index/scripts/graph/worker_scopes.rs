//! Compares the scopes of service workers with their folders (Service Workers, "Register").

use super::Graph;
use crate::resolve::{Base, Target};
use sitegate_script::WorkerScope;

/// The header with which a server allows a wider scope.
const ALLOWING_HEADER: &str = "service-worker-allowed";

impl Graph<'_> {
    /// Returns the folder of a service worker whose scope is not below it, so that browsers refuse to register it.
    pub(super) fn scope_above(&self, base: &Base, is_inline: bool, worker: &WorkerScope) -> Option<String> {
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
        let path = format!("/{}", self.site.tree.display(file));
        self.site.live().is_some()
            || self.site.contract.header_for(&path, ALLOWING_HEADER).is_some()
            || !self.site.headers_file_lines(file, ALLOWING_HEADER).is_empty()
    }
}
