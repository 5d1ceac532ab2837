//! Publishes, and verifies a live site that does not answer, for longer than a lease. Others wait until it ends.

use std::time::Duration;

use async_trait::async_trait;
use sitegate_check::Contract;
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::publish::PostPublish;
use sitegate_publish::target_state::pending::SiteUrl;
use sitegate_publish::visitor::{NoAnswer, SiteAnswer, Visitor, Visitors};
use tokio::time::{Instant, sleep};
use url::Url;

use super::link::{Disturbance, Faults};
use super::operation::{End, LEASE, Operation, Run};
use super::report::Trouble;
use super::round::{Round, in_round};
use super::site::Site;
use super::world::Kind;

/// A site that does not answer.
#[derive(Debug)]
struct SilentSite;

impl SilentSite {
    fn answer() -> Result<SiteAnswer, NoAnswer> {
        Err(NoAnswer { reason: "it does not answer".to_owned(), was_sent: true, is_private: false })
    }
}

#[async_trait]
impl Visitor for SilentSite {
    async fn get(&self, _: &Url, _: u64) -> Result<SiteAnswer, NoAnswer> {
        SilentSite::answer()
    }

    async fn head(&self, _: &Url) -> Result<SiteAnswer, NoAnswer> {
        SilentSite::answer()
    }
}

impl Visitors for SilentSite {
    fn open(&self, _: SiteUrl<'_>, _: &Contract, _: Duration) -> Result<Box<dyn Visitor>, Failure> {
        Ok(Box::new(SilentSite))
    }
}

/// Publishes with a verification that takes several leases, and a rollback at its end.
pub fn others_wait(site: &Site, kind: Kind) -> Result<(), Trouble> {
    in_round(site, kind, 1, "a verification", async |round| round.verify_at_work().await)
}

/// Publishes a release that deletes files, and whose site does not answer. Repeating it adds no release, so that the one
/// before can be restored.
pub fn repeats_add_no_release(site: &Site, kind: Kind) -> Result<(), Trouble> {
    in_round(site, kind, 1, "a repeated verification", async |round| round.repeat_verification().await)
}

impl Round<'_> {
    async fn repeat_verification(&mut self) -> Result<(), String> {
        for version in [1, 0] {
            self.complete(version, 2).await?;
        }
        let steps = PostPublish {
            verify: Some("https://www.example.com/"),
            visitors: Some(&SilentSite),
            ..PostPublish::default()
        };
        for attempt in 0..5 {
            let publisher = self.publisher(Disturbance::None, Faults::default());
            let publisher = Run { post_publish: steps, ..publisher };
            let end = publisher.end(&Operation::Publish(2, 2)).await;
            if end.failure() != Some(FailureKind::Unverifiable) {
                return Err(format!("attempt {attempt} to verify a site that does not answer: {end:?}"));
            }
            self.sound()?;
            match self.must(&Operation::Status).await? {
                End::Done(status) if status.listed.iter().map(|listed| listed.1).eq([0, 1]) => {}
                other => return Err(format!("attempt {attempt} should keep both releases: {other:?}")),
            }
        }
        let releases = |key: &&String| key.starts_with(".sitegate/releases/");
        let count = self.world.lock().unwrap().objects.keys().filter(releases).count();
        if count != 3 {
            return Err(format!("3 versions are {count} releases"));
        }
        self.must(&Operation::Gc(2)).await?;
        self.live = None;
        // The pending verification and deletions belong to the release that was live.
        match self.must(&Operation::RollBack(None)).await? {
            End::Done(report) if report.version == Some(0) => {}
            other => return Err(format!("not rolled back to the version before: {other:?}")),
        }
        match self.must(&Operation::RollBack(None)).await? {
            End::Done(report) if report.version == Some(1) => {}
            other => return Err(format!("not rolled back to the version before that: {other:?}")),
        }
        self.complete(2, 5).await
    }

    async fn verify_at_work(&mut self) -> Result<(), String> {
        self.complete(0, 5).await?;
        let patience = 3 * LEASE;
        let steps = PostPublish {
            verify: Some("https://www.example.com/"),
            patience,
            rollback: true,
            rollback_unverified: true,
            visitors: Some(&SilentSite),
            ..PostPublish::default()
        };
        let publisher = self.publisher(Disturbance::None, Faults::default());
        let publisher = Run { post_publish: steps, ..publisher };
        let start = Instant::now();
        let others = async {
            while start.elapsed() < patience.saturating_sub(Duration::from_secs(20)) {
                sleep(Duration::from_secs(10)).await;
                let other = self.publisher(Disturbance::None, Faults::default());
                let end = other.end(&Operation::Publish(2, 5)).await;
                if end.failure() != Some(FailureKind::Held) {
                    return Err(format!("another one is not refused during a verification: {end:?}"));
                }
            }
            Ok(())
        };
        let (end, others) = tokio::join!(publisher.end(&Operation::Publish(1, 5)), others);
        others?;
        self.sound()?;
        match &end {
            End::Failed(failure) if failure.kind == FailureKind::RolledBack => {}
            _ => return Err(format!("a site that does not answer ends a publish with {end:?}")),
        }
        (self.live, self.may_be_held) = (None, true);
        self.complete(2, 5).await
    }
}
