//! Names documents as Docusaurus does: by their paths without number prefixes, and by `id` of front matter.

use std::collections::{BTreeMap, HashMap};

use sitegate_address::SitePath;
use sitegate_address::relative::join_segments;

use crate::source_map::stated_id;

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

#[cfg(test)]
mod tests {
    use super::DocumentIds;

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
