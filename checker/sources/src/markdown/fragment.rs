//! A part of a source without the prefixes of its lines: the content of a block that is in a list, in a quote or
//! indented. It is parsed as a text of its own, and its offsets are mapped to those of the source.

use std::borrow::Cow;
use std::ops::Range;

use crate::reference::{SourceReference, SourceScan};

/// Text that is parsed, and its origin.
pub(crate) struct SourcePieces<'t> {
    /// The parsed text.
    pub text: Cow<'t, str>,
    /// Starts of parts that follow each other in the source: in the text, and in the source. Sorted, never empty.
    parts: Vec<(usize, usize)>,
}

impl<'t> SourcePieces<'t> {
    /// Joins ranges of a source.
    pub fn new(source: &'t str, ranges: &[Range<usize>]) -> SourcePieces<'t> {
        let mut joined: Vec<Range<usize>> = Vec::new();
        for range in ranges.iter().filter(|range| !range.is_empty()) {
            match joined.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => joined.push(range.clone()),
            }
        }
        if let [only] = &joined[..] {
            return SourcePieces { text: source[only.clone()].into(), parts: vec![(0, only.start)] };
        }
        let mut text = String::with_capacity(joined.iter().map(Range::len).sum());
        let mut parts = Vec::with_capacity(joined.len().max(1));
        for range in joined {
            parts.push((text.len(), range.start));
            text.push_str(&source[range]);
        }
        if parts.is_empty() {
            parts.push((0, 0));
        }
        SourcePieces { text: text.into(), parts }
    }

    /// Joins ranges of the text.
    pub fn part(&self, source: &'t str, ranges: &[Range<usize>]) -> SourcePieces<'t> {
        let origins: Vec<_> = ranges.iter().flat_map(|range| self.origins_of(range.clone())).collect();
        SourcePieces::new(source, &origins)
    }

    /// Returns the offset in the source of an offset in the text.
    pub fn origin(&self, offset: usize) -> usize {
        let next = self.parts.partition_point(|part| part.0 <= offset).max(1);
        let (start, origin) = self.parts[next - 1];
        origin + (offset - start)
    }

    /// Returns the range in the source of a range in the text. It may contain prefixes of lines.
    pub fn origin_of(&self, range: Range<usize>) -> Range<usize> {
        let start = self.origin(range.start);
        let end = if range.is_empty() { start } else { self.origin(range.end - 1) + 1 };
        start..end
    }

    /// Returns the ranges in the source of a range in the text, without prefixes of lines.
    pub fn origins_of(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut origins = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let next = self.parts.partition_point(|part| part.0 <= at);
            let end = self.parts.get(next).map_or(range.end, |part| part.0.min(range.end));
            let start = self.origin(at);
            origins.push(start..start + (end - at));
            at = end;
        }
        origins
    }

    /// Returns the ranges in the source of a tag. In a quote, the parser removes the marks of its lines.
    pub fn origins_of_lines(&self, range: Range<usize>, shown: &str) -> Vec<Range<usize>> {
        let text = &self.text[range.clone()];
        if text == shown {
            return self.origins_of(range);
        }
        let mut start = range.start;
        let mut ranges = Vec::new();
        for (line, content) in text.split_inclusive('\n').zip(shown.split_inclusive('\n')) {
            let end = start + line.len();
            if line.ends_with(content) {
                ranges.extend(self.origins_of(end - content.len()..end));
            }
            start = end;
        }
        ranges
    }
}

/// Scans ranges of a source as one text in another format.
pub(crate) fn scan_joined<'t>(
    source: &'t str,
    ranges: &[Range<usize>],
    scan: &mut SourceScan<'t>,
    scanner: impl for<'f> FnOnce(&'f str, Range<usize>, &mut SourceScan<'f>),
) {
    let fragment = SourcePieces::new(source, ranges);
    if let [(_, start)] = fragment.parts[..] {
        return scanner(source, start..start + fragment.text.len(), scan);
    }
    let mut found = SourceScan::default();
    scanner(&fragment.text, 0..fragment.text.len(), &mut found);
    scan.inert.extend(found.inert.into_iter().map(|range| fragment.origin_of(range)));
    scan.tags.extend(found.tags.into_iter().map(|mut tag| {
        tag.range = fragment.origin_of(tag.range);
        tag.name = fragment.origin_of(tag.name);
        tag
    }));
    // A destination over two lines is not one range of the source.
    let whole =
        found.references.into_iter().filter(|found| fragment.origins_of(found.range.clone()).len() == 1);
    scan.references.extend(whole.map(|reference| {
        let range = fragment.origin_of(reference.range);
        SourceReference { target: target_at(source, &range, &reference.target), range, ..reference }
    }));
}

/// Returns a target, borrowed from the source if it is written without escapes.
pub(crate) fn target_at<'t>(source: &'t str, range: &Range<usize>, target: &str) -> Cow<'t, str> {
    let written = &source[range.clone()];
    if written == target { Cow::Borrowed(written) } else { Cow::Owned(target.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::SourcePieces;

    #[test]
    fn maps_offsets_to_the_source() {
        let source = "> a\n> bc\n";
        let fragment = SourcePieces::new(source, &[2..4, 6..9]);
        assert_eq!(fragment.text, "a\nbc\n");
        assert_eq!(
            (fragment.origin(0), fragment.origin(1), fragment.origin(2), fragment.origin(3)),
            (2, 3, 6, 7)
        );
        assert_eq!(fragment.origin_of(0..2), 2..4);
        assert_eq!(fragment.origins_of(0..4), [2..4, 6..8]);
        assert_eq!(fragment.origin_of(1..4), 3..8);
        let adjacent = SourcePieces::new(source, &[0..2, 2..4]);
        assert_eq!((&*adjacent.text, adjacent.origin(3)), ("> a\n", 3));
        assert_eq!(SourcePieces::new(source, &[]).text, "");
    }
}
