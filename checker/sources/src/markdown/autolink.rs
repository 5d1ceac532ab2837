//! Finds the bare URLs that GitHub and most generators link: `https://…` and `www.…` in text.

use std::ops::Range;

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
    use super::bare_urls;

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
