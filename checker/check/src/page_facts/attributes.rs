//! Reads the attributes of a page that are compared: all but classes, ids and those that only mark elements.

use std::borrow::Cow;

use sitegate_html::attribute_name::Attribute;
use sitegate_html::element_table::syntax_of;
use sitegate_review::{TextId, Texts};

use super::assets::digest;

/// Maximum number of bytes of a value that is stored as it is.
const MAX_VALUE: usize = 400;

/// Number of bytes of the beginning of a longer value.
const START: usize = 160;

/// Maximum number of bytes of a name.
const MAX_NAME: usize = 60;

/// Whether an attribute is left out, or compared as an anchor or noise: classes and ids are often generated. Ids in SVG
/// are compared by their order.
pub(super) fn is_left_out(name: &[u8], has_value: bool, is_html: bool) -> bool {
    let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
    is(b"class") || is(b"id") && is_html || !has_value && is_mark(name)
}

/// Whether a name is a mark: frameworks mark the elements of a component, as in `data-v-7ba5bd90`.
fn is_mark(name: &[u8]) -> bool {
    const MIN_HASH: usize = 6;
    const MARKS: [&[u8]; 2] = [b"data-v-", b"data-astro-cid-"];
    let starts_with =
        |start: &[u8]| name.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start));
    let last = name.rsplit(|byte| *byte == b'-').next().unwrap_or_default();
    let is_hash = last.len() >= MIN_HASH && last.iter().any(u8::is_ascii_digit);
    starts_with(b"data-") && (is_hash || MARKS.iter().any(|mark| starts_with(mark)))
}

/// Whether the value of an attribute has URLs: of one in the table, the manifest of HTML 5.0, and what scripts read.
pub(super) fn has_urls(name: &[u8], attribute: Attribute) -> bool {
    syntax_of(attribute).is_some() || name.eq_ignore_ascii_case(b"manifest") || name.starts_with(b"data-")
}

/// Stores a value. Of a long one, its beginning and a hash.
pub(super) fn value_id(value: &str, texts: &Texts) -> TextId {
    texts.intern(&shortened(value))
}

fn shortened(value: &str) -> Cow<'_, str> {
    if value.len() <= MAX_VALUE {
        return Cow::Borrowed(value);
    }
    let start: Vec<&str> = value[..value.floor_char_boundary(START)].split_ascii_whitespace().collect();
    Cow::Owned(format!(
        "{}… ({} bytes, hash {:016x})",
        start.join(" "),
        value.len(),
        digest(value.as_bytes())
    ))
}

/// Returns the name of an attribute with its element: `a[href]`.
pub(super) fn shown_name(element: &[u8], attribute: &[u8]) -> String {
    let shown = |name: &[u8]| {
        let lower = name[..name.len().min(MAX_NAME)].to_ascii_lowercase();
        String::from_utf8_lossy(&lower).into_owned()
    };
    format!("{}[{}]", shown(element), shown(attribute))
}
