//! Looks at the documents of the export that have findings: what stands at their places, and what generators say there of sources.

use memchr::memmem;
use rayon::prelude::*;

use super::forms::{in_any_language, raw_form, target_form};
use super::needles::{Needle, NeedleKey};
use super::page_sources::{self, PageSources};
use super::search::SourceLocation;
use super::source_files::SourceFiles;
use crate::contract::{Contract, SourceSettings};
use crate::generator::{self, Generator, UnresolvedReference};
use crate::parse::{self, Format, Mark};
use crate::raw_finding::DocumentId;
use crate::report::finding_reader::FindingReader;
use crate::report::result::CheckResult;
use crate::report::stages::RatedFinding;
use crate::resolve::{Base, Resolver, fragment};
use crate::walk::FileId;

/// The findings of one document, in the order of the report.
#[derive(Default)]
pub(super) struct DocumentFindings {
    file: Option<FileId>,
    /// The source that it is edited at, as it says itself.
    edited: Option<u32>,
    /// The sources that the document is made from, where that is known.
    pub own: Vec<u32>,
    pub findings: Vec<UnmappedFinding>,
}

impl DocumentFindings {
    /// Takes in whose source each file is, once that is known.
    pub fn settle(&mut self, page_sources: &PageSources) {
        let Some(file) = self.file else { return };
        self.own = match page_sources.translation(file).or(self.edited) {
            Some(source) => vec![source],
            None => page_sources.sources(file).to_vec(),
        };
        let only = <[u32; 1]>::try_from(self.own.as_slice()).ok().map(|[only]| only);
        for finding in &mut self.findings {
            finding.mark = finding.mark.take().and_then(|mark| match mark.source.or(only) {
                None => None,
                source => Some(ElementMark { source, ..mark }),
            });
        }
    }
}

/// What is known of a finding before any source was read.
#[derive(Default)]
pub(super) struct UnmappedFinding {
    /// Where it begins, in bytes.
    pub start: u32,
    /// Whether it asks for early what the page itself asks for again, as frameworks do by themselves.
    pub is_hint: bool,
    /// `None` where it is about the document as a whole.
    pub needle: Option<Needle>,
    /// The forms in which that may be found.
    pub keys: [Option<NeedleKey>; 2],
    /// Its place, where the document is a copy of a source.
    pub copy: Option<SourceLocation>,
    pub mark: Option<ElementMark>,
}

/// Where the element that a finding is in was written, as the generator says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ElementMark {
    /// None until the page's own source is known, where the generator does not name it.
    pub source: Option<u32>,
    pub lines: std::ops::Range<u32>,
    pub column: Option<u32>,
    /// Whether the generator names the source.
    pub names_file: bool,
    /// Whether the finding lies in the very tag that has the mark.
    pub is_of_tag: bool,
}

/// Looks at all documents that have findings.
pub(super) fn documents(
    report: &CheckResult,
    contract: &Contract,
    files: &SourceFiles,
    page_sources: &PageSources,
) -> Vec<DocumentFindings> {
    let chunks: Vec<&[RatedFinding]> =
        report.findings.chunk_by(|a, b| a.raw.location.document == b.raw.location.document).collect();
    let start = || DocumentReader {
        report,
        files,
        page_sources,
        settings: &contract.source_files,
        sources: FindingReader::new(report, contract),
        resolver: Resolver::new(&report.tree, &report.deployment.settings, report.redirects.clone()),
    };
    chunks
        .par_iter()
        .map_init(start, |reader, findings| match findings[0].raw.location.document {
            DocumentId::File(file) => reader.document(file, findings),
            _ => DocumentFindings {
                findings: findings.iter().map(|_| UnmappedFinding::default()).collect(),
                ..DocumentFindings::default()
            },
        })
        .collect()
}

/// What a thread looks at documents with.
struct DocumentReader<'r> {
    report: &'r CheckResult,
    files: &'r SourceFiles,
    page_sources: &'r PageSources,
    settings: &'r SourceSettings,
    sources: FindingReader<'r>,
    resolver: Resolver<'r>,
}

impl DocumentReader<'_> {
    fn document(&mut self, file: FileId, findings: &[RatedFinding]) -> DocumentFindings {
        let is_page = Format::of(self.report.tree.path(file)) == Format::Html;
        let text = self.sources.text(&DocumentId::File(file)).to_vec();
        let href = is_page.then(|| parse::base_href(&text)).flatten();
        let base = self.resolver.base(file, href.as_deref());
        let (marks, edited) =
            if is_page { (parse::marks(&text), parse::edited_at(&text)) } else { (Vec::new(), Vec::new()) };
        let mut own: Vec<u32> =
            edited.iter().filter_map(|path| page_sources::edited(path, self.files, self.settings)).collect();
        own.sort_unstable();
        own.dedup();
        // A page is edited in one place; one that names several speaks of others.
        let edited = <[u32; 1]>::try_from(own).ok().map(|[edited]| edited);
        let copy = self.copy(file, &text);
        let generator = is_page.then(|| generator::of_page(&text)).flatten();
        let findings = findings
            .iter()
            .map(|found| {
                let tag = link_tag(&text, found.raw.location.span.start as usize);
                UnmappedFinding {
                    start: found.raw.location.span.start + self.shown_behind(found),
                    is_hint: tag == Some(LinkTag::Hint),
                    needle: self.needle(found, &text, &base, tag == Some(LinkTag::OfPage), generator),
                    keys: [None; 2],
                    copy: copy.map(|source| self.copied(source, found)),
                    mark: self.mark(found, &marks),
                }
            })
            .collect();
        DocumentFindings { file: Some(file), edited, own: Vec::new(), findings }
    }

    /// The source that a document is a copy of, byte for byte, where there is one and no other.
    fn copy(&self, file: FileId, text: &[u8]) -> Option<u32> {
        let mut same = self.page_sources.copies(file).iter().filter(|source| {
            let length = std::fs::metadata(self.files.disk_path(**source)).map_or(0, |found| found.len());
            length == text.len() as u64 && self.files.read(**source).is_some_and(|source| source == text)
        });
        same.next().copied().filter(|_| same.next().is_none())
    }

    fn copied(&mut self, source: u32, found: &RatedFinding) -> SourceLocation {
        let position = self.sources.position(found);
        let length = self.sources.marked(found).map_or(0, |marked| marked.chars().count());
        SourceLocation {
            source,
            line: position.line as u32,
            column: position.column as u32,
            length: length as u32,
        }
    }

    fn needle(
        &mut self,
        found: &RatedFinding,
        text: &[u8],
        base: &Base,
        is_of_page: bool,
        generator: Option<&Generator>,
    ) -> Option<Needle> {
        let written = self.sources.marked(found)?;
        if found.raw.is_reference {
            let end = found.raw.location.span.end as usize;
            let unresolved = generator.and_then(|generator| (generator.unresolved)(&written, end, text));
            match unresolved {
                Some(UnresolvedReference::Link(link)) => return Some(Needle::Link { raw: raw_form(&link) }),
                Some(UnresolvedReference::FromTop(path)) => {
                    let path = raw_form(&parse::decode_references(&path));
                    return Some(Needle::Reference { target: Some(target_form(&path, "")), raw: path });
                }
                None => {}
            }
            let decoded = parse::decode_references(&written);
            let fragment =
                fragment(&decoded).map(|fragment| fragment.decoded.into_owned()).unwrap_or_default();
            let path = self.resolver.local_path(base, &decoded);
            let target = path.filter(|_| !is_of_page).map(|path| self.target(&path, &fragment));
            return Some(Needle::Reference { raw: raw_form(&written), target });
        }
        let trimmed = written.trim();
        // An element is made by the generator; what it shows may be written in the source.
        if trimmed.starts_with('<') {
            return self.picture(trimmed, base);
        }
        let is_value = matches!(
            text.get((found.raw.location.span.start as usize).wrapping_sub(1)),
            Some(b'"' | b'\'' | b'=')
        );
        let is_told = trimmed.chars().count() > 2 && !trimmed.contains('\n');
        is_told.then(|| Needle::Text { text: parse::decode_references(trimmed).into_owned(), is_value })
    }

    fn target(&self, path: &[u8], fragment: &str) -> String {
        let form = target_form(&String::from_utf8_lossy(path), fragment);
        in_any_language(&form, &self.page_sources.languages).to_owned()
    }

    /// How many bytes behind the beginning of a finding that stands which is looked for: a tag's picture or address.
    fn shown_behind(&mut self, found: &RatedFinding) -> u32 {
        let tag = self.sources.marked(found).filter(|tag| !found.raw.is_reference && tag.starts_with('<'));
        let tag = tag.unwrap_or_default();
        shown(&tag).map_or(0, |value| (value.as_ptr() as usize - tag.as_ptr() as usize) as u32)
    }

    /// What a tag that a finding is about shows or leads to.
    fn picture(&self, tag: &str, base: &Base) -> Option<Needle> {
        let value = shown(tag)?;
        let path = self.resolver.local_path(base, &parse::decode_references(value));
        let target = path.map(|path| self.target(&path, ""));
        Some(Needle::Reference { raw: raw_form(value), target })
    }

    /// The mark of the element that a finding is in, or the last before it.
    fn mark(&self, found: &RatedFinding, marks: &[Mark]) -> Option<ElementMark> {
        let start = found.raw.location.span.start as usize;
        let mark = &marks[marks.partition_point(|mark| mark.tag.start <= start).checked_sub(1)?];
        let source = match &mark.file {
            Some(file) => Some(page_sources::edited(file, self.files, self.settings)?),
            None => None,
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

/// What a `<link>` is for that generators write by themselves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LinkTag {
    /// It says what will be needed, which the page then asks for.
    Hint,
    /// It says where the page, or another in its place, is: nobody writes that in the source of a page.
    OfPage,
}

/// What the `<link>` is for that a place lies in, or the element of a sitemap or a feed, if it does.
fn link_tag(text: &[u8], at: usize) -> Option<LinkTag> {
    /// Bytes of a tag that are looked at on each side.
    const NEAR: usize = 1_024;
    /// Where the attribute begins.
    const RELATION: &[u8] = b" rel=";
    /// Elements of sitemaps and feeds that hold an address.
    const ELEMENTS: [&[u8]; 5] = [b"<loc>", b"<link>", b"<guid", b"<id>", b"<comments>"];
    let at = at.min(text.len());
    let first = at.saturating_sub(NEAR);
    let start = first + memchr::memrchr(b'<', &text[first..at])?;
    if ELEMENTS.iter().any(|element| text[start..at].starts_with(element)) {
        return Some(LinkTag::OfPage);
    }
    let rest = &text[at..text.len().min(at + NEAR)];
    let tag = &text[start..at + memchr::memchr(b'>', rest).unwrap_or(rest.len())];
    let attributes = tag.strip_prefix(b"<link")?;
    if memchr::memchr(b'>', &text[start..at]).is_some() {
        return None; // it ended before
    }
    let relation = &attributes[memmem::find(attributes, RELATION)? + RELATION.len()..];
    let relation = relation.strip_prefix(b"\"").or(relation.strip_prefix(b"'")).unwrap_or(relation);
    let begins = |names: &[&str]| names.iter().any(|name| relation.starts_with(name.as_bytes()));
    if begins(&["preload", "prefetch", "modulepreload"]) {
        return Some(LinkTag::Hint);
    }
    begins(&["alternate", "canonical", "next", "prev"]).then_some(LinkTag::OfPage)
}

#[cfg(test)]
mod tests {
    use super::{LinkTag, link_tag};

    #[test]
    fn links_that_generators_write_are_told_apart() {
        let kind = |text: &str| text.find('!').and_then(|at| link_tag(text.as_bytes(), at));
        assert!(kind("<link rel=\"preload\" as=image href=\"!x\">") == Some(LinkTag::Hint));
        assert!(kind("<url><loc>!x</loc>") == Some(LinkTag::OfPage));
        assert!(kind("<b></b><link href=\"!/rel=\" rel=canonical>") == Some(LinkTag::OfPage));
        for other in
            ["<link rel=stylesheet href=!x>", "<a rel=next href=!x>", "<link rel=preload>!", "!", "<link !"]
        {
            assert!(kind(other).is_none(), "{other}");
        }
    }
}
