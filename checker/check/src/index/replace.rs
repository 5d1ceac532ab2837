//! Updates the cached join of the last check when only a few files have changed.

use std::sync::Arc;

use rayon::prelude::*;

use super::fragments::{FileSet, FragmentCheck};
use super::hosts::Hosts;
use super::join::{FileFacts, Join, Joined, ReferenceSummary};
use super::scripts::entry_points::PageEntryPoints;
use super::site::Site;
use super::usage::Usage;
use super::view::FileView;
use crate::walk::FileId;

/// A file with its facts and the summary of its references.
pub(crate) struct FileState<'s> {
    /// Its facts.
    pub view: FileView<'s>,
    /// The summary of its references.
    pub summary: &'s ReferenceSummary,
}

/// Returns the current state of any file.
pub(crate) type FileLookup<'s> = dyn Fn(FileId) -> Option<FileState<'s>> + Sync + 's;

impl Joined {
    /// Replaces the old state of files by the new one; `now` is the join of the new states only.
    /// Returns whether pages run the same scripts. Returns `None` if all files must be joined again; then this value
    /// is invalid.
    pub(crate) fn replace<'s>(
        &mut self,
        site: &'s Site<'s>,
        files: &[(FileState<'s>, FileState<'s>)],
        now: Join<'_>,
        lookup: &FileLookup<'s>,
    ) -> Option<bool> {
        let Join { needs, fragments, file_facts: mut new_facts, entry_points, .. } = now;
        let is_independent = |state: &FileState<'_>| {
            !state.view.facts.metadata.keeps_fragment && state.view.facts.speculations.is_empty()
        };
        if !files.iter().all(|(was, is)| is_independent(was) && is_independent(is)) {
            return None;
        }
        let mut has_same_usage = true;
        let mut has_same_hosts = true;
        for (was, is) in files {
            let file = is.view.file;
            has_same_usage = has_same_usage && self.usage.replace(file, &was.summary.uses, &is.summary.uses);
            has_same_hosts = has_same_hosts
                && self.file_facts.hosts.replace(file, &Hosts::of_file(&was.view), Hosts::of_file(&is.view));
            self.file_facts.links -= was.view.links.resolved;
        }
        if !has_same_usage {
            self.usage = usage(site, lookup);
        }
        if needs.hosts && !has_same_hosts {
            self.file_facts.hosts = hosts(site, lookup);
        }
        self.replace_fragments(site, files, fragments, lookup);
        let files: Vec<FileId> = files.iter().map(|(_, is)| is.view.file).collect();
        new_facts.hosts = Hosts::default();
        self.file_facts.remove_files(&files);
        self.file_facts.merge(new_facts);
        self.file_facts.sort();
        let all = Arc::make_mut(&mut self.entry_points);
        let old: Vec<PageEntryPoints> =
            all.extract_if(.., |entrance| files.contains(&entrance.page)).collect();
        let new = entry_points.sorted();
        let has_same_scripts =
            old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| old.is_same(new));
        all.extend(new);
        all.sort_by_key(|entrance| entrance.page);
        Some(has_same_scripts)
    }

    /// Replaces the fragment references of changed files. Checks the references to files again whose ids have changed.
    fn replace_fragments<'s>(
        &mut self,
        site: &'s Site<'s>,
        files: &[(FileState<'s>, FileState<'s>)],
        mut fragments: FragmentCheck<'_>,
        lookup: &FileLookup<'s>,
    ) {
        let has_other_ids =
            |(was, is): &&(FileState<'_>, FileState<'_>)| was.view.facts.anchors != is.view.facts.anchors;
        let retargeted = files.iter().filter(has_other_ids);
        let retargeted: FileSet = retargeted.map(|(_, is)| is.view.file).collect();
        let retargeted = self.dangling.with_pages_that_redirect_to(retargeted);
        let files: Vec<FileId> = files.iter().map(|(_, is)| is.view.file).collect();
        if !retargeted.is_empty() {
            let referring = |file: FileId| {
                if files.contains(&file) {
                    return None;
                }
                let state = lookup(file)?;
                let fragments_to_check =
                    state.summary.fragments.iter().filter(|(target, _)| retargeted.contains(target));
                let fragments_to_check: Vec<(FileId, u32)> = fragments_to_check.copied().collect();
                (!fragments_to_check.is_empty()).then_some((state.view, fragments_to_check))
            };
            let referring: Vec<_> = site.tree.ids().into_par_iter().filter_map(referring).collect();
            for (view, fragments_to_check) in referring {
                for (target, reference) in fragments_to_check {
                    let reference = &view.facts.references[reference as usize];
                    let text = reference.value.map_or("", |value| view.text(value));
                    fragments.add(view.file, reference, text, target, site);
                }
            }
        }
        self.dangling
            .replace(|jump| files.contains(&jump.file) || retargeted.contains(&jump.target), fragments);
    }
}

/// Counts the usage of all files.
fn usage<'s>(site: &'s Site<'s>, lookup: &FileLookup<'s>) -> Usage {
    let none = || Usage::new(site.tree.len());
    let add = |mut usage: Usage, file| {
        if let Some(state) = lookup(file) {
            usage.add_again(file, &state.summary.uses);
        }
        usage
    };
    let usages = files_by_thread(site).fold(none, add);
    usages
        .reduce_with(|mut usage, more| {
            usage.merge(more);
            usage
        })
        .unwrap_or_else(none)
}

/// Counts the external hosts of all files.
fn hosts<'s>(site: &'s Site<'s>, lookup: &FileLookup<'s>) -> Hosts {
    let add = |mut hosts: Hosts, file| {
        if let Some(state) = lookup(file) {
            hosts.add_all(&state.view);
        }
        hosts
    };
    let hosts = files_by_thread(site).fold(Hosts::default, add);
    hosts.reduce(Hosts::default, |mut hosts, more| {
        hosts.merge(more);
        hosts
    })
}

/// Iterates over all files, in one part for each thread.
fn files_by_thread(site: &Site<'_>) -> impl IndexedParallelIterator<Item = FileId> {
    site.tree.ids().into_par_iter().with_min_len(site.tree.len() / rayon::current_num_threads() + 1)
}

impl FileFacts {
    /// Removes the facts of some files, except hosts and counts.
    fn remove_files(&mut self, files: &[FileId]) {
        let stays = |file: FileId| !files.contains(&file);
        self.pages.entries.retain(|page| stays(page.file));
        self.pages.alternates.retain(|alternate| stays(alternate.file));
        self.pages.preloads.retain(|preload| stays(preload.file));
        self.pages.styled.retain(|(file, _)| stays(*file));
        self.quotes.retain(|quote| stays(quote.file));
        self.shared.retain(|value| stays(value.file));
        self.relative.retain(|reference| stays(reference.file));
        self.integrity_values.retain(|claim| stays(claim.file));
        self.damaged.retain(|(file, _)| stays(*file));
        self.with_policy.retain(|file| stays(*file));
        self.ignores.retain(|(file, _)| stays(*file));
        for file in files {
            self.loads.forget(*file);
        }
    }
}
