//! Parses the marks of generators in pages: the source position of an element, and the source path of the page.

use std::ops::Range;

use memchr::memmem;

use sitegate_html::attributes::decoded_value;

use super::html_text::decode_references;
use super::tag_index::{IndexedTag, TagIndex};

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
    use sitegate_html::syntax::PageSyntax;

    use super::{SourcePosition, TagIndex};

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
