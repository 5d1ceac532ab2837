//! Whose source a file is: which page of the export it becomes, by its path and by what its front matter says.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::forms::{is_page_ending, page_form};
use super::front_matter::StatedAddress;
use super::source_files::SourceFiles;
use crate::contract::SourceSettings;
use crate::generator::{GENERATORS, PageRoute, join_route, source_routes};
use crate::walk::{FileId, Tree};

/// Folders that generators take pages from, and that do not show in addresses.
const CONTAINERS: [&str; 18] = [
    "src", "pages", "content", "contents", "docs", "doc", "source", "app", "routes", "site", "website",
    "www", "web", "input", "posts", "_posts", "public", "static",
];

/// Folders of texts that others take in.
const PARTS: [&str; 8] =
    ["includes", "include", "partials", "snippets", "layouts", "components", "shortcodes", "templates"];

/// Which sources become which pages.
#[derive(Default)]
pub(super) struct PageSources {
    /// For each source, the page and the folder of the site that it lies in.
    pages: Vec<Option<(FileId, String)>>,
    sources: HashMap<FileId, Vec<u32>>,
    /// For each source, whether it is a text as pages are made of.
    texts: Vec<bool>,
    /// Sources that are in the export under the same path, as what is copied is.
    copies: HashMap<FileId, Vec<u32>>,
    /// Sources that are translations, by their folders.
    translations: HashSet<u32>,
    /// The folders of their languages, as [`forms`](super::forms) have them.
    pub languages: Vec<String>,
    has_versions: bool,
}

/// The pages that a source's front matter may give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StatedPages {
    pub source: u32,
    pub pages: Vec<FileId>,
}

impl PageSources {
    /// Finds them.
    pub fn of(files: &SourceFiles, settings: &SourceSettings, tree: &Tree) -> PageSources {
        let has_versions =
            files.paths.iter().any(|path| source_routes().any(|routes| (routes.is_version)(path)));
        let mut page_sources = PageSources { has_versions, ..PageSources::default() };
        let mut languages = BTreeSet::new();
        for (source, path) in files.paths.iter().enumerate() {
            let page = page_of(path, settings, tree, has_versions);
            if let Some((page, _)) = &page {
                page_sources.sources.entry(*page).or_default().push(source as u32);
                if let Some(language) = source_routes().find_map(|routes| (routes.language)(path)) {
                    page_sources.translations.insert(source as u32);
                    languages.insert(language);
                }
            }
            for below in suffixes(path) {
                if let Some(file) = tree.find(below.as_bytes()) {
                    page_sources.copies.entry(file).or_default().push(source as u32);
                    break;
                }
            }
            page_sources.pages.push(page);
            page_sources.texts.push(is_whole_text(path));
        }
        page_sources.languages = languages.into_iter().map(|language| format!("/{language}")).collect();
        page_sources
    }

    /// The pages that a source's front matter may mean, of those that are there.
    pub fn stated(&self, source: u32, path: &str, address: &StatedAddress, tree: &Tree) -> StatedPages {
        let mut pages: Vec<FileId> = match address {
            StatedAddress::Whole(path) => find_page(page_form(path), tree).into_iter().collect(),
            StatedAddress::Slug(slug) => [path, &without_order(path)]
                .into_iter()
                .flat_map(|path| pages_of_slug(path, slug, tree, self.has_versions))
                .collect(),
        };
        pages.sort_unstable();
        pages.dedup();
        StatedPages { source, pages }
    }

    /// Takes in what front matter says. Where that and the path speak of different pages that are both there, or it may mean
    /// several, the source's page is not known.
    pub fn settle(&mut self, stated: Vec<StatedPages>, tree: &Tree) {
        let speaking: HashSet<u32> = stated.iter().map(|stated| stated.source).collect();
        let by_path = self.sources.clone();
        for StatedPages { source, mut pages } in stated {
            let own = self.pages[source as usize].as_ref().map(|(page, _)| *page);
            // What a source becomes by its path, and says nothing else, is that one's.
            let is_taken = |page: &FileId| {
                let sources = by_path.get(page).map_or(&[][..], Vec::as_slice);
                sources.iter().any(|other| *other != source && !speaking.contains(other))
            };
            pages.retain(|page| own == Some(*page) || !is_taken(page));
            match (own, pages.as_slice()) {
                (_, []) => {}
                (Some(own), [only]) if own == *only => {}
                (None, [only]) => {
                    self.sources.entry(*only).or_default().push(source);
                    self.pages[source as usize] = Some((*only, folder_of(*only, tree)));
                }
                _ => {
                    let of_own = own.and_then(|own| self.sources.get_mut(&own));
                    of_own.into_iter().for_each(|sources| sources.retain(|other| *other != source));
                    self.pages[source as usize] = None;
                }
            }
        }
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
    pub fn is_unassigned(&self, source: u32) -> bool {
        self.texts[source as usize] && !self.is_page(source)
    }

    /// The sources that become a page.
    pub fn sources(&self, page: FileId) -> &[u32] {
        self.sources.get(&page).map_or(&[], Vec::as_slice)
    }

    /// The one source of a page that is a translation, which forges do not know the page by.
    pub fn translation(&self, page: FileId) -> Option<u32> {
        let mut translations = self.sources(page).iter().filter(|source| self.translations.contains(source));
        translations.next().copied().filter(|_| translations.next().is_none())
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
pub(super) fn edited(address: &str, files: &SourceFiles, settings: &SourceSettings) -> Option<u32> {
    let whole = suffixes(address).find_map(|path| files.find(path));
    let below = |prefix: &String| files.find(&format!("{prefix}{}", address.trim_start_matches('/')));
    whole.or_else(|| settings.prefixes().iter().find_map(below))
}

/// A path, and what is left of it without its first folders.
fn suffixes(path: &str) -> impl Iterator<Item = &str> {
    let starts = memchr::memchr_iter(b'/', path.as_bytes()).map(|at| at + 1);
    std::iter::once(0).chain(starts).map(|start| &path[start..])
}

/// The page that a source becomes by its path, and the folder of the site that it lies in: the path is the page's once the folders
/// are gone that hold pages.
fn page_of(
    path: &str,
    settings: &SourceSettings,
    tree: &Tree,
    has_versions: bool,
) -> Option<(FileId, String)> {
    // A template is no page, whatever its name is.
    let is_markup =
        path.rsplit_once('.').is_none_or(|(_, ending)| ending.contains("htm") || !is_page_ending(ending));
    if is_markup && path.split('/').any(|name| PARTS.contains(&name)) {
        return None;
    }
    let prefix =
        settings.prefixes().iter().filter(|prefix| path.starts_with(prefix.as_str())).map(String::len);
    let free = path[..prefix.max()?].matches('/').count();
    if let Some(PageRoute { route, rest }) = page_route(path, tree, has_versions) {
        let paths = [rest, &without_order(rest), &with_dates(rest)];
        return paths.into_iter().find_map(|rest| page_below(&route, rest, tree));
    }
    let paths = [path, &without_order(path), &with_dates(path)];
    paths.into_iter().find_map(|path| page_at(path, free, tree))
}

fn page_route<'p>(path: &'p str, tree: &Tree, has_versions: bool) -> Option<PageRoute<'p>> {
    let is_there = |folder: &str| !tree.below(folder.as_bytes()).is_empty();
    source_routes().find_map(|routes| (routes.route)(path, has_versions, &is_there))
}

/// The page that stands at a path, whose first folders, `free` of them and those that hold pages, may be missing.
fn page_at(path: &str, free: usize, tree: &Tree) -> Option<(FileId, String)> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let folders: Vec<&str> = folder.split('/').filter(|segment| !segment.is_empty()).collect();
    let may_miss = |count: &usize| {
        let missing = folders.iter().take(*count).skip(free);
        let languages = missing.clone().filter(|name| is_language(name)).count();
        missing.clone().all(|name| CONTAINERS.contains(name) || is_language(name)) && languages < 2
    };
    let left = || (0..=folders.len()).take_while(may_miss).map(|count| folders[count..].join("/"));
    stems(name).find_map(|stem| left().find_map(|folder| page_called(folder, stem, tree)))
}

/// The page of a source at a path below a route, and the folder of the site that it lies in.
fn page_below(route: &str, rest: &str, tree: &Tree) -> Option<(FileId, String)> {
    let (folder, name) = rest.rsplit_once('/').unwrap_or(("", rest));
    stems(name).find_map(|stem| page_called(join_route(&[route, folder]), stem, tree))
}

/// What a page may be called by the name of its source: `5.1.rst` is `5.1`, and `about.en.md` is `about`.
fn stems(name: &str) -> impl Iterator<Item = &str> {
    let parts = [name.rsplit_once('.'), name.split_once('.')];
    let stems = parts.into_iter().map(move |parts| parts.map_or(name, |(stem, _)| stem));
    stems.filter(|stem| !stem.is_empty())
}

fn page_called(folder: String, stem: &str, tree: &Tree) -> Option<(FileId, String)> {
    let whole = join_route(&[&folder, stem]);
    let is_index = GENERATORS.iter().any(|generator| generator.index_names.contains(&stem));
    let form = if is_index { folder.as_str() } else { page_form(&whole) };
    Some((find_page(form, tree)?, folder))
}

/// The page with a path, which is without its ending.
fn find_page(form: &str, tree: &Tree) -> Option<FileId> {
    let index = join_route(&[form, "index.html"]);
    [format!("{form}.html"), index].iter().find_map(|page| tree.find(page.as_bytes()))
}

/// The folder that a page lies in, once its own is gone.
pub(super) fn folder_of(page: FileId, tree: &Tree) -> String {
    let path = String::from_utf8_lossy(tree.path(page));
    page_form(&path).rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned())
}

/// The pages that a slug may mean: below any of the folders that the source lies in.
fn pages_of_slug(path: &str, slug: &str, tree: &Tree, has_versions: bool) -> Vec<FileId> {
    let find = |route: &str| find_page(page_form(&join_route(&[route, slug.trim_matches('/')])), tree);
    if let Some(PageRoute { route, rest }) = page_route(path, tree, has_versions) {
        let folder = rest.rsplit_once('/').map_or("", |(folder, _)| folder);
        let in_folder = || find(&join_route(&[&route, folder]));
        let page = if slug.starts_with('/') { None } else { in_folder() };
        return page.or_else(|| find(&route)).into_iter().collect();
    }
    let folders: Vec<&str> =
        path.rsplit_once('/').map_or(Vec::new(), |(folder, _)| folder.split('/').collect());
    let count = folders.len();
    let ranges = (0..=count).flat_map(|start| (start..=count).map(move |end| start..end));
    ranges.filter_map(|range| find(&folders[range].join("/"))).collect()
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
                    rest = next;
                }
                _ => return rest.to_owned(),
            }
        }
    };
    path.split('/').map(plain).collect::<Vec<_>>().join("/")
}

/// A path in which dates in front of names are folders, as blogs have them: `2024-05-01-news.md` is at `2024/05/01/news`.
fn with_dates(path: &str) -> String {
    let dated = |name: &str| -> String {
        let digits = |range: std::ops::Range<usize>| {
            name.get(range).is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let is_dated = digits(0..4) && digits(5..7) && digits(8..10) && name.len() > 11;
        if is_dated && [4, 7, 10].iter().all(|at| name.as_bytes()[*at] == b'-') {
            format!("{}/{}/{}/{}", &name[..4], &name[5..7], &name[8..10], &name[11..])
        } else {
            name.to_owned()
        }
    };
    path.split('/').map(dated).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::{with_dates, without_order};

    #[test]
    fn dates_in_front_of_names_are_folders_of_blogs() {
        assert_eq!(with_dates("blog/2024-05-01-news.md"), "blog/2024/05/01/news.md");
        for path in ["blog/2024-05-news.md", "blog/2024-05-01-", "é024-05-01-x", "a"] {
            assert_eq!(with_dates(path), path);
        }
    }

    #[test]
    fn numbers_and_dates_in_front_of_names_are_no_part_of_them() {
        assert_eq!(without_order("docs/01-start/02_setup.md"), "docs/start/setup.md");
        assert_eq!(without_order("blog/2024-05-01-news.md"), "blog/news.md");
        for path in ["docs/404.html", "2024/3d-models.md", "1-/2.md"] {
            assert_eq!(without_order(path), path);
        }
    }
}
