//! Proves edits of a source: each must change one reference, and nothing else that is a reference.
//!
//! A location that shows the text of a broken link is not always where the link was written: a page may show the same
//! text in an example, while the link comes from a theme.

use std::ops::Range;

use crate::raw_finding::Certainty;
use crate::report::finding::SourceEdit;
use crate::source_map::{SourceLocation, SourceMap, bytes_of, line_starts};
use sitegate_address::extension::is_source_extension;
use sitegate_address::{SitePath, UrlReference};
use sitegate_sources::edits::Edit;
use sitegate_sources::{
    Manner, SourceFormat, SourceOptions, SourceReference, SourceScan, is_link_key, keeps_references, scan,
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

/// Returns the column of an offset in characters, from 1.
pub(super) fn column(text: &[u8], offset: usize) -> u32 {
    let before = &text[line_start(text, offset)..offset];
    before.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u32 + 1
}

/// A source in a format whose references are known.
pub(super) struct EditableSource {
    path: String,
    pub text: String,
    line_starts: Vec<usize>,
    /// The references, and how often pages show each.
    references: Vec<SourceReference<'static>>,
    /// The start tags.
    tags: Vec<Range<usize>>,
}

impl EditableSource {
    /// Reads the source of a location; `None` if its references are not known, so that no edit can be proved.
    pub fn read(map: &SourceMap, location: SourceLocation) -> Option<EditableSource> {
        let path = map.file(location).to_owned();
        let text = String::from_utf8(map.read(location.source)?).ok()?;
        SourceFormat::of(&path, &text)?;
        let SourceScan { references, tags, .. } = scan(&path, &text, SourceOptions::default());
        let references = references.into_iter().map(SourceReference::into_owned).collect();
        let tags = tags.into_iter().map(|tag| tag.range).collect();
        let line_starts = line_starts(text.as_bytes());
        Some(EditableSource { path, text, line_starts, references, tags })
    }

    /// Returns the bytes of a location; `None` if the source has changed.
    pub fn range(&self, location: SourceLocation) -> Option<Range<usize>> {
        bytes_of(self.text.as_bytes(), &self.line_starts, location)
    }

    /// Returns the reference that contains a range and that pages show.
    pub fn reference(&self, range: &Range<usize>) -> Option<&SourceReference<'static>> {
        let next = self.references.partition_point(|found| found.range.start <= range.start);
        let found = self.references[..next].last()?;
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
        self.tags.binary_search_by_key(&range.start, |tag| tag.start).is_ok_and(|at| self.tags[at] == *range)
    }

    /// Returns the drafts that are proved: after them, the source has the same references, apart from those that they
    /// change, and each of these is the new text.
    pub fn proven(&self, mut drafts: Vec<Draft>) -> Vec<Draft> {
        if drafts.is_empty() || self.holds(&drafts) {
            return drafts;
        }
        if drafts.len() == 1 {
            return Vec::new();
        }
        // Of thousands of edits, few are wrong.
        let second = drafts.split_off(drafts.len() / 2);
        [self.proven(drafts), self.proven(second)].into_iter().flatten().collect()
    }

    fn holds(&self, drafts: &[Draft]) -> bool {
        let mut edits: Vec<(Range<usize>, &str)> =
            drafts.iter().map(|draft| (draft.edit.start..draft.edit.end, &*draft.edit.new)).collect();
        edits.sort_unstable_by_key(|(range, _)| (range.start, range.end));
        // Edits of one place are compared with each other later.
        edits.dedup_by(|(next, _), (before, _)| next.start < before.end || next.start == before.start);
        keeps_references((&self.path, &self.text), &self.references, &edits, SourceOptions::default())
            && self.fits_titles(&edits)
    }

    /// Whether the lines below titles of reStructuredText stay long enough.
    fn fits_titles(&self, edits: &[(Range<usize>, &str)]) -> bool {
        let edit = |(range, new): &(Range<usize>, &str)| Edit {
            start: range.start,
            end: range.end,
            new: (*new).to_owned(),
        };
        let edits: Vec<Edit> = edits.iter().map(edit).collect();
        with_title_lines(&self.path, &self.text, edits.clone()) == edits
    }
}

/// Whether a relative reference names a source of a page, such as `setup.md`.
pub(super) fn names_source(reference: &str) -> bool {
    let path = UrlReference::new(reference).path();
    !path.starts_with('/') && SitePath::new(path).extension().is_some_and(is_source_extension)
}
