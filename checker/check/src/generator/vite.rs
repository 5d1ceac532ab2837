//! Vite, without a generator that is built on it.

use super::definition::{BasePath, ConfigurationFile, Generator, SourceLayout};

pub(crate) static VITE: Generator = Generator {
    name: "Vite",
    configurations: &[ConfigurationFile::named(&["vite.config.*"])],
    output_keys: &["build.outDir"],
    output_folders: &["dist"],
    base_path: BasePath::Key("base"),
    sources: SourceLayout { key: "", folder: "", globs: &["*.html", "src/**", "public/**"] },
    ..Generator::UNKNOWN
};
