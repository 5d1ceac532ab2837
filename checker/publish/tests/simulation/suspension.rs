//! Suspends publishers past their lease, while another one publishes, and while no one does.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::sleep;

use super::link::{Disturbance, Faults};
use super::operation::{End, Operation};
use super::report::{Trouble, on_all_cores, simulate};
use super::rng::Rng;
use super::round::Round;
use super::site::Site;
use super::world::Kind;

/// How long publishers are suspended: much longer than their lease.
const TIME: Duration = Duration::from_mins(5);

/// Suspends a publisher at each of its writes, executed or not, while another one publishes, and while no one does.
pub fn suspend_at_each_write(site: &Site, kind: Kind) -> Result<usize, Trouble> {
    let next = AtomicUsize::new(0);
    on_all_cores(|| {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let at = 1 + number / 8;
        let disturbance = if number.is_multiple_of(2) {
            Disturbance::SuspendAfter(at, TIME)
        } else {
            Disturbance::SuspendBefore(at, TIME)
        };
        simulate(async {
            let mut round = Round::new(site, kind, Rng::new(number as u64));
            let done = async {
                round.complete(0, 5).await?;
                let has_other = (number / 2).is_multiple_of(2);
                // The second one removes pages.
                let operation = [Operation::Publish(1, 5), Operation::Publish(2, 0)][number / 4 % 2].clone();
                round.suspend_at(disturbance, has_other, &operation, 4).await
            };
            let done = done.await;
            let log = std::mem::take(&mut round.world.lock().unwrap().log);
            let step = format!("{}, {} files, {disturbance:?}", kind.name, site.size);
            done.map_err(|wrong| Trouble { seed: number as u64, step, wrong, log })
        })
        .map(|has_struck| has_struck.then_some(1))
        .transpose()
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
            if self.world.lock().unwrap().latest_record() == latest {
                // This version was live already, so there was no other run.
                return Ok(None);
            }
            self.live = Some(second);
            // It may have woken before the other one could begin.
            let was_live = was_live || link.has_ended();
            Ok::<_, String>(Some((self.world.lock().unwrap().judge.there().clone(), was_live)))
        };
        let (end, there) = tokio::join!(asleep, other);
        let there = there?;
        sleep(Duration::from_secs(20)).await;
        self.sound()?;
        if let Some((there, was_live)) = there {
            let world = self.world.lock().unwrap();
            if *world.judge.there() != there {
                return Err(format!(
                    "a publisher that was suspended changed what another one published: {end:?}"
                ));
            }
            let is_executed = !matches!(disturbance, Disturbance::SuspendBefore(..));
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
}
