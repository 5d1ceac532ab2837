//! What is kept of every page, to be compared with other pages.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::quality::FixedState;

use super::view::FileView;
use crate::parse::ReferenceKind;
use crate::resolve::Target;
use crate::walk::FileId;

/// What is kept of one page.
#[derive(Clone, Debug)]
pub struct PageEntry {
    /// The page.
    pub file: FileId,
    /// A hash of its title, with the place of that; `None` where it has no title.
    pub title: Option<(u64, Range<u32>)>,
    /// Where it says that the original is.
    pub canonical: Canonical,
    /// Whether it asks search engines to leave it out.
    pub noindex: bool,
    /// Whether it sends readers on to another page.
    pub redirects: bool,
    /// Whether it is only a part of a document, for scripts to load.
    pub is_part: bool,
    /// Where a title should be, in a document that has none or an empty one, and which of the two.
    pub untitled: Option<Untitled>,
}

impl PageEntry {
    /// Whether search engines should list this page itself.
    pub fn is_indexable(&self) -> bool {
        let is_original = match self.canonical {
            Canonical::None => true,
            Canonical::Own(target, _) => target == self.file,
            Canonical::ExternalReferences => false,
        };
        is_original && !self.noindex && !self.redirects && !self.is_part
    }
}

/// A document without words in its title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untitled {
    /// It has no title.
    None,
    /// Its title, here, is empty.
    Empty(u32),
}

/// Where a page says that its original is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Canonical {
    /// It does not say.
    None,
    /// A page of this site, and the reference.
    Own(FileId, Range<u32>),
    /// On another site, or nowhere.
    ExternalReferences,
}

/// One translation that a page names by `hreflang`.
#[derive(Clone, Debug)]
pub struct Alternate {
    /// The page that names it.
    pub file: FileId,
    /// The language, in lower case.
    pub language: Box<str>,
    /// The page of this site that it leads to.
    pub target: Option<FileId>,
    /// The reference.
    pub span: Range<u32>,
}

/// The pages of a site.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    /// One for each page, in the order of paths.
    pub entries: Vec<PageEntry>,
    /// The translations that pages name, in the order of places.
    pub alternates: Vec<Alternate>,
}

impl Pages {
    /// Takes in one page.
    pub(super) fn add(&mut self, view: &FileView<'_>) {
        let FileView { file, facts, links, .. } = *view;
        let about = &facts.about;
        let span_of = |index: usize| facts.references.get(index).map_or(0..0, |r| r.span.clone());
        for (index, language) in &about.alternates {
            let (target, span) = (links.file(*index), span_of(*index));
            self.alternates.push(Alternate { file, language: language.clone(), target, span });
        }
        let canonical = match about.canonicals.first() {
            None => Canonical::None,
            Some(&index) => match links.file(index) {
                Some(target) => Canonical::Own(target, span_of(index)),
                None => Canonical::ExternalReferences,
            },
        };
        let title = about.title.as_ref().map(|(title, span)| (facts.text(*title), span));
        let leads_on = |(reference, target): (&crate::parse::Reference, Target)| {
            reference.kind == ReferenceKind::Refresh
                && !matches!(target, Target::File { file: target, .. } if target == file)
        };
        self.entries.push(PageEntry {
            file,
            title: title
                .filter(|(title, _)| !title.is_empty())
                .map(|(title, span)| (FixedState::default().hash_one(title), span.clone())),
            canonical,
            noindex: about.noindex,
            redirects: about.refreshes && links.of(facts).any(leads_on),
            is_part: facts.is_part(),
            untitled: (view.is_document() && facts.title().is_empty()).then_some(match &about.title {
                Some((_, place)) => Untitled::Empty(place.start),
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

    /// What is kept of a page; `None` for a file that is not a page.
    pub fn get(&self, file: FileId) -> Option<&PageEntry> {
        let at = self.entries.binary_search_by_key(&file, |page| page.file).ok()?;
        self.entries.get(at)
    }
}
