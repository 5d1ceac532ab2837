//! Represents edits of a text, changes of files, and the reasons why a file is not changed. Applies edits to the bytes of a
//! text.

use std::collections::BTreeMap;
use std::io;
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

/// A file that is not changed.
#[derive(Debug)]
pub struct Refusal {
    /// The file, as the caller named it.
    pub file: PathBuf,
    /// The reason.
    pub reason: RefusalReason,
}

/// The reason why a file is not changed, as the end of a sentence that begins with its name.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RefusalReason {
    /// Git has another content.
    #[error("has uncommitted changes; commit them first")]
    Uncommitted,
    /// Git does not know the file.
    #[error("is not committed; commit it first")]
    Untracked,
    /// Git ignores the file.
    #[error("is ignored by Git")]
    Ignored,
    /// The new path is one that Git ignores.
    #[error("would be ignored by Git; name another path")]
    IgnoredTarget,
    /// There is no repository.
    #[error("is in no Git repository")]
    NoRepository,
    /// Git's output would not name the file.
    #[error("has a name that is not UTF-8")]
    NotUtf8Name,
    /// There is no program `git`.
    #[error("the program `git` was not found")]
    NoGit,
    /// Git failed.
    #[error("git: {0}")]
    Git(String),
    /// Git does not compare the file, so that no diff would show the change. The flag is that of `git update-index`.
    #[error(
        "has the mark `{0}`, so that Git would not show the change; remove it first: git update-index --no-{0} FILE"
    )]
    Unwatched(&'static str),
    /// The file is in a submodule, or in another repository inside of the project's.
    #[error("is in another repository, {}; change it there", .0.display())]
    OtherRepository(PathBuf),
    /// Only a part of the repository is checked out, so that links in the rest would break.
    #[error(
        "cannot be moved in a sparse checkout, because other files may link to it; run `git sparse-checkout disable` first"
    )]
    Sparse,

    /// The file is a symbolic link.
    #[error("is a symbolic link; edit {} itself", .0.display())]
    SymbolicLink(PathBuf),
    /// A folder above the file is a symbolic link, so that the file is in another place.
    #[error("is below the symbolic link `{}`; name its real path", .0.display())]
    BelowLink(PathBuf),
    /// The file has other names, whose content would stay, or change unnoticed.
    #[error("is a hard link, one of {0} names of the same content; replace it with a copy first")]
    HardLink(u64),
    /// The file is read-only.
    #[error("is read-only; make it writable first")]
    ReadOnly,
    /// Its folder cannot be written to.
    #[error("is in a folder that is read-only; make it writable first")]
    ReadOnlyFolder,
    /// The file cannot be written.
    #[error("cannot be written, and is unchanged: {0}")]
    Unwritable(io::Error),
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    /// The path is a folder, or a device.
    #[error("is no file")]
    NotAFile,
    /// The file was written after the build that the change is for.
    #[error("has changed since the site was built; build it again first")]
    NewerThanBuild,
    /// The file has another text than the change was made for.
    #[error("has changed during the check; build the site and check it again")]
    ChangedSinceRead,
    /// A program generates the file.
    #[error("is generated: change what generates it")]
    Generated,
    /// The file is a pointer to a large file, or Git stores it as one.
    #[error("is stored by Git LFS; edit it by hand")]
    LargeFile,
    /// The file is not UTF-8.
    #[error("is not UTF-8")]
    NotUtf8,
    /// The edits cannot be applied.
    #[error(transparent)]
    Edit(#[from] EditError),

    /// The new path exists.
    #[error("exists; name a path that does not")]
    TargetExists,
    /// Only the letter case of the path changes. Some file systems and hosts do not distinguish it: there, the old address
    /// would redirect to itself.
    #[error(
        "differs only in letter case, which some file systems and hosts do not distinguish; choose another name"
    )]
    OnlyCase,
    /// A path of the move is outside of the project.
    #[error("is outside of the project `{}`", .0.display())]
    OutsideProject(PathBuf),
    /// A path of the move is in a folder of Git.
    #[error("is in a folder of Git")]
    GitFolder,
    /// The move is from one repository to another.
    #[error("is in another repository; move it by hand, and commit it in both")]
    AcrossRepositories,
    /// The move is from one file system to another, where it takes more than one step.
    #[error("is on another file system; move it by hand")]
    OtherFileSystem,
}

impl RefusalReason {
    /// Whether the user may decide to change the file nevertheless: only Git's view is against it, and the change itself is
    /// safe.
    pub fn can_be_allowed(&self) -> bool {
        use RefusalReason::{
            Git, Ignored, IgnoredTarget, NoGit, NoRepository, NotUtf8Name, OtherRepository, Sparse,
            Uncommitted, Untracked, Unwatched,
        };
        matches!(
            self,
            Git(_)
                | Ignored
                | IgnoredTarget
                | NoGit
                | NoRepository
                | NotUtf8Name
                | OtherRepository(_)
                | Sparse
                | Uncommitted
                | Untracked
                | Unwatched(_)
        )
    }

    /// Whether a patch may contain the change: the file cannot be written now, but the change is right.
    pub fn is_only_about_writing(&self) -> bool {
        use RefusalReason::{HardLink, ReadOnly, ReadOnlyFolder, Unwritable};
        self.can_be_allowed() || matches!(self, HardLink(_) | ReadOnly | ReadOnlyFolder | Unwritable(_))
    }

    /// Whether the file follows from others, so that a move may leave it as it is.
    pub fn is_generated(&self) -> bool {
        matches!(self, RefusalReason::Generated)
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
            edits.extend_from_within(..);
            edits.reverse();
            prop_assert_eq!(edited_text(&before, &edits).ok(), Some(after.clone()), "in any order, and twice");
            prop_assert_eq!(edited_text(&after, &reverse).ok(), Some(before.clone()));
            prop_assert_eq!(edited_text(&before, &[]).ok(), Some(before.clone()));
        }
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
