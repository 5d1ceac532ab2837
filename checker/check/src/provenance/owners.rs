//! Whose source a file is: which page of the export it becomes, by its path.

use std::collections::HashMap;

use super::forms::{is_page_ending, page_form};
use super::listing::SourceListing;
use crate::contract::SourceSettings;
use crate::walk::{FileId, Tree};

/// Folders that generators take pages from, and that do not show in addresses.
const CONTAINERS: [&str; 18] = [
    "src", "pages", "content", "contents", "docs", "doc", "source", "app", "routes", "site", "website",
    "www", "web", "input", "posts", "_posts", "public", "static",
];

/// Folders of texts that others take in.
const PARTS: [&str; 8] =
    ["includes", "include", "partials", "snippets", "layouts", "components", "shortcodes", "templates"];

/// Names of files that stand for their folder's page, beside those of every generator.
const ROUTES: [&str; 2] = ["page", "+page"];

/// Which sources become which pages.
#[derive(Default)]
pub(super) struct Owners {
    /// For each source, the page and the folder of the site that it lies in.
    pages: Vec<Option<(FileId, String)>>,
    sources: HashMap<FileId, Vec<u32>>,
    /// For each source, whether it is a text as pages are made of.
    texts: Vec<bool>,
    /// Sources that are in the export under the same path, as what is copied is.
    copies: HashMap<FileId, Vec<u32>>,
}

impl Owners {
    /// Finds them.
    pub fn of(listing: &SourceListing, settings: &SourceSettings, tree: &Tree) -> Owners {
        let mut owners = Owners::default();
        for (source, path) in listing.paths.iter().enumerate() {
            let page = page_of(path, settings, tree);
            if let Some((page, _)) = &page {
                owners.sources.entry(*page).or_default().push(source as u32);
            }
            for below in suffixes(path) {
                if let Some(file) = tree.find(below.as_bytes()) {
                    owners.copies.entry(file).or_default().push(source as u32);
                    break;
                }
            }
            owners.pages.push(page);
            owners.texts.push(is_whole_text(path));
        }
        owners
    }

    /// The folder of the site that a source's page lies in, which its references are relative to.
    pub fn folder(&self, source: u32) -> Option<&str> {
        self.pages[source as usize].as_ref().map(|(_, folder)| folder.as_str())
    }

    /// Whether a source becomes a page, and which one is known.
    pub fn is_page(&self, source: u32) -> bool {
        self.pages[source as usize].is_some()
    }

    /// Whether a source is a text as generators make pages of, and which page is not known.
    pub fn is_loose(&self, source: u32) -> bool {
        self.texts[source as usize] && !self.is_page(source)
    }

    /// The sources that become a page.
    pub fn sources(&self, page: FileId) -> &[u32] {
        self.sources.get(&page).map_or(&[], Vec::as_slice)
    }

    /// The sources that may be in the export as they are, under this path.
    pub fn copies(&self, file: FileId) -> &[u32] {
        self.copies.get(&file).map_or(&[], Vec::as_slice)
    }
}

/// Whether a path is that of a text which is a page by itself, and not a part that others take in.
fn is_whole_text(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_part = |name: &str| name.starts_with('_') && !name.starts_with("_posts") || PARTS.contains(&name);
    is_page_ending(ending) && !ending.contains("htm") && !path.split('/').any(is_part)
}

/// The source that an address to edit a page means: its path ends with that of the source.
pub(super) fn edited(address: &str, listing: &SourceListing, settings: &SourceSettings) -> Option<u32> {
    let whole = suffixes(address).find_map(|path| listing.find(path));
    let below = |prefix: &String| listing.find(&format!("{prefix}{}", address.trim_start_matches('/')));
    whole.or_else(|| settings.prefixes().iter().find_map(below))
}

/// A path, and what is left of it without its first folders.
fn suffixes(path: &str) -> impl Iterator<Item = &str> {
    let starts = memchr::memchr_iter(b'/', path.as_bytes()).map(|at| at + 1);
    std::iter::once(0).chain(starts).map(|start| &path[start..])
}

/// The page that a source becomes by its path, and the folder of the site that it lies in: the path is the page's once the folders
/// are gone that hold pages.
fn page_of(path: &str, settings: &SourceSettings, tree: &Tree) -> Option<(FileId, String)> {
    // A template is no page, whatever its name is.
    let is_markup =
        path.rsplit_once('.').is_none_or(|(_, ending)| ending.contains("htm") || !is_page_ending(ending));
    if is_markup && path.split('/').any(|name| PARTS.contains(&name)) {
        return None;
    }
    let prefix =
        settings.prefixes().iter().filter(|prefix| path.starts_with(prefix.as_str())).map(String::len);
    let free = path[..prefix.max()?].matches('/').count();
    let unordered = without_order(path);
    [path, &unordered].into_iter().find_map(|path| page_at(path, free, tree))
}

/// The page that stands at a path, whose first folders, `free` of them and those that hold pages, may be missing.
fn page_at(path: &str, free: usize, tree: &Tree) -> Option<(FileId, String)> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    // `5.1.rst` is `5.1`, and `about.en.md` is `about`.
    let stems =
        [name.rsplit_once('.'), name.split_once('.')].map(|parts| parts.map_or(name, |(stem, _)| stem));
    stems.iter().filter(|stem| !stem.is_empty()).find_map(|stem| page_called(folder, stem, free, tree))
}

fn page_called(folder: &str, stem: &str, free: usize, tree: &Tree) -> Option<(FileId, String)> {
    let folders: Vec<&str> = folder.split('/').filter(|segment| !segment.is_empty()).collect();
    let may_miss = |count: &usize| {
        let missing = folders.iter().take(*count).skip(free);
        let languages = missing.clone().filter(|name| is_language(name)).count();
        missing.clone().all(|name| CONTAINERS.contains(name) || is_language(name)) && languages < 2
    };
    (0..=folders.len()).take_while(may_miss).find_map(|count| {
        let folder = folders[count..].join("/");
        let whole = if folder.is_empty() { stem.to_owned() } else { format!("{folder}/{stem}") };
        let form = if ROUTES.contains(&stem) { folder.as_str() } else { page_form(&whole) };
        let index = if form.is_empty() { "index.html".to_owned() } else { format!("{form}/index.html") };
        let page = [format!("{form}.html"), index].iter().find_map(|page| tree.find(page.as_bytes()))?;
        Some((page, folder))
    })
}

/// Whether a folder may be that of a language, which a site has at its top where it is the main one: `content/en/about.md` becomes `/about/`.
fn is_language(name: &str) -> bool {
    let (language, region) = name.split_once(['-', '_']).unwrap_or((name, ""));
    let is_code = |code: &str| code.bytes().all(|byte| byte.is_ascii_alphabetic());
    language.len() == 2 && is_code(language) && region.len() <= 4 && is_code(region)
}

/// A path without the numbers and dates in front of names, by which generators order pages: `02-setup.md`, `2024-05-01-news.md`.
fn without_order(path: &str) -> String {
    let plain = |segment: &str| {
        let mut rest = segment;
        loop {
            let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            match after.strip_prefix(['-', '_', '.']) {
                Some(next) if after.len() < rest.len() && !next.is_empty() && !is_page_ending(next) => {
                    rest = next
                }
                _ => return rest.to_owned(),
            }
        }
    };
    path.split('/').map(plain).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::without_order;

    #[test]
    fn numbers_and_dates_in_front_of_names_are_no_part_of_them() {
        assert_eq!(without_order("docs/01-start/02_setup.md"), "docs/start/setup.md");
        assert_eq!(without_order("blog/2024-05-01-news.md"), "blog/news.md");
        for path in ["docs/404.html", "2024/3d-models.md", "1-/2.md"] {
            assert_eq!(without_order(path), path);
        }
    }
}
