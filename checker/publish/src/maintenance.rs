//! Maintains a target: reads its status (the live release, the releases to roll back to, and the lease), releases it
//! from a publisher that died, and removes release data that no release needs any longer.

use std::collections::{BTreeMap, BTreeSet};

use sitegate_host::headers::STATE;

use crate::failure::{Failure, FailureKind};
use crate::history::{self, RollbackCandidate};
use crate::recovery::RecoveredState;
use crate::release::manifest::{Lineage, ReleaseManifest};
use crate::store::{Condition, StoreError, StoredObject};
use crate::target::PublishTarget;
use crate::target_state::conditional_writes;
use crate::target_state::lease::{self, RunOptions};
use crate::target_state::snapshot::{self, Snapshot};
use crate::target_state::state::{self, RunRecord, Stage, State, backup_key, release_key, run_key};

/// The status of a target.
#[derive(Debug)]
pub struct Status {
    /// The target state.
    pub state: State,
    /// The releases that can be rolled back to, the latest first.
    pub rollback_candidates: Vec<RollbackCandidate>,
    /// The releases of which not all files are on the target, the latest first.
    pub incomplete: Vec<RollbackCandidate>,
    /// Whether an interrupted switch can be undone.
    pub can_undo: bool,
}

/// Maximum number of attempts to read a target while others change it.
const MAX_ATTEMPTS: usize = 5;

/// Reads the live release, the releases that can be rolled back to, and the lease.
///
/// # Errors
/// When the store does not answer, or the target state is damaged; [`FailureKind::Held`] when other publishers keep
/// changing it.
pub async fn status(target: &PublishTarget) -> Result<Status, Failure> {
    for _ in 0..MAX_ATTEMPTS {
        let mut snapshot = snapshot::read_snapshot(target, &[]).await?;
        let candidates = history::rollback_candidates(target, &mut snapshot).await;
        let candidates = snapshot.state.unless_overtaken(target, candidates).await?;
        // A mix of two moments is no valid status.
        if snapshot.state.is_current(target).await? {
            return Ok(status_of(snapshot, candidates));
        }
    }
    Err(snapshot::contended())
}

/// Reads the state of a target only: its records, without the files of the site.
///
/// # Errors
/// When the store does not answer, or the target state is damaged.
pub async fn read_state(target: &PublishTarget) -> Result<State, Failure> {
    State::read(target, &target.list(STATE).await?).await
}

/// Reads the manifest of the live release.
///
/// # Errors
/// [`FailureKind::Usage`] when nothing is live, and as [`read_state`].
pub(crate) async fn read_live(target: &PublishTarget) -> Result<ReleaseManifest, Failure> {
    let live = read_state(target).await?.live;
    live.ok_or_else(|| Failure::new(FailureKind::Usage, format!("{} has no live release", target.url)))
}

fn status_of(snapshot: Snapshot, candidates: Vec<RollbackCandidate>) -> Status {
    let [rollback_candidates, incomplete] = history::split_restorable(candidates, &snapshot);
    let state = &snapshot.state;
    let can_undo = state.interrupted().next().is_some()
        && state.live.as_ref().is_some_and(|live| history::is_restorable(live, &snapshot));
    Status { state: snapshot.state, rollback_candidates, incomplete, can_undo }
}

/// The lease that `unlock` removed.
#[derive(Debug)]
pub enum UnlockOutcome {
    /// No one held the target.
    NotHeld,
    /// The run of this record.
    Run(Box<RunRecord>),
    /// A run with this number, whose record cannot be read. The live release was inferred.
    Unreadable(u64),
}

/// Removes the lease of a publisher that died, even if the lease has not expired or the record cannot be read.
///
/// # Errors
/// [`FailureKind::Held`] when someone acquired the target in the meantime.
pub async fn unlock(target: &PublishTarget) -> Result<UnlockOutcome, Failure> {
    let state_objects = target.list(STATE).await?;
    let state = match State::read(target, &state_objects).await {
        Ok(state) => state,
        Err(failure) if failure.kind == FailureKind::Usage => {
            return unlock_unreadable(target, &state_objects, failure).await;
        }
        Err(failure) => return Err(failure),
    };
    let is_held = |last: &RunRecord| match last.stage {
        Stage::Publishing => true,
        Stage::Live => last.lease > 0,
        Stage::Released => false,
    };
    let Some(last) = state.last.filter(is_held) else { return Ok(UnlockOutcome::NotHeld) };
    let unlocked = RunRecord {
        id: target.machine().random_id(),
        stage: Stage::Released,
        release: None,
        previous: state.live.map(|live| live.release),
        unfinished: last.unfinished(),
        started: target.machine().now(),
        lease: 0,
        ..last.clone()
    };
    write_unlocked(target, unlocked).await?;
    Ok(UnlockOutcome::Run(Box::new(last)))
}

/// Removes the lease of a run whose record cannot be read. If something else is damaged, returns `damage`.
async fn unlock_unreadable(
    target: &PublishTarget,
    state_objects: &BTreeMap<String, StoredObject>,
    damage: Failure,
) -> Result<UnlockOutcome, Failure> {
    let recovered = RecoveredState::read(target, state_objects).await?;
    let Some(latest) = recovered.latest else { return Err(damage) };
    if recovered.latest_record().is_some() {
        return Err(damage);
    }
    let state = recovered.infer_live(target).await?.state;
    let Some(last) = state.last else { return Err(damage) };
    write_unlocked(target, last).await?;
    Ok(UnlockOutcome::Unreadable(latest))
}

/// Writes a record as that of the next run.
async fn write_unlocked(target: &PublishTarget, record: RunRecord) -> Result<(), Failure> {
    let (basis, creates) = (record.number, record.capabilities.create);
    let number = conditional_writes::next_number(target, basis, creates);
    let unlocked = RunRecord { number, ..record };
    match state::write_json(target, &run_key(number), &unlocked, Condition::Absent).await {
        Ok(_) if !creates => conditional_writes::refuse_rival(target, basis, number).await,
        Ok(_) => Ok(()),
        Err(StoreError::Changed) => {
            Err(Failure::new(FailureKind::Held, "another publisher has just acquired the target")
                .help("run `sitegate target status`"))
        }
        Err(error) => Err(error.into()),
    }
}

/// Maximum number of run records to keep: far more than publishers that could still be suspended.
const MAX_RUN_RECORDS: usize = 20;

/// The items that were removed, or would be.
#[derive(Debug, Default)]
pub struct Removed {
    /// Releases that can no longer be rolled back to.
    pub releases: Vec<String>,
    /// The number of backups that no release needs.
    pub contents: usize,
    /// The number of run records and probe objects.
    pub records: usize,
}

/// Removes release data that neither the live release nor the latest `keep` ones need. Objects of the site are
/// not touched.
///
/// # Errors
/// `FailureKind::Held` when a publisher is at work.
pub async fn collect_garbage(target: &PublishTarget, keep: usize, dry_run: bool) -> Result<Removed, Failure> {
    let state_objects = target.list(STATE).await?;
    let state = State::read(target, &state_objects).await?;
    lease::refuse_if_held(&state)?;
    let Some(live) = &state.live else { return Ok(Removed::default()) };
    // The live release and interrupted switches are needed, too: an interrupted switch can go back to the live
    // release, or be completed.
    let lineage = Lineage::trimmed(live, keep);
    let mut releases: BTreeSet<&String> = lineage.history.iter().collect();
    let mut contents: BTreeSet<String> = BTreeSet::new();
    let mut need = |manifest: &ReleaseManifest| {
        contents.extend(manifest.contents().cloned());
    };
    for release in &releases {
        let read = state::read_manifest(target, release).await;
        state.unless_overtaken(target, read).await?.iter().for_each(&mut need);
    }
    for manifest in std::iter::once(live).chain(&state.unfinished) {
        need(manifest);
        releases.insert(&manifest.release);
    }
    let old: Vec<String> = state.releases.iter().filter(|name| !releases.contains(name)).cloned().collect();
    let unneeded: Vec<&String> = state.backups.keys().filter(|digest| !contents.contains(*digest)).collect();
    let mut records: Vec<String> =
        state.runs.iter().rev().skip(MAX_RUN_RECORDS).map(|&run| run_key(run)).collect();
    records.extend(state_objects.keys().filter(|key| key.starts_with(&format!("{STATE}probe/"))).cloned());
    let removed = Removed { releases: old, contents: unneeded.len(), records: records.len() };
    let keys: Vec<String> = removed
        .releases
        .iter()
        .map(|release| release_key(release))
        .chain(unneeded.into_iter().map(|digest| backup_key(digest)))
        .chain(records)
        .collect();
    if !dry_run && !keys.is_empty() {
        lease::with_lease(target, &state, &RunOptions::default(), target.delete(&keys)).await?;
    }
    Ok(removed)
}
