//! The fence round a target: nothing is written by a publisher that may have lost it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::failure::{Exit, Failure};
use crate::target::moment::Moment;

/// What a publisher must be sure of before each write.
#[derive(Debug, Default)]
pub(crate) struct Fence(Mutex<Footing>);

/// How this process stands to the target.
#[derive(Clone, Debug, Default)]
enum Footing {
    /// It holds nothing: each write has a condition of its own.
    #[default]
    Open,
    /// It holds the target.
    Held(Hold),
    /// It let its hold lapse, and takes the target anew by creating this record; nothing else is written.
    Retaking(String),
    /// It held the target, and lost it.
    Lost,
}

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
    fn footing(&self) -> MutexGuard<'_, Footing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The target was taken: writes depend on this hold.
    pub(crate) fn raise(&self, hold: Hold) {
        *self.footing() = Footing::Held(hold);
    }

    /// The hold has lapsed: of all writes only that of this record passes.
    pub(crate) fn retake(&self, record: String) {
        *self.footing() = Footing::Retaking(record);
    }

    /// The target was given back.
    pub(crate) fn lower(&self) {
        *self.footing() = Footing::Open;
    }

    /// The target was lost: whatever is still under way writes nothing more.
    pub(crate) fn close(&self) {
        *self.footing() = Footing::Lost;
    }

    /// The target was proven to be ours at a moment.
    pub(crate) fn prove(&self, moment: Moment) {
        if let Footing::Held(hold) = &mut *self.footing() {
            hold.proven = moment;
        }
    }

    /// How long ago the target was proven to be ours.
    pub(crate) fn age(&self) -> Duration {
        match &*self.footing() {
            Footing::Held(hold) => hold.proven.elapsed(),
            Footing::Retaking(_) => Duration::MAX,
            Footing::Open | Footing::Lost => Duration::ZERO,
        }
    }

    /// Lets a write to a path that ends with a key pass, and gives the hold that it depends on.
    ///
    /// # Errors
    /// [`Exit::Held`] when the target was lost, [`Exit::Failed`] when it was not proven to be ours for so long that
    /// another publisher may be at work.
    pub(crate) fn pass(&self, path: &str) -> Result<Option<Hold>, Failure> {
        match &*self.footing() {
            Footing::Open => Ok(None),
            Footing::Held(hold) if hold.proven.elapsed() < hold.lease => Ok(Some(hold.clone())),
            Footing::Retaking(record) if path.ends_with(record) => Ok(None),
            Footing::Held(_) | Footing::Retaking(_) => {
                let message = "this publisher could not renew its lease in time, as if it had been asleep, so \
                               another one may have taken the target over";
                Err(Failure { has_lapsed: true, ..Failure::new(Exit::Failed, message) })
            }
            Footing::Lost => Err(lost()),
        }
    }
}

/// What a publisher hears that lost its target.
pub(crate) fn lost() -> Failure {
    Failure::new(Exit::Held, "another publisher took the target over while this one was at work")
        .help("this run stopped; see `sitegate status`")
}
