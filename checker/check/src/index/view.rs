//! One file as rules see it.

use super::links::Links;
use super::site::Site;
use crate::contract::Assertion;
use crate::parse::{Facts, Format, Match, Reference, Value};
use crate::resolve::{Base, Target};
use crate::walk::FileId;

/// One file as rules see it: what it says, and where its references lead.
pub struct FileView<'p> {
    /// The file.
    pub file: FileId,
    /// What it says.
    pub facts: &'p Facts,
    /// Where its references lead.
    pub links: &'p Links,
    /// The site it belongs to.
    pub site: &'p Site<'p>,
    /// What its references are relative to.
    pub base: &'p Base,
    /// Its path in the contract's terms (see [`crate::contract::page_path`]); empty where there are no
    /// assertions.
    pub path: &'p str,
    /// The assertions that hold for it.
    pub selected: &'p [(usize, &'p Assertion)],
}

impl<'p> FileView<'p> {
    /// Its references, with where they lead.
    pub fn references(&self) -> impl Iterator<Item = (&'p Reference, Target)> + Clone + 'p {
        self.links.of(self.facts)
    }

    /// The references that are more than the path of a file which answers it at once, with their places and where they lead.
    pub fn unusual(&self) -> impl Iterator<Item = (usize, &'p Reference, Target)> + Clone + 'p {
        let (facts, links) = (self.facts, self.links);
        links.unusual.iter().filter_map(move |&index| {
            let index = index as usize;
            Some((index, facts.references.get(index)?, *links.targets.get(index)?))
        })
    }

    /// A value's text.
    pub fn text(&self, value: Value) -> &'p str {
        self.facts.text(value)
    }

    /// Whether it is a page, and not a style sheet or the like.
    pub fn is_page(&self) -> bool {
        self.site.format(self.file) == Format::Html
    }

    /// Whether it is a page that readers come to see: not empty, not a part of a document, not a redirect.
    pub fn is_document(&self) -> bool {
        let about = &self.facts.about;
        self.is_page()
            && !about.is_blank
            && !about.refreshes
            && !self.facts.is_part()
            && !self.site.is_nested_error_page(self.file)
    }

    /// What an assertion selects in it.
    pub fn matches(&self, assertion: usize) -> impl Iterator<Item = &'p Match> + 'p {
        let from = self.facts.matches.partition_point(|found| found.assertion < assertion);
        self.facts.matches[from..].iter().take_while(move |found| found.assertion == assertion)
    }
}
