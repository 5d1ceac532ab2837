//! Reads the documents of findings again, and converts byte offsets to lines, columns and excerpts.

use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use ignore::gitignore::Gitignore;

use super::excerpt::{Excerpt, NEAR};
use super::result::CheckResult;
use super::stages::RatedFinding;
use crate::contract::{BaselineFile, Contract};
use crate::parse::decode_utf16;
use crate::raw_finding::{DocumentId, Location};
use crate::walk::{FileId, Tree};
use sitegate_base::sanitize::slashed;

/// Reads the documents of findings, one at a time.
///
/// Findings are sorted by location, so lines and columns are counted from the previous finding. Many findings on one
/// very long line therefore cost little more than one.
pub struct FindingReader<'r> {
    result: &'r CheckResult,
    contract: &'r Contract,
    /// The folder that paths are relative to.
    repository: PathBuf,
    current: Option<(DocumentId, DocumentText)>,
}

/// The text of a document.
#[derive(Default)]
struct DocumentText {
    text: Vec<u8>,
    /// Whether the text has the same bytes as the file.
    is_verbatim: bool,
    position: TextPosition,
}

/// An offset in a text, with the lines and characters before it.
#[derive(Clone, Copy, Default)]
pub(crate) struct TextPosition {
    /// Number of line breaks before it.
    lines: usize,
    /// Number of characters before it on its line.
    chars: usize,
    offset: usize,
}

/// A line and a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// In characters (Unicode scalar values), from 1.
    pub column: usize,
}

impl<'r> FindingReader<'r> {
    /// Creates a reader for the findings of a check.
    pub fn new(result: &'r CheckResult, contract: &'r Contract) -> Self {
        FindingReader { result, contract, repository: repository(), current: None }
    }

    /// Returns a document's name: its path below the root with `/`, or the name of the contract.
    pub fn name(&self, document: &DocumentId) -> String {
        match document {
            DocumentId::File(file) => self.result.tree.display(*file).into_owned(),
            DocumentId::Contract => self.contract.name(),
            DocumentId::Base(base) => self.contract.bases[usize::from(*base)].name(),
            DocumentId::Baseline => self.baseline().display().to_string(),
            DocumentId::Path(path) => path.to_string(),
        }
    }

    /// Returns a document's path from the root of the repository, with `/`. CI systems attach annotations to this path.
    pub fn path(&self, document: &DocumentId) -> String {
        let path = match document {
            DocumentId::File(file) => self.result.tree.disk_path_of(self.result.tree.path(*file)),
            DocumentId::Contract => self.contract.file.clone().unwrap_or_else(|| self.contract.name().into()),
            DocumentId::Base(base) => self.contract.bases[usize::from(*base)].name().into(),
            DocumentId::Baseline => self.baseline().to_path_buf(),
            DocumentId::Path(path) => self.result.tree.root().join(&**path),
        };
        below(&path, &self.repository)
    }

    fn baseline(&self) -> &Path {
        self.contract.baseline.as_ref().map_or(Path::new(""), BaselineFile::path)
    }

    fn document(&mut self, id: &DocumentId) -> &mut DocumentText {
        let document = match self.current.take() {
            Some((current, document)) if current == *id => document,
            previous => {
                // Frees the previous document first, so that only one is in memory.
                drop(previous);
                self.load(id)
            }
        };
        &mut self.current.insert((id.clone(), document)).1
    }

    fn load(&self, id: &DocumentId) -> DocumentText {
        let text = match id {
            DocumentId::File(file) => return read(&self.result.tree, *file),
            DocumentId::Contract => self.contract.source.clone().into_bytes(),
            DocumentId::Base(base) => self.contract.bases[usize::from(*base)].source.clone().into_bytes(),
            DocumentId::Baseline => {
                self.contract.baseline.as_ref().map(|file| file.bytes().to_vec()).unwrap_or_default()
            }
            DocumentId::Path(_) => Vec::new(),
        };
        DocumentText::new(text)
    }

    /// Returns the position where a finding begins.
    pub fn position(&mut self, finding: &RatedFinding) -> Position {
        if let Some(context) = &finding.context {
            return Position { line: context.start.0 as usize, column: context.start.1 as usize };
        }
        self.start(&finding.raw.location)
    }

    /// Returns the position where a location begins.
    pub fn start(&mut self, location: &Location) -> Position {
        let offset = location.span.start as usize;
        if offset == 0 {
            return TextPosition::default().position();
        }
        let document = self.document(&location.document);
        document.position = document.position_at(offset);
        document.position.position()
    }

    /// Returns the position after the last character of a finding.
    pub fn end(&mut self, finding: &RatedFinding) -> Position {
        if let Some(context) = &finding.context {
            return Position { line: context.end.0 as usize, column: context.end.1 as usize };
        }
        let offset = finding.raw.location.span.end as usize;
        self.document(&finding.raw.location.document).position_at(offset).position()
    }

    /// Returns a document's text.
    pub(crate) fn text(&mut self, document: &DocumentId) -> &[u8] {
        &self.document(document).text
    }

    /// Whether a finding's span counts bytes of the file. In a UTF-16 file, it counts bytes of the decoded text.
    pub fn is_verbatim(&mut self, finding: &RatedFinding) -> bool {
        match &finding.context {
            Some(context) => !context.is_utf16,
            None => self.document(&finding.raw.location.document).is_verbatim,
        }
    }

    /// Returns a finding's reference as written; `None` if the finding is not about a reference.
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

    /// Returns the text at a finding's location; `None` if it is empty or longer than `NEAR`.
    pub fn marked(&mut self, finding: &RatedFinding) -> Option<String> {
        if let Some(context) = &finding.context {
            return Some(context.text.to_string());
        }
        let span = finding.raw.location.span.start as usize..finding.raw.location.span.end as usize;
        let text = self.document(&finding.raw.location.document).text.get(span)?;
        let fits = (1..=NEAR).contains(&text.len());
        fits.then(|| String::from_utf8_lossy(text).into_owned())
    }

    /// Returns the line that a finding begins on; `None` if the finding is about the whole document.
    pub fn excerpt(&mut self, finding: &RatedFinding) -> Option<Excerpt> {
        let span = finding.raw.location.span.start as usize..finding.raw.location.span.end as usize;
        line_around(&self.document(&finding.raw.location.document).text, span)
    }
}

/// Returns the line that a range of a text begins on; `None` if the range is empty.
pub(crate) fn line_around(text: &[u8], span: Range<usize>) -> Option<Excerpt> {
    if span.is_empty() || span.end > text.len() {
        return None;
    }
    // A document may be one very long line, so only the part that can be shown is searched for line breaks.
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
    let mark = before.chars().count();
    let mark = mark..mark + marked.trim_end_matches('\r').chars().count().max(1);
    let mut line = [before, marked, after].concat();
    line.truncate(line.trim_end_matches('\r').len());
    Some(Excerpt { line, marked: mark, cut: (from > start, to < end) })
}

/// Whether a file begins with a byte order mark of UTF-16.
pub(crate) fn is_utf16(text: &[u8]) -> bool {
    matches!(text, [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..])
}

/// Reads a file again. A file that was removed since the check is treated as empty.
fn read(tree: &Tree, file: FileId) -> DocumentText {
    DocumentText::new(std::fs::read(tree.disk_path(file)).unwrap_or_default())
}

impl DocumentText {
    fn new(text: Vec<u8>) -> DocumentText {
        let is_verbatim = !is_utf16(&text);
        DocumentText { text: decode_utf16(text), is_verbatim, position: TextPosition::default() }
    }

    fn position_at(&self, offset: usize) -> TextPosition {
        self.position.advance_to(offset, &self.text)
    }
}

impl TextPosition {
    /// Returns the position at an offset, counted from this position, or from the start if the offset is before it.
    pub fn advance_to(self, offset: usize, text: &[u8]) -> TextPosition {
        let offset = offset.min(text.len());
        let from = if self.offset <= offset { self } else { TextPosition::default() };
        let between = &text[from.offset..offset];
        let lines = from.lines + memchr::memchr_iter(b'\n', between).count();
        let chars = |part: &[u8]| String::from_utf8_lossy(part).chars().count();
        match memchr::memrchr(b'\n', between) {
            Some(last) => {
                let start = from.offset + last + 1;
                TextPosition { lines, chars: chars(&text[start..offset]), offset }
            }
            None => TextPosition { lines, chars: from.chars + chars(between), offset },
        }
    }

    /// Returns the line and column.
    pub fn position(self) -> Position {
        Position { line: self.lines + 1, column: self.chars + 1 }
    }
}

/// Returns the nearest offset at or before `at` that is not inside a UTF-8 character.
fn boundary(text: &[u8], mut at: usize) -> usize {
    let least = at.saturating_sub(3);
    while at > least && text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
        at -= 1;
    }
    at
}

/// Returns a path with `/`, without `.` and `..`, relative to the working directory if it is below that.
pub(crate) fn from_here(path: &Path) -> String {
    below(path, &std::env::current_dir().unwrap_or_default())
}

/// Returns the root of the repository of the working directory, or the working directory if there is no repository.
pub(crate) fn repository() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let root = here.ancestors().find(|folder| folder.join(".git").exists());
    root.unwrap_or(&here).to_path_buf()
}

/// Whether git ignores an export, as it does most generated ones, or it does not exist.
pub(crate) fn is_git_ignored(root: &Path) -> bool {
    let Ok(root) = root.canonicalize() else { return true };
    let repository = repository();
    root.ancestors().take_while(|folder| folder.starts_with(&repository)).any(|folder| {
        let file = folder.join(".gitignore");
        file.is_file() && Gitignore::new(file).0.matched_path_or_any_parents(&root, true).is_ignore()
    })
}

/// Returns a path with `/`, without `.` and `..`, relative to `folder` if it is below that. A relative path starts at
/// the working directory.
pub(crate) fn below(path: &Path, folder: &Path) -> String {
    // The URL of a live site is not a path.
    if let Some(url) = path.to_str().filter(|path| path.starts_with("http") && path.contains("://")) {
        return url.to_owned();
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
    fn returns_paths_relative_to_the_working_directory() {
        let here = std::env::current_dir().unwrap_or_default();
        assert_eq!(from_here(Path::new("./out/a b.html")), "out/a b.html");
        assert_eq!(from_here(Path::new("out/../sitegate.toml")), "sitegate.toml");
        assert_eq!(from_here(&here.join("out")), "out");
        assert_eq!(from_here(Path::new("/elsewhere/x")), "/elsewhere/x");
    }

    #[test]
    fn never_splits_a_character() {
        let text = "aé€".as_bytes();
        let cuts: Vec<usize> = (0..=6).map(|at| boundary(text, at)).collect();
        assert_eq!(cuts, [0, 1, 1, 3, 3, 3, 6]);
    }
}
