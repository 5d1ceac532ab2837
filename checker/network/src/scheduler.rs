//! Sends requests to many hosts: a queue and a pace for each host, retries with jitter, and no more requests to
//! a host that stopped answering. It does not know what is requested, or what an answer means.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use sitegate_base::host_name::host_of;
use sitegate_base::url_secrets::without_secrets;
use sitegate_check::HostTime;
use tokio::time::{Instant, sleep_until};
use url::Url;

use crate::error::{RequestFailure, RequestFailureKind};
use crate::pace::{Attempt, HostQueue};
use crate::pace::{Pace, Start};
use crate::settings::Settings;

/// The outcome of one request, as far as it matters for retries and for the pace of its host.
#[derive(Debug)]
pub enum RequestOutcome<A> {
    /// An answer that would be the same the next time.
    Final(A),
    /// No answer to this request, but the job may get one by another, such as GET instead of HEAD.
    Undecided(A),
    /// An answer that may be different the next time, such as 502. It counts if retries do not change it.
    Transient(A),
    /// The host is overloaded (429, 503), and may say when to try again (`Retry-After`).
    Overloaded {
        /// The answer, which counts if retries do not change it.
        answer: A,
        /// The pause that the host wants.
        retry_after: Option<Duration>,
    },
    /// No answer.
    Failed(RequestFailure),
}

/// The last word on a job.
#[derive(Debug)]
pub enum Reply<A> {
    /// The answer to its last request.
    Answer(A),
    /// Its last request got no answer.
    Failed(RequestFailure),
    /// It was not requested, or not again: its host refused too many requests in a row, or left them
    /// unanswered, the last for this reason.
    GivenUp(RequestFailure),
}

/// A scheduler of jobs `J` with answers `A`. Dropping it cancels all requests.
#[derive(Debug)]
pub struct Scheduler<'f, J, A> {
    settings: Arc<Settings>,
    hosts: Vec<HostQueue<J>>,
    host_of_name: HashMap<String, usize>,
    /// Hosts that may start a request now, those first that were begun.
    ready: VecDeque<usize>,
    timers: BTreeMap<(Instant, u64), Timer<J>>,
    timer_count: u64,
    running: FuturesUnordered<BoxFuture<'f, Ended<J, A>>>,
    finished: VecDeque<(J, Reply<A>)>,
    queued: usize,
    requests: usize,
}

#[derive(Debug)]
enum Timer<J> {
    /// The host may start a request.
    Host(usize),
    /// A retry is due.
    Retry(usize, Attempt<J>),
}

#[derive(Debug)]
struct Ended<J, A> {
    host: usize,
    attempt: Attempt<J>,
    began: Instant,
    outcome: RequestOutcome<A>,
}

/// The work that is left.
#[derive(Debug, Default)]
pub(crate) struct Load<'s> {
    /// Hosts with a request in flight.
    pub busy: usize,
    /// The name of the host that needs the longest, and the least time that it needs.
    pub slowest: Option<(&'s str, Duration)>,
}

impl<'f, J: Send + 'f, A: Send + 'f> Scheduler<'f, J, A> {
    /// An empty scheduler with the concurrency, paces and retries of these settings.
    pub fn new(settings: Arc<Settings>) -> Scheduler<'f, J, A> {
        Scheduler {
            settings,
            hosts: Vec::new(),
            host_of_name: HashMap::new(),
            ready: VecDeque::new(),
            timers: BTreeMap::new(),
            timer_count: 0,
            running: FuturesUnordered::new(),
            finished: VecDeque::new(),
            queued: 0,
            requests: 0,
        }
    }

    /// Adds a job to the queue of the host of a URL.
    pub fn push(&mut self, url: &Url, job: J) {
        tracing::debug!("queued {}", without_secrets(url.as_str()));
        let at = self.host(url);
        self.queued += 1;
        self.hosts[at].queue.push_back(Attempt { job, earlier: 0 });
        self.schedule(at);
    }

    /// Waits for the next job to finish; `None` if no job is left. `send` builds the request of a job right
    /// before it is sent. Its second argument is whether the job is the last in its host's queue. Requests only
    /// make progress while this future is awaited; dropping it loses nothing.
    pub async fn next(
        &mut self,
        mut send: impl FnMut(&J, bool) -> BoxFuture<'f, RequestOutcome<A>>,
    ) -> Option<(J, Reply<A>)> {
        loop {
            self.start_ready(&mut send);
            if let Some(finished) = self.finished.pop_front() {
                return Some(finished);
            }
            let due = self.timers.first_key_value().map(|((due, _), _)| *due);
            tokio::select! {
                Some(ended) = self.running.next(), if !self.running.is_empty() => self.end(ended),
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => self.wake(),
                else => return None,
            }
        }
    }

    /// Jobs that are in a queue or in flight, without those that wait for a retry.
    pub(crate) fn open(&self) -> usize {
        self.queued + self.running.len()
    }

    /// Requests that were sent so far.
    pub fn requests(&self) -> usize {
        self.requests
    }

    /// The time that each host took so far.
    pub(crate) fn host_times(&self) -> impl Iterator<Item = &HostTime> {
        self.hosts.iter().map(|host| &host.time)
    }

    /// The work that is left.
    pub(crate) fn load(&self) -> Load<'_> {
        let busy = self.hosts.iter().filter(|host| host.pace.is_running()).count();
        let left = self.hosts.iter().map(|host| (host.time.name.as_str(), host.left()));
        Load { busy, slowest: left.max_by_key(|(_, left)| *left) }
    }

    fn host(&mut self, url: &Url) -> usize {
        let name = host_of(url);
        if let Some(&at) = self.host_of_name.get(&name) {
            return at;
        }
        let pace = Pace::new(self.settings.pace(&name), Instant::now());
        self.host_of_name.insert(name.clone(), self.hosts.len());
        self.hosts.push(HostQueue::new(name, pace));
        self.hosts.len() - 1
    }

    /// Schedules the next request of a host as soon as its pace allows.
    fn schedule(&mut self, at: usize) {
        let host = &mut self.hosts[at];
        if let Some(failure) = &host.given_up {
            self.queued -= host.queue.len();
            let left = host.queue.drain(..).map(|Attempt { job, .. }| (job, Reply::GivenUp(failure.clone())));
            self.finished.extend(left);
        }
        if host.is_scheduled || host.queue.is_empty() {
            return;
        }
        match host.pace.may_start(Instant::now()) {
            // A host with earlier requests comes first: connections to fewer hosts at a time take less memory.
            Start::Now if host.began.is_some() => self.ready.push_front(at),
            Start::Now => self.ready.push_back(at),
            Start::At(due) => self.set_timer(due, Timer::Host(at)),
            // The end of one of its requests schedules it.
            Start::Later => return,
        }
        self.hosts[at].is_scheduled = true;
    }

    fn set_timer(&mut self, due: Instant, timer: Timer<J>) {
        self.timer_count += 1;
        self.timers.insert((due, self.timer_count), timer);
    }

    /// Starts the requests that may start now.
    fn start_ready(&mut self, send: &mut impl FnMut(&J, bool) -> BoxFuture<'f, RequestOutcome<A>>) {
        while self.running.len() < self.settings.concurrency
            && let Some(at) = self.ready.pop_front()
        {
            let (host, began) = (&mut self.hosts[at], Instant::now());
            host.is_scheduled = false;
            if host.pace.may_start(began) == Start::Now
                && let Some(attempt) = host.queue.pop_front()
            {
                self.queued -= 1;
                self.requests += 1;
                host.start(began);
                let request = send(&attempt.job, host.queue.is_empty());
                self.running.push(Box::pin(async move {
                    let outcome = request.await;
                    Ended { host: at, attempt, began, outcome }
                }));
            }
            self.schedule(at);
        }
    }

    /// Handles the timers that are due.
    fn wake(&mut self) {
        let now = Instant::now();
        while let Some(first) = self.timers.first_entry().filter(|first| first.key().0 <= now) {
            let at = match first.remove() {
                Timer::Host(at) => {
                    self.hosts[at].is_scheduled = false;
                    at
                }
                Timer::Retry(at, attempt) => {
                    self.queued += 1;
                    self.hosts[at].queue.push_back(attempt);
                    at
                }
            };
            self.schedule(at);
        }
    }

    /// Handles the outcome of a request: its job is finished, or waits for a retry.
    fn end(&mut self, Ended { host: at, mut attempt, began, outcome }: Ended<J, A>) {
        let now = Instant::now();
        let settings = &self.settings;
        let host = &mut self.hosts[at];
        host.end(began, now);
        tracing::debug!(elapsed = ?(now - began), "a request to {} ended", host.time.name);
        let backoff = backoff(settings.pause, attempt.earlier);
        let (pause, reply) = match outcome {
            RequestOutcome::Final(answer) => {
                host.answered();
                (None, Reply::Answer(answer))
            }
            RequestOutcome::Transient(answer) => {
                host.answered();
                (Some(backoff), Reply::Answer(answer))
            }
            RequestOutcome::Undecided(answer) => (None, Reply::Answer(answer)),
            RequestOutcome::Overloaded { answer, retry_after } => {
                let wanted = retry_after.unwrap_or(backoff);
                host.refused(began, now, wanted, backoff, settings);
                (Some(wanted).filter(|pause| *pause <= settings.max_refusal_wait), Reply::Answer(answer))
            }
            RequestOutcome::Failed(failure) => {
                if failure.kind != RequestFailureKind::NotAllowed {
                    host.failed(&failure, now, settings);
                }
                (failure.is_transient().then_some(backoff), Reply::Failed(failure))
            }
        };
        match pause {
            Some(pause) if attempt.earlier < settings.retries && host.given_up.is_none() => {
                attempt.earlier += 1;
                self.set_timer(now + pause, Timer::Retry(at, attempt));
            }
            _ => self.finished.push_back((attempt.job, reply)),
        }
        if self.hosts[at].given_up.is_some() {
            self.recall_retries(at);
        }
        self.schedule(at);
    }

    /// Puts the retries of a host back into its queue, if it was given up: they need not wait.
    fn recall_retries(&mut self, at: usize) {
        let is_of_host = |_: &_, timer: &mut Timer<J>| matches!(timer, Timer::Retry(host, _) if *host == at);
        for (_, timer) in self.timers.extract_if(.., is_of_host) {
            if let Timer::Retry(_, attempt) = timer {
                self.queued += 1;
                self.hosts[at].queue.push_back(attempt);
            }
        }
    }
}

/// The pause before a retry: it doubles each time, give or take a quarter at random, so that retries spread.
fn backoff(pause: Duration, earlier: u32) -> Duration {
    pause.mul_f64(f64::from(1 << earlier.min(16)) * (0.75 + 0.5 * fastrand::f64()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use futures_util::FutureExt;
    use tokio::time::{Instant, sleep};
    use url::Url;

    use super::{Reply, RequestOutcome, Scheduler, backoff};
    use crate::error::{RequestFailure, RequestFailureKind};
    use crate::settings::Settings;

    const SECOND: Duration = Duration::from_secs(1);

    /// The time that each request takes.
    const LATENCY: Duration = Duration::from_millis(10);

    /// A request: the number of its job, and milliseconds since the start.
    type Sent = (usize, u128);

    fn settings() -> Settings {
        let mut settings = Settings::default();
        settings.host.interval = Duration::ZERO;
        settings
    }

    fn failure() -> RequestFailure {
        RequestFailure::new(RequestFailureKind::Timeout, "no answer")
    }

    /// Runs jobs for these URLs. The outcome of a request depends on its job and on the requests sent for it before.
    async fn run(
        settings: Settings,
        urls: &[&str],
        outcome: impl Fn(usize, usize) -> RequestOutcome<&'static str> + Send + Sync,
    ) -> (Vec<Sent>, BTreeMap<usize, String>) {
        let (start, requests) = (Instant::now(), Mutex::new(Vec::<Sent>::new()));
        let mut scheduler = Scheduler::new(Arc::new(settings));
        for (job, url) in urls.iter().enumerate() {
            scheduler.push(&Url::parse(url).unwrap(), job);
        }
        let mut replies = BTreeMap::new();
        let (requests_so_far, outcome) = (&requests, &outcome);
        while let Some((job, reply)) = scheduler
            .next(|&job, _| {
                let mut sent = requests_so_far.lock().unwrap();
                let earlier = sent.iter().filter(|(other, _)| *other == job).count();
                sent.push((job, start.elapsed().as_millis()));
                async move {
                    sleep(LATENCY).await;
                    outcome(job, earlier)
                }
                .boxed()
            })
            .await
        {
            let reply = match reply {
                Reply::Answer(answer) => answer.to_owned(),
                Reply::Failed(failure) => format!("silence: {failure}"),
                Reply::GivenUp(failure) => format!("given up: {failure}"),
            };
            assert_eq!(replies.insert(job, reply), None);
        }
        (requests.into_inner().unwrap(), replies)
    }

    #[tokio::test(start_paused = true)]
    async fn retries_back_off_and_spread() {
        let urls: Vec<String> = (0..50).map(|number| format!("http://{number}.test/")).collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        let (sent, replies) = run(settings(), &urls, |job, earlier| match (job, earlier) {
            (0, _) => RequestOutcome::Transient("502"),
            (1, _) => RequestOutcome::Failed(failure()),
            (_, 0 | 1) => RequestOutcome::Overloaded { answer: "503", retry_after: None },
            _ => RequestOutcome::Final("200"),
        })
        .await;
        assert_eq!((&*replies[&0], &*replies[&1], &*replies[&2]), ("502", "silence: no answer", "200"));
        let mut pauses = Vec::new();
        for job in 0..50 {
            let at: Vec<u128> = sent.iter().filter(|(other, _)| *other == job).map(|(_, at)| *at).collect();
            let [first, second, third] = at[..] else { panic!("{at:?}") };
            let (short, long) = (second - first - 10, third - second - 10);
            assert!((750..=1251).contains(&short) && (1500..=2501).contains(&long), "{short} {long}");
            pauses.push(short);
        }
        pauses.sort_unstable();
        pauses.dedup();
        assert!(pauses.len() > 20, "retries come together: {pauses:?}");
    }

    #[test]
    fn backoff_doubles_within_a_quarter() {
        for earlier in 0..4 {
            let pauses: Vec<f64> =
                (0..1000).map(|_| backoff(SECOND, earlier).as_secs_f64() / f64::from(1 << earlier)).collect();
            let least = pauses.iter().copied().fold(f64::MAX, f64::min);
            let most = pauses.iter().copied().fold(0.0, f64::max);
            assert!((0.75..0.8).contains(&least) && (1.2..=1.25).contains(&most), "{least} {most}");
        }
        assert!(backoff(SECOND, u32::MAX) < 100_000 * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn each_host_has_its_own_pace_and_all_share_the_concurrency() {
        let mut some = settings();
        some.hosts.insert("slow.test".to_owned(), some.host.clone());
        some.hosts.get_mut("slow.test").unwrap().interval = Duration::from_millis(100);
        let slow = ["http://slow.test/"; 5];
        let fast = ["http://fast.test/"; 60];
        let (sent, _) =
            run(some.clone(), &[&slow[..], &fast].concat(), |_, _| RequestOutcome::Final("200")).await;
        let of_slow: Vec<u128> = sent.iter().filter(|(job, _)| *job < 5).map(|(_, at)| *at).collect();
        assert_eq!(of_slow.iter().zip(1..).filter(|(at, n)| **at >= 100 * (n - 1)).count(), 5, "{of_slow:?}");
        assert!(of_slow[4] < 420, "{of_slow:?}");
        // Six are concurrent, so there are ten rounds.
        let last = sent.iter().filter(|(job, _)| *job >= 5).map(|(_, at)| *at).max().unwrap();
        assert!((90..130).contains(&last), "{last}");
        let urls: Vec<String> = (0..30).map(|number| format!("http://{}.test/", number / 3)).collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        let narrow = Settings { concurrency: 10, ..settings() };
        let (narrowly_sent, _) = run(narrow, &urls, |_, _| RequestOutcome::Final("200")).await;
        let first: Vec<usize> = narrowly_sent[..10].iter().map(|(job, _)| *job).collect();
        assert_eq!(first, (0..10).collect::<Vec<_>>(), "a host with earlier requests comes first");
        assert!(narrowly_sent[29].1 >= 20, "{narrowly_sent:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_for_an_overloaded_host_within_the_patience() {
        let overloaded = |seconds| RequestOutcome::Overloaded {
            answer: "429",
            retry_after: Some(Duration::from_secs(seconds)),
        };
        let urls = ["http://busy.test/", "http://busy.test/", "http://other.test/"];
        let one = Settings { host: crate::HostSettings { concurrency: 1, ..settings().host }, ..settings() };
        let (sent, replies) = run(one.clone(), &urls, |job, earlier| match (job, earlier) {
            (0, 0) => overloaded(30),
            _ => RequestOutcome::Final("200"),
        })
        .await;
        assert_eq!(sent.iter().map(|(job, _)| *job).collect::<Vec<_>>(), [0, 2, 1, 0]);
        assert!(sent[1].1 < 100 && sent[2].1 >= 30_000, "{sent:?}");
        assert!(replies.values().all(|reply| reply == "200"));
        let (sent_once, reply) = run(one, &urls[..1], |_, _| overloaded(3600)).await;
        assert_eq!((sent_once.len(), &*reply[&0]), (1, "429"));
    }

    #[tokio::test(start_paused = true)]
    async fn stops_requests_to_a_silent_host_only() {
        let urls = [&["http://dead.test/"; 100][..], &["http://alive.test/"; 20]].concat();
        let (sent, replies) = run(settings(), &urls, |job, _| match job {
            ..100 => RequestOutcome::Failed(failure()),
            _ => RequestOutcome::Final("200"),
        })
        .await;
        let to_dead = sent.iter().filter(|(job, _)| *job < 100).count();
        assert!(to_dead <= 10, "{to_dead}");
        assert_eq!(replies.len(), 120);
        assert_eq!(replies.values().filter(|reply| *reply == "given up: no answer").count(), 98);
        assert_eq!(replies.values().filter(|reply| *reply == "200").count(), 20);
        // An answer resets the count, and an address that is not allowed does not count.
        let same_host = ["http://some.test/"; 40];
        let (_, alternating) = run(settings(), &same_host, |job, earlier| match job % 4 {
            _ if earlier > 0 => RequestOutcome::Final("200"),
            0 => RequestOutcome::Final("200"),
            1 => RequestOutcome::Failed(RequestFailure::new(RequestFailureKind::NotAllowed, "not allowed")),
            _ => RequestOutcome::Failed(failure()),
        })
        .await;
        assert!(alternating.values().all(|reply| !reply.starts_with("given up")), "{alternating:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_dropped_wait_loses_nothing() {
        let mut scheduler = Scheduler::<u32, ()>::new(Arc::new(settings()));
        scheduler.push(&Url::parse("http://a.test/").unwrap(), 7);
        let slow = |_: &u32, _| {
            async {
                sleep(SECOND).await;
                RequestOutcome::Final(())
            }
            .boxed()
        };
        assert!(tokio::time::timeout(SECOND / 2, scheduler.next(slow)).await.is_err());
        assert!(matches!(scheduler.next(slow).await, Some((7, Reply::Answer(())))));
        assert!(scheduler.next(slow).await.is_none());
        assert_eq!((scheduler.requests(), scheduler.open()), (1, 0));
    }
}
