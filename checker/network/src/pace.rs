//! Paces the requests to a host: limits concurrency and rate, and slows down if the host is overloaded.

use std::time::Duration;

use tokio::time::Instant;

/// The pace of one host.
#[derive(Debug)]
pub(crate) struct Pace {
    /// Maximum number of concurrent requests.
    max: usize,
    interval: Duration,
    /// Current limit of concurrent requests.
    limit: usize,
    /// Answers since the limit was changed.
    successes: usize,
    running: usize,
    /// No request starts before this.
    next: Instant,
}

/// Whether a request may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Now,
    /// Not before this time.
    At(Instant),
    /// When a running request ends.
    Later,
}

impl Pace {
    /// Creates the pace of a host with a number of concurrent requests and an interval between starts.
    pub(crate) fn new((at_once, interval): (usize, Duration), now: Instant) -> Pace {
        let max = at_once.max(1);
        Pace { max, interval, limit: max, successes: 0, running: 0, next: now }
    }

    /// Returns the maximum number of concurrent requests.
    pub(crate) fn max(&self) -> usize {
        self.max
    }

    pub(crate) fn may_start(&self, now: Instant) -> Start {
        if self.running >= self.limit {
            Start::Later
        } else if now < self.next {
            Start::At(self.next)
        } else {
            Start::Now
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.running > 0
    }

    /// Records a start. The next start is an interval after this one was due, so that waking up late loses no
    /// time.
    pub(crate) fn started(&mut self, now: Instant) {
        self.running += 1;
        let due = if now.saturating_duration_since(self.next) < self.interval { self.next } else { now };
        self.next = due + self.interval;
    }

    /// Records the end of a request.
    pub(crate) fn ended(&mut self) {
        self.running -= 1;
    }

    /// Records a good answer. After as many of them as concurrent requests, the limit rises by one.
    pub(crate) fn record_success(&mut self) {
        self.successes += 1;
        if self.successes >= self.limit && self.limit < self.max {
            self.limit += 1;
            self.successes = 0;
        }
    }

    /// Records that the host is overloaded: halves the limit, and pauses.
    pub(crate) fn back_off(&mut self, now: Instant, pause: Duration) {
        self.limit = (self.limit / 2).max(1);
        self.successes = 0;
        self.next = self.next.max(now + pause);
    }

    /// Returns the minimum time for a number of requests, given the time that each takes.
    pub(crate) fn min_duration(&self, requests: usize, each: Duration) -> Duration {
        min_time(requests, self.limit, self.interval, each)
    }
}

/// Returns the minimum time for a number of requests.
pub(crate) fn min_time(requests: usize, at_once: usize, interval: Duration, each: Duration) -> Duration {
    let times = |duration: Duration, number: f64| duration.mul_f64(number.max(0.0));
    let by_answers = times(each, requests as f64 / at_once.max(1) as f64);
    by_answers.max(times(interval, requests as f64 - 1.0))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{Pace, Start};

    const MS: Duration = Duration::from_millis(1);

    fn pace(concurrency: usize, interval: Duration) -> (Pace, Instant) {
        let now = Instant::now();
        (Pace::new((concurrency, interval), now), now)
    }

    #[test]
    fn limits_concurrency_and_rate() {
        let (mut pace, now) = pace(2, 50 * MS);
        assert_eq!(pace.may_start(now), Start::Now);
        pace.started(now);
        assert_eq!(pace.may_start(now), Start::At(now + 50 * MS));
        // Waking up late shifts nothing: the third is due two intervals after the first.
        pace.started(now + 53 * MS);
        assert_eq!(pace.may_start(now + 200 * MS), Start::Later);
        pace.ended();
        assert_eq!(pace.may_start(now + 60 * MS), Start::At(now + 100 * MS));
    }

    #[test]
    fn slows_down_for_an_overloaded_host_and_recovers() {
        let (mut pace, now) = pace(8, Duration::ZERO);
        pace.back_off(now, 100 * MS);
        assert_eq!(pace.may_start(now), Start::At(now + 100 * MS));
        let later = now + 100 * MS;
        let mut widths = Vec::new();
        for _ in 0..40 {
            let mut running = 0;
            while pace.may_start(later) == Start::Now {
                pace.started(later);
                running += 1;
            }
            widths.push(running);
            for _ in 0..running {
                pace.ended();
                pace.record_success();
            }
        }
        assert_eq!(widths[..4], [4, 5, 6, 7]);
        assert_eq!(widths.last(), Some(&8));
    }
}
