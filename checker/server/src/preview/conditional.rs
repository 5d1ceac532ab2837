//! Interprets request headers: compression, a range, and conditional requests.

use std::ops::Range;

use hyper::header::{self, HeaderMap, HeaderValue};

use sitegate_host::compression::Coding;

/// Returns the best coding that a client accepts.
pub(super) fn accepted_coding(request: &HeaderMap) -> Option<Coding> {
    let accepted = request.get(header::ACCEPT_ENCODING)?.to_str().ok()?;
    let accepts = |wanted: &str| {
        accepted.split(',').any(|entry| {
            let mut requested_parts = entry.split(';').map(str::trim);
            let rejected = |part: &str| part.strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
            requested_parts.next().is_some_and(|name| name.eq_ignore_ascii_case(wanted))
                && !requested_parts.any(rejected)
        })
    };
    if accepts("br") {
        Some(Coding::Brotli)
    } else if accepts("gzip") {
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

/// The requested part of a body (RFC 9110, section 14).
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RequestedPart {
    /// All of it: no valid range was requested, or several, which browsers do not do.
    Whole,
    /// This range of bytes, which is not empty.
    Range(Range<u64>),
    /// A range outside of the body.
    Outside,
}

/// Returns the requested part of a body with this length and entity tag.
pub(super) fn requested_part(request: &HeaderMap, length: u64, etag: Option<&str>) -> RequestedPart {
    // A part of another version must not be combined with this one. Dates are ignored, since builds may set all
    // to the same.
    let is_known = |known: &HeaderValue| etag.is_some_and(|etag| known.as_bytes() == etag.as_bytes());
    if !request.get(header::IF_RANGE).is_none_or(is_known) {
        return RequestedPart::Whole;
    }
    let requested = request.get(header::RANGE).and_then(|value| value.to_str().ok());
    let range = requested.and_then(|requested| {
        let (unit, range) = requested.split_once('=')?;
        if unit.trim().eq_ignore_ascii_case("bytes") { parse_range(range, length) } else { None }
    });
    match range {
        None => RequestedPart::Whole,
        Some(range) if range.start < range.end => RequestedPart::Range(range),
        Some(_) => RequestedPart::Outside,
    }
}

/// Parses one range, which is empty if it is outside of the body. Returns none if the syntax is invalid.
fn parse_range(spec: &str, length: u64) -> Option<Range<u64>> {
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number that is too large exceeds any file.
        digits.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let (first, last) = spec.split_once('-')?;
    match (first.trim(), last.trim()) {
        ("", suffix) => Some(length.saturating_sub(number(suffix)?)..length),
        (first, "") => Some(number(first)?..length),
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then(|| first..last.saturating_add(1).min(length))
        }
    }
}

#[cfg(test)]
mod tests {
    use hyper::header::{self, HeaderMap, HeaderValue};

    use super::{RequestedPart, requested_part};

    fn requested(range: &'static str, length: u64) -> RequestedPart {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, HeaderValue::from_static(range));
        requested_part(&headers, length, Some("\"tag\""))
    }

    #[test]
    fn parses_a_range_as_in_the_standard() {
        for (range, expected) in [
            ("bytes=0-0", 0..1),
            ("Bytes = 8-99", 8..10),
            ("bytes=-3", 7..10),
            ("bytes=-99", 0..10),
            ("bytes= 2 - ", 2..10),
        ] {
            assert_eq!(requested(range, 10), RequestedPart::Range(expected), "{range}");
        }
        for outside in ["bytes=10-", "bytes=-0", "bytes=99999999999999999999999-", "bytes=10-11"] {
            assert_eq!(requested(outside, 10), RequestedPart::Outside, "{outside}");
        }
        assert_eq!(requested("bytes=-1", 0), RequestedPart::Outside);
        for whole in
            ["bytes=5-4", "bytes=a-b", "bytes=+1-2", "bytes=1", "lines=1-2", "bytes=", "bytes=0-1,3-4"]
        {
            assert_eq!(requested(whole, 10), RequestedPart::Whole, "{whole}");
        }
    }

    #[test]
    fn combines_no_part_with_another_version() {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, HeaderValue::from_static("bytes=1-2"));
        headers.insert(header::IF_RANGE, HeaderValue::from_static("\"tag\""));
        assert_eq!(requested_part(&headers, 10, Some("\"tag\"")), RequestedPart::Range(1..3));
        assert_eq!(requested_part(&headers, 10, Some("\"other\"")), RequestedPart::Whole);
        assert_eq!(requested_part(&headers, 10, None), RequestedPart::Whole);
    }
}
