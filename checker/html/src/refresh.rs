//! Parses the `content` of `<meta http-equiv="refresh">`, by the HTML standard (4.2.5.3).

use std::ops::Range;

/// The effect of a refresh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refresh {
    /// Only a time: reloads this page.
    Reload,
    /// A URL, as a range of the content.
    Url(Range<usize>),
    /// None: browsers cannot parse it.
    Invalid,
}

/// Parses `3; url=/next`, `0,'/next'`, `5` and the like.
pub fn parse(content: &str) -> Refresh {
    let bytes = content.as_bytes();
    let mut at = skip_white(bytes, 0);
    let digits = at;
    while at < bytes.len() && bytes[at].is_ascii_digit() {
        at += 1;
    }
    if at == digits && bytes.get(at) != Some(&b'.') {
        return Refresh::Invalid;
    }
    while at < bytes.len() && (bytes[at].is_ascii_digit() || bytes[at] == b'.') {
        at += 1;
    }
    if at == bytes.len() {
        return Refresh::Reload;
    }
    if !(bytes[at] == b';' || bytes[at] == b',' || bytes[at].is_ascii_whitespace()) {
        return Refresh::Invalid;
    }
    at = skip_white(bytes, at);
    if matches!(bytes.get(at), Some(b';' | b',')) {
        at = skip_white(bytes, at + 1);
    }
    if at == bytes.len() {
        return Refresh::Reload;
    }
    if bytes[at..].len() >= 3 && bytes[at..at + 3].eq_ignore_ascii_case(b"url") {
        let equals = skip_white(bytes, at + 3);
        if bytes.get(equals) == Some(&b'=') {
            at = skip_white(bytes, equals + 1);
        }
    }
    let mut end = bytes.len();
    if let Some(quote @ (b'"' | b'\'')) = bytes.get(at) {
        at += 1;
        end = memchr::memchr(*quote, &bytes[at..]).map_or(end, |length| at + length);
    }
    Refresh::Url(at..end)
}

/// Whether a refresh replaces the page before a reader could read it: within a second.
pub fn is_immediate(content: &str) -> bool {
    let time = content.trim_start();
    let digits = time.find(|character: char| !character.is_ascii_digit()).unwrap_or(time.len());
    // Without digits, a fraction such as `.5`.
    time[..digits].is_empty() || time[..digits].parse().is_ok_and(|seconds: u32| seconds <= 1)
}

fn skip_white(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at].is_ascii_whitespace() {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{Refresh, is_immediate, parse};

    fn url(content: &str) -> Option<&str> {
        match parse(content) {
            Refresh::Url(range) => Some(&content[range]),
            _ => None,
        }
    }

    #[test]
    fn parses_separators_and_quotes() {
        assert_eq!(url("3; url=/next"), Some("/next"));
        assert_eq!(url("0,url='/a b'"), Some("/a b"));
        assert_eq!(url("1 /next"), Some("/next"));
        assert_eq!(url(" 1.5 ; URL = \"/x\"ignored"), Some("/x"));
        assert_eq!(url("0;urlx"), Some("urlx"));
    }

    #[test]
    fn knows_refreshes_that_leave_no_time_to_read() {
        assert!(["0; url=/a", " 1;/a", "0.9 url=/a", ".5;/a"].into_iter().all(is_immediate));
        assert!(!["5; url=/a", "2", "300;url=/a", "99999999999"].into_iter().any(is_immediate));
    }

    #[test]
    fn rejects_invalid_refreshes() {
        assert_eq!(parse("3x;url=/a"), Refresh::Invalid);
        assert_eq!(parse("-2;url=/a"), Refresh::Invalid);
        assert_eq!(parse(""), Refresh::Invalid);
        assert_eq!(parse("url=/a"), Refresh::Invalid);
        assert_eq!(parse("5"), Refresh::Reload);
        assert_eq!(parse("5;"), Refresh::Reload);
    }
}
