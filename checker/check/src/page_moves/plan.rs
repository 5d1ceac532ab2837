//! A planned move.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::redirect_proposals::RedirectProposal;
use crate::report::document_names::{below, from_here};
use sitegate_sources::edits::Edit;

/// A planned move. Paths are relative to the contract's folder, with `/`.
#[derive(Debug, Default)]
pub struct MovePlan {
    /// The folder that paths are relative to.
    pub folder: PathBuf,
    /// The file or folder to move.
    pub from: String,
    /// Its new path.
    pub to: String,
    /// Whether people write the files of the export, and no build makes them.
    pub is_authored: bool,
    /// The files to move, with their new paths.
    pub renames: Vec<(String, String)>,
    /// The edits by the present path of the file, in order.
    pub edits: BTreeMap<String, Vec<Edit>>,
    /// The pages that move with the sources: their paths in the export, and the new ones.
    pub pages: Vec<(String, String)>,
    /// The redirects from old addresses to new ones.
    pub redirects: Vec<RedirectProposal>,
    /// References and pages that need the attention of people.
    pub notes: Vec<String>,
}

impl MovePlan {
    /// Returns a path from the working directory, with `/`.
    pub fn name(&self, path: &str) -> String {
        from_here(&self.folder.join(path))
    }

    /// Returns the path of a file in the working directory, as the plan has it.
    pub fn path(&self, file: &Path) -> String {
        below(file, &self.folder)
    }

    /// Returns a note with the path that its file has after the move.
    pub fn note_after(&self, note: &str) -> String {
        let rest = note.strip_prefix(&self.from).filter(|rest| rest.starts_with([':', '/']));
        rest.map_or_else(|| note.to_owned(), |rest| format!("{}{rest}", self.to))
    }

    /// Returns the path of a file after the move.
    pub fn moved(&self, path: &str) -> String {
        moved(path, &self.from, &self.to).unwrap_or_else(|| path.to_owned())
    }
}

/// Returns the path of a file after the move of it or of a folder above it.
pub(super) fn moved(path: &str, from: &str, to: &str) -> Option<String> {
    let rest = path.strip_prefix(from).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
    Some(format!("{to}{rest}"))
}

/// What people must look at in a text.
pub(super) struct TextNote {
    /// Offset in the text.
    pub offset: usize,
    /// The text there, and the reason.
    pub message: String,
}

/// Returns the notes of a text in its order, with their lines: `path:line: message`. Equal ones are returned once.
pub(super) fn with_lines((path, text): (&str, &str), mut notes: Vec<TextNote>) -> Vec<String> {
    notes.sort_by_key(|note| note.offset);
    let (mut line, mut counted) = (1, 0);
    let located = notes.into_iter().map(|TextNote { offset, message }| {
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..offset]).count();
        counted = offset;
        format!("{path}:{line}: {message}")
    });
    let mut located: Vec<String> = located.collect();
    located.dedup();
    located
}
