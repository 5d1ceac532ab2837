//! Follows loads that are relative to documents, from scripts that many pages may run.

use std::collections::{HashMap, HashSet};

use super::steps::Steps;
use super::{DocumentLoad, Graph, Node};
use crate::resolve::{Base, Target};
use crate::walk::FileId;
use sitegate_address::SitePath;
use sitegate_script::{RelativeTo, ScriptLoad};

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
}

fn is_missing(target: Target) -> bool {
    matches!(target, Target::Missing(_))
}
