//! Whether what stands in a source can be what came out in the export: not so in comments, in examples of code and in running text.

use std::ops::Range;

use memchr::memmem;

use super::ignored_ranges::{TextKind, ignored_ranges};
use super::link_definitions::DefinitionUses;
use super::needles::Occurrence;

/// A source, and the parts of it that do not come out as they are.
pub(super) struct SourceContext<'t> {
    text: &'t [u8],
    kind: TextKind,
    ignored: Vec<Range<usize>>,
    /// How often it uses what it defines, once that was asked for.
    uses: Option<DefinitionUses>,
}

impl<'t> SourceContext<'t> {
    /// Looks a source through once.
    pub fn of(path: &str, text: &'t [u8]) -> SourceContext<'t> {
        let kind = TextKind::of(path);
        SourceContext { text, kind, ignored: ignored_ranges(kind, text), uses: None }
    }

    /// How often pages show a reference elsewhere than where it stands: as often as its name is used, where it has one, and once where it is
    /// in a footnote.
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
        let uses = self.uses.get_or_insert_with(|| DefinitionUses::of(self.kind, self.text));
        uses.defined_at(self.kind, self.text, found.start).map(|uses| uses as u32)
    }

    /// Whether what was found most likely is no more than a mention of what is looked for.
    pub fn is_mention(&self, found: &Occurrence, is_value: bool) -> bool {
        let before = self.ignored.partition_point(|range| range.start <= found.start);
        let is_ignored = self.ignored[..before].last().is_some_and(|range| found.start < range.end);
        let is_prose = matches!(self.kind, TextKind::Prose | TextKind::Restructured);
        let behind = |sign: &[u8]| self.text[..found.start].ends_with(sign);
        let is_stated = behind(b": ") || behind(b":\t");
        let is_attribute =
            behind(b"=") || [&b"=\""[..], b"='", b"={\"", b"={'", b"={`"].iter().any(|sign| behind(sign));
        let is_quoted = behind(b"\"") || behind(b"'") || behind(b"`") && !is_prose;
        if is_ignored {
            return true;
        }
        if !found.is_reference {
            return is_value && !(is_attribute || is_stated || is_quoted || behind(b"#"));
        }
        let written = &self.text[found.start..found.end];
        let is_plain_word = !written.iter().any(|byte| matches!(byte, b'/' | b'.' | b'#' | b':'));
        let is_absolute = memmem::find(written, b"://").is_some() && !behind(b"`");
        let is_linked = behind(b"](") || behind(b"](<") || behind(b"<") || is_attribute;
        match (is_prose, is_plain_word) {
            (true, false) => !(is_linked || is_stated || is_quoted || is_absolute),
            (true, true) => !(is_linked || self.is_definition(found.start)),
            (false, true) => !(is_quoted || is_attribute || is_stated),
            (false, false) => false,
        }
    }

    /// Whether a link is defined here: `[name]: address` or `.. _name: address`.
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
        SourceContext::of(path, text.as_bytes()).is_mention(&found, false)
    }

    #[test]
    fn links_are_told_from_mentions() {
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
