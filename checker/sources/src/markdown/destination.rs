//! Finds the destination inside the text of a link: the parser gives only the range of the whole link. A range counts
//! only if it means the destination that the parser read.

use std::borrow::Cow;
use std::ops::Range;

use sitegate_html::attributes::decoded_value;

/// Maximum length of a character reference in bytes, such as `&CounterClockwiseContourIntegral;`.
const MAX_CHARACTER_REFERENCE: usize = 34;

/// Maximum number of brackets in the alternative text of an image.
const MAX_BRACKETS: usize = 32;

/// Finds the destination of `[text](destination "title")`. `content_end` is the end of the last part of the text, or the
/// start of a text whose parts are not known.
pub(super) fn inline(
    text: &str,
    link: &Range<usize>,
    content_end: usize,
    target: &str,
) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let brackets = memchr::memchr_iter(b']', bytes.get(content_end..link.end)?).take(MAX_BRACKETS);
    brackets.map(|close| content_end + close + 1).filter(|open| bytes.get(*open) == Some(&b'(')).find_map(
        |open| {
            let found = destination(text, open + 1..link.end, target)?;
            let rest = text[found.end..link.end]
                .strip_prefix('>')
                .unwrap_or(&text[found.end..link.end])
                .trim_start();
            (rest == ")" || rest.starts_with(['"', '\'', '(', '>'])).then_some(found)
        },
    )
}

/// Finds the destination of `[name]: destination "title"`.
pub(super) fn definition(text: &str, span: &Range<usize>, target: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = span.start + memchr::memchr(b'[', bytes.get(span.clone())?)? + 1;
    loop {
        at += memchr::memchr2(b'\\', b']', bytes.get(at..span.end)?)?;
        if bytes[at] == b']' {
            break;
        }
        at += 2;
    }
    (bytes.get(at + 1) == Some(&b':')).then_some(())?;
    destination(text, at + 2..span.end, target)
}

/// Finds a destination after white space. It may be on the next line, after the marks of quotes.
fn destination(text: &str, range: Range<usize>, target: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = range.start;
    let mut is_next_line = false;
    loop {
        while at < range.end && matches!(bytes[at], b' ' | b'\t' | b'\r' | b'\n') {
            is_next_line |= bytes[at] == b'\n';
            at += 1;
        }
        let found = destination_at(bytes, at..range.end);
        if means(&text[found.clone()], target) {
            return (!found.is_empty()).then_some(found);
        }
        if !is_next_line || bytes.get(at) != Some(&b'>') || at >= range.end {
            return None;
        }
        at += 1;
    }
}

/// Returns the range of a destination that begins a range, in angle brackets or with balanced parentheses.
fn destination_at(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let is_enclosed = bytes[range.clone()].first() == Some(&b'<');
    let start = range.start + usize::from(is_enclosed);
    let mut at = start;
    let mut depth = 0_usize;
    while at < range.end {
        match bytes[at] {
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
            b'>' if is_enclosed => break,
            _ if is_enclosed => {}
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            byte if byte <= b' ' || byte == 0x7f => break,
            _ => {}
        }
        at += 1;
    }
    start..at.min(range.end)
}

/// Whether a text in a source means a destination.
fn means(written: &str, target: &str) -> bool {
    written == target || unescape(written) == target
}

/// Removes the escapes of Markdown: backslashes before punctuation, and character references.
pub(super) fn unescape(written: &str) -> Cow<'_, str> {
    let bytes = written.as_bytes();
    let mut text = String::new();
    let (mut at, mut copied) = (0, 0);
    while let Some(found) = memchr::memchr2(b'\\', b'&', &bytes[at..]).map(|found| at + found) {
        at = found + 1;
        if bytes[found] == b'\\' {
            if bytes.get(at).is_some_and(u8::is_ascii_punctuation) {
                text.push_str(&written[copied..found]);
                copied = at;
                at += 1;
            }
            continue;
        }
        let near = &bytes[found..bytes.len().min(found + MAX_CHARACTER_REFERENCE)];
        let Some(end) = memchr::memchr(b';', near).map(|end| found + end + 1) else { continue };
        let is_name =
            bytes[found + 1..end - 1].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'#');
        let decoded = decoded_value(&bytes[found..end]);
        if is_name && decoded.as_bytes() != &bytes[found..end] {
            text.push_str(&written[copied..found]);
            text.push_str(&decoded);
            (at, copied) = (end, end);
        }
    }
    if copied == 0 {
        return Cow::Borrowed(written);
    }
    text.push_str(&written[copied..]);
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn removes_escapes() {
        assert_eq!(unescape(r"a\_b\c\\d\"), r"a_b\c\d\");
        assert_eq!(unescape("a&amp;b&lang=x&copy;&#47;&#x2F;&none;&"), "a&b&lang=x©//&none;&");
        assert_eq!(unescape(r"\&amp;"), "&amp;");
    }
}
