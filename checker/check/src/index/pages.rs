//! Collects the properties of pages that are compared with other pages.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::quality::FixedState;

use super::view::FileView;
use crate::walk::FileId;

/// The properties of one page.
#[derive(Clone, Debug)]
pub struct PageEntry {
    /// The page.
    pub file: FileId,
    /// Hash of the title, and its location; `None` if the page has no title.
    pub title: Option<(u64, Range<u32>)>,
    /// The canonical URL of the page.
    pub canonical: Canonical,
    /// The element that has `noindex`.
    pub noindex: Option<Range<u32>>,
    /// Whether it redirects to another page.
    pub redirects: bool,
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

/// A translation that a page names by `hreflang`.
#[derive(Clone, Debug)]
pub struct Alternate {
    /// The page that names it.
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
    /// Translations of pages, in the order of locations.
    pub alternates: Vec<Alternate>,
}

impl Pages {
    /// Adds a page.
    pub(super) fn add(&mut self, view: &FileView<'_>) {
        let FileView { file, facts, links, .. } = *view;
        let metadata = &facts.metadata;
        let span_of = |index: usize| facts.references.get(index).map_or(0..0, |r| r.span.clone());
        for (index, language) in &metadata.alternates {
            let (target, span) = (links.file(*index), span_of(*index));
            self.alternates.push(Alternate { file, language: language.clone(), target, span });
        }
        let canonical = match metadata.canonicals.first() {
            None => Canonical::None,
            Some(&index) => match links.file(index) {
                Some(target) => Canonical::Own(target, span_of(index)),
                None => Canonical::ExternalReferences,
            },
        };
        let title = metadata.title.as_ref().map(|(title, span)| (facts.text(*title), span));
        self.entries.push(PageEntry {
            file,
            title: title
                .filter(|(title, _)| !title.is_empty())
                .map(|(title, span)| (FixedState::default().hash_one(title), span.clone())),
            canonical,
            noindex: metadata.noindex.clone(),
            redirects: view.redirects(),
            is_part: facts.is_part(),
            untitled: (view.is_document() && facts.title().is_empty()).then_some(match &metadata.title {
                Some((_, location)) => Untitled::Empty(location.start),
                None => Untitled::None,
            }),
        });
    }

    pub(super) fn merge(&mut self, other: Pages) {
        self.entries.extend(other.entries);
        self.alternates.extend(other.alternates);
    }

    pub(super) fn sort(&mut self) {
        self.entries.sort_unstable_by_key(|page| page.file);
        self.alternates.sort_by_key(|alternate| (alternate.file, alternate.span.start));
    }

    /// Returns the entry of a page; `None` for a file that is not a page.
    pub fn get(&self, file: FileId) -> Option<&PageEntry> {
        let at = self.entries.binary_search_by_key(&file, |page| page.file).ok()?;
        self.entries.get(at)
    }
}
