//! `SvelteKit`.

use super::definition::{BasePath, ConfigurationFile, ContractSetting, Generator, SourceLayout};

pub(crate) static SVELTEKIT: Generator = Generator {
    name: "SvelteKit",
    configurations: &[
        // Since version 2.62 `sv create` writes it; `svelte.config.js` is then ignored.
        ConfigurationFile {
            names: &["vite.config.*"],
            required_keys: &["plugins.@sveltejs/kit/vite.adapter"],
            prefix: "plugins.@sveltejs/kit/vite.",
        },
        ConfigurationFile { names: &["svelte.config.*"], required_keys: &["kit"], prefix: "kit." },
    ],
    output_keys: &["adapter.pages"],
    output_folders: &["build"],
    origin_keys: &["prerender.origin"],
    base_path: BasePath::Key("paths.base"),
    settings: &[
        ContractSetting::host("adapter", "@sveltejs/adapter-netlify", "netlify"),
        ContractSetting::host("adapter", "@sveltejs/adapter-vercel", "vercel"),
        ContractSetting::host("adapter", "@sveltejs/adapter-cloudflare", "cloudflare-pages"),
    ],
    sources: SourceLayout { key: "", folder: "", globs: &["src/**", "static/**"] },
    index_names: &["+page"],
    clean_urls_folder: Some("_app"),
    hashed_folders: &["_app/immutable"],
    ..Generator::UNKNOWN
};
