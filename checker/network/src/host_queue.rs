//! Tracks one host of the scheduler: its queue, its pace, and whether it is given up.

use std::collections::VecDeque;
use std::time::Duration;

use sitegate_check::HostTime;
use tokio::time::Instant;

use crate::error::{RequestFailure, RequestFailureKind};
use crate::pace::Pace;
use crate::settings::Settings;

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
