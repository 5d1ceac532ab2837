//! Reads sources back for what is printed: the lines around their places.

use super::search::SourceLocation;
use super::source_files::SourceFiles;
use crate::report::excerpt::Excerpt;
use crate::report::finding_reader::line_around;

/// Reads sources back, one at a time.
pub struct SourceExcerpts<'p> {
    files: &'p SourceFiles,
    current: Option<(u32, SourceLines)>,
}

/// A source's text, and where its lines begin.
struct SourceLines {
    text: Vec<u8>,
    starts: Vec<usize>,
}

impl<'p> SourceExcerpts<'p> {
    pub(super) fn new(files: &'p SourceFiles) -> Self {
        SourceExcerpts { files, current: None }
    }

    /// The line that a place begins on; `None` where its file is another by now.
    pub fn excerpt(&mut self, place: SourceLocation) -> Option<Excerpt> {
        let lines = match self.current.take() {
            Some((source, lines)) if source == place.source => lines,
            _ => SourceLines::new(self.files.read(place.source)?),
        };
        let (_, SourceLines { text, starts }) = self.current.insert((place.source, lines));
        let start = *starts.get(place.line as usize - 1)?;
        let line = &text[start..memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |end| start + end)];
        let line = std::str::from_utf8(line).ok()?;
        let mut offsets = line.char_indices().map(|(at, _)| start + at).chain([start + line.len()]);
        let from = offsets.nth(place.column as usize - 1)?;
        let to = match place.length as usize {
            0 => from,
            length => offsets.nth(length - 1).unwrap_or(start + line.len()),
        };
        line_around(text, from..to)
    }
}

impl SourceLines {
    fn new(text: Vec<u8>) -> SourceLines {
        let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', &text).map(|at| at + 1)).collect();
        SourceLines { text, starts }
    }
}
