//! Suspends publishers past their lease, while another one publishes, and while no one does.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sitegate_publish::failure::{Failure, FailureKind};
use tokio::time::sleep;

use super::judge::Extra;
use super::link::{Disturbance, Faults};
use super::operation::{End, Operation, Report, pages};
use super::report::{Trouble, on_all_cores};
use super::round::{Round, Start, go_on};
use super::site::Site;
use super::world::Kind;

/// How long publishers are suspended: much longer than their lease.
const TIME: Duration = Duration::from_mins(5);

/// Number of writes at which publishers are suspended: more than any of them sends.
const WRITES: usize = 70;

/// Suspends a publisher at each of its writes, executed or not, while another one publishes, and while no one does.
pub fn suspend_at_each_write(site: &Site, kind: Kind) -> Result<usize, Trouble> {
    let (next, start) = (AtomicUsize::new(0), Start::published(site, kind, &[0])?);
    let kinds = [Disturbance::SuspendAfter, Disturbance::SuspendBefore, Disturbance::SuspendInside];
    on_all_cores(|| {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let (number, which) = (number / kinds.len(), number % kinds.len());
        let disturbance = kinds[which](1 + number / 4, TIME);
        let has_other = number.is_multiple_of(2);
        // The second one removes pages.
        let operation = [Operation::Publish(1, 5), Operation::Publish(2, 0)][number / 2 % 2].clone();
        let what = format!("{disturbance:?}");
        let suspend = async |round: &mut Round<'_>| {
            round.suspend_at(disturbance, has_other, &operation, 4).await.map(usize::from)
        };
        (number / 4 < WRITES).then(|| go_on(site, &start, number as u64, &what, suspend))
    })
}

/// Suspends a publisher to a folder at each of its requests, some of them between two names that it changes under the lock.
/// Another publisher begins right before it wakes, and must notice what it changes then.
pub fn begin_before_one_wakes(site: &Site, kind: Kind) -> Result<usize, Trouble> {
    let (next, start) = (AtomicUsize::new(0), Start::published(site, kind, &[0])?);
    on_all_cores(|| {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let early = [20, 300, 2_000, 4_500].map(Duration::from_millis)[number % 4];
        let disturbance = Disturbance::SuspendAt(1 + number / 4, TIME);
        let what = format!("{disturbance:?}, {early:?} early");
        go_on(site, &start, number as u64, &what, async |round| {
            round.begin_before_one_wakes(disturbance, early).await
        })
        .map(|has_struck| has_struck.then_some(1))
        .transpose()
    })
}

/// Pauses a reader after each of its first requests, while another publisher begins, works and ends, or dies. It must not
/// mix two moments of the target: what another one changes is no drift, and nothing that is lost.
pub fn pause_reader(site: &Site, kind: Kind) -> Result<usize, Trouble> {
    let (next, start) = (AtomicUsize::new(0), Start::published(site, kind, &[0, 1, 4])?);
    on_all_cores(|| {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let (at, step) = (1 + number % 4, number / 24);
        let readers = [Operation::RollBack(None), Operation::Publish(0, 5), Operation::Status];
        let operation = readers[number / 4 % 3].clone();
        let kill = if (number / 12).is_multiple_of(2) {
            Disturbance::None
        } else {
            Disturbance::KillAfter(8 + step)
        };
        let what = format!("a reader paused at {at}");
        let read = async |round: &mut Round<'_>| {
            round.read_during_publish(at, step, &operation, kill).await.map(|()| 1)
        };
        (step < 14).then(|| go_on(site, &start, number as u64, &what, read))
    })
}

impl Round<'_> {
    /// Suspends a publisher past its lease. If another one publishes meanwhile, nothing of the first goes live.
    pub async fn suspend(&mut self) -> Result<(), String> {
        let at = 1 + self.rng.below(4 + 2 * self.site.size as u64) as usize;
        let disturbance = match self.rng.below(4) {
            0 => Disturbance::SuspendBefore(at, TIME),
            1 => Disturbance::SuspendAfter(at, TIME),
            _ => Disturbance::SuspendAt(2 * at, TIME),
        };
        let has_other = self.rng.chance(70);
        let (first, second) = (self.version(), self.version());
        let operation = match self.rng.below(10) {
            0..3 if self.live.is_some() => Operation::RollBack(None),
            3..6 => Operation::Publish(first, 0),
            _ => Operation::Publish(first, 5),
        };
        self.suspend_at(disturbance, has_other, &operation, second).await.map(drop)
    }

    /// Suspends a publisher at one of its requests. Returns whether it came so far.
    async fn suspend_at(
        &mut self,
        disturbance: Disturbance,
        has_other: bool,
        operation: &Operation,
        second: usize,
    ) -> Result<bool, String> {
        let sleeper = self.publisher(disturbance, Faults::default());
        let link = Arc::clone(&sleeper.link);
        let asleep = async { sleeper.end(operation).await };
        let other = async {
            while !link.has_struck() {
                sleep(Duration::from_secs(1)).await;
                if link.has_ended() {
                    return Ok(None);
                }
            }
            // After the lease, and long before the first one wakes.
            sleep(Duration::from_secs(80)).await;
            if !has_other {
                return Ok(None);
            }
            let was_live = self.world.lock().unwrap().has_live_record();
            let latest = self.world.lock().unwrap().latest_record();
            self.may_be_held = true;
            if matches!(operation, Operation::Publish(_, 0)) {
                // It may have deleted the assets of the version before.
                self.live = None;
            }
            self.complete(second, 5).await?;
            let world = self.world.lock().unwrap();
            let Some(record) = world.latest_record().filter(|record| Some(record) != latest.as_ref()) else {
                // This version was live already, so there was no other run.
                return Ok(None);
            };
            self.live = Some(second);
            // It may have woken before the other one could begin.
            let was_live = was_live || link.has_ended();
            Ok::<_, String>(Some((world.judge.there().clone(), record, was_live)))
        };
        let (end, there) = tokio::join!(asleep, other);
        let there = there?;
        sleep(Duration::from_secs(20)).await;
        self.sound()?;
        if let Some((there, latest, was_live)) = there {
            let world = self.world.lock().unwrap();
            if let End::Done(Report { version: Some(version), .. }) = end
                && link.has_followed(&world, &latest)
            {
                // It was suspended during a read, and read everything again: it published later.
                world.judge.is_live(pages(self.site, self.kind, version), Extra::Any)?;
                self.live = Some(version);
                return Ok(true);
            }
            if *world.judge.there() != there {
                return Err(format!(
                    "a publisher that was suspended changed what another one published: {end:?}"
                ));
            }
            let is_executed =
                matches!(disturbance, Disturbance::SuspendAfter(..) | Disturbance::SuspendAt(..));
            let is_other = matches!(operation, Operation::Publish(first, _) if *first != second);
            // A release that was live when its publisher fell asleep was published.
            if end.is_done() && is_other && !is_executed && !was_live {
                return Err(format!("a publisher that was suspended says that its release is live: {end:?}"));
            }
            return Ok(true);
        }
        // Without conditions, a publisher cannot acquire its target again. At its first write, it has not begun.
        let goes_on = matches!(disturbance, Disturbance::SuspendAfter(2.., _)) && self.kind.has_conditions;
        match &end {
            End::Done(_) if goes_on && !sleeper.warnings.lock().unwrap().is_empty() => {
                let warnings = sleeper.warnings.lock().unwrap();
                return Err(format!(
                    "no one else ran, and a publisher that was suspended warns: {warnings:?}"
                ));
            }
            End::Done(report) => self.live = report.version,
            End::Failed(failure) if link.has_struck() && goes_on && !self.is_damaged => {
                return Err(format!("no one else ran, and a publisher that was suspended failed: {failure}"));
            }
            _ => {
                self.live = None;
                self.may_be_held = true;
            }
        }
        Ok(link.has_struck())
    }

    async fn begin_before_one_wakes(&mut self, sleeps: Disturbance, early: Duration) -> Result<bool, String> {
        // Its requests may take longer than a look at the lock, so that the other one may get that first.
        let sleeper = self.publisher(sleeps, Faults { sluggish: 30, ..Faults::default() });
        let link = Arc::clone(&sleeper.link);
        let asleep = async { sleeper.end(&Operation::Publish(1, 5)).await };
        let other = self.publisher(Disturbance::None, Faults::default());
        let begin = async {
            while !link.has_struck() && !link.has_ended() {
                sleep(Duration::from_millis(10)).await;
            }
            sleep(TIME.saturating_sub(early)).await;
            (other.end(&Operation::Publish(4, 5)).await, link.has_ended())
        };
        let (woken, (end, is_last)) = tokio::join!(asleep, begin);
        // Requests that it sent before it ended may still arrive.
        sleep(Duration::from_secs(20)).await;
        self.sound()?;
        // One that was suspended before it read the target may publish after the other one.
        if let End::Done(Report { version: Some(version), .. }) = end
            && (is_last || !woken.is_done())
        {
            let world = self.world.lock().unwrap();
            world.judge.is_live(pages(self.site, self.kind, version), Extra::Any)?;
        }
        (self.live, self.may_be_held) = (None, true);
        self.complete(2, 5).await?;
        Ok(link.has_struck())
    }

    async fn read_during_publish(
        &mut self,
        at: usize,
        step: usize,
        operation: &Operation,
        kill: Disturbance,
    ) -> Result<(), String> {
        // The lease of a dead one is over then.
        let time = if kill == Disturbance::None { 20 } else { 90 };
        let reader = self.publisher(Disturbance::SuspendAt(at, Duration::from_secs(time)), Faults::default());
        let other = self.publisher(kill, Faults::default());
        let reads = async {
            sleep(Duration::from_millis(step as u64 * 80)).await;
            let end = reader.end(operation).await;
            // At a store without times, the other one may wait for this one.
            (end, other.link.has_ended())
        };
        let ((end, is_last), _) = tokio::join!(reads, other.end(&Operation::Publish(2, 5)));
        self.sound()?;
        match end {
            // It lists the releases of one moment: before the other publisher, or after it.
            End::Done(status) if *operation == Operation::Status => {
                let listed: Vec<usize> = status.listed.iter().map(|listed| listed.1).collect();
                match (status.version, listed.as_slice()) {
                    // During a switch, opaque tags do not show whether a content is still there.
                    (Some(4), [1, 0] | [0]) if status.is_unfinished => Ok(()),
                    (Some(4), [1, 0]) | (Some(2), [4, 1, 0]) => Ok(()),
                    _ => Err(format!("the status is a mix of two moments: {status:?}")),
                }
            }
            End::Done(_) if !is_last => Ok(()),
            End::Done(Report { version: Some(version), .. }) => {
                let world = self.world.lock().unwrap();
                world.judge.is_live(pages(self.site, self.kind, version), Extra::Any)
            }
            End::Failed(Failure { kind: FailureKind::Held, .. }) => Ok(()),
            // Without conditions, it cannot acquire its target again after its lease.
            End::Failed(Failure { kind: FailureKind::Failed, .. }) if !self.kind.has_conditions => Ok(()),
            end => Err(format!("what another publisher did stops {operation:?}: {end:?}")),
        }
    }
}
