//! Acquires, renews and ends the lease of a target.
//!
//! The lock is the record of the latest run: see [`crate::target_state::state`]. Its holder renews it. Others
//! take over only if the record is older than its lease, by the store's own clock. The holder stops writing
//! after most of its lease has passed without a renewal, by a clock that counts suspended time. So a publisher
//! that was suspended notices before it can do harm, and acquires the target again if no one else did. There
//! are no process checks, and clocks of two machines are never compared.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use crate::failure::{Failure, FailureKind};
use crate::machine::{Moment, StopGuard};
use crate::plan::Plan;
use crate::store::{Condition, Hold, MAX_DOCUMENT, StoreError, TagForm, lease_lost};
use crate::target::PublishTarget;
use crate::target_state::conditional_writes;
use crate::target_state::pending::Pending;
use crate::target_state::state::{self, Capabilities, RunRecord, Stage, State, run_key};
use sitegate_base::artifact::RUN;
use sitegate_base::lock::lock;

/// Options of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// How long others wait for a publisher that stopped responding.
    pub lease: Duration,
    /// The steps to run after the release is live.
    pub pending: Pending,
}

/// The default lease: four renewals, and twice the maximum time of a request, so that no request is in flight
/// when the next publisher begins.
pub const LEASE: Duration = Duration::from_mins(1);

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions { lease: LEASE, pending: Pending::default() }
    }
}

/// Fails while another publisher is at work.
///
/// # Errors
/// [`FailureKind::Held`].
pub fn refuse_if_held(state: &State) -> Result<(), Failure> {
    match state.holder() {
        Some(run) => Err(state::held(run, state.remaining)),
        None => Ok(()),
    }
}

/// A lease on a target, held by a run in progress.
pub(crate) struct Lease<'t> {
    pub target: &'t PublishTarget,
    duration: Duration,
    record: Mutex<RunRecord>,
    /// The record as last written. The mutex serializes writes.
    written: tokio::sync::Mutex<Written>,
    stop_guard: StopGuard,
}

/// A written record.
struct Written {
    /// The entity tag that it got.
    tag: Option<String>,
    /// Its content.
    record: RunRecord,
}

impl<'t> Lease<'t> {
    /// Acquires the target by creating the next run's record, of a plan or without a release to publish.
    ///
    /// # Errors
    /// [`FailureKind::Held`] when another publisher was faster, and when the store fails.
    pub(crate) async fn acquire(
        target: &'t PublishTarget,
        plan: Option<&Plan>,
        state: &State,
        options: &RunOptions,
    ) -> Result<Lease<'t>, Failure> {
        let capabilities = match state.capabilities(target) {
            Some(capabilities) => capabilities,
            None => conditional_writes::capabilities(target).await?,
        };
        let last = state.last.as_ref();
        let basis = last.map_or(0, |last| last.number);
        let number = conditional_writes::next_number(target, basis, capabilities.create);
        let record = RunRecord {
            schema_version: RUN.version,
            number,
            id: target.machine().random_id(),
            stage: Stage::Publishing,
            release: plan.map(|plan| plan.manifest.release.clone()),
            previous: state.live.as_ref().map(|live| live.release.clone()),
            unfinished: last.map_or_else(Vec::new, RunRecord::unfinished),
            unswitched: last.map_or_else(Vec::new, |last| last.unswitched.clone()),
            started: target.machine().now(),
            lease: options.lease.as_secs(),
            pending: state.pending().with(options.pending.clone()),
            capabilities,
            etags: last.map_or_else(BTreeMap::new, |last| last.etags.clone()),
        };
        let condition = if record.capabilities.create { Condition::Absent } else { Condition::Always };
        let stop_guard = StopGuard::begin();
        // An earlier run on this target may have lost its lease, or was dropped.
        target.fence().lower();
        let renewed = target.machine().moment();
        let tag = match state::write_json(target, &run_key(number), &record, condition).await {
            Ok(tag) => tag,
            Err(StoreError::Changed) => {
                return Err(state::overtaken_by(target, number).await);
            }
            Err(error) => return Err(error.into()),
        };
        let run = Lease {
            target,
            duration: options.lease,
            record: Mutex::new(record.clone()),
            written: tokio::sync::Mutex::new(Written { tag, record }),
            stop_guard,
        };
        target.fence().raise(run.hold_since(renewed));
        if !run.record().capabilities.create {
            conditional_writes::refuse_rival(target, basis, number).await?;
            run.verify_held(number).await?;
        } else if state.read.is_none_or(|read| target.machine().elapsed(read) > options.lease) {
            // After such a long time, other runs may have come and gone, and their records may have been
            // removed.
            run.verify_held(number).await?;
        }
        target.store().sweep().await?;
        Ok(run)
    }

    /// Returns the current record, written or not.
    pub(crate) fn record(&self) -> RunRecord {
        self.lock_record().clone()
    }

    /// Updates the record. It is written with the next renewal, or by [`Lease::write`].
    pub(crate) fn update(&self, change: impl FnOnce(&mut RunRecord)) {
        change(&mut self.lock_record());
    }

    fn lock_record(&self) -> MutexGuard<'_, RunRecord> {
        lock(&self.record)
    }

    /// Runs work while renewing the lease in the background. The work itself checks for stop requests.
    ///
    /// # Errors
    /// The failure of the work, and [`FailureKind::Held`] when the target was lost.
    pub(crate) async fn renew_during<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let lose = |lost: Failure| {
            self.target.fence().close();
            Err(lost)
        };
        let mut renewals = pin!(self.renew_periodically());
        // The order is fixed, so that a simulation can be repeated.
        let worked = tokio::select! {
            biased;
            worked = work => worked,
            lost = &mut renewals => return lose(lost),
        };
        // Wait for a renewal in progress. If it were dropped, its write might still happen and undo the next
        // one.
        tokio::select! {
            biased;
            lost = &mut renewals => lose(lost),
            _ = self.written.lock() => worked,
        }
    }

    /// Waits for something that can be canceled at any point.
    ///
    /// # Errors
    /// The failure of the wait, or the stop request.
    pub(crate) async fn unless_stopped<T>(
        &self,
        wait: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        tokio::select! {
            biased;
            waited = wait => waited,
            stopped = self.stop_guard.wait() => Err(stopped),
        }
    }

    /// Renews the lease periodically. Returns only if the target was lost.
    async fn renew_periodically(&self) -> Failure {
        loop {
            tokio::time::sleep(self.duration / 4).await;
            // A failed renewal is retried. If the store stays unreachable, the fence stops the work.
            if let Err(failure) = self.renew(Duration::ZERO).await
                && failure.kind == FailureKind::Held
            {
                return failure;
            }
        }
    }

    /// Runs a unit of work while the lease is held and no stop is requested. Work that was fenced off because
    /// the lease lapsed, as in a suspended machine, is retried after the target is acquired again.
    ///
    /// # Errors
    /// The failure of the work, [`FailureKind::Held`] when the target was lost, and the stop request.
    pub(crate) async fn while_held<T>(
        &self,
        work: impl AsyncFn() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        loop {
            if let Some(stopped) = StopGuard::requested() {
                return Err(stopped);
            }
            self.renew(self.duration / 3).await?;
            match work().await {
                Err(failure) if failure.has_lapsed => {}
                done => return done,
            }
        }
    }

    /// Writes the record, which renews the lease, and verifies that the lease is still held.
    ///
    /// # Errors
    /// [`FailureKind::Held`] when it is not, and when the store fails.
    pub(crate) async fn write(&self) -> Result<(), Failure> {
        self.renew(Duration::ZERO).await
    }

    async fn renew(&self, due: Duration) -> Result<(), Failure> {
        let fence = self.target.fence();
        if fence.age() < due {
            return Ok(());
        }
        let mut written = self.written.lock().await;
        if fence.age() < due {
            return Ok(());
        }
        match self.renew_now(&mut written).await {
            Err(failure) if failure.has_lapsed && self.record().capabilities.create => {
                self.reacquire(&mut written).await
            }
            renewed => renewed,
        }
    }

    async fn renew_now(&self, written: &mut Written) -> Result<(), Failure> {
        let (fence, key) = (self.target.fence(), run_key(self.record().number));
        fence.check(&key)?;
        self.verify_held(self.record().number).await?;
        let (record, moment) = (self.record(), self.target.machine().moment());
        let condition = if_unchanged(&record.capabilities, written.tag.as_deref());
        *written = self.write_record(record, condition).await?;
        // A renewal that finished too late does not count: others may have begun before it.
        fence.check(&key)?;
        fence.renew(moment);
        Ok(())
    }

    /// Writes a record of this run. The store may execute a write after this publisher gave it up, so another
    /// record is replaced if this run wrote it.
    ///
    /// # Errors
    /// [`FailureKind::Held`] when another run wrote the record, and when the store fails.
    async fn write_record(&self, record: RunRecord, condition: Condition) -> Result<Written, Failure> {
        let key = run_key(record.number);
        let tag = match state::write_json(self.target, &key, &record, condition).await {
            Err(StoreError::Changed) => {
                let if_own = if_unchanged(&record.capabilities, self.own_tag(&key).await?.as_deref());
                state::write_json(self.target, &key, &record, if_own).await
            }
            done => done,
        };
        match tag {
            Ok(tag) => Ok(Written { tag, record }),
            Err(StoreError::Changed) => Err(lease_lost()),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the tag of the record in the store, if this run wrote it.
    ///
    /// # Errors
    /// [`FailureKind::Held`] when another run wrote it, and when the store does not answer.
    async fn own_tag(&self, key: &str) -> Result<Option<String>, Failure> {
        let found = self.target.get_tagged(key, MAX_DOCUMENT).await?;
        let is_own = |text: &[u8]| {
            serde_json::from_slice::<RunRecord>(text).is_ok_and(|record| record.id == self.record().id)
        };
        match found {
            Some(found) if is_own(&found.body) => Ok(found.tag),
            _ => Err(lease_lost()),
        }
    }

    /// Acquires the target again after the lease lapsed. If the store fails, no other write is allowed until a
    /// later attempt succeeds.
    ///
    /// # Errors
    /// [`FailureKind::Held`] when another publisher acquired the target, and when the store fails.
    async fn reacquire(&self, written: &mut Written) -> Result<(), Failure> {
        let record = RunRecord { number: self.record().number + 1, ..self.record() };
        let (fence, number) = (self.target.fence(), record.number);
        fence.reacquire(run_key(number));
        let renewed = self.target.machine().moment();
        let taken = async {
            *written = self.write_record(record, Condition::Absent).await?;
            self.verify_held(number).await
        };
        let taken = taken.await;
        if taken.as_ref().is_err_and(|failure| failure.kind == FailureKind::Held) {
            fence.close();
        }
        taken?;
        self.update(|now| now.number = number);
        fence.raise(self.hold_since(renewed));
        Ok(())
    }

    /// Returns the hold that the record grants from a moment on.
    fn hold_since(&self, renewed: Moment) -> Hold {
        let number = self.record().number;
        Hold {
            renewed,
            // The last quarter is left for requests in flight.
            lease: self.duration / 4 * 3,
            record: run_key(number),
            next: run_key(number + 1),
        }
    }

    /// Fails if a later run than this one exists.
    async fn verify_held(&self, number: u64) -> Result<(), Failure> {
        let has_conditions = self.record().capabilities.create;
        if let Some(later) = conditional_writes::later_run(self.target, number, has_conditions).await? {
            return Err(taken_over(later));
        }
        if !has_conditions {
            self.own_tag(&run_key(number)).await?;
        }
        Ok(())
    }

    /// Ends the lease after work that made no release live.
    ///
    /// # Errors
    /// The failure of the work, and as [`Lease::end`].
    pub(crate) async fn end_unpublished<T>(self, worked: Result<T, Failure>) -> Result<T, Failure> {
        self.update(RunRecord::end_unpublished);
        let ended = self.end().await;
        let done = worked?;
        ended?;
        Ok(done)
    }

    /// Ends the lease.
    ///
    /// # Errors
    /// [`FailureKind::Held`] when it was lost before, and when the store fails.
    pub(crate) async fn end(self) -> Result<RunRecord, Failure> {
        self.update(|record| record.lease = 0);
        if self.written.lock().await.record != self.record() {
            self.write().await?;
        }
        self.target.fence().lower();
        Ok(self.record())
    }
}

fn taken_over(number: u64) -> Failure {
    Failure::new(FailureKind::Held, format!("run {number} took over the target while this run was at work"))
        .help("this run stopped; run `sitegate target status`")
}

/// Returns the condition that an object still has this tag, in the form that the store understands.
pub(crate) fn if_unchanged(capabilities: &Capabilities, tag: Option<&str>) -> Condition {
    match (tag, capabilities.replace) {
        (Some(tag), TagForm::Quoted) => Condition::Unchanged(format!("\"{tag}\"")),
        (Some(tag), TagForm::Bare) => Condition::Unchanged(tag.to_owned()),
        _ => Condition::Always,
    }
}

/// Runs work that makes no release live under a lease.
///
/// # Errors
/// [`FailureKind::Held`] when another publisher was faster, and the failure of the work.
pub async fn with_lease<T>(
    target: &PublishTarget,
    state: &State,
    options: &RunOptions,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let run = Lease::acquire(target, None, state, options).await?;
    let worked = run.renew_during(work).await;
    run.end_unpublished(worked).await
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Lease, RunOptions};
    use crate::target::PublishTarget;
    use crate::target_state::state::State;

    #[tokio::test]
    async fn a_target_can_be_used_again_after_its_lease_was_lost_or_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let target = PublishTarget::open_folder(&format!("file://{}", folder.path().display())).unwrap();
        target.store().create().await.unwrap();
        let options = RunOptions::default();
        let run = Lease::acquire(&target, None, &State::default(), &options).await.unwrap();
        let state = State { last: Some(run.record()), ..State::default() };
        target.fence().close();
        assert!(target.delete(&["a".to_owned()]).await.is_err());
        drop(run);
        let next = Lease::acquire(&target, None, &state, &options).await.unwrap();
        assert_eq!(next.record().number, 2);
        target.delete(&["a".to_owned()]).await.unwrap();
    }
}
