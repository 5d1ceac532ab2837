//! Finds what a reference that leads nowhere most likely means: "did you mean".
//!
//! A wrong suggestion costs more than none, so each is the only one of its kind, and is a file. The names of the export
//! are made ready once, when the first path is missing, and those of a directory when the first path is missing there: a
//! suggestion takes a time that does not grow with the site.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::FixedState;
use percent_encoding::percent_decode_str;
use unicode_normalization::UnicodeNormalization;

use super::answer::INDEX;
use crate::walk::{FileId, Tree};
use sitegate_base::nearest::{SpellingIndex, folded};
use sitegate_base::path_variants::{language_and_version_folders, without_index};

/// A file of the export that a path which is not there most likely means, by its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Near {
    /// The same but for upper and lower case.
    Case(String),
    /// The same characters, composed otherwise (Unicode NFC and NFD).
    Composition(String),
    /// The same but for `.html` at the end.
    Html(String),
    /// The same name in another directory, and only there.
    Moved(String),
    /// Written a little differently: another ending, `-` for `_`, a slash or an `index.html` too many, a misspelling.
    Similar(String),
}

impl Near {
    /// The file's path.
    pub fn path(&self) -> &str {
        match self {
            Near::Case(path)
            | Near::Composition(path)
            | Near::Html(path)
            | Near::Moved(path)
            | Near::Similar(path) => path,
        }
    }
}

/// Names of a directory that are compared at the most.
const MAX_NAMES: usize = 2_000;

/// Files that are written alike beyond this many: one of them is not suggested for another.
const MAX_ALIKE: usize = 100;

/// Names of directories that are kept ready at the most; beyond, they are made anew where they are needed again.
const MAX_READY: usize = 200_000;

/// The paths of an export, made ready to be found by what is written in their place.
pub struct NearPaths {
    /// By the hash of a path's [`key`].
    by_path: Vec<(u64, FileId)>,
    /// By the hash of the last name in it.
    by_name: Vec<(u64, FileId)>,
    folders: Mutex<Folders>,
}

/// The directories whose names are ready.
#[derive(Default)]
struct Folders {
    names: usize,
    by_path: HashMap<String, Arc<Folder>>,
}

/// The names in a directory.
struct Folder {
    names: Vec<String>,
    spellings: SpellingIndex,
}

impl NearPaths {
    /// Makes the paths of an export ready.
    pub fn new(tree: &Tree) -> Self {
        let (mut by_path, mut by_name) = (Vec::with_capacity(tree.len()), Vec::with_capacity(tree.len()));
        for file in tree.ids() {
            let Ok(path) = std::str::from_utf8(tree.path(file)) else { continue };
            let key = key(path, &PAGES);
            by_name.push((hash(name_in(&key)), file));
            by_path.push((hash(&key), file));
        }
        by_path.sort_unstable();
        by_name.sort_unstable();
        NearPaths { by_path, by_name, folders: Mutex::default() }
    }

    /// What a path that is not there (decoded, no leading `/`) most likely means.
    pub fn to(&self, tree: &Tree, wanted: &[u8]) -> Option<Near> {
        let written = std::str::from_utf8(wanted).ok()?;
        let with_html = format!("{written}.html");
        if !written.ends_with('/') && tree.find(with_html.as_bytes()).is_some() {
            return Some(Near::Html(with_html));
        }
        let wanted: Cow<'_, str> = if written.contains('%') {
            percent_decode_str(written).decode_utf8().ok()?
        } else {
            Cow::Borrowed(written)
        };
        let key = key(&wanted, &SOURCES);
        self.written_alike(tree, written, &key)
            .or_else(|| self.misspelt(tree, &wanted))
            .or_else(|| self.moved(tree, &wanted, &key))
    }

    /// The one file whose path is the same but for how it is written.
    fn written_alike(&self, tree: &Tree, written: &str, key: &str) -> Option<Near> {
        let files = files_of(&self.by_path, hash(key));
        if files.len() > MAX_ALIKE {
            return None;
        }
        let files = files.iter().map(|(_, file)| tree.display(*file));
        let files: Vec<_> = files.filter(|path| self::key(path, &PAGES) == key).collect();
        let asked = without_index(written);
        let is_same = |path: &str| without_index(path).nfc().eq(asked.nfc());
        let is_case = |path: &str| without_index(path).to_lowercase() == asked.to_lowercase();
        let only = |wanted: &dyn Fn(&str) -> bool| only(files.iter().filter(|path| wanted(path)));
        // Of a page and a picture with one name the one that only composition or case tell apart.
        let found = only(&is_same).map(|path| Near::Composition(path.to_string()));
        let found = found.or_else(|| only(&is_case).map(|path| Near::Case(path.to_string())));
        found.or_else(|| only(&|_| true).map(|path| Near::Similar(path.to_string())))
    }

    /// The one file whose path has one slip less, in the first name that is not there.
    fn misspelt(&self, tree: &Tree, wanted: &str) -> Option<Near> {
        let mut folder = String::new();
        let mut segments = wanted.split('/').filter(|segment| !segment.is_empty()).peekable();
        while let Some(segment) = segments.next() {
            let path = if folder.is_empty() { segment.to_owned() } else { format!("{folder}/{segment}") };
            let is_last = segments.peek().is_none();
            if !is_last && tree.is_folder(path.as_bytes()) {
                folder = path;
                continue;
            }
            let rest: String = segments.map(|segment| format!("/{segment}")).collect();
            let names = self.folder(tree, &folder);
            let segment = if is_last { stem(segment, &PAGES) } else { segment };
            let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
            let found = names.spellings.find_similar(segment).into_iter();
            let file = only(
                found.filter_map(|at| page_or_file(tree, &format!("{prefix}{}{rest}", names.names[at]))),
            )?;
            return Some(Near::Similar(tree.display(file).into_owned()));
        }
        None
    }

    /// The one file of the same name, where it is in another directory of the same language and version, and its path
    /// says that it is meant: it goes on as the other does, or leads deeper; or a page's name has several words, and
    /// the directory is gone that it was looked for in.
    fn moved(&self, tree: &Tree, wanted: &str, key: &str) -> Option<Near> {
        let [(_, file)] = files_of(&self.by_name, hash(name_in(key))) else { return None };
        let path = tree.display(*file);
        let found = self::key(&path, &PAGES);
        let is_page = !name_in(key).contains('.');
        let has_words = words(wanted) > 1;
        let (shorter, longer) = if found.len() < key.len() { (&*found, key) } else { (key, &*found) };
        let goes_on =
            longer.ends_with(&format!("/{shorter}")) && (!is_page || has_words || shorter.contains('/'));
        let is_deeper = || is_page && (has_words || key.contains('/')) && is_part_of(key, &found);
        let lost_folder = || is_page && has_words && !tree.is_folder(parent(wanted).as_bytes());
        let is_it = last_name(&path) == last_name(wanted)
            && language_and_version_folders(&path).eq(language_and_version_folders(wanted))
            && !found.split('/').any(|name| SOURCE_FOLDERS.contains(&name))
            && (goes_on || is_deeper() || lost_folder());
        is_it.then(|| Near::Moved(path.into_owned()))
    }

    /// The names in a directory, ready.
    fn folder(&self, tree: &Tree, folder: &str) -> Arc<Folder> {
        let known = || self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = known().by_path.get(folder) {
            return Arc::clone(ready);
        }
        let names = children(tree, folder);
        let spellings = SpellingIndex::new(names.iter().map(|name| stem(name, &PAGES).into()));
        let ready = Arc::new(Folder { names, spellings });
        let mut folders = known();
        if folders.names > MAX_READY {
            *folders = Folders::default();
        }
        folders.names += ready.spellings.count();
        folders.by_path.insert(folder.to_owned(), Arc::clone(&ready));
        ready
    }
}

/// Directories of listings, which have the names of what they list.
const SOURCE_FOLDERS: [&str; 5] = ["src", "source", "sources", "modules", "rawmodules"];

/// The endings of pages.
const PAGES: [&str; 3] = ["html", "htm", "xhtml"];

/// The endings of what pages are made of, or were, where a link has one of them still.
const SOURCES: [&str; 15] = [
    "md", "mdx", "markdown", "rst", "ipynb", "adoc", "asciidoc", "html", "htm", "xhtml", "shtml", "php",
    "asp", "aspx", "jsp",
];

/// The endings of pictures, which are often converted.
const PICTURES: [&str; 7] = ["avif", "gif", "jpeg", "jpg", "png", "svg", "webp"];

/// What is the same for all ways to write one path: names folded, no slash too many, without the ending of a page and
/// without the name of an index document, with one ending for all pictures.
fn key(path: &str, pages: &[&str]) -> String {
    let mut names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
    let mut picture = "";
    while let Some(last) = names.last_mut() {
        let bare = stem(last, pages);
        let is_page = ending(last).is_some_and(|ending| is_one_of(ending, &PAGES));
        let is_index =
            matches!(bare, "index" | "_index") || (!is_page && matches!(bare, "README" | "readme"));
        let is_index = is_index && bare.len() < last.len();
        if is_index {
            names.pop();
            continue;
        }
        *last = bare;
        if ending(bare).is_some_and(|ending| is_one_of(ending, &PICTURES)) {
            *last = stem(bare, &PICTURES);
            picture = ".picture";
        }
        break;
    }
    let folded: Vec<String> = names.into_iter().map(folded).collect();
    folded.join("/") + picture
}

/// Names without their ending, where it is one of these.
fn stem<'n>(name: &'n str, endings: &[&str]) -> &'n str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && is_one_of(ending, endings) => stem,
        _ => name,
    }
}

fn ending(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(_, ending)| ending)
}

fn is_one_of(ending: &str, endings: &[&str]) -> bool {
    endings.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// The last name of a [`key`].
fn name_in(key: &str) -> &str {
    key.rsplit('/').next().unwrap_or(key)
}

/// Whether the names of one path are all in another, in their order.
fn is_part_of(short: &str, long: &str) -> bool {
    let mut names = long.split('/');
    short.split('/').all(|name| names.any(|other| other == name))
}

/// The last name of a path, without the ending of a page, and of its directory where it is an index document.
fn last_name(path: &str) -> &str {
    let name = without_index(path).rsplit('/').next().unwrap_or(path);
    stem(name, &SOURCES)
}

/// The directory that a path lies in.
fn parent(path: &str) -> &str {
    without_index(path).rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// How many words the last name of a path has.
fn words(path: &str) -> usize {
    let name = last_name(path).split('.').next().unwrap_or_default();
    let words = name.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.chars().any(char::is_alphabetic)).count()
}

/// The only one there is.
fn only<T: PartialEq>(mut found: impl Iterator<Item = T>) -> Option<T> {
    let first = found.next()?;
    found.all(|other| other == first).then_some(first)
}

fn hash(text: &str) -> u64 {
    FixedState::default().hash_one(text)
}

/// The entries of a sorted list with this hash.
fn files_of(sorted: &[(u64, FileId)], hash: u64) -> &[(u64, FileId)] {
    let start = sorted.partition_point(|(other, _)| *other < hash);
    let length = sorted[start..].partition_point(|(other, _)| *other == hash);
    &sorted[start..start + length]
}

/// The file with this path, or the page that some hosts give for it.
fn page_or_file(tree: &Tree, path: &str) -> Option<FileId> {
    let find = |path: &str| tree.find(path.as_bytes());
    find(path).or_else(|| find(&format!("{path}/{INDEX}"))).or_else(|| find(&format!("{path}.html")))
}

/// The names directly in a directory, found by jumping over what lies deeper.
fn children(tree: &Tree, folder: &str) -> Vec<String> {
    let range = tree.below(folder.as_bytes());
    let skip = if folder.is_empty() { 0 } else { folder.len() + 1 };
    let mut names = Vec::new();
    let mut at = range.start;
    while at < range.end && names.len() < MAX_NAMES {
        let path = tree.path(at);
        let rest = &path[skip..];
        match memchr::memchr(b'/', rest) {
            None => {
                names.push(String::from_utf8_lossy(rest).into_owned());
                at += 1;
            }
            Some(length) => {
                names.push(String::from_utf8_lossy(&rest[..length]).into_owned());
                at = tree.below(&path[..skip + length]).end.max(at + 1);
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::time::{Duration, Instant};

    use super::{Near, NearPaths};
    use crate::walk::Tree;

    #[test]
    fn many_dead_links_into_one_directory_take_no_time() {
        let folder = tempfile::tempdir().unwrap();
        let words = [
            "alpha", "beta", "gamma", "delta", "omega", "sigma", "theta", "kappa", "lambda", "zeta", "iota",
            "rho", "tau",
        ];
        let name = |at: usize| format!("{}-{}-{}", words[at % 13], words[at / 13 % 13], words[at / 169 % 13]);
        for at in 0..2_000 {
            fs::write(folder.path().join(name(at) + ".html"), "").unwrap();
        }
        let tree = Tree::walk(folder.path()).unwrap();
        let start = Instant::now();
        let near = NearPaths::new(&tree);
        for at in 0..2_000 {
            for word in ["old", "former", "removed", "renamed", "archived"] {
                assert_eq!(near.to(&tree, format!("{}-{word}.html", name(at)).as_bytes()), None);
            }
        }
        // Compared one by one with every name, they took minutes.
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        let misspelt = name(7).replace("kappa", "kapa") + ".html";
        assert_eq!(near.to(&tree, misspelt.as_bytes()), Some(Near::Similar(name(7) + ".html")));
    }
}
