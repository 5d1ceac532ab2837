//! Directives: the kinds of their arguments and content, and options such as `:target: url`.

use super::blocks::BlockPlace;
use super::explicit::whole_reference;
use super::inline_marks::simple_name_end;
use super::lines::{JoinedLines, SourceLine, field_marker, marked_block, split_lines, trim_end, trim_start};
use super::scanner::{RestructuredScanner, TextRole};
use crate::positions::range_of;
use crate::reference::Manner;

impl RestructuredScanner<'_> {
    /// Scans `name:: …` that begins at an offset of a line, and returns the number of the line after the directive;
    /// `None` if this is no directive.
    pub(super) fn directive_line(
        &mut self,
        lines: &[SourceLine],
        at: usize,
        start: usize,
        place: BlockPlace,
    ) -> Option<usize> {
        let line = lines[at];
        let text = &self.text[start..line.end];
        let length = simple_name_end(text, 0)?;
        let colons = text[length..].strip_prefix(' ').unwrap_or(&text[length..]).strip_prefix("::")?;
        let marker = text.len() - colons.len();
        let name = text[..length].to_lowercase();
        let (content, _) = self.after_marker(SourceLine { start, ..line }, marker)?;
        let (block, end) = marked_block(lines, at, content, false);
        self.directive(&name, trim_end(&block), place);
        Some(end)
    }

    fn directive(&mut self, name: &str, block: &[SourceLine], place: BlockPlace) {
        let (argument, content) = kind_of(name);
        let block = match block.first() {
            Some(first) if first.is_blank() => &block[1..],
            _ => block,
        };
        let has_first = block.first().is_some_and(|line| !line.is_blank());
        let end = block.iter().position(SourceLine::is_blank).unwrap_or(block.len());
        let mut head = block[..end].to_vec();
        if content == DirectiveContent::Nothing && !trim_end(&block[end..]).is_empty() {
            return self.add_inert(block);
        }
        // Malformed options are an error, and the directive is shown as it is written.
        let Some(options) = self.options(&mut head) else { return self.add_inert(block) };
        let is_content = matches!(
            content,
            DirectiveContent::OnlyBlocks | DirectiveContent::Inline | DirectiveContent::Documents
        );
        let body = if is_content && !head.is_empty() {
            head.iter().chain(&block[end..]).copied().collect()
        } else {
            if has_first {
                self.argument(name, argument, &head, &options);
            }
            trim_start(&block[end..]).to_vec()
        };
        self.option_values(name, &options, place);
        self.is_at_metadata &= self.scope.is_some();
        self.has_target_notes |= name == "target-notes";
        if name == "default-role" {
            self.default_role =
                head.first().map_or(TextRole::Other, |line| TextRole::of_name(self.of(*line)));
        }
        self.directive_content(content, &body, &options, place.in_directive());
    }

    fn argument(&mut self, name: &str, argument: Argument, lines: &[SourceLine], options: &DirectiveOptions) {
        let joined = JoinedLines::new(self.text, lines);
        let whole = 0..joined.text.len();
        match argument {
            Argument::Other => self.add_inert(lines),
            Argument::Title => self.inline(lines),
            Argument::Version => self.inline_after_word(lines),
            // `<isonum.txt>` is a file of docutils.
            Argument::File if name == "include" && joined.text.starts_with('<') => self.add_inert(lines),
            Argument::File => {
                let manner = if is_absolute_url(&joined.text) { Manner::Link } else { Manner::File };
                self.add_url(&joined, whole, manner);
            }
            Argument::Url => drop(self.add_url(&joined, whole, Manner::Link)),
            Argument::Document => {
                let kind = options.get("ref-type").and_then(|value| value.first());
                if kind.is_some_and(|kind| matches!(self.of(*kind), "doc" | "any" | "myst")) {
                    self.add_url(&joined, whole, Manner::Document);
                }
            }
        }
    }

    /// Scans the text after a version.
    fn inline_after_word(&mut self, lines: &[SourceLine]) {
        let Some(first) = lines.first() else { return };
        let text = self.of(*first);
        let word = text.find([' ', '\t']).unwrap_or(text.len());
        let mut rest = lines.to_vec();
        rest[0].start = first.end - text[word..].trim_start().len();
        self.inline(trim_start(&rest));
    }

    /// Adds options that are links or files. Those of other directives are not known.
    fn option_values(&mut self, name: &str, options: &DirectiveOptions, place: BlockPlace) {
        match name {
            "image" | "figure" => self.target_option(options),
            "sidebar" => self.inline(options.get("subtitle").unwrap_or_default()),
            "code-block" | "sourcecode" => self.inline(options.get("caption").unwrap_or_default()),
            "csv-table" | "raw" => {
                self.rows(options.get("header").unwrap_or_default(), place);
                self.option_value(options, "file", Manner::File);
                self.option_value(options, "url", Manner::Link);
            }
            "literalinclude" => {
                self.option_value(options, "diff", Manner::File);
                self.inline(options.get("caption").unwrap_or_default());
            }
            "card" | "grid-item-card" => self.card_options(options),
            _ => {}
        }
    }

    /// Adds `:target:`, a URL or a name.
    fn target_option(&mut self, options: &DirectiveOptions) {
        let Some(target) = options.get("target") else { return };
        let joined = JoinedLines::new(self.text, target);
        match whole_reference(joined.text.trim()) {
            Some(name) => self.names.add_use(&name, &self.scope),
            None => {
                self.add_url(&joined, 0..joined.text.len(), Manner::Link);
            }
        }
    }

    /// Adds the link and the images of a card of sphinx-design.
    fn card_options(&mut self, options: &DirectiveOptions) {
        let kind = options.get("link-type").and_then(|value| value.first()).map(|line| self.of(*line));
        match kind {
            None | Some("url") => self.option_value(options, "link", Manner::Link),
            Some("doc" | "any") => self.option_value(options, "link", Manner::Document),
            Some(_) => {}
        }
        for name in ["img-top", "img-bottom", "img-background"] {
            self.option_value(options, name, Manner::File);
        }
    }

    fn option_value(&mut self, options: &DirectiveOptions, name: &str, manner: Manner) {
        if let Some(value) = options.get(name) {
            let joined = JoinedLines::new(self.text, value);
            self.add_url(&joined, 0..joined.text.len(), manner);
        }
    }

    fn directive_content(
        &mut self,
        content: DirectiveContent,
        lines: &[SourceLine],
        options: &DirectiveOptions,
        place: BlockPlace,
    ) {
        match content {
            DirectiveContent::Nothing | DirectiveContent::Inert => self.add_inert(lines),
            DirectiveContent::Blocks | DirectiveContent::OnlyBlocks => self.blocks(lines, place),
            DirectiveContent::Inline => self.inline(trim_end(trim_start(lines))),
            DirectiveContent::Documents => self.documents(lines, options),
            // Other delimiters and quotes are rare.
            DirectiveContent::Rows
                if ["delim", "quote", "escape"].iter().any(|name| options.get(name).is_some()) =>
            {
                self.add_inert(lines);
            }
            DirectiveContent::Rows => self.rows(lines, place),
        }
    }

    /// Adds the entries of a toctree: `name`, `Title <name>`, or a URL. No document begins with a space.
    fn documents(&mut self, lines: &[SourceLine], options: &DirectiveOptions) {
        let is_glob = options.get("glob").is_some();
        for line in lines.iter().filter(|line| !line.is_blank() && line.indent == 0) {
            let text = self.of(*line);
            let titled = text.strip_suffix('>').and_then(|entry| entry.rsplit_once('<'));
            let titled = titled.filter(|(title, entry)| !title.is_empty() && !entry.is_empty());
            let entry = titled.map_or(text, |(_, entry)| entry);
            let is_pattern = is_glob && titled.is_none() && entry.contains(['*', '?', '[']);
            if entry == "self" || is_pattern && !is_absolute_url(entry) || entry.starts_with(".. ") {
                continue;
            }
            let manner = if is_absolute_url(entry) { Manner::Link } else { Manner::Document };
            self.add_exact(entry, manner);
        }
    }

    /// Adds a part of the text that has no escapes.
    fn add_exact(&mut self, part: &str, manner: Manner) {
        let joined = JoinedLines::new(self.text, &split_lines(self.text, range_of(part, self.text)));
        self.add(&joined, 0..joined.text.len(), manner, part.trim());
    }
}

fn is_absolute_url(text: &str) -> bool {
    text.find("://")
        .is_some_and(|scheme| scheme > 0 && text[..scheme].bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// An option with its value.
struct DirectiveOption {
    pub name: String,
    pub value: Vec<SourceLine>,
}

/// The options of a directive.
#[derive(Default)]
pub(super) struct DirectiveOptions(Vec<DirectiveOption>);

impl DirectiveOptions {
    /// Returns the value of an option.
    pub fn get(&self, name: &str) -> Option<&[SourceLine]> {
        self.0.iter().find(|option| option.name == name).map(|option| option.value.as_slice())
    }
}

impl RestructuredScanner<'_> {
    /// Splits the options from the end of an argument; `None` if they are malformed.
    pub(super) fn options(&self, argument: &mut Vec<SourceLine>) -> Option<DirectiveOptions> {
        let is_option = |line: &SourceLine| line.indent == 0 && field_marker(self.of(*line)).is_some();
        let Some(from) = argument.iter().position(is_option) else {
            return Some(DirectiveOptions::default());
        };
        let lines = argument.split_off(from);
        let mut options = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at];
            let length = field_marker(self.of(line)).filter(|_| line.indent == 0)?;
            let name = self.text[line.start + 1..line.start + length - 1].to_lowercase();
            let start = self.after_marker(line, length)?.0;
            let (value, end) = marked_block(&lines, at, start, false);
            options.push(DirectiveOption { name, value });
            at = end;
        }
        Some(DirectiveOptions(options))
    }
}

/// The kind of the content of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DirectiveContent {
    /// Nothing: a directive with content is an error.
    Nothing,
    /// Code, data or names of objects.
    Inert,
    /// reStructuredText. Text without a blank line before it is an argument.
    Blocks,
    /// reStructuredText that has no argument before it.
    OnlyBlocks,
    /// Lines with inline markup.
    Inline,
    /// Names of documents.
    Documents,
    /// Rows of comma-separated values.
    Rows,
}

/// The kind of the argument of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// Names, code or nothing.
    Other,
    /// A title with inline markup.
    Title,
    /// A version, and text with inline markup.
    Version,
    /// The path of a file.
    File,
    /// A URL.
    Url,
    /// The name of a document.
    Document,
}

/// Directives whose content is not reStructuredText: those of docutils and Sphinx, and of common extensions.
#[rustfmt::skip]
static INERT: &[&str] = &[
    "class-diagram", "code", "code-block", "sourcecode", "highlight", "highlightlang", "math", "raw", "doctest", "testcode",
    "testoutput", "testsetup", "testcleanup", "prompt", "productionlist", "role", "default-role", "meta", "title", "date",
    "unicode", "contents", "sectnum", "section-numbering", "target-notes", "index", "tabularcolumns", "module", "py:module",
    "currentmodule", "py:currentmodule", "autosummary", "digraph", "graph", "inheritance-diagram", "uml", "mermaid",
    "ipython", "jupyter-execute", "plot", "program-output", "command-output", "runblock", "exec_code", "jinja", "altair-plot",
    "bokeh-plot", "pyvista-plot", "plotly", "todolist", "tags", "default-domain", "program", "sectionauthor", "moduleauthor",
    "codeauthor", "restructuredtext-test-directive", "parsed-code", "terminal", "console", "tikz", "svgbob", "ditaa", "blockdiag",
    "seqdiag", "actdiag", "nwdiag", "argparse", "click", "typer", "autoprogram", "openapi", "csv-filter", "asciinema",
    "cssclass", "rubric-code", "thebe-button", "code-cell", "jupyter-input", "jupyter-output", "ipython3", "collapse-code",
    "snippet", "tabs-code", "code-tab", "group-code", "literal-block", "repl", "pyscript", "replite", "jupyterlite",
    "highlight-code", "sourceinclude", "autodoc_pydantic", "graphql", "regex", "bibliography", "datatemplate",
];

/// Directives without an argument: their first text is content.
#[rustfmt::skip]
static ONLY_BLOCKS: &[&str] = &[
    "attention", "caution", "danger", "error", "hint", "important", "note", "tip", "warning", "seealso", "todo", "epigraph",
    "highlights", "pull-quote", "compound", "header", "footer", "replace", "hlist", "acks", "glossary", "restructuredtext",
];

/// Directives with a title.
#[rustfmt::skip]
static TITLED: &[&str] = &[
    "admonition", "topic", "sidebar", "rubric", "table", "list-table", "centered", "versionadded", "versionchanged",
    "deprecated", "versionremoved", "csv-table", "card", "grid-item-card", "tab-item", "tab", "dropdown", "collapse",
];

/// Returns the argument and the content of a directive.
pub(super) fn kind_of(name: &str) -> (Argument, DirectiveContent) {
    match name {
        "figure" => (Argument::File, DirectiveContent::Blocks),
        "image" | "include" | "literalinclude" => (Argument::File, DirectiveContent::Nothing),
        "graphviz" | "plantuml" => (Argument::File, DirectiveContent::Inert),
        "toctree" => (Argument::Other, DirectiveContent::Documents),
        "parsed-literal" | "line-block" => (Argument::Other, DirectiveContent::Inline),
        "csv-table" => (Argument::Title, DirectiveContent::Rows),
        "versionadded" | "versionchanged" | "deprecated" | "versionremoved" => {
            (Argument::Version, DirectiveContent::Blocks)
        }
        "rubric" | "centered" => (Argument::Title, DirectiveContent::Inert),
        "button-link" => (Argument::Url, DirectiveContent::Blocks),
        "button-ref" => (Argument::Document, DirectiveContent::Blocks),
        name if INERT.contains(&name) => (Argument::Other, DirectiveContent::Inert),
        name if ONLY_BLOCKS.contains(&name) => (Argument::Other, DirectiveContent::OnlyBlocks),
        name if TITLED.contains(&name) => (Argument::Title, DirectiveContent::Blocks),
        _ => (Argument::Other, DirectiveContent::Blocks),
    }
}

/// Whether the content of a directive is code, or other text that is no markup.
pub(crate) fn is_code_directive(name: &str) -> bool {
    matches!(kind_of(name).1, DirectiveContent::Inert)
}
