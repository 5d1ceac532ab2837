//! Determines the files that browsers load together with pages.

use std::collections::{BTreeMap, HashSet};

use super::site::Site;
use super::view::Links;
use crate::parse::{Facts, Format};
use crate::resolve::Target;
use crate::walk::FileId;

/// The files that each page, style sheet and script makes a browser load.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    by_file: BTreeMap<FileId, Vec<FileId>>,
}

impl Loads {
    /// Adds the references of one file.
    pub(super) fn add(&mut self, file: FileId, facts: &Facts, links: &Links) {
        let loaded = links.with_targets(facts).filter(|(reference, _)| reference.kind.is_loaded());
        let mut files: Vec<FileId> = loaded
            .filter_map(|(_, target)| match target {
                Target::File { file: target, .. } if target != file => Some(target),
                _ => None,
            })
            .collect();
        files.sort_unstable();
        files.dedup();
        if !files.is_empty() {
            self.by_file.insert(file, files);
        }
    }

    /// Adds a file that a script loads together with itself.
    pub(super) fn add_load(&mut self, file: FileId, target: FileId) {
        if target != file {
            self.by_file.entry(file).or_default().push(target);
        }
    }

    pub(super) fn merge(&mut self, other: Loads) {
        self.by_file.extend(other.by_file);
    }

    /// Returns a page, the files it loads, and the files that its style sheets and scripts import.
    pub fn files_of_page(&self, page: FileId, site: &Site<'_>) -> Vec<FileId> {
        self.files_from(vec![page], site)
    }

    /// Returns a page, some files that it loads, and the files that they all load.
    pub fn files_from(&self, page_and_files: Vec<FileId>, site: &Site<'_>) -> Vec<FileId> {
        let mut all = page_and_files;
        let mut known: HashSet<FileId> = all.iter().copied().collect();
        let mut next = 0;
        while let Some(file) = all.get(next) {
            // Style sheets and scripts load further files; an embedded page counts as a separate page.
            let loads_more = next == 0 || site.format(*file) != Format::Html;
            let loads = if loads_more { self.by_file.get(file) } else { None };
            for target in loads.into_iter().flatten() {
                if known.insert(*target) {
                    all.push(*target);
                }
            }
            next += 1;
        }
        all
    }
}
