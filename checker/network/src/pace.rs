//! When a host may be asked next: so many at once, so far apart, and less of both when it says that it is too much.

use std::time::Duration;

use tokio::time::Instant;

/// How fast a host is asked.
#[derive(Debug)]
pub(crate) struct Pace {
    /// Requests at once, at most.
    most: usize,
    interval: Duration,
    /// Requests at once for now.
    width: usize,
    /// Answers since the width was changed.
    answered: usize,
    running: usize,
    /// Before this nothing is asked.
    next: Instant,
}

/// Whether a request may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Now,
    /// Not before this.
    At(Instant),
    /// When one of those that run is answered.
    Later,
}

impl Pace {
    /// So many at once, so far apart.
    pub(crate) fn new((at_once, interval): (usize, Duration), now: Instant) -> Pace {
        let most = at_once.max(1);
        Pace { most, interval, width: most, answered: 0, running: 0, next: now }
    }

    /// Requests at once, at most.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    pub(crate) fn may_start(&self, now: Instant) -> Start {
        match () {
            () if self.running >= self.width => Start::Later,
            () if now < self.next => Start::At(self.next),
            () => Start::Now,
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.running > 0
    }

    /// A request starts. The next is an interval after the time that it was due at, so that waking up late loses nothing.
    pub(crate) fn started(&mut self, now: Instant) {
        self.running += 1;
        let due = if now.saturating_duration_since(self.next) < self.interval { self.next } else { now };
        self.next = due + self.interval;
    }

    /// A request is over.
    pub(crate) fn ended(&mut self) {
        self.running -= 1;
    }

    /// The host answered as it should. After as many such answers as there are requests at once, there may be one more.
    pub(crate) fn well(&mut self) {
        self.answered += 1;
        if self.answered >= self.width && self.width < self.most {
            self.width += 1;
            self.answered = 0;
        }
    }

    /// The host said that it was too much: half as many at once, and nothing for a while.
    pub(crate) fn too_much(&mut self, now: Instant, pause: Duration) {
        self.width = (self.width / 2).max(1);
        self.answered = 0;
        self.next = self.next.max(now + pause);
    }

    /// How long so many requests take at least, if each takes so long.
    pub(crate) fn at_least(&self, requests: usize, each: Duration) -> Duration {
        bound(requests, self.width, self.interval, each)
    }
}

/// How long it takes at least to ask a host so many times.
pub(crate) fn bound(requests: usize, at_once: usize, interval: Duration, each: Duration) -> Duration {
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
    fn so_many_run_at_once_and_so_far_apart() {
        let (mut pace, now) = pace(2, 50 * MS);
        assert_eq!(pace.may_start(now), Start::Now);
        pace.started(now);
        assert_eq!(pace.may_start(now), Start::At(now + 50 * MS));
        // Waking up late moves nothing: the third is due two intervals after the first.
        pace.started(now + 53 * MS);
        assert_eq!(pace.may_start(now + 200 * MS), Start::Later);
        pace.ended();
        assert_eq!(pace.may_start(now + 60 * MS), Start::At(now + 100 * MS));
    }

    #[test]
    fn a_host_that_has_too_much_is_left_alone_and_then_asked_more_and_more() {
        let (mut pace, now) = pace(8, Duration::ZERO);
        pace.too_much(now, 100 * MS);
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
                pace.well();
            }
        }
        assert_eq!(widths[..4], [4, 5, 6, 7]);
        assert_eq!(widths.last(), Some(&8));
    }
}
