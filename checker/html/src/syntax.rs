//! The syntax of a page.

/// The syntax of a page, which decides how browsers parse it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageSyntax {
    /// HTML: tags may be omitted, and the parser moves misplaced ones.
    #[default]
    Html,
    /// XML: any element may be empty, names are case-sensitive, and the parser implies nothing.
    Xml,
}
