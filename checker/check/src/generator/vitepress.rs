//! `VitePress`.

use super::definition::{BasePath, ConfigurationFile, ContractSetting, Generator, SourceLayout};

pub(crate) static VITEPRESS: Generator = Generator {
    name: "VitePress",
    configurations: &[ConfigurationFile::named(&[".vitepress/config.*", ".vitepress/config/index.*"])],
    output_keys: &["outDir"],
    output_folders: &[".vitepress/dist"],
    origin_keys: &["sitemap.hostname"],
    base_path: BasePath::Key("base"),
    settings: &[ContractSetting::clean_urls("cleanUrls", "true")],
    sources: SourceLayout {
        key: "srcDir",
        folder: ".",
        globs: &["{}/**/*.md", "{}/public/**", ".vitepress/theme/**"],
    },
    converts_links: true,
    ..Generator::UNKNOWN
};
