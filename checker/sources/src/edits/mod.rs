//! Changes authored files: all or nothing of each file, and only what Git can restore.
//!
//! [`SourceChanges`] collects edits, new contents and a rename. [`apply()`] checks every file before it writes any, and
//! then returns a patch for `git apply`, or writes. It prints nothing, so that an editor can use it as well as a command.

mod changes;
mod checks;
mod diff;
mod git;
mod writing;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use self::checks::{PreparedChange, PreparedRename, absolute, prepare_rename, slashed_below};
use self::git::{git_refusals, repository_root};
use self::writing::{Staging, write_all, write_each};

pub use self::changes::{
    Edit, EditError, NewContent, Refusal, RefusalReason, Replacement, SourceChanges, edited_text, is_utf16,
};
pub use self::checks::is_generated;
pub use self::diff::unified_diff;
pub use self::git::{git_command, run_git};
pub use self::writing::ApplyError;

/// Whether to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApplyMode {
    /// Only return the patch. It also has the changes of files that cannot be written now, such as those with uncommitted
    /// changes: a patch harms nothing.
    Patch,
    /// Write the files that are not refused.
    WriteEach,
    /// Write all files, or none if one is refused. Generated files are left as they are: they follow from others.
    WriteAll,
}

/// The conditions for changes.
#[derive(Clone, Debug)]
pub struct ApplyOptions {
    /// The folder of the project; empty for the working directory. Its repository is the one that may be changed, and moves stay inside of it.
    pub project: PathBuf,
    /// Whether to write files, too, that Git could not restore.
    pub allow_unsaved: bool,
}

/// The result of applying changes.
#[derive(Debug, Default)]
pub struct Applied {
    /// The changes as a patch for `git apply`: those that were written, or with [`ApplyMode::Patch`], that may be. If
    /// nothing was written because of a refusal, it has them nevertheless.
    pub patch: String,
    /// The files of the patch with a new content, as the caller named them.
    pub changed: Vec<PathBuf>,
    /// The files that were not written, or with [`ApplyMode::Patch`], that would not be.
    pub refused: Vec<Refusal>,
    /// Whether the files were written.
    pub is_written: bool,
}

impl Applied {
    /// Returns the files that the changes leave as they are, although others change.
    fn refused_names(&self) -> HashSet<&Path> {
        self.refused.iter().map(|refusal| refusal.file.as_path()).collect()
    }

    /// Returns the files that are written, or would be.
    pub fn writable(&self) -> impl Iterator<Item = &Path> {
        let refused = self.refused_names();
        self.changed.iter().map(PathBuf::as_path).filter(move |file| !refused.contains(file))
    }
}

/// Checks all changes, and then writes them or returns them as a patch. Each file is replaced in one step, and keeps its
/// mode, owner and attributes.
///
/// A process that handles signals should defer them meanwhile, so that a move is complete.
///
/// # Errors
/// If the paths cannot be read, or with [`ApplyMode::WriteAll`], if a file cannot be written.
pub fn apply(
    changes: &SourceChanges,
    mode: ApplyMode,
    options: &ApplyOptions,
) -> Result<Applied, ApplyError> {
    let project = if options.project.as_os_str().is_empty() { Path::new(".") } else { &options.project };
    let project = absolute(project).map_err(ApplyError::unchanged(project))?;
    let repository = repository_root(&project.join("any"));
    let mut refused = Vec::new();
    let rename = match &changes.rename {
        None => None,
        Some((from, to)) => {
            let rename = prepare_rename((from, to), &project, &mut refused);
            Some(rename.map_err(ApplyError::unchanged(from))?)
        }
    };
    let mut prepared = Vec::new();
    for (name, change) in &changes.files {
        let path = absolute(name).map_err(ApplyError::unchanged(name))?;
        match PreparedChange::new(name, path, change, &project) {
            Ok(change) if change.old == change.new => {}
            Ok(change) => prepared.push(change),
            Err(reason) => refused.push(Refusal { file: name.clone(), reason }),
        }
    }
    refused.extend(refuse_by_git(&mut prepared, rename.as_ref(), repository.as_deref()));
    for change in &mut prepared {
        refused
            .extend(change.obstacle.take().map(|reason| Refusal { file: change.name.to_path_buf(), reason }));
    }
    if options.allow_unsaved {
        refused.retain(|refusal| !refusal.reason.can_be_allowed());
    }
    let mut applied = Applied { refused, ..Applied::default() };
    let (mut written, mut is_complete) = (prepared, true);
    match mode {
        ApplyMode::Patch => {}
        ApplyMode::WriteEach => {
            let names = applied.refused_names();
            written.retain(|change| !names.contains(change.name));
        }
        ApplyMode::WriteAll => {
            is_complete = applied.refused.iter().all(|refusal| refusal.reason.is_generated());
        }
    }
    if mode != ApplyMode::Patch && is_complete && (rename.is_some() || !written.is_empty()) {
        let mut staging = Staging::new(repository.as_deref(), &project);
        if mode == ApplyMode::WriteAll {
            write_all(&written, rename.as_ref(), &mut staging)?;
        } else {
            let failed = write_each(&written, &mut staging);
            let names: HashSet<&Path> = failed.iter().map(|refusal| refusal.file.as_path()).collect();
            written.retain(|change| !names.contains(change.name));
            applied.refused.extend(failed);
        }
        applied.is_written = true;
    }
    let root = repository.unwrap_or_else(|| project.canonicalize().unwrap_or(project));
    applied.patch = patch(&written, rename.as_ref(), &root);
    applied.changed = written.iter().map(|change| change.name.to_path_buf()).collect();
    applied.refused.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(applied)
}

/// Returns the reasons of Git, and removes the changes that not even a patch may have.
fn refuse_by_git(
    prepared: &mut Vec<PreparedChange<'_>>,
    rename: Option<&PreparedRename>,
    project: Option<&Path>,
) -> Vec<Refusal> {
    let edited = prepared.iter().map(|change| change.path.as_path());
    let moved = rename.iter().flat_map(|rename| &rename.files).map(PathBuf::as_path);
    let mut files: Vec<&Path> = edited.chain(moved).collect();
    files.sort_unstable();
    files.dedup();
    let reasons: BTreeMap<PathBuf, RefusalReason> = git_refusals(&files, project)
        .into_iter()
        .map(|(file, reason)| (file.to_path_buf(), reason))
        .collect();
    let mut refused = Vec::new();
    for (path, reason) in reasons {
        let change = prepared.iter().position(|change| change.path == path);
        // A file that only moves keeps its content.
        if change.is_none() && !reason.can_be_allowed() {
            continue;
        }
        let file = change.map_or_else(|| path.clone(), |change| prepared[change].name.to_path_buf());
        if let Some(change) = change
            && !reason.is_only_about_writing()
        {
            prepared.remove(change);
        }
        refused.push(Refusal { file, reason });
    }
    refused
}

/// Returns changes and a move as a patch. Paths begin at the root of the repository.
fn patch(changes: &[PreparedChange<'_>], rename: Option<&PreparedRename>, root: &Path) -> String {
    let mut patch = String::new();
    let by_path: BTreeMap<&Path, &PreparedChange<'_>> =
        changes.iter().map(|change| (change.path.as_path(), change)).collect();
    let moved: &[PathBuf] = rename.map_or(&[], |rename| &rename.files);
    for from in moved {
        let to = rename.map_or_else(|| from.clone(), |rename| rename.moved(from));
        let (old, new): (&[u8], &[u8]) =
            by_path.get(from.as_path()).map_or((&[], &[]), |change| (&change.old, &change.new));
        patch += &unified_diff(&slashed_below(from, root), &slashed_below(&to, root), old, new);
    }
    let moved: HashSet<&Path> = moved.iter().map(PathBuf::as_path).collect();
    for change in changes.iter().filter(|change| !moved.contains(change.path.as_path())) {
        let path = slashed_below(&change.path, root);
        patch += &unified_diff(&path, &path, &change.old, &change.new);
    }
    patch
}
