//! A part of a source without the prefixes of its lines: the content of a block that is in a list, in a quote or
//! indented. It is parsed as a text of its own, and its offsets are mapped to those of the source.

use std::borrow::Cow;
use std::ops::Range;

use crate::positions::{Origins, shifted};
use crate::reference::SourceScan;

/// Text that is parsed, and its origins.
pub(crate) struct SourcePieces<'t> {
    /// The parsed text.
    pub text: Cow<'t, str>,
    pub origins: Origins,
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
        let mut origins = Origins::default();
        if let [only] = &joined[..] {
            origins.add(0, only.start);
            return SourcePieces { text: source[only.clone()].into(), origins };
        }
        let mut text = String::with_capacity(joined.iter().map(Range::len).sum());
        for range in joined {
            origins.add(text.len(), range.start);
            text.push_str(&source[range]);
        }
        SourcePieces { text: text.into(), origins }
    }

    /// Joins ranges of the text.
    pub fn part(&self, source: &'t str, ranges: &[Range<usize>]) -> SourcePieces<'t> {
        let origins: Vec<_> = ranges.iter().flat_map(|range| self.origins.ranges(range.clone())).collect();
        SourcePieces::new(source, &origins)
    }

    /// Returns the ranges of all of it in the source.
    pub fn all_origins(&self) -> Vec<Range<usize>> {
        self.origins.ranges(0..self.text.len())
    }

    /// Returns the ranges in the source of a tag. In a quote, the parser removes the marks of its lines.
    pub fn origins_of_lines(&self, range: Range<usize>, shown: &str) -> Vec<Range<usize>> {
        let text = &self.text[range.clone()];
        if text == shown {
            return self.origins.ranges(range);
        }
        let mut start = range.start;
        let mut ranges = Vec::new();
        for (line, content) in text.split_inclusive('\n').zip(shown.split_inclusive('\n')) {
            let end = start + line.len();
            if line.ends_with(content) {
                ranges.extend(self.origins.ranges(end - content.len()..end));
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
    if let Some(start) = fragment.origins.only() {
        return scanner(source, shifted(0..fragment.text.len(), start), scan);
    }
    let mut found = SourceScan::default();
    scanner(&fragment.text, 0..fragment.text.len(), &mut found);
    fragment.origins.add_found((&fragment.text, found), source, scan);
}

#[cfg(test)]
mod tests {
    use super::SourcePieces;

    #[test]
    fn joins_ranges() {
        let source = "> a\n> bc\n";
        let fragment = SourcePieces::new(source, &[2..4, 6..9]);
        assert_eq!((&*fragment.text, fragment.all_origins()), ("a\nbc\n", vec![2..4, 6..9]));
        let adjacent = SourcePieces::new(source, &[0..2, 2..4]);
        assert_eq!((&*adjacent.text, adjacent.origins.offset(3)), ("> a\n", 3));
        assert_eq!(SourcePieces::new(source, &[]).text, "");
    }
}
