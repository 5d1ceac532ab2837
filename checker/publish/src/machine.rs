//! Time and random IDs, as the machine gives them. A simulation has its own, so that it can repeat a run. Requests to stop,
//! by Ctrl-C or SIGTERM: a publisher ends its lease first.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;

use crate::failure::{Failure, FailureKind};

/// The machine that a publisher runs on. Publishers wait with [`tokio::time`].
pub trait Machine: fmt::Debug + Send + Sync {
    /// Returns the time of the calendar, which dates releases. It may jump.
    fn calendar(&self) -> SystemTime;

    /// Returns the current moment. Leases are measured by moments only.
    fn moment(&self) -> Moment;

    /// Returns an ID of 32 hexadecimal digits, in lower case, that no one else has.
    fn random_id(&self) -> String;

    /// Returns the time of the calendar in seconds since 1970.
    fn now(&self) -> u64 {
        self.calendar().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
    }

    /// Returns the time since a moment; rather too long than too short.
    fn elapsed(&self, since: Moment) -> Duration {
        self.moment().since(since)
    }
}

/// A point in time on one machine.
///
/// Steady clocks stop on Linux (`CLOCK_MONOTONIC`) and macOS while a machine is suspended. So a moment has a second
/// clock that goes on, and the longer span counts.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    steady: Duration,
    unsuspended: Duration,
}

impl Moment {
    /// Creates a moment from two clocks: one that never jumps, and one that includes suspended time. Each counts from a
    /// fixed start of its own.
    pub fn new(steady: Duration, unsuspended: Duration) -> Moment {
        Moment { steady, unsuspended }
    }

    /// Returns the time since an earlier moment.
    pub fn since(self, earlier: Moment) -> Duration {
        let steady = self.steady.saturating_sub(earlier.steady);
        steady.max(self.unsuspended.saturating_sub(earlier.unsuspended))
    }
}

/// This machine.
#[derive(Debug)]
pub struct ThisMachine {
    start: Instant,
    has_uptime: bool,
}

impl Default for ThisMachine {
    fn default() -> ThisMachine {
        ThisMachine { start: Instant::now(), has_uptime: uptime().is_some() }
    }
}

impl Machine for ThisMachine {
    fn calendar(&self) -> SystemTime {
        SystemTime::now()
    }

    fn moment(&self) -> Moment {
        // Other systems than Linux have the calendar only.
        let uptime =
            if self.has_uptime { uptime() } else { SystemTime::now().duration_since(UNIX_EPOCH).ok() };
        Moment::new(self.start.elapsed(), uptime.unwrap_or_default())
    }

    fn random_id(&self) -> String {
        random_id()
    }
}

/// Returns the time since the machine started, including suspended time (`proc(5)`).
fn uptime() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/uptime").ok()?;
    Duration::try_from_secs_f64(text.split_whitespace().next()?.parse().ok()?).ok()
}

/// Returns an ID of 32 hexadecimal digits.
pub(crate) fn random_id() -> String {
    let word = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", word(), word())
}

/// Whether a name is one of [`Machine::random_id`].
pub(crate) fn is_random_id(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The stop request, if there is one. A signal concerns the whole process, hence the static.
static REQUEST: LazyLock<watch::Sender<Option<FailureKind>>> = LazyLock::new(|| watch::Sender::new(None));

/// Number of runs that stop by themselves.
static ACTIVE_RUNS: AtomicUsize = AtomicUsize::new(0);

/// Requests all runs to end their leases and stop. `exit` is [`FailureKind::Sigint`] or [`FailureKind::Sigterm`].
/// Returns whether there is a run; if not, the process can exit at once.
pub fn request_stop(kind: FailureKind) -> bool {
    REQUEST.send_replace(Some(kind));
    ACTIVE_RUNS.load(Ordering::SeqCst) > 0
}

/// Marks work that a stop must not cut off.
#[derive(Debug)]
pub(crate) struct StopGuard(());

impl StopGuard {
    pub(crate) fn begin() -> StopGuard {
        ACTIVE_RUNS.fetch_add(1, Ordering::SeqCst);
        StopGuard(())
    }

    /// Returns the stop request as a failure.
    pub(crate) fn requested() -> Option<Failure> {
        (*REQUEST.borrow()).map(|kind| Failure::new(kind, "stopped, and released the target"))
    }

    /// Waits for a stop request.
    pub(crate) async fn wait(&self) -> Failure {
        let mut request = REQUEST.subscribe();
        loop {
            if let Some(failure) = StopGuard::requested() {
                return failure;
            }
            if request.changed().await.is_err() {
                // No sender is left, so no request can come.
                std::future::pending::<()>().await;
            }
        }
    }
}

impl Drop for StopGuard {
    fn drop(&mut self) {
        ACTIVE_RUNS.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Machine, Moment, ThisMachine, is_random_id};

    #[test]
    fn suspended_time_counts() {
        let seconds =
            |steady, unsuspended| Moment::new(Duration::from_secs(steady), Duration::from_secs(unsuspended));
        let start = seconds(10, 1_000);
        assert_eq!(seconds(11, 1_001).since(start), Duration::from_secs(1));
        assert_eq!(seconds(11, 1_061).since(start), Duration::from_secs(61));
        // The calendar was set back.
        assert_eq!(seconds(15, 400).since(start), Duration::from_secs(5));
        let machine = ThisMachine::default();
        let moment = machine.moment();
        std::thread::sleep(Duration::from_millis(30));
        let elapsed = machine.elapsed(moment);
        assert!(elapsed >= Duration::from_millis(30) && elapsed < Duration::from_secs(30), "{elapsed:?}");
        assert!(is_random_id(&machine.random_id()));
    }
}
