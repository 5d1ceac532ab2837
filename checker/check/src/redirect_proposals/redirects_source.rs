//! Finds the source of an exported `_redirects` file.

use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use sitegate_host::REDIRECTS_FILE;

/// Maximum depth of the file below the folder.
const MAX_DEPTH: usize = 6;

/// Names of folders with files for tests and examples, which belong to other sites.
const OTHER_SITES: [&str; 16] = [
    "node_modules",
    ".git",
    "test",
    "tests",
    "__tests__",
    "testdata",
    "test-data",
    "fixture",
    "fixtures",
    "__fixtures__",
    "spec",
    "specs",
    "e2e",
    "example",
    "examples",
    "samples",
];

/// Returns the only file below a folder with the name and the content of the export's `_redirects`. Files that git ignores
/// do not count, and neither do the export and fixtures of tests.
pub fn redirects_source(export: &Path, folder: &Path) -> Option<PathBuf> {
    let exported = fs::read(export.join(REDIRECTS_FILE)).ok()?;
    let export = fs::canonicalize(export).ok()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut builder = WalkBuilder::new(folder);
    builder.hidden(false).require_git(false).git_global(false).max_depth(Some(MAX_DEPTH));
    builder.filter_entry(move |entry| {
        let is_skipped =
            entry.depth() > 0 && entry.file_name().to_str().is_some_and(|name| OTHER_SITES.contains(&name));
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        !is_folder || !is_skipped && !fs::canonicalize(entry.path()).is_ok_and(|path| path == export)
    });
    let files = builder.build().filter_map(Result::ok).filter(|entry| entry.file_name() == REDIRECTS_FILE);
    let mut same = files.filter(|entry| fs::read(entry.path()).is_ok_and(|content| content == exported));
    let found = same.next()?.into_path();
    same.next().is_none().then_some(found)
}
