//! Parses an attribute in a tag (HTML standard, 13.2.5.32 to 13.2.5.39).

use std::ops::Range;

use super::block::{find, is_space, name_end};

/// An attribute at a position in the text.
pub(super) struct AttributeAt {
    pub name: Range<usize>,
    /// The key of its name (see [`crate::parse::names::key`]).
    pub key: u128,
    /// The value without quotes; `None` without `=`.
    pub value: Option<Range<usize>>,
    pub end: usize,
}

impl AttributeAt {
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
pub(super) fn attribute_value<'t>(text: &'t [u8], name_end: usize, attribute: &[u8]) -> Option<&'t [u8]> {
    let found =
        attributes(text, name_end).find(|own| text[own.name.clone()].eq_ignore_ascii_case(attribute))?;
    Some(found.value.map_or(b"", |value| &text[value]))
}

/// Returns all attributes of a tag whose name ends at `name_end`.
pub(super) fn attributes(text: &[u8], name_end: usize) -> impl Iterator<Item = AttributeAt> {
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
