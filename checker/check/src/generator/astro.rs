//! Astro, with Starlight.

use super::definition::{AddressKind, BasePath, ConfigurationFile, ContractSetting, Generator, SourceLayout};

pub(crate) static ASTRO: Generator = Generator {
    name: "Astro",
    configurations: &[ConfigurationFile::named(&["astro.config.*"])],
    output_keys: &["outDir"],
    output_folders: &["dist"],
    origin_keys: &["site"],
    base_path: BasePath::Key("base"),
    settings: &[
        ContractSetting::slash("trailingSlash", "always", "redirect"),
        ContractSetting::slash("trailingSlash", "never", "never"),
        ContractSetting::host("adapter", "@astrojs/netlify", "netlify"),
        ContractSetting::host("adapter", "@astrojs/vercel", "vercel"),
        ContractSetting::host("adapter", "@astrojs/cloudflare", "cloudflare-pages"),
    ],
    sources: SourceLayout { key: "srcDir", folder: "src", globs: &["{}/**", "content/**", "public/**"] },
    address_keys: &[("slug", AddressKind::Slug)],
    hashed_folders: &["_astro"],
    ..Generator::UNKNOWN
};
