//! Nuxt.

use super::definition::{BasePath, ConfigurationFile, ContractSetting, Generator, SourceLayout};

pub(crate) static NUXT: Generator = Generator {
    name: "Nuxt",
    configurations: &[ConfigurationFile::named(&["nuxt.config.*"])],
    output_keys: &["nitro.output.publicDir"],
    output_folders: &[".output/public", "dist"],
    origin_keys: &["site.url"],
    base_path: BasePath::Key("app.baseURL"),
    settings: &[
        ContractSetting::host("nitro.preset", "github_pages", "github-pages"),
        ContractSetting::host("nitro.preset", "github-pages", "github-pages"),
        ContractSetting::host("nitro.preset", "gitlab_pages", "gitlab-pages"),
        ContractSetting::host("nitro.preset", "gitlab-pages", "gitlab-pages"),
        ContractSetting::host("nitro.preset", "netlify_static", "netlify"),
        ContractSetting::host("nitro.preset", "netlify-static", "netlify"),
        ContractSetting::host("nitro.preset", "vercel_static", "vercel"),
        ContractSetting::host("nitro.preset", "vercel-static", "vercel"),
        ContractSetting::host("nitro.preset", "cloudflare_pages_static", "cloudflare-pages"),
        ContractSetting::host("nitro.preset", "cloudflare-pages-static", "cloudflare-pages"),
    ],
    sources: SourceLayout {
        key: "srcDir",
        folder: ".",
        globs: &[
            "{}/app/**",
            "{}/app.vue",
            "{}/pages/**",
            "{}/layouts/**",
            "{}/components/**",
            "content/**",
            "{}/public/**",
        ],
    },
    hashed_folders: &["_nuxt"],
    ..Generator::UNKNOWN
};
