//! Decodes character references of HTML.

use std::borrow::Cow;

/// Decodes the character references in an attribute's value once (HTML standard, 13.2.5.72).
pub fn decode_references(value: &str) -> Cow<'_, str> {
    htmlize::unescape_attribute(value)
}
