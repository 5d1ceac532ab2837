//! What a request's headers ask of a body: a compressed form, a part, or only whether it changed.

use hyper::header::{self, HeaderMap};

use crate::compression::Coding;

/// The best compression that a client takes.
pub(super) fn coding(request: &HeaderMap) -> Option<Coding> {
    let accepted = request.get(header::ACCEPT_ENCODING)?.to_str().ok()?;
    let takes = |wanted: &str| {
        accepted.split(',').any(|entry| {
            let mut parts = entry.split(';').map(str::trim);
            let refused = |part: &str| part.strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
            parts.next().is_some_and(|name| name.eq_ignore_ascii_case(wanted)) && !parts.any(refused)
        })
    };
    if takes("br") {
        Some(Coding::Brotli)
    } else if takes("gzip") {
        Some(Coding::Gzip)
    } else {
        None
    }
}

/// Whether the client has this body already.
pub(super) fn is_unchanged(request: &HeaderMap, etag: &str) -> bool {
    let known = request.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    known.is_some_and(|known| {
        known.split(',').map(str::trim).any(|tag| tag == "*" || tag.trim_start_matches("W/") == etag)
    })
}

/// The one range of bytes that is asked for: `None` where there is none to heed, an error where it lies
/// outside the body. Several ranges at once are answered with the whole.
pub(super) fn range(request: &HeaderMap, length: usize) -> Option<Result<std::ops::Range<usize>, ()>> {
    let asked = request.get(header::RANGE)?.to_str().ok()?.strip_prefix("bytes=")?;
    let (first, last) = asked.split_once('-')?;
    let range = match (first.trim(), last.trim()) {
        ("", suffix) => length.saturating_sub(suffix.parse().ok()?)..length,
        (first, "") => first.parse().ok()?..length,
        (first, last) => first.parse().ok()?..last.parse::<usize>().ok()?.saturating_add(1).min(length),
    };
    Some(if range.start < range.end { Ok(range) } else { Err(()) })
}
