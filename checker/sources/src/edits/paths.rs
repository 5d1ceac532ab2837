//! Paths as they are written, without a look at links.

use std::io;
use std::path::{Component, Path, PathBuf};

/// Returns an absolute path without `.` and `..`. Links are not followed.
pub(super) fn absolute(path: &Path) -> io::Result<PathBuf> {
    let mut plain = PathBuf::new();
    for component in std::path::absolute(path)?.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    Ok(plain)
}

/// Returns the nearest folder above a path that exists.
pub(super) fn existing_folder(path: &Path) -> Option<&Path> {
    path.ancestors().skip(1).find(|folder| folder.is_dir())
}

/// Returns the first folder above a path, below a root, that is a symbolic link.
pub(super) fn linked_folder(path: &Path, root: &Path) -> Option<PathBuf> {
    let below = path.parent()?.strip_prefix(root).ok()?;
    let mut folder = root.to_path_buf();
    below.components().find_map(|name| {
        folder.push(name);
        folder.is_symlink().then(|| folder.clone())
    })
}

/// Returns a path relative to a root, with `/`. A path that is not below it keeps all its folders.
pub(super) fn slashed_below(path: &Path, root: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let names = below.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    names.collect::<Vec<_>>().join("/")
}

/// Returns the number of the device of a path; `None` if it cannot be determined.
#[cfg(unix)]
pub(super) fn device(path: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    path.metadata().ok().map(|metadata| metadata.dev())
}

/// Returns the device of a path by its prefix.
#[cfg(not(unix))]
pub(super) fn device(path: &Path) -> Option<u64> {
    let prefix = path.canonicalize().ok()?.components().next()?.as_os_str().to_owned();
    Some(prefix.to_string_lossy().bytes().fold(0, |sum, byte| sum * 31 + u64::from(byte)))
}
