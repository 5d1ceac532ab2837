//! Lists the supported static site generators: a row for each, with all its properties.

use super::definition::{AddressKind, BasePath, ConfigurationFile, ContractSetting, Generator, SourceLayout};
use super::{docusaurus, sphinx};

/// Key of Hugo's site URL, in the variants that are common; Hugo ignores case.
const BASE_URL: &[&str] = &["baseURL", "baseUrl", "baseurl"];

/// Hugo's name.
pub(crate) const HUGO: &str = "Hugo";

/// All generators. Those that others are built with come last.
pub(crate) static GENERATORS: [Generator; 15] = [
    Generator {
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
    },
    Generator {
        name: "Docusaurus",
        configurations: &[ConfigurationFile::named(&["docusaurus.config.*"])],
        output_folders: &["build"],
        origin_keys: &["url"],
        base_path: BasePath::Key("baseUrl"),
        settings: &[
            ContractSetting::slash("trailingSlash", "true", "redirect"),
            ContractSetting::clean_urls("trailingSlash", "false"), // about.html, linked as /about
        ],
        sources: SourceLayout {
            key: "",
            folder: "",
            globs: &[
                "docs/**",
                "versioned_docs/**",
                "blog/**",
                "src/**",
                "static/**",
                "i18n/**",
                "sidebars.*",
            ],
        },
        address_keys: &[("slug", AddressKind::Slug)],
        strip_prefix: |reference| reference.strip_prefix("pathname://"), // Docusaurus leaves such links unchanged
        routes: Some(docusaurus::ROUTES),
        converts_links: true,
        ..Generator::UNKNOWN
    },
    Generator {
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
    },
    Generator {
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
    },
    Generator {
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
    },
    Generator {
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
    },
    Generator {
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
    },
    Generator {
        name: HUGO,
        configurations: &[
            ConfigurationFile::named(&[
                "hugo.toml",
                "hugo.yaml",
                "hugo.yml",
                "hugo.json",
                "config/_default/hugo.toml",
                "config/_default/hugo.yaml",
            ]),
            // Names before Hugo 0.110 and on Debian; other programs use them, too.
            ConfigurationFile {
                names: &[
                    "config.toml",
                    "config.yaml",
                    "config.yml",
                    "config.json",
                    "config/_default/config.toml",
                    "config/_default/config.yaml",
                ],
                required_keys: BASE_URL,
                prefix: "",
            },
        ],
        output_keys: &["publishDir", "publishdir"],
        output_folders: &["public"],
        origin_keys: BASE_URL,
        sources: SourceLayout {
            key: "contentDir",
            folder: "content",
            globs: &[
                "{}/**",
                "layouts/**",
                "data/**",
                "i18n/**",
                "assets/**",
                "static/**",
                "config/**",
                "themes/**",
            ],
        },
        address_keys: &[("url", AddressKind::Path), ("slug", AddressKind::Slug)],
        ..Generator::UNKNOWN
    },
    Generator {
        name: "MkDocs",
        configurations: &[ConfigurationFile::named(&["mkdocs.yml", "mkdocs.yaml"])],
        output_keys: &["site_dir"],
        output_folders: &["site"],
        origin_keys: &["site_url"],
        sources: SourceLayout { key: "docs_dir", folder: "docs", globs: &["{}/**", "overrides/**"] },
        converts_links: true,
        ..Generator::UNKNOWN
    },
    Generator {
        name: "Sphinx",
        configurations: &[ConfigurationFile {
            names: &["conf.py", "source/conf.py"],
            required_keys: &["project"],
            prefix: "",
        }],
        output_folders: &["_build/html", "build/html", "_build/dirhtml", "build/dirhtml"],
        origin_keys: &["html_baseurl"],
        sources: SourceLayout { key: "", folder: ".", globs: &["**/*.{rst,md,txt,ipynb}", "_templates/**"] },
        page_marker: Some(b"documentation_options.js"),
        unresolved: sphinx::unresolved,
        converts_links: true,
        ..Generator::UNKNOWN
    },
    Generator {
        name: "mdBook",
        configurations: &[ConfigurationFile::named(&["book.toml"])],
        output_keys: &["build.build-dir"],
        output_folders: &["book", "book/html"],
        base_path: BasePath::Key("output.html.site-url"),
        sources: SourceLayout { key: "book.src", folder: "src", globs: &["{}/**", "theme/**"] },
        converts_links: true,
        ..Generator::UNKNOWN
    },
    Generator {
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
    },
    Generator {
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
    },
    // Only the URL keys of its sources are supported.
    Generator {
        name: "Zola",
        address_keys: &[("path", AddressKind::TomlPath), ("slug", AddressKind::Slug)],
        // Paths from the content folder: `@/guide/_index.md`.
        strip_prefix: |reference| reference.strip_prefix('@').filter(|path| path.starts_with('/')),
        ..Generator::UNKNOWN
    },
    Generator {
        name: "Vite",
        configurations: &[ConfigurationFile::named(&["vite.config.*"])],
        output_keys: &["build.outDir"],
        output_folders: &["dist"],
        base_path: BasePath::Key("base"),
        sources: SourceLayout { key: "", folder: "", globs: &["*.html", "src/**", "public/**"] },
        ..Generator::UNKNOWN
    },
];
