//! Finds the references in a source: links, names of documents, and paths in settings and front matter.

use std::sync::LazyLock;

use regex::Regex;

use crate::source_map::{TextKind, ignored_ranges};

/// How a reference is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// A link of Markdown or similar formats: the path of a source, or else the URL of a page.
    Link,
    /// An attribute of HTML: the URL of a page, or else the path of a source.
    Attribute,
    /// The name of a document, with or without extension: `:doc:`, toctrees, `ref` of Hugo.
    Document,
    /// The path of a source.
    File,
    /// A path or URL in settings, data or scripts.
    Value,
    /// The path of a document without its extension, from the root of the sources.
    Id,
}

/// A reference in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SourceReference<'t> {
    /// Offset of its start in bytes.
    pub start: usize,
    pub text: &'t str,
    pub manner: Manner,
}

/// Keys of front matter and settings whose values are addresses of the page itself, or earlier ones.
const OWN_KEYS: [&str; 11] = [
    "aliases",
    "permalink",
    "url",
    "slug",
    "redirect_from",
    "redirect-from",
    "path",
    "id",
    "from",
    "gone",
    "title",
];

/// A pattern with its references in any group.
type ReferencePattern = (LazyLock<Regex>, Manner);

macro_rules! pattern {
    ($manner:ident, $text:literal) => {
        #[allow(clippy::expect_used, reason = "tests use every pattern")]
        (LazyLock::new(|| Regex::new($text).expect("a valid pattern")), Manner::$manner)
    };
}

/// Links and names that Markdown allows, code excepted.
static PROSE: [ReferencePattern; 4] = [
    pattern!(Link, r"\]\(\s*(?:<([^<>\n]+)>|([^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*))"),
    pattern!(Link, r"(?m)^[ \t>]*\[[^\]\n]+\]:[ \t]*(?:<([^<>\n]+)>|([^\s<>]+))"),
    pattern!(Link, r"<(https?://[^<>\s]+)>"),
    pattern!(Value, r#"\b(?:import|from)\s+(?:"([^"\n]+)"|'([^'\n]+)')"#),
];

/// Directives and shortcodes in Markdown, which look like code.
static DIRECTIVES: [ReferencePattern; 6] = [
    pattern!(Document, r#"\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?["`]([^"`\n]+)["`]"#),
    pattern!(File, r"\{\{#\w+\s+([^\s:}]+)"),
    pattern!(File, r"\{%-?\s*(?:link|include_relative)\s+(\S+)"),
    pattern!(Document, r"\{(?:doc|any)\}`(?:[^`<]*<)?([^`<>\n]+)>?`"),
    pattern!(File, r"\{download\}`(?:[^`<]*<)?([^`<>\n]+)>?`"),
    pattern!(File, r"(?m)^[ \t]*(?:`{3,}|:{3,}|~{3,})\{(?:include|literalinclude|image|figure)\}[ \t]*(\S+)"),
];

/// Attributes of HTML and of components.
static ATTRIBUTES: [ReferencePattern; 2] = [
    pattern!(
        Attribute,
        r#"(?i)\b(?:href|src|to|link|url|poster|cite|image|data-[\w-]+)\s*=\s*\{?(?:"([^"\n{}]+)"|'([^'\n{}]+)'|`([^`\n{}$]+)`)"#
    ),
    pattern!(Attribute, r#"(?i)\b(?:href|src)=([^\s"'`<>{}\\]+)"#),
];

static RESTRUCTURED: [ReferencePattern; 6] = [
    pattern!(Link, r"[^`]<([^<>`\n]+)>`__?"),
    pattern!(Link, r"(?m)^[ \t]*\.\. _[^:\n]+:[ \t]+(\S+)"),
    pattern!(Link, r"(?m)^[ \t]*:target:[ \t]+(\S+)"),
    pattern!(Document, r":(?:doc|any):`(?:[^`<]*<)?([^`<>]+)>?`"),
    pattern!(File, r":download:`(?:[^`<]*<)?([^`<>]+)>?`"),
    pattern!(
        File,
        r"(?m)^[ \t]*(?:\.\. (?:\|[^|\n]*\| )?(?:image|figure|include|literalinclude)::|:file:)[ \t]+(\S+)"
    ),
];

/// Text that the default role of Sphinx may take for the name of a document.
#[allow(clippy::expect_used, reason = "tests use it")]
static DEFAULT_ROLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)(?:^|[^`:\w])`(?:[^`<]*<)?([^`<>\n]+)>?`").expect("a valid pattern"));

static QUOTED: [ReferencePattern; 1] = [pattern!(Value, r#""([^"\n<>]+)"|'([^'\n<>]+)'|`([^`\n<>$]+)`"#)];

static DATA: [ReferencePattern; 1] = [pattern!(Value, r#""([^"\n]+)"|'([^'\n]+)'|([^\s"'\[\]{},]+)"#)];

/// Returns the references in a text, by the kind of its file. Each start occurs once. `has_default_role`: whether text in
/// single backquotes may name a document.
pub(super) fn references<'t>(path: &str, text: &'t str, has_default_role: bool) -> Vec<SourceReference<'t>> {
    let kind = TextKind::of_path(path);
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let mut found = Found { text, base: 0, references: Vec::new() };
    let ignored = ignored_ranges(kind, text.as_bytes());
    let is_shown = |start: usize| {
        let before = ignored.partition_point(|range| range.start <= start);
        before == 0 || ignored[before - 1].end <= start
    };
    match kind {
        TextKind::Prose => {
            let matter = front_matter(text);
            found.add_data(0, &text[..matter]);
            found.add_all(&DIRECTIVES, |_| true);
            found.add_toctrees(true);
            found.add_all(&PROSE, is_shown);
            found.add_all(&ATTRIBUTES, |start| start >= matter && is_shown(start));
        }
        TextKind::Restructured => {
            found.add_all(&RESTRUCTURED, is_shown);
            if has_default_role {
                found.add_default_role(is_shown);
            }
            found.add_toctrees(false);
        }
        TextKind::Markup => {
            let matter = front_matter(text);
            found.add_data(0, &text[..matter]);
            found.add_all(&ATTRIBUTES, |start| start >= matter && is_shown(start));
            found.add_all(&QUOTED, |start| start >= matter && is_shown(start));
        }
        TextKind::Other => match extension {
            "yml" | "yaml" | "toml" | "pages" => found.add_data(0, text),
            "py" => {
                found.add_all(&RESTRUCTURED, |_| true);
                if has_default_role {
                    found.add_default_role(|_| true);
                }
                found.add_toctrees(false);
            }
            _ if name == "_redirects" => found.add_destinations(),
            _ => {
                found.add_all(&QUOTED, |_| true);
                if name.starts_with("sidebars.") {
                    let values = found.references.iter_mut().filter(|value| value.manner == Manner::Value);
                    values.for_each(|value| value.manner = Manner::Id);
                }
            }
        },
    }
    found.references.sort_by_key(|found| found.start);
    found.references.dedup_by_key(|found| found.start);
    found.references
}

/// The references found so far.
struct Found<'t> {
    text: &'t str,
    /// Offset of `text` in the file.
    base: usize,
    references: Vec<SourceReference<'t>>,
}

impl<'t> Found<'t> {
    fn add(&mut self, start: usize, text: &'t str, manner: Manner) {
        let trimmed = text.trim();
        if !trimmed.is_empty() {
            let start = start + text.len() - text.trim_start().len();
            self.references.push(SourceReference { start, text: trimmed, manner });
        }
    }

    fn add_all(&mut self, patterns: &'static [ReferencePattern], is_shown: impl Fn(usize) -> bool) {
        for (pattern, manner) in patterns {
            for captures in pattern.captures_iter(self.text) {
                for group in captures.iter().skip(1).flatten().filter(|group| is_shown(group.start())) {
                    self.add(self.base + group.start(), group.as_str(), *manner);
                }
            }
        }
    }

    /// Adds text in single backquotes, which is no link.
    fn add_default_role(&mut self, is_shown: impl Fn(usize) -> bool) {
        for captures in DEFAULT_ROLE.captures_iter(self.text) {
            let (Some(whole), Some(name)) = (captures.get(0), captures.get(1)) else { continue };
            if !self.text[whole.end()..].starts_with(['`', '_']) && is_shown(name.start()) {
                self.add(self.base + name.start(), name.as_str(), Manner::Document);
            }
        }
    }

    /// Adds values of YAML and TOML, line by line.
    fn add_data(&mut self, base: usize, data: &'t str) {
        let mut start = base;
        let mut own_indent = None;
        for line in data.split_inclusive('\n') {
            let at = start;
            start += line.len();
            let content = line.trim_start();
            let indent = line.len() - content.len();
            if content.trim().is_empty() || content.starts_with('#') {
                continue;
            }
            let after_dashes = content.trim_start_matches("- ");
            let key_indent = line.len() - after_dashes.len();
            let key = after_dashes.split([':', '=']).next().unwrap_or_default().trim();
            // The list of an own key follows it, with `-` or more indented.
            let is_in_own =
                own_indent.is_some_and(|own| indent > own || indent == own && content.starts_with("- "));
            if is_in_own {
                continue;
            }
            own_indent = OWN_KEYS.contains(&key).then_some(key_indent);
            if own_indent.is_some() {
                continue;
            }
            let shown = line.find(" #").map_or(line, |end| &line[..end]);
            for captures in DATA[0].0.captures_iter(shown) {
                for group in captures.iter().skip(1).flatten() {
                    let is_key = group.as_str().ends_with(':') || shown[group.end()..].starts_with("\":");
                    if !is_key && group.as_str().contains(['.', '/']) {
                        self.add(at + group.start(), group.as_str(), Manner::Value);
                    }
                }
            }
        }
    }

    /// Adds the destinations of a `_redirects` file.
    fn add_destinations(&mut self) {
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let mut fields = line.split_whitespace();
            if !line.trim_start().starts_with('#')
                && let Some(to) = fields.nth(1)
            {
                let at = to.as_ptr() as usize - line.as_ptr() as usize;
                self.add(start + at, to, Manner::Value);
            }
            start += line.len();
        }
    }

    /// Adds the entries of toctrees: in Markdown, those of fences.
    fn add_toctrees(&mut self, is_markdown: bool) {
        let mut start = 0;
        let mut open: Option<usize> = None;
        for line in self.text.split_inclusive('\n') {
            let at = start;
            start += line.len();
            let content = line.trim();
            let indent = line.len() - line.trim_start().len();
            let is_start =
                if is_markdown { content.ends_with("{toctree}") } else { content == ".. toctree::" };
            match open {
                _ if is_start => open = Some(indent),
                Some(_) if is_markdown && (content.starts_with("```") || content.starts_with(":::")) => {
                    open = None;
                }
                Some(own) if !is_markdown && !content.is_empty() && indent <= own => open = None,
                Some(_) if !content.is_empty() && !content.starts_with([':', '#']) && content != "---" => {
                    let entry = match content.strip_suffix('>').and_then(|entry| entry.rsplit_once('<')) {
                        Some((_, entry)) => entry,
                        None => content,
                    };
                    let offset = entry.as_ptr() as usize - line.as_ptr() as usize;
                    self.add(at + offset, entry, Manner::Document);
                }
                _ => {}
            }
        }
    }
}

/// Returns the length of the front matter of YAML or TOML.
fn front_matter(text: &str) -> usize {
    let bom = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let fence = match text.get(bom..bom + 3) {
        Some("---") => "\n---",
        Some("+++") => "\n+++",
        _ => return 0,
    };
    text[bom + 3..].find(fence).map_or(0, |end| bom + 3 + end + 1)
}

#[cfg(test)]
mod tests {
    use super::{Manner, references};

    #[track_caller]
    fn found(path: &str, text: &str) -> Vec<String> {
        let references = references(path, text, false);
        assert!(references.iter().all(|found| text[found.start..].starts_with(found.text)));
        references.iter().map(|found| format!("{:?} {}", found.manner, found.text)).collect()
    }

    #[test]
    fn finds_references_of_markdown() {
        let text = "---\naliases:\n- /old/\nslug: x\nnext: ./n.md # c\n---\n[a](a.md#x 'T') ![i](<i 1.png>) `[c](c.md)`\n\
                    [b]: b.md\n<img src=\"s.png\"> x = \"<a href=\\\"x\\\">\"\n{{< ref \"h.md\" >}} {doc}`T <d>`\n```\n[f](f.md)\n```\n\
                    ```{toctree}\n:hidden:\n\nt\nT <u>\n```\n";
        let expected = [
            "Value ./n.md",
            "Link a.md#x",
            "Link i 1.png",
            "Link b.md",
            "Attribute s.png",
            "Document h.md",
            "Document d",
            "Document t",
            "Document u",
        ];
        assert_eq!(found("a.md", text), expected);
    }

    #[test]
    fn finds_references_of_restructured_text() {
        let text = "`a <a.html>`_ :doc:`d` :doc:`T </e>` ``:doc:`x` ``\n\n.. _n: n.html\n.. image:: i.png\n   :target: t.html\n\n\
                    .. toctree::\n   :maxdepth: 1\n\n   one\n   Two <two>\n\nend\n\n.. code::\n\n   `c <c.html>`_\n";
        let expected = [
            "Link a.html",
            "Document d",
            "Document /e",
            "Link n.html",
            "File i.png",
            "Link t.html",
            "Document one",
            "Document two",
        ];
        assert_eq!(found("a.rst", text), expected);
    }

    #[test]
    fn finds_names_of_the_default_role() {
        let text = "`one` `Long\n  title <two>` ``three`` `l <l.html>`_ `five`_ :ref:`six` :any:`seven`\n";
        for path in ["a.rst", "a.py"] {
            let found = references(path, text, true);
            let names = found.iter().filter(|found| found.manner == Manner::Document).map(|found| found.text);
            assert_eq!(names.collect::<Vec<_>>(), ["one", "two", "seven"], "{path}");
        }
    }

    #[test]
    fn finds_paths_in_settings_and_redirects() {
        let nav = "nav:\n  - Home: index.md\n  - 'guide/a b.md'\n  - [x.md, \"y.md\"]\n";
        let expected = ["Value index.md", "Value guide/a b.md", "Value x.md", "Value y.md"];
        assert_eq!(found("mkdocs.yml", nav), expected);
        assert_eq!(found("_redirects", "# a b\n/a  /b 301\n"), ["Value /b"]);
        assert_eq!(found("sidebars.js", "a: ['guide/x']"), ["Id guide/x"]);
        assert_eq!(found("c.toml", "[[redirects]]\nfrom = \"/a\"\nto = \"/b\"\n"), ["Value /b"]);
    }
}
