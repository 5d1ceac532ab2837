//! Rolls back: makes an earlier release live again, using only files on the target.

use crate::failure::{Failure, FailureKind};
use crate::history::{
    choose_release, plan_rollback, refuse_damaged, refuse_unrestorable, rollback_candidates,
};
use crate::plan::Plan;
use crate::post_publish::{PostPublish, validate_options};
use crate::precompressed::foreign_variants;
use crate::publication::{Event, Listener, Publication, PublishOutcome};
use crate::publisher::{self, ContentSource};
use crate::release::manifest::RollbackReason;
use crate::target::PublishTarget;
use crate::target_state::lease::{self, Lease, RunOptions};
use crate::target_state::pending::Pending;
use crate::target_state::snapshot::{self, Snapshot};
use crate::target_state::state::State;

/// Maximum number of changes by hand that a warning names.
const MAX_NAMES: usize = 10;

/// A release to restore, and its target.
#[derive(Clone, Copy)]
pub struct RollbackRequest<'r> {
    /// The target.
    pub target: &'r PublishTarget,
    /// The release to restore, by its name or a unique prefix. The default is the latest release before the
    /// live one that was not rolled back from.
    pub to: Option<&'r str>,
    /// Number of earlier releases to keep.
    pub keep: usize,
    /// Whether to stop after planning.
    pub dry_run: bool,
    /// The CloudFront distribution to invalidate.
    pub invalidate: Option<&'r str>,
    /// Whether to drop steps that an earlier run did not complete.
    pub drop_pending: bool,
}

/// Rolls back, or plans to. Passes the plan to `show` before anything is written. If the last rollback has
/// pending steps and no release is named, it completes those.
///
/// # Errors
/// - `FailureKind::Usage` when there is no such release.
/// - `FailureKind::Guard` when its content is no longer complete.
/// - `FailureKind::Held` when another publisher is at work.
/// - `FailureKind::Failed` and `FailureKind::PartlySwitched` when the store fails before or after the first
///   visible change.
/// - `FailureKind::Unverified` when CloudFront refuses the invalidation.
pub async fn roll_back(
    request: &RollbackRequest<'_>,
    show: &dyn Fn(&Plan) -> Result<(), Failure>,
    notify: Listener<'_>,
) -> Result<Publication, Failure> {
    let steps = PostPublish { invalidate: request.invalidate, ..PostPublish::default() };
    validate_options(request.target, &steps)?;
    let target = request.target;
    let rollback = plan(request, RollbackReason::Requested).await?;
    // The switch of another publisher only looks interrupted.
    lease::refuse_if_held(&rollback.snapshot.state)?;
    if !request.dry_run
        && let Some(message) = rollback.completes.as_deref()
    {
        notify(&Event::Warning { message });
    }
    rollback.warn_of_edits(notify);
    if !rollback.plan.is_noop {
        show(&rollback.plan)?;
    }
    let mut outcome = if rollback.plan.is_noop { PublishOutcome::Unchanged } else { PublishOutcome::Planned };
    if !request.dry_run {
        rollback.execute(target, notify).await?;
        outcome = if rollback.plan.is_live { PublishOutcome::Unchanged } else { PublishOutcome::Published };
    }
    Ok(Publication::new(rollback.plan, outcome, target))
}

/// A planned rollback, and the data that it was made from.
pub(crate) struct Rollback {
    /// The plan.
    pub plan: Plan,
    /// The target before the rollback.
    snapshot: Snapshot,
    /// The steps to run after the release is live.
    pending: Pending,
    /// A message, if it completes an interrupted rollback or its steps.
    completes: Option<String>,
}

/// Plans a rollback, because of a reason to replace the live release.
///
/// # Errors
/// `FailureKind::Usage` when there is no such release, `FailureKind::Guard` when its content is no longer complete.
pub(crate) async fn plan(request: &RollbackRequest<'_>, reason: RollbackReason) -> Result<Rollback, Failure> {
    match plan_once(request, reason).await {
        // A long listing takes several requests. If another publisher began and ended meanwhile, its backups may be missing
        // in the first part of the listing, although its record is in the last one.
        Err(failure) if failure.kind == FailureKind::Guard => plan_once(request, reason).await,
        planned => planned,
    }
}

/// Reads the target, and plans a rollback.
async fn plan_once(request: &RollbackRequest<'_>, reason: RollbackReason) -> Result<Rollback, Failure> {
    let mut snapshot = snapshot::read_snapshot(request.target, &[]).await?;
    let chosen = plan_from(&mut snapshot, request, reason).await;
    let (plan, pending, completes) = snapshot.state.unless_overtaken(request.target, chosen).await?;
    Ok(Rollback { plan, snapshot, pending, completes })
}

/// Returns the plan, the steps to run afterwards, and a message if it completes the last rollback.
async fn plan_from(
    snapshot: &mut Snapshot,
    request: &RollbackRequest<'_>,
    reason: RollbackReason,
) -> Result<(Plan, Pending, Option<String>), Failure> {
    let target = request.target;
    let candidates = rollback_candidates(target, snapshot).await?;
    let before = if request.drop_pending { Pending::default() } else { snapshot.state.pending() };
    let to = request.to.or_else(|| pending_rollback(&snapshot.state, &before)).map(str::to_owned);
    let old = &choose_release(&candidates, &snapshot.state, to.as_deref())?.clone();
    let now = target.machine().now();
    let mut plan = plan_rollback(old, snapshot, request.keep, reason, now);
    if snapshot.record_tags_in_place(target, &plan).await? {
        plan = plan_rollback(old, snapshot, request.keep, reason, now);
    }
    let state = &snapshot.state;
    let is_live = state.live.as_ref().is_some_and(|live| live.release == old.release);
    refuse_unrestorable(old, &plan, state)?;
    refuse_damaged(target, old, &plan, state).await?;
    plan.foreign_variants = foreign_variants(target, &plan, state).await?;
    // A pending verification belongs to the seal of another release than the restored one.
    let before = Pending { verify: if is_live { before.verify } else { None }, ..before };
    let requested = Pending { invalidate: request.invalidate.map(str::to_owned), ..Pending::default() };
    let pending = before.with(requested);
    let completes = match (request.to, to, state.unfinished.last().and_then(|last| last.restores.as_ref())) {
        (None, Some(_), _) => {
            let note =
                "completing the steps after the last rollback; to go back further, name a release with --to";
            Some(note.to_owned())
        }
        (None, None, Some(restores)) => Some(format!(
            "completing the interrupted rollback to {restores}; to restore another release, name it with --to"
        )),
        _ => None,
    };
    Ok((plan, pending, completes))
}

/// Returns the live release if it is a rollback with pending steps, or one that was interrupted before it ended.
fn pending_rollback<'s>(state: &'s State, pending: &Pending) -> Option<&'s str> {
    let live = state.live.as_ref().filter(|live| live.restores.is_some())?;
    let has_ended = state.last.as_ref().is_none_or(|last| last.lease == 0) && pending.is_empty();
    (state.unfinished.is_empty() && !has_ended).then_some(live.release.as_str())
}

impl Rollback {
    /// Returns the live release, which this rollback replaces.
    pub(crate) fn replaced_release(&self) -> Option<&str> {
        self.snapshot.state.live.as_ref().map(|live| live.release.as_str())
    }

    /// Warns about changes by hand: those that the rollback replaces, and those that hide what it restores.
    pub(crate) fn warn_of_edits(&self, notify: Listener<'_>) {
        if let Some(message) = self.plan.variant_warning() {
            notify(&Event::Warning { message: &message });
        }
        let drift = &self.plan.drift;
        if drift.is_empty() {
            return;
        }
        let named = drift.iter().take(MAX_NAMES).map(|line| line.replacen("  ", " ", 1)).collect::<Vec<_>>();
        let more = drift.len() - named.len();
        let more = if more == 0 { String::new() } else { format!(", and {more} more") };
        let message = format!(
            "someone changed the target by hand, and the rollback replaces that: {}{more}",
            named.join(", ")
        );
        notify(&Event::Warning { message: &message });
    }

    /// Executes the rollback. As in a publish, pages are switched one by one, leaves first. Returns the name of
    /// the release that is live again.
    ///
    /// # Errors
    /// As [`roll_back`].
    pub(crate) async fn execute(
        &self,
        target: &PublishTarget,
        notify: Listener<'_>,
    ) -> Result<String, Failure> {
        let (plan, state) = (&self.plan, &self.snapshot.state);
        lease::refuse_if_held(state)?;
        let options = RunOptions { pending: self.pending.clone(), ..RunOptions::default() };
        let live = if plan.is_live {
            if plan.is_noop && self.pending.is_empty() && state.pending().is_empty() {
                return Ok(plan.manifest.origin().to_owned());
            }
            Lease::acquire(target, None, state, &options).await?
        } else {
            publisher::execute(target, plan, state, &ContentSource::Backups, &options, notify).await?
        };
        let completed = live.complete(&self.pending, plan, None, notify).await;
        let restored = plan.manifest.origin();
        completed.map(|()| restored.to_owned()).map_err(|failed_step| {
            let help = format!(
                "the content of {restored} is live again; run `sitegate rollback {}` to retry the invalidation",
                target.url_word()
            );
            failed_step.failure.help(help)
        })
    }
}
