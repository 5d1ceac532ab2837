//! What is relative to documents, from a script that many of them may run.

use std::collections::{HashMap, HashSet};

use super::steps::Steps;
use super::{Graph, Node, OpenLoad};
use crate::resolve::{Base, Target};
use crate::walk::FileId;
use sitegate_script::{Against, ScriptLoad};

impl Graph<'_> {
    /// Follows what is relative to documents: one of those that run the script must have it.
    pub(super) fn settle_open(&mut self) {
        let mut documents: HashMap<u32, Vec<Base>> = HashMap::new();
        let open = std::mem::take(&mut self.open);
        let running = if open.is_empty() { HashMap::new() } else { self.running() };
        for OpenLoad { node, load } in open {
            let mut found = None;
            if load.against == Against::Anywhere {
                let own = self.sources[self.nodes[node as usize].source as usize].base.clone();
                found = self.first_of(&load, &[self.site.resolver.root(), own]);
            }
            if found.as_ref().is_none_or(|(_, target)| is_missing(target)) {
                let bases = documents.entry(node).or_insert_with(|| self.documents_of(node, &running));
                found = self.first_of(&load, bases).or(found);
            }
            if let Some((base, target)) = found {
                self.arrive(node, &load, target, (&base, &load.address));
            }
        }
    }

    /// Where a load leads from the first base from which it leads anywhere, or from the last.
    fn first_of(&self, load: &ScriptLoad, bases: &[Base]) -> Option<(Base, Target)> {
        let mut last = None;
        for base in bases {
            if !self.steps.take(Steps::ADDRESS) {
                return None;
            }
            let target = self.resolve(load, base, &load.address);
            let is_there = !is_missing(&target);
            last = Some((base.clone(), target));
            if is_there {
                break;
            }
        }
        last
    }

    /// The pages that run each script file, by their places among the entrances.
    fn running(&self) -> HashMap<FileId, Vec<u32>> {
        let mut running: HashMap<FileId, Vec<u32>> = HashMap::new();
        for (at, entrance) in self.entrances.iter().enumerate() {
            for (file, _) in entrance.files.iter() {
                running.entry(*file).or_default().push(at as u32);
            }
        }
        running
    }

    /// The documents that run a script, one for each folder.
    fn documents_of(&self, node: u32, running: &HashMap<FileId, Vec<u32>>) -> Vec<Base> {
        let mut seen = HashSet::from([node]);
        let mut next = vec![node];
        let mut files = HashSet::new();
        let mut bases: Vec<Base> = Vec::new();
        while let Some(node) = next.pop() {
            let Node { source, importers, .. } = &self.nodes[node as usize];
            if !self.steps.take(1 + importers.len()) {
                return Vec::new();
            }
            let source = &self.sources[*source as usize];
            if source.is_inline {
                bases.push(source.base.clone());
            } else {
                files.insert(source.file);
            }
            next.extend(importers.iter().filter(|importer| seen.insert(**importer)));
        }
        let mut pages: Vec<u32> =
            files.iter().filter_map(|file| running.get(file)).flatten().copied().collect();
        if !self.steps.take(pages.len()) {
            return Vec::new();
        }
        pages.sort_unstable();
        pages.dedup();
        let mut folders = HashSet::new();
        for entrance in pages.into_iter().map(|at| &self.entrances[at as usize]) {
            let path = self.site.tree.path(entrance.page);
            let folder = path.iter().rposition(|&byte| byte == b'/').map_or(&path[..0], |at| &path[..at]);
            if entrance.has_own_base() || folders.insert(folder) {
                bases.push(entrance.base(self.site));
            }
        }
        let mut folders = HashSet::new();
        bases.retain(|base| folders.insert(base.join(".").map(String::from)));
        bases
    }
}

fn is_missing(target: &Target) -> bool {
    matches!(target, Target::Missing(_))
}
