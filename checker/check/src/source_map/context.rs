//! Decides whether an occurrence in a source can be the origin of exported text, or is a mention: in comments, in code
//! examples and in prose.

use sitegate_address::SitePath;
use sitegate_address::extension::is_document_extension;
use sitegate_sources::{Manner, SourceFormat, SourceOptions, SourceScan, scan};

use super::needles::Occurrence;
use crate::parse::inline_ignores::IGNORE;

/// A source, and its references.
pub(super) struct SourceContext<'t> {
    text: &'t [u8],
    markup: MarkupKind,
    scan: SourceScan<'t>,
}

/// The role of an occurrence in its source. If a needle has occurrences of several roles, only those of the highest count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OccurrenceRole {
    /// It is in a comment, in code or in prose, and probably not exported as it is.
    Mention,
    /// It is exported, or a value that code may use.
    Text,
    /// The syntax makes it a reference.
    Link,
}

/// The name of a tag up to its eighth byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TagName([u8; 8]);

impl TagName {
    /// A component, or a syntax such as a link of Markdown, which may become any element.
    const COMPONENT: TagName = TagName([0; 8]);

    pub fn new(name: &[u8]) -> TagName {
        if name.iter().any(|byte| byte.is_ascii_uppercase() || matches!(byte, b'-' | b'.')) {
            return TagName::COMPONENT;
        }
        let mut bytes = [0; 8];
        bytes.iter_mut().zip(name).for_each(|(byte, letter)| *byte = *letter);
        TagName(bytes)
    }

    /// Whether a tag of a source may become an element with this name.
    pub fn may_become(self, element: TagName) -> bool {
        self == element || self == TagName::COMPONENT
    }
}

/// The tag at an occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HitTag {
    pub name: TagName,
    /// Whether its URL is written in it, rather than computed.
    pub has_url: bool,
}

/// What decides about an occurrence of a reference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MarkupKind {
    /// The format has a syntax for references, and the scan finds all of them.
    Complete,
    /// Code computes references in ways that no scan follows: data, scripts, templates.
    Computed,
    /// A text format that has no scan, such as `AsciiDoc`.
    UnknownText,
}

impl MarkupKind {
    fn of(path: &str, text: &str) -> MarkupKind {
        use SourceFormat::{Css, Html, Json, Markdown, Mdx, Python, Redirects, Restructured};
        use SourceFormat::{Script, Template, Toml, Yaml};
        match SourceFormat::of(path, text) {
            Some(Markdown | Mdx | Restructured | Html | Css | Redirects) => MarkupKind::Complete,
            Some(Template | Json | Yaml | Toml | Script | Python) => MarkupKind::Computed,
            None => {
                let is_document = SitePath::new(path).extension().is_some_and(is_document_extension);
                if is_document { MarkupKind::UnknownText } else { MarkupKind::Computed }
            }
        }
    }
}

impl<'t> SourceContext<'t> {
    /// Analyzes a source.
    pub fn new(path: &str, text: &'t [u8]) -> SourceContext<'t> {
        match std::str::from_utf8(text) {
            Ok(utf8) => {
                let scan = scan(path, utf8, SourceOptions::default());
                SourceContext { text, markup: MarkupKind::of(path, utf8), scan }
            }
            // Such a text is never edited, so that the syntax at an occurrence does not matter.
            Err(_) => SourceContext { text, markup: MarkupKind::UnknownText, scan: SourceScan::default() },
        }
    }

    /// Returns how often pages show a reference in other locations than its own: a link definition is shown as often as
    /// its name is used. Returns `None` for other references.
    pub fn uses(&self, found: &Occurrence) -> Option<u32> {
        let reference = self.scan.reference_at(found.start).filter(|_| found.is_reference)?;
        reference.is_shown_elsewhere.then_some(reference.uses)
    }

    /// Returns the start tag that an occurrence is in, or that ends before it with only white space between.
    pub fn tag(&self, found: &Occurrence) -> Option<HitTag> {
        let before = || {
            let next = self.scan.tags.partition_point(|tag| tag.range.start < found.start);
            let tag = self.scan.tags[..next].last()?;
            let between = self.text.get(tag.range.end..found.start)?;
            between.trim_ascii().is_empty().then_some(tag)
        };
        if let Some(tag) = self.scan.tag_at(found.start).or_else(before) {
            let next = self.scan.references.partition_point(|own| own.range.start < tag.range.start);
            let mut within =
                self.scan.references[next..].iter().take_while(|own| own.range.end <= tag.range.end);
            let has_url = within.any(|own| own.manner == Manner::Attribute);
            return Some(HitTag { name: TagName::new(&self.text[tag.name.clone()]), has_url });
        }
        // A generator replaces a link, an image or a directive with its tag.
        let link = self.scan.reference_at(found.start)?;
        let is_data = matches!(link.manner, Manner::Value | Manner::Id | Manner::Text);
        (!is_data).then_some(HitTag { name: TagName::COMPONENT, has_url: true })
    }

    /// Returns the role of an occurrence.
    pub fn role(&self, found: &Occurrence, is_value: bool) -> OccurrenceRole {
        let follows = |prefix: &[u8]| self.text[..found.start].ends_with(prefix);
        let is_stated = follows(b": ") || follows(b":\t");
        let is_attribute = follows(b"=")
            || [&b"=\""[..], b"='", b"={\"", b"={'", b"={`"].iter().any(|prefix| follows(prefix));
        let reference = self.scan.reference_at(found.start);
        if found.is_reference
            && reference.is_some_and(|reference| reference.manner != Manner::Text && reference.uses > 0)
        {
            return OccurrenceRole::Link;
        }
        let text_if = |is_text: bool| if is_text { OccurrenceRole::Text } else { OccurrenceRole::Mention };
        if let Some(inert) = self.scan.inert_at(found.start) {
            // A finding may be about an ignore, which is in a comment.
            let starts = |at: usize, prefix: &str| self.text[at..].starts_with(prefix.as_bytes());
            return text_if(starts(found.start, IGNORE) && starts(inert.start, "<!--"));
        }
        let is_prose = self.markup != MarkupKind::Computed;
        let is_quoted = follows(b"\"") || follows(b"'") || follows(b"`") && !is_prose;
        if !found.is_reference {
            return text_if(!is_value || is_attribute || is_stated || is_quoted || follows(b"#"));
        }
        let written = &self.text[found.start..found.end];
        let is_plain_word = !written.iter().any(|byte| matches!(byte, b'/' | b'.' | b'#' | b':'));
        text_if(match self.markup {
            MarkupKind::Complete => false,
            MarkupKind::Computed => !is_plain_word || is_quoted || is_attribute || is_stated,
            // `link:url[text]`, `image::url[]`, `[[url][text]]`
            MarkupKind::UnknownText => follows(b":") || follows(b"[[") || follows(b"<") || is_attribute,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Occurrence, OccurrenceRole, SourceContext};

    #[track_caller]
    fn is_mention(path: &str, text: &str, written: &str) -> bool {
        let start = text.find(written).unwrap();
        let found = Occurrence { key: 0, start, end: start + written.len(), is_reference: true };
        SourceContext::new(path, text.as_bytes()).role(&found, false) == OccurrenceRole::Mention
    }

    #[test]
    fn distinguishes_links_from_mentions() {
        for text in ["[a](/x)", "[a]\n\n[a]: /x", "![a](</x>)", "<a href=\"/x\">", "---\nlink: /x\n---\n"] {
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
