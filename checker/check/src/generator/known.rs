//! The generators that are known: by which files, and under which keys they say where their site lives.

/// A generator of static sites.
pub(super) struct Generator {
    /// Its name.
    pub name: &'static str,
    /// Its configuration, below the project's folder; `*` stands for the endings of scripts.
    pub files: &'static [&'static str],
    /// Keys of which one must be there, where other programs have files of that name too.
    pub marks: &'static [&'static str],
    /// The keys of the export's folder.
    pub root: &'static [&'static str],
    /// Where the export is unless they say otherwise.
    pub roots: &'static [&'static str],
    /// The keys of the origin.
    pub origin: &'static [&'static str],
    /// The keys of the base path.
    pub base: BasePath,
    /// Values of other keys: key and value there, key and value of the contract.
    pub means: &'static [Translation],
}

/// A value of a generator's key, and what it means in the contract: key, value, key, value.
pub(super) type Translation = (&'static str, &'static str, &'static str, &'static str);

/// Where a generator says what path the site is deployed under.
pub(super) enum BasePath {
    /// Under this key.
    Key(&'static str),
    /// With the origin, in one URL.
    InOrigin,
}

/// Endings of scripts, in the place of `*`.
pub(super) const SCRIPTS: [&str; 6] = ["js", "mjs", "cjs", "ts", "mts", "cts"];

const SLASHES: &str = "trailing-slash";

/// Every generator. Those that others are built with come last.
pub(super) const GENERATORS: [Generator; 16] = [
    Generator {
        name: "Astro",
        files: &["astro.config.*"],
        marks: &[],
        root: &["outDir"],
        roots: &["dist"],
        origin: &["site"],
        base: BasePath::Key("base"),
        means: &[
            ("trailingSlash", "always", SLASHES, "redirect"),
            ("trailingSlash", "never", SLASHES, "never"),
            ("adapter", "@astrojs/netlify", "host", "netlify"),
            ("adapter", "@astrojs/vercel", "host", "vercel"),
            ("adapter", "@astrojs/cloudflare", "host", "cloudflare-pages"),
        ],
    },
    Generator {
        name: "Docusaurus",
        files: &["docusaurus.config.*"],
        marks: &[],
        root: &[],
        roots: &["build"],
        origin: &["url"],
        base: BasePath::Key("baseUrl"),
        means: &[
            ("trailingSlash", "true", SLASHES, "redirect"),
            ("trailingSlash", "false", "clean-urls", "true"), // about.html, linked as /about
        ],
    },
    Generator {
        name: "VitePress",
        files: &[".vitepress/config.*", ".vitepress/config/index.*"],
        marks: &[],
        root: &["outDir"],
        roots: &[".vitepress/dist"],
        origin: &["sitemap.hostname"],
        base: BasePath::Key("base"),
        means: &[("cleanUrls", "true", "clean-urls", "true")],
    },
    Generator {
        name: "Eleventy",
        files: &[".eleventy.js", "eleventy.config.*"],
        marks: &[],
        root: &["dir.output"],
        roots: &["_site"],
        origin: &[],
        base: BasePath::Key("pathPrefix"),
        means: &[],
    },
    Generator {
        name: "Next",
        files: &["next.config.*"],
        marks: &[],
        root: &["distDir"],
        roots: &["out"],
        origin: &[],
        base: BasePath::Key("basePath"),
        means: &[("trailingSlash", "true", SLASHES, "redirect")],
    },
    Generator {
        name: "SvelteKit", // since 2.62, as `sv create` writes it: `svelte.config.js` does not count then
        files: &["vite.config.*"],
        marks: &["plugins.@sveltejs/kit/vite.adapter"],
        root: &["plugins.@sveltejs/kit/vite.adapter.pages"],
        roots: &["build"],
        origin: &["plugins.@sveltejs/kit/vite.prerender.origin"],
        base: BasePath::Key("plugins.@sveltejs/kit/vite.paths.base"),
        means: &[
            ("plugins.@sveltejs/kit/vite.adapter", "@sveltejs/adapter-netlify", "host", "netlify"),
            ("plugins.@sveltejs/kit/vite.adapter", "@sveltejs/adapter-vercel", "host", "vercel"),
            (
                "plugins.@sveltejs/kit/vite.adapter",
                "@sveltejs/adapter-cloudflare",
                "host",
                "cloudflare-pages",
            ),
        ],
    },
    Generator {
        name: "SvelteKit",
        files: &["svelte.config.*"],
        marks: &["kit"],
        root: &["kit.adapter.pages"],
        roots: &["build"],
        origin: &["kit.prerender.origin"],
        base: BasePath::Key("kit.paths.base"),
        means: &[
            ("kit.adapter", "@sveltejs/adapter-netlify", "host", "netlify"),
            ("kit.adapter", "@sveltejs/adapter-vercel", "host", "vercel"),
            ("kit.adapter", "@sveltejs/adapter-cloudflare", "host", "cloudflare-pages"),
        ],
    },
    Generator {
        name: "Nuxt",
        files: &["nuxt.config.*"],
        marks: &[],
        root: &["nitro.output.publicDir"],
        roots: &[".output/public", "dist"],
        origin: &["site.url"],
        base: BasePath::Key("app.baseURL"),
        means: &[
            ("nitro.preset", "github_pages", "host", "github-pages"),
            ("nitro.preset", "github-pages", "host", "github-pages"),
            ("nitro.preset", "gitlab_pages", "host", "gitlab-pages"),
            ("nitro.preset", "gitlab-pages", "host", "gitlab-pages"),
            ("nitro.preset", "netlify_static", "host", "netlify"),
            ("nitro.preset", "netlify-static", "host", "netlify"),
            ("nitro.preset", "vercel_static", "host", "vercel"),
            ("nitro.preset", "vercel-static", "host", "vercel"),
            ("nitro.preset", "cloudflare_pages_static", "host", "cloudflare-pages"),
            ("nitro.preset", "cloudflare-pages-static", "host", "cloudflare-pages"),
        ],
    },
    Generator {
        name: "Hugo",
        files: &[
            "hugo.toml",
            "hugo.yaml",
            "hugo.yml",
            "hugo.json",
            "config/_default/hugo.toml",
            "config/_default/hugo.yaml",
        ],
        marks: &[],
        root: &["publishDir", "publishdir"],
        roots: &["public"],
        origin: &["baseURL", "baseUrl", "baseurl"], // in any case
        base: BasePath::InOrigin,
        means: &[],
    },
    Generator {
        name: "Hugo", // before 0.110, and as Debian has it: names that other programs' files have too
        files: &[
            "config.toml",
            "config.yaml",
            "config.yml",
            "config.json",
            "config/_default/config.toml",
            "config/_default/config.yaml",
        ],
        marks: &["baseURL", "baseUrl", "baseurl"],
        root: &["publishDir", "publishdir"],
        roots: &["public"],
        origin: &["baseURL", "baseUrl", "baseurl"],
        base: BasePath::InOrigin,
        means: &[],
    },
    Generator {
        name: "MkDocs",
        files: &["mkdocs.yml", "mkdocs.yaml"],
        marks: &[],
        root: &["site_dir"],
        roots: &["site"],
        origin: &["site_url"],
        base: BasePath::InOrigin,
        means: &[],
    },
    Generator {
        name: "Sphinx",
        files: &["conf.py", "source/conf.py"],
        marks: &["project"],
        root: &[],
        roots: &["_build/html", "build/html", "_build/dirhtml", "build/dirhtml"],
        origin: &["html_baseurl"],
        base: BasePath::InOrigin,
        means: &[],
    },
    Generator {
        name: "mdBook",
        files: &["book.toml"],
        marks: &[],
        root: &["build.build-dir"],
        roots: &["book", "book/html"],
        origin: &[],
        base: BasePath::Key("output.html.site-url"),
        means: &[],
    },
    Generator {
        name: "Jekyll",
        files: &["_config.yml", "_config.yaml"],
        marks: &[],
        root: &["destination"],
        roots: &["_site"],
        origin: &["url"],
        base: BasePath::Key("baseurl"),
        means: &[],
    },
    Generator {
        name: "Pelican",
        files: &["publishconf.py", "pelicanconf.py"],
        marks: &["SITEURL"],
        root: &["OUTPUT_PATH"],
        roots: &["output"],
        origin: &["SITEURL"],
        base: BasePath::InOrigin,
        means: &[],
    },
    Generator {
        name: "Vite",
        files: &["vite.config.*"],
        marks: &[],
        root: &["build.outDir"],
        roots: &["dist"],
        origin: &[],
        base: BasePath::Key("base"),
        means: &[],
    },
];
