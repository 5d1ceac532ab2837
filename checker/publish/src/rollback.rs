//! Rolling back through one door: an earlier release goes live again, from what the target keeps of it.

use crate::afterwards::{LiveRun, refuse_unusable};
use crate::events::{Event, Listener};
use crate::failure::Failure;
use crate::history::{choose, plan_back, refuse_impossible, ways_back};
use crate::memory::lock::{self, RunOptions};
use crate::memory::pending::Pending;
use crate::memory::state::State;
use crate::memory::survey::{self, Standing};
use crate::plan::Plan;
use crate::publication::{Publication, Reached};
use crate::publisher::{self, Content};
use crate::release::lineage::LeftBecause;
use crate::target::PublishTarget;
use crate::target::store::TargetOptions;

/// Which release is to be live again, and where.
#[derive(Clone, Debug)]
pub struct RollbackRequest<'r> {
    /// The target's URL.
    pub target: &'r str,
    /// How the target is reached.
    pub options: TargetOptions,
    /// The release to go back to, by its name or the beginning of it; none means the latest one before the live one that
    /// was not rolled away from.
    pub to: Option<&'r str>,
    /// How many earlier releases stay.
    pub keep: usize,
    /// Whether to stop after planning.
    pub dry_run: bool,
    /// The CloudFront distribution to tell of it.
    pub invalidate: Option<&'r str>,
    /// Whether to leave out what an earlier run asked for and did not get done.
    pub drop_pending: bool,
}

/// Rolls back, or plans to. `show` gets the plan before anything is done. Where the last rollback left something to be
/// done, asking for another without naming a release does that.
///
/// # Errors
/// [`crate::failure::Exit::Usage`] when there is no such release, [`crate::failure::Exit::Guard`] when its content is no longer kept,
/// [`crate::failure::Exit::Held`] when another publisher is at work, [`crate::failure::Exit::Failed`] and [`crate::failure::Exit::Interrupted`] when the store
/// fails before or after the first page was switched, [`crate::failure::Exit::Unverified`] when CloudFront refuses.
pub async fn roll_back(
    request: &RollbackRequest<'_>,
    show: &dyn Fn(&Plan) -> Result<(), Failure>,
    tell: Listener<'_>,
) -> Result<Publication, Failure> {
    refuse_unusable(request.target, request.invalidate, None)?;
    let target = PublishTarget::open(request.target, &request.options, false).await?;
    let wish = Wish {
        to: request.to,
        keep: request.keep,
        because: LeftBecause::Asked,
        invalidate: request.invalidate,
        drop_pending: request.drop_pending,
    };
    let rollback = plan(&target, &wish).await?;
    if rollback.is_settling && !request.dry_run {
        let message = "the last rollback went live and was not followed up: that is done now; to go back further, \
                       name a release with --to";
        tell(&Event::Warning { message });
    }
    if !rollback.plan.nothing {
        show(&rollback.plan)?;
    }
    let mut reached = if rollback.plan.nothing { Reached::Unchanged } else { Reached::Planned };
    if !request.dry_run {
        rollback.carry_out(&target, tell).await?;
        if !rollback.plan.nothing {
            reached = Reached::Published;
        }
    }
    Ok(Publication::new(rollback.plan, reached, &target))
}

/// What a rollback is to reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish<'w> {
    /// The release to go back to; none means the latest one before the live one that was not rolled away from.
    pub to: Option<&'w str>,
    /// How many earlier releases stay.
    pub keep: usize,
    /// Why the live release is left.
    pub because: LeftBecause,
    /// The CloudFront distribution to tell of it.
    pub invalidate: Option<&'w str>,
    /// Whether to leave out what an earlier run asked for.
    pub drop_pending: bool,
}

/// A rollback that is planned, and what was read to plan it.
pub(crate) struct Rollback {
    /// What would be done.
    pub plan: Plan,
    /// What is there now.
    standing: Standing,
    /// What is to be done when the release is live.
    pending: Pending,
    /// Whether only what the last rollback left to be done is done.
    is_settling: bool,
}

/// Plans to go back to a release.
///
/// # Errors
/// [`crate::failure::Exit::Usage`] when there is no such release, [`crate::failure::Exit::Guard`] when its content is no longer kept.
pub(crate) async fn plan(target: &PublishTarget, wish: &Wish<'_>) -> Result<Rollback, Failure> {
    let mut standing = survey::survey(target, &[]).await?;
    let chosen = look_back(target, &mut standing, wish).await;
    let (plan, pending, is_settling) = standing.state.unless_overtaken(target, chosen).await?;
    Ok(Rollback { plan, standing, pending, is_settling })
}

/// The plan to go back to the release that is wished for, what is to be done when it is live, and whether only what the
/// last rollback left to be done is done.
async fn look_back(
    target: &PublishTarget,
    standing: &mut Standing,
    wish: &Wish<'_>,
) -> Result<(Plan, Pending, bool), Failure> {
    let ways = ways_back(target, standing).await?;
    let state = &standing.state;
    let before = if wish.drop_pending { Pending::default() } else { state.pending() };
    let to = wish.to.or_else(|| unsettled_rollback(state, &before));
    let old = choose(&ways, state, to)?;
    let is_live = state.live.as_ref().is_some_and(|live| live.release == old.release);
    let plan = plan_back(old, standing, wish.keep, wish.because);
    refuse_impossible(old, &plan, state)?;
    // A look at the live site was asked for with another seal than that of the release that comes back.
    let before = Pending { verify: if is_live { before.verify } else { None }, ..before };
    let asked = Pending { invalidate: wish.invalidate.map(str::to_owned), verify: None };
    let pending = before.with(asked);
    Ok((plan, pending, to.is_some() && wish.to.is_none()))
}

/// The live release, where it is a rollback that went live and has something left to be done.
fn unsettled_rollback<'s>(state: &'s State, pending: &Pending) -> Option<&'s str> {
    let live = state.live.as_ref().filter(|live| live.restores.is_some())?;
    (state.unfinished.is_empty() && !pending.is_empty()).then_some(live.release.as_str())
}

impl Rollback {
    /// The release that is live, which this rollback leaves.
    pub(crate) fn leaves(&self) -> Option<&str> {
        self.standing.state.live.as_ref().map(|live| live.release.as_str())
    }

    /// Goes back, and tells CloudFront. What visitors see changes as in a publish: page by page, leaves first. Gives
    /// the name of the release that is live again.
    ///
    /// # Errors
    /// As [`roll_back`].
    pub(crate) async fn carry_out(
        &self,
        target: &PublishTarget,
        tell: Listener<'_>,
    ) -> Result<String, Failure> {
        let (plan, state) = (&self.plan, &self.standing.state);
        lock::refuse_held(state)?;
        let options = RunOptions { pending: self.pending.clone(), ..RunOptions::default() };
        let live = if plan.nothing {
            if self.pending.is_empty() && state.pending().is_empty() {
                return Ok(plan.manifest.origin().to_owned());
            }
            LiveRun::take(target, state, &options).await?
        } else {
            let run = publisher::carry_out(target, plan, state, &Content::Kept, &options, tell).await?;
            LiveRun::new(target, run)
        };
        let settled = live.settle(&self.pending, plan, None, tell).await;
        let restored = plan.manifest.origin();
        settled.map(|()| restored.to_owned()).map_err(|undone| {
            let help = format!(
                "the content of {restored} is live again; `sitegate rollback {}` tells CloudFront again",
                target.url
            );
            undone.failure.help(help)
        })
    }
}
