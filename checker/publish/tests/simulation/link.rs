//! The connection of a publisher to a store: latency, faults, suspensions and kills, by seed.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sitegate_publish::failure::Failure;
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, sleep, sleep_until};

use super::judge::STATE;
use super::rng::Rng;
use super::world::World;

/// How long a publisher waits for an answer.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Maximum number of requests of one publisher: one that sends more does not end. The largest site needs a thousand.
const MAX_REQUESTS: usize = 20_000;

/// What happens at one request of a publisher, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    None,
    /// The publisher is killed before the store executes this request.
    KillBefore(usize),
    /// The publisher is killed right after the store executed it.
    KillAfter(usize),
    /// The machine loses its power right after the store executed it.
    PowerLoss(usize),
    /// The publisher is suspended at this write, for this time. The store never gets that write.
    SuspendBefore(usize, Duration),
    /// The publisher is suspended at this write, which the store executes.
    SuspendAfter(usize, Duration),
    /// The publisher is suspended after it found that it may make this write of a record, manifest or backup, and sends it
    /// when it wakes. The store never gets another write: of an object that no one else changed, it would be accepted.
    SuspendInside(usize, Duration),
    /// The publisher is suspended at this request, which the store executes.
    SuspendAt(usize, Duration),
}

/// How often requests fail, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The store does not execute the request, and says so.
    pub refused: u64,
    /// The store executes it, and its answer is lost.
    pub lost: u64,
    /// It never arrives.
    pub dropped: u64,
    /// The publisher gives up, and the store executes it later.
    pub late: u64,
    /// The publisher waits for up to nine seconds.
    pub slow: u64,
    /// The publisher waits for up to two seconds.
    pub sluggish: u64,
    /// A size in the answer is wrong.
    pub lying: u64,
    /// A bucket's store retries a write of an object for a minute before it succeeds.
    pub retried: u64,
    /// The store executes the renewal of a lease, and gives no answer.
    pub unanswered: u64,
}

/// A request, by what may happen to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Changes nothing that others see.
    Read,
    /// A write without a condition. It arrives while its publisher waits for it, or never.
    Write,
    /// A write with a condition, which may arrive at any later time.
    Conditional,
}

/// Why a request has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The store refused it. It was not executed.
    Refused,
    /// Nothing came back. It may have been executed.
    Lost,
}

/// The connection of one publisher.
pub struct Link {
    pub world: Arc<Mutex<World>>,
    pub name: Arc<str>,
    pub start: Instant,
    rng: Mutex<Rng>,
    pub disturbance: Disturbance,
    faults: Faults,
    requests: AtomicUsize,
    writes: AtomicUsize,
    /// Whether the publisher is dead.
    dead: Arc<AtomicBool>,
    pub died: Notify,
    /// Until when the publisher is suspended.
    suspended: Mutex<Option<Instant>>,
    has_struck: AtomicBool,
    has_ended: AtomicBool,
}

impl Link {
    pub fn new(
        world: &Arc<Mutex<World>>,
        name: &str,
        start: Instant,
        rng: Rng,
        disturbance: Disturbance,
        faults: Faults,
    ) -> Link {
        Link {
            world: Arc::clone(world),
            name: name.into(),
            start,
            rng: Mutex::new(rng),
            disturbance,
            faults,
            requests: AtomicUsize::new(0),
            writes: AtomicUsize::new(0),
            dead: Arc::default(),
            died: Notify::new(),
            suspended: Mutex::new(None),
            has_struck: AtomicBool::new(false),
            has_ended: AtomicBool::new(false),
        }
    }

    /// Records that the operation is over.
    pub fn end(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
    }

    pub fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Relaxed)
    }

    pub fn is_dead(&self) -> bool {
        self.dead.load(Ordering::Relaxed)
    }

    /// Whether the disturbance happened.
    pub fn has_struck(&self) -> bool {
        self.has_struck.load(Ordering::Relaxed)
    }

    pub fn suspended_until(&self) -> Option<Instant> {
        self.suspended.lock().unwrap().filter(|until| *until > Instant::now())
    }

    pub fn chance(&self, percent: u64) -> bool {
        percent > 0 && self.rng.lock().unwrap().chance(percent)
    }

    /// Whether sizes in the next answer are wrong.
    pub fn is_lying(&self) -> bool {
        self.chance(self.faults.lying)
    }

    /// Whether the answer to a renewal is lost.
    pub fn is_unanswered(&self) -> bool {
        self.chance(self.faults.unanswered)
    }

    /// Waits as long as a store does that retries a write.
    pub async fn retry(&self) {
        if self.chance(self.faults.retried) {
            sleep(self.millis(70_000)).await;
        }
    }

    fn millis(&self, most: u64) -> Duration {
        Duration::from_micros(1 + self.rng.lock().unwrap().below(most * 1_000))
    }

    /// Sends a request. The store executes it at some moment, even if the publisher dies meanwhile.
    pub async fn send<T: Send + 'static>(
        &self,
        request: String,
        kind: Request,
        execute: impl FnOnce(&mut World, Duration) -> T + Send + 'static,
    ) -> Result<T, NoAnswer> {
        if self.dead.load(Ordering::Relaxed) {
            return std::future::pending().await;
        }
        let number = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
        assert!(number < MAX_REQUESTS, "{} sends requests without an end: {request}", self.name);
        let write = if kind == Request::Read { 0 } else { self.writes.fetch_add(1, Ordering::Relaxed) + 1 };
        let (world, start) = (Arc::clone(&self.world), self.start);
        let (name, what) = (Arc::clone(&self.name), request.clone());
        let execute = move |note: &str| {
            let mut world = world.lock().unwrap();
            let now = world.now(start);
            world.note(now, format!("{name} {number}: {what}{note}"));
            execute(&mut world, now)
        };
        match self.disturbance {
            Disturbance::KillBefore(at) if at == number => {
                self.die("is killed before", number);
                return std::future::pending().await;
            }
            Disturbance::KillAfter(at) | Disturbance::PowerLoss(at) if at == number => {
                drop(execute("  and is killed"));
                if matches!(self.disturbance, Disturbance::PowerLoss(_)) {
                    self.world.lock().unwrap().lose_power(&mut self.rng.lock().unwrap());
                }
                self.die("is killed after", number);
                return std::future::pending().await;
            }
            Disturbance::SuspendBefore(at, time) if at == write => {
                self.suspend(time).await;
                return Err(NoAnswer::Lost);
            }
            Disturbance::SuspendInside(at, time) if at == write => {
                self.suspend(time).await;
                if request.starts_with("remove") || !request.contains(STATE) {
                    return Err(NoAnswer::Lost);
                }
            }
            Disturbance::SuspendAfter(at, time) if at == write => {
                let done = execute("  and is suspended");
                self.suspend(time).await;
                return Ok(done);
            }
            Disturbance::SuspendAt(at, time) if at == number => {
                let done = execute("  and is suspended");
                self.suspend(time).await;
                return Ok(done);
            }
            _ => {}
        }
        let faults = self.faults;
        if self.chance(faults.refused) {
            sleep(self.millis(50)).await;
            return Err(NoAnswer::Refused);
        }
        if self.chance(faults.dropped) {
            sleep(self.millis(15_000)).await;
            return Err(NoAnswer::Lost);
        }
        let pause = |percent, most| if self.chance(percent) { self.millis(most) } else { Duration::ZERO };
        let slow = pause(faults.slow, 9_000) + pause(faults.sluggish, 2_000);
        let (before, after) = (self.millis(20) + slow, self.millis(20));
        let is_late = kind == Request::Conditional && self.chance(faults.late);
        let late = is_late.then(|| TIMEOUT + self.millis(400_000));
        let is_lost = self.chance(faults.lost);
        // If the publisher dies meanwhile, the request may still be on its way.
        let is_local = matches!(self.disturbance, Disturbance::PowerLoss(_));
        let (dead, survives) = (Arc::clone(&self.dead), !is_local && self.chance(50));
        let (answer, answered) = oneshot::channel();
        tokio::spawn(async move {
            sleep(late.unwrap_or(before)).await;
            if dead.load(Ordering::Relaxed) && !survives {
                return;
            }
            let done = execute(if late.is_some() { "  late" } else { "" });
            sleep(after).await;
            if !is_lost {
                let _ = answer.send(done);
            }
        });
        match tokio::time::timeout(TIMEOUT, answered).await {
            Ok(Ok(done)) => Ok(done),
            _ => Err(NoAnswer::Lost),
        }
    }

    /// Whether a request may have been executed although it failed.
    pub fn is_lost(&self, failure: &Failure) -> bool {
        failure.message.ends_with(&format!("{:?}", NoAnswer::Lost)) && !self.chance(30)
    }

    fn die(&self, how: &str, number: usize) {
        self.dead.store(true, Ordering::Relaxed);
        self.has_struck.store(true, Ordering::Relaxed);
        self.note(&format!("{how} request {number}"));
        self.died.notify_one();
    }

    async fn suspend(&self, time: Duration) {
        self.has_struck.store(true, Ordering::Relaxed);
        self.note(&format!("is suspended for {time:?}"));
        let until = Instant::now() + time;
        *self.suspended.lock().unwrap() = Some(until);
        sleep_until(until).await;
    }

    /// Whether the publisher has read the record of another run, and began one of its own after it.
    pub fn has_followed(&self, world: &World, record: &str) -> bool {
        let name = format!("{} ", self.name);
        let texts = world.log.iter().map(|line| line.text.as_str());
        let mut own = texts.filter(|line| line.starts_with(&name));
        own.any(|line| line.ends_with(&format!("get {record}")))
            && own.filter_map(|line| line.split(" put ").nth(1)).any(|key| {
                key.starts_with(".sitegate/runs/") && key.split(' ').next().is_some_and(|key| key > record)
            })
    }

    /// Adds a line to the log.
    pub fn note(&self, line: &str) {
        let mut world = self.world.lock().unwrap();
        let at = world.now(self.start);
        world.note(at, format!("{} {line}", self.name));
    }
}
