//! Finds the ranges of sources that are not exported as they are: comments and code examples.

use std::ops::Range;

use memchr::memmem;

use super::forms::is_page_extension;
use crate::generator::GENERATORS;

/// The kind of text in a source, by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// Tags and text.
    Markup,
    /// Markdown and similar formats.
    Prose,
    /// reStructuredText.
    Restructured,
    /// Scripts, data and other formats.
    Other,
}

impl TextKind {
    pub fn of_path(path: &str) -> TextKind {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
        match extension.as_str() {
            "html" | "htm" | "xhtml" | "svg" | "xml" | "vue" | "astro" | "svelte" => TextKind::Markup,
            "rst" | "txt" => TextKind::Restructured,
            extension if is_page_extension(extension) => TextKind::Prose,
            _ => TextKind::Other,
        }
    }
}

/// Returns the ignored ranges of a text, sorted and disjoint.
pub(crate) fn ignored_ranges(kind: TextKind, text: &[u8]) -> Vec<Range<usize>> {
    let mut ignored = Vec::new();
    match kind {
        TextKind::Other => {}
        TextKind::Markup => comments(text, &mut ignored),
        TextKind::Prose => {
            code_fences(text, &mut ignored);
            comments(text, &mut ignored);
            inline_code(text, false, &mut ignored);
        }
        TextKind::Restructured => {
            indented_blocks(text, &mut ignored);
            inline_code(text, true, &mut ignored);
        }
    }
    ignored.sort_unstable_by_key(|range| range.start);
    ignored.dedup_by(|next, before| {
        let is_within = next.start < before.end;
        before.end = if is_within { before.end.max(next.end) } else { before.end };
        is_within
    });
    ignored
}

/// Returns the lines of a text, without line ends.
fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    memchr::memchr_iter(b'\n', text).chain([text.len()]).map(move |end| {
        let line = start..end;
        start = end + 1;
        line
    })
}

/// Adds fenced code blocks of Markdown.
fn code_fences(text: &[u8], ignored: &mut Vec<Range<usize>>) {
    let mut open: Option<(u8, usize)> = None;
    for Range { start, end } in lines(text) {
        let line = text[start..end].trim_ascii_start();
        let fence = [b'`', b'~'].into_iter().find(|mark| line.starts_with(&[*mark; 3]));
        match (open, fence) {
            (None, Some(mark)) => open = Some((mark, start)),
            (Some((mark, from)), Some(closing)) if mark == closing => {
                ignored.push(from..end);
                open = None;
            }
            _ => {}
        }
    }
    ignored.extend(open.map(|(_, from)| from..text.len()));
}

fn comments(text: &[u8], ignored: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while let Some(start) = memmem::find(&text[at..], b"<!--").map(|start| at + start) {
        let end = memmem::find(&text[start..], b"-->").map_or(text.len(), |end| start + end + 3);
        ignored.push(start..end);
        at = end;
    }
}

/// Adds inline code: between the same number of backquotes, or in reStructuredText between two.
fn inline_code(text: &[u8], is_restructured: bool, ignored: &mut Vec<Range<usize>>) {
    for Range { start, end } in lines(text) {
        let mut at = start;
        let mut open: Option<(usize, usize)> = None;
        while let Some(found) = memchr::memchr(b'`', &text[at..end]).map(|found| at + found) {
            let count = text[found..end].iter().take_while(|byte| **byte == b'`').count();
            at = found + count;
            // A template literal in an expression, as in `href={`/x`}`, is not inline code.
            let is_text = found > start && matches!(text[found - 1], b'{' | b'=');
            match open {
                Some((from, opened)) if opened == count => {
                    ignored.push(from..at);
                    open = None;
                }
                None if !is_text && (count == 2 || !is_restructured) => open = Some((found, count)),
                _ => {}
            }
        }
    }
}

/// Adds blocks of reStructuredText that are code or comments: lines that are indented more than the line that begins
/// the block.
fn indented_blocks(text: &[u8], ignored: &mut Vec<Range<usize>>) {
    // The open block: the indentation of its first line, and its start.
    let mut open: Option<(usize, usize)> = None;
    for Range { start, end } in lines(text) {
        let line = text[start..end].trim_ascii();
        if line.is_empty() {
            continue;
        }
        let depth = text[start..end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        match open.take() {
            Some((above, from)) if depth > above => {
                open = Some((above, from));
                continue;
            }
            Some((_, from)) => ignored.push(from..start),
            None => {}
        }
        open = match line.strip_prefix(b"..") {
            Some(rest) => match explicit_kind(rest) {
                Explicit::Comment => Some((depth, start)),
                Explicit::Code => Some((depth, end)),
                Explicit::Other => None,
            },
            None => line.ends_with(b"::").then_some((depth, end)),
        };
    }
    ignored.extend(open.map(|(_, from)| from..text.len()));
}

/// The kinds of explicit markup, which begins with two dots.
enum Explicit {
    Comment,
    Code,
    Other,
}

fn explicit_kind(rest: &[u8]) -> Explicit {
    let text = rest.trim_ascii_start();
    if text.len() == rest.len() {
        return if rest.is_empty() { Explicit::Comment } else { Explicit::Other };
    }
    // Targets, footnotes, substitutions.
    if matches!(text.first(), Some(b'_' | b'[' | b'|')) {
        return Explicit::Other;
    }
    let is_code = |name| GENERATORS.iter().any(|generator| generator.code_directives.contains(&name));
    match memmem::find(text, b"::").map(|end| &text[..end]) {
        Some(name) if is_code(name) => Explicit::Code,
        Some(name) if name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_:.+".contains(byte)) => {
            Explicit::Other
        }
        _ => Explicit::Comment,
    }
}

#[cfg(test)]
mod tests {
    use super::{TextKind, ignored_ranges};

    /// Returns the ignored ranges of a text, separated by `|`.
    fn ignored(path: &str, text: &str) -> String {
        let parts = ignored_ranges(TextKind::of_path(path), text.as_bytes());
        parts.into_iter().map(|part| text[part].trim().to_owned()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn finds_indented_code_and_comments_of_restructured_text() {
        assert_eq!(ignored("a.rst", "Title\n~~~~~\n\na\n\n```\nb\n~~~\n"), "");
        assert_eq!(ignored("a.rst", "So::\n\n  code\n\n    more\n\ntext\n"), "code\n\n    more");
        assert_eq!(ignored("a.txt", ".. code-block:: sh\n   :a: b\n\n   code\ntext"), ":a: b\n\n   code");
        assert_eq!(
            ignored("a.rst", ".. a comment\n   and more\n.. _x: /y\n.. note:: `a </b>`_\n   text\n..\n  c"),
            ".. a comment\n   and more|..\n  c"
        );
        assert_eq!(
            ignored(
                "a.rst",
                ".. |x| image:: y.png\n.. [1] a\n.. py:function:: a\n\n   text ``code`` `a </b>`__ ``c``"
            ),
            "``code``|``c``"
        );
        assert_eq!(ignored("a.rst", "- a::\n\n    code\n- b"), "code");
    }

    #[test]
    fn finds_code_of_markdown() {
        assert_eq!(ignored("a.md", "a `b` ``c`d`` [e](/f) `g"), "`b`|``c`d``");
        assert_eq!(ignored("a.mdx", "<a href={`/b`}>"), "");
        assert_eq!(ignored("a.md", "<!-- `a` -->"), "<!-- `a` -->");
        assert_eq!(ignored("a.ts", "`a`"), "");
    }
}
