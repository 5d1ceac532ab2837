//! Adds what a page itself determines: the realm of its scripts, its import map, and its loader of AMD modules. Workers
//! have a realm of their own.

use std::sync::Arc;

use super::Graph;
use super::state::{PlacedScript, Realm};
use crate::index::scripts::entry_points::PageEntryPoints;
use crate::index::scripts::specifier::{SpecifierMap, is_absolute};
use crate::walk::FileId;
use sitegate_script::{Grade, ImportMap, LoadKind, RelativeTo, Script, ScriptLoad};

impl Graph<'_> {
    /// Returns the realm of a page. Pages share one if their specifiers resolve to the same URLs.
    pub(super) fn realm(&mut self, page: &PageEntryPoints) -> u32 {
        let is_relative = |map: &ImportMap| {
            let mut all = map.scopes.iter().flat_map(|(_, inside)| inside).chain(&map.imports);
            let begins = |address: &str| address.starts_with('.');
            all.any(|one| begins(&one.specifier) || one.address.as_deref().is_some_and(begins))
                || map.scopes.iter().any(|(prefix, _)| !is_absolute(prefix))
        };
        let map = page.map.clone();
        let folder =
            map.as_deref().is_some_and(is_relative).then(|| page.base(self.site).join(".").map(String::from));
        let key = (map.clone(), folder.flatten());
        let next = self.realms.len() as u32;
        let realm = *self.realm_of.entry(key).or_insert(next);
        if realm == next {
            let specifiers = map.map(|map| SpecifierMap::new(&map, &page.base(self.site)));
            self.realms.push(Realm { specifiers, document: None, is_map_added: false });
        }
        realm
    }

    /// Returns the realm of modules before the import map of their page.
    pub(super) fn realm_without_map(&mut self) -> u32 {
        let next = self.realms.len() as u32;
        let realm = *self.realm_of.entry((None, None)).or_insert(next);
        if realm == next {
            self.realms.push(Realm { specifiers: None, document: None, is_map_added: false });
        }
        realm
    }

    /// Returns the realm of a worker: it has no import map, and its own URL is the document's.
    pub(super) fn worker_realm(&mut self, file: FileId) -> u32 {
        let next = self.realms.len() as u32;
        let realm = *self.worker_realm_of.entry(file).or_insert(next);
        if realm == next {
            let base = self.site.resolver.document(file);
            self.realms.push(Realm { specifiers: None, document: Some(base), is_map_added: true });
        }
        realm
    }

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
