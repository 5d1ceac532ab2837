//! Random rounds: operations with faults, kills, suspensions, wrong clocks, damage, and several publishers at once.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sitegate_publish::failure::FailureKind;

use super::judge::Extra;
use super::link::{Disturbance, Faults};
use super::operation::{End, Operation, pages};
use super::report::{Trouble, on_all_cores, simulate};
use super::rng::Rng;
use super::round::Round;
use super::site::{Site, VERSIONS};
use super::world::{KINDS, Line};

/// Maximum number of steps of a round.
const STEPS: u64 = 5;

/// Runs the rounds of some seeds on all cores.
pub fn run_all(sites: &[Site], first: u64, count: u64) -> Result<usize, Trouble> {
    let next = AtomicU64::new(first);
    on_all_cores(|| {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        (seed < first + count).then(|| run(sites, seed).map(|_| 1))
    })
}

/// Runs the round of a seed. Returns all requests, with their times.
pub fn run(sites: &[Site], seed: u64) -> Result<Vec<Line>, Trouble> {
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
        let step = format!("{}, {} files, {step}", kind.name, site.size);
        match done {
            Ok(()) => Ok(log),
            Err(wrong) => Err(Trouble { seed, step, wrong, log }),
        }
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
            running.world.lock().unwrap().log.push(Line::new(format!("-- step {number}: {what}")));
        };
        match choice {
            0..50 => {
                note(round, "one publisher");
                round.disturb().await?;
            }
            50..70 => {
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
    round.world.lock().unwrap().log.push(Line::new("-- the end".to_owned()));
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
    pub fn version(&mut self) -> usize {
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
            sluggish: 0,
            lying: some() / 4,
            retried: some() / 4,
            unanswered: some(),
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
        let mut is_quick = faults == Faults::default() && !self.may_be_held;
        let runs: Vec<_> = (0..count)
            .map(|_| {
                let operation = match self.rng.below(10) {
                    0 => Operation::Gc(1),
                    1 | 2 => Operation::RollBack(None),
                    3 => Operation::Status,
                    _ => Operation::Publish(self.version(), 5),
                };
                // A slow one sees several moments of the others.
                let slow = if self.rng.chance(40) { 30 } else { faults.slow };
                is_quick &= slow == 0;
                let faults = Faults { slow, ..faults };
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
        // What another publisher has changed meanwhile is no drift, and nothing that is lost.
        let is_guarded = |end: &End| end.failure() == Some(FailureKind::Guard) && !self.is_damaged;
        if let Some((_, end)) = ends.iter().find(|(_, end)| is_guarded(end)) {
            return Err(format!("a guard stops one of several publishers: {end:?}"));
        }
        if is_quick && ends.iter().all(|(_, end)| end.failure() == Some(FailureKind::Held)) {
            return Err(format!("each of several publishers is refused because of the others: {ends:?}"));
        }
        if ends.iter().any(|(_, end)| end.failure().is_some_and(|kind| kind.exit_code() >= 7)) {
            return Ok(());
        }
        // A slow one may find a version live that another one has replaced when it ends.
        let done = ends.iter().filter_map(|(at, end)| match end {
            End::Done(report) if !report.is_unchanged => Some((at, report.version?)),
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
            world.log.push(Line::new(format!("   {key} is damaged")));
            match self.rng.below(3) {
                0 => drop(world.objects.remove(&key)),
                1 => world.damage(&key),
                _ => world.garble(&key),
            }
        }
        // A record that was damaged just now may be that of a publisher at work.
        tokio::time::sleep(Duration::from_secs(70)).await;
        self.live = None;
        self.may_be_held = true;
        self.is_damaged = true;
        self.world.lock().unwrap().judge.has_remains = true;
        if self.rng.chance(40) {
            // Restores everything, or changes nothing.
            self.calm(&Operation::RollBack(None)).await?;
        }
        self.must(&Operation::Repair).await?;
        Ok(())
    }
}
