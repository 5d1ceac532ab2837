//! Hugo.

use super::definition::{AddressKind, ConfigurationFile, Generator, SourceLayout};

/// The key of the address of the site, which Hugo reads in any case.
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
        // Before 0.110, and as Debian has it: names that other programs' files have too.
        ConfigurationFile {
            names: &[
                "config.toml",
                "config.yaml",
                "config.yml",
                "config.json",
                "config/_default/config.toml",
                "config/_default/config.yaml",
            ],
            marks: BASE_URL,
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
