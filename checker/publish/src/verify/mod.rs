//! Verifies that a live site matches its seal: every file's bytes, and every page with and without a trailing
//! slash. What an edge made of the answers before a release is no fault of the release.

mod additions;
mod comparison;
mod expectation;
mod judgement;
mod look;
#[cfg(test)]
mod tests;
mod verification;

use std::time::Duration;

use futures_util::StreamExt;
use sitegate_address::SitePath;
use sitegate_check::{Contract, Seal};
use tokio::time::Instant;
use url::Url;

use self::expectation::{Expectation, expectations};
use crate::failure::{Failure, FailureKind};
use crate::visitor::{NoAnswer, SiteAnswer, Visitor};

pub use self::judgement::SiteBefore;
pub(crate) use self::look::Earlier;
pub use self::verification::{SiteVerdict, Verification, WrongResponse};

/// Pause between two verifications.
const PAUSE: Duration = Duration::from_secs(2);

/// Maximum number of concurrent requests.
pub const MAX_REQUESTS: usize = 16;

/// A live site, and the release that it must serve.
#[derive(Clone, Copy)]
pub struct Site<'s> {
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
fn is_unavailable(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 502 | 503 | 504 | 520..=527 | 530)
}

/// Returns the name extension of a file.
fn extension(path: &str) -> &str {
    SitePath::new(path).name().rsplit_once('.').map_or("", |(_, extension)| extension)
}

impl Site<'_> {
    /// Returns the site's URL without user name and password.
    pub(crate) fn plain_url(&self) -> Result<Url, Failure> {
        let mut url = parse_site_url(self.url)?;
        // A URL with a host supports both.
        let _ = url.set_username("").and_then(|()| url.set_password(None));
        Ok(url)
    }

    /// ExpectationList everything in the seal.
    ///
    /// # Errors
    /// [`FailureKind::Usage`] when the URL is not that of a site.
    pub async fn verify(
        &self,
        visitor: &dyn Visitor,
        before: SiteBefore<'_>,
    ) -> Result<Verification, Failure> {
        let url = self.plain_url()?;
        let expectations = expectations(url.as_str().trim_end_matches('/'), self.seal, self.contract);
        let mut answers = futures_util::stream::iter(expectations)
            .map(|expectation| async move {
                let answer = expectation.request(visitor).await;
                (expectation, answer)
            })
            .buffer_unordered(MAX_REQUESTS);
        let mut found = Verification::default();
        while let Some((expectation, answer)) = answers.next().await {
            match answer {
                Ok(answer) if is_unavailable(answer.status) => found.add_unavailable(&expectation, &answer),
                Ok(answer) => {
                    let mismatches = expectation.compare(&answer, self.contract);
                    found.add_compared(&expectation, &answer, mismatches, before);
                }
                Err(no_answer) => found.add_unanswered(&expectation, no_answer),
            }
        }
        found.sort();
        Ok(found)
    }

    /// Verifies repeatedly until the site matches the seal, or `patience` ends.
    ///
    /// # Errors
    /// As [`Site::verify`].
    pub async fn verify_until(
        &self,
        visitor: &dyn Visitor,
        before: SiteBefore<'_>,
        patience: Duration,
    ) -> Result<Verification, Failure> {
        let end = Instant::now() + patience;
        loop {
            let found = self.verify(visitor, before).await?;
            if found.verdict() == SiteVerdict::Verified || Instant::now() >= end {
                return Ok(found);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

impl Expectation<'_> {
    async fn request(&self, visitor: &dyn Visitor) -> Result<SiteAnswer, NoAnswer> {
        let url = Url::parse(&self.url).map_err(|error| NoAnswer {
            reason: format!("this is no URL: {error}"),
            was_sent: true,
            is_private: false,
        })?;
        if self.is_head { visitor.head(&url).await } else { visitor.get(&url, self.limit()).await }
    }
}
