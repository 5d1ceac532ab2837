//! Parses the marks of generators in pages: the source position of an element, and the source path of the page.

use std::ops::Range;

use memchr::memmem;

use super::character_references::decode_references;

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

/// Maximum length of a tag.
const MAX_TAG: usize = 4_096;

/// Returns the source positions in a page, in order. May include text in comments and scripts that looks like one: the
/// caller must compare positions with the source.
pub fn source_positions(page: &[u8]) -> Vec<SourcePosition> {
    let mut positions: Vec<SourcePosition> = Vec::new();
    for at in memmem::find_iter(page, b"data-") {
        let Some(name) =
            ATTRIBUTES.iter().filter(|name| is_named(page, at, name)).max_by_key(|name| name.len())
        else {
            continue;
        };
        let Some(value) = value(text_from(page, at + name.len())) else { continue };
        let before = at.saturating_sub(MAX_TAG);
        let Some(start) = memchr::memrchr(b'<', &page[before..at]).map(|start| before + start) else {
            continue;
        };
        let rest = text_from(page, at);
        let end = at + memchr::memchr(b'>', rest).map_or(rest.len(), |end| end + 1);
        if positions.last().is_none_or(|last| last.tag.start != start) {
            positions.push(SourcePosition { tag: start..end, ..SourcePosition::default() });
        }
        let Some(position) = positions.last_mut() else { continue };
        match *name {
            "data-source-file" | "data-astro-source-file" => position.file = Some(value),
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
    positions.retain(|position| position.lines.start > 0);
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
pub fn edit_paths(page: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for (marker, is_page) in [(&b"/edit/"[..], true), (b"/tree/", true), (b"_sources/", false)] {
        for at in memmem::find_iter(page, marker) {
            if marker == b"/tree/" && !is_edit_link(page, at) {
                continue;
            }
            let is_end =
                |byte: &u8| matches!(byte, b'"' | b'\'' | b'>' | b'?' | b'#') || byte.is_ascii_whitespace();
            let rest = &page[at + marker.len()..];
            let Some(end) = rest.iter().take(1_024).position(is_end) else { continue };
            let path = String::from_utf8_lossy(&rest[..end]).into_owned();
            let path = decode_references(&path).into_owned();
            let path = percent_encoding::percent_decode_str(&path).decode_utf8_lossy().into_owned();
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
fn is_edit_link(page: &[u8], at: usize) -> bool {
    let before = &page[at.saturating_sub(MAX_TAG)..at];
    let start = at - before.len() + memchr::memrchr(b'<', before).unwrap_or_default();
    let rest = text_from(page, at);
    let end = at + memchr::memchr(b'>', rest).unwrap_or(rest.len());
    memmem::find(&page[start..end], b"theme-edit-this-page").is_some()
}

fn is_named(page: &[u8], at: usize, name: &str) -> bool {
    let after = page.get(at + name.len());
    page[at..].starts_with(name.as_bytes()) && after.is_some_and(|byte| matches!(byte, b'=' | b' '))
}

/// Returns the text at an offset, up to the maximum length of a tag.
fn text_from(page: &[u8], start: usize) -> &[u8] {
    &page[start..page.len().min(start + MAX_TAG)]
}

/// Returns the value of an attribute whose name ends at the start of the text.
fn value(rest: &[u8]) -> Option<String> {
    let rest = rest.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (value, _) = if let quote @ (b'"' | b'\'') = rest.first()? {
        let length = memchr::memchr(*quote, &rest[1..])?;
        (&rest[1..=length], length)
    } else {
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
        let length = rest.iter().position(is_end)?;
        (&rest[..length], length)
    };
    Some(decode_references(&String::from_utf8_lossy(value)).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{edit_paths, source_positions};

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
