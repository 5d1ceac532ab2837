//! The join: takes the facts of one file after another, on any thread, and gives the index.

use std::collections::HashMap;
use std::sync::Arc;

use super::Index;
use super::anchors::{Anchors, Dangling, Fragments};
use super::external_references::ExternalReferences;
use super::hosts::Hosts;
use super::integrity::{self, Claim};
use super::loads::Loads;
use super::needs::Needs;
use super::pages::Pages;
use super::quotes::{self, TextFragment};
use super::scripts::Scripts;
use super::scripts::entrances::{Entrance, Entrances};
use super::scripts::speculations::Speculations;
use super::shared::{self, SharedValue};
use super::site::Site;
use super::usage::{FileUses, Usage};
use super::view::FileView;
use crate::parse::{Damage, InlineIgnore, Reference, ReferenceKind};
use crate::resolve::Target;
use crate::walk::FileId;

/// Facts, joined so far. Nothing is kept of a reference that is in order.
pub struct Join<'a> {
    pub(super) needs: &'a Needs,
    pub(super) fragments: Fragments<'a>,
    usage: Usage,
    pub(super) shares: Shares,
    pub(super) entrances: Entrances,
}

/// What single files add, other than by what they refer to.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    pub pages: Pages,
    pub hosts: Hosts,
    pub loads: Loads,
    pub speculations: Speculations,
    pub quotes: Vec<TextFragment>,
    pub shared: Vec<SharedValue>,
    pub claims: Vec<Claim>,
    pub damaged: Vec<(FileId, Damage)>,
    pub ignores: Vec<(FileId, InlineIgnore)>,
    pub links: usize,
}

impl<'a> Join<'a> {
    /// A join that has taken nothing yet. `anchors` is shared by the joins of all threads.
    pub(crate) fn new(site: &Site<'_>, needs: &'a Needs, anchors: &'a Anchors) -> Self {
        Join {
            needs,
            fragments: Fragments::new(anchors),
            usage: Usage::new(site.tree.len()),
            shares: Shares::default(),
            entrances: Entrances::default(),
        }
    }

    /// Takes the facts of one file.
    pub(crate) fn add(&mut self, view: &FileView<'_>) {
        let FileView { file, facts, links, site, .. } = *view;
        self.fragments.define(file, facts);
        for (reference, target) in links.of(facts) {
            let text = reference.value.map_or("", |value| facts.text(value));
            match target {
                Target::File { file: target, route } => {
                    if facts.about.hands_on_fragments && reference.kind == ReferenceKind::Refresh {
                        self.fragments.hand_on(file, target);
                    }
                    self.usage.add(file, reference, text, (target, route));
                    self.fragments.add(file, reference, text, target, site);
                }
                Target::External | Target::Scheme | Target::Unchecked if self.needs.hosts => {
                    self.shares.hosts.add(view, reference, text, target);
                }
                _ => {}
            }
        }
        self.add_rest(view);
    }

    /// Takes the facts of one file again that is as it was when the last check took them, and so are the paths. Which files may be
    /// others, `may_differ` says; `dangling` are the places of the fragments that were not answered then.
    pub(crate) fn add_again(
        &mut self,
        view: &FileView<'_>,
        sum: &JoinedSum,
        may_differ: impl Fn(FileId) -> bool,
        dangling: &[u32],
    ) {
        let FileView { file, facts, site, .. } = *view;
        if facts.about.hands_on_fragments {
            return self.add(view);
        }
        self.fragments.define(file, facts);
        self.usage.add_again(file, &sum.uses);
        for &(target, reference) in &sum.fragments {
            let reference = &facts.references[reference as usize];
            if may_differ(target) || dangling.contains(&reference.span.start) {
                let text = reference.value.map_or("", |value| facts.text(value));
                self.fragments.add(file, reference, text, target, site);
            }
        }
        if self.needs.hosts {
            self.shares.hosts.add_all(view);
        }
        self.add_rest(view);
    }

    /// Takes what is more than single references.
    fn add_rest(&mut self, view: &FileView<'_>) {
        self.shares.add(view, self.needs);
        if view.is_page() {
            self.entrances.add(view);
        }
    }

    /// Takes what another thread has joined, of other files.
    pub(crate) fn merge(&mut self, other: Join<'_>) {
        self.fragments.merge(other.fragments);
        self.usage.merge(other.usage);
        self.shares.merge(other.shares);
        self.entrances.merge(other.entrances);
    }

    /// All that was joined, once every file has been taken; their order makes no difference.
    pub(crate) fn finish(mut self) -> Joined {
        self.shares.sort();
        Joined {
            usage: self.usage,
            dangling: self.fragments.finish(),
            shares: self.shares,
            entrances: Arc::new(self.entrances.sorted()),
        }
    }
}

impl Shares {
    fn add(&mut self, view: &FileView<'_>, needs: &Needs) {
        let FileView { file, facts, links, site, .. } = *view;
        if needs.weighed.is_some() {
            self.loads.add(file, facts, links);
        }
        if needs.quotes {
            quotes::asked(file, facts, links, site, &mut self.quotes);
        }
        self.damaged.extend(facts.damage.map(|damage| (file, damage)));
        self.ignores.extend(facts.ignores.iter().map(|ignore| (file, ignore.clone())));
        self.links += links.resolved;
        if view.is_page() {
            self.pages.add(view);
            self.speculations.add(view);
            self.claims.extend(integrity::claims(view));
            shared::values(file, facts, view.selected, &mut self.shared);
        }
    }

    pub(super) fn merge(&mut self, other: Shares) {
        self.pages.merge(other.pages);
        self.hosts.merge(other.hosts);
        self.loads.merge(other.loads);
        self.speculations.merge(other.speculations);
        self.quotes.extend(other.quotes);
        self.shared.extend(other.shared);
        self.claims.extend(other.claims);
        self.damaged.extend(other.damaged);
        self.ignores.extend(other.ignores);
        self.links += other.links;
    }

    pub(super) fn sort(&mut self) {
        self.pages.sort();
        self.quotes.sort_by_key(|quote| (quote.file, quote.span.start));
        self.shared.sort_by_key(|value| (value.assertion, value.file, value.span.start));
        self.damaged.sort_unstable_by_key(|(file, _)| *file);
        self.ignores.sort_by_key(|(file, written)| (*file, written.span.start, written.span.end));
    }
}

/// All files, joined. What only another look at them can tell is still open (see [`Unsettled`]).
#[derive(Clone)]
pub(crate) struct Joined {
    pub(super) usage: Usage,
    pub dangling: Dangling,
    pub(super) shares: Shares,
    pub(super) entrances: Arc<Vec<Entrance>>,
}

impl Joined {
    /// The index, and what is still open.
    pub(crate) fn index<'a>(self, site: &'a Site<'a>) -> (Index<'a>, Unsettled) {
        let Joined { usage, dangling, shares, entrances } = self;
        let mut unreadable = Vec::new();
        let index = Index {
            site,
            dangling,
            unanswered: Vec::new(),
            loads: shares.loads,
            weights: HashMap::new(),
            scripts: Scripts { idle: shares.speculations.idle(site, &mut unreadable), ..Scripts::default() },
            shared: shares.shared,
            pages: shares.pages,
            hosts: shares.hosts,
            external: ExternalReferences::default(),
            damaged: shares.damaged,
            broken_claims: Vec::new(),
            usage,
            ignores: shares.ignores,
            links: shares.links,
        };
        (index, Unsettled { claims: shares.claims, quotes: shares.quotes, entrances, unreadable })
    }
}

/// What the references of one file add to a join, in few words, for checks to come.
pub(crate) struct JoinedSum {
    pub(super) uses: FileUses,
    /// The references with a fragment, each by its place, and where they lead.
    pub(super) fragments: Box<[(FileId, u32)]>,
}

impl JoinedSum {
    /// Sums up what a file says.
    pub fn of(view: &FileView<'_>) -> JoinedSum {
        let has_fragment = |(index, (reference, target)): (usize, (&Reference, Target))| match target {
            Target::File { file: target, .. } if reference.kind.follows_fragment() => {
                view.text(reference.value?).contains('#').then_some((target, index as u32))
            }
            _ => None,
        };
        let fragments = view.references().enumerate().filter_map(has_fragment).collect();
        JoinedSum { uses: FileUses::of(view), fragments }
    }
}

/// What only another look at the bytes of files can tell.
pub(crate) struct Unsettled {
    /// What `integrity` attributes demand.
    pub claims: Vec<Claim>,
    /// Text fragments, in the order of places.
    pub quotes: Vec<TextFragment>,
    /// What pages run, in the order of pages.
    pub entrances: Arc<Vec<Entrance>>,
    /// What could not be looked at.
    pub unreadable: Vec<String>,
}
