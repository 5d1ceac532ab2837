//! The parts of texts that do not come out as they are: comments, and examples of code.

use std::ops::Range;

use memchr::memmem;

use super::forms::is_page_ending;
use crate::generator::GENERATORS;

/// What kind of text a source is, by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    /// Tags, and what is between them.
    Markup,
    /// Markdown and its like.
    Prose,
    /// reStructuredText.
    Restructured,
    /// Scripts, data and all else.
    Other,
}

impl TextKind {
    pub fn of(path: &str) -> TextKind {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        match ending.as_str() {
            "html" | "htm" | "xhtml" | "svg" | "xml" | "vue" | "astro" | "svelte" => TextKind::Markup,
            "rst" | "txt" => TextKind::Restructured,
            ending if is_page_ending(ending) => TextKind::Prose,
            _ => TextKind::Other,
        }
    }
}

/// Those parts of a text, in order, and none within another.
pub(super) fn ignored_ranges(kind: TextKind, text: &[u8]) -> Vec<Range<usize>> {
    let mut ignored = Vec::new();
    match kind {
        TextKind::Other => {}
        TextKind::Markup => comments(text, &mut ignored),
        TextKind::Prose => {
            fences(text, &mut ignored);
            comments(text, &mut ignored);
            spans(text, false, &mut ignored);
        }
        TextKind::Restructured => {
            blocks(text, &mut ignored);
            spans(text, true, &mut ignored);
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

/// The lines of a text, without their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    memchr::memchr_iter(b'\n', text).chain([text.len()]).map(move |end| {
        let line = start..end;
        start = end + 1;
        line
    })
}

/// Blocks of code in Markdown, between lines of three marks.
fn fences(text: &[u8], ignored: &mut Vec<Range<usize>>) {
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

/// Code within a line: between the same number of backquotes, or in reStructuredText between two.
fn spans(text: &[u8], is_restructured: bool, ignored: &mut Vec<Range<usize>>) {
    for Range { start, end } in lines(text) {
        let mut at = start;
        let mut open: Option<(usize, usize)> = None;
        while let Some(found) = memchr::memchr(b'`', &text[at..end]).map(|found| at + found) {
            let count = text[found..end].iter().take_while(|byte| **byte == b'`').count();
            at = found + count;
            // A template's text in an expression, as in `href={`/x`}`, is none.
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

/// Blocks of reStructuredText that are code or comments: what is further in than the line above that says so.
fn blocks(text: &[u8], ignored: &mut Vec<Range<usize>>) {
    // Of the block that is open: how far in the line above is, and where it begins.
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
            Some(rest) => match explicit(rest) {
                Explicit::Comment => Some((depth, start)),
                Explicit::Code => Some((depth, end)),
                Explicit::Other => None,
            },
            None => line.ends_with(b"::").then_some((depth, end)),
        };
    }
    ignored.extend(open.map(|(_, from)| from..text.len()));
}

/// What begins with two dots.
enum Explicit {
    Comment,
    Code,
    Other,
}

fn explicit(rest: &[u8]) -> Explicit {
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

    /// The parts of a text that are ignored, with `|` between them.
    fn ignored(path: &str, text: &str) -> String {
        let parts = ignored_ranges(TextKind::of(path), text.as_bytes());
        parts.into_iter().map(|part| text[part].trim().to_owned()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn code_and_comments_of_restructured_text_are_what_is_further_in() {
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
    fn code_of_markdown_is_between_backquotes() {
        assert_eq!(ignored("a.md", "a `b` ``c`d`` [e](/f) `g"), "`b`|``c`d``");
        assert_eq!(ignored("a.mdx", "<a href={`/b`}>"), "");
        assert_eq!(ignored("a.md", "<!-- `a` -->"), "<!-- `a` -->");
        assert_eq!(ignored("a.ts", "`a`"), "");
    }
}
