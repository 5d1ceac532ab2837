//! Finds the conventions of a project for addresses, in its configuration and in its pages.

use std::collections::BTreeMap;

use sitegate_address::SitePath;

use super::docusaurus::DocumentIds;
use super::rewrites::PathRewrites;
use crate::source_map::{PageSources, SourceFiles, page_form, without_order};
use crate::walk::Tree;

/// Generators that copy only some folders: `html_static_path` of Sphinx, `STATIC_PATHS` of Pelican, and
/// `addPassthroughCopy()` of Eleventy.
const COPY_NAMED_FOLDERS: [&str; 3] = ["Sphinx", "Pelican", "Eleventy"];

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

#[cfg(test)]
mod tests {
    use super::collections;

    #[test]
    fn reads_the_names_of_collections() {
        let keys = "title: x\ncollections:\n  guide:\n    output: true\n  # more\n\n  api:\n    output: true\nother:\n  a: b\n";
        assert_eq!(collections(keys), ["guide", "api"]);
        assert_eq!(collections("collections:\n- guide\n- api\nx: y\n"), ["guide", "api"]);
        assert_eq!(collections("title: x\n"), [""; 0]);
    }
}
