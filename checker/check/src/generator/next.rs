//! Next.js.

use super::definition::{BasePath, ConfigurationFile, ContractSetting, Generator, SourceLayout};

pub(crate) static NEXT: Generator = Generator {
    name: "Next",
    configurations: &[ConfigurationFile::named(&["next.config.*"])],
    output_keys: &["distDir"],
    output_folders: &["out"],
    base_path: BasePath::Key("basePath"),
    settings: &[ContractSetting::slash("trailingSlash", "true", "redirect")],
    sources: SourceLayout {
        key: "",
        folder: "",
        globs: &[
            "app/**",
            "pages/**",
            "src/**",
            "components/**",
            "content/**",
            "lib/**",
            "public/**",
            "mdx-components.*",
        ],
    },
    index_names: &["page"],
    clean_urls_folder: Some("_next"),
    hashed_folders: &["_next/static"],
    ..Generator::UNKNOWN
};
