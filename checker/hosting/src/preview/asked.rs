//! What a request's headers ask of a body: a compressed form, a part, or only whether it changed.

use std::ops::Range;

use hyper::header::{self, HeaderMap};

use crate::compression::Coding;

/// Ranges at once that are heeded.
const MAX_RANGES: usize = 8;

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

/// The parts of a body that are asked for (RFC 9110, section 14).
#[derive(Debug, PartialEq, Eq)]
pub(super) enum AskedParts {
    /// The whole: nothing else is asked for, or nothing that is worth heeding.
    Whole,
    /// These ranges of bytes, at least one, as they were asked for.
    Ranges(Vec<Range<u64>>),
    /// Ranges that all lie outside the body.
    Outside,
}

/// The parts of a body that is `length` bytes long and has this entity tag. More than a few ranges, or those that lie on
/// each other, cost more than the whole, which may always be sent instead.
pub(super) fn parts(request: &HeaderMap, length: u64, etag: &str) -> AskedParts {
    // A part of another body must not be put together with this one; dates tell nothing where all files have the same.
    let stale = request.get(header::IF_RANGE).is_some_and(|known| known.to_str().ok() != Some(etag));
    let asked = request.get(header::RANGE).and_then(|value| value.to_str().ok());
    let Some((unit, set)) = asked.and_then(|asked| asked.split_once('=')) else { return AskedParts::Whole };
    if stale {
        return AskedParts::Whole;
    }
    let specs: Vec<&str> = set.split(',').map(str::trim).filter(|spec| !spec.is_empty()).collect();
    if !unit.trim().eq_ignore_ascii_case("bytes") || specs.is_empty() || specs.len() > MAX_RANGES {
        return AskedParts::Whole;
    }
    let Some(ranges) = specs.into_iter().map(|spec| range(spec, length)).collect::<Option<Vec<_>>>() else {
        return AskedParts::Whole;
    };
    let ranges: Vec<Range<u64>> = ranges.into_iter().filter(|range| range.start < range.end).collect();
    let mut sorted = ranges.clone();
    sorted.sort_by_key(|range| range.start);
    if sorted.windows(2).any(|two| two[1].start < two[0].end) {
        return AskedParts::Whole;
    }
    if ranges.is_empty() { AskedParts::Outside } else { AskedParts::Ranges(ranges) }
}

/// One range of a body, empty where it lies outside; none where it is not written as one.
fn range(spec: &str, length: u64) -> Option<Range<u64>> {
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // What is too large for a number is larger than any file.
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

    use super::{AskedParts, parts};

    fn asked(range: &'static str, length: u64) -> AskedParts {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, HeaderValue::from_static(range));
        parts(&headers, length, "\"tag\"")
    }

    #[test]
    fn ranges_are_read_as_the_standard_writes_them() {
        let ranges = |ranges: &[std::ops::Range<u64>]| AskedParts::Ranges(ranges.to_vec());
        let one = |range: std::ops::Range<u64>| AskedParts::Ranges(vec![range]);
        assert_eq!(asked("bytes=0-0", 10), one(0..1));
        assert_eq!(asked("Bytes = 8-99", 10), one(8..10));
        assert_eq!(asked("bytes=-3, 0-1 ,", 10), ranges(&[7..10, 0..2]));
        assert_eq!(asked("bytes=-99", 10), one(0..10));
        assert_eq!(asked("bytes=99-, 1-1", 10), one(1..2), "what can be had is given");
        for outside in ["bytes=10-", "bytes=-0", "bytes=99999999999999999999999-", "bytes=10-11,-0"] {
            assert_eq!(asked(outside, 10), AskedParts::Outside, "{outside}");
        }
        assert_eq!(asked("bytes=-1", 0), AskedParts::Outside);
        for whole in
            ["bytes=5-4", "bytes=a-b", "bytes=+1-2", "bytes=1", "lines=1-2", "bytes=", "bytes=0-5,3-7"]
        {
            assert_eq!(asked(whole, 10), AskedParts::Whole, "{whole}");
        }
        assert_eq!(asked("bytes=0-0,1-1,2-2,3-3,4-4,5-5,6-6,7-7,8-8", 10), AskedParts::Whole, "too many");
    }
}
