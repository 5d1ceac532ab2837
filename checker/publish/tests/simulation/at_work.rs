//! Runs other operations while a publisher is at work at a slow store, for longer than its lease.

use std::time::Duration;

use sitegate_publish::failure::FailureKind;
use tokio::time::{Instant, sleep};

use super::judge::Extra;
use super::link::{Disturbance, Faults};
use super::operation::{End, LEASE, Operation, Report, Run, pages};
use super::report::Trouble;
use super::round::{Round, in_round};
use super::site::Site;
use super::world::{Kind, Line, World};

/// A store that takes a second for each request, and up to a minute for some writes. Renewals of a lease are quick enough.
const SLOW: Faults = Faults {
    refused: 0,
    lost: 0,
    dropped: 0,
    late: 0,
    slow: 0,
    sluggish: 100,
    lying: 0,
    retried: 6,
    unanswered: 0,
};

/// What goes wrong during the work of the slow publisher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    None,
    /// A backup loses its second half, so that a repair has something to do.
    Backup,
    /// Its record does.
    Record,
}

/// Publishes some releases, collects garbage, and demands that the kept ones are listed.
pub fn keeps_releases(site: &Site, kind: Kind) -> Result<(), Trouble> {
    in_round(site, kind, 1, "gc", async |round| {
        for version in [0, 1, 2, 4] {
            round.complete(version, 5).await?;
        }
        round.must(&Operation::Gc(2)).await?;
        match round.must(&Operation::Status).await? {
            End::Done(status) if status.listed.iter().map(|listed| listed.1).eq([2, 1]) => {}
            other => return Err(format!("gc should keep two releases: {other:?}")),
        }
        round.roll_back_to_listed(2).await?;
        // The live version again, which keeps fewer releases: those that are still known can be restored.
        for keep in [5, 2, 1, 0] {
            round.complete(4, 5).await?;
            round.complete(4, keep).await?;
            round.calm(&Operation::RollBack(None)).await?;
            round.roll_back_to_listed(2).await?;
        }
        Ok(())
    })
}

impl<'r> Round<'r> {
    /// Returns a publisher whose requests take long, one at a time.
    fn slow_publisher(&mut self) -> Run<'r> {
        let slow = self.publisher(Disturbance::None, SLOW);
        Run { target: slow.target.with_jobs(Some(1)), ..slow }
    }

    /// Unlocks the target of a publisher at work, which must notice that.
    pub async fn unlock_at_work(&mut self) -> Result<(), String> {
        self.complete(0, 5).await?;
        let slow = self.slow_publisher();
        let other = async {
            sleep(Duration::from_secs(50)).await;
            for operation in [Operation::Unlock, Operation::Publish(2, 5)] {
                self.publisher(Disturbance::None, Faults::default()).end(&operation).await;
            }
        };
        // Until it notices, two versions may be mixed: unlocking is for targets that no one publishes to.
        let (end, ()) = tokio::join!(slow.end(&Operation::Publish(1, 5)), other);
        // In a folder, it may first meet a file that the other one replaced.
        let has_noticed = end.failure() == Some(FailureKind::Held) || self.kind.is_folder && !end.is_done();
        if !has_noticed {
            return Err(format!("a publisher whose target was unlocked does not stop: {end:?}"));
        }
        Ok(())
    }

    /// Publishes to a store that is so slow that renewals are in progress at any moment. Some of them have no answer, and
    /// some are executed later than requests that were sent after them.
    pub async fn renew_slowly(&mut self, seed: u64) -> Result<(), String> {
        self.complete(0, 5).await?;
        let faults = Faults { slow: 40, retried: 0, unanswered: (seed % 2) * 30, ..SLOW };
        let (end, _) = self.run(&Operation::Publish(1, 5), Disturbance::None, faults).await?;
        sleep(Duration::from_secs(20)).await;
        self.sound()?;
        // Nothing that it sent before comes after its last record.
        let is_over = |world: &World| world.has_live_record() && !world.is_held();
        if end.is_done() && !is_over(&self.world.lock().unwrap()) {
            return Err("a publisher is done, and an older record of it came later".to_owned());
        }
        self.complete(2, 5).await
    }

    /// Edits an object by hand that a publisher at work is about to write, after one of its writes. It must notice that, and
    /// leave it.
    pub async fn edit_at_work(&mut self, key: &str, after: &str) -> Result<(), String> {
        self.complete(0, 5).await?;
        self.world.lock().unwrap().log.clear();
        // A copy in the store has the content of its moment.
        self.world.lock().unwrap().judge.may_keep_edits = true;
        let slow = self.slow_publisher();
        let link = std::sync::Arc::clone(&slow.link);
        let edit = async {
            let is_begun = || self.world.lock().unwrap().log.iter().any(|line| line.text.contains(after));
            while !is_begun() && !link.has_ended() {
                sleep(Duration::from_secs(1)).await;
            }
            self.world.lock().unwrap().edit(key, "edited by hand");
        };
        let (end, ()) = tokio::join!(slow.end(&Operation::Publish(1, 5)), edit);
        self.sound()?;
        let world = self.world.lock().unwrap();
        let has_noticed =
            matches!(&end, End::Failed(failure) if failure.message.contains("changed by someone"));
        if !has_noticed || world.objects.get(key).is_none_or(|stored| stored.body != "edited by hand") {
            return Err(format!("{key} was edited during a publish, and replaced: {end:?}"));
        }
        world.backups_are_right()
    }

    /// Publishes to a slow store while others try to publish, roll back, collect garbage and repair.
    pub async fn work_slowly(&mut self, damage: Damage) -> Result<(), String> {
        self.complete(0, 5).await?;
        self.complete(1, 5).await?;
        let slow = self.slow_publisher();
        let link = std::sync::Arc::clone(&slow.link);
        let begun = Instant::now();
        let working = async {
            let end = slow.end(&Operation::Publish(4, 5)).await;
            (end, begun.elapsed())
        };
        // The version that another publisher made live, and when.
        let mut later = None;
        let others = async {
            // It holds the lease by then. Its record is lost while it replaces pages, until the next renewal.
            let page = format!("{} ", link.name);
            let is_page = |line: &Line| line.text.starts_with(&page) && line.text.contains(" section");
            let has_begun = |world: &World| match damage {
                Damage::Record => world.log.iter().any(is_page),
                Damage::None | Damage::Backup => world.is_held(),
            };
            while !has_begun(&self.world.lock().unwrap()) && !link.has_ended() {
                sleep(Duration::from_secs(1)).await;
            }
            let pause = Duration::from_secs(if damage == Damage::Record { 1 } else { 8 });
            sleep(pause).await;
            self.damage_at_work(damage);
            let operations = [
                Operation::Repair,
                Operation::Publish(1, 5),
                Operation::RollBack(None),
                Operation::Gc(0),
                Operation::Repair,
            ];
            for operation in operations.iter().cycle() {
                if link.has_ended() {
                    break;
                }
                let end = self.publisher(Disturbance::None, Faults::default()).end(operation).await;
                if let End::Done(Report { version: Some(version), is_unchanged: false, .. }) = end {
                    later = Some((begun.elapsed(), version));
                }
                let is_refused = end.failure() == Some(FailureKind::Held);
                let is_idle = *operation == Operation::Repair && damage == Damage::None;
                // With its last record, the slow publisher releases the target, even if the answer takes a while.
                let is_held = self.world.lock().unwrap().is_held();
                if damage != Damage::Record && !is_refused && !is_idle && is_held {
                    return Err(format!("{operation:?} is not refused during a publish: {end:?}"));
                }
                sleep(pause).await;
            }
            Ok(())
        };
        let ((end, time), others) = tokio::join!(working, others);
        others?;
        sleep(Duration::from_secs(20)).await;
        self.sound()?;
        if let Some((_, version)) = later.filter(|(at, _)| !end.is_done() || *at > time) {
            let world = self.world.lock().unwrap();
            let live = world.judge.is_live(pages(self.site, self.kind, version), Extra::Any);
            live.map_err(|wrong| format!("another publisher went on after a slow one: {wrong}"))?;
        }
        if damage == Damage::Record {
            sleep(LEASE + LEASE).await;
            self.must(&Operation::Repair).await?;
        } else if !end.is_done() {
            return Err(format!("a publisher at a slow store failed: {end:?}"));
        } else if time < LEASE {
            return Err(format!("the store is not slow: {time:?}"));
        }
        self.complete(2, 5).await
    }

    fn damage_at_work(&mut self, damage: Damage) {
        let prefix = match damage {
            Damage::None => return,
            Damage::Backup => ".sitegate/kept/",
            Damage::Record => ".sitegate/runs/",
        };
        let mut world = self.world.lock().unwrap();
        let Some(key) = world.objects.keys().rfind(|key| key.starts_with(prefix)).cloned() else { return };
        world.log.push(Line::new(format!("   {key} is damaged")));
        world.damage(&key);
        world.judge.has_remains = true;
        drop(world);
        self.is_damaged = true;
        self.may_be_held = true;
    }
}
