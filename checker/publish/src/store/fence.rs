//! Fences off writes of a publisher that may have lost its lease.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use sitegate_base::lock::lock;

use crate::failure::{Failure, FailureKind};
use crate::machine::{Machine, Moment};

/// The precondition of every write to a target.
#[derive(Debug)]
pub struct Fence {
    machine: Arc<dyn Machine>,
    state: Mutex<FenceState>,
}

/// The state of this process's lease.
#[derive(Clone, Debug, Default)]
enum FenceState {
    /// No lease: each write has a condition of its own.
    #[default]
    Open,
    /// The lease is held.
    Held(Hold),
    /// The lease lapsed, and is being acquired again by creating this record. No other write is allowed.
    Reacquiring(String),
    /// The lease was lost.
    Lost,
}

/// A proof of the lease.
#[derive(Clone, Debug)]
pub struct Hold {
    /// When the lease was last renewed.
    pub renewed: Moment,
    /// How long after that no one else can acquire it.
    pub lease: Duration,
    /// The key of the lease's record.
    pub record: String,
    /// The key of the record that the next lease would create.
    pub next: String,
}

impl Fence {
    /// Creates the fence of one publisher, without a lease.
    pub fn new(machine: Arc<dyn Machine>) -> Fence {
        Fence { machine, state: Mutex::default() }
    }

    /// Returns the machine whose time counts.
    pub fn machine(&self) -> &Arc<dyn Machine> {
        &self.machine
    }

    fn state(&self) -> MutexGuard<'_, FenceState> {
        lock(&self.state)
    }

    /// Starts to require this hold for writes.
    pub(crate) fn raise(&self, hold: Hold) {
        *self.state() = FenceState::Held(hold);
    }

    /// Allows only the write of this record, after the lease lapsed.
    pub(crate) fn reacquire(&self, record: String) {
        *self.state() = FenceState::Reacquiring(record);
    }

    /// Stops requiring a hold, after the lease ended.
    pub(crate) fn lower(&self) {
        *self.state() = FenceState::Open;
    }

    /// Rejects all further writes, after the lease was lost.
    pub(crate) fn close(&self) {
        *self.state() = FenceState::Lost;
    }

    /// Records a renewal.
    pub(crate) fn renew(&self, moment: Moment) {
        if let FenceState::Held(hold) = &mut *self.state() {
            hold.renewed = moment;
        }
    }

    /// Returns the time since the last renewal.
    pub(crate) fn age(&self) -> Duration {
        match &*self.state() {
            FenceState::Held(hold) => self.machine.elapsed(hold.renewed),
            FenceState::Reacquiring(_) => Duration::MAX,
            FenceState::Open | FenceState::Lost => Duration::ZERO,
        }
    }

    /// Checks whether a key, or a path that ends with it, may be written. Returns the hold that the write depends on.
    ///
    /// # Errors
    /// [`FailureKind::Held`] when the lease was lost, [`FailureKind::Failed`] when it lapsed, so that another
    /// publisher may be at work.
    pub fn check(&self, path: &str) -> Result<Option<Hold>, Failure> {
        match &*self.state() {
            FenceState::Open => Ok(None),
            FenceState::Held(hold) if self.machine.elapsed(hold.renewed) < hold.lease => {
                Ok(Some(hold.clone()))
            }
            FenceState::Reacquiring(record) if path.ends_with(record) => Ok(None),
            FenceState::Held(_) | FenceState::Reacquiring(_) => {
                let message = "this publisher could not renew its lease in time, perhaps because the machine was \
                               suspended; another publisher may have taken over the target";
                Err(Failure { has_lapsed: true, ..Failure::new(FailureKind::Failed, message) })
            }
            FenceState::Lost => Err(lease_lost()),
        }
    }
}

/// Reports that the lease was lost.
pub(crate) fn lease_lost() -> Failure {
    Failure::new(FailureKind::Held, "another publisher took over the target while this run was at work")
        .help("this run stopped; run `sitegate target status`")
}
