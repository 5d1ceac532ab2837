//! Finds the conventions of a project for addresses, in its configuration and in its pages.

use std::collections::BTreeMap;

use sitegate_address::SitePath;

use super::docusaurus::DocumentIds;
use crate::source_map::{PageSources, SourceFiles, page_form, without_order};
use crate::walk::Tree;

/// Conventions for the addresses of pages.
pub(super) struct PageConventions<'p> {
    ids: &'p DocumentIds,
    /// Whether the pages of some sources with numbers before their names have none.
    has_no_numbers: bool,
    /// The folders of Jekyll's collections, each with a trailing `/`.
    collections: Vec<String>,
}

impl<'p> PageConventions<'p> {
    pub fn new(
        texts: &BTreeMap<String, String>,
        tree: &Tree,
        (files, pages): (&SourceFiles, &PageSources),
        ids: &'p DocumentIds,
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
        PageConventions { ids, has_no_numbers, collections: collections.collect() }
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
