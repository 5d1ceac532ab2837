//! Collects the properties of pages that are compared with other pages, and the values that must be equal on all pages
//! (`same` in an assertion).

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::quality::FixedState;

use super::view::FileView;
use crate::parse::{NoteKind, Reference, ReferenceKind};
use crate::resolve::Target;
use crate::walk::FileId;
use sitegate_address::UrlReference;

/// The properties of one page.
#[derive(Clone, Debug)]
pub struct PageEntry {
    /// The page.
    pub file: FileId,
    /// Hash of the title, and its location; `None` if the page has no title.
    pub title: Option<(u64, Range<u32>)>,
    /// The canonical URL of the page.
    pub canonical: Canonical,
    /// The page of this site that `og:url` names, and the reference.
    pub social: Option<(FileId, Range<u32>)>,
    /// The element that has `noindex`.
    pub noindex: Option<Range<u32>>,
    /// Whether it redirects to another page.
    pub redirects: bool,
    /// The page that replaces it at once, perhaps itself, and the reference of the refresh.
    pub immediate_refresh: Option<(FileId, Range<u32>)>,
    /// Whether it is a fragment of a document that scripts load.
    pub is_part: bool,
    /// Whether the document has no title or an empty one, and its location.
    pub untitled: Option<Untitled>,
}

impl PageEntry {
    /// Whether search engines should index this page itself.
    pub fn is_indexable(&self) -> bool {
        let is_original = match self.canonical {
            Canonical::None => true,
            Canonical::Own(target, _) => target == self.file,
            Canonical::ExternalReferences => false,
        };
        is_original && self.noindex.is_none() && !self.redirects && !self.is_part
    }
}

/// A document without a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untitled {
    /// It has no title.
    None,
    /// The title at this offset is empty.
    Empty(u32),
}

/// The canonical URL of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Canonical {
    /// The page has none.
    None,
    /// A page of this site, and the reference.
    Own(FileId, Range<u32>),
    /// A URL on another site, or a broken one.
    ExternalReferences,
}

/// A translation that a page, or a sitemap for it, names by `hreflang`.
#[derive(Clone, Debug)]
pub struct Alternate {
    /// The page that it is a translation of.
    pub page: FileId,
    /// The file that says so: the page, or a sitemap.
    pub file: FileId,
    /// The language, in lower case.
    pub language: Box<str>,
    /// The page of this site that it resolves to.
    pub target: Option<FileId>,
    /// The reference.
    pub span: Range<u32>,
}

/// The pages of a site.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    /// One entry for each page, in the order of paths.
    pub entries: Vec<PageEntry>,
    /// Translations of pages, in the order of pages; those that a page names itself come first.
    pub alternates: Vec<Alternate>,
    /// Preloads of pages that run no script and have no other reference to the file, in the order of locations.
    pub preloads: Vec<PagePreload>,
    /// The style sheets, each with a file that it refers to.
    pub styled: Vec<(FileId, FileId)>,
}

/// A file that a page preloads.
#[derive(Clone, Debug)]
pub struct PagePreload {
    /// The page.
    pub file: FileId,
    /// The preloaded file.
    pub target: FileId,
    /// The reference.
    pub span: Range<u32>,
}

impl Pages {
    /// Adds a page.
    pub(super) fn add(&mut self, view: &FileView<'_>) {
        let FileView { file, facts, links, .. } = *view;
        let metadata = &facts.metadata;
        let span_of = |index: usize| facts.references.get(index).map_or(0..0, |r| r.span.clone());
        for (index, language) in &metadata.alternates {
            let (target, span) = (links.file(*index), span_of(*index));
            self.alternates.push(Alternate { page: file, file, language: language.clone(), target, span });
        }
        for note in metadata.notes.iter().filter(|_| facts.scripts.is_empty()) {
            let NoteKind::Preload(index, None) = note.kind else { continue };
            let Some(target) = links.file(index) else { continue };
            let is_other = |(at, (_, other)): (usize, (&Reference, Target))| {
                at != index && matches!(other, Target::File { file: used, .. } if used == target)
            };
            if !links.with_targets(facts).enumerate().any(is_other) {
                self.preloads.push(PagePreload { file, target, span: span_of(index) });
            }
        }
        let canonical = match metadata.canonicals.first() {
            None => Canonical::None,
            Some(&index) => match links.file(index) {
                Some(target) => Canonical::Own(target, span_of(index)),
                None => Canonical::ExternalReferences,
            },
        };
        let title = metadata.title.as_ref().map(|(title, span)| (facts.text(*title), span));
        // A query may say that the page was replaced already.
        let is_plain = |reference: &Reference| {
            reference.value.is_some_and(|value| UrlReference::new(view.text(value)).query().is_none())
        };
        let refresh = |(reference, target): (&Reference, Target)| match target {
            Target::File { file: next, .. }
                if reference.kind == ReferenceKind::Refresh && is_plain(reference) =>
            {
                Some((next, reference.span.clone()))
            }
            _ => None,
        };
        let first_refresh = || links.with_targets(facts).find_map(refresh);
        let immediate_refresh = metadata.refreshes_at_once.then(first_refresh).flatten();
        self.entries.push(PageEntry {
            file,
            title: title
                .filter(|(title, _)| !title.is_empty())
                .map(|(title, span)| (FixedState::default().hash_one(title), span.clone())),
            canonical,
            social: metadata.social_url.and_then(|index| Some((links.file(index)?, span_of(index)))),
            noindex: metadata.noindex.clone(),
            redirects: view.redirects(),
            immediate_refresh,
            is_part: facts.is_part(),
            untitled: (view.is_document() && facts.title().is_empty()).then_some(match &metadata.title {
                Some((_, location)) => Untitled::Empty(location.start),
                None => Untitled::None,
            }),
        });
    }

    /// Adds the translations that a sitemap names. Each follows the location of its page (sitemaps.org, "Sitemap XML
    /// format": a sequence); with another order, their pages are unknown.
    pub(super) fn add_sitemap(&mut self, view: &FileView<'_>) {
        let FileView { file, facts, links, .. } = *view;
        if facts.metadata.alternates.is_empty() {
            return;
        }
        let references = facts.references.iter().enumerate();
        let locations = references.filter(|(_, found)| found.kind == ReferenceKind::SitemapLoc);
        let locations: Vec<usize> = locations.map(|(at, _)| at).collect();
        for (index, language) in &facts.metadata.alternates {
            let before = locations.partition_point(|location| location < index);
            let Some(location) = before.checked_sub(1) else { return };
            let Some(page) = links.file(locations[location]) else { continue };
            let Some(reference) = facts.references.get(*index) else { continue };
            let (target, span, language) = (links.file(*index), reference.span.clone(), language.clone());
            self.alternates.push(Alternate { page, file, language, target, span });
        }
    }

    /// Adds the references of a style sheet.
    pub(super) fn add_style_sheet(&mut self, view: &FileView<'_>) {
        let targets = view.references().filter_map(|(_, target)| match target {
            Target::File { file, .. } => Some(file),
            _ => None,
        });
        self.styled.extend(targets.map(|target| (view.file, target)));
    }

    pub(super) fn merge(&mut self, other: Pages) {
        self.entries.extend(other.entries);
        self.alternates.extend(other.alternates);
        self.preloads.extend(other.preloads);
        self.styled.extend(other.styled);
    }

    pub(super) fn sort(&mut self) {
        self.entries.sort_unstable_by_key(|page| page.file);
        self.alternates
            .sort_by_key(|Alternate { page, file, span, .. }| (*page, page != file, *file, span.start));
        self.preloads.sort_by_key(|preload| (preload.file, preload.span.start));
        self.styled.sort_unstable();
    }

    /// Returns the entry of a page; `None` for a file that is not a page.
    pub fn get(&self, file: FileId) -> Option<&PageEntry> {
        let at = self.entries.binary_search_by_key(&file, |page| page.file).ok()?;
        self.entries.get(at)
    }
}

/// A value that an assertion requires to be equal on all pages.
#[derive(Clone, Debug)]
pub struct SharedValue {
    /// Index of the assertion in the contract.
    pub assertion: usize,
    /// Name of the attribute.
    pub attribute: String,
    /// Its value; `None` if the element does not have it.
    pub value: Option<String>,
    /// The page.
    pub file: FileId,
    /// The start tag there.
    pub span: Range<u32>,
}

/// Collects the values of a page that must be equal on all pages.
pub(super) fn collect_shared(view: &FileView<'_>, shared: &mut Vec<SharedValue>) {
    for (assertion, stated) in view.assertions() {
        for attribute in &stated.same {
            for found in view.matches(assertion) {
                let value = found.attributes.iter().find(|(name, _)| name == attribute);
                shared.push(SharedValue {
                    assertion,
                    attribute: attribute.clone(),
                    value: value.map(|(_, value)| value.clone()),
                    file: view.file,
                    span: found.span.clone(),
                });
            }
        }
    }
}
