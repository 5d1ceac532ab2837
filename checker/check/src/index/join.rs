//! Joins the facts of all files into the index. Each thread joins some of the files, in any order.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::Index;
use super::external_references::ExternalReferences;
use super::fragments::{Anchors, BrokenFragments, FragmentCheck};
use super::hosts::Hosts;
use super::integrity::{self, IntegrityValue};
use super::inventory::InventoryFacts;
use super::loads::Loads;
use super::needs::Needs;
use super::pages::{Pages, SharedValue, collect_shared};
use super::policies::PolicyViolations;
use super::relative::{RelativeReference, relative_references};
use super::scripts::Scripts;
use super::scripts::entry_points::{PageEntryPoints, SiteEntryPoints};
use super::scripts::speculations::Speculations;
use super::site::Site;
use super::text_fragments::{self, TextFragment};
use super::usage::{FileUses, Usage};
use super::view::FileView;
use crate::parse::{Damage, Format, InlineIgnore, Reference, ReferenceKind};
use crate::resolve::Target;
use crate::walk::FileId;

/// The facts joined so far. References without findings are not kept.
pub struct Join<'a> {
    pub(super) needs: &'a Needs,
    pub(super) fragments: FragmentCheck<'a>,
    usage: Usage,
    pub(super) file_facts: FileFacts,
    pub(super) entry_points: SiteEntryPoints,
}

/// Facts that single files add, apart from their references.
#[derive(Clone, Debug, Default)]
pub(super) struct FileFacts {
    pub pages: Pages,
    pub hosts: Hosts,
    pub loads: Loads,
    pub speculations: Speculations,
    pub quotes: Vec<TextFragment>,
    pub shared: Vec<SharedValue>,
    pub relative: Vec<RelativeReference>,
    pub integrity_values: Vec<IntegrityValue>,
    pub damaged: Vec<(FileId, Damage)>,
    /// Pages that may have a policy in a `meta` element.
    pub with_policy: Vec<FileId>,
    pub ignores: Vec<(FileId, InlineIgnore)>,
    pub links: usize,
    pub inventory: InventoryFacts,
}

impl<'a> Join<'a> {
    /// Creates an empty join. All threads share `anchors`.
    pub(crate) fn new(site: &Site<'_>, needs: &'a Needs, anchors: &'a Anchors) -> Self {
        Join {
            needs,
            fragments: FragmentCheck::new(anchors),
            usage: Usage::new(site.tree.len()),
            file_facts: FileFacts::default(),
            entry_points: SiteEntryPoints::default(),
        }
    }

    /// Adds the facts of one file.
    pub(crate) fn add(&mut self, view: &FileView<'_>) {
        let FileView { file, facts, links, site, .. } = *view;
        self.fragments.define(file, facts);
        for (reference, target) in links.with_targets(facts) {
            let text = reference.value.map_or("", |value| facts.text(value));
            match target {
                Target::File { file: target, route } => {
                    if facts.metadata.keeps_fragment && reference.kind == ReferenceKind::Refresh {
                        self.fragments.add_redirect(file, target);
                    }
                    self.usage.add(file, reference, text, (target, route));
                    self.usage.add_address(view, reference, text, target);
                    let text = with_final_fragment(view, text);
                    self.fragments.add(file, reference, &text, target, site);
                }
                Target::External | Target::Scheme | Target::Unchecked if self.needs.hosts => {
                    self.file_facts.hosts.add(view, reference, text, target);
                }
                _ => {}
            }
        }
        self.add_rest(view);
    }

    /// Adds a file that has not changed since the last check, while the set of paths is the same.
    /// `may_differ` returns whether a file may have changed; `broken` are the locations of this file's fragments that
    /// were broken.
    pub(crate) fn add_again(
        &mut self,
        view: &FileView<'_>,
        summary: &ReferenceSummary,
        may_differ: impl Fn(FileId) -> bool,
        broken: &[u32],
    ) {
        let FileView { file, facts, site, .. } = *view;
        if facts.metadata.keeps_fragment {
            return self.add(view);
        }
        self.fragments.define(file, facts);
        self.usage.add_again(file, &summary.uses);
        for &(target, reference) in &summary.fragments {
            let reference = &facts.references[reference as usize];
            if may_differ(target) || broken.contains(&reference.span.start) {
                let text = reference.value.map_or("", |value| facts.text(value));
                let text = with_final_fragment(view, text);
                self.fragments.add(file, reference, &text, target, site);
            }
        }
        if self.needs.hosts {
            self.file_facts.hosts.add_all(view);
        }
        self.add_rest(view);
    }

    /// Adds everything but the references.
    fn add_rest(&mut self, view: &FileView<'_>) {
        self.file_facts.add(view, self.needs);
        if view.is_page() {
            self.entry_points.add(view);
        }
    }

    /// Adds the join of another thread.
    pub(crate) fn merge(&mut self, other: Join<'_>) {
        self.fragments.merge(other.fragments);
        self.usage.merge(other.usage);
        self.file_facts.merge(other.file_facts);
        self.entry_points.merge(other.entry_points);
    }

    /// Returns the result, after all files were added. Their order makes no difference.
    pub(crate) fn finish(mut self) -> Joined {
        self.file_facts.sort();
        Joined {
            usage: self.usage,
            dangling: self.fragments.finish(),
            file_facts: self.file_facts,
            entry_points: Arc::new(self.entry_points.sorted()),
        }
    }
}

/// Returns a reference with the fragment that browsers look for: that of a redirect has precedence.
#[inline]
fn with_final_fragment<'v>(view: &FileView<'_>, text: &'v str) -> Cow<'v, str> {
    let resolver = &view.site.resolver;
    if resolver.redirects().all.is_empty() || !text.contains('#') {
        return Cow::Borrowed(text);
    }
    match resolver.final_address(view.base, text) {
        Some(end) if !end.fragment.is_empty() => Cow::Owned(end.fragment),
        _ => Cow::Borrowed(text),
    }
}

impl FileFacts {
    fn add(&mut self, view: &FileView<'_>, needs: &Needs) {
        let FileView { file, facts, links, site, .. } = *view;
        if needs.sizes.is_some() {
            self.loads.add(file, facts, links);
        }
        if needs.quotes {
            text_fragments::collect(file, facts, links, site, &mut self.quotes);
        }
        self.damaged.extend(facts.damage.map(|damage| (file, damage)));
        self.ignores.extend(facts.ignores.iter().map(|ignore| (file, ignore.clone())));
        self.links += links.resolved;
        if needs.inventory {
            self.inventory.add(view);
        }
        if site.format(file) == Format::Css {
            self.pages.add_style_sheet(view);
        }
        if view.is_page() {
            self.pages.add(view);
            self.speculations.add(view);
            self.with_policy.extend(facts.metadata.has_policy.then_some(file));
            self.integrity_values.extend(integrity::integrity_values(view));
            collect_shared(view, &mut self.shared);
            self.relative.extend(relative_references(view));
        }
    }

    pub(super) fn merge(&mut self, other: FileFacts) {
        self.pages.merge(other.pages);
        self.hosts.merge(other.hosts);
        self.loads.merge(other.loads);
        self.speculations.merge(other.speculations);
        self.quotes.extend(other.quotes);
        self.shared.extend(other.shared);
        self.relative.extend(other.relative);
        self.integrity_values.extend(other.integrity_values);
        self.damaged.extend(other.damaged);
        self.with_policy.extend(other.with_policy);
        self.ignores.extend(other.ignores);
        self.links += other.links;
        self.inventory.merge(other.inventory);
    }

    pub(super) fn sort(&mut self) {
        self.pages.sort();
        self.quotes.sort_by_key(|quote| (quote.file, quote.span.start));
        self.shared.sort_by_key(|value| (value.assertion, value.file, value.span.start));
        self.relative.sort_by_key(|reference| (reference.file, reference.span.start));
        self.damaged.sort_unstable_by_key(|(file, _)| *file);
        self.with_policy.sort_unstable();
        self.ignores.sort_by_key(|(file, written)| (*file, written.span.start, written.span.end));
    }
}

/// The joined facts of all files. Checks that need file contents are still to be done (see [`ContentChecks`]).
#[derive(Clone)]
pub(crate) struct Joined {
    pub(super) usage: Usage,
    pub dangling: BrokenFragments,
    pub(super) file_facts: FileFacts,
    pub(super) entry_points: Arc<Vec<PageEntryPoints>>,
}

impl Joined {
    /// Returns the index, and the checks that are still to be done.
    pub(crate) fn index<'a>(self, site: &'a Site<'a>, anchors: &'a Anchors) -> (Index<'a>, ContentChecks) {
        let Joined { usage, dangling, file_facts, entry_points } = self;
        let mut unreadable = Vec::new();
        let index = Index {
            site,
            anchors,
            dangling,
            unanswered: Vec::new(),
            loads: file_facts.loads,
            sizes: BTreeMap::new(),
            scripts: Scripts {
                unmatched_speculations: file_facts.speculations.unmatched(site, &mut unreadable),
                ..Scripts::default()
            },
            shared: file_facts.shared,
            pages: file_facts.pages,
            relative: file_facts.relative,
            hosts: file_facts.hosts,
            external: ExternalReferences::default(),
            damaged: file_facts.damaged,
            integrity_mismatches: Vec::new(),
            policies: PolicyViolations::default(),
            usage,
            ignores: file_facts.ignores,
            links: file_facts.links,
            inventory: file_facts.inventory,
        };
        (
            index,
            ContentChecks {
                integrity_values: file_facts.integrity_values,
                quotes: file_facts.quotes,
                with_policy: file_facts.with_policy,
                entry_points,
                unreadable,
            },
        )
    }
}

/// A compact summary of the references of one file, kept for later checks.
pub(crate) struct ReferenceSummary {
    pub(super) uses: FileUses,
    /// References with a fragment: the target, and the index of the reference.
    pub(super) fragments: Box<[(FileId, u32)]>,
}

impl ReferenceSummary {
    /// Summarizes the references of a file.
    pub fn new(view: &FileView<'_>) -> ReferenceSummary {
        let has_fragment = |(index, (reference, target)): (usize, (&Reference, Target))| match target {
            Target::File { file: target, .. } if reference.kind.follows_fragment() => {
                view.text(reference.value?).contains('#').then_some((target, index as u32))
            }
            _ => None,
        };
        let fragments = view.references().enumerate().filter_map(has_fragment).collect();
        ReferenceSummary { uses: FileUses::new(view), fragments }
    }
}

/// Checks that need the contents of files.
pub(crate) struct ContentChecks {
    /// Values of `integrity` attributes.
    pub integrity_values: Vec<IntegrityValue>,
    /// Text fragments, in the order of locations.
    pub quotes: Vec<TextFragment>,
    /// Pages that may have a policy in a `meta` element, in order.
    pub with_policy: Vec<FileId>,
    /// Scripts that pages run, in the order of pages.
    pub entry_points: Arc<Vec<PageEntryPoints>>,
    /// Files that could not be read.
    pub unreadable: Vec<String>,
}
