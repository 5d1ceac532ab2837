//! Reports constructs that are incomplete at the end of a page: a tag, a comment, an element whose content is not
//! markup.

use std::ops::Range;

use sitegate_html::tokenizer::Construct;

use crate::parse::facts::{Unclosed, UnclosedPart};

/// Returns the unclosed part of a page, if readers lose content by it.
pub(super) fn unclosed(text: &[u8], (construct, start): &(Construct, usize)) -> Option<Unclosed> {
    let start = *start;
    let (part, span) = match construct {
        Construct::StartTag => (UnclosedPart::Tag, start..name_end(text, start + 1)),
        Construct::EndTag => {
            let end = text[start..].trim_ascii_end();
            let is_last = [&b"</html"[..], b"</body"]
                .iter()
                .any(|last| last.get(..end.len()).is_some_and(|last| last.eq_ignore_ascii_case(end)));
            if is_last {
                return None;
            }
            (UnclosedPart::Tag, start..name_end(text, start + 2))
        }
        Construct::Comment => {
            let contains_tag = memchr::memchr_iter(b'<', &text[start + 1..])
                .any(|at| text.get(start + at + 2).is_some_and(u8::is_ascii_alphabetic));
            if !contains_tag {
                return None;
            }
            let end = (start + 4).min(text.len());
            let is_comment = text[start..].starts_with(b"<!--");
            (if is_comment { UnclosedPart::Comment } else { UnclosedPart::Tag }, start..end)
        }
        Construct::Element(name) => {
            let tag = memchr::memchr(b'>', &text[name.end..]).map_or(text.len(), |at| name.end + at + 1);
            if has_no_content(&text[tag..]) {
                return None;
            }
            let element = String::from_utf8_lossy(&text[name.clone()]).to_ascii_lowercase();
            (UnclosedPart::Element(element.into()), start..tag)
        }
    };
    Some(Unclosed { part, span: bytes(span), lost: (text.len() - start) as u32 })
}

fn bytes(range: Range<usize>) -> Range<u32> {
    range.start as u32..range.end as u32
}

/// Returns the end of a tag's name.
fn name_end(text: &[u8], start: usize) -> usize {
    start + text[start..].iter().take_while(|b| b.is_ascii_alphanumeric()).count()
}

/// Whether the text contains only white space and end tags.
fn has_no_content(mut text: &[u8]) -> bool {
    loop {
        text = text.trim_ascii_start();
        match text {
            [] => return true,
            [b'<', b'/', ..] => match memchr::memchr(b'>', text) {
                Some(end) => text = &text[end + 1..],
                None => return true,
            },
            _ => return false,
        }
    }
}
