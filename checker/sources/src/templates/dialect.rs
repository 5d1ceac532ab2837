//! The languages of templates and components.

/// A language of templates, by what it does to markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// HTML, which most template languages write in files of their own or of HTML.
    Html,
    /// XHTML and SVG in a document of their own, also in a template.
    Xml,
    /// Vue: expressions in attributes.
    Vue,
    /// Astro: expressions in braces, and a script as front matter.
    Astro,
    /// Svelte: expressions in braces.
    Svelte,
}

impl Dialect {
    /// Whether elements can be components, which import scripts and styles.
    pub fn is_component(self) -> bool {
        !matches!(self, Dialect::Html | Dialect::Xml)
    }

    /// Whether an element can be empty in one tag, and its name depends on the case.
    pub fn has_empty_tags(self) -> bool {
        self != Dialect::Html
    }

    /// Whether expressions are in braces.
    pub fn has_braces(self) -> bool {
        matches!(self, Dialect::Astro | Dialect::Svelte)
    }

    /// Whether it has expressions between the delimiters of an index: `{{`, `{%`, `<%`.
    pub fn has_construct(self, index: usize) -> bool {
        match self {
            Dialect::Html | Dialect::Xml => true,
            Dialect::Vue => index == 0,
            Dialect::Astro | Dialect::Svelte => false,
        }
    }
}
