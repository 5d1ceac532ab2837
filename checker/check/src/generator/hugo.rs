//! Hugo.

use std::path::Path;

use sitegate_address::SitePath;

use super::definition::{AddressKind, ConfigurationFile, Generator, SourceLayout};

/// Key of the site's URL, in the variants that are common; Hugo ignores case.
const BASE_URL: &[&str] = &["baseURL", "baseUrl", "baseurl"];

pub(crate) static HUGO: Generator = Generator {
    name: "Hugo",
    configurations: &[
        ConfigurationFile::named(&[
            "hugo.toml",
            "hugo.yaml",
            "hugo.yml",
            "hugo.json",
            "config/_default/hugo.toml",
            "config/_default/hugo.yaml",
        ]),
        // Names before Hugo 0.110 and on Debian; other programs use them, too.
        ConfigurationFile {
            names: &[
                "config.toml",
                "config.yaml",
                "config.yml",
                "config.json",
                "config/_default/config.toml",
                "config/_default/config.yaml",
            ],
            required_keys: BASE_URL,
            prefix: "",
        },
    ],
    output_keys: &["publishDir", "publishdir"],
    output_folders: &["public"],
    origin_keys: BASE_URL,
    sources: SourceLayout {
        key: "contentDir",
        folder: "content",
        globs: &[
            "{}/**",
            "layouts/**",
            "data/**",
            "i18n/**",
            "assets/**",
            "static/**",
            "config/**",
            "themes/**",
        ],
    },
    address_keys: &[("url", AddressKind::Path), ("slug", AddressKind::Slug)],
    ..Generator::UNKNOWN
};

/// Returns the leaf bundle that contains a document: the outermost folder above it with `index.md`. Hugo makes no page of
/// other documents in it.
pub(crate) fn leaf_bundle<'p>(folder: &Path, document: &'p str) -> Option<&'p str> {
    let mut parents = SitePath::new(document).ancestors();
    let own = document.strip_suffix("/index.md");
    parents.find(|parent| own != Some(parent) && folder.join(parent).join("index.md").is_file())
}
