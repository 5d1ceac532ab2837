//! Keeps publishers apart at stores without conditional writes, which begin a run after the same one.
//!
//! With conditions, all of them create the same record, and one succeeds. Without, each would replace the record of the one
//! before, even minutes later if it was suspended between its reads and its write. So each chooses another number, and
//! reads after its write whether there are others. No record is replaced by another run.

use std::time::Duration;

use crate::failure::Failure;
use crate::target::PublishTarget;
use crate::target_state::state::{self, run_key};

/// Numbers to choose from. There are 9 billion in all, enough for a million runs.
const NUMBERS: u64 = 10_000;

/// The pause before and between looks at the records. Listings of some stores are late by about as much.
const PAUSE: Duration = Duration::from_millis(300);

/// Number of looks at a later run before it counts. One that has just begun withdraws in the first two.
const LOOKS: usize = 5;

/// Returns the number of a run that begins after run `basis`.
pub(crate) fn next_number(target: &PublishTarget, basis: u64, has_conditions: bool) -> u64 {
    if has_conditions {
        return basis.saturating_add(1);
    }
    let id = target.machine().random_id();
    let random = id.get(..8).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default();
    basis.saturating_add(1 + random % NUMBERS)
}

/// Withdraws a new run if another one began after the same run: the lower one goes on, if it is new, too. If it is not,
/// it stays, and so does a later one.
///
/// # Errors
/// [`FailureKind::Held`](crate::failure::FailureKind::Held), and when the store does not answer.
pub(crate) async fn refuse(target: &PublishTarget, basis: u64, number: u64) -> Result<(), Failure> {
    tokio::time::sleep(PAUSE).await;
    let runs = state::runs(target).await?;
    let rival = match runs.range(basis.saturating_add(1)..number).next() {
        Some(lower) => Some(*lower),
        None => later_run(target, number, false).await?,
    };
    let Some(rival) = rival else { return Ok(()) };
    target.delete(&[run_key(number)]).await?;
    Err(state::overtaken_by(target, rival).await)
}

/// Returns the latest run after run `number`. Without conditions, it may be one that withdraws, so waits for that.
///
/// # Errors
/// When the store does not answer.
pub(crate) async fn later_run(
    target: &PublishTarget,
    number: u64,
    has_conditions: bool,
) -> Result<Option<u64>, Failure> {
    for look in 1.. {
        let later = state::runs(target).await?.pop_last().filter(|latest| *latest > number);
        if later.is_none() || has_conditions || look == LOOKS {
            return Ok(later);
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(None)
}
