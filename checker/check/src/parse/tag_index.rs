//! The tags and the comments of a document, by location: one reading for all who ask what is at an offset. Also the marks
//! of generators in them: the source position of an element, and the source path of the page.

use std::ops::Range;

use memchr::memmem;

use super::html_text::decode_references;
use sitegate_html::attributes::{AttributeAt, attributes, decoded_value, find_attribute};
use sitegate_html::element::Namespace;
use sitegate_html::syntax::PageSyntax;
use sitegate_html::tag_reader::{TagReader, TagSink};
use sitegate_html::tokenizer::Tag;

/// The tags of a document, and its comments.
#[derive(Default)]
pub(crate) struct TagIndex<'t> {
    text: &'t [u8],
    tags: Vec<Tag>,
    comments: Vec<Range<usize>>,
}

impl<'t> TagIndex<'t> {
    /// Reads a document. The content of `noscript` is markup, as for most rules.
    pub fn read(text: &'t [u8], syntax: PageSyntax) -> Self {
        let mut index = TagIndex { text, ..TagIndex::default() };
        let mut attributes = Vec::new();
        let mut reader = TagReader::<false>::new(text, false).with_syntax(syntax);
        while reader.next(&mut attributes, &mut index).is_some() {}
        index
    }

    /// Returns all tags, in order.
    pub fn tags(&self) -> impl Iterator<Item = IndexedTag<'_>> {
        self.tags.iter().map(|tag| IndexedTag { text: self.text, tag })
    }

    /// Returns the last tag that begins before an offset, or at it.
    pub fn last_tag(&self, at: usize) -> Option<IndexedTag<'_>> {
        let index = self.tags.partition_point(|tag| tag.range.start <= at).checked_sub(1)?;
        Some(IndexedTag { text: self.text, tag: &self.tags[index] })
    }

    /// Returns the start tag at an offset.
    pub fn start_tag(&self, at: usize) -> Option<IndexedTag<'_>> {
        self.last_tag(at).filter(|found| found.tag.range.start == at && !found.is_end())
    }

    /// Returns the comment that contains an offset, if it is closed.
    pub fn comment(&self, at: usize) -> Option<Range<usize>> {
        let index = self.comments.partition_point(|comment| comment.start <= at).checked_sub(1)?;
        let comment = self.comments[index].clone();
        let text = &self.text[comment.clone()];
        (at < comment.end && text.starts_with(b"<!--") && text.ends_with(b"-->")).then_some(comment)
    }
}

/// A tag of a [`TagIndex`].
#[derive(Clone, Copy)]
pub(crate) struct IndexedTag<'i> {
    text: &'i [u8],
    tag: &'i Tag,
}

impl<'i> IndexedTag<'i> {
    /// Returns its range, from `<` to `>`.
    pub fn range(self) -> Range<usize> {
        self.tag.range.clone()
    }

    /// Whether it is an end tag.
    pub fn is_end(self) -> bool {
        self.tag.name_range.start > self.tag.range.start + 1
    }

    /// Returns its name as written.
    pub fn name(self) -> &'i [u8] {
        &self.text[self.tag.name_range.clone()]
    }

    /// Returns its attributes as written.
    pub fn attributes(self) -> impl Iterator<Item = AttributeAt> {
        attributes(self.text, self.tag.name_range.end)
    }

    /// Returns the place of an attribute's value, without quotes; `None` without `=`.
    pub fn value(self, name: &str) -> Option<Range<usize>> {
        find_attribute(self.text, self.tag.name_range.end, name.as_bytes())?.value
    }
}

impl TagSink for TagIndex<'_> {
    fn tag(&mut self, tag: &Tag, _: Namespace) {
        self.tags.push(tag.clone());
    }

    fn comment(&mut self, range: Range<usize>) {
        self.comments.push(range);
    }
}

/// The source position of an element, from its attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourcePosition {
    /// The bytes of its start tag.
    pub tag: Range<usize>,
    /// The file as named; `None` for the page's own source.
    pub file: Option<String>,
    /// The lines of the element, from 1.
    pub lines: Range<u32>,
    /// The column on the first line, from 1, if it is given.
    pub column: Option<u32>,
}

/// Attributes with positions: of `CommonMark`'s reference parsers, pandoc, markdown-it's plugins, and Astro.
const ATTRIBUTES: [&str; 7] = [
    "data-sourcepos",
    "data-pos",
    "data-source-file",
    "data-source-line",
    "data-source-loc",
    "data-astro-source-file",
    "data-astro-source-loc",
];

/// Returns the source positions in a page, in order.
pub(crate) fn source_positions(page: &[u8], tags: &TagIndex<'_>) -> Vec<SourcePosition> {
    let mut positions = Vec::new();
    if memmem::find(page, b"data-").is_none() {
        return positions;
    }
    for tag in tags.tags().filter(|tag| !tag.is_end()) {
        let mut position = SourcePosition { tag: tag.range(), ..SourcePosition::default() };
        for attribute in tag.attributes() {
            let is_named = |name: &&&str| page[attribute.name.clone()].eq_ignore_ascii_case(name.as_bytes());
            let (Some(name), Some(value)) = (ATTRIBUTES.iter().find(is_named), attribute.value) else {
                continue;
            };
            let value = decoded_value(&page[value]);
            match *name {
                "data-source-file" | "data-astro-source-file" => position.file = Some(value.into_owned()),
                // pandoc writes the file before the position.
                name => match value.split_once('@') {
                    Some((file, text)) if name == "data-pos" => {
                        position.file = Some(file.to_owned());
                        position.set(text);
                    }
                    _ => position.set(&value),
                },
            }
        }
        if position.lines.start > 0 {
            positions.push(position);
        }
    }
    positions
}

impl SourcePosition {
    /// Sets the position from `12`, `12:4` or `12:4-13:1`.
    fn set(&mut self, text: &str) {
        let (start, end) = text.split_once('-').unwrap_or((text, ""));
        let number = |part: &str| part.split(':').next().and_then(|line| line.trim().parse::<u32>().ok());
        let Some(first) = number(start).filter(|line| *line > 0) else { return };
        let last = number(end).unwrap_or(first).max(first);
        self.lines = first..last.saturating_add(1);
        self.column = start.split_once(':').and_then(|(_, column)| column.trim().parse().ok());
    }
}

/// Returns the source paths in the edit links of a page: after `/edit/` of a forge, after `/tree/` in edit links of
/// Docusaurus, or below the folder of sources that Sphinx copies next to its pages.
pub(crate) fn edit_paths(page: &[u8], tags: &TagIndex<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for (marker, is_page) in [(&b"/edit/"[..], true), (b"/tree/", true), (b"_sources/", false)] {
        for at in memmem::find_iter(page, marker) {
            if marker == b"/tree/" && !is_edit_link(page, tags, at) {
                continue;
            }
            let is_end =
                |byte: &u8| matches!(byte, b'"' | b'\'' | b'>' | b'?' | b'#') || byte.is_ascii_whitespace();
            let rest = &page[at + marker.len()..];
            let Some(end) = rest.iter().take(1_024).position(is_end) else { continue };
            let path = String::from_utf8_lossy(&rest[..end]).into_owned();
            let path = decode_references(&path).into_owned();
            let path = sitegate_address::percent::decode_lossy(&path).into_owned();
            if is_page {
                found.push(path);
            } else {
                found.extend(path.strip_suffix(".txt").map(str::to_owned));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Whether an offset is in the tag of an edit link of Docusaurus.
fn is_edit_link(page: &[u8], tags: &TagIndex<'_>, at: usize) -> bool {
    let tag = tags.last_tag(at).map(IndexedTag::range).filter(|tag| at < tag.end);
    tag.is_some_and(|tag| memmem::find(&page[tag], b"theme-edit-this-page").is_some())
}

#[cfg(test)]
mod tests {
    use super::{SourcePosition, TagIndex};
    use sitegate_html::syntax::PageSyntax;

    #[test]
    fn finds_what_is_at_an_offset() {
        let text = "<!doctype html><p id=a>b<!-- c --><noscript><img src='d'></noscript><script>'<i>'</script><!-- e";
        let index = TagIndex::read(text.as_bytes(), PageSyntax::Html);
        let at = |part: &str| text.find(part).unwrap_or_default();
        let comment = index.comment(at("c --")).map(|range| &text[range]);
        assert_eq!(comment, Some("<!-- c -->"));
        assert_eq!(
            [index.comment(at("b<")), index.comment(at("e")), index.comment(text.len() - 1)],
            [None, None, None]
        );
        let value = |part: &str, name: &str| index.start_tag(at(part))?.value(name).map(|range| &text[range]);
        assert_eq!(value("<p", "ID"), Some("a"));
        assert_eq!(value("<img", "src"), Some("d"));
        assert!(index.start_tag(at("<i>")).is_none() && index.start_tag(at("</script>")).is_none());
        assert_eq!(index.last_tag(at("<i>")).map(super::IndexedTag::name), Some(&b"script"[..]));
        assert_eq!(index.tags().count(), 6);
    }

    fn source_positions(page: &[u8]) -> Vec<SourcePosition> {
        super::source_positions(page, &TagIndex::read(page, PageSyntax::Html))
    }

    fn edit_paths(page: &[u8]) -> Vec<String> {
        super::edit_paths(page, &TagIndex::read(page, PageSyntax::Html))
    }

    #[test]
    fn reads_the_positions_of_generators() {
        let page = br#"<p data-sourcepos="3:1-4:10">a <b data-pos="guide/a.md@7:2-7:9">b</b></p>
            <i data-astro-source-file="/home/x/src/pages/index.astro" data-astro-source-loc='12:34'>c</i><u data-source-line=9>"#;
        let found = source_positions(page);
        let positions: Vec<_> = found
            .iter()
            .map(|position| (position.file.as_deref(), position.lines.clone(), position.column))
            .collect();
        assert_eq!(
            positions,
            [
                (None, 3..5, Some(1)),
                (Some("guide/a.md"), 7..8, Some(2)),
                (Some("/home/x/src/pages/index.astro"), 12..13, Some(34)),
                (None, 9..10, None),
            ]
        );
        assert!(source_positions(b"<p data-sourcepos=x data-source-line=0 data-pos").is_empty());
    }

    #[test]
    fn finds_the_source_paths_of_edit_links() {
        let page = br#"<a href="https://github.com/a/b/edit/main/docs/x%20y.md?plain=1">Edit</a><a href='../_sources/g/i.rst.txt'>"#;
        assert_eq!(edit_paths(page), ["g/i.rst", "main/docs/x y.md"]);
        let docusaurus_page = br#"<a href=https://github.com/a/b/tree/main/docs/x.mdx class=theme-edit-this-page>Edit</a><a href="https://github.com/a/b/tree/main/c.md">c</a>"#;
        assert_eq!(edit_paths(docusaurus_page), ["main/docs/x.mdx"]);
    }
}
