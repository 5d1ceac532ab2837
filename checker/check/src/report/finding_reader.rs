//! Reads back the documents that findings point into, for what is printed.

use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use super::excerpt::{Excerpt, NEAR};
use super::result::CheckResult;
use super::stages::{FindingContext, RatedFinding};
use crate::contract::Contract;
use crate::parse::decode_utf16;
use crate::raw_finding::{DocumentId, Location};
use crate::walk::{FileId, Tree};
use sitegate_base::sanitize::slashed;

/// Reads back the documents that findings point into, one at a time: positions are kept as bytes, and
/// become lines and columns only here.
///
/// Findings come in the order of places, so a position is counted on from the one before: many findings
/// on one endless line cost no more than one.
pub struct FindingReader<'r> {
    report: &'r CheckResult,
    contract: &'r Contract,
    /// The folder that paths are named from.
    repository: PathBuf,
    current: Option<(DocumentId, DocumentText)>,
}

/// A document's text.
#[derive(Default)]
struct DocumentText {
    text: Vec<u8>,
    /// Whether the bytes on disk are the text's.
    verbatim: bool,
    counted: TextPosition,
}

/// A place up to which lines and characters were counted.
#[derive(Clone, Copy, Default)]
pub(crate) struct TextPosition {
    /// Line breaks before it.
    lines: usize,
    /// Characters before it on its line.
    chars: usize,
    offset: usize,
}

/// A place as people and tools name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// In characters (Unicode scalar values), from 1.
    pub column: usize,
}

impl<'r> FindingReader<'r> {
    /// The sources of a check.
    pub fn new(report: &'r CheckResult, contract: &'r Contract) -> Self {
        FindingReader { report, contract, repository: repository(), current: None }
    }

    /// A document's name: its path below the root with `/`, or the contract's.
    pub fn name(&self, place: &DocumentId) -> String {
        match place {
            DocumentId::File(file) => self.report.tree.display(*file).into_owned(),
            DocumentId::Contract => self.contract.name(),
            DocumentId::Base(base) => self.contract.bases[usize::from(*base)].name(),
            DocumentId::Path(path) => path.to_string(),
        }
    }

    /// A document's path from the root of the repository, with `/`: what CI systems attach annotations by.
    pub fn path(&self, place: &DocumentId) -> String {
        let path = match place {
            DocumentId::File(file) => self.report.tree.disk_path_of(self.report.tree.path(*file)),
            DocumentId::Contract => self.contract.file.clone().unwrap_or_else(|| self.contract.name().into()),
            DocumentId::Base(base) => self.contract.bases[usize::from(*base)].name().into(),
            DocumentId::Path(path) => self.report.tree.root().join(&**path),
        };
        below(&path, &self.repository)
    }

    fn document(&mut self, place: &DocumentId) -> &mut DocumentText {
        let document = match self.current.take() {
            Some((current, document)) if current == *place => document,
            last => {
                // Of two large documents only one is in memory.
                drop(last);
                self.load(place)
            }
        };
        &mut self.current.insert((place.clone(), document)).1
    }

    fn load(&self, place: &DocumentId) -> DocumentText {
        let text = match place {
            DocumentId::File(file) => return read(&self.report.tree, *file),
            DocumentId::Contract => self.contract.source.clone().into_bytes(),
            DocumentId::Base(base) => self.contract.bases[usize::from(*base)].source.clone().into_bytes(),
            DocumentId::Path(_) => Vec::new(),
        };
        DocumentText::new(text)
    }

    /// Where a finding begins.
    pub fn position(&mut self, finding: &RatedFinding) -> Position {
        if let Some(context) = &finding.context {
            return Position { line: context.start.0 as usize, column: context.start.1 as usize };
        }
        self.start(&finding.raw.location)
    }

    /// Where a location begins.
    pub fn start(&mut self, location: &Location) -> Position {
        let offset = location.span.start as usize;
        if offset == 0 {
            return TextPosition::default().position();
        }
        let document = self.document(&location.document);
        document.counted = document.count(offset);
        document.counted.position()
    }

    /// Where a finding ends: the place after its last character.
    pub fn end(&mut self, finding: &RatedFinding) -> Position {
        if let Some(context) = &finding.context {
            return Position { line: context.end.0 as usize, column: context.end.1 as usize };
        }
        let offset = finding.raw.location.span.end as usize;
        self.document(&finding.raw.location.document).count(offset).position()
    }

    /// A document's text.
    pub(crate) fn text(&mut self, place: &DocumentId) -> &[u8] {
        &self.document(place).text
    }

    /// Whether a finding's span counts the bytes that are on disk: not so where UTF-16 was decoded.
    pub fn is_verbatim(&mut self, finding: &RatedFinding) -> bool {
        match &finding.context {
            Some(context) => !context.is_utf16,
            None => self.document(&finding.raw.location.document).verbatim,
        }
    }

    /// The text of a finding's reference, as it is written.
    pub fn reference(&mut self, finding: &RatedFinding) -> Option<String> {
        if !finding.raw.is_reference {
            return None;
        }
        if let Some(context) = &finding.context {
            return Some(context.text.to_string());
        }
        let span = &finding.raw.location.span;
        let range = span.start as usize..span.end as usize;
        let document = self.document(&finding.raw.location.document);
        document.text.get(range).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// What a finding is about, word for word; `None` where that is nothing or very long.
    pub fn marked(&mut self, finding: &RatedFinding) -> Option<String> {
        if let Some(context) = &finding.context {
            return Some(context.text.to_string());
        }
        let span = finding.raw.location.span.start as usize..finding.raw.location.span.end as usize;
        let text = self.document(&finding.raw.location.document).text.get(span)?;
        let fits = (1..=NEAR).contains(&text.len());
        fits.then(|| String::from_utf8_lossy(text).into_owned())
    }

    /// The line a finding begins on; `None` where it is about the whole document.
    pub fn excerpt(&mut self, finding: &RatedFinding) -> Option<Excerpt> {
        let span = finding.raw.location.span.start as usize..finding.raw.location.span.end as usize;
        line_around(&self.document(&finding.raw.location.document).text, span)
    }
}

/// The line that a range of a text begins on; `None` where the range is empty.
pub(crate) fn line_around(text: &[u8], span: Range<usize>) -> Option<Excerpt> {
    if span.is_empty() || span.end > text.len() {
        return None;
    }
    // A document may be one endless line: only what can be shown is searched for its ends.
    let first = span.start.saturating_sub(NEAR + 1);
    let start = memchr::memrchr(b'\n', &text[first..span.start]).map_or(0, |at| first + at + 1);
    let near = &text[span.start..text.len().min(span.start + 2 * NEAR + 1)];
    let end = memchr::memchr(b'\n', near).map_or(text.len(), |at| span.start + at);
    let from = boundary(text, span.start.saturating_sub(NEAR).max(start));
    let last = boundary(text, span.end.min(end).min(span.start + NEAR)).max(span.start);
    let to = boundary(text, (last + NEAR).min(end)).max(last);
    let chars = |range: Range<usize>| String::from_utf8_lossy(&text[range]);
    let before = chars(from..span.start);
    let marked = chars(span.start..last);
    let after = chars(last..to);
    let first = before.chars().count();
    let marks = first..first + marked.trim_end_matches('\r').chars().count().max(1);
    let mut line = [before, marked, after].concat();
    line.truncate(line.trim_end_matches('\r').len());
    Some(Excerpt { line, marked: marks, cut: (from > start, to < end) })
}

/// Whether a file says that it is UTF-16.
pub(crate) fn is_utf16(text: &[u8]) -> bool {
    matches!(text, [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..])
}

/// Reads a file back. One that vanished since it was checked has no lines to show.
fn read(tree: &Tree, file: FileId) -> DocumentText {
    DocumentText::new(std::fs::read(tree.disk_path(file)).unwrap_or_default())
}

impl DocumentText {
    fn new(text: Vec<u8>) -> DocumentText {
        let verbatim = !is_utf16(&text);
        DocumentText { text: decode_utf16(text), verbatim, counted: TextPosition::default() }
    }

    fn count(&self, offset: usize) -> TextPosition {
        self.counted.advance_to(offset, &self.text)
    }
}

impl TextPosition {
    /// Counts on to an offset of a text: from here, or from its start where that is further back.
    pub fn advance_to(self, offset: usize, text: &[u8]) -> TextPosition {
        let offset = offset.min(text.len());
        let from = if self.offset <= offset { self } else { TextPosition::default() };
        let between = &text[from.offset..offset];
        let lines = from.lines + memchr::memchr_iter(b'\n', between).count();
        let chars = |text: &[u8]| String::from_utf8_lossy(text).chars().count();
        match memchr::memrchr(b'\n', between) {
            Some(last) => {
                let start = from.offset + last + 1;
                TextPosition { lines, chars: chars(&text[start..offset]), offset }
            }
            None => TextPosition { lines, chars: from.chars + chars(between), offset },
        }
    }

    /// Returns the context of a finding that starts here; `None` if its text is empty or longer than [`NEAR`].
    pub fn context(self, span: Range<usize>, text: &[u8], is_reference: bool) -> Option<FindingContext> {
        let marked = text.get(span.clone()).filter(|marked| (1..=NEAR).contains(&marked.len()))?;
        let marked: Box<str> = String::from_utf8_lossy(marked).into();
        let end = self.advance_to(span.end, text).position();
        let whole = if is_reference { None } else { Some(&*marked) };
        Some(FindingContext {
            start: (self.lines as u32 + 1, self.chars as u32 + 1),
            end: (end.line as u32, end.column as u32),
            cause: None,
            snippet: line_around(text, span)?.snippet(whole),
            is_utf16: false,
            text: marked,
        })
    }

    pub fn position(self) -> Position {
        Position { line: self.lines + 1, column: self.chars + 1 }
    }
}

/// The nearest offset at or before this one that no UTF-8 character crosses.
fn boundary(text: &[u8], mut at: usize) -> usize {
    let least = at.saturating_sub(3);
    while at > least && text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
        at -= 1;
    }
    at
}

/// A path with `/`, relative to the working directory where it lies below that, without `.` and `..`.
pub(crate) fn from_here(path: &Path) -> String {
    below(path, &std::env::current_dir().unwrap_or_default())
}

/// The root of the repository that the working directory lies in, or that where there is none.
pub(crate) fn repository() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let root = here.ancestors().find(|folder| folder.join(".git").exists());
    root.unwrap_or(&here).to_path_buf()
}

/// A path from the working directory with `/`, relative to a folder where it lies below that, without `.` and `..`.
pub(crate) fn below(path: &Path, folder: &Path) -> String {
    // The address of a live site is the same from everywhere.
    if let Some(address) = path.to_str().filter(|path| path.starts_with("http") && path.contains("://")) {
        return address.to_owned();
    }
    let mut plain = PathBuf::new();
    for component in std::env::current_dir().unwrap_or_default().join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    slashed(plain.strip_prefix(folder).unwrap_or(&plain))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{boundary, from_here};

    #[test]
    fn paths_are_named_from_the_working_directory() {
        let here = std::env::current_dir().unwrap_or_default();
        assert_eq!(from_here(Path::new("./out/a b.html")), "out/a b.html");
        assert_eq!(from_here(Path::new("out/../sitegate.toml")), "sitegate.toml");
        assert_eq!(from_here(&here.join("out")), "out");
        assert_eq!(from_here(Path::new("/elsewhere/x")), "/elsewhere/x");
    }

    #[test]
    fn a_cut_never_splits_a_character() {
        let text = "aé€".as_bytes();
        let cuts: Vec<usize> = (0..=6).map(|at| boundary(text, at)).collect();
        assert_eq!(cuts, [0, 1, 1, 3, 3, 3, 6]);
    }
}
