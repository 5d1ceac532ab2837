//! Lists the case folders below `cases/`.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the direct subfolders, sorted.
fn subfolders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// Returns all cases, by rule and name.
pub fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    subfolders(&root).iter().flat_map(|rule| subfolders(rule)).collect()
}
