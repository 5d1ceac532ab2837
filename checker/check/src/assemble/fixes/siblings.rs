//! Finds the file that a relative reference in a source most likely means, among the files around the source. Many
//! generators only resolve such references to files that exist, and then rewrite them.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use sitegate_base::nearest::SpellingIndex;

use crate::resolve::respell::split_levels;
use sitegate_address::UrlReference;
use sitegate_address::percent::{decode, escape_path};

/// Maximum number of `../` to add or remove.
const MAX_LEVELS: usize = 2;

/// Why a file is the one that was meant.
pub(super) const REASON: &str = "no other file of the sources is as similar";

/// The file that a relative reference means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sibling {
    /// It names an existing file.
    Exists,
    /// Exactly one existing file is similar: the reference to it.
    Only(String),
    /// No file is similar, or several are.
    Unknown,
}

/// The names in folders, read once.
#[derive(Default)]
pub(super) struct Siblings {
    folders: HashMap<PathBuf, FolderNames>,
}

/// The names in a folder, so that finding one takes no longer in a large folder.
#[derive(Default)]
struct FolderNames {
    names: HashSet<String>,
    /// The names by their lower case.
    by_lower_case: HashMap<String, Vec<String>>,
    /// The stems by their extensions, after the first search for a typo.
    stems: Option<HashMap<String, Stems>>,
}

/// The names with one extension, and an index of their stems.
struct Stems {
    names: Vec<String>,
    index: SpellingIndex,
}

impl Stems {
    fn by_extension(all: &HashSet<String>) -> HashMap<String, Stems> {
        let mut by_extension: HashMap<String, Vec<String>> = HashMap::new();
        for name in all {
            by_extension.entry(stem_and_extension(name).1.to_owned()).or_default().push(name.clone());
        }
        let indexed = by_extension.into_iter().map(|(extension, names)| {
            let index = SpellingIndex::new(names.iter().map(|name| stem_and_extension(name).0.into()));
            (extension, Stems { names, index })
        });
        indexed.collect()
    }
}

impl FolderNames {
    fn read(path: &Path) -> FolderNames {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        FolderNames::with(entries.filter_map(|entry| entry.file_name().into_string().ok()))
    }

    fn with(names: impl Iterator<Item = String>) -> FolderNames {
        let mut folder = FolderNames::default();
        for name in names {
            folder.by_lower_case.entry(name.to_lowercase()).or_default().push(name.clone());
            folder.names.insert(name);
        }
        folder
    }

    /// Returns the names that differ in case.
    fn in_other_case(&self, name: &str) -> Vec<String> {
        self.by_lower_case.get(&name.to_lowercase()).cloned().unwrap_or_default()
    }

    /// Returns the names that differ by one typo in the stem.
    fn misspelled(&mut self, name: &str) -> Vec<String> {
        let stems = self.stems.get_or_insert_with(|| Stems::by_extension(&self.names));
        let (stem, extension) = stem_and_extension(name);
        let Some(Stems { names, index }) = stems.get(extension) else { return Vec::new() };
        index.find_similar(stem).into_iter().map(|at| names[at].clone()).collect()
    }
}

impl Siblings {
    /// Finds the file that a reference in `source` means, below the folder `root`.
    pub fn find(&mut self, root: &Path, source: &Path, written: &str) -> Sibling {
        let reference = UrlReference::new(written);
        let (path, end) = (reference.path(), reference.query_and_fragment());
        let is_relative = !path.starts_with(['/', '@']) && !path.contains(':');
        if is_relative && (path.contains('\\') || path.contains("//")) {
            let mut path = path.replace('\\', "/");
            while path.contains("//") {
                path = path.replace("//", "/");
            }
            let is_file = self.find(root, source, &path) == Sibling::Exists;
            return if is_file { Sibling::Only(path + end) } else { Sibling::Unknown };
        }
        let Some((levels, rest)) = split_levels(path).filter(|_| is_relative) else {
            return Sibling::Unknown;
        };
        let start = &path[..path.len() - rest.len()];
        let segments: Vec<&str> = rest.split('/').collect();
        let has_extension = segments.last().is_some_and(|name| Path::new(name).extension().is_some());
        let decoded: Option<Vec<_>> = segments.iter().map(|name| decode(name)).collect();
        let (Some(from), Some(decoded), true) = (source.parent(), decoded, has_extension) else {
            return Sibling::Unknown;
        };
        let names: Vec<&str> = decoded.iter().map(AsRef::as_ref).collect();
        let mut found = Vec::new();
        if let Some(folder) = up(root, from, levels) {
            if self.is_file(&folder, &names) {
                return Sibling::Exists;
            }
            found.extend(self.similar(&folder, &names).into_iter().map(|(at, name)| {
                let escaped = escape_path(&name);
                let mut changed = segments.clone();
                changed[at] = if segments[at].contains('%') { &escaped } else { &name };
                format!("{start}{}{end}", changed.join("/"))
            }));
        }
        let others = levels.saturating_sub(MAX_LEVELS)..=levels + MAX_LEVELS;
        for other in others.filter(|other| *other != levels) {
            if up(root, from, other).is_some_and(|folder| self.is_file(&folder, &names)) {
                found.push(format!("{}{rest}{end}", "../".repeat(other)));
            }
        }
        match <[String; 1]>::try_from(found) {
            Ok([only]) => Sibling::Only(only),
            Err(_) => Sibling::Unknown,
        }
    }

    /// Returns the other names that make the path exist, each with its index in the path: names that differ in case,
    /// or else by one typo. Only the first name that does not exist may differ.
    fn similar(&mut self, folder: &Path, names: &[&str]) -> Vec<(usize, String)> {
        let mut folder = folder.to_path_buf();
        for (at, name) in names.iter().enumerate() {
            let listed = self.listed(&folder);
            if listed.names.contains(*name) {
                folder.push(name);
                continue;
            }
            let mut others = listed.in_other_case(name);
            if others.is_empty() {
                others = listed.misspelled(name);
            }
            others.retain(|other| {
                let path: Vec<&str> =
                    [other.as_str()].into_iter().chain(names[at + 1..].iter().copied()).collect();
                self.is_file(&folder, &path)
            });
            return others.into_iter().map(|other| (at, other)).collect();
        }
        Vec::new()
    }

    /// Whether a path is that of a file, in this very case.
    fn is_file(&mut self, folder: &Path, names: &[&str]) -> bool {
        let mut path = folder.to_path_buf();
        for name in names {
            if !self.listed(&path).names.contains(*name) {
                return false;
            }
            path.push(name);
        }
        path.is_file()
    }

    fn listed(&mut self, folder: &Path) -> &mut FolderNames {
        self.folders.entry(folder.to_path_buf()).or_insert_with_key(|path| FolderNames::read(path))
    }
}

/// Returns the folder that is this many levels above another, if it is in `root`.
fn up(root: &Path, folder: &Path, levels: usize) -> Option<PathBuf> {
    let folder = folder.ancestors().nth(levels)?;
    folder.starts_with(root).then(|| folder.to_path_buf())
}

fn stem_and_extension(name: &str) -> (&str, &str) {
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).unwrap_or((name, ""))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::{FolderNames, Sibling, Siblings};

    #[test]
    fn finds_the_only_similar_file() {
        let root = tempfile::tempdir().unwrap();
        for name in [
            "guide/setup.md",
            "guide/intro.md",
            "guide/deep/a.md",
            "img/logo.png",
            "Notes.md",
            "guide/merges.md",
            "guide/merged.md",
        ] {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let mut siblings = Siblings::default();
        let source = root.path().join("guide/intro.md");
        let mut found = |written: &str| siblings.find(root.path(), &source, written);
        let only = |text: &str| Sibling::Only(text.to_owned());
        assert_eq!(found("setup.md#x"), Sibling::Exists);
        assert_eq!(found("./setpu.md#x"), only("./setup.md#x"));
        assert_eq!(found("../guied/setup.md"), only("../guide/setup.md"));
        assert_eq!(found("img/logo.png"), only("../img/logo.png"));
        assert_eq!(found("../../img/logo.png"), only("../img/logo.png"));
        assert_eq!(found("../notes.md"), only("../Notes.md"));
        assert_eq!(found("..//guide//setup.md"), only("../guide/setup.md"));
        assert_eq!(found("..\\img\\logo.png#x"), only("../img/logo.png#x"));
        for unknown in [
            "mergee.md",
            "gone.md",
            "setpu",
            "/setpu.md",
            "https://e.example/setpu.md",
            "",
            "../../../setup.md",
        ] {
            assert_eq!(found(unknown), Sibling::Unknown, "{unknown}");
        }
    }

    #[test]
    fn a_large_folder_takes_no_longer_for_each_name() {
        // Compared one by one, these would be 1.6 billion pairs.
        const NAMES: usize = 40_000;
        let letters = |number: usize| -> String {
            let digit = |power: u32| char::from(b'a' + (number / 17_usize.pow(power) % 17) as u8);
            (0..4).map(digit).collect()
        };
        let name = |number, stem: &str| format!("{stem}{}.md", letters(number));
        let mut folder = FolderNames::with((0..NAMES).map(|number| name(number, "introduction-")));
        for number in 0..NAMES {
            assert!(folder.in_other_case(&name(number, "introductoin-")).is_empty());
            let found = folder.misspelled(&name(number, "introductoin-"));
            assert_eq!(found, [name(number, "introduction-")]);
        }
        assert_eq!(folder.in_other_case(&name(7, "INTRODUCTION-")), [name(7, "introduction-")]);
    }
}
