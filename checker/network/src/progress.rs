//! How far the asking is.

use std::time::Duration;

use tokio::time::Instant;

/// The time between two looks at how far it is.
const EVERY: Duration = Duration::from_millis(100);

/// How far the asking is.
#[derive(Clone, Debug, Default)]
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
    /// The name of the slowest.
    pub slowest: String,
    /// When.
    pub(crate) made: Option<Instant>,
}

impl Snapshot {
    /// Whether another look is worth it.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.made.is_none_or(|made| now.duration_since(made) >= EVERY)
    }
}
