//! Random rounds: operations with faults, kills, suspensions, wrong clocks, damage, and several publishers at once.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use super::judge::Extra;
use super::link::{Disturbance, Faults};
use super::operation::{End, Operation, pages};
use super::report::{Trouble, on_all_cores, simulate};
use super::rng::Rng;
use super::round::Round;
use super::site::{Site, VERSIONS};
use super::world::{KINDS, Kind};

/// Maximum number of steps of a round.
const STEPS: u64 = 5;

/// Runs the rounds of some seeds on all cores.
pub fn run_all(sites: &[Site], first: u64, count: u64) -> Result<usize, Trouble> {
    let next = AtomicU64::new(first);
    on_all_cores(|| {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        (seed < first + count).then(|| run(sites, seed).map(|()| 1))
    })
}

fn run(sites: &[Site], seed: u64) -> Result<(), Trouble> {
    simulate(async {
        let mut rng = Rng::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        // Small sites are quick, and have all kinds of files but for pages in many folders.
        let site = &sites[*rng.pick(&[0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2]) % sites.len()];
        let kind = *rng.pick(&KINDS);
        let mut round = Round::new(site, kind, rng);
        round.has_wrong_clocks = round.rng.chance(20);
        let mut step = "the first publish".to_owned();
        let done = go(&mut round, &mut step).await;
        let log = std::mem::take(&mut round.world.lock().unwrap().log);
        done.map_err(|wrong| Trouble {
            seed,
            step: format!("{}, {} files, {step}", kind.name, site.size),
            wrong,
            log,
        })
    })
}

async fn go(round: &mut Round<'_>, step: &mut String) -> Result<(), String> {
    if round.rng.chance(70) {
        let version = round.version();
        round.complete(version, 5).await?;
    }
    for number in 1..=1 + round.rng.below(STEPS) {
        let choice = round.rng.below(100);
        *step = format!("step {number}");
        let note = |running: &Round<'_>, what: &str| {
            running.world.lock().unwrap().log.push(format!("-- step {number}: {what}"));
        };
        match choice {
            0..50 => {
                note(round, "one publisher");
                round.disturb().await?;
            }
            50..70 if round.kind.has_conditions => {
                note(round, "several publishers");
                round.race().await?;
            }
            70..88 => {
                note(round, "a suspended publisher");
                round.suspend().await?;
            }
            _ => {
                note(round, "damage");
                round.damage().await?;
            }
        }
        if round.rng.chance(50) {
            note(round, "a publication that completes everything");
            let version = round.version();
            round.complete(version, 5).await?;
            if round.rng.chance(40) {
                round.roll_back_to_listed(2).await?;
            }
        }
    }
    "the end".clone_into(step);
    round.world.lock().unwrap().log.push("-- the end".to_owned());
    let version = round.version();
    round.complete(version, 0).await?;
    round.must(&Operation::Gc(0)).await?;
    if round.is_damaged {
        return Ok(());
    }
    let world = round.world.lock().unwrap();
    let mut left = world.objects.keys().filter(|key| {
        key.starts_with(".sitegate/")
            && !key.starts_with(".sitegate/runs/")
            && !key.starts_with(".sitegate/kept/")
    });
    match (left.next(), left.next()) {
        (Some(_), None) => Ok(()),
        (one, other) => Err(format!("only one manifest should remain: {one:?}, {other:?}")),
    }
}

impl Round<'_> {
    fn version(&mut self) -> usize {
        self.rng.below(VERSIONS as u64) as usize
    }

    fn operation(&mut self) -> Operation {
        match self.rng.below(100) {
            0..60 => Operation::Publish(self.version(), *self.rng.pick(&[0, 1, 5])),
            60..80 => Operation::RollBack(None),
            80..88 => Operation::Gc(self.rng.below(3) as usize),
            88..94 => Operation::Repair,
            _ => Operation::Unlock,
        }
    }

    fn faults(&mut self) -> Faults {
        let mut some = || if self.rng.chance(40) { self.rng.below(8) } else { 0 };
        Faults {
            refused: some(),
            lost: some(),
            dropped: some(),
            late: some(),
            slow: some(),
            lying: some() / 4,
        }
    }

    /// Runs an operation with faults or a kill.
    async fn disturb(&mut self) -> Result<(), String> {
        let operation = self.operation();
        let at = 1 + self.rng.below(30 + 2 * self.site.size as u64) as usize;
        let disturbance = match self.rng.below(4) {
            0 => Disturbance::KillBefore(at),
            1 => Disturbance::KillAfter(at),
            2 if self.kind.is_folder => Disturbance::PowerLoss(at),
            _ => Disturbance::None,
        };
        let faults = if disturbance == Disturbance::None || self.rng.chance(30) {
            self.faults()
        } else {
            Faults::default()
        };
        self.run(&operation, disturbance, faults).await?;
        Ok(())
    }

    /// Runs two or three publishers at once. Of those that succeed, the release of the last one is live.
    async fn race(&mut self) -> Result<(), String> {
        let faults = if self.rng.chance(30) { self.faults() } else { Faults::default() };
        let faults = Faults { lying: 0, ..faults };
        let count = 2 + self.rng.below(2);
        let runs: Vec<_> = (0..count)
            .map(|_| {
                let operation = match self.rng.below(10) {
                    0 => Operation::Gc(1),
                    1 | 2 => Operation::RollBack(None),
                    _ => Operation::Publish(self.version(), 5),
                };
                (self.publisher(Disturbance::None, faults), operation, self.rng.below(3_000))
            })
            .collect();
        let start = self.start;
        let ends = futures_util::future::join_all(runs.iter().map(|(run, operation, delay)| async move {
            tokio::time::sleep(Duration::from_millis(*delay)).await;
            let end = run.end(operation).await;
            (start.elapsed(), end)
        }));
        let ends = ends.await;
        tokio::time::sleep(Duration::from_secs(20)).await;
        self.sound()?;
        self.live = None;
        self.may_be_held = true;
        if ends.iter().any(|(_, end)| end.failure().is_some_and(|kind| kind.exit_code() >= 7)) {
            return Ok(());
        }
        let done = ends.iter().filter_map(|(at, end)| match end {
            End::Done(report) => Some((at, report.version?)),
            _ => None,
        });
        if let Some((_, version)) = done.max() {
            let world = self.world.lock().unwrap();
            let live = world.judge.is_live(pages(self.site, self.kind, version), Extra::Any);
            live.map_err(|wrong| format!("after several publishers: {wrong}"))?;
            drop(world);
            self.live = Some(version);
        }
        Ok(())
    }

    /// Suspends a publisher past its lease. If another one publishes meanwhile, nothing of the first goes live.
    pub async fn suspend(&mut self) -> Result<(), String> {
        let at = 1 + self.rng.below(4 + 2 * self.site.size as u64) as usize;
        let is_executed = self.rng.chance(50);
        let has_other = self.rng.chance(70);
        let (first, second) = (self.version(), self.version());
        self.suspend_at(at, is_executed, has_other, first, second).await.map(drop)
    }

    /// Suspends a publisher at one of its writes. Returns whether it came so far.
    pub async fn suspend_at(
        &mut self,
        at: usize,
        is_executed: bool,
        has_other: bool,
        first: usize,
        second: usize,
    ) -> Result<bool, String> {
        let time = Duration::from_mins(5);
        let disturbance = if is_executed {
            Disturbance::SuspendAfter(at, time)
        } else {
            Disturbance::SuspendBefore(at, time)
        };
        let sleeper = self.publisher(disturbance, Faults::default());
        let operation = Operation::Publish(first, 5);
        let link = std::sync::Arc::clone(&sleeper.link);
        let asleep = async { sleeper.end(&operation).await };
        let other = async {
            while !link.has_struck() {
                tokio::time::sleep(Duration::from_secs(1)).await;
                if link.has_ended() {
                    return Ok(None);
                }
            }
            // After the lease, and long before the first one wakes.
            tokio::time::sleep(Duration::from_secs(80)).await;
            if !has_other {
                return Ok(None);
            }
            let was_live = self.world.lock().unwrap().has_live_record();
            self.may_be_held = true;
            self.complete(second, 5).await?;
            self.live = Some(second);
            // It may have woken before the other one could begin.
            let was_live = was_live || link.has_ended();
            Ok::<_, String>(Some((self.world.lock().unwrap().judge.there().clone(), was_live)))
        };
        let (end, there) = tokio::join!(asleep, other);
        let there = there?;
        tokio::time::sleep(Duration::from_secs(20)).await;
        self.sound()?;
        let has_struck = link.has_struck();
        if let Some((there, was_live)) = there {
            let world = self.world.lock().unwrap();
            if *world.judge.there() != there {
                return Err(format!(
                    "a publisher that was suspended changed what another one published: {end:?}"
                ));
            }
            // A release that was live when its publisher fell asleep was published.
            if end.is_done() && first != second && has_struck && !is_executed && !was_live {
                return Err(format!(
                    "a publisher that was suspended says that version {first} is live: {end:?}"
                ));
            }
            return Ok(true);
        }
        match &end {
            End::Done(_) => self.live = Some(first),
            // Without conditions, a publisher cannot acquire its target again. At its first write, it has not begun.
            End::Failed(failure) if has_struck && self.kind.has_conditions && is_executed && at > 1 => {
                return Err(format!("no one else ran, and a publisher that was suspended failed: {failure}"));
            }
            _ => {
                self.live = None;
                self.may_be_held = true;
            }
        }
        Ok(has_struck)
    }

    /// Damages an object of the target state, and repairs it.
    async fn damage(&mut self) -> Result<(), String> {
        let folder = *self.rng.pick(&["runs/", "releases/", "kept/"]);
        {
            let mut world = self.world.lock().unwrap();
            let prefix = format!(".sitegate/{folder}");
            let keys: Vec<String> =
                world.objects.keys().filter(|key| key.starts_with(&prefix)).cloned().collect();
            if keys.is_empty() {
                return Ok(());
            }
            let key = self.rng.pick(&keys).clone();
            world.log.push(format!("   {key} is damaged"));
            if self.rng.chance(30) {
                world.objects.remove(&key);
            } else {
                world.damage(&key);
            }
        }
        // A record that was damaged just now may be that of a publisher at work.
        tokio::time::sleep(Duration::from_secs(70)).await;
        self.live = None;
        self.may_be_held = true;
        self.is_damaged = true;
        self.world.lock().unwrap().judge.has_remains = true;
        self.must(&Operation::Repair).await?;
        Ok(())
    }
}

/// Suspends a publisher at each of its writes, executed or not, while another one publishes, and while no one does.
pub fn suspend_at_each_write(site: &Site, kind: Kind) -> Result<usize, Trouble> {
    let next = AtomicUsize::new(0);
    on_all_cores(|| {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let (at, is_executed, has_other) =
            (1 + number / 4, number.is_multiple_of(2), (number / 2).is_multiple_of(2));
        simulate(async {
            let mut round = Round::new(site, kind, Rng::new(number as u64));
            let done = async {
                round.complete(0, 5).await?;
                round.suspend_at(at, is_executed, has_other, 1, 4).await
            };
            let done = done.await;
            let log = std::mem::take(&mut round.world.lock().unwrap().log);
            let step = format!("{}, {} files, suspended at write {at}", kind.name, site.size);
            done.map_err(|wrong| Trouble { seed: number as u64, step, wrong, log })
        })
        .map(|has_struck| has_struck.then_some(1))
        .transpose()
    })
}
