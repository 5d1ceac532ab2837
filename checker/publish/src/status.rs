//! Reads the status of a target: the live release, the releases to roll back to, and the lease.

use sitegate_host::headers::STATE;

use crate::failure::{Failure, FailureKind};
use crate::history::{self, RollbackCandidate};
use crate::release::manifest::ReleaseManifest;
use crate::target::PublishTarget;
use crate::target_state::snapshot::{self, Snapshot};
use crate::target_state::state::State;

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
