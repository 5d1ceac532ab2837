//! Scripts: imports, properties that name pages, attributes of JSX.

use std::borrow::Cow;
use std::ops::Range;

use sitegate_address::SitePath;
use sitegate_script::{LiteralPlace, LiteralSyntax, ScriptPart, read_literals};

use crate::positions::shifted;
use crate::reference::{Manner, SourceScan, SourceTag};
use crate::url_attributes::{UrlsIn, add_urls, decode_html, urls_in};
use crate::values::{add_sidebar_id, is_address, is_literal, is_path_like, is_sidebar, may_refer};

/// Finds the references of a script in a range of the text. `path` decides between `JavaScript`, `TypeScript` and JSX.
/// A script that cannot be parsed is inert.
pub(crate) fn scan<'t>(path: &str, text: &'t str, range: Range<usize>, scan: &mut SourceScan<'t>) {
    let syntax = match SitePath::new(path).extension().unwrap_or_default() {
        "ts" | "mts" | "cts" => LiteralSyntax::TypeScript,
        "tsx" => LiteralSyntax::Tsx,
        _ => LiteralSyntax::JavaScript,
    };
    let is_sidebar = is_sidebar(path);
    let in_text = |part| shifted(part, range.start);
    let is_read = read_literals(&text[range.clone()], syntax, |part| match part {
        ScriptPart::Literal { range: inside, value, place, keys } => {
            let literal = in_text(inside);
            if !(is_sidebar && add_sidebar_id(text, literal.clone(), value, place, keys, scan)) {
                add_literal(text, literal, value, place, keys, scan);
            }
        }
        ScriptPart::Tag { range: tag, name } => {
            scan.tags.push(SourceTag { range: in_text(tag), name: in_text(name) });
        }
        ScriptPart::Comment(comment) => scan.inert.push(in_text(comment)),
    });
    if !is_read {
        scan.inert.push(range);
    }
}

/// Adds a literal by its place.
fn add_literal<'t>(
    text: &'t str,
    literal: Range<usize>,
    value: &str,
    place: LiteralPlace<'_>,
    keys: &[String],
    scan: &mut SourceScan<'t>,
) {
    let key = keys.last().map_or("", String::as_str);
    let manner = match place {
        LiteralPlace::Attribute { name, is_expression } => {
            return add_attribute(text, literal, value, name, is_expression, scan);
        }
        // A link to a document in the navigation of Docusaurus.
        LiteralPlace::Property if key == "docId" && is_literal(value) => Manner::Id,
        LiteralPlace::Module if is_literal(value) => Manner::File,
        LiteralPlace::Property | LiteralPlace::Item
            if may_refer(keys.iter().map(String::as_str), false) && is_address(value, key) =>
        {
            Manner::Value
        }
        LiteralPlace::Other if may_be_path(value) => Manner::Text,
        _ => return,
    };
    scan.add_decoded(text, literal, value, manner);
}

/// Adds the URLs in an attribute of JSX. Its element is not considered: components have the same names.
fn add_attribute<'t>(
    text: &'t str,
    literal: Range<usize>,
    value: &str,
    name: &str,
    is_expression: bool,
    scan: &mut SourceScan<'t>,
) {
    let urls = urls_in("", &name.to_ascii_lowercase());
    if urls == UrlsIn::Nothing {
        if may_be_path(value) {
            scan.add_decoded(text, literal, value, Manner::Text);
        }
    } else if !is_expression {
        add_urls(text, literal, urls, decode_jsx, scan);
    } else if text.get(literal.clone()) == Some(value) {
        add_urls(text, literal, urls, |written| Cow::Borrowed(written), scan);
    } else if is_literal(value) && matches!(urls, UrlsIn::Whole | UrlsIn::PathLike) {
        scan.add_decoded(text, literal, value, Manner::Attribute);
    }
}

/// Whether a text may be a path: a function may add the slash before it.
fn may_be_path(value: &str) -> bool {
    is_path_like(value) || value.contains('/') && is_address(value, "")
}

/// Decodes the character references of JSX, which always end with a semicolon.
fn decode_jsx(written: &str) -> Cow<'_, str> {
    if !written.contains('&') {
        return Cow::Borrowed(written);
    }
    let mut parts = written.split('&');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let name = part
            .split_once(';')
            .filter(|(name, _)| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'#'));
        if let Some((name, after)) = name {
            decoded.push_str(&decode_html(&format!("&{name};")));
            decoded.push_str(after);
        } else {
            decoded.push('&');
            decoded.push_str(part);
        }
    }
    Cow::Owned(decoded)
}
