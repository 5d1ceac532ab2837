//! Represents edits of a text and changes of files, and applies edits to the bytes of a text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use thiserror::Error;

/// A replacement of a range of bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte; equal to `start` for an insertion.
    pub end: usize,
    /// The new text.
    pub new: String,
}

/// The reason why edits cannot be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// The text is UTF-16.
    #[error("is UTF-16; convert it to UTF-8")]
    Utf16,
    /// Two edits overlap.
    #[error("needs two edits at the same location")]
    Overlap,
    /// An edit is outside of the text.
    #[error("is shorter than expected")]
    OutOfRange,
}

/// Returns a text with its edits, which may be in any order. All bytes outside of them stay as they are.
///
/// # Errors
/// If the text is UTF-16, or if edits overlap or are outside of the text. Equal edits count once.
pub fn edited_text(text: &[u8], edits: &[Edit]) -> Result<Vec<u8>, EditError> {
    if is_utf16(text) {
        return Err(EditError::Utf16);
    }
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    let (mut new, mut end) = (Vec::with_capacity(text.len()), 0);
    for (number, edit) in sorted.iter().enumerate() {
        let is_second_insertion =
            number > 0 && edit.start == edit.end && edit.start == sorted[number - 1].start;
        if number > 0 && edit.start < end || is_second_insertion {
            return Err(EditError::Overlap);
        }
        if edit.start > edit.end || edit.end > text.len() {
            return Err(EditError::OutOfRange);
        }
        new.extend_from_slice(&text[end..edit.start]);
        new.extend_from_slice(edit.new.as_bytes());
        end = edit.end;
    }
    new.extend_from_slice(&text[end..]);
    Ok(new)
}

/// Whether a text is UTF-16, by its byte order mark.
pub fn is_utf16(text: &[u8]) -> bool {
    text.starts_with(&[0xFF, 0xFE]) || text.starts_with(&[0xFE, 0xFF])
}

/// A replacement of a range of bytes whose present text is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The range and its new text.
    pub edit: Edit,
    /// The text that must be at the range. Otherwise the file has changed, and stays as it is.
    pub old: String,
}

/// The new content of a file.
#[derive(Clone, Debug)]
pub enum NewContent {
    /// Replacements, in any order.
    Replacements(Vec<Replacement>),
    /// A whole text.
    Whole {
        /// The bytes that it was made from. If the file has others, it stays as it is.
        old: Vec<u8>,
        /// The new bytes.
        new: Vec<u8>,
    },
}

/// The change of one file, and the conditions for it.
#[derive(Clone, Debug)]
pub(super) struct FileChange {
    /// The new content.
    pub content: NewContent,
    /// The time that the file must not be newer than.
    pub not_after: Option<SystemTime>,
    /// Whether a program of the caller writes the file, so that it may be generated and have any encoding.
    pub is_own: bool,
}

/// Changes of files. Paths are relative to the working directory, or absolute.
#[derive(Clone, Debug, Default)]
pub struct SourceChanges {
    /// The changes by the present path.
    pub(super) files: BTreeMap<PathBuf, FileChange>,
    /// A file or folder, and its new path.
    pub(super) rename: Option<(PathBuf, PathBuf)>,
}

impl SourceChanges {
    /// Changes an authored file. A second change of the same file replaces the first.
    pub fn edit(&mut self, file: impl Into<PathBuf>, content: NewContent) {
        let change = FileChange { content, not_after: None, is_own: false };
        self.files.insert(file.into(), change);
    }

    /// Changes an authored file, unless it was written after a time. The edits of a report are for the sources that the
    /// site was built from: in later ones, the same text may be at another place.
    pub fn edit_if_older(&mut self, file: impl Into<PathBuf>, content: NewContent, than: SystemTime) {
        let change = FileChange { content, not_after: Some(than), is_own: false };
        self.files.insert(file.into(), change);
    }

    /// Writes a file again that a program of the caller has written, such as a list of known findings.
    pub fn rewrite(&mut self, file: impl Into<PathBuf>, old: Vec<u8>, new: Vec<u8>) {
        let change = FileChange { content: NewContent::Whole { old, new }, not_after: None, is_own: true };
        self.files.insert(file.into(), change);
    }

    /// Moves a file or folder. The changes of files in it name their present paths.
    pub fn rename(&mut self, from: impl Into<PathBuf>, to: impl Into<PathBuf>) {
        self.rename = Some((from.into(), to.into()));
    }

    /// Returns the files with a new content, in order.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::{Edit, EditError, edited_text};

    fn edit(start: usize, end: usize, new: &str) -> Edit {
        Edit { start, end, new: new.to_owned() }
    }

    proptest! {
        /// Edits, insertions and removals among them, and their reverse restore each byte: a byte order mark, both line
        /// breaks, and bytes that are not UTF-8.
        #[test]
        fn edits_and_their_reverse_restore_the_text(
            parts in prop::collection::vec(("\\PC{1,6}\r?\n?", "\\PC{0,6}(\r?\n)?", "\\PC{0,6}(\r?\n)?"), 0..6),
        ) {
            let (mut before, mut after) = (b"\xEF\xBB\xBF\xFF".to_vec(), b"\xEF\xBB\xBF\xFF".to_vec());
            let (mut edits, mut reverse) = (Vec::new(), Vec::new());
            for (kept, old, new) in &parts {
                before.extend(kept.as_bytes());
                after.extend(kept.as_bytes());
                edits.push(edit(before.len(), before.len() + old.len(), new));
                reverse.push(edit(after.len(), after.len() + new.len(), old));
                before.extend(old.as_bytes());
                after.extend(new.as_bytes());
            }
            prop_assert_eq!(edited_text(&before, &edits).ok(), Some(after.clone()));
            edits.reverse();
            prop_assert_eq!(edited_text(&before, &edits).ok(), Some(after.clone()), "the order does not matter");
            prop_assert_eq!(edited_text(&after, &reverse).ok(), Some(before.clone()));
            prop_assert_eq!(edited_text(&before, &[]).ok(), Some(before.clone()));
        }
    }

    #[test]
    fn edits_keep_all_other_bytes() {
        let text = b"\xEF\xBB\xBFa \xFF b\r\nc";
        let edits = [edit(10, 11, "D"), edit(3, 4, "xy"), edit(3, 4, "xy")];
        assert_eq!(edited_text(text, &edits).as_deref(), Ok(&b"\xEF\xBB\xBFxy \xFF b\r\nD"[..]));
    }

    #[test]
    fn contradictory_edits_and_utf16_are_refused() {
        for edits in [
            [edit(0, 2, "x"), edit(1, 3, "y")],
            [edit(1, 2, "x"), edit(1, 2, "y")],
            [edit(1, 1, "x"), edit(1, 1, "y")],
        ] {
            assert_eq!(edited_text(b"abc", &edits), Err(EditError::Overlap), "{edits:?}");
        }
        assert_eq!(edited_text(b"abc", &[edit(2, 4, "")]), Err(EditError::OutOfRange));
        assert_eq!(edited_text(b"\xFF\xFEa\0", &[]), Err(EditError::Utf16));
    }
}
