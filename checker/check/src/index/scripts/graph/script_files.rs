//! Distinguishes scripts from other files by their names.

use crate::walk::Tree;
use sitegate_base::hashed_name::is_hashed;
use sitegate_script::{Grade, LoadKind, ScriptLoad};

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

/// Returns the grade of a load of a missing file. A called chunk is optional if scripts may move the folder of chunks
/// at run time. But if its name has a content hash, and the folder has other such files, it is the folder of the build.
pub(super) fn missing_grade(load: &ScriptLoad, path: &[u8], tree: &Tree) -> Grade {
    let is_called_chunk = load.kind == LoadKind::Chunk && load.goal.is_some();
    if load.grade != Grade::Optional || !is_called_chunk || !is_hashed_name(path) {
        return load.grade;
    }
    let folder = folder(path);
    let mut siblings = tree.below(folder).take(MAX_SIBLINGS).map(|file| tree.path(file));
    let is_chunk =
        |other: &[u8]| self::folder(other) == folder && is_script_name(other) && is_hashed_name(other);
    if siblings.any(is_chunk) { Grade::Required } else { load.grade }
}

fn folder(path: &[u8]) -> &[u8] {
    path.iter().rposition(|byte| *byte == b'/').map_or(&path[..0], |at| &path[..at])
}

/// Whether the name of a chunk has a hash; `JupyterLite`'s are short.
fn is_hashed_name(path: &[u8]) -> bool {
    let stem = path.strip_suffix(b".js").unwrap_or(path);
    let last = stem.rsplit(|byte| matches!(byte, b'.' | b'/')).next().unwrap_or(stem);
    let is_short_hash = last.len() >= MIN_HASH_LENGTH
        && last.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        && last.iter().any(u8::is_ascii_digit);
    is_short_hash || std::str::from_utf8(path).is_ok_and(is_hashed)
}
