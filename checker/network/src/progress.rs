//! How far the asking is, and what each host took.

use std::time::Duration;

use tokio::time::Instant;

/// The time between two looks at how far it is.
const EVERY: Duration = Duration::from_millis(100);

/// How far the asking is.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Addresses so far; more may come.
    pub all: usize,
    /// Addresses that are known.
    pub done: usize,
    /// Requests that were sent.
    pub requests: usize,
    /// Hosts that are being asked.
    pub hosts: usize,
    /// How long the slowest of them takes at least, at its pace.
    pub left: Duration,
    made: Option<Instant>,
}

/// What a host took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostTime {
    /// Its name, with its port where that is an unusual one.
    pub name: String,
    /// Requests that were sent to it.
    pub requests: usize,
    /// From its first request to its last answer.
    pub wall: Duration,
    /// How long it took to answer, all answers together.
    pub answering: Duration,
}

impl Snapshot {
    pub(crate) fn none() -> Snapshot {
        Snapshot { made: None, ..Snapshot::new(0, 0, 0, 0, Duration::ZERO) }
    }

    pub(crate) fn new(all: usize, done: usize, requests: usize, hosts: usize, left: Duration) -> Snapshot {
        Snapshot { all, done, requests, hosts, left, made: Some(Instant::now()) }
    }

    /// Whether another look is worth it.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.made.is_none_or(|made| now.duration_since(made) >= EVERY)
    }
}

impl HostTime {
    /// How long it takes to answer one request.
    pub fn each(&self) -> Duration {
        self.answering.checked_div(u32::try_from(self.requests).unwrap_or(u32::MAX)).unwrap_or_default()
    }
}
