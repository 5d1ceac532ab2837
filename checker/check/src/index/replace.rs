//! Puts a few files in the place of what they were at the last check, in what was joined then.

use std::sync::Arc;

use rayon::prelude::*;

use super::anchors::{FileSet, Fragments};
use super::hosts::Hosts;
use super::join::{Join, Joined, JoinedSum, Shares};
use super::scripts::entrances::Entrance;
use super::site::Site;
use super::usage::Usage;
use super::view::FileView;
use crate::walk::FileId;

/// A file with what it adds to a join.
pub(crate) struct Share<'s> {
    /// What it says.
    pub view: FileView<'s>,
    /// The sum of its references.
    pub sum: &'s JoinedSum,
}

/// What any file says now.
pub(crate) type AskFile<'s> = dyn Fn(FileId) -> Option<Share<'s>> + Sync + 's;

impl Joined {
    /// Puts files, each as it was and is, in the place of what they were; `now` has joined what they are, and nothing else. Says
    /// whether pages run what they ran. `None` where all files have to be joined again: then nothing here is of any use.
    pub(crate) fn replace<'s>(
        &mut self,
        site: &'s Site<'s>,
        files: &[(Share<'s>, Share<'s>)],
        now: Join<'_>,
        ask: &AskFile<'s>,
    ) -> Option<bool> {
        let Join { needs, fragments, shares: mut new, entrances, .. } = now;
        let is_alone = |share: &Share<'_>| {
            !share.view.facts.about.hands_on_fragments && share.view.facts.speculations.is_empty()
        };
        if !files.iter().all(|(was, is)| is_alone(was) && is_alone(is)) {
            return None;
        }
        let mut uses_the_same = true;
        let mut hosts_are_known = true;
        for (was, is) in files {
            let file = is.view.file;
            uses_the_same = uses_the_same && self.usage.replace(file, &was.sum.uses, &is.sum.uses);
            hosts_are_known = hosts_are_known
                && self.shares.hosts.replace(file, &Hosts::of(&was.view), Hosts::of(&is.view));
            self.shares.links -= was.view.links.resolved;
        }
        if !uses_the_same {
            self.usage = usage(site, ask);
        }
        if needs.hosts && !hosts_are_known {
            self.shares.hosts = hosts(site, ask);
        }
        self.ask_for_fragments(site, files, fragments, ask);
        let files: Vec<FileId> = files.iter().map(|(_, is)| is.view.file).collect();
        new.hosts = Hosts::default();
        self.shares.leave_out(&files);
        self.shares.merge(new);
        self.shares.sort();
        let all = Arc::make_mut(&mut self.entrances);
        let old: Vec<Entrance> = all.extract_if(.., |entrance| files.contains(&entrance.page)).collect();
        let new = entrances.sorted();
        let runs_the_same = old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| old.is_same(new));
        all.extend(new);
        all.sort_by_key(|entrance| entrance.page);
        Some(runs_the_same)
    }

    /// Puts the fragments that files ask for in the place of those they asked for, and asks again for those that lead to files
    /// which answer others now.
    fn ask_for_fragments<'s>(
        &mut self,
        site: &'s Site<'s>,
        files: &[(Share<'s>, Share<'s>)],
        mut fragments: Fragments<'_>,
        ask: &AskFile<'s>,
    ) {
        let answers_others =
            |(was, is): &&(Share<'_>, Share<'_>)| was.view.facts.anchors != is.view.facts.anchors;
        let others = files.iter().filter(answers_others);
        let others: FileSet = others.map(|(_, is)| is.view.file).collect();
        let others = self.dangling.with_who_hands_on(others);
        let files: Vec<FileId> = files.iter().map(|(_, is)| is.view.file).collect();
        if !others.is_empty() {
            let asking = |file: FileId| {
                let share = ask(file).filter(|_| !files.contains(&file))?;
                let asked = share.sum.fragments.iter().filter(|(target, _)| others.contains(target));
                let asked: Vec<(FileId, u32)> = asked.copied().collect();
                (!asked.is_empty()).then_some((share.view, asked))
            };
            let asking: Vec<_> = site.tree.ids().into_par_iter().filter_map(asking).collect();
            for (view, asked) in asking {
                for (target, reference) in asked {
                    let reference = &view.facts.references[reference as usize];
                    let text = reference.value.map_or("", |value| view.text(value));
                    fragments.add(view.file, reference, text, target, site);
                }
            }
        }
        self.dangling.replace(|jump| files.contains(&jump.file) || others.contains(&jump.target), fragments);
    }
}

/// How all files are referred to.
fn usage<'s>(site: &'s Site<'s>, ask: &AskFile<'s>) -> Usage {
    let none = || Usage::new(site.tree.len());
    let add = |mut usage: Usage, file| {
        ask(file).into_iter().for_each(|share| usage.add_again(file, &share.sum.uses));
        usage
    };
    let usages = in_parts(site).fold(none, add);
    usages
        .reduce_with(|mut usage, more| {
            usage.merge(more);
            usage
        })
        .unwrap_or_else(none)
}

/// The hosts that all files refer to.
fn hosts<'s>(site: &'s Site<'s>, ask: &AskFile<'s>) -> Hosts {
    let add = |mut hosts: Hosts, file| {
        ask(file).into_iter().for_each(|share| hosts.add_all(&share.view));
        hosts
    };
    let hosts = in_parts(site).fold(Hosts::default, add);
    hosts.reduce(Hosts::default, |mut hosts, more| {
        hosts.merge(more);
        hosts
    })
}

/// All files, a part of them for each thread.
fn in_parts(site: &Site<'_>) -> impl IndexedParallelIterator<Item = FileId> {
    site.tree.ids().into_par_iter().with_min_len(site.tree.len() / rayon::current_num_threads() + 1)
}

impl Shares {
    /// Takes out what was added of some files, but for hosts and counts.
    fn leave_out(&mut self, files: &[FileId]) {
        let stays = |file: FileId| !files.contains(&file);
        self.pages.entries.retain(|page| stays(page.file));
        self.pages.alternates.retain(|alternate| stays(alternate.file));
        self.quotes.retain(|quote| stays(quote.file));
        self.shared.retain(|value| stays(value.file));
        self.claims.retain(|claim| stays(claim.file));
        self.damaged.retain(|(file, _)| stays(*file));
        self.ignores.retain(|(file, _)| stays(*file));
        files.iter().for_each(|file| self.loads.forget(*file));
    }
}
