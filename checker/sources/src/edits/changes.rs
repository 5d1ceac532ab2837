//! The changes of files that belong together.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::text::Edit;

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
