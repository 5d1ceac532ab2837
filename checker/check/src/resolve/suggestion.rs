//! Suggests a file for a broken reference: "did you mean".
//!
//! A wrong suggestion is worse than none, so a suggestion must be the only candidate of its kind, and a file. The
//! names of the export are indexed once, when the first path is missing, and those of a folder when the first path is
//! missing in it. So the time for a suggestion does not grow with the site.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex};

use foldhash::fast::FixedState;
use unicode_normalization::UnicodeNormalization;

use crate::walk::{FileId, Tree};
use sitegate_address::extension::{is_document_extension, is_one_of, is_page_extension};
use sitegate_address::hashed_name::{is_hashed, without_hash};
use sitegate_address::percent::{decode, decode_lossy};
use sitegate_address::variants::language_and_version_folders;
use sitegate_address::{SitePath, UrlReference};
use sitegate_base::lock::lock;
use sitegate_base::nearest::{SpellingIndex, folded};

/// The path of a file that a missing path most likely means, by kind of difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// Only upper and lower case differ.
    Case(String),
    /// The same characters in another composition (Unicode NFC and NFD).
    Composition(String),
    /// Only `.html` at the end differs.
    Html(String),
    /// The same name in another folder, and only there.
    Moved(String),
    /// Only repeated slashes differ, which some hosts merge.
    Slashes(String),
    /// A similar name: another extension, `-` for `_`, an extra slash or `index.html`, a hash of the content.
    Similar(String),
    /// A name that differs by one typo, and no other name does.
    Misspelled(String),
}

impl Suggestion {
    /// Returns the path of the file.
    pub fn path(&self) -> &str {
        match self {
            Suggestion::Case(path)
            | Suggestion::Composition(path)
            | Suggestion::Html(path)
            | Suggestion::Moved(path)
            | Suggestion::Slashes(path)
            | Suggestion::Similar(path)
            | Suggestion::Misspelled(path) => path,
        }
    }
}

/// Maximum number of names in a folder to compare.
const MAX_NAMES: usize = 2_000;

/// Maximum number of similar files; with more, none is suggested.
const MAX_SIMILAR: usize = 100;

/// Maximum number of names in the folder cache; when it is full, it is cleared.
const MAX_CACHED: usize = 200_000;

/// An index of the paths of an export, for suggestions.
pub struct SuggestionIndex {
    /// By the hash of a path's [`key`].
    by_path: Vec<(u64, FileId)>,
    /// By the hash of the last name of the key.
    by_name: Vec<(u64, FileId)>,
    folders: Mutex<FolderCache>,
}

/// The folders whose names are indexed.
#[derive(Default)]
struct FolderCache {
    names: usize,
    by_path: HashMap<String, Arc<Folder>>,
}

/// The names in a folder.
struct Folder {
    names: Vec<String>,
    spellings: SpellingIndex,
    /// The names with a hash of the content, by the name without it; `None` if several have this one.
    by_bare_name: HashMap<String, Option<String>>,
}

impl SuggestionIndex {
    /// Indexes the paths of an export.
    pub fn new(tree: &Tree) -> Self {
        let (mut by_path, mut by_name) = (Vec::with_capacity(tree.len()), Vec::with_capacity(tree.len()));
        for file in tree.ids() {
            let Ok(path) = std::str::from_utf8(tree.path(file)) else { continue };
            let key = key(path, is_page);
            by_name.push((hash(SitePath::new(key.as_str()).name()), file));
            by_path.push((hash(&key), file));
        }
        by_path.sort_unstable();
        by_name.sort_unstable();
        SuggestionIndex { by_path, by_name, folders: Mutex::default() }
    }

    /// Returns a suggestion for a path that does not exist (decoded, no leading `/`).
    pub fn suggest(&self, tree: &Tree, missing: &[u8]) -> Option<Suggestion> {
        let written = std::str::from_utf8(missing).ok()?;
        if let Some(file) = file_with_merged_slashes(tree, written) {
            return Some(Suggestion::Slashes(tree.display(file).into_owned()));
        }
        let with_html = format!("{written}.html");
        if !written.ends_with('/') && tree.find(with_html.as_bytes()).is_some() {
            return Some(Suggestion::Html(with_html));
        }
        let decoded: Cow<'_, str> =
            if written.contains('%') { decode(written)? } else { Cow::Borrowed(written) };
        let key = key(&decoded, means_page);
        self.same_key(tree, written, &key)
            .or_else(|| self.misspelled(tree, &decoded))
            .or_else(|| self.moved(tree, &decoded, &key))
            .or_else(|| self.hashed(tree, &decoded))
    }

    /// Whether a file may have the last name of a reference.
    pub fn has_name(&self, reference: &str) -> bool {
        let path = UrlReference::new(reference).path();
        // The last name, or the one before an index document.
        let start = path.rmatch_indices('/').filter(|(at, _)| at + 1 < path.len()).nth(1);
        let path = start.map_or(path, |(at, _)| &path[at + 1..]);
        let decoded = decode_lossy(path);
        !entries_with(&self.by_name, hash(SitePath::new(key(&decoded, means_page).as_str()).name()))
            .is_empty()
    }

    /// Returns the files with this name, in any folder. The name is no page's.
    pub fn files_named(&self, tree: &Tree, name: &str) -> Vec<FileId> {
        let files = entries_with(&self.by_name, hash(&key(name, is_page))).iter().map(|(_, file)| *file);
        files.filter(|file| SitePath::new(tree.path(*file)).name() == name.as_bytes()).collect()
    }

    /// Returns the only file with the same key.
    fn same_key(&self, tree: &Tree, written: &str, key: &str) -> Option<Suggestion> {
        let files = entries_with(&self.by_path, hash(key));
        if files.len() > MAX_SIMILAR {
            return None;
        }
        let files = files.iter().map(|(_, file)| tree.display(*file));
        let files: Vec<_> = files.filter(|path| self::key(path, is_page) == key).collect();
        let bare = page_path(written);
        let is_same = |path: &str| page_path(path).nfc().eq(bare.nfc());
        let is_case = |path: &str| page_path(path).to_lowercase() == bare.to_lowercase();
        let only = |matches: &dyn Fn(&str) -> bool| only(files.iter().filter(|path| matches(path)));
        // If a page and an image have the same name, prefer the one that only differs in composition or case.
        let found = only(&is_same).map(|path| {
            let differs_by_slashes = page_path(path) == bare;
            let kind = if differs_by_slashes { Suggestion::Similar } else { Suggestion::Composition };
            kind(path.to_string())
        });
        let found = found.or_else(|| only(&is_case).map(|path| Suggestion::Case(path.to_string())));
        found.or_else(|| only(&|_| true).map(|path| Suggestion::Similar(path.to_string())))
    }

    /// Returns the only file whose path differs by one typo, in the first name that does not exist.
    fn misspelled(&self, tree: &Tree, missing: &str) -> Option<Suggestion> {
        let mut folder = String::new();
        let mut segments = missing.split('/').filter(|segment| !segment.is_empty()).peekable();
        while let Some(segment) = segments.next() {
            let path = if folder.is_empty() { segment.to_owned() } else { format!("{folder}/{segment}") };
            let is_last = segments.peek().is_none();
            if !is_last && tree.is_folder(path.as_bytes()) {
                folder = path;
                continue;
            }
            let rest: String = segments.flat_map(|name| ["/", name]).collect();
            let names = self.folder(tree, &folder);
            let segment = if is_last { stem(segment, is_page) } else { segment };
            let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
            let found = names.spellings.find_similar(segment).into_iter();
            let file = only(
                found.filter_map(|at| page_or_file(tree, &format!("{prefix}{}{rest}", names.names[at]))),
            )?;
            return Some(Suggestion::Misspelled(tree.display(file).into_owned()));
        }
        None
    }

    /// Returns the only file of the same name, if it is in another folder of the same language and version, and its
    /// path is plausible.
    /// It is if one path ends in the other, or if the new path is deeper. It also is if the name of a page has several
    /// words and the folder of the missing path is gone.
    fn moved(&self, tree: &Tree, missing: &str, key: &str) -> Option<Suggestion> {
        let [(_, file)] = entries_with(&self.by_name, hash(SitePath::new(key).name())) else { return None };
        let path = tree.display(*file);
        let found = self::key(&path, is_page);
        let is_page = !SitePath::new(key).name().contains('.');
        let has_words = word_count(missing) > 1;
        let (shorter, longer) = if found.len() < key.len() { (&*found, key) } else { (key, &*found) };
        let is_suffix =
            longer.ends_with(&format!("/{shorter}")) && (!is_page || has_words || shorter.contains('/'));
        let is_deeper = || is_page && (has_words || key.contains('/')) && is_part_of(key, &found);
        let is_folder_gone =
            || is_page && has_words && !tree.is_folder(SitePath::new(missing).page().folder().as_bytes());
        let is_plausible = last_name(&path) == last_name(missing)
            && language_and_version_folders(&path).eq(language_and_version_folders(missing))
            && !found.split('/').any(|name| SOURCE_FOLDERS.contains(&name))
            && (is_suffix || is_deeper() || is_folder_gone());
        is_plausible.then(|| Suggestion::Moved(path.into_owned()))
    }

    /// Returns the only file in the folder that has the same name with a hash of its content: `app.3f2a1b9c.js` for `app.js`.
    fn hashed(&self, tree: &Tree, missing: &str) -> Option<Suggestion> {
        let (folder, name) = SitePath::new(missing).split();
        let folder = folder.trim_end_matches('/');
        let is_in_folder = folder.is_empty() || tree.is_folder(folder.as_bytes());
        if !is_in_folder || !name.contains('.') || is_hashed(name) {
            return None;
        }
        let twin = self.folder(tree, folder).by_bare_name.get(name).cloned()??;
        let path = if folder.is_empty() { twin } else { format!("{folder}/{twin}") };
        Some(Suggestion::Similar(path))
    }

    /// Returns the indexed names of a folder.
    fn folder(&self, tree: &Tree, folder: &str) -> Arc<Folder> {
        let cache = || lock(&self.folders);
        if let Some(indexed) = cache().by_path.get(folder) {
            return Arc::clone(indexed);
        }
        let names = children(tree, folder);
        let spellings = SpellingIndex::new(names.iter().map(|name| stem(name, is_page).into()));
        let mut by_bare_name = HashMap::new();
        for (bare, name) in names.iter().filter_map(|name| Some((without_hash(name)?, name))) {
            by_bare_name.entry(bare).and_modify(|twin| *twin = None).or_insert_with(|| Some(name.clone()));
        }
        let indexed = Arc::new(Folder { names, spellings, by_bare_name });
        let mut folders = cache();
        if folders.names > MAX_CACHED {
            *folders = FolderCache::default();
        }
        folders.names += indexed.spellings.count();
        folders.by_path.insert(folder.to_owned(), Arc::clone(&indexed));
        indexed
    }
}

/// Folders of source listings, which are named like the files that they list.
const SOURCE_FOLDERS: [&str; 5] = ["src", "source", "sources", "modules", "rawmodules"];

/// Extensions of pages that programs make, which links still have after a migration.
const PROGRAMS: [&str; 5] = ["shtml", "php", "asp", "aspx", "jsp"];

/// Whether a file of the export with this extension is a page.
fn is_page(extension: &str) -> bool {
    is_page_extension(extension)
}

/// Whether a link with this extension means a page: by its own extension, or by that of its source or its program.
fn means_page(extension: &str) -> bool {
    // `acme.org` is rather a host without its scheme than a text of Org.
    let is_host = extension.eq_ignore_ascii_case("org");
    !is_host && is_document_extension(extension) || is_one_of(extension.as_bytes(), &PROGRAMS)
}

fn is_image(extension: &str) -> bool {
    is_one_of(extension.as_bytes(), &IMAGES)
}

/// Extensions of images, which are often converted.
const IMAGES: [&str; 7] = ["avif", "gif", "jpeg", "jpg", "png", "svg", "webp"];

/// Returns the file that hosts which merge repeated slashes answer a path with.
fn file_with_merged_slashes(tree: &Tree, written: &str) -> Option<FileId> {
    if !written.starts_with('/') && !written.contains("//") {
        return None;
    }
    let names: Vec<&str> = written.split('/').filter(|name| !name.is_empty()).collect();
    let merged = names.join("/");
    let file = if written.ends_with('/') { None } else { tree.find(merged.as_bytes()) };
    file.or_else(|| tree.index_of(merged.as_bytes()))
}

/// Normalizes a path, so that variants of it have the same key: folds names, merges slashes, and removes the extension
/// of pages and the name of index documents. All images have the same extension.
fn key(path: &str, is_page_name: fn(&str) -> bool) -> String {
    let mut names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
    let mut image = "";
    while let Some(last) = names.last_mut() {
        let bare = stem(last, is_page_name);
        let is_exported = SitePath::new(*last).is_page();
        let is_index =
            matches!(bare, "index" | "_index") || (!is_exported && matches!(bare, "README" | "readme"));
        let is_index = is_index && bare.len() < last.len();
        if is_index {
            names.pop();
            continue;
        }
        *last = bare;
        if SitePath::new(bare).extension().is_some_and(is_image) {
            *last = stem(bare, is_image);
            image = ".image";
        }
        break;
    }
    let folded: Vec<String> = names.into_iter().map(folded).collect();
    folded.join("/") + image
}

/// Removes the extension of a name, if it is of this kind.
fn stem(name: &str, is_kind: fn(&str) -> bool) -> &str {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && is_kind(extension) => stem,
        _ => name,
    }
}

/// Whether all names of one path are in another, in the same order.
fn is_part_of(short: &str, long: &str) -> bool {
    let mut names = long.split('/');
    short.split('/').all(|name| names.any(|other| other == name))
}

/// Returns the path of a page without the name of an index document.
fn page_path(path: &str) -> &str {
    SitePath::new(path).page().as_text()
}

/// Returns the last name of a path, without the extension of a page; for an index document, the name of its folder.
fn last_name(path: &str) -> &str {
    let name = SitePath::new(path).page().name();
    stem(name, means_page)
}

/// Counts the words in the last name of a path.
fn word_count(path: &str) -> usize {
    let name = last_name(path).split('.').next().unwrap_or_default();
    let words = name.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.chars().any(char::is_alphabetic)).count()
}

/// Returns the only distinct item.
fn only<T: PartialEq>(mut found: impl Iterator<Item = T>) -> Option<T> {
    let first = found.next()?;
    found.all(|other| other == first).then_some(first)
}

fn hash(text: &str) -> u64 {
    FixedState::default().hash_one(text)
}

/// Returns the entries of a sorted list with this hash.
fn entries_with(sorted: &[(u64, FileId)], hash: u64) -> &[(u64, FileId)] {
    let start = sorted.partition_point(|(other, _)| *other < hash);
    let length = sorted[start..].partition_point(|(other, _)| *other == hash);
    &sorted[start..start + length]
}

/// Returns the file with this path, or the page that some hosts serve for it.
fn page_or_file(tree: &Tree, path: &str) -> Option<FileId> {
    let find = |candidate: &str| tree.find(candidate.as_bytes());
    find(path).or_else(|| tree.index_of(path.as_bytes())).or_else(|| find(&format!("{path}.html")))
}

/// Returns the names directly in a folder, skipping over deeper paths.
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
    use std::time::{Duration, Instant};

    use super::{Suggestion, SuggestionIndex};
    use crate::walk::Tree;

    #[test]
    fn links_still_have_the_extensions_of_sources_and_programs() {
        let tree = Tree::of_paths(["setup.html", "intro/index.html"].map(str::to_owned));
        let suggestions = SuggestionIndex::new(&tree);
        for (missing, expected) in [
            ("setup.md", Some("setup.html")),
            ("setup.mdoc", Some("setup.html")),
            ("setup.PHP", Some("setup.html")),
            ("intro.jsp", Some("intro/index.html")),
            ("intro.org", None),
            ("intro/README.md", Some("intro/index.html")),
            ("setup.zip", None),
        ] {
            let expected = expected.map(|path| Suggestion::Similar(path.to_owned()));
            assert_eq!(suggestions.suggest(&tree, missing.as_bytes()), expected, "{missing}");
        }
    }

    #[test]
    fn the_only_file_with_a_hash_may_be_meant() {
        let files = [
            "fonts/Brown-Regular.099e55b2.woff2",
            "fonts/Brown-Bold.woff2",
            "_astro/logo.Cw3Dk2Zx_1hYq2b.webp",
            "app-B3x_9kQz.js",
            "two.3f2a1b9c.js",
            "two.4c1b0a9d.js",
            "main.vendor.3f2a1b9c.js",
            "photo-20240911.jpg",
        ];
        let tree = Tree::of_paths(files.map(str::to_owned));
        let suggestions = SuggestionIndex::new(&tree);
        for (missing, expected) in [
            ("fonts/Brown-Regular.woff2", Some(files[0])),
            ("_astro/logo.webp", Some(files[2])),
            ("app.js", Some(files[3])),
            ("fonts/Brown-Regular.woff", None),
            ("two.js", None),
            ("main.js", None),
            ("photo.jpg", None),
            ("fonts/Brown-Regular.5c1b0a9d.woff2", None),
            ("other/app.js", None),
        ] {
            let expected = expected.map(|path| Suggestion::Similar(path.to_owned()));
            assert_eq!(suggestions.suggest(&tree, missing.as_bytes()), expected, "{missing}");
        }
    }

    #[test]
    fn many_broken_links_into_one_folder_are_fast() {
        let words = [
            "alpha", "beta", "gamma", "delta", "omega", "sigma", "theta", "kappa", "lambda", "zeta", "iota",
            "rho", "tau",
        ];
        let name = |at: usize| format!("{}-{}-{}", words[at % 13], words[at / 13 % 13], words[at / 169 % 13]);
        let tree = Tree::of_paths((0..2_000).map(|at| name(at) + ".html"));
        let start = Instant::now();
        let suggestions = SuggestionIndex::new(&tree);
        for at in 0..2_000 {
            for word in ["old", "former", "removed", "renamed", "archived"] {
                assert_eq!(suggestions.suggest(&tree, format!("{}-{word}.html", name(at)).as_bytes()), None);
            }
        }
        // Comparing each with every name took minutes.
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        let misspelled = name(7).replace("kappa", "kapa") + ".html";
        assert_eq!(
            suggestions.suggest(&tree, misspelled.as_bytes()),
            Some(Suggestion::Misspelled(name(7) + ".html"))
        );
    }
}
