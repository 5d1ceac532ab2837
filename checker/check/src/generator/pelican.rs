//! Pelican.

use super::definition::{ConfigurationFile, Generator, SourceLayout};

pub(crate) static PELICAN: Generator = Generator {
    name: "Pelican",
    configurations: &[ConfigurationFile {
        names: &["publishconf.py", "pelicanconf.py"],
        required_keys: &["SITEURL"],
        prefix: "",
    }],
    output_keys: &["OUTPUT_PATH"],
    output_folders: &["output"],
    origin_keys: &["SITEURL"],
    sources: SourceLayout { key: "PATH", folder: "content", globs: &["{}/**", "theme/**", "themes/**"] },
    ..Generator::UNKNOWN
};
