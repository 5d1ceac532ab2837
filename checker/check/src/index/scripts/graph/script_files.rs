//! Distinguishes scripts from other files by their names.

use crate::index::site::Site;
use crate::walk::Tree;
use sitegate_address::hashed_name::is_hashed;
use sitegate_script::{Grade, LoadKind, RelativeTo, ScriptLoad};

/// Maximum number of files of a folder to look at.
const MAX_SIBLINGS: usize = 1_000;

/// Minimum length of a hash in the name of a chunk.
const MIN_HASH_LENGTH: usize = 6;

/// Whether a file is a script by its name. Such files are always read if a page runs them.
pub(crate) fn is_script_name(path: &[u8]) -> bool {
    [".js", ".mjs", ".cjs"].iter().any(|extension| path.ends_with(extension.as_bytes()))
}

/// Whether a file is never a script, although a script refers to it.
pub(super) fn is_data(path: &[u8]) -> bool {
    [".json", ".wasm", ".map", ".png", ".jpg", ".webp", ".avif", ".gif", ".ico", ".woff", ".woff2", ".txt"]
        .iter()
        .any(|extension| path.ends_with(extension.as_bytes()))
}

/// Returns the grade of a load of a missing file. If scripts may move its folder at run time, only a name with a
/// content hash is certain: it exists nowhere, or the folder has other such chunks and so is the folder of the build.
pub(super) fn missing_grade(load: &ScriptLoad, path: &[u8], site: &Site<'_>) -> Grade {
    if load.relative_to != RelativeTo::MovablePath {
        return load.grade;
    }
    let is_called_chunk = load.kind == LoadKind::Chunk && load.goal.is_some();
    let is_certain = is_hashed_name(path)
        && (is_nowhere(path, site) || is_called_chunk && has_hashed_scripts(folder(path), site.tree));
    if is_certain { load.grade } else { load.grade.min(Grade::Optional) }
}

/// Whether no file of the export has the last name of a path.
fn is_nowhere(path: &[u8], site: &Site<'_>) -> bool {
    site.is_whole() && str::from_utf8(path).is_ok_and(|path| site.files_named(last_name(path)).is_empty())
}

/// Whether a folder has scripts with hashed names.
fn has_hashed_scripts(folder: &[u8], tree: &Tree) -> bool {
    let mut files = tree.below(folder).take(MAX_SIBLINGS).map(|file| tree.path(file));
    files.any(|file| self::folder(file) == folder && is_script_name(file) && is_hashed_name(file))
}

pub(super) fn last_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn folder(path: &[u8]) -> &[u8] {
    path.iter().rposition(|byte| *byte == b'/').map_or(&path[..0], |at| &path[..at])
}

/// Whether the name of a chunk has a hash; `JupyterLite`'s are short.
pub(super) fn is_hashed_name(path: &[u8]) -> bool {
    let stem = path.strip_suffix(b".js").unwrap_or(path);
    let last = stem.rsplit(|byte| matches!(byte, b'.' | b'/')).next().unwrap_or(stem);
    let is_short_hash = last.len() >= MIN_HASH_LENGTH
        && last.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        && last.iter().any(u8::is_ascii_digit);
    is_short_hash || std::str::from_utf8(path).is_ok_and(is_hashed)
}
