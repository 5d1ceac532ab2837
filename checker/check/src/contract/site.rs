//! `[site]`: what the export is and where it will live.

use std::ops::Range;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use super::host::{Host, TrailingSlash};
use super::setting::{Placed, Setting};

/// `[site]`: what the export is and where it will live.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct RawSite {
    pub root: Option<Spanned<PathBuf>>,
    pub origin: Option<Spanned<Setting>>,
    pub base_path: Option<Spanned<String>>,
    pub not_found: Option<Spanned<String>>,
    pub host: Option<Host>,
    pub trailing_slash: Option<TrailingSlash>,
    pub clean_urls: Option<bool>,
}

/// What the export is and where it will live.
#[derive(Clone, Debug)]
pub struct SiteSettings {
    /// The export's folder, from the contract; the command line may name another.
    pub root: Option<PathBuf>,
    /// Scheme, host and port of the live site: its absolute URLs are then checked as local files.
    pub origin: Option<url::Url>,
    /// Where the contract names that, in bytes.
    pub origin_key: Range<usize>,
    /// The path the export is deployed under, with a slash at both ends; `/` by default.
    pub base_path: String,
    /// Whether the contract says so.
    pub has_base_path: bool,
    /// The file that answers unknown paths.
    pub not_found: Option<Placed>,
    /// Which host the site is for.
    pub host: Option<Host>,
    /// What happens to a page's trailing slash.
    pub trailing_slash: TrailingSlash,
    /// Whether the contract says so.
    pub has_trailing_slash: bool,
    /// Whether `/page` is answered with `page.html`, where that is not left to the host.
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
            not_found: None,
            host: None,
            trailing_slash: TrailingSlash::default(),
            has_trailing_slash: false,
            clean_urls: None,
        }
    }
}

impl SiteSettings {
    /// The file that answers unknown paths, by its path below the root; `404.html` where nothing is said.
    pub fn not_found_file(&self) -> &str {
        self.not_found.as_ref().map_or("404.html", |name| name.value.trim_start_matches('/'))
    }
}

/// An origin that is none.
#[derive(Debug, thiserror::Error)]
pub(super) enum OriginError {
    #[error("`{text}`: {source}")]
    Url { text: String, source: url::ParseError },
    #[error("`{0}` is not an origin such as https://www.example.com")]
    NotBare(String),
}

/// Parses an origin: scheme, host and port, with nothing after it.
pub(super) fn origin(text: &str) -> Result<url::Url, OriginError> {
    let url = url::Url::parse(text).map_err(|source| OriginError::Url { text: text.to_owned(), source })?;
    let bare = matches!(url.scheme(), "http" | "https")
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none();
    if bare { Ok(url) } else { Err(OriginError::NotBare(text.to_owned())) }
}
