//! Finds ranges of HTML and CSS in text that is not parsed otherwise: the attributes of a start tag, the start of the
//! head, and the comments and statements of style sheets.

use std::ops::Range;

use memchr::memmem;

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

/// Returns the ends of the statements that begin at these offsets, which are sorted.
pub(super) fn statement_ends(css: &[u8], starts: &[usize]) -> Vec<usize> {
    let mut ends = vec![css.len(); starts.len()];
    // The depth of open brackets, and the statements that began at each depth; the deepest come last.
    let mut depth = 0isize;
    let mut open: Vec<(isize, Vec<usize>)> = Vec::new();
    let mut next = 0;
    let mut quote = None;
    let mut at = starts.first().copied().unwrap_or(css.len());
    loop {
        while starts.get(next).is_some_and(|start| *start <= at) {
            quote = None;
            match open.last_mut().filter(|(outer, _)| *outer == depth) {
                Some((_, statements)) => statements.push(next),
                None => open.push((depth, vec![next])),
            }
            next += 1;
        }
        let Some(&byte) = css.get(at) else { return ends };
        match (quote, byte) {
            (_, b'\\') => at += 1,
            (Some(mark), _) if byte == mark => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'/') if css[at..].starts_with(b"/*") => {
                at = memmem::find(&css[at + 2..], b"*/").map_or(css.len(), |length| at + 2 + length + 1);
            }
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b'}') => {
                end_statements(&mut open, depth, at, &mut ends);
                end_statements(&mut open, depth - 1, at + 1, &mut ends);
                depth -= 1;
            }
            (None, b')' | b']') => {
                depth -= 1;
                move_up(&mut open, depth);
            }
            (None, b';') => end_statements(&mut open, depth, at, &mut ends),
            _ => {}
        }
        at += 1;
    }
}

/// Ends the statements that began at this depth, if no deeper statement is open.
fn end_statements(open: &mut Vec<(isize, Vec<usize>)>, depth: isize, at: usize, ends: &mut [usize]) {
    let Some((_, ended)) = open.pop_if(|(outer, _)| *outer == depth) else { return };
    for statement in ended {
        ends[statement] = at;
    }
}

/// Handles a closing bracket without an opening one: it changes nothing for the statement that contains it.
fn move_up(open: &mut Vec<(isize, Vec<usize>)>, depth: isize) {
    let Some((_, mut moved)) = open.pop_if(|(outer, _)| *outer > depth) else { return };
    match open.last_mut().filter(|(outer, _)| *outer == depth) {
        Some((_, statements)) => {
            if statements.len() < moved.len() {
                std::mem::swap(statements, &mut moved);
            }
            statements.append(&mut moved);
        }
        None => open.push((depth, moved)),
    }
}

#[cfg(test)]
mod tests {
    use super::{head_start, start_tag, statement_ends};

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

    /// Returns the end of one statement, with a separate search.
    fn statement_end(css: &[u8], from: usize) -> usize {
        let mut depth = 0usize;
        let mut at = from;
        while let Some(&byte) = css.get(at) {
            match byte {
                b'\\' => at += 1,
                b'(' | b'[' | b'{' => depth += 1,
                b'}' if depth <= 1 => return (at + depth).min(css.len()),
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b';' if depth == 0 => return at,
                _ => {}
            }
            at += 1;
        }
        css.len()
    }

    proptest::proptest! {
        #[test]
        fn one_pass_finds_the_same_ends_as_separate_searches(css in "[a;(){}\\\\]{0,30}", starts in "[01]{30}") {
            let starts = starts.bytes().enumerate().filter(|(_, one)| *one == b'1').map(|(at, _)| at);
            let is_escaped = |at: usize| css.as_bytes()[..at].iter().rev().take_while(|b| **b == b'\\').count() % 2 == 1;
            let starts: Vec<usize> = starts.filter(|at| *at <= css.len() && !is_escaped(*at)).collect();
            let alone: Vec<usize> = starts.iter().map(|at| statement_end(css.as_bytes(), *at)).collect();
            proptest::prop_assert_eq!(statement_ends(css.as_bytes(), &starts), alone);
        }
    }
}
