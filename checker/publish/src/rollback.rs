//! Rolling back through one door: an earlier release goes live again, from what the target keeps of it.

use crate::events::Listener;
use crate::failure::{Exit, Failure};
use crate::memory::lock::{self, RunOptions};
use crate::memory::state::{self, State};
use crate::memory::survey::{self, Standing};
use crate::plan::{Change, Plan, PlanLimits};
use crate::publication::{Publication, Reached};
use crate::publisher::{self, Content};
use crate::release::manifest::{ReleaseManifest, name};
use crate::target::PublishTarget;
use crate::target::store::TargetOptions;
use sitegate_hosting::headers::STATE;

/// Which release is to be live again, and where.
#[derive(Clone, Debug)]
pub struct RollbackRequest<'r> {
    /// The target's URL.
    pub target: &'r str,
    /// How the target is reached.
    pub options: TargetOptions,
    /// The release to go back to; none means the one before the live one.
    pub to: Option<&'r str>,
    /// How many earlier releases stay.
    pub keep: usize,
    /// Whether to stop after planning.
    pub dry_run: bool,
    /// The CloudFront distribution to tell of it.
    pub invalidate: Option<&'r str>,
}

/// Rolls back, or plans to. `show` gets the plan before anything is done.
///
/// # Errors
/// [`Exit::Usage`] when there is no such release, [`Exit::Guard`] when its content is no longer kept,
/// [`Exit::Held`] when another publisher is at work, [`Exit::Failed`] and [`Exit::Interrupted`] when the store
/// fails before or after the first page was switched, [`Exit::Unverified`] when CloudFront refuses.
pub async fn roll_back(
    request: &RollbackRequest<'_>,
    show: &dyn Fn(&Plan) -> Result<(), Failure>,
    tell: Listener<'_>,
) -> Result<Publication, Failure> {
    if request.invalidate.is_some() && !cfg!(feature = "network") {
        return Err(Failure::without_network("telling CloudFront"));
    }
    let target = PublishTarget::open(request.target, &request.options, false).await?;
    let rollback = plan(&target, request.to, request.keep).await?;
    show(&rollback.plan)?;
    let mut reached = Reached::Planned;
    if !request.dry_run {
        rollback.carry_out(&target, request.invalidate, tell).await?;
        reached = Reached::Published;
    }
    Ok(Publication::new(rollback.plan, reached, &target))
}

/// A rollback that is planned, and what was read to plan it.
pub(crate) struct Rollback {
    /// What would be done.
    pub plan: Plan,
    /// What is there now.
    standing: Standing,
}

/// Plans to go back to a release, or to the one before the live one.
///
/// # Errors
/// [`Exit::Usage`] when there is no such release, [`Exit::Guard`] when its content is no longer kept.
pub(crate) async fn plan(target: &PublishTarget, to: Option<&str>, keep: usize) -> Result<Rollback, Failure> {
    let memory = target.list(STATE).await?;
    let state = State::read(target, memory.keys().map(String::as_str)).await?;
    let wanted = wanted(&state, to)?;
    let old = match state::manifest(target, &wanted).await? {
        Some(old) => old,
        None => {
            return Err(Failure::new(Exit::Usage, format!("there is no release {wanted}"))
                .help("`sitegate status` lists the releases that are kept"));
        }
    };
    let created = state.moment();
    let manifest = ReleaseManifest {
        release: name(created, &old.objects),
        created,
        restores: Some(old.restores.clone().unwrap_or_else(|| old.release.clone())),
        history: Vec::new(),
        retained: Vec::new(),
        ..old
    };
    let standing = survey::survey(target, &manifest.objects).await?;
    let plan = Plan::new(manifest, &standing.state, &standing.present, keep);
    let lost: Vec<String> = plan
        .writes()
        .filter(|(object, change)| {
            !standing.state.kept.contains(&object.sha256) && *change != Change::Headers
        })
        .map(|(object, _)| object.key.clone())
        .collect();
    if lost.is_empty() {
        return Ok(Rollback { plan, standing });
    }
    Err(Failure::new(Exit::Guard, format!("release {wanted} is no longer kept whole"))
        .names(lost)
        .help("build and publish that release again instead"))
}

/// The release to go back to: an interrupted switch goes back to where it began.
fn wanted(state: &State, to: Option<&str>) -> Result<String, Failure> {
    let Some(live) = &state.live else {
        return Err(Failure::new(
            Exit::Usage,
            "nothing was ever published here, so there is no release to roll back to",
        ));
    };
    match to {
        Some(to) => Ok(to.to_owned()),
        None if !state.unfinished.is_empty() => Ok(live.release.clone()),
        None => live.history.first().cloned().ok_or_else(|| {
            Failure::new(
                Exit::Usage,
                format!("{} is the first release, so there is none before it to roll back to", live.release),
            )
        }),
    }
}

impl Rollback {
    /// Goes back, and tells CloudFront. What visitors see changes as in a publish: page by page, leaves first. Gives
    /// the name of the release that is live again.
    ///
    /// # Errors
    /// As [`roll_back`].
    pub(crate) async fn carry_out(
        &self,
        target: &PublishTarget,
        invalidate: Option<&str>,
        tell: Listener<'_>,
    ) -> Result<String, Failure> {
        lock::refuse_held(&self.standing.state)?;
        // Whoever goes back means to: nothing that stands in the way was wanted.
        let limits = PlanLimits {
            max_deletes: usize::MAX,
            overwrite_drift: true,
            allow_gone: true,
            adopt: false,
            ..PlanLimits::default()
        };
        self.plan.guard(&limits)?;
        let (state, options) = (&self.standing.state, RunOptions::default());
        let run = publisher::carry_out(target, &self.plan, state, &Content::Kept, &options, tell).await?;
        publisher::clear(&run, target, &self.plan, tell).await;
        run.end().await?;
        #[cfg(feature = "network")]
        if let Some(distribution) = invalidate {
            crate::aws::cloudfront::invalidate(target, distribution, &self.plan.manifest.release).await?;
        }
        #[cfg(not(feature = "network"))]
        let _ = invalidate;
        Ok(self.plan.manifest.restores.clone().unwrap_or_default())
    }
}
