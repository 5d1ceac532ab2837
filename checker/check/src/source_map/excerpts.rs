//! Reads the lines of sources for the output.

use std::ops::Range;

use super::search::SourceLocation;
use super::source_files::SourceFiles;
use crate::report::excerpt::Snippet;

/// Reads lines of sources, one source at a time.
pub struct SourceExcerpts<'p> {
    files: &'p SourceFiles,
    current: Option<(u32, SourceLines)>,
}

/// The text of a source, and the offsets of its lines.
struct SourceLines {
    text: Vec<u8>,
    starts: Vec<usize>,
}

impl<'p> SourceExcerpts<'p> {
    pub(super) fn new(files: &'p SourceFiles) -> Self {
        SourceExcerpts { files, current: None }
    }

    /// Returns the line of a location; `None` if the file has changed.
    pub fn snippet(&mut self, location: SourceLocation) -> Option<Snippet> {
        let (text, range) = self.range(location)?;
        Snippet::around(text, range, None)
    }

    /// Returns the text of a location's source, and the range of the location in bytes; `None` if the file has changed.
    fn range(&mut self, location: SourceLocation) -> Option<(&[u8], Range<usize>)> {
        let lines = match self.current.take() {
            Some((source, lines)) if source == location.source => lines,
            _ => SourceLines::new(self.files.read(location.source)?),
        };
        let (_, SourceLines { text, starts }) = self.current.insert((location.source, lines));
        let range = bytes_of(text, starts, location)?;
        Some((text, range))
    }
}

impl SourceLines {
    fn new(text: Vec<u8>) -> SourceLines {
        let starts = line_starts(&text);
        SourceLines { text, starts }
    }
}

/// Returns the offsets of the lines of a text.
pub(crate) fn line_starts(text: &[u8]) -> Vec<usize> {
    std::iter::once(0).chain(memchr::memchr_iter(b'\n', text).map(|at| at + 1)).collect()
}

/// Returns the bytes of a location in a text with these offsets of lines; `None` if the text has changed.
pub(crate) fn bytes_of(text: &[u8], line_starts: &[usize], location: SourceLocation) -> Option<Range<usize>> {
    let start = *line_starts.get(location.line as usize - 1)?;
    let line = &text[start..memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |end| start + end)];
    let line = std::str::from_utf8(line).ok()?;
    let mut offsets = line.char_indices().map(|(at, _)| start + at).chain([start + line.len()]);
    let from = offsets.nth(location.column as usize - 1)?;
    let to = match location.length as usize {
        0 => from,
        length => offsets.nth(length - 1).unwrap_or(start + line.len()),
    };
    Some(from..to)
}
