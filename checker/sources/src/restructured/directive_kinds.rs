//! Kinds of arguments and of content of directives.

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
