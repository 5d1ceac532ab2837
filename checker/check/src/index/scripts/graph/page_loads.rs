//! Adds what a page itself loads, not one of its scripts: its import map, and the loader of AMD modules.

use std::sync::Arc;

use super::{Graph, PlacedScript};
use crate::index::scripts::entry_points::PageEntryPoints;
use sitegate_script::{Grade, ImportMap, LoadKind, RelativeTo, Script, ScriptLoad};

impl Graph<'_> {
    /// Adds the loads of a page with these scripts.
    pub(super) fn add_page_loads(&mut self, page: &PageEntryPoints, realm: u32, entries: Vec<u32>) {
        if let Some(map) = &page.map
            && !std::mem::replace(&mut self.realms[realm as usize].is_map_added, true)
        {
            let mut script = Script::default();
            script.loads = map_loads(map);
            self.add_page_node(page, realm, script);
        }
        if let Some(loader) = &page.amd_loader {
            let node = self.add_page_node(page, realm, Script::default());
            self.add_amd_page(page, loader, node, entries);
        }
    }

    /// Adds a node for the page itself.
    fn add_page_node(&mut self, page: &PageEntryPoints, realm: u32, script: Script) -> u32 {
        let source = self.sources.len() as u32;
        self.sources.push(PlacedScript {
            file: page.page,
            start: 0,
            base: page.base(self.site),
            is_inline: true,
            is_entry: false,
            script: Some(Arc::new(script)),
            bundle_loads: Vec::new(),
        });
        self.node(realm, source, (None, page.page))
    }
}

/// Returns the files of an import map. If a script imports one, its own finding replaces this one.
fn map_loads(map: &ImportMap) -> Vec<ScriptLoad> {
    let all = map.scopes.iter().flat_map(|(_, inside)| inside).chain(&map.imports);
    // An entry for all specifiers with a prefix names a folder.
    let all = all.filter(|entry| !entry.specifier.ends_with('/'));
    let files = all.filter_map(|entry| Some((entry.address.as_deref()?, entry.span.clone())));
    files
        .map(|(address, span)| ScriptLoad {
            kind: LoadKind::ImportMap,
            address: address.into(),
            relative_to: RelativeTo::Document,
            grade: Grade::Optional,
            goal: None,
            span,
        })
        .collect()
}
