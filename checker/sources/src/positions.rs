//! Ranges of bytes in a text, and in texts that were made from parts of it.

use std::ops::Range;

use crate::reference::SourceScan;

/// Returns a range in a part of a text as a range of the whole. `start` is the offset of the part.
pub(crate) fn shifted(range: Range<usize>, start: usize) -> Range<usize> {
    start + range.start..start + range.end
}

/// Returns the range of a part, which is a slice of the text.
pub(crate) fn range_of(part: &str, text: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

/// Returns a range without white space at its ends.
pub(crate) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    range_of(text[range].trim(), text)
}

/// The origins of a text that was made from a source: from joined lines without their prefixes, or by decoding escapes.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    /// Offsets in the text, and in the source, from which on both have the same text. Sorted.
    parts: Vec<(usize, usize)>,
}

impl Origins {
    /// Adds the next part: its offsets in the text and in the source.
    pub fn add(&mut self, offset: usize, source: usize) {
        self.parts.push((offset, source));
    }

    /// Returns the origin of the only part; `None` if there are several.
    pub fn only(&self) -> Option<usize> {
        if let [(_, source)] = self.parts[..] { Some(source) } else { None }
    }

    /// Returns the offset in the source of an offset in the text.
    pub fn offset(&self, offset: usize) -> usize {
        let next = self.parts.partition_point(|(start, _)| *start <= offset);
        self.parts[..next].last().map_or(0, |(start, source)| source + (offset - start))
    }

    /// Returns the range in the source of a range in the text. It may contain prefixes of lines and escapes.
    pub fn range(&self, range: Range<usize>) -> Range<usize> {
        let start = self.offset(range.start);
        let end = if range.is_empty() { start } else { self.offset(range.end - 1) + 1 };
        start..end
    }

    /// Returns the ranges in the source of a range in the text, without all else.
    pub fn ranges(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let next = self.parts.partition_point(|(start, _)| *start <= at);
            let end = self.parts.get(next).map_or(range.end, |(start, _)| range.end.min(*start));
            ranges.push(shifted(0..end - at, self.offset(at)));
            at = end;
        }
        ranges
    }

    /// Adds everything that was found in the text to the scan of its source. A reference that the source writes otherwise is
    /// left out: it is on two lines, or an edit of it would need an escape.
    pub fn add_found<'t>(
        &self,
        (text, found): (&str, SourceScan<'_>),
        source: &'t str,
        scan: &mut SourceScan<'t>,
    ) {
        scan.inert.extend(found.inert.into_iter().map(|range| self.range(range)));
        scan.tags.extend(found.tags.into_iter().map(|mut tag| {
            tag.range = self.range(tag.range);
            tag.name = self.range(tag.name);
            tag
        }));
        scan.references.extend(found.references.into_iter().filter_map(|reference| {
            let range = self.range(reference.range.clone());
            let is_same = source.get(range.clone()) == Some(&text[reference.range.clone()]);
            is_same.then(|| reference.at(source, range))
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::Origins;

    #[test]
    fn maps_offsets_to_the_source() {
        // `a\nbc\n` of `> a\n> bc\n`
        let origins = Origins { parts: vec![(0, 2), (2, 6)] };
        assert_eq!([0, 1, 2, 3].map(|offset| origins.offset(offset)), [2, 3, 6, 7]);
        assert_eq!(origins.range(0..2), 2..4);
        assert_eq!(origins.ranges(0..4), [2..4, 6..8]);
        assert_eq!(origins.range(1..4), 3..8);
    }
}
