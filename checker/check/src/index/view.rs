//! Provides one file to the rules: its facts, and its references with their targets.

use std::collections::BTreeMap;

use super::site::Site;
use crate::contract::Assertion;
use crate::parse::{Facts, Format, Match, Reference, ReferenceKind, Value};
use crate::resolve::suggestion::Suggestion;
use crate::resolve::{Base, Target};
use crate::walk::FileId;

/// The targets of the references of one file, in their order.
#[derive(Debug, Default)]
pub struct Links {
    /// One target for each reference.
    pub targets: Vec<Target>,
    /// Suggestions for broken references, by index.
    pub suggestions: BTreeMap<usize, Suggestion>,
    /// Indexes of the references that are not simply the path of an existing file.
    /// Nearly all references are, so rules about unusual references only read these.
    pub unusual: Vec<u32>,
    /// Number of references that were resolved.
    pub resolved: usize,
}

impl Links {
    /// Returns the references with their targets.
    pub fn with_targets<'f>(
        &'f self,
        facts: &'f Facts,
    ) -> impl Iterator<Item = (&'f Reference, Target)> + Clone + 'f {
        facts.references.iter().zip(self.targets.iter().copied())
    }

    /// Returns the file that a reference resolves to, by its index.
    pub fn file(&self, index: usize) -> Option<FileId> {
        match self.targets.get(index) {
            Some(Target::File { file, .. }) => Some(*file),
            _ => None,
        }
    }
}

/// One file as rules see it: its facts, and the targets of its references.
pub struct FileView<'p> {
    /// The file.
    pub file: FileId,
    /// Its facts.
    pub facts: &'p Facts,
    /// The targets of its references.
    pub links: &'p Links,
    /// The site that contains it.
    pub site: &'p Site<'p>,
    /// The base of its references.
    pub base: &'p Base,
    /// The assertions whose pages contain it; see [`FileView::assertions`].
    pub selected: &'p [(usize, &'p Assertion)],
}

impl<'p> FileView<'p> {
    /// Returns its references, with their targets.
    pub fn references(&self) -> impl Iterator<Item = (&'p Reference, Target)> + Clone + 'p {
        self.links.with_targets(self.facts)
    }

    /// Returns the references that are not simply the path of an existing file, with their indexes and targets.
    pub fn unusual(&self) -> impl Iterator<Item = (usize, &'p Reference, Target)> + Clone + 'p {
        let (facts, links) = (self.facts, self.links);
        links.unusual.iter().filter_map(move |&index| {
            let index = index as usize;
            Some((index, facts.references.get(index)?, *links.targets.get(index)?))
        })
    }

    /// Returns the text of a value.
    pub fn text(&self, value: Value) -> &'p str {
        self.facts.text(value)
    }

    /// Returns the text of a reference; empty if it has none.
    pub fn text_of(&self, reference: &Reference) -> &'p str {
        reference.value.map_or("", |value| self.text(value))
    }

    /// Whether it is an HTML page.
    pub fn is_page(&self) -> bool {
        self.site.format(self.file) == Format::Html
    }

    /// Whether readers see it as a page: not empty, not a fragment of a document, not a redirect.
    pub fn is_document(&self) -> bool {
        let metadata = &self.facts.metadata;
        self.is_page()
            && !metadata.is_blank
            && !metadata.refreshes
            && !self.facts.is_part()
            && !self.site.is_nested_error_page(self.file)
    }

    /// Whether it is a page that only sends visitors to another.
    pub fn redirects(&self) -> bool {
        let is_redirect = |(reference, target): (&Reference, Target)| {
            reference.kind == ReferenceKind::Refresh
                && !matches!(target, Target::File { file: target, .. } if target == self.file)
        };
        self.facts.metadata.refreshes && self.references().any(is_redirect)
    }

    /// Returns the assertions that apply to it, with their indices. Visitors never see a page that redirects, so patterns
    /// such as `/**` do not mean it. An assertion that names it applies.
    pub fn assertions(&self) -> impl Iterator<Item = (usize, &'p Assertion)> {
        let (path, html) = (self.site.tree.path(self.file), self.site.added_html());
        let is_seen = self.selected.is_empty() || !self.redirects();
        self.selected
            .iter()
            .copied()
            .filter(move |(_, assertion)| is_seen || assertion.pages.names(path, html))
    }

    /// Returns the elements that an assertion selects in it.
    pub fn matches(&self, assertion: usize) -> impl Iterator<Item = &'p Match> + 'p {
        let from = self.facts.matches.partition_point(|found| found.assertion < assertion);
        self.facts.matches[from..].iter().take_while(move |found| found.assertion == assertion)
    }
}
