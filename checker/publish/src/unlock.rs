//! Releases a target from a publisher that died.

use std::collections::BTreeMap;

use sitegate_host::headers::STATE;

use crate::failure::{Failure, FailureKind};
use crate::recovery::RecoveredState;
use crate::store::{Condition, StoreError, StoredObject};
use crate::target::PublishTarget;
use crate::target_state::rivals;
use crate::target_state::state::{self, RunRecord, Stage, State, run_key};

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
    let number = rivals::next_number(target, basis, creates);
    let unlocked = RunRecord { number, ..record };
    match state::write_json(target, &run_key(number), &unlocked, Condition::Absent).await {
        Ok(_) if !creates => rivals::refuse(target, basis, number).await,
        Ok(_) => Ok(()),
        Err(StoreError::Changed) => {
            Err(Failure::new(FailureKind::Held, "another publisher has just acquired the target")
                .help("run `sitegate target status`"))
        }
        Err(error) => Err(error.into()),
    }
}
