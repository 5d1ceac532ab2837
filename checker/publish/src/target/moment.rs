//! A moment whose distance from now counts the time that the machine slept.

use std::time::{Duration, Instant, SystemTime};

/// A moment of this machine.
///
/// [`Instant`] stands still on Linux (`CLOCK_MONOTONIC`) and macOS while a machine is suspended, and whoever wakes
/// would think that no time has passed. Linux tells the time since the start with sleep in it in `/proc/uptime`;
/// elsewhere the calendar is asked too, and the longer of the two spans counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    steady: Instant,
    calendar: SystemTime,
    since_start: Option<Duration>,
}

impl Moment {
    /// Now.
    pub(crate) fn now() -> Moment {
        Moment { steady: Instant::now(), calendar: SystemTime::now(), since_start: since_start() }
    }

    /// How long ago it was; rather too long than too short.
    pub(crate) fn elapsed(&self) -> Duration {
        let steady = self.steady.elapsed();
        match (self.since_start, since_start()) {
            (Some(then), Some(now)) => steady.max(now.saturating_sub(then)),
            _ => steady.max(self.calendar.elapsed().unwrap_or_default()),
        }
    }
}

/// The time since the machine was started, sleep included.
fn since_start() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/uptime").ok()?;
    Duration::try_from_secs_f64(text.split_whitespace().next()?.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Moment;

    #[test]
    fn sleep_counts() {
        let mut moment = Moment::now();
        assert!(moment.elapsed() < Duration::from_secs(5));
        // As if the machine had been suspended for a minute since.
        let minute = Duration::from_mins(1);
        moment.since_start = moment.since_start.map(|then| then.saturating_sub(minute));
        moment.calendar -= minute;
        assert!(moment.elapsed() >= Duration::from_secs(59));
        // Where the system does not say how long it runs, the calendar tells.
        moment.since_start = None;
        assert!(moment.elapsed() >= minute);
    }
}
