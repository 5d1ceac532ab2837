//! Changes by hand before and between runs: a guard stops, and everything that visitors get stays.

use std::time::Duration;

use sitegate_publish::failure::FailureKind;
use tokio::time::sleep;

use super::kills::damage_latest_record;
use super::link::{Disturbance, Faults};
use super::operation::{End, Operation, Run};
use super::report::Trouble;
use super::round::{Round, in_round};
use super::site::Site;
use super::world::Kind;

/// Edits, removes and adds objects by hand, with the record of the last run intact, or lost and repaired.
pub fn notice_edits(site: &Site, kind: Kind, loses_record: bool) -> Result<(), Trouble> {
    in_round(site, kind, 1, "edits by hand", async |round| round.notice_edits(loses_record).await)
}

/// Damages each backup, in each way. A rollback that needs it changes nothing, and a later publish replaces it.
pub fn refuse_damaged_backups(site: &Site, kind: Kind) -> Result<(), Trouble> {
    in_round(site, kind, 1, "damaged backups", async |round| round.refuse_damaged_backups().await)
}

impl Round<'_> {
    /// Demands that a guard stops an operation, and that it writes nothing.
    async fn must_stop(&mut self, operation: &Operation, why: &str) -> Result<(), String> {
        let before = self.world.lock().unwrap().objects.clone();
        let end = self.publisher(Disturbance::None, Faults::default()).end(operation).await;
        if end.failure() != Some(FailureKind::Guard) {
            return Err(format!("{why}, and {operation:?} is not stopped: {end:?}"));
        }
        if self.world.lock().unwrap().objects != before {
            return Err(format!("{why}, and {operation:?} was stopped, but it wrote something"));
        }
        Ok(())
    }

    async fn notice_edits(&mut self, loses_record: bool) -> Result<(), String> {
        // Most pages are of the first run, whose tags the second one must know.
        self.complete(0, 5).await?;
        self.complete(4, 5).await?;
        if loses_record {
            damage_latest_record(&mut self.world.lock().unwrap());
            sleep(Duration::from_secs(70)).await;
            self.may_be_held = true;
            self.must(&Operation::Repair).await?;
            // It read all pages, so their tags are known again.
            self.complete(4, 5).await?;
        }
        let whole = self.world.lock().unwrap().objects.clone();
        for key in ["index.html", "404.html", "section0/index.html"] {
            for is_removed in [true, false] {
                if is_removed {
                    self.world.lock().unwrap().objects.remove(key);
                } else {
                    // Only its bytes change: sizes and headers do not show it.
                    self.world.lock().unwrap().garble(key);
                }
                for version in [4, 1] {
                    self.must_stop(&Operation::Publish(version, 5), &format!("{key} was changed")).await?;
                }
                self.world.lock().unwrap().objects.clone_from(&whole);
            }
        }
        // The new version has a page where someone put another one.
        let new = "section0/new/index.html";
        self.world.lock().unwrap().edit(new, "not ours");
        self.must_stop(&Operation::Publish(1, 5), "a file of others is in the way").await?;
        let adopts = self.publisher(Disturbance::None, Faults::default());
        let end = Run { adopts: true, ..adopts }.end(&Operation::Publish(1, 5)).await;
        if !end.is_done() {
            return Err(format!("files of others are not adopted: {end:?}"));
        }
        self.sound()?;
        self.complete(2, 5).await
    }

    async fn refuse_damaged_backups(&mut self) -> Result<(), String> {
        self.complete(0, 5).await?;
        self.complete(1, 5).await?;
        let whole = self.world.lock().unwrap().objects.clone();
        // A rollback needs no inventory. Those are compressed.
        let is_backup = |key: &&String| {
            key.starts_with(".sitegate/kept/") && std::str::from_utf8(&whole[*key].body).is_ok()
        };
        for key in whole.keys().filter(is_backup) {
            for damage in 0..3 {
                match damage {
                    0 => drop(self.world.lock().unwrap().objects.remove(key)),
                    1 => self.world.lock().unwrap().damage(key),
                    _ => self.world.lock().unwrap().garble(key),
                }
                self.must_stop(&Operation::RollBack(None), &format!("{key} is damaged")).await?;
                // A lost or shorter one is known without reading it.
                let End::Done(status) = self.must(&Operation::Status).await? else { return Ok(()) };
                if damage < 2 && !status.listed.is_empty() {
                    return Err(format!("{key} is lost, and its release is listed: {status:?}"));
                }
                self.world.lock().unwrap().objects.clone_from(&whole);
            }
        }
        // Each is replaced when its content is backed up again.
        whole.keys().filter(is_backup).for_each(|key| self.world.lock().unwrap().damage(key));
        for version in [0, 1] {
            self.complete_again(version).await?;
        }
        self.complete(0, 5).await
    }

    /// Publishes a version while damaged backups may remain.
    async fn complete_again(&mut self, version: usize) -> Result<(), String> {
        self.must(&Operation::Publish(version, 5)).await.map(drop)
    }
}
