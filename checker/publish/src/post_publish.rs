//! Runs the steps after a release goes live, under the same lease: invalidates CloudFront, verifies the live
//! site and deletes obsolete objects. Steps that fail are recorded as pending.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::failure::{Failure, FailureKind};
use crate::plan::Plan;
use crate::publication::{Event, Listener};
use crate::target::PublishTarget;
use crate::target_state::lease::Lease;
use crate::target_state::pending::{KnownEdge, Pending, PendingVerification, SiteUrl};
use crate::target_state::state::State;
use crate::verify::{Earlier, SealedSite, SiteBefore, SiteVerdict, Verification};
use crate::visitor::{Visitor, Visitors};
use sitegate_check::{Contract, Seal};

/// The steps to run after a release is live.
#[derive(Clone, Copy, Debug, Default)]
pub struct PostPublish<'a> {
    /// The CloudFront distribution to invalidate.
    pub invalidate: Option<&'a str>,
    /// The URL of the live site to verify.
    pub verify: Option<&'a str>,
    /// How long to retry the verification.
    pub patience: Duration,
    /// Timeout for each request of the verification.
    pub timeout: Duration,
    /// Whether to roll back if the site does not match the release.
    pub rollback: bool,
    /// Whether to roll back, too, if the site could not be verified.
    pub rollback_unverified: bool,
    /// Whether to drop steps that an earlier publish did not complete.
    pub drop_pending: bool,
    /// Visitors of live sites; none in a build without the network.
    pub visitors: Option<&'a dyn Visitors>,
}

/// Rejects post-publish options that cannot work, before anything is written.
///
/// # Errors
/// [`FailureKind::Usage`].
pub(crate) fn validate_options(target: &PublishTarget, steps: &PostPublish<'_>) -> Result<(), Failure> {
    if let Some(distribution) = steps.invalidate {
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
    if let Some(url) = steps.verify {
        if steps.visitors.is_none() {
            return Err(Failure::without_network("verifying the live site"));
        }
        crate::verify::parse_site_url(url)?;
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
    /// Visitors of live sites; none in a build without the network.
    pub visitors: Option<&'e dyn Visitors>,
}

/// A post-publish step that failed.
#[derive(Debug)]
pub(crate) struct FailedStep {
    /// The failure.
    pub failure: Failure,
    /// Whether the failure triggers a rollback.
    pub rolls_back: bool,
}

/// The last steps of a run whose release is live.
impl Lease<'_> {
    /// Ends the lease, and records the steps that remain.
    ///
    /// # Errors
    /// [`FailureKind::Held`] when another publisher acquired the target meanwhile, and when the store fails.
    async fn end_with(self, remaining: Pending) -> Result<(), Failure> {
        self.update(|run| {
            run.pending = remaining;
            run.end_unpublished();
        });
        self.end().await.map(|_| ())
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
        let steps = run_steps(self.target, plan, todo, expected, notify);
        let steps = self.unless_stopped(async { Ok(steps.await) });
        let (remaining, failed) = match self.renew_during(steps).await {
            Ok(finished) => finished,
            Err(failure) if failure.is_stop() => {
                let more = "the release is live; run the same command again to complete the remaining steps";
                (todo.clone(), Some(held(failure.help_also(more))))
            }
            Err(failure) => (todo.clone(), Some(held(failure))),
        };
        if let Some(failed_step) = failed {
            // If the store itself is down, the lease expires on its own.
            let _ = self.end_with(remaining).await;
            return Err(failed_step);
        }
        self.clear(plan, notify).await;
        // The release is live and verified. If this record cannot be written, the next run verifies again.
        let _ = self.end_with(remaining).await;
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
        if let Err(failure) = self.renew_during(self.while_held(delete)).await {
            let message = format!("the release is live, but old objects remain: {}", failure.message);
            notify(&Event::Warning { message: &message });
        }
    }
}

/// Runs the pending steps. Returns the steps that remain, and the step that failed.
pub(crate) async fn run_steps(
    target: &PublishTarget,
    plan: &Plan,
    todo: &Pending,
    expected: Option<ExpectedSite<'_>>,
    notify: Listener<'_>,
) -> (Pending, Option<FailedStep>) {
    let mut remaining = todo.clone();
    if let Some(distribution) = &todo.invalidate {
        match target.store().invalidate(distribution, plan.live_name()).await.map_err(Failure::from) {
            Ok(()) => remaining.invalidate = None,
            Err(failure) => {
                let rolls_back = todo.verify.as_ref().is_some_and(PendingVerification::always_rolls_back);
                return (remaining, Some(FailedStep { failure: as_unverified(failure), rolls_back }));
            }
        }
    }
    // In a program without the network, the step stays pending.
    let expected = expected.filter(|expected| expected.visitors.is_some());
    let (Some(verify), Some(expected)) = (&todo.verify, expected) else { return (remaining, None) };
    // If the content is live already, an earlier run changed the files.
    let changed = (!plan.is_live && !plan.repeats_unverified).then(|| changed_paths(plan));
    let verified = expected.verify(verify, todo.edge.as_ref(), changed.as_ref()).await;
    let failed_step = match verified {
        Ok(found) => {
            for message in found.edge_warnings() {
                notify(&Event::Warning { message: &message });
            }
            found.or_fail(&verify.url).err().map(|failure| {
                let rolls_back = match found.verdict() {
                    SiteVerdict::Different => verify.rollback && found.has_reason(),
                    _ => verify.always_rolls_back(),
                };
                FailedStep { failure, rolls_back }
            })
        }
        Err(failure) => Some(FailedStep { failure: as_unverified(failure), rolls_back: false }),
    };
    remaining.verify = failed_step.as_ref().map(|step| verify.with_result(&step.failure.message));
    (remaining, failed_step)
}

/// Compares the live site with the releases before, and adds what the edge makes of them to the steps. So the
/// verification does not blame the new release for it.
///
/// # Errors
/// [`FailureKind::Usage`] when a setting of the contract is invalid.
pub(crate) async fn look_before(
    todo: Pending,
    state: &State,
    plan: &Plan,
    expected: ExpectedSite<'_>,
) -> Result<Pending, Failure> {
    let Some(verify) = todo.verify.as_ref().filter(|_| expected.visitors.is_some()) else {
        return Ok(todo);
    };
    // Without the password of an earlier run, the verification fails, too, and says how to repeat it.
    let Ok(address) = verify.address() else { return Ok(todo) };
    let site = expected.site(verify);
    let url = site.plain_url()?.to_string();
    if plan.repeats_unverified {
        // Its own answers are no comparison. The first one remains.
        return Ok(todo);
    }
    let found = if state.live.is_none() && state.unfinished.is_empty() {
        Some(KnownEdge::nothing_before(&url))
    } else {
        let visitor = expected.open(address)?;
        let earlier = Earlier {
            releases: state.live.iter().chain(&state.unfinished).collect(),
            changed: &changed_paths(plan),
            is_invalidated: todo.invalidate.is_some(),
        };
        site.look_before(&*visitor, &earlier).await?
    };
    let before = state.pending();
    let unverified = before.edge.filter(|edge| before.verify.is_some() && edge.url == url);
    // If the site does not answer now, an earlier look is better than none.
    let edge = match (found, unverified) {
        (Some(found), Some(unverified)) => Some(found.known_before(&unverified)),
        (found, _) => found.or(todo.edge),
    };
    Ok(Pending { edge, ..todo })
}

/// Returns the paths of the files that a plan writes.
fn changed_paths(plan: &Plan) -> BTreeSet<String> {
    plan.writes().map(|(object, _)| object.path.clone()).collect()
}

impl ExpectedSite<'_> {
    fn site<'s>(&'s self, verify: &'s PendingVerification) -> SealedSite<'s> {
        SealedSite { url: &verify.url, seal: self.seal, contract: self.contract }
    }

    fn open(&self, site: SiteUrl<'_>) -> Result<Box<dyn Visitor>, Failure> {
        let what = || Failure::without_network("verifying the live site");
        self.visitors.ok_or_else(what)?.open(site, self.contract, self.timeout)
    }

    /// Verifies the live site, as long as the user has patience.
    async fn verify(
        &self,
        verify: &PendingVerification,
        edge: Option<&KnownEdge>,
        changed: Option<&BTreeSet<String>>,
    ) -> Result<Verification, Failure> {
        let visitor = self.open(verify.address()?)?;
        let site = self.site(verify);
        let url = site.plain_url()?;
        let edge = edge.filter(|edge| edge.url == url.as_str());
        let patience = Duration::from_secs(verify.patience);
        site.verify_until(&*visitor, SiteBefore { edge, changed, ..SiteBefore::default() }, patience).await
    }
}

/// Marks a failure as post-publish: the release is already live.
fn as_unverified(failure: Failure) -> Failure {
    let kind = match failure.kind {
        FailureKind::Unverifiable => FailureKind::Unverifiable,
        _ => FailureKind::Unverified,
    };
    Failure { kind, ..failure }
}
