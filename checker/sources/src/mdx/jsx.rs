//! Reads a start tag of JSX: its name, and the literal values of attributes that are URLs.

use std::borrow::Cow;
use std::ops::Range;

use sitegate_html::attributes::decoded_value;

use crate::markdown::shortcodes::required_module;
use crate::positions::range_of;
use crate::reference::{Manner, SourceScan, SourceTag};

/// Names of attributes whose values are URLs, in HTML and in components of generators.
const URL_ATTRIBUTES: [&str; 11] =
    ["href", "src", "to", "link", "url", "poster", "cite", "image", "action", "formAction", "xlinkHref"];

/// Reads the start tag at the start of a range into a scan, and returns the offset after it; `None` if it is not complete.
pub(super) fn tag<'t>(text: &'t str, range: Range<usize>, found: &mut SourceScan<'t>) -> Option<usize> {
    let bytes = &text.as_bytes()[..range.end];
    let name_start = skip_space(bytes, range.start + 1);
    let name = name_start..name_start + name_length(&bytes[name_start..]);
    let mut at = name.end;
    loop {
        at = skip_space(bytes, at);
        match bytes.get(at)? {
            b'>' => {
                found.tags.push(SourceTag { range: range.start..at + 1, name });
                return Some(at + 1);
            }
            b'/' => at += 1,
            b'{' => {
                let end = expression_end(bytes, at)?;
                found.inert.push(at..end);
                at = end;
            }
            _ => {
                let length = name_length(&bytes[at..]);
                let key = text.get(at..at + length).filter(|key| !key.is_empty())?;
                at = skip_space(bytes, at + length);
                if bytes.get(at) == Some(&b'=') {
                    let value = skip_space(bytes, at + 1);
                    at = value_end(bytes, value)?;
                    attribute(text, key, value..at, found);
                }
            }
        }
    }
}

/// Reads an attribute, from the range of its value with quotes or braces.
fn attribute<'t>(text: &'t str, key: &str, value: Range<usize>, found: &mut SourceScan<'t>) {
    let is_url = URL_ATTRIBUTES.contains(&key) || key.starts_with("data-");
    let is_braced = text.as_bytes()[value.start] == b'{';
    let inner = &text[value.start + 1..value.end - 1];
    if is_braced && let Some(module) = required_module(inner) {
        return found.add(text, range_of(module, text), Manner::File);
    }
    let literal = if is_braced { script_literal(inner) } else { Some(inner) };
    if let Some(written) = literal.filter(|literal| is_url && !literal.is_empty()) {
        // Only strings without braces have character references.
        let target = if is_braced { Cow::Borrowed(written) } else { decoded_value(written.as_bytes()) };
        found.add_decoded(text, range_of(written, text), &target, Manner::Attribute);
    } else if is_braced {
        found.inert.push(value);
    }
}

/// Returns the content of `"x"`, `'x'` or `` `x` ``, if it has no escapes and no expressions.
fn script_literal(expression: &str) -> Option<&str> {
    let expression = expression.trim();
    let quote = expression.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let literal = expression.strip_prefix(quote)?.strip_suffix(quote)?;
    let is_plain = !(literal.contains([quote, '\\', '\n']) || quote == '`' && literal.contains("${"));
    is_plain.then_some(literal)
}

/// Returns the offset after a value in quotes or braces.
fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    match bytes.get(start)? {
        quote @ (b'"' | b'\'') => Some(start + 1 + memchr::memchr(*quote, &bytes[start + 1..])? + 1),
        b'{' => expression_end(bytes, start),
        _ => None,
    }
}

/// Returns the offset after an expression in braces. Strings and comments in it may contain braces.
pub(super) fn expression_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        at += match bytes.get(at)? {
            b'{' => {
                depth += 1;
                1
            }
            b'}' if depth == 1 => return Some(at + 1),
            b'}' => {
                depth -= 1;
                1
            }
            _ => skipped(bytes, at)?,
        };
    }
}

/// Returns the length of a string or a comment of a script at an offset, or 1; `None` if it has no end.
pub(super) fn skipped(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    match rest {
        [b'/', b'*', ..] => memchr::memmem::find(&rest[2..], b"*/").map(|length| length + 4),
        [b'/', b'/', ..] => Some(memchr::memchr(b'\n', rest).unwrap_or(rest.len())),
        // An apostrophe in a word is text of JSX.
        [b'"' | b'\'', ..] if at > 0 && bytes[at - 1].is_ascii_alphanumeric() => Some(1),
        [quote @ (b'"' | b'\'' | b'`'), ..] => {
            let mut length = 1;
            while let Some(byte) = rest.get(length) {
                length += 1;
                match byte {
                    b'\\' => length += 1,
                    b'\n' if *quote != b'`' => return Some(1),
                    byte if byte == quote => return Some(length),
                    _ => {}
                }
            }
            None
        }
        _ => Some(1),
    }
}

fn skip_space(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

fn name_length(bytes: &[u8]) -> usize {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:$".contains(byte) || *byte >= 0x80;
    bytes.iter().take_while(|byte| is_name(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::{SourceScan, tag};
    use crate::reference::SourceReference;

    fn found(text: &str) -> Vec<String> {
        let mut scan = SourceScan::default();
        assert_eq!(tag(text, 0..text.len(), &mut scan), Some(text.len()));
        let written =
            |found: &SourceReference<'_>| format!("{} {}", &text[found.range.clone()], found.target);
        scan.references.iter().map(written).collect()
    }

    #[test]
    fn finds_literal_urls() {
        assert_eq!(found("<a href=\"/x?a&amp;b\">"), ["/x?a&amp;b /x?a&b"]);
        assert_eq!(found("<A.B to={'/x'} {...{a: '}'}} src={ `/y` } b/>"), ["/x /x", "/y /y"]);
        assert_eq!(found("<a\n  href = '>'\n>"), ["> >"]);
        assert_eq!(found("<img src={require('./a.png').default} alt={require(x)} />"), ["./a.png ./a.png"]);
        for text in [
            "<a href={x}>",
            "<a href={`/${x}`}>",
            "<a href={'a' + 'b'}>",
            "<a title=\"/x\">",
            "<a href=\"\">",
            "<>",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        for text in ["<a href=\"", "<a {"] {
            assert_eq!(tag(text, 0..text.len(), &mut SourceScan::default()), None, "{text}");
        }
    }
}
