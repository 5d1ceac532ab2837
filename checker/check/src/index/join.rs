//! Joins the facts of all files into the index. Each thread joins some of the files, in any order.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::Index;
use super::external_references::{ExternalReferences, Hosts};
use super::file_claims::{self, ImageClaim, IntegrityValue};
use super::fragments::{Anchors, BrokenFragments, FragmentCheck, FragmentReference};
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
use crate::resolve::{Target, fragment};
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
#[derive(Debug, Default)]
pub(super) struct FileFacts {
    pub pages: Pages,
    pub hosts: Hosts,
    pub loads: Loads,
    pub speculations: Speculations,
    pub quotes: Vec<TextFragment>,
    pub shared: Vec<SharedValue>,
    pub relative: Vec<RelativeReference>,
    pub integrity_values: Vec<IntegrityValue>,
    pub image_claims: Vec<ImageClaim>,
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

    /// Adds the facts of one file, and its references to other files.
    pub(crate) fn add(&mut self, view: &FileView<'_>, references: &FileReferences) {
        let FileView { file, facts, .. } = *view;
        self.fragments.define(file, facts);
        if let Some(target) = references.redirect {
            self.fragments.add_redirect(file, target);
        }
        self.usage.add(file, &references.uses);
        for (reference, index) in &references.fragments {
            self.fragments.add(reference, || decoded_fragment(view, &facts.references[*index as usize]));
        }
        if self.needs.hosts {
            self.file_facts.hosts.add(view);
        }
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

/// The references of one file to files of the site, as far as the join needs them.
#[derive(Default)]
pub(crate) struct FileReferences {
    uses: FileUses,
    /// References with a fragment, each with its index.
    fragments: Vec<(FragmentReference, u32)>,
    /// The page that it redirects to, if it keeps the fragment.
    redirect: Option<FileId>,
}

impl FileReferences {
    /// Replaces the references by those of a file.
    pub fn collect(&mut self, view: &FileView<'_>) {
        self.uses.clear();
        self.fragments.clear();
        self.redirect = None;
        for (index, (reference, target)) in view.references().enumerate() {
            let Target::File { file: target, route } = target else { continue };
            let text = view.text_of(reference);
            if view.facts.metadata.keeps_fragment && reference.kind == ReferenceKind::Refresh {
                self.redirect = Some(target);
            }
            self.uses.add(view, reference, text, (target, route));
            let found = FragmentReference::new(view, reference, &with_final_fragment(view, text), target);
            self.fragments.extend(found.map(|found| (found, index as u32)));
        }
    }

    /// Returns a copy that takes less memory.
    pub fn compact(&self) -> FileReferences {
        let FileReferences { uses, fragments, redirect } = self;
        FileReferences { uses: uses.distinct(), fragments: fragments.clone(), redirect: *redirect }
    }
}

/// Returns the fragment of a reference that has one.
fn decoded_fragment(view: &FileView<'_>, reference: &Reference) -> Box<str> {
    let text = view.text_of(reference);
    let text = with_final_fragment(view, text);
    fragment(&text).map(|written| Cow::as_ref(&written.decoded).into()).unwrap_or_default()
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
        if matches!(site.format(file), Format::Html | Format::Manifest) {
            file_claims::collect_images(view, &mut self.image_claims);
        }
        if site.format(file) == Format::Css {
            self.pages.add_style_sheet(view);
        }
        if site.format(file) == Format::Xml {
            self.pages.add_sitemap(view);
        }
        if view.is_page() {
            self.pages.add(view);
            self.speculations.add(view);
            self.with_policy.extend(facts.metadata.has_policy.then_some(file));
            self.integrity_values.extend(file_claims::integrity_values(view));
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
        self.image_claims.extend(other.image_claims);
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
            wrong_images: Vec::new(),
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
                image_claims: file_facts.image_claims,
                quotes: file_facts.quotes,
                with_policy: file_facts.with_policy,
                entry_points,
                unreadable,
            },
        )
    }
}

/// Checks that need the contents of files.
pub(crate) struct ContentChecks {
    /// Values of `integrity` attributes.
    pub integrity_values: Vec<IntegrityValue>,
    /// Images, each with what its reader needs.
    pub image_claims: Vec<ImageClaim>,
    /// Text fragments, in the order of locations.
    pub quotes: Vec<TextFragment>,
    /// Pages that may have a policy in a `meta` element, in order.
    pub with_policy: Vec<FileId>,
    /// Scripts that pages run, in the order of pages.
    pub entry_points: Arc<Vec<PageEntryPoints>>,
    /// Files that could not be read.
    pub unreadable: Vec<String>,
}
