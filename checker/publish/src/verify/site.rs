//! The live site to verify: its URL, and the answers that say nothing about it.

use sitegate_address::SitePath;
use sitegate_check::{Contract, Seal};
use url::Url;

use crate::failure::{Failure, FailureKind};

/// Maximum number of concurrent requests.
pub const MAX_REQUESTS: usize = 16;

/// A live site, and the release that it must serve.
#[derive(Clone, Copy)]
pub struct SealedSite<'s> {
    /// The site's URL. Its user name and password are those of the visitor.
    pub url: &'s str,
    /// The seal of the release.
    pub seal: &'s Seal,
    /// The contract of the release.
    pub contract: &'s Contract,
}

/// Parses the URL of a site.
///
/// # Errors
/// [`FailureKind::Usage`] when it is no site's URL.
pub fn parse_site_url(base: &str) -> Result<Url, Failure> {
    let url = Url::parse(base).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none()
    });
    url.ok_or_else(|| {
        let message = format!("`{base}` is not the URL of a site, such as https://www.example.com");
        Failure::new(FailureKind::Usage, message)
    })
}

/// Whether a status says nothing about the release: overload, or a gateway that does not reach the site. `520` to
/// `530` are Cloudflare's.
pub(super) fn is_unavailable(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 502 | 503 | 504 | 520..=527 | 530)
}

/// Returns the name extension of a file.
pub(super) fn extension(path: &str) -> &str {
    SitePath::new(path).extension().unwrap_or_default()
}

impl SealedSite<'_> {
    /// Returns the site's URL without user name and password.
    pub(crate) fn plain_url(&self) -> Result<Url, Failure> {
        let mut url = parse_site_url(self.url)?;
        // A URL with a host supports both.
        let _ = url.set_username("").and_then(|()| url.set_password(None));
        Ok(url)
    }
}
