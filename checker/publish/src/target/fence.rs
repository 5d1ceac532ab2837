//! The fence round a target: nothing is written by a publisher that may have lost it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::failure::{Exit, Failure};
use crate::target::moment::Moment;

/// What a publisher must be sure of before each write. Without a hold everything may be written: then each write has
/// a condition of its own.
#[derive(Debug, Default)]
pub(crate) struct Fence(Mutex<Option<Hold>>);

/// The hold on a target.
#[derive(Clone, Debug)]
pub(crate) struct Hold {
    /// When the target was last proven to be ours.
    pub proven: Moment,
    /// How long after that nobody else takes it.
    pub lease: Duration,
    /// The key of the record that says so.
    pub record: String,
    /// The key of the record that whoever takes the target next creates.
    pub next: String,
}

impl Fence {
    /// Puts the fence up, or takes it away.
    pub(crate) fn set(&self, hold: Option<Hold>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = hold;
    }

    /// The hold that writes depend on.
    pub(crate) fn hold(&self) -> Option<Hold> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says that the target was proven to be ours at a moment.
    pub(crate) fn prove(&self, moment: Moment) {
        if let Some(hold) = self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            hold.proven = moment;
        }
    }

    /// How much of the lease has passed since the target was last proven to be ours.
    pub(crate) fn age(&self) -> Duration {
        self.hold().map_or(Duration::ZERO, |hold| hold.proven.elapsed())
    }

    /// Lets a write pass.
    ///
    /// # Errors
    /// [`Exit::Failed`] once the lease is over: by then another publisher may be at work.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match self.hold() {
            Some(hold) if hold.proven.elapsed() >= hold.lease => {
                let message = format!(
                    "this publisher did not get to renew its lease of {} s, as if it had been asleep; another one \
                     may have taken the target over",
                    hold.lease.as_secs()
                );
                Err(Failure::new(Exit::Failed, message))
            }
            _ => Ok(()),
        }
    }
}
