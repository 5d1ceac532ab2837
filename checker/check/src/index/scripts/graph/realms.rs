//! Groups pages in which specifiers resolve to the same URLs.

use super::Graph;
use super::realm::Realm;
use crate::index::scripts::entry_points::PageEntryPoints;
use crate::index::scripts::specifier::{SpecifierMap, is_absolute};
use crate::walk::FileId;
use sitegate_script::ImportMap;

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
}
