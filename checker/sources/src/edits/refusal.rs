//! The reasons why a file is not changed.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::changes::EditError;

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
