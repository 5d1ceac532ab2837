//! Maps sources to the pages that they become, by their paths and their front matter, and renames of sources to the pages
//! that have moved with them.

use std::collections::{BTreeSet, HashMap, HashSet};

use sitegate_address::extension::{is_document_extension, is_source_extension};
use sitegate_address::relative::join_segments;
use sitegate_address::variants::is_language;
use sitegate_address::{INDEX, SitePath};

use super::front_matter::{StatedAddress, stated_address};
use super::needles::page_form;
use super::source_files::SourceFiles;
use crate::contract::SourceSettings;
use crate::generator::{GENERATORS, PageRoute, source_routes};
use crate::walk::{FileId, Tree};

/// Folders of pages that are not part of URLs.
const CONTAINERS: [&str; 18] = [
    "src", "pages", "content", "contents", "docs", "doc", "source", "app", "routes", "site", "website",
    "www", "web", "input", "posts", "_posts", "public", "static",
];

/// Folders of text fragments that pages include.
const PARTS: [&str; 8] =
    ["includes", "include", "partials", "snippets", "layouts", "components", "shortcodes", "templates"];

/// The mapping of sources to pages.
#[derive(Default)]
pub(crate) struct PageSources {
    /// For each source: its page, and the folder of the page.
    pages: Vec<Option<(FileId, String)>>,
    sources: HashMap<FileId, Vec<u32>>,
    /// For each source: whether it is a text that could be a page.
    texts: Vec<bool>,
    /// Sources that are translations, by their folders.
    translations: HashSet<u32>,
    /// Their language folders, as needles compare them.
    pub languages: Vec<String>,
    has_versions: bool,
}

/// The pages that the front matter of a source may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedPages {
    pub source: u32,
    pub pages: Vec<FileId>,
}

impl PageSources {
    /// Maps sources by their paths.
    pub fn new(files: &SourceFiles, settings: &SourceSettings, tree: &Tree) -> PageSources {
        let has_versions =
            files.paths.iter().any(|path| source_routes().any(|routes| (routes.is_version)(path)));
        let mut page_sources = PageSources { has_versions, ..PageSources::default() };
        let mut languages = BTreeSet::new();
        for (source, path) in files.paths.iter().enumerate() {
            let page = page_of_source(path, settings, tree, has_versions);
            if let Some((page, _)) = &page {
                page_sources.sources.entry(*page).or_default().push(source as u32);
                if let Some(language) = source_routes().find_map(|routes| (routes.language)(path)) {
                    page_sources.translations.insert(source as u32);
                    languages.insert(language);
                }
            }
            page_sources.pages.push(page);
            page_sources.texts.push(is_whole_text(path));
        }
        page_sources.prefer_exact_names(files, tree);
        page_sources.languages = languages.into_iter().map(|language| format!("/{language}")).collect();
        page_sources
    }

    /// Takes a page from sources whose name is only similar, such as `CHANGES.rst`, if another source has its name.
    fn prefer_exact_names(&mut self, files: &SourceFiles, tree: &Tree) {
        for (page, sources) in self.sources.iter_mut().filter(|(_, sources)| sources.len() > 1) {
            let exported = tree.display(*page);
            let name = |path: &str| SitePath::new(page_form(path)).name().to_owned();
            let page_name = name(&exported);
            let is_exact = |source: &u32| name(&files.paths[*source as usize]) == page_name;
            if !sources.iter().any(is_exact) {
                continue;
            }
            for other in sources.extract_if(.., |source| !is_exact(source)) {
                self.pages[other as usize] = None;
            }
        }
    }

    /// Returns the existing pages that the front matter of a source may name.
    pub fn stated(&self, source: u32, path: &str, address: &StatedAddress, tree: &Tree) -> StatedPages {
        let mut pages: Vec<FileId> = match address {
            StatedAddress::Whole(url) => find_page(page_form(url), tree).into_iter().collect(),
            StatedAddress::Slug(slug) | StatedAddress::Id(slug) => [path, &without_order(path)]
                .into_iter()
                .flat_map(|form| pages_of_slug(form, slug, tree, self.has_versions))
                .collect(),
        };
        pages.sort_unstable();
        pages.dedup();
        StatedPages { source, pages }
    }

    /// Adds the pages from front matter. If path and front matter name different existing pages, or if the front
    /// matter is ambiguous, the page of a source is unknown.
    pub fn add_stated_pages(&mut self, stated: Vec<StatedPages>, tree: &Tree) {
        let with_front_matter: HashSet<u32> = stated.iter().map(|stated| stated.source).collect();
        let by_path = self.sources.clone();
        for StatedPages { source, mut pages } in stated {
            let own = self.pages[source as usize].as_ref().map(|(page, _)| *page);
            // A page of another source by its path, without front matter, belongs to that source.
            let is_taken = |page: &FileId| {
                let sources = by_path.get(page).map_or(&[][..], Vec::as_slice);
                sources.iter().any(|other| *other != source && !with_front_matter.contains(other))
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
                    if let Some(sources) = own.and_then(|own| self.sources.get_mut(&own)) {
                        sources.retain(|other| *other != source);
                    }
                    self.pages[source as usize] = None;
                }
            }
        }
    }

    /// Returns the folder of a source's page, which is the base of its references.
    pub fn folder(&self, source: u32) -> Option<&str> {
        self.pages[source as usize].as_ref().map(|(_, folder)| folder.as_str())
    }

    /// Returns the page of a source, if it is known.
    pub fn page(&self, source: u32) -> Option<FileId> {
        self.pages[source as usize].as_ref().map(|(page, _)| *page)
    }

    /// Whether the page of a source is known.
    pub fn is_page(&self, source: u32) -> bool {
        self.page(source).is_some()
    }

    /// Whether a source could be a page, but its page is unknown.
    pub fn is_unassigned(&self, source: u32) -> bool {
        self.texts[source as usize] && !self.is_page(source)
    }

    /// Returns the sources of a page.
    pub fn sources(&self, page: FileId) -> &[u32] {
        self.sources.get(&page).map_or(&[], Vec::as_slice)
    }

    /// Returns the only source of a page that is a translation. Edit links of forges do not name it.
    pub fn translation(&self, page: FileId) -> Option<u32> {
        let mut translations = self.sources(page).iter().filter(|source| self.translations.contains(source));
        match (translations.next(), translations.next()) {
            (Some(source), None) => Some(*source),
            _ => None,
        }
    }
}

/// Whether a path is a text that is a page of its own, not a fragment that pages include.
fn is_whole_text(path: &str) -> bool {
    let is_part = |name: &str| name.starts_with('_') && !name.starts_with("_posts") || PARTS.contains(&name);
    SitePath::new(path).extension().is_some_and(is_source_extension) && !path.split('/').any(is_part)
}

/// Returns the source of an edit link: the path of the link ends with its path.
pub(super) fn edited_source(address: &str, files: &SourceFiles, settings: &SourceSettings) -> Option<u32> {
    let whole = SitePath::new(address).suffixes().find_map(|path| files.find(path));
    let below = |prefix: &String| files.find(&format!("{prefix}{}", address.trim_start_matches('/')));
    whole.or_else(|| settings.prefixes().iter().find_map(below))
}

/// Returns the page of a source by its path, and the folder of the page. The path of the page is that of the source
/// without the folders of pages.
fn page_of_source(
    path: &str,
    settings: &SourceSettings,
    tree: &Tree,
    has_versions: bool,
) -> Option<(FileId, String)> {
    // A template is not a page.
    let is_source = SitePath::new(path).extension().is_some_and(is_source_extension);
    if !is_source && path.split('/').any(|name| PARTS.contains(&name)) {
        return None;
    }
    let prefix =
        settings.prefixes().iter().filter(|prefix| path.starts_with(prefix.as_str())).map(String::len);
    let free = path[..prefix.max()?].matches('/').count();
    let variants = |own: &str| [own.to_owned(), without_order(own), with_dates(own), as_slugs(own)];
    let routed = page_route(path, tree, has_versions);
    let paths = variants(routed.as_ref().map_or(path, |routed| routed.rest));
    let collection = || {
        let candidate = collection_page(path)?;
        STEMS.iter().find_map(|stem| page_below("", candidate, *stem, tree))
    };
    // `lang.Merge.md` could be the translation of `lang`, but not if it has a page of its own.
    STEMS
        .iter()
        .find_map(|stem| {
            paths.iter().find_map(|candidate| match &routed {
                Some(routed) => page_below(&routed.route, candidate, *stem, tree),
                None => page_at(candidate, free, *stem, tree),
            })
        })
        .or_else(collection)
}

/// Returns the path of a document of a Jekyll collection in the export, which is `guide/install` for
/// `_guide/install.md`.
fn collection_page(path: &str) -> Option<&str> {
    let start = if path.starts_with('_') { 1 } else { path.find("/_")? + 2 };
    let (name, _) = path[start..].split_once('/')?;
    (!PARTS.contains(&name)).then_some(&path[start..])
}

fn page_route<'p>(path: &'p str, tree: &Tree, has_versions: bool) -> Option<PageRoute<'p>> {
    let is_there = |folder: &str| !tree.below(folder.as_bytes()).is_empty();
    source_routes().find_map(|routes| (routes.route)(path, has_versions, &is_there))
}

/// Returns the page of a path. Its first `free` folders may be missing, and folders of pages and of one language after
/// them.
fn page_at(path: &str, free: usize, stem: StemFn, tree: &Tree) -> Option<(FileId, String)> {
    let (name, folders) = (SitePath::new(path).name(), SitePath::new(path).folders());
    let folders: Vec<&str> = folders.filter(|segment| !segment.is_empty()).collect();
    // The main language may be at the site's root: `content/en/about.md` becomes `/about/`.
    let may_be_missing = |count: &usize| {
        let missing = folders.iter().take(*count).skip(free);
        let languages = missing.clone().filter(|segment| is_language(segment)).count();
        missing.clone().all(|segment| CONTAINERS.contains(segment) || is_language(segment)) && languages < 2
    };
    let mut left = (0..=folders.len()).take_while(may_be_missing).map(|count| folders[count..].join("/"));
    left.find_map(|remaining| page_named(remaining, stem(name), tree))
}

/// Returns the page of a source below a route, and the folder of the page.
fn page_below(route: &str, rest: &str, stem: StemFn, tree: &Tree) -> Option<(FileId, String)> {
    let (folder, name) = SitePath::new(rest).split();
    page_named(join_segments(&[route, folder]), stem(name), tree)
}

/// Returns the name of the page of a source.
type StemFn = fn(&str) -> &str;

/// Possible page names of a source: `5.1.rst` is `5.1`, and `about.en.md` is `about`.
const STEMS: [StemFn; 2] =
    [|name| SitePath::new(name).stem(), |name| name.split_once('.').map_or(name, |(stem, _)| stem)];

fn page_named(folder: String, stem: &str, tree: &Tree) -> Option<(FileId, String)> {
    if stem.is_empty() {
        return None;
    }
    let whole = join_segments(&[&folder, stem]);
    let is_index = || GENERATORS.iter().any(|generator| generator.index_names.contains(&stem));
    // VitePress writes `Index.html` for `Index.md`, which hosts do not serve for its folder.
    let as_written = || tree.find(format!("{whole}.html").as_bytes());
    // `page` is the index of a folder for one generator, and a name for the others.
    let page = as_written()
        .or_else(|| find_page(page_form(&whole), tree))
        .or_else(|| is_index().then(|| find_page(&folder, tree))?)?;
    Some((page, folder))
}

/// Returns the page of a path without extension.
fn find_page(form: &str, tree: &Tree) -> Option<FileId> {
    let index = join_segments(&[form, INDEX]);
    [format!("{form}.html"), index].iter().find_map(|page| tree.find(page.as_bytes()))
}

/// Returns the folder of a page, without the page's own folder.
pub(super) fn folder_of(page: FileId, tree: &Tree) -> String {
    let path = String::from_utf8_lossy(tree.path(page));
    SitePath::new(page_form(&path)).folder().to_owned()
}

/// Returns the pages that a slug may name: below any folder of the source.
fn pages_of_slug(path: &str, slug: &str, tree: &Tree, has_versions: bool) -> Vec<FileId> {
    let find = |route: &str| find_page(page_form(&join_segments(&[route, slug.trim_matches('/')])), tree);
    if let Some(PageRoute { route, rest }) = page_route(path, tree, has_versions) {
        let folder = SitePath::new(rest).folder();
        let in_folder = || find(&join_segments(&[&route, folder]));
        let page = if slug.starts_with('/') { None } else { in_folder() };
        return page.or_else(|| find(&route)).into_iter().collect();
    }
    let folders: Vec<&str> = SitePath::new(path).folders().collect();
    let count = folders.len();
    let ranges = (0..=count).flat_map(|start| (start..=count).map(move |end| start..end));
    ranges.filter_map(|range| find(&folders[range].join("/"))).collect()
}

/// Removes numbers and dates before names, by which generators order pages: `02-setup.md`, `2024-05-01-news.md`.
pub(crate) fn without_order(path: &str) -> String {
    let plain = |segment: &str| {
        let mut rest = segment;
        loop {
            let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            match after.strip_prefix(['-', '_', '.']) {
                Some(next)
                    if after.len() < rest.len() && !next.is_empty() && !is_document_extension(next) =>
                {
                    rest = next;
                }
                _ => return rest.to_owned(),
            }
        }
    };
    path.split('/').map(plain).collect::<Vec<_>>().join("/")
}

/// Converts names as Hugo and others do: `My Page.md` is at `my-page`.
pub(crate) fn as_slugs(path: &str) -> String {
    path.to_lowercase().replace(' ', "-")
}

/// Converts dates before names to folders, as in blogs: `2024-05-01-news.md` is at `2024/05/01/news`.
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

/// The sources of an earlier revision, and their renames since then. Paths are relative to the contract's folder, with
/// `/`.
#[derive(Clone, Debug, Default)]
pub struct SourceHistory {
    /// All files of that revision.
    pub paths: Vec<String>,
    /// The renames.
    pub renames: Vec<SourceRename>,
}

/// A rename of a source.
#[derive(Clone, Debug)]
pub struct SourceRename {
    /// The earlier path.
    pub from: String,
    /// The present path.
    pub to: String,
    /// Equal content in per cent.
    pub similarity: u8,
    /// The earlier content.
    pub content: Vec<u8>,
}

/// A page whose source was renamed.
pub(crate) struct MovedPage<'h> {
    /// The page in the earlier export.
    pub from: FileId,
    /// The page in the present export.
    pub to: FileId,
    /// The rename.
    pub rename: &'h SourceRename,
}

/// Returns the pages whose only source was renamed, in the order of the renames. `old` lists the files of the earlier
/// export.
pub(crate) fn moved_pages<'h>(
    history: &'h SourceHistory,
    settings: &SourceSettings,
    old: &Tree,
    new: &Tree,
) -> Vec<MovedPage<'h>> {
    let new_files = SourceFiles::list(settings, new.root());
    let old_files = SourceFiles::of_paths(history.paths.clone(), settings);
    let renames = || history.renames.iter();
    let new_contents = renames().map(|rename| {
        let content = new_files.find(&rename.to).and_then(|source| new_files.read(source));
        (rename.to.as_str(), content.unwrap_or_default())
    });
    let new_pages = map_sources(&new_files, settings, new, new_contents);
    let old_contents = renames().map(|rename| (rename.from.as_str(), &rename.content));
    let old_pages = map_sources(&old_files, settings, old, old_contents);
    let only_page = |files: &SourceFiles, pages: &PageSources, path: &str| {
        let source = files.find(path)?;
        pages.page(source).filter(|page| pages.sources(*page) == [source])
    };
    let moved = renames().filter_map(|rename| {
        let from = only_page(&old_files, &old_pages, &rename.from)?;
        let to = only_page(&new_files, &new_pages, &rename.to)?;
        Some(MovedPage { from, to, rename })
    });
    moved.collect()
}

/// Maps sources to pages, with the front matter of some.
fn map_sources<'c, C: AsRef<[u8]>>(
    files: &SourceFiles,
    settings: &SourceSettings,
    tree: &Tree,
    contents: impl Iterator<Item = (&'c str, C)>,
) -> PageSources {
    let mut pages = PageSources::new(files, settings, tree);
    let stated = contents.filter_map(|(path, content)| {
        let source = files.find(path)?;
        let address = stated_address(path, content.as_ref())?;
        Some(pages.stated(source, path, &address, tree))
    });
    let stated: Vec<StatedPages> = stated.collect();
    pages.add_stated_pages(stated, tree);
    pages
}

#[cfg(test)]
mod tests {
    use super::{collection_page, with_dates, without_order};

    #[test]
    fn documents_of_collections_have_the_name_of_their_folder() {
        assert_eq!(collection_page("_guide/a.md"), Some("guide/a.md"));
        assert_eq!(collection_page("docs/_guide/b/a.md"), Some("guide/b/a.md"));
        for path in ["guide/_part.md", "_part.md", "_includes/a.md", "docs/_layouts/a.html", "a_b/c.md"] {
            assert_eq!(collection_page(path), None, "{path}");
        }
    }

    #[test]
    fn converts_dates_before_names_to_folders() {
        assert_eq!(with_dates("blog/2024-05-01-news.md"), "blog/2024/05/01/news.md");
        for path in ["blog/2024-05-news.md", "blog/2024-05-01-", "é024-05-01-x", "a"] {
            assert_eq!(with_dates(path), path);
        }
    }

    #[test]
    fn removes_numbers_and_dates_before_names() {
        assert_eq!(without_order("docs/01-start/02_setup.md"), "docs/start/setup.md");
        assert_eq!(without_order("blog/2024-05-01-news.md"), "blog/news.md");
        for path in ["docs/404.html", "2024/3d-models.md", "1-/2.md"] {
            assert_eq!(without_order(path), path);
        }
    }
}
