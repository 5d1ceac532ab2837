//! `MkDocs`.

use super::definition::{ConfigurationFile, Generator, SourceLayout};

pub(crate) static MKDOCS: Generator = Generator {
    name: "MkDocs",
    configurations: &[ConfigurationFile::named(&["mkdocs.yml", "mkdocs.yaml"])],
    output_keys: &["site_dir"],
    output_folders: &["site"],
    origin_keys: &["site_url"],
    sources: SourceLayout { key: "docs_dir", folder: "docs", globs: &["{}/**", "overrides/**"] },
    converts_links: true,
    ..Generator::UNKNOWN
};
