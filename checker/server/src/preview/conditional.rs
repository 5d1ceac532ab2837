//! Interprets request headers: compression, ranges, and conditional requests.

use std::ops::Range;

use hyper::header::{self, HeaderMap};

use sitegate_host::compression::Coding;

/// Maximum number of ranges per request.
const MAX_RANGES: usize = 8;

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

/// The requested parts of a body (RFC 9110, section 14).
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RequestedParts {
    /// All of it: no valid range was requested.
    Whole,
    /// These ranges of bytes, at least one, in the requested order.
    Ranges(Vec<Range<u64>>),
    /// Only ranges outside of the body.
    Outside,
}

/// Returns the requested parts of a body with this length and entity tag. Too many or overlapping ranges cost
/// more than the whole body, which may always be sent instead.
pub(super) fn requested_parts(request: &HeaderMap, length: u64, etag: &str) -> RequestedParts {
    // A part of another version must not be combined with this one. Dates are ignored, since builds may set all
    // to the same.
    let is_outdated = request.get(header::IF_RANGE).is_some_and(|known| known.to_str().ok() != Some(etag));
    let requested = request.get(header::RANGE).and_then(|value| value.to_str().ok());
    let Some((unit, set)) = requested.and_then(|requested| requested.split_once('=')) else {
        return RequestedParts::Whole;
    };
    if is_outdated {
        return RequestedParts::Whole;
    }
    let specs: Vec<&str> = set.split(',').map(str::trim).filter(|spec| !spec.is_empty()).collect();
    if !unit.trim().eq_ignore_ascii_case("bytes") || specs.is_empty() || specs.len() > MAX_RANGES {
        return RequestedParts::Whole;
    }
    let Some(ranges) = specs.into_iter().map(|spec| parse_range(spec, length)).collect::<Option<Vec<_>>>()
    else {
        return RequestedParts::Whole;
    };
    let ranges: Vec<Range<u64>> =
        ranges.into_iter().filter(|parse_range| parse_range.start < parse_range.end).collect();
    let mut sorted = ranges.clone();
    sorted.sort_by_key(|parse_range| parse_range.start);
    if sorted.windows(2).any(|two| two[1].start < two[0].end) {
        return RequestedParts::Whole;
    }
    if ranges.is_empty() { RequestedParts::Outside } else { RequestedParts::Ranges(ranges) }
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

    use super::{RequestedParts, requested_parts};

    fn requested(parse_range: &'static str, length: u64) -> RequestedParts {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, HeaderValue::from_static(parse_range));
        requested_parts(&headers, length, "\"tag\"")
    }

    #[test]
    fn parses_ranges_as_in_the_standard() {
        let ranges = |ranges: &[std::ops::Range<u64>]| RequestedParts::Ranges(ranges.to_vec());
        let one = |parse_range: std::ops::Range<u64>| RequestedParts::Ranges(vec![parse_range]);
        assert_eq!(requested("bytes=0-0", 10), one(0..1));
        assert_eq!(requested("Bytes = 8-99", 10), one(8..10));
        assert_eq!(requested("bytes=-3, 0-1 ,", 10), ranges(&[7..10, 0..2]));
        assert_eq!(requested("bytes=-99", 10), one(0..10));
        assert_eq!(requested("bytes=99-, 1-1", 10), one(1..2), "ranges inside of the body remain");
        for outside in ["bytes=10-", "bytes=-0", "bytes=99999999999999999999999-", "bytes=10-11,-0"] {
            assert_eq!(requested(outside, 10), RequestedParts::Outside, "{outside}");
        }
        assert_eq!(requested("bytes=-1", 0), RequestedParts::Outside);
        for whole in
            ["bytes=5-4", "bytes=a-b", "bytes=+1-2", "bytes=1", "lines=1-2", "bytes=", "bytes=0-5,3-7"]
        {
            assert_eq!(requested(whole, 10), RequestedParts::Whole, "{whole}");
        }
        assert_eq!(
            requested("bytes=0-0,1-1,2-2,3-3,4-4,5-5,6-6,7-7,8-8", 10),
            RequestedParts::Whole,
            "too many"
        );
    }
}
