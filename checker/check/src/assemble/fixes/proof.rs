//! Proves edits of a source: each must change one reference, and nothing else that is a reference.
//!
//! A location that shows the text of a broken link is not always where the link was written: a page may show the same
//! text in an example, while the link comes from a theme.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::assemble::string_pool::StringPool;
use crate::raw_finding::Certainty;
use crate::report::document_names::{below, from_here, repository};
use crate::report::finding::SourceEdit;
use crate::source_map::{SourceLocation, SourceMap, bytes_of, line_starts};
use sitegate_address::extension::is_source_extension;
use sitegate_address::{SitePath, UrlReference};
use sitegate_sources::edits::Edit;
use sitegate_sources::{
    Manner, SourceFormat, SourceOptions, SourceReference, SourceScan, is_link_key, proven_edits, scan,
    with_title_lines,
};

/// An edit of a finding, before those of the other findings are known.
pub(super) struct Draft {
    pub finding: usize,
    pub certainty: Certainty,
    pub reason: &'static str,
    pub edit: SourceEdit,
}

/// Returns the offset of the line that contains an offset.
pub(super) fn line_start(text: &[u8], offset: usize) -> usize {
    memchr::memrchr(b'\n', &text[..offset]).map_or(0, |at| at + 1)
}

/// The path of a file from the working directory, and from the repository if that differs.
pub(super) type FileNames = (Arc<str>, Option<Arc<str>>);

/// Returns the names of a file.
pub(super) fn file_names(file: &Path, strings: &mut StringPool) -> FileNames {
    let (name, path) = (from_here(file), below(file, &repository()));
    (strings.share(&name), (path != name).then(|| strings.share(&path)))
}

/// Returns the edit of a text. `known` is an offset with its line.
pub(super) fn source_edit(
    (file, path): FileNames,
    text: &[u8],
    (offset, line): (usize, u32),
    (range, new): (Range<usize>, &str),
    strings: &mut StringPool,
) -> Option<SourceEdit> {
    let lines = |between: Range<usize>| memchr::memchr_iter(b'\n', &text[between]).count() as u32;
    let line = if range.start >= offset {
        line + lines(offset..range.start)
    } else {
        line.checked_sub(lines(range.start..offset))?
    };
    let line_start = line_start(text, range.start);
    let column = String::from_utf8_lossy(&text[line_start..range.start]).chars().count() as u32 + 1;
    let old = std::str::from_utf8(text.get(range.clone())?).ok()?;
    Some(SourceEdit {
        file,
        path,
        line,
        column,
        line_start,
        start: range.start,
        end: range.end,
        old: strings.share(old),
        new: strings.share(new),
    })
}

/// A source in a format whose references are known.
pub(super) struct EditableSource {
    path: String,
    pub text: String,
    line_starts: Vec<usize>,
    scan: SourceScan<'static>,
}

impl EditableSource {
    /// Reads the source of a location; `None` if its references are not known, so that no edit can be proved.
    pub fn read(map: &SourceMap, location: SourceLocation) -> Option<EditableSource> {
        let path = map.file(location).to_owned();
        let text = String::from_utf8(map.read(location.source)?).ok()?;
        SourceFormat::of(&path, &text)?;
        let scan = scan(&path, &text, SourceOptions::default()).into_owned();
        let line_starts = line_starts(text.as_bytes());
        Some(EditableSource { path, text, line_starts, scan })
    }

    /// Returns the bytes of a location; `None` if the source has changed.
    pub fn range(&self, location: SourceLocation) -> Option<Range<usize>> {
        bytes_of(self.text.as_bytes(), &self.line_starts, location)
    }

    /// Returns the reference that contains a range and that pages show.
    pub fn reference(&self, range: &Range<usize>) -> Option<&SourceReference<'static>> {
        let found = self.scan.reference_at(range.start)?;
        (range.end <= found.range.end && found.uses > 0).then_some(found)
    }

    /// Whether the syntax at a reference says that it is one. The value of a key such as `exclude` may be anything.
    pub fn is_link(&self, reference: &SourceReference<'_>) -> bool {
        match reference.manner {
            Manner::Text => false,
            Manner::Value => {
                let line = self.text[..reference.range.start].rsplit('\n').next().unwrap_or_default();
                let before = line.trim_end_matches([' ', '\t', '"', '\'', '`', '[', '{', '(']);
                let key = before.strip_suffix([':', '=']).map_or("", str::trim_end);
                let key = key.trim_end_matches(['"', '\'']);
                let start = key.rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
                let key =
                    &key[start.map_or(0, |at| at + key[at..].chars().next().map_or(1, char::len_utf8))..];
                is_link_key(key) || names_source(&reference.target)
            }
            _ => true,
        }
    }

    /// Whether a start tag is at a range.
    pub fn is_tag(&self, range: &Range<usize>) -> bool {
        self.scan.tag_at(range.start).is_some_and(|tag| tag.range == *range)
    }

    /// Returns the drafts that are proved: after them, the source has the same references, apart from those that they
    /// change, and each of these is the new text.
    pub fn proven(&self, drafts: Vec<Draft>) -> Vec<Draft> {
        let (mut proven, _) = proven_edits(
            (&self.path, &self.text),
            &self.scan.references,
            drafts,
            &|draft: &Draft| (draft.edit.start..draft.edit.end, &draft.edit.new),
            SourceOptions::default(),
        );
        proven.retain(|draft| self.fits_title(draft));
        proven
    }

    /// Whether the lines at the title of reStructuredText that the edit is in stay long enough.
    fn fits_title(&self, draft: &Draft) -> bool {
        let SourceEdit { start, end, ref new, .. } = draft.edit;
        let edit = vec![Edit { start, end, new: new.to_string() }];
        with_title_lines(&self.path, &self.text, edit.clone()) == edit
    }
}

/// Whether a relative reference names a source of a page, such as `setup.md`.
pub(super) fn names_source(reference: &str) -> bool {
    let path = UrlReference::new(reference).path();
    !path.starts_with('/') && SitePath::new(path).extension().is_some_and(is_source_extension)
}
