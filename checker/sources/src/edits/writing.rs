//! Writes prepared changes: first all new contents to the staging folder, then one rename for each file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::file_checks::{FileVersion, PreparedChange};
use super::refusal::{Refusal, RefusalReason};
use super::rename_checks::PreparedRename;
use super::staging::Staging;

/// The reason why changes could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// A path cannot be read or written. All files are as before.
    #[error("{}: {source}; nothing is changed", path.display())]
    Unchanged {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A path could not be written, and others not restored.
    #[error("{}: {source}; some files are changed already: restore them with Git, and try again", path.display())]
    PartlyChanged {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

impl ApplyError {
    pub(super) fn unchanged(path: &Path) -> impl FnOnce(io::Error) -> ApplyError {
        let path = path.to_path_buf();
        move |source| ApplyError::Unchanged { path, source }
    }
}

/// Writes each change on its own. Returns the changes that failed, each with the file as it was.
pub(super) fn write_each(changes: &[PreparedChange<'_>], staging: &mut Staging) -> Vec<Refusal> {
    let mut failed = Vec::new();
    let mut staged = Vec::new();
    for change in changes {
        match staging.stage(&change.path, &change.new) {
            Ok(file) => staged.push((change, file)),
            Err(error) => failed.push((change, RefusalReason::Unwritable(error))),
        }
    }
    for (change, file) in staged {
        if FileVersion::of(&change.path) != Some(change.stamp) {
            failed.push((change, RefusalReason::ChangedSinceRead));
        } else if let Err(error) = replace(&change.path, &file, &change.new, staging) {
            failed.push((change, RefusalReason::Unwritable(error)));
        }
    }
    failed.into_iter().map(|(change, reason)| Refusal { file: change.name.to_path_buf(), reason }).collect()
}

/// Writes all changes and the move, or nothing.
///
/// # Errors
/// If one cannot be written. Then the others are restored.
pub(super) fn write_all(
    changes: &[PreparedChange<'_>],
    rename: Option<&PreparedRename>,
    staging: &mut Staging,
) -> Result<(), ApplyError> {
    let mut staged = Vec::new();
    for change in changes {
        let file = staging.stage(&change.path, &change.new).map_err(ApplyError::unchanged(change.name))?;
        staged.push((change, file));
    }
    if let Some(change) = changes.iter().find(|change| FileVersion::of(&change.path) != Some(change.stamp)) {
        let source = io::Error::other(RefusalReason::ChangedSinceRead.to_string());
        return Err(ApplyError::Unchanged { path: change.name.to_path_buf(), source });
    }
    let created = rename.map(move_files).transpose()?;
    let target = |change: &PreparedChange<'_>| {
        rename.map_or_else(|| change.path.clone(), |rename| rename.moved(&change.path))
    };
    for (number, (change, file)) in staged.iter().enumerate() {
        let Err(source) = replace(&target(change), file, &change.new, staging) else { continue };
        let path = change.name.to_path_buf();
        let mut restore = || -> io::Result<()> {
            for written in changes[..number].iter().rev() {
                let present = target(written);
                let old = staging.stage(&present, &written.old)?;
                replace(&present, &old, &written.old, staging)?;
            }
            let Some(rename) = rename else { return Ok(()) };
            fs::rename(&rename.to, &rename.from)?;
            remove_folders(created.as_deref().unwrap_or_default());
            Ok(())
        };
        return Err(match restore() {
            Ok(()) => ApplyError::Unchanged { path, source },
            Err(_) => ApplyError::PartlyChanged { path, source },
        });
    }
    Ok(())
}

/// Moves a file or folder. Returns the folders that were created for it, the deepest first.
fn move_files(rename: &PreparedRename) -> Result<Vec<PathBuf>, ApplyError> {
    let parents = rename.to.ancestors().skip(1);
    let created: Vec<PathBuf> =
        parents.take_while(|folder| !folder.exists()).map(Path::to_path_buf).collect();
    let moved = match rename.to.parent() {
        Some(folder) => fs::create_dir_all(folder).and_then(|()| fs::rename(&rename.from, &rename.to)),
        None => fs::rename(&rename.from, &rename.to),
    };
    if let Err(source) = moved {
        remove_folders(&created);
        return Err(ApplyError::Unchanged { path: rename.to.clone(), source });
    }
    Ok(created)
}

/// Removes folders that are empty again.
fn remove_folders(folders: &[PathBuf]) {
    for folder in folders {
        // One with other files stays.
        let _ = fs::remove_dir(folder);
    }
}

/// Replaces a file with a staged one, in one step.
fn replace(file: &Path, staged: &Path, content: &[u8], staging: &mut Staging) -> io::Result<()> {
    match fs::rename(staged, file) {
        // Two mounts of one device, as of a container.
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            fs::rename(staging.stage_next_to(file, content)?, file)
        }
        renamed => renamed,
    }
}
