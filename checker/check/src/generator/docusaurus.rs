//! Docusaurus. Its sources have folders for versions and translations.

use sitegate_address::SitePath;
use sitegate_address::relative::join_segments;

use super::definition::{
    AddressKind, BasePath, ConfigurationFile, ContractSetting, Generator, PageRoute, SourceLayout,
    SourceRoutes,
};

pub(crate) static DOCUSAURUS: Generator = Generator {
    name: "Docusaurus",
    configurations: &[ConfigurationFile::named(&["docusaurus.config.*"])],
    output_folders: &["build"],
    origin_keys: &["url"],
    base_path: BasePath::Key("baseUrl"),
    settings: &[
        ContractSetting::slash("trailingSlash", "true", "redirect"),
        ContractSetting::clean_urls("trailingSlash", "false"), // about.html, linked as /about
    ],
    sources: SourceLayout {
        key: "",
        folder: "",
        globs: &["docs/**", "versioned_docs/**", "blog/**", "src/**", "static/**", "i18n/**", "sidebars.*"],
    },
    address_keys: &[("slug", AddressKind::Slug)],
    strip_prefix: |reference| reference.strip_prefix("pathname://"), // Docusaurus leaves such links unchanged
    converts_links: true,
    routes: Some(SourceRoutes { language, is_version, route }),
    ..Generator::UNKNOWN
};

/// Folders of translations and of versions.
const TRANSLATED: &str = "i18n/";
const PLUGIN: &str = "docusaurus-plugin-content-";
const VERSIONED: &str = "versioned_docs/";

/// Returns the language of a translated source.
fn language(path: &str) -> Option<&str> {
    translated(path).map(|(language, ..)| language)
}

/// Whether a source is one of several versions.
fn is_version(path: &str) -> bool {
    path.contains(VERSIONED)
}

fn route<'p>(path: &'p str, has_versions: bool, is_there: &dyn Fn(&str) -> bool) -> Option<PageRoute<'p>> {
    if let Some((language, plugin, rest)) = translated(path) {
        return match plugin.split_once('-').unwrap_or((plugin, "")) {
            ("docs", id) => {
                let (version, rest) = rest.split_once('/')?;
                let version = if version == "current" { "next" } else { strip_version(version) };
                let name = if id.is_empty() { "docs" } else { id };
                Some(PageRoute { route: version_route((language, name), version, is_there), rest })
            }
            ("blog", id) => Some(PageRoute {
                route: join_segments(&[language, if id.is_empty() { "blog" } else { id }]),
                rest,
            }),
            ("pages", _) => Some(PageRoute { route: language.to_owned(), rest }),
            _ => None,
        };
    }
    if let Some((before, rest)) = path.split_once(VERSIONED) {
        let id = SitePath::new(before).name().trim_end_matches('_');
        let (version, rest) = rest.split_once('/')?;
        let name = if id.is_empty() { "docs" } else { id };
        return Some(PageRoute { route: version_route(("", name), strip_version(version), is_there), rest });
    }
    let rest = path.strip_prefix("docs/").or_else(|| path.split_once("/docs/").map(|(_, rest)| rest))?;
    has_versions.then(|| PageRoute { route: version_route(("", "docs"), "next", is_there), rest })
}

/// Splits the path of a translation into language, plugin, and the path below the plugin.
fn translated(path: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = path.split_once(TRANSLATED)?;
    let (language, rest) = rest.split_once('/')?;
    let (plugin, rest) = rest.strip_prefix(PLUGIN)?.split_once('/')?;
    (before.is_empty() || before.ends_with('/')).then_some((language, plugin, rest))
}

/// Returns the route of a version. Each has its own folder, but the latest has the folder of all. Documentation may be
/// the whole site.
fn version_route((language, name): (&str, &str), version: &str, is_there: &dyn Fn(&str) -> bool) -> String {
    let below = [
        join_segments(&[language, name, version]),
        join_segments(&[language, name]),
        join_segments(&[language, version]),
    ];
    below.into_iter().find(|route| is_there(route)).unwrap_or_else(|| language.to_owned())
}

fn strip_version(version: &str) -> &str {
    version.strip_prefix("version-").unwrap_or(version)
}

#[cfg(test)]
mod tests {
    use super::{language, route};

    #[test]
    fn routes_versions_and_translations() {
        let there = ["docs", "docs/1.0", "docs/next", "fr", "fr/docs", "fr/docs/next", "api", "de", "de/2"];
        let at = |path: &str| {
            route(path, true, &|folder| there.contains(&folder))
                .map(|found| format!("{} {}", found.route, found.rest))
        };
        let is_at = |path: &str, expected: &str| assert_eq!(at(path).as_deref(), Some(expected), "{path}");
        is_at("versioned_docs/version-1.0/a/b.md", "docs/1.0 a/b.md");
        is_at("website/versioned_docs/version-2.0/b.md", "docs b.md");
        is_at("website/api_versioned_docs/version-2/b.md", "api b.md");
        is_at("website/docs/b.md", "docs/next b.md");
        let docs = "i18n/fr/docusaurus-plugin-content-docs";
        is_at(&format!("{docs}/current/b.md"), "fr/docs/next b.md");
        is_at(&format!("{docs}/version-2.0/b.md"), "fr/docs b.md");
        is_at("i18n/de/docusaurus-plugin-content-docs/version-2/b.md", "de/2 b.md");
        is_at("i18n/fr/docusaurus-plugin-content-blog/b.md", "fr/blog b.md");
        is_at("i18n/fr/docusaurus-plugin-content-pages/b.md", "fr b.md");
        assert_eq!(at("src/b.md"), None);
        assert_eq!(route("docs/b.md", false, &|_| true), None);
        assert_eq!(language("i18n/fr/docusaurus-plugin-content-blog/b.md"), Some("fr"));
        assert_eq!(language("i18n/fr/code.json").or(language("docs/b.md")), None);
    }
}
