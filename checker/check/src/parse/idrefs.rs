//! Attributes that name other elements of their page by id.

use std::ops::Range;

use super::css;
use super::reference::Value;

/// An attribute that names elements by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdAttribute {
    /// `for` of `label` and `output`.
    For,
    /// `headers` of table cells.
    Headers,
    /// `list` of `input`.
    List,
    /// `form` of what belongs to a form.
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
    /// Whether scripts often add the element that it names.
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

    /// Whether it means something on an element, by whose name it is in any case; `in_svg` where that is SVG's.
    pub(super) fn belongs_to(self, element: &[u8], in_svg: bool) -> bool {
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

    /// Its name, as it is shown.
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

/// The attributes of SVG that paint with another element (SVG 2, 13.2; CSS Masking; Filter Effects).
pub(super) fn is_painted(name: &[u8]) -> bool {
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

/// The ids in `url(#id)` of a style or an attribute of SVG, with their places. What names another paint to fall back
/// on is left out.
pub(super) fn ids_in_urls(style: &str) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    if !style.contains("url(") {
        return found;
    }
    css::urls(style, |_, url, span| {
        let rest = style[span.end..].trim_start_matches(['"', '\'', ' ']);
        let after = rest.strip_prefix(')').unwrap_or(rest);
        let falls_back = !matches!(after.trim_start().as_bytes().first(), None | Some(b';' | b'!'));
        if let Some(id) = url.strip_prefix('#').filter(|id| !id.is_empty() && !falls_back) {
            found.push((id.to_owned(), span));
        }
    });
    found
}

/// An id that an attribute names.
#[derive(Clone, Debug)]
pub struct NamedId {
    /// The attribute.
    pub attribute: IdAttribute,
    /// The id.
    pub id: Value,
    /// Where it stands.
    pub span: Range<u32>,
    /// The shadow tree it stands in; 0 for the page itself.
    pub tree: u32,
}

#[cfg(test)]
mod tests {
    use super::ids_in_urls;

    #[test]
    fn urls_of_the_same_document() {
        let ids = |style: &str| ids_in_urls(style).into_iter().map(|(id, _)| id).collect::<Vec<_>>();
        assert_eq!(ids("url(#a)"), ["a"]);
        assert_eq!(ids("fill: url( '#a' ); mask:url(\"#b\")!important;filter:url(x.svg#c)"), ["a", "b"]);
        assert_eq!(ids("url(#a) red"), [""; 0], "red is painted instead");
        assert_eq!(ids("red"), [""; 0]);
    }
}
