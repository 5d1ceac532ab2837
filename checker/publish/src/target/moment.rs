//! Measures time, including the time that the machine was suspended.

use std::time::{Duration, Instant, SystemTime};

/// A point in time on this machine.
///
/// [`Instant`] stops on Linux (`CLOCK_MONOTONIC`) and macOS while a machine is suspended. On Linux,
/// `/proc/uptime` includes suspended time. On other systems the calendar is used as well, and the longer span
/// counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    steady: Instant,
    calendar: SystemTime,
    since_start: Option<Duration>,
}

impl Moment {
    /// Returns the current time.
    pub(crate) fn now() -> Moment {
        Moment { steady: Instant::now(), calendar: SystemTime::now(), since_start: since_start() }
    }

    /// Returns the time since then; rather too long than too short.
    pub(crate) fn elapsed(&self) -> Duration {
        let steady = self.steady.elapsed();
        match (self.since_start, since_start()) {
            (Some(then), Some(now)) => steady.max(now.saturating_sub(then)),
            _ => steady.max(self.calendar.elapsed().unwrap_or_default()),
        }
    }
}

/// Returns the time since the machine started, including suspended time.
fn since_start() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/uptime").ok()?;
    Duration::try_from_secs_f64(text.split_whitespace().next()?.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Moment;

    #[test]
    fn suspended_time_counts() {
        let mut moment = Moment::now();
        assert!(moment.elapsed() < Duration::from_secs(5));
        // Simulates a machine that was suspended for a minute.
        let minute = Duration::from_mins(1);
        moment.since_start = moment.since_start.map(|then| then.saturating_sub(minute));
        moment.calendar -= minute;
        assert!(moment.elapsed() >= Duration::from_secs(59));
        // Without an uptime, the calendar decides.
        moment.since_start = None;
        assert!(moment.elapsed() >= minute);
    }
}
