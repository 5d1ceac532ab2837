//! Paces the requests to a host: limits concurrency and rate, and slows down if the host is overloaded. Tracks each host
//! of the scheduler: its queue, its pace, and whether it is given up.

use std::collections::VecDeque;
use std::time::Duration;

use sitegate_check::HostTime;
use tokio::time::Instant;

use crate::error::{RequestFailure, RequestFailureKind};
use crate::settings::Settings;

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

/// A host and its queue.
#[derive(Debug)]
pub(crate) struct HostQueue<J> {
    pub pace: Pace,
    pub queue: VecDeque<Attempt<J>>,
    /// Whether it is in `ready`, or has a timer.
    pub is_scheduled: bool,
    /// Requests in a row without an answer.
    unanswered: u32,
    refusals: Refusals,
    /// Why nothing more is requested of it.
    pub given_up: Option<RequestFailure>,
    pub time: HostTime,
    /// The durations of its requests, added up.
    busy: Duration,
    pub began: Option<Instant>,
}

/// A job and its requests so far.
#[derive(Debug)]
pub(crate) struct Attempt<J> {
    pub job: J,
    /// Requests that were sent for it before.
    pub earlier: u32,
}

/// The refusals (429, 503) since the last other answer.
#[derive(Debug, Default)]
struct Refusals {
    /// Their number. Refusals of concurrent requests count once.
    count: u32,
    /// The time of the last one that counted.
    last: Option<Instant>,
    /// The pauses after them, added up.
    wait: Duration,
}

impl<J> HostQueue<J> {
    pub(crate) fn new(name: String, pace: Pace) -> HostQueue<J> {
        HostQueue {
            time: HostTime { name, at_once: pace.max(), ..HostTime::default() },
            pace,
            queue: VecDeque::new(),
            is_scheduled: false,
            unanswered: 0,
            refusals: Refusals::default(),
            given_up: None,
            busy: Duration::ZERO,
            began: None,
        }
    }

    /// Records the start of a request.
    pub(crate) fn start(&mut self, now: Instant) {
        self.pace.started(now);
        self.began.get_or_insert(now);
        self.time.requests += 1;
    }

    /// Records the end of a request.
    pub(crate) fn end(&mut self, began: Instant, now: Instant) {
        self.pace.ended();
        self.busy += now - began;
        self.time.wall = self.began.map_or(Duration::ZERO, |first| now - first);
    }

    /// Records an answer.
    pub(crate) fn answered(&mut self) {
        self.unanswered = 0;
        self.refusals = Refusals::default();
        self.pace.record_success();
    }

    /// Records that the host refused a request and asked for a pause. After a pause that is too long to wait for, the
    /// host gets a short one, and another chance with another job.
    pub(crate) fn refused(
        &mut self,
        began: Instant,
        now: Instant,
        wanted: Duration,
        short: Duration,
        settings: &Settings,
    ) {
        self.unanswered = 0;
        let pause = if wanted <= settings.max_refusal_wait { wanted } else { short };
        self.pace.back_off(now, pause);
        let Refusals { count, last, wait } = &mut self.refusals;
        if last.is_some_and(|last| began < last) {
            return;
        }
        *count += 1;
        *last = Some(now);
        *wait += pause;
        if *count >= settings.max_refusals || *wait > settings.max_refusal_wait {
            let times = if *count == 1 { "once".to_owned() } else { format!("{count} times in a row") };
            let reason =
                format!("{} refused requests {times} (429 or 503), so it got no more", self.time.name);
            self.give_up(RequestFailure::new(RequestFailureKind::Refused, reason));
        }
    }

    /// Records a request without an answer. Fewer concurrent requests wait for a host that may be silent.
    pub(crate) fn failed(&mut self, failure: &RequestFailure, now: Instant, settings: &Settings) {
        self.unanswered += 1;
        self.pace.back_off(now, Duration::ZERO);
        if self.unanswered >= settings.max_unanswered {
            self.give_up(failure.clone());
        }
    }

    fn give_up(&mut self, failure: RequestFailure) {
        tracing::info!("gave up on {}: {failure}", self.time.name);
        self.given_up.get_or_insert(failure);
    }

    /// The least time that its queue takes, at its pace and as fast as it answered so far.
    pub(crate) fn left(&self) -> Duration {
        let requests = u32::try_from(self.time.requests).unwrap_or(u32::MAX);
        self.pace.min_duration(self.queue.len(), self.busy.checked_div(requests).unwrap_or_default())
    }
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
