//! Finds places for edits in HTML: in start tags, at the start of the head, and comments.

use std::ops::Range;

use super::html::{Tokenizer, WrittenAttribute};
use sitegate_html::element::Name;

/// A start tag, with the places of its attributes.
pub(crate) struct StartTag {
    attributes: Vec<WrittenAttribute>,
    /// Offset for another attribute: after the last one, or after the name.
    pub end: usize,
}

impl StartTag {
    /// Returns the places of an attribute's name and value, the latter without quotes.
    pub fn attribute(&self, text: &[u8], name: &str) -> Option<(&Range<usize>, Option<&Range<usize>>)> {
        let is_named =
            |known: &&WrittenAttribute| text[known.name_range.clone()].eq_ignore_ascii_case(name.as_bytes());
        self.attributes.iter().find(is_named).map(|known| (&known.name_range, known.value.as_ref()))
    }
}

/// Returns the start tag at the start of a text.
pub(crate) fn start_tag(text: &[u8]) -> Option<StartTag> {
    let mut attributes = Vec::new();
    let token = Tokenizer::new(text, false, true).next(&mut attributes, &mut ())?;
    if token.is_end || token.range.start != 0 {
        return None;
    }
    let end_of = |known: &WrittenAttribute| match &known.value {
        Some(value) => value.end + usize::from(quote_before(text, value.start).is_some()),
        None => known.name_range.end,
    };
    let end = attributes.iter().map(end_of).max().unwrap_or(token.name.end);
    Some(StartTag { attributes, end })
}

/// Returns the quote before a value.
pub(crate) fn quote_before(text: &[u8], start: usize) -> Option<u8> {
    text.get(start.checked_sub(1)?).copied().filter(|byte| matches!(byte, b'"' | b'\''))
}

/// Returns the offset after the start tag of the head.
pub(crate) fn head_start(text: &[u8]) -> Option<usize> {
    let (mut tokenizer, mut attributes) = (Tokenizer::new(text, false, true), Vec::new());
    while let Some(token) = tokenizer.next(&mut attributes, &mut ()) {
        if token.is_end || !matches!(token.tag, Name::Html | Name::Head) {
            return None;
        }
        if token.tag == Name::Head {
            return Some(token.range.end);
        }
    }
    None
}

/// Returns the comment of HTML or CSS that contains an offset.
pub(crate) fn comment_around(text: &[u8], at: usize, is_css: bool) -> Option<Range<usize>> {
    let (open, close): (&[u8], &[u8]) = if is_css { (b"/*", b"*/") } else { (b"<!--", b"-->") };
    let start = memchr::memmem::rfind(&text[..at], open)?;
    let end = start + open.len() + memchr::memmem::find(&text[start + open.len()..], close)? + close.len();
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
