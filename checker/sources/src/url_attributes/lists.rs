//! Finds the URLs in attributes that contain more than one, or more than a URL.

use std::ops::Range;

/// Returns the URLs of a `srcset` (HTML, 4.8.4.3.10). Commas inside a URL belong to it; a comma at its end ends the
/// candidate.
pub(super) fn srcset(value: &str) -> Vec<Range<usize>> {
    let bytes = value.as_bytes();
    let mut urls = Vec::new();
    let mut at = 0;
    loop {
        at += count(&bytes[at..], |byte| byte.is_ascii_whitespace() || byte == b',');
        if at == bytes.len() {
            return urls;
        }
        let end = at + count(&bytes[at..], |byte| !byte.is_ascii_whitespace());
        let url = value[at..end].trim_end_matches(',');
        urls.push(at..at + url.len());
        at = if at + url.len() == end { descriptors_end(bytes, end) } else { end };
    }
}

/// Returns the end of a candidate's descriptors: after the next comma outside of parentheses.
fn descriptors_end(bytes: &[u8], start: usize) -> usize {
    let mut is_inside = false;
    let end = bytes[start..].iter().position(|byte| {
        is_inside = *byte == b'(' || is_inside && *byte != b')';
        *byte == b',' && !is_inside
    });
    end.map_or(bytes.len(), |end| start + end + 1)
}

/// Returns the words of a list that is separated by spaces.
pub(super) fn words(value: &str) -> Vec<Range<usize>> {
    let offset = |word: &str| word.as_ptr() as usize - value.as_ptr() as usize;
    value.split_ascii_whitespace().map(|word| offset(word)..offset(word) + word.len()).collect()
}

/// Returns the URL in the `content` of a refresh (HTML, 4.2.5.3).
pub(crate) fn refresh(content: &str) -> Option<Range<usize>> {
    let bytes = content.as_bytes();
    let skip_space = |at: usize| at + count(&bytes[at..], |byte| byte.is_ascii_whitespace());
    let mut at = skip_space(0);
    let time = count(&bytes[at..], |byte| byte.is_ascii_digit() || byte == b'.');
    at += time;
    let separator = *bytes.get(at)?;
    if time == 0 || !(matches!(separator, b';' | b',') || separator.is_ascii_whitespace()) {
        return None;
    }
    at = skip_space(at);
    if matches!(bytes.get(at), Some(b';' | b',')) {
        at = skip_space(at + 1);
    }
    if bytes.get(at..at + 3).is_some_and(|name| name.eq_ignore_ascii_case(b"url")) {
        let equals = skip_space(at + 3);
        if bytes.get(equals) == Some(&b'=') {
            at = skip_space(equals + 1);
        }
    }
    let mut end = bytes.len();
    if let Some(quote @ (b'"' | b'\'')) = bytes.get(at) {
        at += 1;
        end = memchr::memchr(*quote, &bytes[at..]).map_or(end, |length| at + length);
    }
    (at < end).then_some(at..end)
}

fn count(bytes: &[u8], matches: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| matches(**byte)).count()
}

#[cfg(test)]
mod tests {
    use super::{refresh, srcset, words};

    #[test]
    fn finds_the_candidates_of_srcset() {
        for (value, expected) in [
            ("a,b.png 1x, c.png 2x", "a,b.png|c.png"),
            ("a.png,,, b.png 2x", "a.png|b.png"),
            ("a.png x(1,2) 3w, b.png", "a.png|b.png"),
            ("data:image/png;base64,AA 1x,b.png", "data:image/png;base64,AA|b.png"),
            (" , ", ""),
            ("é.png 1x", "é.png"),
        ] {
            let found: Vec<_> = srcset(value).into_iter().map(|url| &value[url]).collect();
            assert_eq!(found.join("|"), expected, "{value}");
        }
        assert_eq!(words(" /a  /b "), [1..3, 5..7]);
    }

    #[test]
    fn finds_the_url_of_a_refresh() {
        let url = |content: &'static str| refresh(content).map(|range| &content[range]);
        assert_eq!(url("3; url=/next"), Some("/next"));
        assert_eq!(url("0,url='/a b'"), Some("/a b"));
        assert_eq!(url("1 /next"), Some("/next"));
        assert_eq!(url(" 1.5 ; URL = \"/x\"ignored"), Some("/x"));
        for none in ["", "5", "5;", "url=/a", "3x;url=/a", "-2;url=/a"] {
            assert_eq!(url(none), None, "{none}");
        }
    }
}
