//! Jekyll.

use super::definition::{AddressKind, BasePath, ConfigurationFile, Generator, SourceLayout};

pub(crate) static JEKYLL: Generator = Generator {
    name: "Jekyll",
    configurations: &[ConfigurationFile::named(&["_config.yml", "_config.yaml"])],
    output_keys: &["destination"],
    output_folders: &["_site"],
    origin_keys: &["url"],
    base_path: BasePath::Key("baseurl"),
    sources: SourceLayout {
        key: "source",
        folder: ".",
        globs: &["{}/**/*.{md,markdown,html,liquid}", "{}/_data/**"],
    },
    address_keys: &[("permalink", AddressKind::Path)],
    ..Generator::UNKNOWN
};
