//! A target, operations on it, and what must be true after each.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use sitegate_publish::failure::FailureKind;
use sitegate_publish::machine::Machine;
use sitegate_publish::publish::PostPublish;
use sitegate_publish::target::PublishTarget;
use tokio::time::{Instant, sleep};

use super::judge::Extra;
use super::link::{Disturbance, Faults, Link};
use super::machine::SimulatedMachine;
use super::operation::{End, LEASE, Operation, Run, pages};
use super::report::{Trouble, simulate};
use super::rng::Rng;
use super::site::Site;
use super::store::SimulatedStore;
use super::world::{Kind, World};

/// Objects that others wrote. No operation may change them.
const FOREIGN: [(&str, &str); 3] =
    [("CNAME", "www.example.com"), ("legacy/report.pdf", "a report"), ("section0/note.txt", "a note")];

/// A target and its history.
pub struct Round<'r> {
    pub site: &'r Site,
    pub kind: Kind,
    pub world: Arc<Mutex<World>>,
    pub start: Instant,
    pub rng: Rng,
    /// Whether the clocks of publishers are wrong.
    pub has_wrong_clocks: bool,
    /// The version that is live, if the last run ended well.
    pub live: Option<usize>,
    /// Whether a publisher may have left a lease that is not over.
    pub may_be_held: bool,
    /// Whether a release may be lost, because something was damaged. Its files remain.
    pub is_damaged: bool,
    /// The number of runs.
    runs: usize,
}

/// A target with which simulations go on.
#[derive(Clone)]
pub struct Start {
    world: World,
    live: Option<usize>,
}

impl Start {
    /// Publishes versions, one after the other.
    pub fn published(site: &Site, kind: Kind, versions: &[usize]) -> Result<Start, Trouble> {
        in_round(site, kind, 1, "the first versions", async |round| {
            for version in versions {
                round.complete(*version, 5).await?;
            }
            Ok(round.stop())
        })
    }
}

/// Simulates work in a new round. `what` names it in a failure.
pub fn in_round<'s, T>(
    site: &'s Site,
    kind: Kind,
    seed: u64,
    what: &str,
    work: impl AsyncFnOnce(&mut Round<'s>) -> Result<T, String>,
) -> Result<T, Trouble> {
    go_on(site, &Start { world: World::new(kind, &FOREIGN), live: None }, seed, what, work)
}

/// Simulates work in a round that goes on with a target. `what` names it in a failure.
pub fn go_on<'s, T>(
    site: &'s Site,
    start: &Start,
    seed: u64,
    what: &str,
    work: impl AsyncFnOnce(&mut Round<'s>) -> Result<T, String>,
) -> Result<T, Trouble> {
    simulate(async {
        let mut round = Round::from(site, start.clone(), Rng::new(seed));
        let done = work(&mut round).await;
        let log = std::mem::take(&mut round.world.lock().unwrap().log);
        let step = format!("{}, {} files, {what}", round.kind.name, site.size);
        done.map_err(|wrong| Trouble { seed, step, wrong, log })
    })
}

impl<'r> Round<'r> {
    pub fn new(site: &'r Site, kind: Kind, rng: Rng) -> Round<'r> {
        Round::from(site, Start { world: World::new(kind, &FOREIGN), live: None }, rng)
    }

    /// Goes on with a target.
    fn from(site: &'r Site, Start { world, live }: Start, rng: Rng) -> Round<'r> {
        let kind = world.kind;
        let world = Arc::new(Mutex::new(world));
        let (start, has_wrong_clocks) = (Instant::now(), false);
        Round {
            site,
            kind,
            world,
            start,
            rng,
            has_wrong_clocks,
            live,
            may_be_held: false,
            is_damaged: false,
            runs: 0,
        }
    }

    /// Returns the target, from which other rounds go on.
    pub fn stop(&self) -> Start {
        let mut world = self.world.lock().unwrap().clone();
        world.begin = world.now(self.start);
        world.log.clear();
        Start { world, live: self.live }
    }

    /// Undoes what happened since the target was like this.
    pub fn go_back(&mut self, Start { world, live }: &Start) {
        *self.world.lock().unwrap() = world.clone();
        self.live = *live;
    }

    /// Returns a new publisher.
    pub fn publisher(&mut self, disturbance: Disturbance, faults: Faults) -> Run<'r> {
        self.runs += 1;
        let name = format!("run{}", self.runs);
        let mut rng = Rng::new(self.rng.next());
        let machine = SimulatedMachine::new(self.start, Rng::new(rng.next()), self.has_wrong_clocks);
        let machine: Arc<dyn Machine> = Arc::new(machine);
        let (jobs, page) = (*rng.pick(&[1, 4, 16]), *rng.pick(&[1_000, 1_000, 7]));
        let link = Arc::new(Link::new(&self.world, &name, self.start, rng, disturbance, faults));
        let store = Arc::new(SimulatedStore::new(&link, machine, page));
        let target = PublishTarget::new("simulation://target", store).with_jobs(Some(jobs));
        let (post_publish, warnings) = (PostPublish::default(), Mutex::default());
        Run { site: self.site, target, link, adopts: self.is_damaged, post_publish, warnings }
    }

    /// Runs an operation alone, and checks that its end is true. Returns whether the disturbance struck, too.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub async fn run(
        &mut self,
        operation: &Operation,
        disturbance: Disturbance,
        faults: Faults,
    ) -> Result<(End, bool), String> {
        let before = self.world.lock().unwrap().judge.there().clone();
        let run = self.publisher(disturbance, faults);
        let end = run.end(operation).await;
        let has_struck = run.link.has_struck();
        if matches!(end, End::Killed) {
            // Requests that it sent before may still arrive.
            sleep(Duration::from_secs(20)).await;
        }
        self.sound()?;
        let world = self.world.lock().unwrap();
        let unchanged = |what: &str| {
            world.judge.is_unchanged(&before).map_err(|wrong| format!("after {operation:?}, {what}: {wrong}"))
        };
        match &end {
            End::Done(report) => match report.version.filter(|_| *operation != Operation::Status) {
                Some(version) => {
                    let is_cleared = run.warnings.lock().unwrap().is_empty();
                    let extra = match operation {
                        _ if self.is_damaged => Extra::Any,
                        Operation::Publish(_, 0) if is_cleared => Extra::None,
                        _ if is_cleared => Extra::Assets,
                        _ => Extra::Any,
                    };
                    let is_live = world.judge.is_live(pages(self.site, self.kind, version), extra);
                    is_live.map_err(|wrong| format!("after {operation:?}: {wrong}"))?;
                    if let (Some(live), false) = (self.live, matches!(operation, Operation::Publish(_, 0))) {
                        world.judge.has_assets(pages(self.site, self.kind, live))?;
                    }
                    self.live = Some(version);
                    // If its last record was lost, the lease remains.
                    self.may_be_held = faults != Faults::default();
                }
                None => unchanged("which changes nothing that visitors get")?,
            },
            End::Failed(failure) => {
                match failure.kind {
                    FailureKind::PartlySwitched if faults == Faults::default() => {
                        return Err(format!("{operation:?} stops in the middle without a reason: {failure}"));
                    }
                    FailureKind::PartlySwitched => {}
                    FailureKind::Held if failure.message.contains("took over") => {
                        return Err(format!("{operation:?} lost its lease, and no one else ran: {failure}"));
                    }
                    FailureKind::Held if !self.may_be_held => {
                        return Err(format!(
                            "{operation:?} is refused, and no one else is at work: {failure}"
                        ));
                    }
                    FailureKind::Failed | FailureKind::Held | FailureKind::Usage => {
                        unchanged(&format!("{:?}", failure.kind))?;
                    }
                    FailureKind::Guard if faults.lying > 0 || self.is_damaged => unchanged("a guard")?,
                    kind => return Err(format!("{operation:?} ends with {kind:?}: {failure}")),
                }
                self.may_be_held |= failure.kind != FailureKind::Usage;
            }
            End::Killed => {}
        }
        if !end.is_done() && matches!(operation, Operation::Publish(..) | Operation::RollBack(_)) {
            self.live = None;
        }
        self.may_be_held |= matches!(end, End::Killed);
        Ok((end, has_struck))
    }

    /// Fails if anything was wrong so far.
    ///
    /// # Errors
    /// What the judge found.
    pub fn sound(&self) -> Result<(), String> {
        self.world.lock().unwrap().wrong.clone().map_or(Ok(()), Err)
    }

    /// Runs an operation without disturbances.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub async fn calm(&mut self, operation: &Operation) -> Result<End, String> {
        Ok(self.run(operation, Disturbance::None, Faults::default()).await?.0)
    }

    /// Runs an operation that must succeed. A dead publisher's lease is waited for, or removed.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub async fn must(&mut self, operation: &Operation) -> Result<End, String> {
        for attempt in 0..4 {
            let end = self.calm(operation).await?;
            match &end {
                End::Failed(failure) if failure.kind == FailureKind::Held => {}
                End::Failed(failure) if failure.kind == FailureKind::Guard && self.is_damaged => {
                    // The message says: move these files away.
                    let mut world = self.world.lock().unwrap();
                    world.objects.retain(|key, _| !failure.names.contains(key));
                    world.look();
                    continue;
                }
                End::Failed(failure) => {
                    return Err(format!("{operation:?} no longer works: {:?}: {failure}", failure.kind));
                }
                _ => return Ok(end),
            }
            while self.world.lock().unwrap().lock_holder.is_some() {
                // A suspended publisher holds the lock of the system until it wakes.
                sleep(Duration::from_secs(10)).await;
            }
            if attempt == 0 && self.rng.chance(50) {
                sleep(LEASE + Duration::from_secs(5)).await;
            } else {
                self.calm(&Operation::Unlock).await?;
            }
        }
        Err(format!("{operation:?} is refused again and again, and no one else is at work"))
    }

    /// Publishes a version, which must complete interrupted runs, and leave nothing over.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub async fn complete(&mut self, version: usize, keep: usize) -> Result<(), String> {
        let published = self.must(&Operation::Publish(version, keep)).await?;
        let End::Done(mut status) = self.must(&Operation::Status).await? else { return Ok(()) };
        if status.is_busy {
            // The release was live already, so the run did not wait for the lease of a dead one.
            self.calm(&Operation::Unlock).await?;
            if let End::Done(now) = self.must(&Operation::Status).await? {
                status = now;
            }
        }
        // In a folder, two versions may differ in headers only.
        let same = |other: usize| pages(self.site, self.kind, other) == pages(self.site, self.kind, version);
        if status.is_busy || !status.version.is_some_and(same) {
            return Err(format!("version {version} is live, and the status is {status:?}"));
        }
        self.may_be_held = false;
        let world = self.world.lock().unwrap();
        // A publisher that lost its lease cannot remove what it staged, and a run that changes nothing does not.
        let is_unchanged = matches!(&published, End::Done(report) if report.is_unchanged);
        if !world.staged.is_empty() && !is_unchanged {
            return Err("staged files are left over".to_owned());
        }
        world.backups_are_right()
    }

    /// Rolls back to each release that the status lists.
    ///
    /// # Errors
    /// If one is refused, or something else is live then.
    pub async fn roll_back_to_listed(&mut self, most: usize) -> Result<(), String> {
        let End::Done(status) = self.must(&Operation::Status).await? else { return Ok(()) };
        for (release, version) in status.listed.into_iter().take(most) {
            match self.must(&Operation::RollBack(Some(release.clone()))).await? {
                End::Done(report) if report.version == Some(version) => {}
                end => return Err(format!("rolled back to {release} of version {version}: {end:?}")),
            }
        }
        Ok(())
    }
}
