//! Changes authored files: all or nothing of each file, and only what Git can restore.
//!
//! [`SourceChanges`] collects edits, new contents and a rename. [`apply()`] checks every file before it writes any, and
//! then returns a patch for `git apply`, or writes. It prints nothing, so that an editor can use it as well as a command.

mod apply;
mod changes;
mod diff;
mod file_checks;
mod git;
mod paths;
mod refusal;
mod rename_checks;
mod staging;
mod writing;

pub use apply::{Applied, ApplyMode, ApplyOptions, apply};
pub use changes::{Edit, EditError, NewContent, Replacement, SourceChanges, edited_text, is_utf16};
pub use diff::unified_diff;
pub use file_checks::is_generated;
pub use git::{git_command, run_git};
pub use refusal::{Refusal, RefusalReason};
pub use writing::ApplyError;
