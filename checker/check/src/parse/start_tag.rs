//! Finds places for edits in HTML and CSS: in start tags, at the start of the head, and comments.

use std::ops::Range;

use sitegate_html::attributes::{AttributeAt, attributes};
use sitegate_html::element::Name;
use sitegate_html::tokenizer::{Token, Tokenizer};

/// A start tag, with the places of its attributes.
pub(crate) struct StartTag {
    attributes: Vec<AttributeAt>,
    /// Offset for another attribute: after the last one, or after the name.
    pub end: usize,
}

impl StartTag {
    /// Returns the places of an attribute's name and value, the latter without quotes.
    pub fn attribute(&self, text: &[u8], name: &str) -> Option<(&Range<usize>, Option<&Range<usize>>)> {
        let is_named = |own: &&AttributeAt| text[own.name.clone()].eq_ignore_ascii_case(name.as_bytes());
        self.attributes.iter().find(is_named).map(|own| (&own.name, own.value.as_ref()))
    }
}

/// Returns the start tag at the start of a text.
pub(crate) fn start_tag(text: &[u8]) -> Option<StartTag> {
    let Token::Start(tag) = Tokenizer::new(text).next(false, &mut ())? else { return None };
    if tag.range.start != 0 {
        return None;
    }
    let attributes: Vec<AttributeAt> = attributes(text, tag.name_range.end).collect();
    let end_of = |own: &AttributeAt| match &own.value {
        Some(value) => value.end + usize::from(quote_before(text, value.start).is_some()),
        None => own.name.end,
    };
    let end = attributes.last().map_or(tag.name_range.end, end_of);
    Some(StartTag { attributes, end })
}

/// Returns the quote before a value.
pub(crate) fn quote_before(text: &[u8], start: usize) -> Option<u8> {
    text.get(start.checked_sub(1)?).copied().filter(|byte| matches!(byte, b'"' | b'\''))
}

/// Returns the offset after the start tag of the head.
pub(crate) fn head_start(text: &[u8]) -> Option<usize> {
    let mut tokenizer = Tokenizer::new(text);
    loop {
        match tokenizer.next(false, &mut ())? {
            Token::Start(tag) if tag.name == Name::Head => return Some(tag.range.end),
            Token::Start(tag) if tag.name != Name::Html => return None,
            Token::End(_) => return None,
            _ => {}
        }
    }
}

/// Returns the comment of a style sheet that contains an offset.
pub(crate) fn style_comment_around(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = memchr::memmem::rfind(&text[..at], b"/*")?;
    let end = start + 2 + memchr::memmem::find(&text[start + 2..], b"*/")? + 2;
    (at < end).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::{head_start, start_tag};

    #[test]
    fn finds_attributes_and_the_place_for_another() {
        for (tag, end, href) in [
            ("<a>", 2, None),
            ("<img src=a/b.png >", 16, None),
            ("<img src='a b' alt />", 18, None),
            ("<a hreF=\"x>y\" rel = no>z", 22, Some("x>y")),
            ("<a x-y=1 href=/b/>", 17, Some("/b/")),
            ("<br/>", 3, None),
        ] {
            let found = start_tag(tag.as_bytes());
            let found = found.map(|found| {
                let value = found.attribute(tag.as_bytes(), "href").and_then(|(_, value)| value);
                (found.end, value.map(|value| &tag[value.clone()]))
            });
            assert_eq!(found, Some((end, href)), "{tag}");
        }
        for text in ["</a>", "x<a>", "<a href"] {
            assert!(start_tag(text.as_bytes()).is_none(), "{text}");
        }
        assert_eq!(head_start(b"<!doctype html><html><head a>x"), Some(29));
        assert_eq!(head_start(b"<!doctype html><title>x</title><head>"), None);
    }
}
