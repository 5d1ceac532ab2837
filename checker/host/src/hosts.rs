//! Lists the static hosts: one row for each, with its names, its files, its conventions for paths and its limits.

use schemars::JsonSchema;
use serde::Deserialize;

/// Name of the file with redirects, at the root of an export.
pub const REDIRECTS_FILE: &str = "_redirects";

/// Name of the file with headers, at the root of an export.
pub const HEADERS_FILE: &str = "_headers";

/// The host's treatment of trailing slashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum TrailingSlash {
    /// Redirects `/dir` to `/dir/`: S3 website endpoints, GitHub Pages, most servers.
    #[default]
    Redirect,
    /// Redirects `/dir/` to `/dir`, which serves `dir/index.html`: a CDN that strips the slash.
    Never,
    /// As `Redirect`, and `/page` to `/page/` if that serves `page.html`. Only configuration files of hosts say so.
    #[serde(skip)]
    Always,
}

/// The host that serves the site. Without one, the behavior of most hosts is assumed.
///
/// [`HOSTS`] has its facts, [`crate::answer`] implements the treatment of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum Host {
    /// S3 website endpoint: index documents; redirects `/dir` to `/dir/`.
    S3Website,
    /// CloudFront in front of a bucket, with the function that `sitegate host-config cloudfront` prints: index documents;
    /// redirects `/dir` to `/dir/`.
    Cloudfront,
    /// S3's REST endpoint, behind a CDN that rewrites only `/`: file names only.
    S3Rest,
    /// GitHub Pages: index documents; serves `page.html` for `/page`.
    GithubPages,
    /// GitLab Pages: as GitHub Pages, and the `_redirects` file.
    GitlabPages,
    /// Netlify: as GitHub Pages, and the `_redirects` file.
    Netlify,
    /// Cloudflare Pages: as Netlify; redirects `/page.html` to `/page`.
    CloudflarePages,
    /// Vercel: index documents, with or without the slash.
    Vercel,
    /// Firebase Hosting: index documents; redirects `/dir` to `/dir/`.
    Firebase,
    /// Azure Static Web Apps: index documents and pages, with or without the slash.
    AzureStaticWebApps,
    /// nginx with `index index.html`.
    Nginx,
    /// Apache with `DirectoryIndex index.html`.
    Apache,
    /// Caddy with `file_server`.
    Caddy,
}

/// The row of a host.
#[derive(Clone, Copy, Debug)]
pub struct HostFacts {
    /// The host.
    pub host: Host,
    /// Its name in the contract.
    pub name: &'static str,
    /// Its name in messages.
    pub title: &'static str,
    /// The domains that it assigns to sites.
    pub domains: &'static [&'static str],
    /// Its own configuration file, which may have redirects.
    pub config_file: Option<ConfigFileFacts>,
    /// Its limits for `_redirects`; `None` if it does not read the file.
    pub redirects_file: Option<RedirectLimits>,
    /// Whether it reads `_headers`.
    pub reads_headers_file: bool,
    /// Files at the root of an export that only this one reads.
    pub own_files: &'static [&'static str],
    /// The path below which the platform answers itself: decoded, from the root of the origin, without its leading `/`.
    pub(crate) platform_path: Option<&'static [u8]>,
    /// Maximum size in bytes of a content security policy; `None` if it sends none.
    pub max_policy: Option<usize>,
    /// Whether its configuration can give each page its own policy.
    pub has_page_policies: bool,
    /// Whether it answers unknown paths with the home page, if the export has no `404.html`.
    pub falls_back_to_home_page: bool,
    /// Whether it sends `404.html` for unknown paths, and no setting can name another file.
    pub has_fixed_not_found_page: bool,
    /// Whether its configuration can answer 410.
    pub answers_410: bool,
    /// Its conventions for paths.
    pub(crate) conventions: Conventions,
}

/// A configuration file of a host.
#[derive(Clone, Copy, Debug)]
pub struct ConfigFileFacts {
    /// Its name.
    pub name: &'static str,
    /// Whether the host also reads it from the project's folder, and not only from the export.
    pub is_in_project: bool,
}

/// Maximum sizes of a redirects file. A host ignores what exceeds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RedirectLimits {
    /// Number of redirects without patterns.
    pub plain: usize,
    /// Number of patterns.
    pub patterns: usize,
    /// Number of characters in a line.
    pub line: usize,
    /// Size of the file in bytes.
    pub size: usize,
}

const UNLIMITED: RedirectLimits =
    RedirectLimits { plain: usize::MAX, patterns: usize::MAX, line: usize::MAX, size: usize::MAX };

/// The conventions of a host for paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conventions {
    /// Whether `/page` serves `page.html`.
    pub adds_html: bool,
    /// Whether `/page.html` redirects to `/page`, and `/index.html` to `/`.
    pub drops_html: bool,
    /// Whether that is so if clean URLs are turned on.
    pub drops_html_if_clean: bool,
    /// The answer to `/page/` if `page.html` exists.
    pub page_with_slash: WithSlash,
    /// The answer to `/dir`.
    pub folder: BareFolder,
    /// Whether `a//b` is the same as `a/b`.
    pub merges_slashes: bool,
    /// Whether paths that differ only in case are the same.
    pub ignores_case: bool,
    /// Status of the host's redirects.
    pub status: u16,
}

/// The answer to a file name with a `/` after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WithSlash {
    /// No answer.
    Nothing,
    /// The file.
    File,
    /// The file. `/page` and `/page.html` redirect to it.
    Only,
    /// A redirect to the path without the `/`.
    Redirect,
}

/// The answer to a folder name without `/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BareFolder {
    /// A redirect to the name with `/`, if there is an index document.
    Redirect,
    /// A redirect, whether there is an index document or not.
    RedirectAlways,
    /// A redirect, even before a page with that name.
    RedirectFirst,
    /// The index document.
    Index,
}

/// The conventions of most hosts.
const PLAIN: Conventions = Conventions {
    adds_html: false,
    drops_html: false,
    drops_html_if_clean: false,
    page_with_slash: WithSlash::Nothing,
    folder: BareFolder::Redirect,
    merges_slashes: false,
    ignores_case: false,
    status: 301,
};

/// The conventions if the host is unknown. Measured at an S3 website endpoint.
pub(crate) const UNKNOWN_HOST: Conventions = Conventions { status: 302, ..PLAIN };

/// Maximum size of a policy in bytes on hosts without a limit of their own. Many servers and proxies read at most 8 KiB
/// of a header.
const MAX_POLICY: usize = 8000;

/// A host without files and limits of its own.
const BARE: HostFacts = HostFacts {
    host: Host::S3Rest,
    name: "",
    title: "",
    domains: &[],
    config_file: None,
    redirects_file: None,
    reads_headers_file: false,
    own_files: &[],
    platform_path: None,
    max_policy: Some(MAX_POLICY),
    has_page_policies: false,
    falls_back_to_home_page: false,
    has_fixed_not_found_page: false,
    answers_410: false,
    conventions: PLAIN,
};

/// All hosts, in the order of [`Host`]. The comments name the documentation or the measurement of the conventions.
pub const HOSTS: [HostFacts; 13] = [
    HostFacts {
        host: Host::S3Website,
        name: "s3-website",
        title: "S3",
        max_policy: None,
        // Measured at the endpoint.
        conventions: UNKNOWN_HOST,
        ..BARE
    },
    HostFacts {
        host: Host::Cloudfront,
        name: "cloudfront",
        title: "CloudFront",
        // Of a policy in a response headers policy.
        max_policy: Some(1783),
        ..BARE
    },
    HostFacts { host: Host::S3Rest, name: "s3-rest", title: "S3", max_policy: None, ..BARE },
    HostFacts {
        host: Host::GithubPages,
        name: "github-pages",
        title: "GitHub Pages",
        // "Creating a custom 404 page for your GitHub Pages site".
        has_fixed_not_found_page: true,
        domains: &["github.io"],
        own_files: &["CNAME"],
        max_policy: None,
        // The table of slorber/trailing-slash-guide, which measures one site on many hosts.
        conventions: Conventions { adds_html: true, ..PLAIN },
        ..BARE
    },
    HostFacts {
        host: Host::GitlabPages,
        name: "gitlab-pages",
        title: "GitLab Pages",
        // "Custom error codes pages".
        has_fixed_not_found_page: true,
        domains: &["gitlab.io"],
        // "GitLab Pages redirects": patterns count, too.
        redirects_file: Some(RedirectLimits { plain: 1_000, patterns: 1_000, size: 64 << 10, ..UNLIMITED }),
        max_policy: None,
        // GitLab's "Resolving ambiguous URLs", as corrected by gitlab-pages issues 418 and 1130.
        conventions: Conventions {
            adds_html: true,
            page_with_slash: WithSlash::File,
            folder: BareFolder::RedirectFirst,
            status: 302,
            ..PLAIN
        },
        ..BARE
    },
    HostFacts {
        host: Host::Netlify,
        name: "netlify",
        title: "Netlify",
        // "Custom 404 page handling".
        has_fixed_not_found_page: true,
        domains: &["netlify.app"],
        config_file: Some(ConfigFileFacts { name: "netlify.toml", is_in_project: true }),
        redirects_file: Some(UNLIMITED),
        reads_headers_file: true,
        // Functions and identity.
        platform_path: Some(b".netlify/"),
        // The table of trailing-slash-guide. It makes all paths lowercase ("My URL paths are forced into lowercase" in
        // its forum).
        conventions: Conventions {
            adds_html: true,
            page_with_slash: WithSlash::Redirect,
            ignores_case: true,
            ..PLAIN
        },
        ..BARE
    },
    HostFacts {
        host: Host::CloudflarePages,
        name: "cloudflare-pages",
        title: "Cloudflare Pages",
        // "Serving Pages", "Not Found behavior".
        has_fixed_not_found_page: true,
        domains: &["pages.dev"],
        // "Redirects" in its documentation.
        redirects_file: Some(RedirectLimits { plain: 2_000, patterns: 100, line: 1_000, ..UNLIMITED }),
        reads_headers_file: true,
        own_files: &["_routes.json", "_worker.js"],
        // "Serving Pages", "Single-page application (SPA) rendering" (November 2026).
        falls_back_to_home_page: true,
        // Lines of `_headers` have at most 2,000 characters.
        max_policy: Some(1970),
        // The table of trailing-slash-guide, and Cloudflare's "Serving Pages".
        conventions: Conventions {
            adds_html: true,
            drops_html: true,
            page_with_slash: WithSlash::Redirect,
            status: 308,
            ..PLAIN
        },
        ..BARE
    },
    HostFacts {
        host: Host::Vercel,
        name: "vercel",
        title: "Vercel",
        domains: &["vercel.app"],
        config_file: Some(ConfigFileFacts { name: "vercel.json", is_in_project: true }),
        // Analytics.
        platform_path: Some(b"_vercel/"),
        // Header values have at most 4,096 characters.
        max_policy: Some(4096),
        // The table of trailing-slash-guide; `cleanUrls` and `trailingSlash` of vercel.json are `clean-urls` and
        // `trailing-slash` here.
        // "cleanUrls" in its documentation: 308 from paths with the extension. Then `/page/` is `page.html`, too
        // (slorber/trailing-slash-guide#12).
        conventions: Conventions {
            folder: BareFolder::Index,
            drops_html_if_clean: true,
            status: 308,
            ..PLAIN
        },
        ..BARE
    },
    HostFacts {
        host: Host::Firebase,
        name: "firebase",
        title: "Firebase",
        // "Customize a 404/Not Found page".
        has_fixed_not_found_page: true,
        domains: &["web.app", "firebaseapp.com"],
        config_file: Some(ConfigFileFacts { name: "firebase.json", is_in_project: true }),
        // Reserved URLs.
        platform_path: Some(b"__/"),
        // Firebase's "Configure Hosting behavior": without `trailingSlash`, only index documents have one; with
        // `cleanUrls`, 301 from paths with the extension.
        conventions: Conventions { drops_html_if_clean: true, ..PLAIN },
        ..BARE
    },
    HostFacts {
        host: Host::AzureStaticWebApps,
        name: "azure-static-web-apps",
        title: "Azure Static Web Apps",
        domains: &["azurestaticapps.net"],
        config_file: Some(ConfigFileFacts { name: "staticwebapp.config.json", is_in_project: false }),
        // Logins.
        platform_path: Some(b".auth/"),
        // Azure's "Configure Azure Static Web Apps", the table of trailing slashes without configuration. Each value of
        // `trailingSlash` also makes addresses clean.
        conventions: Conventions {
            adds_html: true,
            drops_html_if_clean: true,
            page_with_slash: WithSlash::File,
            folder: BareFolder::Index,
            ..PLAIN
        },
        ..BARE
    },
    HostFacts {
        host: Host::Nginx,
        name: "nginx",
        title: "nginx",
        // nginx limits each parameter of its configuration to its buffer of 4 KiB.
        max_policy: Some(4094),
        has_page_policies: true,
        answers_410: true,
        // `merge_slashes` of ngx_http_core_module is on by default. Measured with nginx 1.22: without it, the file
        // system merges slashes, and only the redirect of a folder keeps them.
        conventions: Conventions { merges_slashes: true, folder: BareFolder::RedirectAlways, ..PLAIN },
        ..BARE
    },
    HostFacts {
        host: Host::Apache,
        name: "apache",
        title: "Apache",
        own_files: &[".htaccess"],
        has_page_policies: true,
        answers_410: true,
        // Measured with Apache 2.4.71: `DirectorySlash` of mod_dir and `MergeSlashes` of the core are on by default.
        conventions: Conventions { merges_slashes: true, folder: BareFolder::RedirectAlways, ..PLAIN },
        ..BARE
    },
    HostFacts {
        host: Host::Caddy,
        name: "caddy",
        title: "Caddy",
        has_page_policies: true,
        answers_410: true,
        // Measured with Caddy 2.6.2, `root` and `file_server`.
        conventions: Conventions { merges_slashes: true, status: 308, ..PLAIN },
        ..BARE
    },
];

/// The path below which Cloudflare answers itself. It may be in front of any host.
const CLOUDFLARE_PATH: &[u8] = b"cdn-cgi/";

impl HostFacts {
    /// Returns the names of the files that the host reads at the root of an export, and only there.
    pub fn files_of_export(&self) -> impl Iterator<Item = &'static str> {
        let redirects = self.redirects_file.map(|_| REDIRECTS_FILE);
        let headers = self.reads_headers_file.then_some(HEADERS_FILE);
        let config = self.config_file.filter(|file| !file.is_in_project).map(|file| file.name);
        let own = self.own_files.iter().copied();
        redirects.into_iter().chain(headers).chain(own).chain(config)
    }

    /// Whether the host reads a file with this name.
    pub fn reads(&self, name: &str) -> bool {
        self.config_file.is_some_and(|file| file.name == name)
            || self.files_of_export().any(|known| known == name)
    }
}

impl Host {
    /// All hosts.
    pub const ALL: [Host; HOSTS.len()] = {
        let mut all = [Host::S3Website; HOSTS.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = HOSTS[at].host;
            at += 1;
        }
        all
    };

    /// Returns the row of the host.
    pub fn facts(self) -> &'static HostFacts {
        static ROWS: [HostFacts; HOSTS.len()] = HOSTS;
        &ROWS[self as usize]
    }

    /// Returns the name of the configuration file with the host's redirects, if it has one besides `_redirects`.
    pub fn config_file(self) -> Option<&'static str> {
        self.facts().config_file.map(|file| file.name)
    }

    /// Returns the host that reads a configuration file, by the file's name.
    pub fn of_config_file(name: &str) -> Option<Host> {
        Host::ALL.into_iter().find(|host| host.config_file() == Some(name))
    }

    /// Returns a host by its name in the contract.
    pub fn named(name: &str) -> Option<Host> {
        Host::ALL.into_iter().find(|host| host.name() == name)
    }

    /// Returns the host's name in the contract.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns the host's name in messages.
    pub fn title(self) -> &'static str {
        self.facts().title
    }
}

/// Returns the limits of a host for `_redirects`; `None` if it does not read the file. An unknown host may read it.
pub fn redirect_limits(host: Option<Host>) -> Option<RedirectLimits> {
    host.map_or(Some(UNLIMITED), |host| host.facts().redirects_file)
}

/// Whether a platform itself answers a path: decoded, from the root of the origin, without its leading `/`. An unknown
/// host may be any platform.
#[inline]
pub(crate) fn is_answered_by_platform(host: Option<Host>, path: &[u8]) -> bool {
    // Almost all paths differ in their first byte.
    if !matches!(path.first(), Some(b'c' | b'.' | b'_')) {
        return false;
    }
    let rows = HOSTS.iter().filter(|row| host.is_none_or(|host| row.host == host));
    let mut prefixes = rows.filter_map(|row| row.platform_path);
    path.starts_with(CLOUDFLARE_PATH) || prefixes.any(|prefix| path.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{HOSTS, Host, is_answered_by_platform};

    #[test]
    fn a_host_is_read_by_its_name() {
        for (row, host) in HOSTS.iter().zip(Host::ALL) {
            assert_eq!((row.host, host.facts().host), (host, host));
            let read = toml::from_str::<std::collections::BTreeMap<String, Host>>(&format!(
                "h = \"{}\"",
                host.name()
            ));
            assert_eq!(read.unwrap()["h"], host);
            assert_eq!(Host::named(host.name()), Some(host));
        }
    }

    #[test]
    fn platforms_answer_their_own_paths() {
        for row in &HOSTS {
            let Some(prefix) = row.platform_path else { continue };
            let path = [prefix, b"x"].concat();
            for other in &HOSTS {
                assert_eq!(is_answered_by_platform(Some(other.host), &path), other.host == row.host);
            }
            assert!(is_answered_by_platform(None, &path), "{}", row.name);
        }
        assert!(is_answered_by_platform(Some(Host::Caddy), b"cdn-cgi/trace"));
        assert!(!is_answered_by_platform(None, b"about/"));
    }
}
