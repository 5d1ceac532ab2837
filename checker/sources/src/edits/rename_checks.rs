//! Checks that a file or folder can be moved, and lists the files in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::file_checks::folder_obstacle;
use super::git::{is_ignored, is_sparse, repository_root};
use super::paths::{absolute, device, existing_folder, linked_folder, slashed_below};
use super::refusal::{Refusal, RefusalReason};

/// A move, with absolute paths.
#[derive(Debug)]
pub(super) struct PreparedRename {
    /// The present path.
    pub from: PathBuf,
    /// The new path.
    pub to: PathBuf,
    /// All files in it.
    pub files: Vec<PathBuf>,
}

impl PreparedRename {
    /// Returns the path of a file after the move.
    pub fn moved(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.from) {
            Ok(below) if below.as_os_str().is_empty() => self.to.clone(),
            Ok(below) => self.to.join(below),
            Err(_) => path.to_path_buf(),
        }
    }
}

/// Checks a move in a project, and adds the reasons against it.
///
/// # Errors
/// If the files cannot be listed.
pub(super) fn prepare_rename(
    (from_name, to_name): (&Path, &Path),
    project: &Path,
    refused: &mut Vec<Refusal>,
) -> io::Result<PreparedRename> {
    let (from, to) = (absolute(from_name)?, absolute(to_name)?);
    for (name, path) in [(from_name, &from), (to_name, &to)] {
        let reason = path_refusal(path, project).or_else(|| existing_folder(path).and_then(folder_obstacle));
        refused.extend(reason.map(|reason| Refusal { file: name.to_path_buf(), reason }));
    }
    // A pair of paths matters only if both are right.
    let reason = if refused.is_empty() { pair_refusal(&from, &to) } else { None };
    refused.extend(reason.map(|reason| Refusal { file: to_name.to_path_buf(), reason }));
    if refused.is_empty()
        && let Some(root) = repository_root(&from)
    {
        if is_ignored(&root, &slashed_below(&to, &root)) {
            refused.push(Refusal { file: to_name.to_path_buf(), reason: RefusalReason::IgnoredTarget });
        }
        if is_sparse(&root) {
            refused.push(Refusal { file: from_name.to_path_buf(), reason: RefusalReason::Sparse });
        }
    }
    let files = if refused.iter().all(|refusal| refusal.reason.can_be_allowed()) {
        list_files(&from)?
    } else {
        Vec::new()
    };
    if let Some(inner) = files.iter().find(|file| is_git_entry(file)) {
        let folder = inner.parent().unwrap_or(inner).to_path_buf();
        refused
            .push(Refusal { file: from_name.to_path_buf(), reason: RefusalReason::OtherRepository(folder) });
    }
    Ok(PreparedRename { from, to, files })
}

/// Returns the reason against one path of a move.
fn path_refusal(path: &Path, project: &Path) -> Option<RefusalReason> {
    if path == project || !path.starts_with(project) {
        return Some(RefusalReason::OutsideProject(project.to_path_buf()));
    }
    if path.strip_prefix(project).ok()?.components().any(|name| name.as_os_str().eq_ignore_ascii_case(".git"))
    {
        return Some(RefusalReason::GitFolder);
    }
    linked_folder(path, project)
        .map(|link| RefusalReason::BelowLink(link.strip_prefix(project).unwrap_or(&link).to_path_buf()))
}

/// Returns the reason against a pair of paths.
fn pair_refusal(from: &Path, to: &Path) -> Option<RefusalReason> {
    let lower = |path: &Path| path.to_string_lossy().to_lowercase();
    if from != to && lower(from) == lower(to) {
        return Some(RefusalReason::OnlyCase);
    }
    if fs::symlink_metadata(to).is_ok() {
        return Some(RefusalReason::TargetExists);
    }
    let (from_folder, to_folder) = (existing_folder(from)?, existing_folder(to)?);
    if repository_root(from) != repository_root(to) {
        return Some(RefusalReason::AcrossRepositories);
    }
    (device(from_folder) != device(to_folder)).then_some(RefusalReason::OtherFileSystem)
}

/// Whether a file is the mark of a repository, or in one's folder.
fn is_git_entry(file: &Path) -> bool {
    file.components().any(|name| name.as_os_str() == ".git")
}

/// Lists all files of a file or folder, without following links.
fn list_files(start: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![start.to_path_buf()]);
    if !fs::symlink_metadata(start)?.is_dir() {
        return Ok(folders);
    }
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() { folders.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    files.sort_unstable();
    Ok(files)
}
