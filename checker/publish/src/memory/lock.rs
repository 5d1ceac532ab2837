//! Takes a target, keeps it, proves that it is still ours, and gives it back.
//!
//! The lock is the record of the latest run: see [`crate::memory::state`]. Whoever holds it renews it, and others take
//! the target only once the store's own clock says that the record is older than its lease. The holder in turn writes
//! nothing once most of its lease has passed without a renewal, by a clock that goes on while the machine sleeps: so
//! a publisher that slept finds itself out before it could do harm, and takes the target anew if nobody else did. No
//! process is looked for, and no two machines' clocks are compared.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::failure::{Exit, Failure};
use crate::memory::pending::Pending;
use crate::memory::probe;
use crate::memory::state::{self, Promises, RunRecord, Stage, State, TagForm, now, random_id, run_key};
use crate::plan::Plan;
use crate::stop::Listening;
use crate::target::fence::{self, Hold};
use crate::target::moment::Moment;
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

/// How long others wait for a publisher that stopped responding, where nothing else is said: four renewals, and
/// twice as long as a request may take, so that none is still under way when the next publisher begins.
pub const LEASE: Duration = Duration::from_mins(1);

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions { lease: LEASE, pending: Pending::default() }
    }
}

/// Refuses to begin while another publisher is at work.
///
/// # Errors
/// [`Exit::Held`].
pub fn refuse_held(state: &State) -> Result<(), Failure> {
    match state.holder() {
        Some(run) => Err(state::held(run, state.left)),
        None => Ok(()),
    }
}

/// A run under way, which holds its target.
pub(crate) struct HeldRun<'t> {
    target: &'t PublishTarget,
    lease: Duration,
    record: Mutex<RunRecord>,
    /// Our record as we wrote it last: one write comes after the other.
    written: tokio::sync::Mutex<Written>,
    listening: Listening,
}

/// A record that was written.
struct Written {
    /// The tag that it got.
    tag: Option<String>,
    /// What it says.
    record: RunRecord,
}

impl<'t> HeldRun<'t> {
    /// Takes the target by creating the next run's record.
    ///
    /// # Errors
    /// [`Exit::Held`] when another publisher was faster.
    pub(crate) async fn take(
        target: &'t PublishTarget,
        plan: Option<&Plan>,
        state: &State,
        promises: Promises,
        options: &RunOptions,
    ) -> Result<HeldRun<'t>, Failure> {
        let last = state.last.as_ref();
        let number = last.map_or(1, |last| last.number + 1);
        let record = RunRecord {
            schema_version: state::SCHEMA_VERSION,
            number,
            id: random_id(),
            stage: Stage::Publishing,
            release: plan.map(|plan| plan.manifest.release.clone()),
            previous: state.live.as_ref().map(|live| live.release.clone()),
            unfinished: last.map_or_else(Vec::new, state::unfinished),
            started: now(),
            lease: options.lease.as_secs(),
            pending: state.pending().with(options.pending.clone()),
            promises,
            etags: last.map_or_else(BTreeMap::new, |last| last.etags.clone()),
        };
        let condition = if record.promises.create { Condition::Absent } else { Condition::Always };
        let listening = Listening::begin();
        let proven = Moment::now();
        let tag = match state::write(target, &run_key(number), &record, condition).await {
            Ok(tag) => tag,
            Err(PutError::Conflict | PutError::Different) => return Err(state::faster(target, number).await),
            Err(PutError::Other(failure)) => return Err(failure),
        };
        let run = HeldRun {
            target,
            lease: options.lease,
            record: Mutex::new(record.clone()),
            written: tokio::sync::Mutex::new(Written { tag, record }),
            listening,
        };
        target.fence().raise(run.hold_from(proven));
        if !run.now().promises.create {
            // The last of several writers at one moment wins; after it, each can see who that was.
            tokio::time::sleep(Duration::from_millis(300)).await;
            run.look().await?;
        } else if state.read.is_none_or(|read| read.elapsed() > options.lease) {
            // So long after the survey, other runs may have come and gone, and their records been cleared away.
            run.look().await?;
        }
        target.sweep().await?;
        Ok(run)
    }

    /// Takes the target without a release to publish.
    ///
    /// # Errors
    /// [`Exit::Held`] when another publisher was faster, and what the store fails with.
    pub(crate) async fn take_for_work(
        target: &'t PublishTarget,
        state: &State,
        options: &RunOptions,
    ) -> Result<HeldRun<'t>, Failure> {
        let promises = match state.promises(target) {
            Some(promises) => promises,
            None => probe::promises(target).await?,
        };
        HeldRun::take(target, None, state, promises, options).await
    }

    /// The record as it is now, written or not.
    pub(crate) fn now(&self) -> RunRecord {
        self.lock().clone()
    }

    /// Changes the record; it is written with the next renewal, or by [`HeldRun::write`].
    pub(crate) fn change(&self, change: impl FnOnce(&mut RunRecord)) {
        change(&mut self.lock());
    }

    fn lock(&self) -> MutexGuard<'_, RunRecord> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does some work, and renews the lease meanwhile. The work itself looks at times whether to stop.
    ///
    /// # Errors
    /// What the work fails with, and [`Exit::Held`] when the target was lost.
    pub(crate) async fn hold_while<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let lose = |lost: Failure| {
            self.target.fence().close();
            Err(lost)
        };
        let mut renewals = pin!(self.renew_on());
        let worked = tokio::select! {
            worked = work => worked,
            lost = &mut renewals => return lose(lost),
        };
        // A renewal that was begun is waited for. Its write might go on where nobody waits for it, and undo the next one.
        tokio::select! {
            lost = &mut renewals => lose(lost),
            _ = self.written.lock() => worked,
        }
    }

    /// Waits for something that may be cut off anywhere.
    ///
    /// # Errors
    /// What the wait fails with, and the stop that was asked for.
    pub(crate) async fn unless_stopped<T>(
        &self,
        wait: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        tokio::select! {
            waited = wait => waited,
            asked = self.listening.asked() => Err(asked),
        }
    }

    /// Renews the lease for as long as the work goes on; returns only when the target was lost.
    async fn renew_on(&self) -> Failure {
        loop {
            tokio::time::sleep(self.lease / 4).await;
            // A renewal that fails is tried again; when the store stays away, the fence stops the work.
            if let Err(failure) = self.renew(Duration::ZERO).await
                && failure.exit == Exit::Held
            {
                return failure;
            }
        }
    }

    /// Does a piece of work while the target is ours, and nobody asked to stop. What was not sent because the hold lapsed
    /// meanwhile, as it does in a sleep, is done again once the target is ours anew.
    ///
    /// # Errors
    /// What the work fails with, [`Exit::Held`] when the target is not ours, and the stop that was asked for.
    pub(crate) async fn while_ours<T>(
        &self,
        work: impl AsyncFn() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        loop {
            if let Some(asked) = Listening::is_asked() {
                return Err(asked);
            }
            self.renew(self.lease / 3).await?;
            match work().await {
                Err(failure) if failure.has_lapsed => {}
                done => return done,
            }
        }
    }

    /// Writes the record, which renews the lease, and makes sure that the target is still ours.
    ///
    /// # Errors
    /// [`Exit::Held`] when it is not, and what the store fails with.
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
        match self.renew_hold(&mut written).await {
            Err(failure) if failure.has_lapsed && self.now().promises.create => {
                self.retake(&mut written).await
            }
            renewed => renewed,
        }
    }

    async fn renew_hold(&self, written: &mut Written) -> Result<(), Failure> {
        let (fence, key) = (self.target.fence(), run_key(self.now().number));
        fence.pass(&key)?;
        self.look().await?;
        let (record, moment) = (self.now(), Moment::now());
        let condition = unless_changed(&record.promises, written.tag.as_deref());
        match state::write(self.target, &key, &record, condition).await {
            Ok(tag) => *written = Written { tag, record },
            Err(PutError::Conflict | PutError::Different) => return Err(fence::lost()),
            Err(PutError::Other(failure)) => return Err(failure),
        }
        // A renewal that came so late that others may have begun before it is none.
        fence.pass(&key)?;
        fence.prove(moment);
        Ok(())
    }

    /// Takes the target anew after the hold has lapsed, as anybody would: if someone else did, it is lost.
    async fn retake(&self, written: &mut Written) -> Result<(), Failure> {
        let record = RunRecord { number: self.now().number + 1, ..self.now() };
        let fence = self.target.fence();
        fence.retake(run_key(record.number));
        let proven = Moment::now();
        let taken = match state::write(self.target, &run_key(record.number), &record, Condition::Absent).await
        {
            Ok(tag) => {
                self.change(|now| now.number = record.number);
                fence.raise(self.hold_from(proven));
                *written = Written { tag, record };
                self.look().await
            }
            Err(PutError::Conflict | PutError::Different) => Err(fence::lost()),
            Err(PutError::Other(failure)) => Err(failure),
        };
        if taken.is_err() {
            fence.close();
        }
        taken
    }

    /// The hold that our record gives from a moment on.
    fn hold_from(&self, proven: Moment) -> Hold {
        let number = self.now().number;
        Hold {
            proven,
            // The last quarter is for requests that are under way.
            lease: self.lease / 4 * 3,
            record: run_key(number),
            next: run_key(number + 1),
        }
    }

    /// Looks whether a later run is there.
    async fn look(&self) -> Result<(), Failure> {
        let record = self.now();
        let runs = self.target.list(&format!("{STATE}runs/")).await?;
        let latest = runs.keys().filter_map(|key| state::run_number(key)).max();
        if let Some(later) = latest.filter(|latest| *latest > record.number) {
            return Err(lost(later));
        }
        if !record.promises.create {
            let text = self.target.get(&run_key(record.number)).await?.unwrap_or_default();
            let there: Option<RunRecord> = serde_json::from_slice(&text).ok();
            if there.is_none_or(|there| there.id != record.id) {
                return Err(lost(record.number));
            }
        }
        Ok(())
    }

    /// Gives the target back after work that made no release live.
    ///
    /// # Errors
    /// What the work failed with, and as [`HeldRun::end`].
    pub(crate) async fn give_back<T>(self, worked: Result<T, Failure>) -> Result<T, Failure> {
        self.change(|record| {
            record.unfinished = state::unfinished(record);
            record.stage = Stage::Released;
        });
        let ended = self.end().await;
        let done = worked?;
        ended?;
        Ok(done)
    }

    /// Gives the target back.
    ///
    /// # Errors
    /// [`Exit::Held`] when it was lost before, and what the store fails with.
    pub(crate) async fn end(self) -> Result<RunRecord, Failure> {
        self.change(|record| record.lease = 0);
        if self.written.lock().await.record != self.now() {
            self.write().await?;
        }
        self.target.fence().lower();
        Ok(self.now())
    }
}

fn lost(number: u64) -> Failure {
    Failure::new(Exit::Held, format!("run {number} took the target over while this one was at work"))
        .help("this run stopped; see `sitegate status`")
}

/// The condition that an object is still the one with this tag, as the store wants to hear it.
pub(crate) fn unless_changed(promises: &Promises, tag: Option<&str>) -> Condition {
    match (tag, promises.replace) {
        (Some(tag), TagForm::Quoted) => Condition::Unchanged(format!("\"{tag}\"")),
        (Some(tag), TagForm::Bare) => Condition::Unchanged(tag.to_owned()),
        _ => Condition::Always,
    }
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
    let run = HeldRun::take_for_work(target, state, options).await?;
    let worked = run.hold_while(work).await;
    run.give_back(worked).await
}

/// What kept an object from being written.
pub(crate) fn told(error: PutError) -> Failure {
    match error {
        PutError::Other(failure) => failure,
        PutError::Conflict | PutError::Different => Failure::new(Exit::Held, "another publisher was faster"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs::File;
    use std::thread;
    use std::time::{Duration, Instant};

    use super::{HeldRun, RunOptions};
    use crate::memory::state::State;
    use crate::target::PublishTarget;
    use crate::target::store::TargetOptions;

    #[tokio::test]
    async fn work_does_not_end_before_a_renewal_that_was_begun() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("file://{}", folder.path().display());
        let target = PublishTarget::open(&url, &TargetOptions::default(), true).await.unwrap();
        let options = RunOptions { lease: Duration::from_secs(2), ..RunOptions::default() };
        let run = HeldRun::take_for_work(&target, &State::default(), &options).await.unwrap();
        // The renewal after half a second has to wait for this.
        let lock = File::options().append(true).open(folder.path().join(".sitegate/lock")).unwrap();
        lock.lock().unwrap();
        let begun = Instant::now();
        let held = thread::spawn(move || {
            thread::sleep(Duration::from_secs(1));
            drop(lock);
        });
        let work = async {
            tokio::time::sleep(Duration::from_millis(700)).await;
            Ok(())
        };
        run.hold_while(work).await.unwrap();
        assert!(begun.elapsed() >= Duration::from_secs(1));
        held.join().unwrap();
    }
}
