//! Finds the conventions of a project for addresses, in its configuration and in its pages: numbers in names, collections
//! of Jekyll, aliases of Hugo, and the names of Docusaurus' documents, which are their paths without number prefixes or the
//! `id` of front matter.

use std::collections::{BTreeMap, HashMap};

use sitegate_address::relative::{join, join_segments};
use sitegate_address::{INDEX, SitePath};

use super::rewrites::PathRewrites;
use crate::source_map::{PageSources, SourceFiles, page_form, relative_aliases, stated_id, without_order};
use crate::walk::Tree;

/// Generators that copy only some folders: `html_static_path` of Sphinx, `STATIC_PATHS` of Pelican, and
/// `addPassthroughCopy()` of Eleventy.
const COPY_NAMED_FOLDERS: [&str; 3] = ["Sphinx", "Pelican", "Eleventy"];

/// The generators whose links differ from those of others, by their configurations among the sources and settings.
#[derive(Clone, Copy)]
pub(super) struct Tools {
    pub is_mdbook: bool,
    pub is_sphinx: bool,
}

impl Tools {
    pub fn find(texts: &BTreeMap<String, String>) -> Tools {
        let has = |name: &str| texts.keys().any(|path| SitePath::new(path.as_str()).name() == name);
        Tools { is_mdbook: has("book.toml"), is_sphinx: has("conf.py") }
    }
}

/// Conventions for the addresses of pages.
pub(super) struct PageConventions<'p> {
    ids: &'p DocumentIds,
    /// Whether the pages of some sources with numbers before their names have none.
    has_no_numbers: bool,
    /// Whether the generator copies only the folders of other files that its configuration names.
    copies_named_folders: bool,
    rewrites: PathRewrites,
    /// The folders of Jekyll's collections, each with a trailing `/`.
    collections: Vec<String>,
}

impl<'p> PageConventions<'p> {
    pub fn new(
        texts: &BTreeMap<String, String>,
        tree: &Tree,
        (files, pages): (&SourceFiles, &PageSources),
        (ids, rewrites): (&'p DocumentIds, PathRewrites),
        generators: &[&str],
    ) -> PageConventions<'p> {
        let has_no_numbers = (0..files.paths.len() as u32).any(|source| {
            let name = SitePath::new(page_form(&files.paths[source as usize])).name();
            let plain = without_order(name);
            let is_plain = |page| SitePath::new(page_form(&tree.display(page))).name() == plain;
            name != plain && pages.page(source).is_some_and(is_plain)
        });
        let configurations =
            texts.iter().filter(|(path, _)| SitePath::new(path.as_str()).name() == "_config.yml");
        let collections = configurations.flat_map(|(path, text)| {
            let folder = SitePath::new(path.as_str()).folder_with_slash();
            collections(text).into_iter().map(move |name| format!("{folder}_{name}/"))
        });
        PageConventions {
            ids,
            has_no_numbers,
            copies_named_folders: generators.iter().any(|name| COPY_NAMED_FOLDERS.contains(name)),
            rewrites,
            collections: collections.collect(),
        }
    }

    /// Whether the generator copies a file to a new path in the export, as it copied it to the present one.
    pub fn copies(&self, exported: &str, new: &str) -> bool {
        let folder = |path: &str| path.split_once('/').map(|(folder, _)| folder.to_owned());
        !self.copies_named_folders || folder(exported).is_some_and(|own| folder(new) == Some(own))
    }

    /// Returns the path that the generator uses instead of that of a source.
    pub fn rewritten(&self, path: &str) -> String {
        let rewritten = self.rewrites.rewritten(path).map(|(root, below)| format!("{root}{below}"));
        rewritten.unwrap_or_else(|| path.to_owned())
    }

    /// Removes the numbers before names, if the generator is known to do so.
    pub fn without_numbers(&self, path: &str) -> String {
        if self.ids.is_used() || !self.has_no_numbers {
            return self.ids.without_numbers(path);
        }
        without_order(path)
    }

    /// Whether a source is in a collection of Jekyll, and becomes a page.
    pub fn is_in_collection(&self, path: &str) -> bool {
        self.collections.iter().any(|folder| path.starts_with(folder.as_str()))
    }
}

/// Returns the names of the collections in a configuration of Jekyll: keys or entries of a list.
fn collections(configuration: &str) -> Vec<&str> {
    let lines = configuration.lines().skip_while(|line| line.trim_end() != "collections:").skip(1);
    let block: Vec<&str> = lines
        .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .take_while(|line| line.starts_with([' ', '\t', '-']))
        .collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let Some(first) = block.first().map(|line| indent(line)) else { return Vec::new() };
    let names = block.into_iter().filter(|line| indent(line) == first).map(str::trim);
    names.map(|name| name.trim_start_matches("- ").split(':').next().unwrap_or_default().trim()).collect()
}

/// The names of Docusaurus' documents.
#[derive(Default)]
pub(super) struct DocumentIds {
    is_used: bool,
    keeps_numbers: bool,
    /// The `id` of front matter, by the path of the source.
    stated: HashMap<String, String>,
}

impl DocumentIds {
    /// Reads the ids from all texts, if Docusaurus builds the site.
    pub fn read(texts: &BTreeMap<String, String>) -> DocumentIds {
        let name = |path: &str| SitePath::new(path).name().to_owned();
        let configurations = || texts.iter().filter(|(path, _)| name(path).starts_with("docusaurus.config."));
        // The sidebars may be in the folder of the sources, and the configuration above it.
        let has_sidebars = || texts.keys().any(|path| name(path).starts_with("sidebars."));
        if configurations().next().is_none() && !has_sidebars() {
            return DocumentIds::default();
        }
        let keeps_numbers = configurations().any(|(_, text)| {
            let value = text.split_once("numberPrefixParser").map(|(_, value)| value.trim_start());
            value
                .and_then(|value| value.strip_prefix(':'))
                .is_some_and(|value| value.trim_start().starts_with("false"))
        });
        let documents = texts.iter().filter(|(path, _)| is_document(path));
        let stated = documents.filter_map(|(path, text)| Some((path.clone(), stated_id(text)?))).collect();
        DocumentIds { is_used: true, keeps_numbers, stated }
    }

    /// Whether Docusaurus builds the site.
    pub fn is_used(&self) -> bool {
        self.is_used
    }

    /// Returns the `id` in the front matter of a source, by its present path.
    pub fn stated(&self, path: &str) -> Option<&str> {
        self.stated.get(path).map(String::as_str)
    }

    /// Returns the id of a document below a root folder. `path` is its path, `own` its present one.
    pub fn id(&self, root: &str, path: &str, own: &str) -> Option<String> {
        let rest = path.strip_prefix(root).filter(|rest| self.is_used && is_document(rest))?;
        let (folder, name) = SitePath::new(rest).split();
        let stem = SitePath::new(name).stem();
        let base = match self.stated(own) {
            Some(id) => id.to_owned(),
            None => self.without_numbers(stem),
        };
        Some(join_segments(&[&self.without_numbers(folder), &base]))
    }

    /// Returns the paths of documents by their roots with their ids. `paths` are the present ones, each with that to name.
    pub fn documents<'s>(
        &self,
        paths: impl Iterator<Item = (&'s str, String)>,
        roots: &[String],
    ) -> HashMap<String, String> {
        let mut documents = HashMap::new();
        for (own, path) in paths {
            for root in roots {
                if let Some(id) = self.id(root, &path, own) {
                    documents.insert(format!("{root}{id}"), path.clone());
                }
            }
        }
        documents
    }

    /// Removes the number prefixes of a path. Posts and other pages keep them.
    pub fn without_numbers(&self, path: &str) -> String {
        let is_other = || SitePath::new(path).folders().any(|folder| matches!(folder, "blog" | "pages"));
        if !self.is_used || self.keeps_numbers || is_other() {
            return path.to_owned();
        }
        path.split('/').map(without_number).collect::<Vec<_>>().join("/")
    }
}

fn is_document(path: &str) -> bool {
    matches!(SitePath::new(path).extension(), Some("md" | "mdx"))
}

/// Removes a number and its separator from a name, as `DefaultNumberPrefixParser` of Docusaurus does: not those of dates and
/// versions.
fn without_number(name: &str) -> &str {
    let after = name.trim_start_matches(|c: char| c.is_ascii_digit());
    if after.len() == name.len() {
        return name;
    }
    let is_separator = |c: char| matches!(c, '-' | '_' | '.');
    let separated = after.trim_start();
    let rest = separated.trim_start_matches(is_separator);
    let is_version = after.starts_with(is_separator) && after[1..].starts_with(|c: char| c.is_ascii_digit());
    if rest.len() == separated.len() || is_version || rest.trim_start().is_empty() {
        return name;
    }
    rest.trim_start()
}

/// Returns the redirect pages of a moved page that move along, with their new paths. Both pages are paths in the export.
pub(super) fn moved_aliases(tree: &Tree, text: &str, (old, new): (&str, &str)) -> Vec<(String, String)> {
    let folder = |page: &str| SitePath::new(page_form(page)).folder().to_owned();
    let (before, after) = (folder(old), folder(new));
    if before == after {
        return Vec::new();
    }
    let aliases = relative_aliases(text).into_iter();
    let moved = aliases.filter_map(|alias| {
        let names = [alias.to_owned(), join_segments(&[alias, INDEX]), format!("{alias}.html")];
        let pages = names.map(|name| (join(&before, &name).path, join(&after, &name).path));
        pages.into_iter().find(|(page, moved)| page != moved && tree.find(page.as_bytes()).is_some())
    });
    moved.collect()
}

#[cfg(test)]
mod tests {
    use super::{DocumentIds, collections};

    #[test]
    fn reads_the_names_of_collections() {
        let keys = "title: x\ncollections:\n  guide:\n    output: true\n  # more\n\n  api:\n    output: true\nother:\n  a: b\n";
        assert_eq!(collections(keys), ["guide", "api"]);
        assert_eq!(collections("collections:\n- guide\n- api\nx: y\n"), ["guide", "api"]);
        assert_eq!(collections("title: x\n"), [""; 0]);
    }

    fn ids(texts: &[(&str, &str)]) -> DocumentIds {
        DocumentIds::read(
            &texts.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect(),
        )
    }

    #[test]
    fn ids_have_no_numbers() {
        let ids = ids(&[("docusaurus.config.js", ""), ("docs/02-a/install.md", "---\nid: setup\n---\n")]);
        let id = |path: &str| ids.id("docs/", path, path);
        assert_eq!(id("docs/01-guide/3. start.md").as_deref(), Some("guide/start"));
        assert_eq!(id("docs/02-a/install.md").as_deref(), Some("a/setup"));
        assert_eq!(ids.id("docs/", "docs/b/x.md", "docs/02-a/install.md").as_deref(), Some("b/setup"));
        assert_eq!(id("docs/guide/index.md").as_deref(), Some("guide/index"));
        assert_eq!(id("src/a.md"), None);
        for name in ["2024-05-01-news", "1.2-notes", "404", "3d-models", "12-"] {
            assert_eq!(ids.without_numbers(name), name);
        }
        assert_eq!(ids.without_numbers("blog/01-x"), "blog/01-x");
    }

    #[test]
    fn the_configuration_may_keep_numbers() {
        let kept = ids(&[("docusaurus.config.js", "{ numberPrefixParser: false }")]);
        assert_eq!(kept.without_numbers("01-guide/2-a"), "01-guide/2-a");
        let other = ids(&[("mkdocs.yml", "")]);
        assert_eq!(other.without_numbers("01-guide"), "01-guide");
        assert_eq!(other.id("docs/", "docs/a.md", "docs/a.md"), None);
    }
}
