//! What each host makes of paths that are not plain names of files, and the source that says so.

use crate::contract::host::Host;

/// What a host makes of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conventions {
    /// Whether `/page` is answered with `page.html`.
    pub adds_html: bool,
    /// Whether `/page.html` is redirected to `/page`, and `/index.html` to `/`.
    pub drops_html: bool,
    /// What `/page/` gets where `page.html` is there.
    pub page_with_slash: WithSlash,
    /// What `/dir` gets.
    pub folder: BareFolder,
    /// Whether `a//b` is `a/b`.
    pub merges_slashes: bool,
    /// The status of its redirects.
    pub status: u16,
}

/// What a path gets that has a `/` after the name of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WithSlash {
    /// Nothing.
    Nothing,
    /// The file.
    File,
    /// A redirect to the path without the `/`.
    Redirect,
}

/// What a directory's name without `/` gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BareFolder {
    /// A redirect to the name with `/`, where there is an index document.
    Redirect,
    /// The same, whether there is an index document or not.
    RedirectUnseen,
    /// The same, before a page of that name is looked for.
    RedirectFirst,
    /// The index document.
    Index,
}

/// What most hosts do.
const USUAL: Conventions = Conventions {
    adds_html: false,
    drops_html: false,
    page_with_slash: WithSlash::Nothing,
    folder: BareFolder::Redirect,
    merges_slashes: false,
    status: 301,
};

impl Conventions {
    /// What a host makes of paths; of none, what most do.
    pub fn of(host: Option<Host>) -> Conventions {
        match host {
            // Measured at the endpoint.
            None | Some(Host::S3Website) => Conventions { status: 302, ..USUAL },
            Some(Host::Cloudfront | Host::S3Rest) => USUAL,
            // The table of slorber/trailing-slash-guide, which measures one site on many hosts.
            Some(Host::GithubPages) => Conventions { adds_html: true, ..USUAL },
            Some(Host::Netlify) => {
                Conventions { adds_html: true, page_with_slash: WithSlash::Redirect, ..USUAL }
            }
            // The same table, and Cloudflare's "Serving Pages".
            Some(Host::CloudflarePages) => Conventions {
                adds_html: true,
                drops_html: true,
                page_with_slash: WithSlash::Redirect,
                status: 308,
                ..USUAL
            },
            // The same table; `cleanUrls` and `trailingSlash` of vercel.json are `clean-urls` and `trailing-slash` here.
            Some(Host::Vercel) => Conventions { folder: BareFolder::Index, status: 308, ..USUAL },
            // GitLab's "Resolving ambiguous URLs", as corrected by gitlab-pages issues 418 and 1130.
            Some(Host::GitlabPages) => Conventions {
                adds_html: true,
                page_with_slash: WithSlash::File,
                folder: BareFolder::RedirectFirst,
                status: 302,
                ..USUAL
            },
            // Firebase's "Configure Hosting behavior": without `trailingSlash`, only index documents have one.
            Some(Host::Firebase) => USUAL,
            // Azure's "Configure Azure Static Web Apps", the table of trailing slashes where nothing is configured.
            Some(Host::AzureStaticWebApps) => Conventions {
                adds_html: true,
                page_with_slash: WithSlash::File,
                folder: BareFolder::Index,
                ..USUAL
            },
            // `merge_slashes` of ngx_http_core_module is on by default.
            Some(Host::Nginx) => {
                Conventions { merges_slashes: true, folder: BareFolder::RedirectUnseen, ..USUAL }
            }
            // Measured with Apache 2.4.71: `DirectorySlash` of mod_dir and `MergeSlashes` of the core are on by default.
            Some(Host::Apache) => {
                Conventions { merges_slashes: true, folder: BareFolder::RedirectUnseen, ..USUAL }
            }
            // Measured with Caddy 2.6.2, `root` and `file_server`.
            Some(Host::Caddy) => Conventions { merges_slashes: true, status: 308, ..USUAL },
        }
    }
}

/// Paths below which a platform answers by itself, and whose platform it is.
///
/// Netlify's functions and identity; Vercel's analytics; Firebase's reserved URLs; the logins of Azure Static Web Apps;
/// and Cloudflare's `/cdn-cgi/`, which any host may stand behind.
const PLATFORM: [(&[u8], Option<Host>); 5] = [
    (b"cdn-cgi/", None),
    (b".netlify/", Some(Host::Netlify)),
    (b"_vercel/", Some(Host::Vercel)),
    (b"__/", Some(Host::Firebase)),
    (b".auth/", Some(Host::AzureStaticWebApps)),
];

/// Whether a platform answers a path by itself: decoded, from the root of the origin, without its leading `/`. Where the
/// host is not known, it may be any.
pub(super) fn is_answered_by_platform(host: Option<Host>, path: &[u8]) -> bool {
    PLATFORM.iter().any(|(prefix, owner)| {
        path.starts_with(prefix) && (host.is_none() || owner.is_none() || *owner == host)
    })
}
