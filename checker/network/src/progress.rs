//! The progress of a check of external links.

use std::time::Duration;

use tokio::time::Instant;

/// The interval between two snapshots.
const INTERVAL: Duration = Duration::from_millis(100);

/// The progress at one moment.
#[derive(Clone, Debug, Default)]
pub struct CheckProgress {
    /// URLs so far; more may come.
    pub all: usize,
    /// URLs with an answer.
    pub done: usize,
    /// Requests that were sent.
    pub requests: usize,
    /// Hosts with requests in flight.
    pub hosts: usize,
    /// The minimum time that the slowest host still needs.
    pub left: Duration,
    /// The name of the slowest host.
    pub slowest: String,
    /// The time of the snapshot.
    pub(crate) made: Option<Instant>,
}

impl CheckProgress {
    /// Whether a new snapshot is due.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.made.is_none_or(|made| now.duration_since(made) >= INTERVAL)
    }
}
