//! Defines the attributes that refer to other elements of their page by id.

use std::ops::Range;

use super::css;
use super::reference::Value;

/// An attribute that refers to elements by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdAttribute {
    /// `for` of `label` and `output`.
    For,
    /// `headers` of table cells.
    Headers,
    /// `list` of `input`.
    List,
    /// `form` of form controls.
    Form,
    /// `popovertarget` of a button.
    PopoverTarget,
    /// `commandfor` of a button.
    CommandFor,
    /// `aria-labelledby`.
    AriaLabelledby,
    /// `aria-activedescendant`.
    AriaActivedescendant,
    /// `aria-controls`.
    AriaControls,
    /// `aria-describedby`.
    AriaDescribedby,
    /// `aria-details`.
    AriaDetails,
    /// `aria-errormessage`.
    AriaErrormessage,
    /// `aria-flowto`.
    AriaFlowto,
    /// `aria-owns`.
    AriaOwns,
    /// `url(#id)` in an attribute of SVG or in a style.
    Url,
}

impl IdAttribute {
    /// Whether scripts often add the element that it refers to.
    pub fn is_scripted(self) -> bool {
        matches!(
            self,
            IdAttribute::AriaActivedescendant
                | IdAttribute::AriaControls
                | IdAttribute::AriaDescribedby
                | IdAttribute::AriaDetails
                | IdAttribute::AriaErrormessage
                | IdAttribute::AriaFlowto
                | IdAttribute::AriaOwns
        )
    }

    /// Whether it has a meaning on an element with this name, in any case; `in_svg` for an SVG element.
    pub(super) fn applies_to(self, element: &[u8], in_svg: bool) -> bool {
        let is_one_of =
            |names: &[&str]| names.iter().any(|name| element.eq_ignore_ascii_case(name.as_bytes()));
        match self {
            IdAttribute::For => is_one_of(&["label", "output"]),
            IdAttribute::Headers => is_one_of(&["td", "th"]),
            IdAttribute::List => is_one_of(&["input"]),
            IdAttribute::Form => {
                is_one_of(&["button", "fieldset", "input", "object", "output", "select", "textarea"])
            }
            IdAttribute::PopoverTarget => is_one_of(&["button", "input"]),
            IdAttribute::CommandFor => is_one_of(&["button"]),
            IdAttribute::Url => in_svg,
            _ => true,
        }
    }

    /// Returns its name for messages.
    pub fn name(self) -> &'static str {
        match self {
            IdAttribute::For => "for",
            IdAttribute::Headers => "headers",
            IdAttribute::List => "list",
            IdAttribute::Form => "form",
            IdAttribute::PopoverTarget => "popovertarget",
            IdAttribute::CommandFor => "commandfor",
            IdAttribute::AriaLabelledby => "aria-labelledby",
            IdAttribute::AriaActivedescendant => "aria-activedescendant",
            IdAttribute::AriaControls => "aria-controls",
            IdAttribute::AriaDescribedby => "aria-describedby",
            IdAttribute::AriaDetails => "aria-details",
            IdAttribute::AriaErrormessage => "aria-errormessage",
            IdAttribute::AriaFlowto => "aria-flowto",
            IdAttribute::AriaOwns => "aria-owns",
            IdAttribute::Url => "url()",
        }
    }
}

/// Whether an SVG attribute paints with another element (SVG 2, 13.2; CSS Masking; Filter Effects).
pub(super) fn is_paint_attribute(name: &[u8]) -> bool {
    matches!(
        name,
        b"fill"
            | b"stroke"
            | b"clip-path"
            | b"mask"
            | b"filter"
            | b"marker-start"
            | b"marker-mid"
            | b"marker-end"
    )
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
    pub attribute: IdAttribute,
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
