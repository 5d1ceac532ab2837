//! Whether what stands in a source can be what came out in the export: not so in comments, in examples of code and in running text.

use std::ops::Range;

use memchr::memmem;

use super::forms::is_page_ending;
use super::wanted_words::Occurrence;

/// A source, and the parts of it that do not come out as they are.
pub(super) struct SourceContext<'t> {
    text: &'t [u8],
    /// Whether what is not marked up in it is running text.
    is_prose: bool,
    dead: Vec<Range<usize>>,
}

impl<'t> SourceContext<'t> {
    /// Looks a source through once.
    pub fn of(path: &str, text: &'t [u8]) -> SourceContext<'t> {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        let is_markup =
            matches!(ending.as_str(), "html" | "htm" | "xhtml" | "svg" | "xml" | "vue" | "astro" | "svelte");
        let is_prose = !is_markup && (is_page_ending(&ending) || ending == "txt");
        let mut dead = Vec::new();
        if is_prose {
            fences(text, &mut dead);
        }
        if is_prose || is_markup {
            comments(text, &mut dead);
        }
        dead.sort_unstable_by_key(|range| range.start);
        SourceContext { text, is_prose, dead }
    }

    /// Whether what was found most likely is no more than a mention of what is looked for.
    pub fn is_doubtful(&self, found: &Occurrence, is_value: bool) -> bool {
        let before = self.dead.partition_point(|range| range.start <= found.start);
        // Fences and comments may lie in each other, but never cross.
        let is_dead = self.dead[..before].iter().rev().take(2).any(|range| found.start < range.end);
        let behind = |sign: &[u8]| self.text[..found.start].ends_with(sign);
        let is_stated = behind(b": ") || behind(b":\t");
        let is_attribute =
            behind(b"=") || [&b"=\""[..], b"='", b"={\"", b"={'", b"={`"].iter().any(|sign| behind(sign));
        let is_quoted = behind(b"\"") || behind(b"'") || behind(b"`") && !self.is_prose;
        if is_dead {
            return true;
        }
        if !found.is_reference {
            return is_value && !(is_attribute || is_stated || is_quoted || behind(b"#"));
        }
        let written = &self.text[found.start..found.end];
        let is_plain_word = !written.iter().any(|byte| matches!(byte, b'/' | b'.' | b'#' | b':'));
        let is_absolute = memmem::find(written, b"://").is_some() && !behind(b"`");
        let is_linked = behind(b"](") || behind(b"](<") || behind(b"<") || is_attribute;
        match (self.is_prose, is_plain_word) {
            (true, false) => !(is_linked || is_stated || is_quoted || is_absolute),
            (true, true) => !(is_linked || self.is_definition(found.start)),
            (false, true) => !(is_quoted || is_attribute || is_stated),
            (false, false) => false,
        }
    }

    /// Whether a link is defined here: `[name]: address`.
    fn is_definition(&self, start: usize) -> bool {
        self.text[..start].trim_ascii_end().ends_with(b"]:")
    }
}

/// Blocks of code in Markdown, between lines of three marks.
fn fences(text: &[u8], dead: &mut Vec<Range<usize>>) {
    let mut open: Option<(u8, usize)> = None;
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text).chain([text.len()]) {
        let line = text[start..end].trim_ascii_start();
        let fence = [b'`', b'~'].into_iter().find(|mark| line.starts_with(&[*mark; 3]));
        match (open, fence) {
            (None, Some(mark)) => open = Some((mark, start)),
            (Some((mark, from)), Some(closing)) if mark == closing => {
                dead.push(from..end);
                open = None;
            }
            _ => {}
        }
        start = end + 1;
    }
    dead.extend(open.map(|(_, from)| from..text.len()));
}

fn comments(text: &[u8], dead: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while let Some(start) = memmem::find(&text[at..], b"<!--").map(|start| at + start) {
        let end = memmem::find(&text[start..], b"-->").map_or(text.len(), |end| start + end + 3);
        dead.push(start..end);
        at = end;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Occurrence, SourceContext};

    #[track_caller]
    fn is_doubtful(path: &str, text: &str, written: &str) -> bool {
        let start = text.find(written).unwrap();
        let found = Occurrence { key: 0, start, end: start + written.len(), is_reference: true };
        SourceContext::of(path, text.as_bytes()).is_doubtful(&found, false)
    }

    #[test]
    fn links_are_told_from_mentions() {
        for text in ["[a](/x)", "[a]: /x", "![a](</x>)", "<a href=\"/x\">", "link: /x", "- to: '/x'"] {
            assert!(!is_doubtful("a.md", text, "/x"), "{text}");
        }
        for text in ["see /x there", "`/x`", "```\n[a](/x)\n```\n", "<!-- [a](/x) -->", "~~~\n[a](/x)"] {
            assert!(is_doubtful("a.md", text, "/x"), "{text}");
        }
        assert!(!is_doubtful("a.md", "```\n```\n[a](/x)", "/x"));
        assert!(!is_doubtful("a.md", "see https://e.org/x there", "https://e.org/x"));
        assert!(!is_doubtful("a.ts", "to: `/x`", "/x"));
        assert!(is_doubtful("a.ts", "const setup = 1", "setup"));
        assert!(!is_doubtful("a.ts", "href: 'setup'", "setup"));
        assert!(is_doubtful("a.md", "the \"setup\" of it", "setup"));
        assert!(!is_doubtful("a.md", "[a](setup)", "setup"));
    }
}
