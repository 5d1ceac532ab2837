//! Looks at the documents of the export that have findings: what stands at their places, and what generators say there of sources.

use rayon::prelude::*;

use super::forms::{raw_form, target_form};
use super::listing::SourceListing;
use super::owners::{self, Owners};
use super::search::SourcePlace;
use super::sphinx;
use super::wanted_words::{Sought, TextKey};
use crate::contract::{Contract, SourceSettings};
use crate::diagnostic::{Diagnostic, Place};
use crate::parse::{self, Format, Mark};
use crate::report::Report;
use crate::report::sources::Sources;
use crate::resolve::{Base, Resolver, fragment};
use crate::walk::FileId;

/// The findings of one document, in the order of the report.
#[derive(Default)]
pub(super) struct DocumentFindings {
    /// The sources that the document is made from, where that is known.
    pub own: Vec<u32>,
    pub findings: Vec<SoughtFinding>,
}

/// What is known of a finding before any source was read.
#[derive(Default)]
pub(super) struct SoughtFinding {
    /// Where it begins, in bytes.
    pub start: u32,
    /// `None` where it is about the document as a whole.
    pub sought: Option<Sought>,
    /// The forms in which that may be found.
    pub keys: [Option<TextKey>; 2],
    /// Its place, where the document is a copy of a source.
    pub copied: Option<SourcePlace>,
    pub mark: Option<ElementMark>,
}

/// Where the element that a finding is in was written, as the generator says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ElementMark {
    pub source: u32,
    pub lines: std::ops::Range<u32>,
    pub column: Option<u32>,
    /// Whether the generator names the source.
    pub names_file: bool,
    /// Whether the finding lies in the very tag that has the mark.
    pub is_of_tag: bool,
}

/// Looks at all documents that have findings.
pub(super) fn documents(
    report: &Report,
    contract: &Contract,
    listing: &SourceListing,
    owners: &Owners,
) -> Vec<DocumentFindings> {
    let chunks: Vec<&[Diagnostic]> =
        report.diagnostics.chunk_by(|a, b| a.location.place == b.location.place).collect();
    let start = || DocumentReader {
        report,
        listing,
        owners,
        settings: &contract.source_files,
        sources: Sources::one_by_one(report, contract),
        resolver: Resolver::new(&report.tree, &report.whereabouts.settings, report.redirects.clone()),
    };
    chunks
        .par_iter()
        .map_init(start, |reader, findings| match findings[0].location.place {
            Place::File(file) => reader.document(file, findings),
            _ => DocumentFindings {
                findings: findings.iter().map(|_| SoughtFinding::default()).collect(),
                ..DocumentFindings::default()
            },
        })
        .collect()
}

/// What a thread looks at documents with.
struct DocumentReader<'r> {
    report: &'r Report,
    listing: &'r SourceListing,
    owners: &'r Owners,
    settings: &'r SourceSettings,
    sources: Sources<'r>,
    resolver: Resolver<'r>,
}

impl DocumentReader<'_> {
    fn document(&mut self, file: FileId, findings: &[Diagnostic]) -> DocumentFindings {
        let is_page = Format::of(self.report.tree.path(file)) == Format::Html;
        let text = self.sources.text(&Place::File(file)).to_vec();
        let href = is_page.then(|| parse::base_href(&text)).flatten();
        let base = self.resolver.base(file, href.as_deref());
        let (marks, edited) = match is_page {
            true => (parse::marks(&text), parse::edited_at(&text)),
            false => (Vec::new(), Vec::new()),
        };
        let mut own: Vec<u32> =
            edited.iter().filter_map(|path| owners::edited(path, self.listing, self.settings)).collect();
        own.sort_unstable();
        own.dedup();
        // A page is edited in one place; one that names several speaks of others.
        if own.len() != 1 {
            own = self.owners.sources(file).to_vec();
        }
        let copy = self.copy(file, &text);
        let findings = findings
            .iter()
            .map(|found| SoughtFinding {
                start: found.location.span.start + self.shown_behind(found),
                sought: self.sought(found, &text, &base),
                keys: [None; 2],
                copied: copy.map(|source| self.copied(source, found)),
                mark: self.mark(found, &marks, &own),
            })
            .collect();
        DocumentFindings { own, findings }
    }

    /// The source that a document is a copy of, byte for byte, where there is one and no other.
    fn copy(&self, file: FileId, text: &[u8]) -> Option<u32> {
        let mut same = self.owners.copies(file).iter().filter(|source| {
            let length = std::fs::metadata(self.listing.disk_path(**source)).map_or(0, |found| found.len());
            length == text.len() as u64 && self.listing.read(**source).is_some_and(|source| source == text)
        });
        same.next().copied().filter(|_| same.next().is_none())
    }

    fn copied(&mut self, source: u32, found: &Diagnostic) -> SourcePlace {
        let position = self.sources.position(found);
        let length = self.sources.marked(found).map_or(0, |marked| marked.chars().count());
        SourcePlace {
            source,
            line: position.line as u32,
            column: position.column as u32,
            length: length as u32,
        }
    }

    fn sought(&mut self, found: &Diagnostic, text: &[u8], base: &Base) -> Option<Sought> {
        let written = self.sources.marked(found)?;
        if found.is_reference {
            if let Some(sought) = sphinx::sought(&written, found.location.span.end as usize, text) {
                return Some(sought);
            }
            let decoded = parse::decode_references(&written);
            let fragment =
                fragment(&decoded).map(|fragment| fragment.decoded.into_owned()).unwrap_or_default();
            let path = self.resolver.local_path(base, &decoded);
            let target = path.map(|path| target_form(&String::from_utf8_lossy(&path), &fragment));
            return Some(Sought::Reference { raw: raw_form(&written), target });
        }
        let trimmed = written.trim();
        // An element is made by the generator; what it shows may be written in the source.
        if trimmed.starts_with('<') {
            return self.picture(trimmed, base);
        }
        let is_value = matches!(
            text.get((found.location.span.start as usize).wrapping_sub(1)),
            Some(b'"' | b'\'' | b'=')
        );
        let is_told = trimmed.chars().count() > 2 && !trimmed.contains('\n');
        is_told.then(|| Sought::Text { text: parse::decode_references(trimmed).into_owned(), is_value })
    }

    /// How many bytes behind the beginning of a finding that stands which is looked for: a tag's picture or address.
    fn shown_behind(&mut self, found: &Diagnostic) -> u32 {
        let tag = self.sources.marked(found).filter(|tag| !found.is_reference && tag.starts_with('<'));
        let tag = tag.unwrap_or_default();
        shown(&tag).map_or(0, |value| (value.as_ptr() as usize - tag.as_ptr() as usize) as u32)
    }

    /// What a tag that a finding is about shows or leads to.
    fn picture(&self, tag: &str, base: &Base) -> Option<Sought> {
        let value = shown(tag)?;
        let path = self.resolver.local_path(base, &parse::decode_references(value));
        let target = path.map(|path| target_form(&String::from_utf8_lossy(&path), ""));
        Some(Sought::Reference { raw: raw_form(value), target })
    }

    /// The mark of the element that a finding is in, or the last before it.
    fn mark(&self, found: &Diagnostic, marks: &[Mark], own: &[u32]) -> Option<ElementMark> {
        let start = found.location.span.start as usize;
        let mark = &marks[marks.partition_point(|mark| mark.tag.start <= start).checked_sub(1)?];
        let source = match (&mark.file, own) {
            (Some(file), _) => owners::edited(file, self.listing, self.settings)?,
            (None, [own]) => *own,
            (None, _) => return None,
        };
        let (names_file, is_of_tag) = (mark.file.is_some(), start < mark.tag.end);
        Some(ElementMark { source, lines: mark.lines.clone(), column: mark.column, names_file, is_of_tag })
    }
}

/// The value of a tag's `src` or `href`.
fn shown(tag: &str) -> Option<&str> {
    let (_, rest) = tag.split_once(" src=").or_else(|| tag.split_once(" href="))?;
    match rest.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
        Some(quote) => rest[1..].split(quote).next(),
        None => rest.split([' ', '>']).next(),
    }
}
