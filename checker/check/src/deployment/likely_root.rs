//! Finds the folder that a user meant, if the checked folder is a parent of the export or a folder inside it.

use std::path::{Component, Path, PathBuf};

use sitegate_address::INDEX;

use super::links::OwnLinks;
use super::sample::Sample;
use super::statements::{find_file, is_most};
use crate::walk::Tree;

/// Minimum number of missing files that are evidence for another folder.
const MIN_FILES: usize = 2;

/// Maximum number of missing files to look for, and of levels between the two folders.
const FILES: usize = 50;
const LEVELS: usize = 3;

/// The folder that has the files which the checked folder lacks.
pub(crate) struct LikelyRoot {
    /// The folder, by a path that starts as that of the checked one.
    pub folder: PathBuf,
}

impl LikelyRoot {
    /// Returns the folder in which most links of its pages work. `missing` are decoded paths that links point to, below
    /// the base path and without their leading `/`.
    pub fn find(missing: &[&str], base_path: &str, tree: &Tree) -> Option<LikelyRoot> {
        let missing = &missing[..missing.len().min(FILES)];
        if missing.len() < MIN_FILES {
            return None;
        }
        let inner = inner_folder(missing, tree).filter(|folder| {
            let links = OwnLinks::collect(&Sample::below(tree, folder.as_bytes()), tree);
            links.are_mostly_rooted() && works_in(&links, base_path, &tree.root().join(folder))
        });
        match inner {
            Some(folder) => Some(LikelyRoot { folder: tree.root().join(folder) }),
            None => LikelyRoot::above(missing, base_path, tree),
        }
    }

    /// Returns the nearest folder above the checked one with a home page and most of the missing files. One of them must
    /// be a page: an export may name files of its sources by mistake, and these are images and scripts.
    fn above(missing: &[&str], base_path: &str, tree: &Tree) -> Option<LikelyRoot> {
        let has_most = |folder: &PathBuf| {
            let found = missing.iter().filter(|path| has_file(folder, path)).count();
            let has_pages = missing.iter().any(|path| has_page(folder, path));
            has_page(folder, "") && has_pages && found >= MIN_FILES && is_most(found, missing.len())
        };
        let folder = parents(tree.root()).find(has_most)?;
        let links = OwnLinks::collect(&Sample::read(tree), tree);
        works_in(&links, base_path, &folder).then_some(LikelyRoot { folder })
    }

    /// Returns whether the folder has the file at a path, as `missing` of [`LikelyRoot::find`] has it.
    pub fn has(&self, path: &str) -> bool {
        has_file(&self.folder, path)
    }
}

/// Whether an inferred base path is the name of the checked folder in its export: a folder above it has a home page, and
/// the targets of several links outside of the base path.
pub(super) fn is_inside_export(links: &OwnLinks, base_path: &str, tree: &Tree) -> bool {
    let prefix = base_path.trim_start_matches('/');
    let outside: Vec<&str> = links.rooted_paths("/").filter(|path| !path.starts_with(prefix)).collect();
    parents(tree.root()).any(|folder| {
        let found = outside.iter().filter(|path| has_file(&folder, path)).count();
        found >= MIN_FILES && has_page(&folder, "") && is_named(tree.root(), &folder, prefix)
    })
}

/// Whether the path from one folder to another is `path`.
fn is_named(root: &Path, above: &Path, path: &str) -> bool {
    let (Ok(root), Ok(above)) = (root.canonicalize(), above.canonicalize()) else { return false };
    root.strip_prefix(above).is_ok_and(|below| below == Path::new(path.trim_end_matches('/')))
}

/// Returns the folder of the tree, with a home page, that has most of the missing files.
fn inner_folder(missing: &[&str], tree: &Tree) -> Option<String> {
    let folders = tree.folders().filter_map(|folder| std::str::from_utf8(folder).ok());
    let nearby = folders.filter(|folder| folder.matches('/').count() < LEVELS);
    let counted = nearby.filter(|folder| tree.index_of(folder.as_bytes()).is_some());
    let counted = counted.map(|folder| {
        let found =
            missing.iter().filter(|path| find_file(format!("{folder}/{path}").as_bytes(), tree).is_some());
        (found.count(), std::cmp::Reverse(folder))
    });
    let (found, std::cmp::Reverse(folder)) = counted.max()?;
    (found >= MIN_FILES).then(|| folder.to_owned())
}

/// Whether most links that begin with `/` have a target in a folder.
fn works_in(links: &OwnLinks, base_path: &str, folder: &Path) -> bool {
    let paths: Vec<&str> = links.rooted_paths(base_path).collect();
    let found = paths.iter().filter(|path| has_file(folder, path)).count();
    paths.is_empty() || is_most(found, paths.len())
}

/// Returns the folders above a folder, the nearest first.
fn parents(root: &Path) -> impl Iterator<Item = PathBuf> {
    let parent = |folder: &PathBuf| match folder.components().next_back() {
        Some(Component::Normal(_)) => {
            folder.parent().map(|parent| if parent == Path::new("") { ".".into() } else { parent.to_owned() })
        }
        Some(Component::CurDir) => Some("..".into()),
        Some(Component::ParentDir) => Some(folder.join("..")),
        _ => None,
    };
    std::iter::successors(Some(root.to_owned()), parent).skip(1).take(LEVELS)
}

/// Whether a host would serve a file of a folder at a path.
fn has_file(folder: &Path, path: &str) -> bool {
    is_below(path) && !path.is_empty() && !path.ends_with('/') && folder.join(path).is_file()
        || has_page(folder, path)
}

/// Whether a host would serve a page of a folder at a path: by its name, as an index document, or without its `.html`.
fn has_page(folder: &Path, path: &str) -> bool {
    let bare = path.trim_end_matches('/');
    let html = if bare.ends_with(".html") { bare.to_owned() } else { format!("{bare}.html") };
    is_below(bare)
        && (folder.join(bare).join(INDEX).is_file() || !bare.is_empty() && folder.join(html).is_file())
}

/// Whether a path stays below the folder that it starts in.
fn is_below(path: &str) -> bool {
    Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    #[test]
    fn lists_the_folders_above() {
        for (root, expected) in [
            ("site/dist/en", &["site/dist", "site", "."][..]),
            ("dist", &[".", "..", "../.."]),
            (".", &["..", "../..", "../../.."]),
            ("/dist", &["/"]),
        ] {
            let expected: Vec<PathBuf> = expected.iter().map(PathBuf::from).collect();
            assert_eq!(super::parents(Path::new(root)).collect::<Vec<_>>(), expected, "{root}");
        }
    }
}
