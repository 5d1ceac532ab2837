//! Reads the exported documents that have findings: the text at each finding, and the source positions that generators
//! give.

use std::ops::Range;

use memchr::memmem;

use super::context::TagName;
use super::needles::{Needle, NeedleKey};
use super::needles::{raw_form, target_form, without_language};
use super::page_sources::{self, PageSources};
use super::source_files::{SourceFiles, SourceLocation};
use crate::contract::SourceSettings;
use crate::generator::{self, Generator, UnresolvedReference};
use crate::parse::inline_ignores::IGNORE;
use crate::parse::{self, Format, SourcePosition, TagIndex, syntax_of};
use crate::raw_finding::{DocumentId, RawFinding};
use crate::report::locator::FindingLocator;
use crate::report::result::CheckResult;
use crate::resolve::{Base, Resolver, fragment};
use crate::rules::{invalid_ignore, unused_ignore};
use crate::walk::FileId;

/// The findings of one document, in the order of the report.
#[derive(Default)]
pub(crate) struct DocumentFindings {
    file: Option<FileId>,
    /// The source in its edit link.
    edited_source: Option<u32>,
    /// The sources of the document, if they are known.
    pub(super) own: Vec<u32>,
    pub(super) findings: Vec<UnmappedFinding>,
}

impl DocumentFindings {
    /// Sets the sources of the document, after all page sources are known.
    pub(super) fn set_sources(&mut self, page_sources: &PageSources) {
        let Some(file) = self.file else { return };
        self.own = match page_sources.translation(file).or(self.edited_source) {
            Some(source) => vec![source],
            None => page_sources.sources(file).to_vec(),
        };
        let only = <[u32; 1]>::try_from(self.own.as_slice()).ok().map(|[only]| only);
        for finding in &mut self.findings {
            finding.position = finding.position.take().and_then(|position| match position.source.or(only) {
                None => None,
                source => Some(ElementPosition { source, ..position }),
            });
        }
    }
}

/// A finding before any source was searched.
#[derive(Default)]
pub(super) struct UnmappedFinding {
    /// Offset of its start.
    pub start: u32,
    /// Whether it is a resource hint for a reference that the page also contains. Frameworks add them.
    pub is_hint: bool,
    /// `None` if the finding is about the whole document.
    pub needle: Option<Needle>,
    /// Keys of the forms of the needle.
    pub keys: [Option<NeedleKey>; 2],
    /// The key of a reference from the root without its leading slash.
    pub without_slash: Option<NeedleKey>,
    /// The tag that it is about; `None` if it is about a reference or a text.
    pub tag: Option<FoundTag>,
    /// Its location, if the document is a copy of a source.
    pub copy: Option<SourceLocation>,
    pub position: Option<ElementPosition>,
}

/// A tag on a page, and what identifies it in a source if its URL is computed there.
#[derive(Debug)]
pub(super) struct FoundTag {
    pub name: TagName,
    /// Its classes, its id, its data attributes, and the text after it, with their keys.
    pub features: Vec<(Needle, Option<NeedleKey>)>,
}

impl FoundTag {
    /// Reads the start tag at an offset.
    fn read(text: &[u8], tags: &TagIndex<'_>, start: usize) -> Option<FoundTag> {
        /// Minimum length of a feature in bytes.
        const MIN_FEATURE: usize = 3;
        let tag = tags.start_tag(start)?;
        let is_feature = |name: &[u8]| name == b"class" || name == b"id" || name.starts_with(b"data-");
        let values = tag
            .attributes()
            .filter(|attribute| is_feature(&text[attribute.name.clone()].to_ascii_lowercase()))
            .filter_map(|attribute| std::str::from_utf8(&text[attribute.value?]).ok())
            .map(|value| (value.trim(), true));
        let content = &text[tag.range().end..];
        let content = &content[..memchr::memchr(b'<', content).unwrap_or(content.len())];
        let content = std::str::from_utf8(content).ok().map(|content| (content.trim(), false));
        let features = values
            .chain(content)
            .filter(|(feature, _)| feature.len() >= MIN_FEATURE && !feature.contains('\n'))
            .map(|(feature, is_value)| {
                let decoded = parse::decode_references(feature).into_owned();
                (Needle::Text { text: decoded, is_value }, None)
            })
            .collect();
        Some(FoundTag { name: TagName::new(&tag.name().to_ascii_lowercase()), features })
    }
}

/// The source position of the element that contains a finding, as the generator gives it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ElementPosition {
    /// `None` until the page's own source is known, if the generator names no file.
    pub source: Option<u32>,
    pub lines: Range<u32>,
    pub column: Option<u32>,
    /// Whether the generator names the source.
    pub names_file: bool,
    /// Whether the finding is inside the tag that has the position.
    pub is_in_tag: bool,
}

/// The state of a thread that reads documents with findings.
pub(crate) struct DocumentReader<'r> {
    pub(super) report: &'r CheckResult,
    pub(super) files: &'r SourceFiles,
    pub(super) page_sources: &'r PageSources,
    pub(super) settings: &'r SourceSettings,
    pub(super) resolver: Resolver<'r>,
}

impl DocumentReader<'_> {
    /// Reads the findings of one document, which `locator` has opened or opens.
    pub fn read(&self, findings: &[RawFinding], locator: &mut FindingLocator<'_>) -> DocumentFindings {
        let Some(DocumentId::File(file)) = findings.first().map(|found| &found.location.document) else {
            return DocumentFindings {
                findings: findings.iter().map(|_| UnmappedFinding::default()).collect(),
                ..DocumentFindings::default()
            };
        };
        let file = *file;
        let name = self.report.tree.path(file);
        let (format, syntax) = (Format::of(name), syntax_of(name));
        let is_page = format == Format::Html;
        let text = locator.text(&DocumentId::File(file)).to_vec();
        let href = is_page.then(|| parse::base_href(&text, syntax)).flatten();
        let base = self.resolver.base(file, href.as_deref());
        let tags = match format {
            Format::Html | Format::Svg | Format::Xml => TagIndex::read(&text, syntax),
            _ => TagIndex::default(),
        };
        let (positions, edit_paths) = if is_page {
            (parse::source_positions(&text, &tags), parse::edit_paths(&text, &tags))
        } else {
            (Vec::new(), Vec::new())
        };
        let mut own: Vec<u32> = edit_paths
            .iter()
            .filter_map(|path| page_sources::edited_source(path, self.files, self.settings))
            .collect();
        own.sort_unstable();
        own.dedup();
        // A page has one edit link; several may belong to other pages.
        let edited_source = <[u32; 1]>::try_from(own).ok().map(|[edited_source]| edited_source);
        let copy = self.files.copy_of(&self.report.tree.display(file), &text);
        let generator = is_page.then(|| generator::detect_generator(&text)).flatten();
        let findings = findings
            .iter()
            .map(|found| {
                let start = found.location.span.start as usize;
                let tag = link_tag(&text, &tags, start);
                let ignore = ignore_around(found, &text, &tags);
                let is_about_tag = !found.is_reference && !found.location.span.is_empty();
                let file_attribute = file_attribute(&tags, start).filter(|_| is_about_tag);
                let is_of_page = tag == Some(LinkTag::OfPage);
                UnmappedFinding {
                    start: match &ignore {
                        Some(ignore) => ignore.start as u32,
                        None => file_attribute.as_ref().map_or(start, |value| value.start) as u32,
                    },
                    is_hint: tag == Some(LinkTag::Hint),
                    needle: match ignore.and_then(|ignore| std::str::from_utf8(&text[ignore]).ok()) {
                        Some(ignore) => Some(Needle::Text { text: ignore.to_owned(), is_value: false }),
                        // The generator writes the element, but the file in it may be named in the source.
                        None => file_attribute
                            .and_then(|value| std::str::from_utf8(&text[value]).ok())
                            .map(|url| self.file_needle(url, &base))
                            .or_else(|| {
                                let written = locator.marked(found)?;
                                self.needle(found, &written, &text, &base, is_of_page, generator)
                            }),
                    },
                    keys: [None; 2],
                    without_slash: None,
                    tag: FoundTag::read(&text, &tags, start).filter(|_| !found.is_reference),
                    copy: copy.map(|source| copy_location(source, found, locator)),
                    position: self.position(found, &positions),
                }
            })
            .collect();
        DocumentFindings { file: Some(file), edited_source, own: Vec::new(), findings }
    }

    fn needle(
        &self,
        found: &RawFinding,
        written: &str,
        text: &[u8],
        base: &Base,
        is_of_page: bool,
        generator: Option<&Generator>,
    ) -> Option<Needle> {
        if found.is_reference {
            let end = found.location.span.end as usize;
            let unresolved = generator.and_then(|generator| (generator.unresolved)(written, end, text));
            match unresolved {
                Some(UnresolvedReference::Link(link)) => return Some(Needle::Link { raw: raw_form(&link) }),
                Some(UnresolvedReference::FromRoot(path)) => {
                    let path = raw_form(&parse::decode_references(&path));
                    return Some(Needle::Reference { target: Some(target_form(&path, "")), raw: path });
                }
                None => {}
            }
            let decoded = parse::decode_references(written);
            let fragment =
                fragment(&decoded).map(|fragment| fragment.decoded.into_owned()).unwrap_or_default();
            let path = self.resolver.local_path(base, &decoded);
            let target = if is_of_page { None } else { path.map(|path| self.target(&path, &fragment)) };
            return Some(Needle::Reference { raw: raw_form(written), target });
        }
        let trimmed = written.trim();
        // The generator writes the element.
        if trimmed.starts_with('<') {
            return None;
        }
        let is_value = matches!(
            text.get((found.location.span.start as usize).wrapping_sub(1)),
            Some(b'"' | b'\'' | b'=')
        );
        let is_searchable = trimmed.chars().count() > 2 && !trimmed.contains('\n');
        is_searchable.then(|| Needle::Text { text: parse::decode_references(trimmed).into_owned(), is_value })
    }

    fn target(&self, path: &[u8], fragment: &str) -> String {
        let form = target_form(&String::from_utf8_lossy(path), fragment);
        without_language(&form, &self.page_sources.languages).to_owned()
    }

    /// Returns the needle of a finding about a tag: the value of `src` or `href`.
    fn file_needle(&self, value: &str, base: &Base) -> Needle {
        let path = self.resolver.local_path(base, &parse::decode_references(value));
        let target = path.map(|path| self.target(&path, ""));
        Needle::Reference { raw: raw_form(value), target }
    }

    /// Returns the position of the element that contains a finding, or the last position before it.
    fn position(&self, found: &RawFinding, positions: &[SourcePosition]) -> Option<ElementPosition> {
        let start = found.location.span.start as usize;
        let position =
            &positions[positions.partition_point(|position| position.tag.start <= start).checked_sub(1)?];
        let source = match &position.file {
            Some(file) => Some(page_sources::edited_source(file, self.files, self.settings)?),
            None => None,
        };
        let (names_file, is_in_tag) = (position.file.is_some(), start < position.tag.end);
        Some(ElementPosition {
            source,
            lines: position.lines.clone(),
            column: position.column,
            names_file,
            is_in_tag,
        })
    }
}

fn copy_location(source: u32, found: &RawFinding, locator: &mut FindingLocator<'_>) -> SourceLocation {
    let position = locator.start(&found.location);
    let length = locator.marked(found).map_or(0, |marked| marked.chars().count());
    SourceLocation { source, line: position.line, column: position.column, length: length as u32 }
}

/// Returns the first line of an ignore in a comment, if a finding is about it. Its rules alone may also be in the source.
fn ignore_around(found: &RawFinding, text: &[u8], tags: &TagIndex<'_>) -> Option<Range<usize>> {
    if ![unused_ignore::INFO.id, invalid_ignore::INFO.id].contains(&found.rule.id) {
        return None;
    }
    let at = found.location.span.start as usize;
    let (comment, close) = match tags.comment(at) {
        Some(comment) => (comment, "-->"),
        None => (parse::style_comment_around(text, at)?, "*/"),
    };
    let ignore = comment.start + memmem::find(&text[comment.clone()], IGNORE.as_bytes())?;
    let written = &text[ignore..comment.end - close.len()];
    let line = written.split(|byte| *byte == b'\n').next().unwrap_or_default();
    Some(ignore..ignore + line.trim_ascii_end().len())
}

/// Returns the value of `src` or `href` in the start tag at an offset.
fn file_attribute(tags: &TagIndex<'_>, at: usize) -> Option<Range<usize>> {
    let tag = tags.start_tag(at)?;
    tag.value("src").or_else(|| tag.value("href"))
}

/// The purposes of a `<link>` that generators write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LinkTag {
    /// A resource hint: the page also contains the reference.
    Hint,
    /// The URL of the page, or of a related one. The sources of pages do not contain it.
    OfPage,
}

/// Returns the purpose of the `<link>`, or of the element of a sitemap or a feed, that contains an offset.
fn link_tag(text: &[u8], tags: &TagIndex<'_>, at: usize) -> Option<LinkTag> {
    let tag = tags.last_tag(at.checked_sub(1)?)?;
    // Elements of sitemaps and feeds contain a URL as text.
    let contains_url = match tag.name() {
        b"loc" | b"guid" | b"id" | b"comments" => true,
        b"link" => tag.attributes().next().is_none(),
        _ => false,
    };
    if contains_url && !tag.is_end() {
        return Some(LinkTag::OfPage);
    }
    if at >= tag.range().end || !tag.name().eq_ignore_ascii_case(b"link") {
        return None;
    }
    let relation = &text[tag.value("rel")?];
    let begins = |names: &[&str]| names.iter().any(|name| relation.starts_with(name.as_bytes()));
    if begins(&["preload", "prefetch", "modulepreload"]) {
        return Some(LinkTag::Hint);
    }
    begins(&["alternate", "canonical", "next", "prev"]).then_some(LinkTag::OfPage)
}

#[cfg(test)]
mod tests {
    use super::{LinkTag, TagIndex, link_tag};

    #[test]
    fn recognizes_links_that_generators_write() {
        let kind = |text: &str| {
            text.find('!').and_then(|at| {
                link_tag(
                    text.as_bytes(),
                    &TagIndex::read(text.as_bytes(), sitegate_html::syntax::PageSyntax::Html),
                    at,
                )
            })
        };
        assert!(kind("<link rel=\"preload\" as=image href=\"!x\">") == Some(LinkTag::Hint));
        assert!(kind("<url><loc>!x</loc>") == Some(LinkTag::OfPage));
        assert!(kind("<item><link><![CDATA[!x]]></link>") == Some(LinkTag::OfPage));
        assert!(kind("<b></b><link href=\"!/rel=\" rel=canonical>") == Some(LinkTag::OfPage));
        for other in
            ["<link rel=stylesheet href=!x>", "<a rel=next href=!x>", "<link rel=preload>!", "!", "<link !"]
        {
            assert!(kind(other).is_none(), "{other}");
        }
    }
}
