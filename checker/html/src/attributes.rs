//! Parses an attribute in a tag (HTML standard, 13.2.5.32 to 13.2.5.39).

use std::borrow::Cow;
use std::ops::Range;

use crate::scan::{find, is_space, name_end};

/// An attribute at a position in the text.
pub struct AttributeAt {
    /// Its name as written.
    pub name: Range<usize>,
    /// The key of its name (see [`crate::key::key`]).
    pub key: u128,
    /// The value without quotes; `None` without `=`.
    pub value: Option<Range<usize>>,
    /// The offset after it.
    pub end: usize,
}

impl AttributeAt {
    /// Reads the attribute that begins at `start`; `None` if it is incomplete at the end of the text.
    #[inline(always)]
    pub fn read(text: &[u8], start: usize) -> Option<AttributeAt> {
        let (name_end, key) = name_end::<true>(text, start)?;
        let name = start..name_end;
        // Nearly all attributes are written so, without spaces.
        let at = if let [b'=', b'"' | b'\'', ..] = text.get(name_end..)? {
            name_end + 1
        } else {
            let at = skip_space(text, name_end);
            if text.get(at) != Some(&b'=') {
                return Some(AttributeAt { name, key, value: None, end: at });
            }
            skip_space(text, at + 1)
        };
        let (value, end) = if let quote @ (b'"' | b'\'') = *text.get(at)? {
            let end = find(text, at + 1, quote)?;
            (at + 1..end, end + 1)
        } else {
            let end = at + text[at..].iter().position(|b| is_space(*b) || *b == b'>')?;
            (at..end, end)
        };
        Some(AttributeAt { name, key, value: Some(value), end })
    }
}

/// Returns the value of an attribute by its name in any case, in a tag whose name ends at `name_end`; empty without a
/// value.
pub fn attribute_value<'t>(text: &'t [u8], name_end: usize, attribute: &[u8]) -> Option<&'t [u8]> {
    let found = find_attribute(text, name_end, attribute)?;
    Some(found.value.map_or(b"", |value| &text[value]))
}

/// Returns an attribute by its name in any case, in a tag whose name ends at `name_end`: the first of several.
pub fn find_attribute(text: &[u8], name_end: usize, attribute: &[u8]) -> Option<AttributeAt> {
    attributes(text, name_end).find(|own| text[own.name.clone()].eq_ignore_ascii_case(attribute))
}

/// Returns all attributes of a tag whose name ends at `name_end`.
pub fn attributes(text: &[u8], name_end: usize) -> impl Iterator<Item = AttributeAt> {
    let mut at = name_end;
    std::iter::from_fn(move || {
        at += text[at..].iter().take_while(|b| is_space(**b) || **b == b'/').count();
        if *text.get(at)? == b'>' {
            return None;
        }
        let attribute = AttributeAt::read(text, at)?;
        at = attribute.end;
        Some(attribute)
    })
}

fn skip_space(text: &[u8], start: usize) -> usize {
    start + text[start..].iter().take_while(|b| is_space(**b)).count()
}

/// Whether an `encoding` of `annotation-xml`, as written, says that its content is HTML (HTML standard, 13.2.4.2).
pub(crate) fn is_html_encoding(encoding: &[u8]) -> bool {
    let encoding = decoded_value(encoding);
    ["text/html", "application/xhtml+xml"].iter().any(|known| encoding.eq_ignore_ascii_case(known))
}

/// Decodes the value of an attribute: character references (HTML standard, 13.2.5.72), and bytes that are no UTF-8.
pub fn decoded_value(value: &[u8]) -> Cow<'_, str> {
    htmlize::unescape_attribute(String::from_utf8_lossy(value))
}
