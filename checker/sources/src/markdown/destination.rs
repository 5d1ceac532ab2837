//! Finds destinations: inside the text of a link, because the parser gives only the range of the whole link, and bare
//! URLs, which GitHub and most generators link. A range in a link counts only if it means the destination that the parser
//! read.

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

/// The schemes of `MyST` for files of the project, each before a path.
const FILE_SCHEMES: [&str; 2] = ["project:", "path:"];

/// Returns the path in a destination of `MyST` with such a scheme; others as they are. After `project:`, `#` begins a label.
pub(super) fn without_file_scheme<'d>(
    text: &str,
    range: Range<usize>,
    target: &'d str,
) -> (Range<usize>, &'d str) {
    let written = &text[range.clone()];
    let path = FILE_SCHEMES.iter().find_map(|scheme| {
        let path = target.strip_prefix(scheme).filter(|path| !path.is_empty() && !path.starts_with('#'))?;
        written.starts_with(scheme).then_some((range.start + scheme.len()..range.end, path))
    });
    path.unwrap_or((range, target))
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

/// The starts of bare URLs.
const STARTS: [&str; 3] = ["https://", "http://", "www."];

/// Finds the bare URLs that begin in a range of a text, and end before `limit`.
pub(super) fn bare_urls(text: &str, range: Range<usize>, limit: usize) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = range.start;
    // Each start contains one of these bytes.
    while let Some(mark) = memchr::memchr2(b':', b'.', &bytes[at..range.end]).map(|mark| at + mark) {
        at = mark + 1;
        let length = if bytes[mark] == b'.' { 3 } else { mark - range.start.max(mark.saturating_sub(5)) };
        let is_start = |start: &usize| {
            let is_known = |known: &str| bytes[*start..limit].starts_with(known.as_bytes());
            *start >= range.start && STARTS.iter().any(|known| is_known(known)) && may_precede(bytes, *start)
        };
        let Some(start) = (mark.saturating_sub(length)..mark).find(is_start) else { continue };
        if let Some(end) = url_end(bytes, start, limit) {
            found.push(start..end);
            at = end.max(at);
            if at >= range.end {
                break;
            }
        }
    }
    found
}

/// Whether a URL can begin after the byte before an offset.
fn may_precede(bytes: &[u8], start: usize) -> bool {
    start == 0 || bytes[start - 1].is_ascii_whitespace() || b"*_~(\"'>".contains(&bytes[start - 1])
}

/// Returns the end of a URL; `None` if its host is not valid, or if dialects read it differently.
fn url_end(bytes: &[u8], start: usize, limit: usize) -> Option<usize> {
    let length =
        bytes[start..limit].iter().take_while(|byte| !byte.is_ascii_whitespace() && **byte != b'<').count();
    let end = start + without_punctuation(&bytes[start..start + length]);
    let url = &bytes[start..end];
    let is_www = url.starts_with(b"www.");
    let host_start = if is_www { 0 } else { memchr::memmem::find(url, b"://")? + 3 };
    let host = &url[host_start..];
    let host = &host[..host.iter().take_while(|byte| is_host_byte(**byte)).count()];
    let labels: Vec<&[u8]> = host.split(|byte| *byte == b'.').collect();
    let is_valid = (labels.len() >= 2 || !is_www)
        && labels.iter().all(|label| !label.is_empty())
        && labels.iter().rev().take(2).all(|label| !label.contains(&b'_'));
    // Escapes and brackets: GitHub takes them as they are, other renderers as Markdown.
    let is_ambiguous = url.iter().any(|byte| b"\\[]`|{}$".contains(byte)) || has_character_reference(url);
    (is_valid && !is_ambiguous).then_some(end)
}

fn is_host_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.') || byte >= 0x80
}

/// Whether a URL contains `&name;`.
fn has_character_reference(url: &[u8]) -> bool {
    memchr::memchr_iter(b'&', url).any(|at| {
        let rest = &url[at + 1..];
        let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#').count();
        name > 0 && rest.get(name) == Some(&b';')
    })
}

/// Returns the length of a URL without the punctuation that ends a sentence around it.
fn without_punctuation(url: &[u8]) -> usize {
    let opened = memchr::memchr_iter(b'(', url).count();
    let mut closed = memchr::memchr_iter(b')', url).count();
    let mut length = url.len();
    while let Some(last) = url[..length].last() {
        match last {
            b')' if closed > opened => closed -= 1,
            b'?' | b'!' | b'.' | b',' | b':' | b'*' | b'_' | b'~' | b'\'' | b'"' => {}
            b';' => {
                let name =
                    url[..length - 1].iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
                let is_reference = name > 0 && url[..length - 1 - name].last() == Some(&b'&');
                length -= if is_reference { name + 1 } else { 0 };
            }
            _ => break,
        }
        length -= 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::{bare_urls, unescape};

    #[test]
    fn removes_escapes() {
        assert_eq!(unescape(r"a\_b\c\\d\"), r"a_b\c\d\");
        assert_eq!(unescape("a&amp;b&lang=x&copy;&#47;&#x2F;&none;&"), "a&b&lang=x©//&none;&");
        assert_eq!(unescape(r"\&amp;"), "&amp;");
    }

    fn found(text: &str) -> Vec<&str> {
        bare_urls(text, 0..text.len(), text.len()).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn finds_bare_urls() {
        for (text, expected) in [
            ("see https://e.org/a_b.", "https://e.org/a_b"),
            ("(www.e.org/a(b))", "www.e.org/a(b)"),
            ("http://e.org/?q=a&lt; b", "http://e.org/?q=a"),
            ("*https://e.org/*", "https://e.org/"),
            ("www.e.org/a<b", "www.e.org/a"),
            ("http://localhost:8080/a)", "http://localhost:8080/a"),
        ] {
            assert_eq!(found(text), [expected], "{text}");
        }
        for text in ["xwww.e.org", "https://", "www.", "ftp://e.org", "https://a_b.c_d/", "https://e.org/[a]"]
        {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        assert_eq!(found("https://a.org, www.b.org"), ["https://a.org", "www.b.org"]);
    }
}
