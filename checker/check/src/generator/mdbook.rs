//! mdBook.

use super::definition::{BasePath, ConfigurationFile, Generator, SourceLayout};

pub(crate) static MDBOOK: Generator = Generator {
    name: "mdBook",
    configurations: &[ConfigurationFile::named(&["book.toml"])],
    output_keys: &["build.build-dir"],
    output_folders: &["book", "book/html"],
    base_path: BasePath::Key("output.html.site-url"),
    sources: SourceLayout { key: "book.src", folder: "src", globs: &["{}/**", "theme/**"] },
    converts_links: true,
    ..Generator::UNKNOWN
};
