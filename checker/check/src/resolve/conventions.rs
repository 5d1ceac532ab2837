//! Lists how each host answers paths that are not plain file names, and the documentation or measurement of it.

use crate::contract::host::Host;

/// The conventions of a host for paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conventions {
    /// Whether `/page` serves `page.html`.
    pub adds_html: bool,
    /// Whether `/page.html` redirects to `/page`, and `/index.html` to `/`.
    pub drops_html: bool,
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
pub(super) enum WithSlash {
    /// No answer.
    Nothing,
    /// The file.
    File,
    /// A redirect to the path without the `/`.
    Redirect,
}

/// The answer to a folder name without `/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BareFolder {
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
const DEFAULT: Conventions = Conventions {
    adds_html: false,
    drops_html: false,
    page_with_slash: WithSlash::Nothing,
    folder: BareFolder::Redirect,
    merges_slashes: false,
    ignores_case: false,
    status: 301,
};

impl Conventions {
    /// Returns the conventions of a host; without a host, those of most hosts.
    #[expect(clippy::match_same_arms, reason = "each host has a source of its own")]
    pub fn for_host(host: Option<Host>) -> Conventions {
        match host {
            // Measured at the endpoint.
            None | Some(Host::S3Website) => Conventions { status: 302, ..DEFAULT },
            Some(Host::Cloudfront | Host::S3Rest) => DEFAULT,
            // The table of slorber/trailing-slash-guide, which measures one site on many hosts.
            Some(Host::GithubPages) => Conventions { adds_html: true, ..DEFAULT },
            // The same table. It makes all paths lowercase ("My URL paths are forced into lowercase" in its forum).
            Some(Host::Netlify) => Conventions {
                adds_html: true,
                page_with_slash: WithSlash::Redirect,
                ignores_case: true,
                ..DEFAULT
            },
            // The same table, and Cloudflare's "Serving Pages".
            Some(Host::CloudflarePages) => Conventions {
                adds_html: true,
                drops_html: true,
                page_with_slash: WithSlash::Redirect,
                status: 308,
                ..DEFAULT
            },
            // The same table; `cleanUrls` and `trailingSlash` of vercel.json are `clean-urls` and `trailing-slash` here.
            Some(Host::Vercel) => Conventions { folder: BareFolder::Index, status: 308, ..DEFAULT },
            // GitLab's "Resolving ambiguous URLs", as corrected by gitlab-pages issues 418 and 1130.
            Some(Host::GitlabPages) => Conventions {
                adds_html: true,
                page_with_slash: WithSlash::File,
                folder: BareFolder::RedirectFirst,
                status: 302,
                ..DEFAULT
            },
            // Firebase's "Configure Hosting behavior": without `trailingSlash`, only index documents have one.
            Some(Host::Firebase) => DEFAULT,
            // Azure's "Configure Azure Static Web Apps", the table of trailing slashes without configuration.
            Some(Host::AzureStaticWebApps) => Conventions {
                adds_html: true,
                page_with_slash: WithSlash::File,
                folder: BareFolder::Index,
                ..DEFAULT
            },
            // `merge_slashes` of ngx_http_core_module is on by default. Measured with nginx 1.22: without it, the file
            // system merges slashes, and only the redirect of a folder keeps them.
            Some(Host::Nginx) => {
                Conventions { merges_slashes: true, folder: BareFolder::RedirectAlways, ..DEFAULT }
            }
            // Measured with Apache 2.4.71: `DirectorySlash` of mod_dir and `MergeSlashes` of the core are on by default.
            Some(Host::Apache) => {
                Conventions { merges_slashes: true, folder: BareFolder::RedirectAlways, ..DEFAULT }
            }
            // Measured with Caddy 2.6.2, `root` and `file_server`.
            Some(Host::Caddy) => Conventions { merges_slashes: true, status: 308, ..DEFAULT },
        }
    }
}

/// Paths below which a platform answers itself, and the platform.
///
/// Netlify's functions and identity; Vercel's analytics; Firebase's reserved URLs; the logins of Azure Static Web
/// Apps; and Cloudflare's `/cdn-cgi/`, which may be in front of any host.
const PLATFORM: [(&[u8], Option<Host>); 5] = [
    (b"cdn-cgi/", None),
    (b".netlify/", Some(Host::Netlify)),
    (b"_vercel/", Some(Host::Vercel)),
    (b"__/", Some(Host::Firebase)),
    (b".auth/", Some(Host::AzureStaticWebApps)),
];

/// Whether a platform itself answers a path: decoded, from the root of the origin, without its leading `/`. An unknown
/// host may be any platform.
pub(super) fn is_answered_by_platform(host: Option<Host>, path: &[u8]) -> bool {
    PLATFORM.iter().any(|(prefix, owner)| {
        // Almost all paths differ in their first byte.
        path.first() == prefix.first()
            && path.starts_with(prefix)
            && (host.is_none() || owner.is_none() || *owner == host)
    })
}
