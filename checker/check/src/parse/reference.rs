//! Represents the references of a file: to URLs, and to elements of the same page by id.

use std::ops::Range;

use url::{ParseError, Url};

use super::reference_kind::ReferenceKind;
use sitegate_html::attribute_name::IdAttribute;
use sitegate_html::css;

/// A text of the file: a range for [`crate::parse::Facts::text`].
///
/// While the file is parsed, it may be a range of the source instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) in_source: bool,
}

/// A reference in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The kind of element or attribute.
    pub kind: ReferenceKind,
    /// The value; `None` if the required attribute is missing.
    pub value: Option<Value>,
    /// Location in the source; the start tag if there is no value.
    pub span: Range<u32>,
}

/// Whether a URL depends on the document that it is in: it names neither a scheme nor a host.
pub(crate) fn is_relative(text: &str) -> bool {
    let text = text.trim();
    !text.starts_with("//") && Url::parse(text) == Err(ParseError::RelativeUrlWithoutBase)
}

/// Returns the ids in `url(#id)` of a style or an SVG attribute, with their locations. Skips references with a
/// fallback paint.
pub(super) fn ids_in_urls(style: &str) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    if !style.contains("url(") {
        return found;
    }
    css::urls(style, |_, url, span| {
        let rest = style[span.end..].trim_start_matches(['"', '\'', ' ']);
        let after = rest.strip_prefix(')').unwrap_or(rest);
        let has_fallback = !matches!(after.trim_start().as_bytes().first(), None | Some(b';' | b'!'));
        if let Some(id) = url.strip_prefix('#').filter(|id| !id.is_empty() && !has_fallback) {
            found.push((id.to_owned(), span));
        }
    });
    found
}

/// An id that an attribute refers to.
#[derive(Clone, Debug)]
pub struct ReferencedId {
    /// The attribute.
    pub attribute: &'static IdAttribute,
    /// The id.
    pub id: Value,
    /// Its location.
    pub span: Range<u32>,
    /// The shadow tree that contains it; 0 for the page itself.
    pub tree: u32,
}

#[cfg(test)]
mod tests {
    use super::ids_in_urls;

    #[test]
    fn finds_ids_of_the_same_document() {
        let ids = |style: &str| ids_in_urls(style).into_iter().map(|(id, _)| id).collect::<Vec<_>>();
        assert_eq!(ids("url(#a)"), ["a"]);
        assert_eq!(ids("fill: url( '#a' ); mask:url(\"#b\")!important;filter:url(x.svg#c)"), ["a", "b"]);
        assert_eq!(ids("url(#a) red"), [""; 0], "red is painted instead");
        assert_eq!(ids("red"), [""; 0]);
    }
}
