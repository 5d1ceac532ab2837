//! Runs the steps after a release goes live, under the same lease: invalidates CloudFront, verifies the live
//! site and deletes obsolete objects. Steps that fail are recorded as pending.

use std::time::Duration;

use async_trait::async_trait;

use crate::events::{Event, Listener};
use crate::failure::{Failure, FailureKind};
use crate::plan::Plan;
use crate::target::PublishTarget;
use crate::target_state::lease::{self, Lease, RunOptions};
use crate::target_state::pending::{Pending, SiteUrl};
use crate::target_state::state::{self, Stage, State};
use sitegate_check::{Contract, Seal};

/// Rejects post-publish options that cannot work, before anything is written.
///
/// # Errors
/// [`FailureKind::Usage`].
pub(crate) fn validate_options(
    target: &PublishTarget,
    invalidate: Option<&str>,
    verify: Option<&str>,
    verifier: Option<&dyn SiteVerifier>,
) -> Result<(), Failure> {
    if let Some(distribution) = invalidate {
        if distribution.is_empty() || !distribution.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            let message = format!("`{distribution}` is not a CloudFront distribution ID");
            let help = "IDs consist of letters and digits, such as E2EXAMPLE1";
            return Err(Failure::new(FailureKind::Usage, message).help(help));
        }
        if !target.capabilities().invalidates {
            let message = format!("{} has no AWS credentials, which --invalidate needs", target.url);
            return Err(Failure::new(FailureKind::Usage, message)
                .help("remove --invalidate, and invalidate CloudFront with another program"));
        }
    }
    if let Some(url) = verify {
        verifier.ok_or_else(|| Failure::without_network("verifying the live site"))?.refuse_url(url)?;
    }
    Ok(())
}

/// The inputs for verifying a live site, besides its URL.
#[derive(Clone, Copy)]
pub(crate) struct ExpectedSite<'e> {
    /// The seal that the site must match.
    pub seal: &'e Seal,
    /// The contract of the export.
    pub contract: &'e Contract,
    /// Timeout per request.
    pub timeout: Duration,
    /// The verifier; none in a program without the network.
    pub verifier: Option<&'e dyn SiteVerifier>,
}

/// Verifies live sites.
#[async_trait]
pub trait SiteVerifier: std::fmt::Debug + Send + Sync {
    /// Rejects a URL that is not one of a site.
    ///
    /// # Errors
    /// [`FailureKind::Usage`].
    fn refuse_url(&self, url: &str) -> Result<(), Failure>;

    /// Compares a live site with a seal, with a timeout for each request and for as long as the caller has patience.
    /// Returns the difference, which names the site by `shown`.
    ///
    /// # Errors
    /// When the site cannot be requested.
    async fn verify(
        &self,
        url: SiteUrl<'_>,
        shown: &str,
        seal: &Seal,
        contract: &Contract,
        timeout_and_patience: [Duration; 2],
    ) -> Result<Result<(), Failure>, Failure>;
}

/// A post-publish step that failed.
#[derive(Debug)]
pub(crate) struct FailedStep {
    /// The failure.
    pub failure: Failure,
    /// Whether the failure triggers a rollback.
    pub rolls_back: bool,
}

/// A run whose release is live, and which still holds the lease.
pub(crate) struct LiveRun<'l> {
    target: &'l PublishTarget,
    lease: Lease<'l>,
}

impl<'l> LiveRun<'l> {
    /// Creates the value for a run whose release has just gone live.
    pub(crate) fn new(target: &'l PublishTarget, lease: Lease<'l>) -> LiveRun<'l> {
        LiveRun { target, lease }
    }

    /// Acquires the lease of a target whose release is already live, to complete pending steps.
    ///
    /// # Errors
    /// [`FailureKind::Held`] when another publisher is at work.
    pub(crate) async fn acquire(
        target: &'l PublishTarget,
        state: &State,
        options: &RunOptions,
    ) -> Result<LiveRun<'l>, Failure> {
        lease::refuse_if_held(state)?;
        Ok(LiveRun::new(target, Lease::acquire_for_maintenance(target, state, options).await?))
    }

    /// Ends the lease, and records the steps that remain.
    ///
    /// # Errors
    /// [`FailureKind::Held`] when another publisher acquired the target meanwhile, and when the store fails.
    pub(crate) async fn end(self, remaining: Pending) -> Result<(), Failure> {
        self.lease.update(|run| {
            run.pending = remaining;
            if run.stage == Stage::Publishing {
                run.unfinished = state::unfinished(run);
                run.stage = Stage::Released;
            }
        });
        self.lease.end().await.map(|_| ())
    }

    /// Completes the pending steps for the live release, deletes obsolete objects and ends the lease.
    ///
    /// # Errors
    /// The step that failed. It stays pending, and nothing is deleted.
    pub(crate) async fn complete(
        self,
        todo: &Pending,
        plan: &Plan,
        expected: Option<ExpectedSite<'_>>,
        notify: Listener<'_>,
    ) -> Result<(), FailedStep> {
        let held = |failure| FailedStep { failure, rolls_back: false };
        let steps = run_steps(self.target, plan.live_name(), todo, expected);
        let steps = self.lease.unless_stopped(async { Ok(steps.await) });
        let (remaining, failed) = match self.lease.renew_during(steps).await {
            Ok(finished) => finished,
            Err(failure) if failure.is_stop() => {
                let more = "the release is live; run the same command again to complete the remaining steps";
                (todo.clone(), Some(held(failure.help_also(more))))
            }
            Err(failure) => (todo.clone(), Some(held(failure))),
        };
        if let Some(failed_step) = failed {
            // If the store itself is down, the lease expires on its own.
            let _ = self.end(remaining).await;
            return Err(failed_step);
        }
        self.clear(plan, notify).await;
        // The release is live and verified. If this record cannot be written, the next run verifies again.
        let _ = self.end(remaining).await;
        Ok(())
    }

    /// Deletes the objects that the live release no longer has. A failure is only a warning: the next publish
    /// deletes them.
    async fn clear(&self, plan: &Plan, notify: Listener<'_>) {
        if plan.deletes.is_empty() {
            return;
        }
        let delete = async || {
            for keys in plan.ordered_deletes() {
                self.target.delete(&keys).await?;
                self.target.flush().await?;
            }
            Ok(())
        };
        if let Err(failure) = self.lease.renew_during(self.lease.while_held(delete)).await {
            let message = format!("the release is live, but old objects remain: {}", failure.message);
            notify(&Event::Warning { message: &message });
        }
    }
}

/// Runs the pending steps. Returns the steps that remain, and the step that failed.
pub(crate) async fn run_steps(
    target: &PublishTarget,
    release: &str,
    todo: &Pending,
    expected: Option<ExpectedSite<'_>>,
) -> (Pending, Option<FailedStep>) {
    let mut remaining = todo.clone();
    let wants_back = todo.verify.as_ref().is_some_and(|verify| verify.rollback);
    if let Some(distribution) = &todo.invalidate {
        match target.store().invalidate(distribution, release).await.map_err(Failure::from) {
            Ok(()) => remaining.invalidate = None,
            Err(failure) => {
                let failure = as_unverified(failure);
                return (remaining, Some(FailedStep { failure, rolls_back: wants_back }));
            }
        }
    }
    if let (Some(verify), Some(expected)) = (&todo.verify, expected) {
        // In a program without the network, the step stays pending.
        let Some(verifier) = expected.verifier else { return (remaining, None) };
        let address = match verify.address() {
            Ok(address) => address,
            Err(failure) => return (remaining, Some(FailedStep { failure, rolls_back: false })),
        };
        let times = [expected.timeout, Duration::from_secs(verify.patience)];
        match verifier.verify(address, &verify.url, expected.seal, expected.contract, times).await {
            Ok(Ok(())) => remaining.verify = None,
            Ok(Err(failure)) => return (remaining, Some(FailedStep { failure, rolls_back: wants_back })),
            Err(failure) => {
                return (remaining, Some(FailedStep { failure: as_unverified(failure), rolls_back: false }));
            }
        }
    }
    (remaining, None)
}

/// Marks a failure as post-publish: the release is already live.
fn as_unverified(failure: Failure) -> Failure {
    Failure { kind: FailureKind::Unverified, ..failure }
}
