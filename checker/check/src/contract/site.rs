//! Parses `[site]`: the export and its deployment.

use std::ops::Range;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use sitegate_host::answer::HostProfile;

use super::schema::Spanned;
use super::setting::{Placed, ResolvedSetting, Setting};
use sitegate_host::{Host, TrailingSlash};

/// `[site]` as parsed from TOML.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(inline)]
pub(super) struct RawSite {
    /// The folder of the export, relative to this file.
    pub root: Option<Spanned<PathBuf>>,
    /// Scheme, host and port of the live site. Absolute URLs with this origin are checked as local files. Default:
    /// inferred.
    pub origin: Option<Spanned<Setting>>,
    /// The URL path that the site is deployed under, such as /docs/. Default: inferred.
    #[schemars(regex(pattern = "^/(.*/)?$"))]
    pub base_path: Option<Spanned<String>>,
    /// The file that the host serves for unknown paths. Default: 404.html.
    pub not_found: Option<Spanned<String>>,
    /// The host that serves the site. It determines the answers to paths that are not file names. Default: inferred.
    pub host: Option<Host>,
    /// Whether the host redirects /dir to /dir/ (`redirect`), or /dir/ to /dir (`never`). Default: inferred.
    pub trailing_slash: Option<TrailingSlash>,
    /// Whether the host serves page.html for /page. Only for hosts that can do both. Default: inferred.
    pub clean_urls: Option<bool>,
    /// The host's configuration file outside of the export, relative to this file: vercel.json, netlify.toml,
    /// firebase.json or staticwebapp.config.json. Its redirects, rewrites, cleanUrls and trailingSlash are used. One in the
    /// export needs no key.
    pub host_config: Option<Spanned<PathBuf>>,
}

/// The export and its deployment.
#[derive(Clone, Debug)]
pub struct SiteSettings {
    /// The export's folder. The command line can override it.
    pub root: Option<PathBuf>,
    /// Scheme, host and port of the live site. Absolute URLs with this origin are checked as local files.
    pub origin: Option<url::Url>,
    /// The origin's span in the contract, in bytes.
    pub(crate) origin_key: Range<usize>,
    /// The URL path that the site is deployed under, with a slash at both ends; `/` by default.
    pub base_path: String,
    /// Whether the contract sets the base path.
    pub has_base_path: bool,
    /// The URL that pages state for the site, and a path from the root of the origin that contradicts it. Inferred.
    pub contradicted_url: Option<(String, String)>,
    /// The host in canonical links, if the sitemap states another one, so that the origin is unknown. Inferred.
    pub(crate) canonical_host: Option<String>,
    /// The file that the host serves for unknown paths.
    pub not_found: Option<Placed>,
    /// The host.
    pub host: Option<Host>,
    /// The host's treatment of trailing slashes.
    pub trailing_slash: TrailingSlash,
    /// Whether the contract or the host's configuration file sets the trailing slash.
    pub(crate) has_trailing_slash: bool,
    /// Whether the host serves `page.html` for `/page`, if the contract or the host's configuration file says so.
    pub clean_urls: Option<bool>,
}

impl Default for SiteSettings {
    fn default() -> Self {
        SiteSettings {
            root: None,
            origin: None,
            origin_key: 0..0,
            base_path: "/".to_owned(),
            has_base_path: false,
            contradicted_url: None,
            canonical_host: None,
            not_found: None,
            host: None,
            trailing_slash: TrailingSlash::default(),
            has_trailing_slash: false,
            clean_urls: None,
        }
    }
}

impl SiteSettings {
    /// Returns the not-found file's path below the root; `404.html` by default.
    pub fn not_found_file(&self) -> &str {
        self.not_found.as_ref().map_or("404.html", |name| name.value.trim_start_matches('/'))
    }

    /// Returns the profile of the host, by which it answers paths.
    pub fn host_profile(&self) -> HostProfile {
        let profile = HostProfile::new(self.host, self.trailing_slash, self.clean_urls);
        if self.has_trailing_slash { profile.with_stated_slash() } else { profile }
    }
}

/// The reason why an origin is invalid.
#[derive(Debug, thiserror::Error)]
pub(super) enum OriginError {
    #[error("{text}: {source}")]
    Url { text: String, source: url::ParseError },
    #[error("write the scheme: \"https://{0}\"")]
    NoScheme(String),
    #[error("{0} is not an origin such as https://www.example.com")]
    NotBare(String),
}

/// Parses an origin: scheme, host and port, and nothing else.
pub(super) fn origin(setting: &ResolvedSetting) -> Result<url::Url, OriginError> {
    let text = || setting.display(&setting.value);
    if setting.source.is_none() && !setting.value.contains("//") && is_host(&setting.value) {
        return Err(OriginError::NoScheme(setting.value.clone()));
    }
    let url = url::Url::parse(&setting.value).map_err(|source| OriginError::Url { text: text(), source })?;
    let bare = matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none()
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none();
    if bare { Ok(url) } else { Err(OriginError::NotBare(text())) }
}

/// Whether text is a host name with a dot or a port, and nothing else.
fn is_host(text: &str) -> bool {
    let url = url::Url::parse(&format!("https://{text}"));
    text.contains(['.', ':'])
        && url.is_ok_and(|url| url.path() == "/" && !text.contains(['/', '?', '#', '@', '\\']))
}
