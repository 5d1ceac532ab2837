//! The marks that generators leave in pages: where an element was written, and where its page is edited.

use std::ops::Range;

use memchr::memmem;

use super::text::decode_references;

/// What a generator says of where an element was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The bytes of its start tag.
    pub tag: Range<usize>,
    /// The file, as it is named; the page's own where there is none.
    pub file: Option<String>,
    /// The lines that it was written on, from 1.
    pub lines: Range<u32>,
    /// The character of the first line that it begins at, from 1, where that is said.
    pub column: Option<u32>,
}

/// The attributes that say so: of `CommonMark`'s reference parsers, pandoc, markdown-it's plugins, and Astro.
const ATTRIBUTES: [&str; 7] = [
    "data-sourcepos",
    "data-pos",
    "data-source-file",
    "data-source-line",
    "data-source-loc",
    "data-astro-source-file",
    "data-astro-source-loc",
];

/// Bytes of a tag that are looked at.
const NEAR: usize = 4_096;

/// The marks of a page, in its order. What is written in comments and scripts as if it was one is told too: whoever asks holds
/// marks to what stands in the source.
pub fn marks(page: &[u8]) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for at in memmem::find_iter(page, b"data-") {
        let Some(name) =
            ATTRIBUTES.iter().filter(|name| is_named(page, at, name)).max_by_key(|name| name.len())
        else {
            continue;
        };
        let Some(value) = value(near(page, at + name.len())) else { continue };
        let before = at.saturating_sub(NEAR);
        let Some(start) = memchr::memrchr(b'<', &page[before..at]).map(|start| before + start) else {
            continue;
        };
        let rest = near(page, at);
        let end = at + memchr::memchr(b'>', rest).map_or(rest.len(), |end| end + 1);
        if marks.last().is_none_or(|last| last.tag.start != start) {
            marks.push(Mark { tag: start..end, ..Mark::default() });
        }
        let Some(mark) = marks.last_mut() else { continue };
        match *name {
            "data-source-file" | "data-astro-source-file" => mark.file = Some(value),
            // pandoc names the file in front of the position.
            name => match value.split_once('@') {
                Some((file, position)) if name == "data-pos" => {
                    mark.file = Some(file.to_owned());
                    mark.place(position);
                }
                _ => mark.place(&value),
            },
        }
    }
    marks.retain(|mark| mark.lines.start > 0);
    marks
}

impl Mark {
    /// Takes a position: `12`, `12:4` or `12:4-13:1`.
    fn place(&mut self, position: &str) {
        let (start, end) = position.split_once('-').unwrap_or((position, ""));
        let number = |text: &str| text.split(':').next().and_then(|line| line.trim().parse::<u32>().ok());
        let Some(first) = number(start).filter(|line| *line > 0) else { return };
        let last = number(end).unwrap_or(first).max(first);
        self.lines = first..last.saturating_add(1);
        self.column = start.split_once(':').and_then(|(_, column)| column.trim().parse().ok());
    }
}

/// The addresses at which a page says that it is edited, as paths: behind `/edit/` of a forge, or `/tree/` where Docusaurus says what
/// the link is for, or below the folder of sources that Sphinx copies beside its pages.
pub fn edited_at(page: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for (sign, is_whole) in [(&b"/edit/"[..], true), (b"/tree/", true), (b"_sources/", false)] {
        for at in memmem::find_iter(page, sign) {
            if sign == b"/tree/" && !is_to_edit(page, at) {
                continue;
            }
            let is_end =
                |byte: &u8| matches!(byte, b'"' | b'\'' | b'>' | b'?' | b'#') || byte.is_ascii_whitespace();
            let rest = &page[at + sign.len()..];
            let Some(end) = rest.iter().take(1_024).position(is_end) else { continue };
            let path = String::from_utf8_lossy(&rest[..end]).into_owned();
            let path = decode_references(&path).into_owned();
            let path = percent_encoding::percent_decode_str(&path).decode_utf8_lossy().into_owned();
            if is_whole {
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

/// Whether a place lies in the tag of a link by which Docusaurus leads to the page's source.
fn is_to_edit(page: &[u8], at: usize) -> bool {
    let before = &page[at.saturating_sub(NEAR)..at];
    let start = at - before.len() + memchr::memrchr(b'<', before).unwrap_or_default();
    let rest = near(page, at);
    let end = at + memchr::memchr(b'>', rest).unwrap_or(rest.len());
    memmem::find(&page[start..end], b"theme-edit-this-page").is_some()
}

fn is_named(page: &[u8], at: usize, name: &str) -> bool {
    let after = page.get(at + name.len());
    page[at..].starts_with(name.as_bytes()) && after.is_some_and(|byte| matches!(byte, b'=' | b' '))
}

/// The text from a place on, as far as a tag may reach.
fn near(page: &[u8], start: usize) -> &[u8] {
    &page[start..page.len().min(start + NEAR)]
}

/// The value of an attribute whose name ends where this begins.
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
    use super::{edited_at, marks};

    #[test]
    fn the_marks_of_generators_are_read() {
        let page = br#"<p data-sourcepos="3:1-4:10">a <b data-pos="guide/a.md@7:2-7:9">b</b></p>
            <i data-astro-source-file="/home/x/src/pages/index.astro" data-astro-source-loc='12:34'>c</i><u data-source-line=9>"#;
        let found = marks(page);
        let told: Vec<_> =
            found.iter().map(|mark| (mark.file.as_deref(), mark.lines.clone(), mark.column)).collect();
        assert_eq!(
            told,
            [
                (None, 3..5, Some(1)),
                (Some("guide/a.md"), 7..8, Some(2)),
                (Some("/home/x/src/pages/index.astro"), 12..13, Some(34)),
                (None, 9..10, None),
            ]
        );
        assert!(marks(b"<p data-sourcepos=x data-source-line=0 data-pos").is_empty());
    }

    #[test]
    fn pages_say_where_they_are_edited() {
        let page = br#"<a href="https://github.com/a/b/edit/main/docs/x%20y.md?plain=1">Edit</a><a href='../_sources/g/i.rst.txt'>"#;
        assert_eq!(edited_at(page), ["g/i.rst", "main/docs/x y.md"]);
        let page = br#"<a href=https://github.com/a/b/tree/main/docs/x.mdx class=theme-edit-this-page>Edit</a><a href="https://github.com/a/b/tree/main/c.md">c</a>"#;
        assert_eq!(edited_at(page), ["main/docs/x.mdx"]);
    }
}
