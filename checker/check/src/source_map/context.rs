//! Decides whether an occurrence in a source can be the origin of exported text, or is a mention: in comments, in code
//! examples and in prose.

use std::ops::Range;

use memchr::memmem;

use super::ignored_ranges::{TextKind, ignored_ranges};
use super::link_definitions::DefinitionUses;
use super::needles::Occurrence;
use crate::parse::inline_ignores::IGNORE;

/// A source, and the ranges of it that are not exported.
pub(super) struct SourceContext<'t> {
    text: &'t [u8],
    kind: TextKind,
    ignored: Vec<Range<usize>>,
    /// Uses of its link definitions, counted on demand.
    uses: Option<DefinitionUses>,
}

impl<'t> SourceContext<'t> {
    /// Analyzes a source.
    pub fn new(path: &str, text: &'t [u8]) -> SourceContext<'t> {
        let kind = TextKind::of_path(path);
        SourceContext { text, kind, ignored: ignored_ranges(kind, text), uses: None }
    }

    /// Returns how often pages show a reference in other locations than its own. A definition is shown as often as its
    /// name is used, and a footnote once. Returns `None` for other references.
    pub fn uses(&mut self, found: &Occurrence) -> Option<u32> {
        let line = self.text[..found.start].rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = line.trim_ascii_start();
        match self.kind {
            TextKind::Prose if line.starts_with(b"[^") => return Some(1),
            TextKind::Restructured if line.starts_with(b".. [") => return Some(1),
            TextKind::Prose | TextKind::Restructured => {}
            TextKind::Markup | TextKind::Other => return None,
        }
        if !found.is_reference || !self.is_definition(found.start) {
            return None;
        }
        let uses = self.uses.get_or_insert_with(|| DefinitionUses::count(self.kind, self.text));
        uses.uses_of_definition(self.kind, self.text, found.start).map(|uses| uses as u32)
    }

    /// Whether an occurrence is probably only a mention of the needle.
    pub fn is_mention(&self, found: &Occurrence, is_value: bool) -> bool {
        let before = self.ignored.partition_point(|range| range.start <= found.start);
        let ignored = self.ignored[..before].last().filter(|range| found.start < range.end);
        let is_prose = matches!(self.kind, TextKind::Prose | TextKind::Restructured);
        let follows = |prefix: &[u8]| self.text[..found.start].ends_with(prefix);
        let is_stated = follows(b": ") || follows(b":\t");
        let is_attribute = follows(b"=")
            || [&b"=\""[..], b"='", b"={\"", b"={'", b"={`"].iter().any(|prefix| follows(prefix));
        let is_quoted = follows(b"\"") || follows(b"'") || follows(b"`") && !is_prose;
        if let Some(ignored) = ignored {
            // A finding may be about an ignore, which is in a comment.
            let starts = |at: usize, prefix: &str| self.text[at..].starts_with(prefix.as_bytes());
            return !(starts(found.start, IGNORE) && starts(ignored.start, "<!--"));
        }
        if !found.is_reference {
            return is_value && !(is_attribute || is_stated || is_quoted || follows(b"#"));
        }
        let written = &self.text[found.start..found.end];
        let is_plain_word = !written.iter().any(|byte| matches!(byte, b'/' | b'.' | b'#' | b':'));
        let is_absolute = memmem::find(written, b"://").is_some() && !follows(b"`");
        let is_linked = follows(b"](") || follows(b"](<") || follows(b"<") || is_attribute;
        match (is_prose, is_plain_word) {
            (true, false) => !(is_linked || is_stated || is_quoted || is_absolute),
            (true, true) => !(is_linked || self.is_definition(found.start)),
            (false, true) => !(is_quoted || is_attribute || is_stated),
            (false, false) => false,
        }
    }

    /// Whether this is a link definition: `[name]: url` or `.. _name: url`.
    fn is_definition(&self, start: usize) -> bool {
        let before = self.text[..start].trim_ascii_end();
        before.ends_with(b"]:") || self.kind == TextKind::Restructured && before.ends_with(b":")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Occurrence, SourceContext};

    #[track_caller]
    fn is_mention(path: &str, text: &str, written: &str) -> bool {
        let start = text.find(written).unwrap();
        let found = Occurrence { key: 0, start, end: start + written.len(), is_reference: true };
        SourceContext::new(path, text.as_bytes()).is_mention(&found, false)
    }

    #[test]
    fn distinguishes_links_from_mentions() {
        for text in ["[a](/x)", "[a]: /x", "![a](</x>)", "<a href=\"/x\">", "link: /x", "- to: '/x'"] {
            assert!(!is_mention("a.md", text, "/x"), "{text}");
        }
        for text in ["see /x there", "`/x`", "```\n[a](/x)\n```\n", "<!-- [a](/x) -->", "~~~\n[a](/x)"] {
            assert!(is_mention("a.md", text, "/x"), "{text}");
        }
        assert!(!is_mention("a.md", "```\n```\n[a](/x)", "/x"));
        assert!(!is_mention("a.md", "see https://e.org/x there", "https://e.org/x"));
        assert!(!is_mention("a.ts", "to: `/x`", "/x"));
        assert!(is_mention("a.ts", "const setup = 1", "setup"));
        assert!(!is_mention("a.ts", "href: 'setup'", "setup"));
        assert!(is_mention("a.md", "the \"setup\" of it", "setup"));
        assert!(!is_mention("a.md", "[a](setup)", "setup"));
    }
}
