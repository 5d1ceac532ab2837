//! Follows loads that a script alone does not determine: those relative to the documents that run it, those that other
//! scripts of its bundle state, and those from a folder that scripts may move.

use std::collections::{HashMap, HashSet};

use super::Graph;
use super::script_files::is_hashed_name;
use super::state::{DocumentLoad, Node, Steps};
use crate::resolve::{Base, Target};
use crate::walk::FileId;
use sitegate_address::{SitePath, UrlReference};
use sitegate_script::{BundledScript, RelativeTo, ScriptLoad, loads_of_bundles};

impl Graph<'_> {
    /// Follows document-relative loads. The file must exist for at least one of the documents that run the script.
    pub(super) fn follow_document_loads(&mut self) {
        let mut documents: HashMap<u32, Vec<Base>> = HashMap::new();
        let document_loads = std::mem::take(&mut self.document_loads);
        let pages_by_script = if document_loads.is_empty() { HashMap::new() } else { self.pages_by_script() };
        for DocumentLoad { node, load } in document_loads {
            let mut found = None;
            if load.relative_to == RelativeTo::Anywhere {
                let own = self.sources[self.nodes[node as usize].source as usize].base.clone();
                found = self.first_existing(&load, &[self.site.resolver.root(), own]);
            }
            if found.as_ref().is_none_or(|(_, target)| is_missing(*target)) {
                let bases =
                    documents.entry(node).or_insert_with(|| self.documents_running(node, &pages_by_script));
                // A file that exists nowhere probably belongs next to its script.
                let is_better = |(_, target): &(Base, Target)| found.is_none() || !is_missing(*target);
                found = self.first_existing(&load, bases).filter(is_better).or(found);
            }
            if let Some((base, target)) = found {
                self.record_target(node, &load, target, (&base, &load.address));
            }
        }
    }

    /// Resolves a load from several bases. Returns the first target that exists, or else the last target.
    fn first_existing(&self, load: &ScriptLoad, bases: &[Base]) -> Option<(Base, Target)> {
        let mut last = None;
        for base in bases {
            if !self.steps.spend(Steps::ADDRESS) {
                return None;
            }
            let target = self.resolve(load, base, &load.address);
            let exists = !is_missing(target);
            last = Some((base.clone(), target));
            if exists {
                break;
            }
        }
        last
    }

    /// Returns the pages that run each script file, as indexes of entry points.
    fn pages_by_script(&self) -> HashMap<FileId, Vec<u32>> {
        let mut pages_by_script: HashMap<FileId, Vec<u32>> = HashMap::new();
        for (at, page) in self.entry_points.iter().enumerate() {
            for (file, _) in page.files.iter() {
                pages_by_script.entry(*file).or_default().push(at as u32);
            }
        }
        pages_by_script
    }

    /// Returns the documents that run a script, one for each folder.
    fn documents_running(&self, node: u32, pages_by_script: &HashMap<FileId, Vec<u32>>) -> Vec<Base> {
        let mut visited = HashSet::from([node]);
        let mut next = vec![node];
        let mut files = HashSet::new();
        let mut bases: Vec<Base> = Vec::new();
        while let Some(current) = next.pop() {
            let Node { source, importers, .. } = &self.nodes[current as usize];
            if !self.steps.spend(1 + importers.len()) {
                return Vec::new();
            }
            let source = &self.sources[*source as usize];
            if source.is_inline {
                bases.push(source.base.clone());
            } else {
                files.insert(source.file);
            }
            next.extend(importers.iter().filter(|importer| visited.insert(**importer)));
        }
        let mut pages: Vec<u32> =
            files.iter().filter_map(|file| pages_by_script.get(file)).flatten().copied().collect();
        if !self.steps.spend(pages.len()) {
            return Vec::new();
        }
        pages.sort_unstable();
        pages.dedup();
        let mut folders = HashSet::new();
        for page in pages.into_iter().map(|at| &self.entry_points[at as usize]) {
            let path = self.site.tree.path(page.page);
            let folder = SitePath::new(path).folder();
            if page.has_own_base() || folders.insert(folder) {
                bases.push(page.base(self.site));
            }
        }
        let mut folder_urls = HashSet::new();
        bases.retain(|base| folder_urls.insert(base.join(".").map(String::from)));
        bases
    }

    /// Follows these loads. `is_all` adds those that are stated only when there are no others.
    pub(super) fn follow_bundles(&mut self, is_all: bool) {
        // Each round, more of the bundle is known.
        if !self.steps.spend(Steps::BUNDLED * self.sources.len()) {
            return;
        }
        let mut known = Vec::new();
        let mut scripts = Vec::new();
        for (index, source) in self.sources.iter().enumerate() {
            if let Some(script) = source.script.clone().filter(|script| script.is_in_bundle()) {
                known.push(index as u32);
                let path = source.base.path().to_owned();
                scripts.push(BundledScript { script, path, is_entry: source.is_entry });
            }
        }
        for (index, load) in loads_of_bundles(&scripts, is_all) {
            let source = known[index];
            if self.known_bundle_loads.insert((source, load.address.clone(), load.kind)) {
                for node in self.nodes_of.get(&source).cloned().unwrap_or_default() {
                    self.follow(node, &load);
                }
                self.sources[source as usize].bundle_loads.push(load);
            }
        }
    }

    /// Returns a load of a missing file from the folder that has it, if scripts may move the folder at run time. The
    /// file is the only one with its name, which has a content hash.
    pub(super) fn moved_load(&self, load: &ScriptLoad, target: Target) -> Option<(ScriptLoad, Target)> {
        if load.relative_to != RelativeTo::MovablePath || !is_missing(target) {
            return None;
        }
        let path = UrlReference::new(&*load.address).path();
        let [file] = self.site.files_named(SitePath::new(path).name())[..] else { return None };
        if !is_hashed_name(path.as_bytes()) {
            return None;
        }
        let address = self.site.resolver.address(&self.site.tree.display(file));
        let load = ScriptLoad { address: address.into(), relative_to: RelativeTo::Document, ..load.clone() };
        let found = self.resolve(&load, &self.site.resolver.root(), &load.address);
        Some((load, found))
    }
}

fn is_missing(target: Target) -> bool {
    matches!(target, Target::Missing(_))
}
