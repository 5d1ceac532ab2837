//! Eleventy.

use super::definition::{AddressKind, BasePath, ConfigurationFile, Generator, SourceLayout};

pub(crate) static ELEVENTY: Generator = Generator {
    name: "Eleventy",
    configurations: &[ConfigurationFile::named(&[".eleventy.js", "eleventy.config.*"])],
    output_keys: &["dir.output"],
    output_folders: &["_site"],
    base_path: BasePath::Key("pathPrefix"),
    sources: SourceLayout {
        key: "dir.input",
        folder: ".",
        globs: &[
            "{}/**/*.{md,html,liquid,njk,webc,vto,hbs,mustache,ejs,haml,pug}",
            "{}/_includes/**",
            "{}/_data/**",
            "_includes/**",
            "_data/**",
        ],
    },
    address_keys: &[("permalink", AddressKind::Path)],
    ..Generator::UNKNOWN
};
