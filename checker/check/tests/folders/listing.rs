//! The folders below `cases/`, one for each case.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders right below this one, sorted.
fn below(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// Every case, by rule and name.
pub fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    below(&root).iter().flat_map(|rule| below(rule)).collect()
}
