//! Takes a target, checks that it is still ours, and says who holds it.
//!
//! The lock is the record of the latest run: see [`crate::memory::state`].

use std::collections::BTreeMap;
use std::time::Duration;

use crate::failure::{Exit, Failure};
use crate::memory::pending::Pending;
use crate::memory::probe;
use crate::memory::state::{self, Promises, RunRecord, Stage, State, now, random_id, run_key};
use crate::plan::Plan;
use crate::target::{Condition, PublishTarget, PutError};
use sitegate_hosting::headers::STATE;

/// How a run is done.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// How long others wait for a publisher that stopped responding.
    pub lease: Duration,
    /// What is to be done when its release is live.
    pub pending: Pending,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions { lease: Duration::from_secs(120), pending: Pending::default() }
    }
}

/// Refuses to begin while another publisher is at work.
///
/// # Errors
/// [`Exit::Held`].
pub fn refuse_held(state: &State) -> Result<(), Failure> {
    match state.holder() {
        Some(run) => Err(held(run)),
        None => Ok(()),
    }
}

fn held(run: &RunRecord) -> Failure {
    let left = run.expires.saturating_sub(now());
    let release = run.release.as_deref().unwrap_or("a release");
    let message = match run.stage {
        Stage::Live => format!(
            "another publisher is at work: {release} is live, and run {} sees to what follows",
            run.number
        ),
        _ => format!("another publisher is at work: run {} publishes {release}", run.number),
    };
    Failure::new(Exit::Held, message).help(format!(
        "wait for it; if it died, the target is free in {left} s, or at once with `sitegate unlock`"
    ))
}

/// Takes the target by creating the next run's record.
pub(crate) async fn take(
    target: &PublishTarget,
    plan: Option<&Plan>,
    state: &State,
    promises: Promises,
    options: &RunOptions,
) -> Result<RunRecord, Failure> {
    let last = state.last.as_ref();
    let number = last.map_or(1, |last| last.number + 1);
    let conditional = promises.create;
    let run = RunRecord {
        schema_version: state::SCHEMA_VERSION,
        number,
        id: random_id(),
        stage: Stage::Publishing,
        release: plan.map(|plan| plan.manifest.release.clone()),
        previous: state.live.as_ref().map(|live| live.release.clone()),
        unfinished: last.map_or_else(Vec::new, state::unfinished),
        started: now(),
        expires: now().saturating_add(options.lease.as_secs()),
        owner: state::owner(),
        pending: state.pending().with(options.pending.clone()),
        promises,
        etags: last.map_or_else(BTreeMap::new, |last| last.etags.clone()),
    };
    let condition = if conditional { Condition::Absent } else { Condition::Always };
    match state::write(target, &run_key(number), &run, condition).await {
        Ok(()) => {}
        Err(PutError::Conflict) => return Err(faster(target, number).await),
        Err(PutError::Other(failure)) => return Err(failure),
    }
    if !conditional {
        // The last of several writers at one moment wins; after it, each can see who that was.
        tokio::time::sleep(Duration::from_millis(300)).await;
        hold(target, &run).await?;
    }
    Ok(run)
}

/// Says who was faster.
async fn faster(target: &PublishTarget, number: u64) -> Failure {
    let text = target.get(&run_key(number)).await.ok().flatten();
    match text.and_then(|text| serde_json::from_slice::<RunRecord>(&text).ok()) {
        Some(run) if run.stage != Stage::Released && run.expires > 0 => held(&run),
        _ => Failure::new(Exit::Held, "another publisher changed the target since the plan was made")
            .help("run the command again to plan anew"),
    }
}

/// Checks that the target is still ours: no later run, and our record is the one we wrote.
pub(crate) async fn hold(target: &PublishTarget, run: &RunRecord) -> Result<(), Failure> {
    let runs = target.list(&format!("{STATE}runs/")).await?;
    let ours = run_key(run.number);
    let later = runs.keys().filter_map(|key| state::run_number(key)).max();
    let lost = |number: u64| {
        Failure::new(Exit::Held, format!("run {number} took the target over while this one was at work"))
            .help("this run stopped; see `sitegate status`")
    };
    if let Some(number) = later.filter(|number| *number > run.number) {
        return Err(lost(number));
    }
    if !run.promises.create {
        let text = target.get(&ours).await?.unwrap_or_default();
        let there: Option<RunRecord> = serde_json::from_slice(&text).ok();
        if there.is_none_or(|there| there.id != run.id) {
            return Err(lost(run.number));
        }
    }
    Ok(())
}

/// Holds the target while something is done that makes no release live.
///
/// # Errors
/// [`Exit::Held`] when another publisher was faster, and whatever the work fails with.
pub async fn hold_while<T>(
    target: &PublishTarget,
    state: &State,
    options: &RunOptions,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let promises = match state.promises(target) {
        Some(promises) => promises,
        None => probe::promises(target).await?,
    };
    let mut run = take(target, None, state, promises, options).await?;
    let worked = work.await;
    run.unfinished = state::unfinished(&run);
    run.stage = Stage::Released;
    run.expires = 0;
    let written = state::write(target, &run_key(run.number), &run, Condition::Always).await;
    let done = worked?;
    written.map_err(told)?;
    Ok(done)
}

/// What kept an object from being written.
pub(crate) fn told(error: PutError) -> Failure {
    match error {
        PutError::Other(failure) => failure,
        PutError::Conflict => Failure::new(Exit::Held, "another publisher was faster"),
    }
}
