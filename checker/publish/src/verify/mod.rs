//! Verifies that a live site matches its seal: every file's bytes, and every page with and without a trailing
//! slash. What an edge made of the answers before a release is no fault of the release.

mod comparison;
mod expectation;
mod look;
#[cfg(test)]
mod tests;
mod verification;

use std::time::Duration;

use futures_util::StreamExt;
use tokio::time::Instant;

use self::expectation::{expectations, request_all};
use self::verification::is_unavailable;
use crate::failure::Failure;
use crate::visitor::Visitor;

pub use self::expectation::MAX_REQUESTS;
pub(crate) use self::look::Earlier;
pub use self::verification::{
    SealedSite, SiteBefore, SiteVerdict, Verification, WrongResponse, parse_site_url,
};

/// Pause between two verifications.
const PAUSE: Duration = Duration::from_secs(2);

impl SealedSite<'_> {
    /// Requests everything in the seal.
    ///
    /// # Errors
    /// [`FailureKind::Usage`](crate::failure::FailureKind::Usage) when the URL is not that of a site.
    pub async fn verify(
        &self,
        visitor: &dyn Visitor,
        before: SiteBefore<'_>,
    ) -> Result<Verification, Failure> {
        let url = self.plain_url()?;
        let expectations = expectations(url.as_str().trim_end_matches('/'), self.seal, self.contract);
        let mut answers = request_all(expectations, visitor);
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
    /// As [`SealedSite::verify`].
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
