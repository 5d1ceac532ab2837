//! The attributes of HTML, of components and of JSX whose values are URLs, and the URLs in them.

use std::borrow::Cow;
use std::ops::Range;

use sitegate_html::attribute_name::Attribute;
use sitegate_html::attributes::decoded_value;
use sitegate_html::element_table::syntax_of;
use sitegate_html::srcset::{self, words};
use sitegate_html::url_attribute::UrlSyntax;

use crate::positions::{shifted, trimmed};
use crate::reference::{Manner, SourceScan};
use crate::values::is_path_like;

/// How an attribute contains URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UrlsIn {
    /// It contains none.
    Nothing,
    /// It is one.
    Whole,
    /// It is one if it is written as a path or a URL. Components use such names for other values, too.
    PathLike,
    /// Candidates of `srcset`, with descriptors.
    Srcset,
    /// A list, separated by spaces.
    List,
    /// A style declaration.
    Style,
}

/// Attributes of components with a URL, which HTML does not know.
const OF_COMPONENTS: [&str; 7] = ["data-href", "image", "link", "manifest", "to", "url", "xlinkhref"];

/// Parts of names of attributes whose values may be paths.
const PATH_SUFFIXES: [&str; 4] = ["href", "src", "url", "link"];

/// Returns how an attribute contains URLs, by the names of its element and of itself in lower case.
pub(crate) fn urls_in(element: &str, attribute: &str) -> UrlsIn {
    let has_other_meaning = match attribute {
        // A base changes all others, and is the address of no page.
        "href" => element == "base",
        // A value of an animation.
        "to" => matches!(element, "animate" | "animatetransform" | "set"),
        // Components give data such a name.
        "data" => element != "object",
        _ => false,
    };
    if has_other_meaning {
        return UrlsIn::Nothing;
    }
    match syntax_of(Attribute::from_name(attribute.as_bytes())) {
        Some(UrlSyntax::Url | UrlSyntax::UrlOrTemplate) => UrlsIn::Whole,
        Some(UrlSyntax::Path | UrlSyntax::MarkdownPath) => UrlsIn::PathLike,
        Some(UrlSyntax::Srcset) => UrlsIn::Srcset,
        Some(UrlSyntax::List) => UrlsIn::List,
        Some(UrlSyntax::Style) => UrlsIn::Style,
        Some(UrlSyntax::Text) | None => match attribute {
            _ if OF_COMPONENTS.contains(&attribute) => UrlsIn::Whole,
            _ if attribute.starts_with("data-") => UrlsIn::PathLike,
            _ if PATH_SUFFIXES.iter().any(|suffix| attribute.ends_with(suffix)) => UrlsIn::PathLike,
            _ => UrlsIn::Nothing,
        },
    }
}

/// Adds the URLs in the value of an attribute. Character references in it are decoded.
pub(crate) fn add_urls<'t>(
    text: &'t str,
    value: Range<usize>,
    urls: UrlsIn,
    decode: fn(&str) -> Cow<'_, str>,
    scan: &mut SourceScan<'t>,
) {
    let written = &text[value.clone()];
    let mut add = |part: Range<usize>| {
        // URLs have no white space at their ends.
        let range = trimmed(text, shifted(part, value.start));
        let target = decode(&text[range.clone()]);
        let is_url = if urls == UrlsIn::PathLike { is_path_like(&target) } else { is_url(&target) };
        if is_url {
            scan.add_decoded(text, range, &target, Manner::Attribute);
        }
    };
    match urls {
        UrlsIn::Nothing => {}
        UrlsIn::Whole | UrlsIn::PathLike => add(0..written.len()),
        UrlsIn::Srcset => srcset::urls(written).into_iter().for_each(add),
        UrlsIn::List => words(written).into_iter().for_each(add),
        // In a style with character references, ranges of CSS are not those of the text.
        UrlsIn::Style if written.contains('&') => {}
        UrlsIn::Style => crate::css::scan(text, value, scan),
    }
}

/// Decodes character references as HTML does in attributes.
pub(crate) fn decode_html(written: &str) -> Cow<'_, str> {
    decoded_value(written.as_bytes())
}

/// Whether a value may be a URL as a whole. The attribute decides that it is one, with any characters; long ones
/// contain data.
fn is_url(target: &str) -> bool {
    const MAX_LENGTH: usize = 2048;
    !target.is_empty() && target.len() <= MAX_LENGTH
}

#[cfg(test)]
mod tests {
    use super::{UrlsIn, urls_in};

    #[test]
    fn knows_attributes_of_elements_and_components() {
        for (element, attribute, expected) in [
            ("a", "href", UrlsIn::Whole),
            ("base", "href", UrlsIn::Nothing),
            ("object", "data", UrlsIn::Whole),
            ("div", "data", UrlsIn::Nothing),
            ("routerlink", "to", UrlsIn::Whole),
            ("animate", "to", UrlsIn::Nothing),
            ("img", "srcset", UrlsIn::Srcset),
            ("card", "imageurl", UrlsIn::PathLike),
            ("div", "data-page", UrlsIn::PathLike),
            ("a", "class", UrlsIn::Nothing),
            ("a", "title", UrlsIn::Nothing),
        ] {
            assert_eq!(urls_in(element, attribute), expected, "{element} {attribute}");
        }
    }
}
