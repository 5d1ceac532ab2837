//! Output formats: each is one function from a report to a writer.

pub mod human;
pub mod json;

use std::ops::Range;

use crate::config::Config;
use crate::diagnostic::{Diagnostic, Place, Report};

/// Reads back the documents that findings point into, one at a time: positions are kept as bytes, and
/// become lines and columns only here.
pub struct Sources<'r> {
    report: &'r Report,
    config: &'r Config,
    current: Option<(Place, Document)>,
}

/// A document's text and where its lines begin.
#[derive(Default)]
struct Document {
    text: Vec<u8>,
    lines: Vec<usize>,
}

/// A place as people and tools name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// In characters (Unicode scalar values), from 1.
    pub column: usize,
}

/// The line that a finding begins on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Its text.
    pub line: String,
    /// The characters of it that the finding is about.
    pub marked: Range<usize>,
}

impl<'r> Sources<'r> {
    /// The sources of a report.
    pub fn new(report: &'r Report, config: &'r Config) -> Self {
        Sources { report, config, current: None }
    }

    /// A document's name: its path below the root with `/`, or the contract's.
    pub fn name(&self, place: &Place) -> String {
        match place {
            Place::File(file) => self.report.tree.display(*file).into_owned(),
            Place::Contract => self.config.name(),
            Place::Base(base) => self.config.bases[usize::from(*base)].name(),
            Place::Path(path) => path.to_string(),
        }
    }

    fn document(&mut self, place: &Place) -> &Document {
        if self.current.as_ref().is_none_or(|(current, _)| current != place) {
            let mut text = match place {
                // A file that vanished since it was checked has no lines to show.
                Place::File(file) => std::fs::read(self.report.tree.disk_path(*file)).unwrap_or_default(),
                Place::Contract => self.config.source.clone().into_bytes(),
                Place::Base(base) => self.config.bases[usize::from(*base)].source.clone().into_bytes(),
                Place::Path(_) => Vec::new(),
            };
            crate::parse::decode_utf16(&mut text);
            let mut lines = vec![0];
            lines.extend(memchr::memchr_iter(b'\n', &text).map(|at| at + 1));
            self.current = Some((place.clone(), Document { text, lines }));
        }
        match &self.current {
            Some((_, document)) => document,
            None => unreachable!("set above"),
        }
    }

    /// Where a finding begins.
    pub fn position(&mut self, diagnostic: &Diagnostic) -> Position {
        let offset = diagnostic.location.span.start as usize;
        let document = self.document(&diagnostic.location.place);
        let line = document.lines.partition_point(|&start| start <= offset).max(1);
        let start = document.lines[line - 1];
        let before = document.text.get(start..offset).unwrap_or_default();
        Position { line, column: String::from_utf8_lossy(before).chars().count() + 1 }
    }

    /// The text of a finding's reference, as it is written.
    pub fn reference(&mut self, diagnostic: &Diagnostic) -> Option<String> {
        if !diagnostic.is_reference {
            return None;
        }
        let span = &diagnostic.location.span;
        let range = span.start as usize..span.end as usize;
        let document = self.document(&diagnostic.location.place);
        document.text.get(range).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// The line a finding begins on; `None` where it is about the whole document.
    pub fn excerpt(&mut self, diagnostic: &Diagnostic) -> Option<Excerpt> {
        let span = diagnostic.location.span.start as usize..diagnostic.location.span.end as usize;
        let document = self.document(&diagnostic.location.place);
        if span.is_empty() || span.end > document.text.len() {
            return None;
        }
        let line = document.lines.partition_point(|&start| start <= span.start).max(1);
        let start = document.lines[line - 1];
        let end = document.lines.get(line).map_or(document.text.len(), |next| next - 1);
        let chars = |range: Range<usize>| String::from_utf8_lossy(&document.text[range]).into_owned();
        let before = chars(start..span.start);
        let marked = chars(span.start..span.end.min(end));
        let after = chars(span.end.min(end)..end);
        let first = before.chars().count();
        let marks = first..first + marked.trim_end_matches('\r').chars().count().max(1);
        Some(Excerpt {
            line: format!("{before}{marked}{after}").trim_end_matches('\r').to_owned(),
            marked: marks,
        })
    }
}
