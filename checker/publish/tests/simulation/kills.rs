//! Kills every operation at every request, before and after the store executes it, and goes on.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use super::link::{Disturbance, Faults};
use super::operation::{End, LEASE, Operation};
use super::report::{Trouble, on_all_cores};
use super::round::{Round, go_on, in_round};
use super::site::Site;
use super::world::{Kind, World};

/// An operation, and what was done before it.
pub struct Scenario {
    pub name: &'static str,
    before: &'static [Operation],
    /// Whether the latest record is damaged then.
    is_damaged: bool,
    /// Whether the last of the earlier operations is killed in its middle.
    is_interrupted: bool,
    operation: Operation,
}

const FIRST: Scenario = Scenario {
    name: "publish first",
    before: &[],
    is_damaged: false,
    is_interrupted: false,
    operation: Operation::Publish(0, 5),
};

use Operation::{Gc, Publish, Repair, RollBack, Unlock};

pub const SCENARIOS: [Scenario; 13] = [
    FIRST,
    Scenario { name: "publish again", before: &[Publish(0, 5)], operation: Publish(1, 5), ..FIRST },
    Scenario {
        name: "publish with removals and conflicts",
        before: &[Publish(1, 5)],
        operation: Publish(2, 0),
        ..FIRST
    },
    Scenario { name: "publish over conflicts", before: &[Publish(2, 5)], operation: Publish(0, 5), ..FIRST },
    Scenario { name: "publish new headers", before: &[Publish(2, 5)], operation: Publish(3, 5), ..FIRST },
    Scenario {
        name: "rollback",
        before: &[Publish(0, 5), Publish(1, 5)],
        operation: RollBack(None),
        ..FIRST
    },
    Scenario {
        name: "rollback over conflicts",
        before: &[Publish(1, 5), Publish(2, 5)],
        operation: RollBack(None),
        ..FIRST
    },
    Scenario {
        name: "gc",
        before: &[Publish(0, 5), Publish(1, 5), Publish(2, 5), Publish(4, 5), Publish(3, 5)],
        operation: Gc(1),
        ..FIRST
    },
    Scenario {
        name: "repair",
        before: &[Publish(0, 5), Publish(1, 5)],
        is_damaged: true,
        operation: Repair,
        ..FIRST
    },
    Scenario {
        name: "gc after an interrupted publish",
        before: &[Publish(0, 5), Publish(1, 5)],
        is_interrupted: true,
        operation: Gc(0),
        ..FIRST
    },
    Scenario {
        name: "gc after an interrupted rollback",
        before: &[Publish(0, 5), Publish(1, 5), RollBack(None)],
        is_interrupted: true,
        operation: Gc(0),
        ..FIRST
    },
    Scenario {
        name: "repair after an interrupted publish",
        before: &[Publish(0, 5), Publish(1, 5)],
        is_damaged: true,
        is_interrupted: true,
        operation: Repair,
    },
    Scenario {
        name: "unlock",
        before: &[Publish(0, 5), Publish(1, 5)],
        is_interrupted: true,
        operation: Unlock,
        ..FIRST
    },
];

/// All kills of one scenario.
pub struct Job<'s> {
    pub site: &'s Site,
    pub kind: Kind,
    pub scenario: &'s Scenario,
    /// One of this many requests is tested.
    pub step: usize,
}

/// Runs jobs on all cores. Returns the number of kills.
pub fn run_all(jobs: &[Job<'_>], seed: u64) -> Result<usize, Trouble> {
    let kinds: [fn(usize) -> Disturbance; 3] =
        [Disturbance::KillBefore, Disturbance::KillAfter, Disturbance::PowerLoss];
    // Only a request to a bucket may be on its way, and only folders lose what was not made durable.
    let of = |job: &Job<'_>| if job.kind.is_folder { 1..3 } else { 0..2 };
    let cases = jobs.iter().flat_map(|job| kinds[of(job)].iter().map(move |kind| (job, *kind)));
    let queue = Mutex::new(cases.collect::<VecDeque<_>>());
    on_all_cores(|| {
        let (job, kind) = queue.lock().unwrap().pop_front()?;
        Some(job.run(seed, kind))
    })
}

/// Damages the record of the latest run.
pub fn damage_latest_record(world: &mut World) {
    if let Some(latest) = world.objects.keys().rfind(|key| key.starts_with(".sitegate/runs/")).cloned() {
        world.damage(&latest);
    }
}

impl Job<'_> {
    /// Kills the operation at each of its requests. Returns the number of kills.
    fn run(&self, seed: u64, kind: fn(usize) -> Disturbance) -> Result<usize, Trouble> {
        let (site, what) = (self.site, self.scenario.name);
        let start = in_round(site, self.kind, seed, &format!("before {what}"), async |round| {
            self.set_up(round).await?;
            Ok(round.stop())
        })?;
        for k in (1 + seed as usize % self.step..).step_by(self.step) {
            let disturbance = kind(k);
            let what = format!("{what}, {disturbance:?}");
            let has_struck = go_on(site, &start, seed ^ (k as u64) << 20, &what, async |round| {
                round.may_be_held = self.scenario.is_interrupted || self.scenario.is_damaged;
                self.kill(round, disturbance, k).await
            });
            // Each kill has random numbers of its own, by the seed of all.
            let has_struck = has_struck.map_err(|trouble| Trouble { seed, ..trouble })?;
            if !has_struck {
                return Ok(k / self.step);
            }
        }
        Ok(0)
    }

    async fn set_up(&self, round: &mut Round<'_>) -> Result<(), String> {
        let Scenario { before, is_damaged, is_interrupted, .. } = self.scenario;
        let (last, earlier) = match before.split_last() {
            Some((last, earlier)) if *is_interrupted => (Some(last), earlier),
            _ => (None, *before),
        };
        for operation in earlier {
            round.must(operation).await?;
        }
        if let Some(last) = last {
            self.interrupt(round, last).await?;
            if matches!(self.scenario.operation, Gc(_)) {
                self.free(round).await?;
            }
        }
        if *is_damaged {
            damage_latest_record(&mut round.world.lock().unwrap());
            // A record that was damaged just now may be that of a publisher at work.
            tokio::time::sleep(Duration::from_secs(70)).await;
        }
        Ok(())
    }

    /// Waits until the lease of a dead publisher is over, or removes it at a store without times.
    async fn free(&self, round: &mut Round<'_>) -> Result<(), String> {
        if self.kind.is_dated {
            tokio::time::sleep(LEASE + Duration::from_secs(5)).await;
            return Ok(());
        }
        round.calm(&Unlock).await.map(drop)
    }

    /// Kills an operation after it changed some pages.
    async fn interrupt(&self, round: &mut Round<'_>, operation: &Operation) -> Result<(), String> {
        let start = round.stop();
        // The manifest and some uploads come before that.
        for middle in (self.site.size + 8..).step_by(1 + self.site.size / 8) {
            let before = round.world.lock().unwrap().judge.there().clone();
            let (_, has_struck) =
                round.run(operation, Disturbance::KillAfter(middle), Faults::default()).await?;
            if !has_struck {
                break;
            }
            if round.world.lock().unwrap().judge.is_unchanged(&before).is_err() {
                return Ok(());
            }
            round.go_back(&start);
        }
        Err(format!("{operation:?} changes no page before its end"))
    }

    /// Kills the operation, and then goes on in one of several ways.
    async fn kill(&self, round: &mut Round<'_>, disturbance: Disturbance, k: usize) -> Result<bool, String> {
        let operation = &self.scenario.operation;
        round.world.lock().unwrap().judge.has_remains = self.scenario.is_damaged && !self.kind.has_digests;
        let (_, has_struck) = round.run(operation, disturbance, Faults::default()).await?;
        if self.scenario.is_damaged {
            // Opaque tags of the damaged record are lost, so the next publication needs --overwrite-drift.
            round.is_damaged = !self.kind.has_digests;
            round.must(&Repair).await?;
        }
        let wanted = match operation {
            Publish(version, _) => *version,
            _ => 1,
        };
        // Each way on costs a publication or more, so after most kills at large sites there is none.
        let turn = k / self.step % if self.site.size > 50 { 32 } else { 8 };
        match turn {
            0 => round.must(&Repair).await.map(drop)?,
            1 if wanted != 0 => {
                // The other direction: back to what was live before.
                self.roll_back(round).await?;
                round.roll_back_to_listed(1).await?;
            }
            2 => round.complete(4, 5).await?,
            6 => self.complete_earlier(round).await?,
            _ => {}
        }
        round.complete(wanted, 5).await?;
        match turn {
            1 | 5 => round.roll_back_to_listed(2).await?,
            // Without kept releases, nothing else remains.
            3 | 7 => round.complete((wanted + 1) % 5, if self.scenario.is_damaged { 5 } else { 0 }).await?,
            _ => {}
        }
        Ok(has_struck)
    }

    /// Publishes the version again that was live before.
    async fn complete_earlier(&self, round: &mut Round<'_>) -> Result<(), String> {
        match self.scenario.before {
            [.., Publish(version, _)] => round.complete(*version, 5).await,
            _ => Ok(()),
        }
    }

    /// Rolls back after the kill: undoes an interrupted publish, and completes an interrupted rollback.
    async fn roll_back(&self, round: &mut Round<'_>) -> Result<(), String> {
        let End::Done(status) = round.must(&Operation::Status).await? else { return Ok(()) };
        let End::Done(done) = round.calm(&RollBack(None)).await? else { return Ok(()) };
        let goal = match (&self.scenario.operation, self.scenario.before) {
            (RollBack(_), [Publish(earlier, _), ..]) | (_, [Publish(earlier, _), .., RollBack(_)]) => {
                Some(*earlier)
            }
            _ => status.version,
        };
        if status.is_unfinished && done.version != goal {
            return Err(format!("rolled back to version {:?} instead of {goal:?}", done.version));
        }
        Ok(())
    }
}
