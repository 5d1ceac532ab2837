//! Template languages and components: what they hide from the text, and the references in their expressions.

mod braces;
pub(crate) mod expressions;
mod hidden;
pub(crate) mod masking;

use std::ops::Range;

use self::masking::Masked;
use crate::{Manner, SourceScan, data, markup, scripts};

/// A language of templates, by what it does to markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// HTML, which most template languages write in files of their own or of HTML.
    Html,
    /// Vue: expressions in attributes.
    Vue,
    /// Astro: expressions in braces, and a script as front matter.
    Astro,
    /// Svelte: expressions in braces.
    Svelte,
}

impl Dialect {
    /// Whether elements can be components, which may be empty in one tag.
    pub fn is_component(self) -> bool {
        self != Dialect::Html
    }

    /// Whether expressions are in braces.
    pub fn has_braces(self) -> bool {
        matches!(self, Dialect::Astro | Dialect::Svelte)
    }

    /// Whether it has expressions between the delimiters of an index: `{{`, `{%`, `<%`.
    pub fn has_construct(self, index: usize) -> bool {
        match self {
            Dialect::Html => true,
            Dialect::Vue => index == 0,
            Dialect::Astro | Dialect::Svelte => false,
        }
    }
}

pub(crate) use hidden::{hidden, hidden_outside};

/// Finds the references of a template or a component.
pub(crate) fn scan<'t>(path: &str, text: &'t str, scan: &mut SourceScan<'t>) {
    match path.rsplit('.').next().unwrap_or_default() {
        "vue" => scan_body(text, 0..text.len(), Dialect::Vue, scan),
        "svelte" => scan_body(text, 0..text.len(), Dialect::Svelte, scan),
        "astro" => {
            let body = script_matter(text, scan);
            scan_body(text, body..text.len(), Dialect::Astro, scan);
        }
        _ => markup::scan_document(text, scan),
    }
}

/// Finds the references of markup after its front matter.
pub(crate) fn scan_body<'t>(text: &'t str, body: Range<usize>, dialect: Dialect, scan: &mut SourceScan<'t>) {
    let hidden = if dialect.is_component() { Vec::new() } else { hidden(text) };
    let masked = Masked::new(text, body, &hidden, dialect);
    markup::scan_masked(text, &masked, dialect, scan);
    for construct in &masked.constructs {
        let inner = expressions::whole_construct(&text[construct.clone()], dialect);
        if let Some(path) = inner.and_then(expressions::link_tag) {
            let start = path.as_ptr() as usize - text.as_ptr() as usize;
            scan.add(text, start..start + path.len(), Manner::File);
        }
    }
    scan.inert.extend(hidden);
    scan.inert.extend(masked.comments);
}

/// Reads the script between `---` at the start of a component of Astro. Returns the offset after it.
fn script_matter<'t>(text: &'t str, scan: &mut SourceScan<'t>) -> usize {
    let Some((script, body)) = data::fenced(text, "---") else { return 0 };
    scripts::scan("component.tsx", text, script, scan);
    body
}
