//! Asks for many addresses at once: each once, each host at its own pace, and again what may pass.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use sitegate_check::external::{Answer, HostTime, WorldVerdict, host_of};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use url::Url;

use crate::entry::AskedAddress;
use crate::exchange::{ExchangeOutcome, HostRequest, PageRead, exchange};
use crate::failure::{Silence, SilenceKind};
use crate::pace::{Pace, Start};
use crate::profiles::KnownHost;
use crate::progress::Snapshot;
use crate::settings::{HostSettings, Settings};

/// What is wanted: an address without its fragment, and the fragment.
pub(crate) type WantedAddress = (Url, Option<String>);

/// What was found out.
#[derive(Debug, Default)]
pub struct Answers {
    /// What is known of each address, without its fragment.
    pub by_url: HashMap<String, Answer>,
    /// Addresses that were asked for now.
    pub asked: HashSet<String>,
    /// Addresses that were known from earlier.
    pub known: usize,
    /// What each host took, the slowest first.
    pub hosts: Vec<HostTime>,
    /// Requests that were sent.
    pub requests: usize,
    /// Whether somebody wanted to stop before all was answered.
    pub is_stopped: bool,
}

/// One address on its way to an answer.
#[derive(Clone, Debug)]
struct Job {
    entry: usize,
    /// What is asked now.
    url: Url,
    /// Whether HEAD is not liked.
    wants_get: bool,
    /// Addresses that led on, in their order.
    led: Vec<Url>,
    /// Where it has moved to for good.
    moved: Option<Url>,
    /// Whether some redirect was only for now.
    for_now: bool,
    attempts: u32,
}

struct AskedHost {
    pace: Pace,
    /// What is known of it.
    known: Option<&'static KnownHost>,
    ready: VecDeque<Job>,
    /// Whether a timer will look at it.
    has_timer: bool,
    /// Whether it waits for a request to any host to end.
    is_waiting: bool,
    /// Requests in a row that it did not answer.
    silent: u32,
    /// Why nothing more is asked of it.
    given_up: Option<Silence>,
    time: HostTime,
    /// How long it took to answer, all answers together.
    answering: Duration,
    began: Option<Instant>,
}

enum Timer {
    Look(usize),
    Again(usize, Box<Job>),
}

pub(crate) struct Asker {
    client: Client,
    settings: Arc<Settings>,
    /// What is known from earlier.
    kept: HashMap<String, Answer>,
    entries: Vec<AskedAddress>,
    entry_of: HashMap<Url, usize>,
    hosts: Vec<AskedHost>,
    host_of: HashMap<String, usize>,
    /// Hosts that wait for a request to any host to end.
    waiting: VecDeque<usize>,
    timers: BTreeMap<(Instant, u64), Timer>,
    timer_count: u64,
    running: JoinSet<(usize, Job, ExchangeOutcome, Instant)>,
    open: usize,
    requests: usize,
    progress: watch::Sender<Snapshot>,
}

impl Asker {
    pub(crate) fn new(
        client: Client,
        settings: Arc<Settings>,
        kept: HashMap<String, Answer>,
        progress: watch::Sender<Snapshot>,
    ) -> Asker {
        Asker {
            client,
            settings,
            kept,
            entries: Vec::new(),
            entry_of: HashMap::new(),
            hosts: Vec::new(),
            host_of: HashMap::new(),
            waiting: VecDeque::new(),
            timers: BTreeMap::new(),
            timer_count: 0,
            running: JoinSet::new(),
            open: 0,
            requests: 0,
            progress,
        }
    }

    /// Asks for what comes in until nothing more can come and all is answered, or `stop` says so.
    pub(crate) async fn run(
        mut self,
        mut wanted: mpsc::UnboundedReceiver<WantedAddress>,
        mut stop: watch::Receiver<bool>,
    ) -> Answers {
        let mut more = true;
        while more || self.open > 0 {
            let next = self.timers.first_key_value().map(|((at, _), _)| *at);
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                got = wanted.recv(), if more => match got {
                    Some(wanted) => self.want(wanted),
                    None => more = false,
                },
                Some(ended) = self.running.join_next(), if !self.running.is_empty() => {
                    if let Ok((host, job, outcome, began)) = ended {
                        self.ended(host, job, outcome, began);
                    }
                }
                () = until(next), if next.is_some() => self.due(),
            }
            self.tell();
        }
        self.running.abort_all();
        let is_stopped = more || self.open > 0;
        Answers { is_stopped, ..self.finish() }
    }

    fn want(&mut self, (url, fragment): WantedAddress) {
        let known = fragment.as_ref().and_then(|_| self.settings.known(&host_of(&url)));
        let fragment = fragment.filter(|fragment| !known.is_some_and(|known| known.is_scripted(fragment)));
        if let Some(&at) = self.entry_of.get(&url) {
            if fragment.is_some_and(|fragment| self.entries[at].want(fragment)) {
                self.open += 1;
                self.begin(at);
            }
            return;
        }
        let at = self.entries.len();
        self.entry_of.insert(url.clone(), at);
        let entry = match self.kept.remove(url.as_str()) {
            Some(answer) => AskedAddress::kept(url, fragment, answer),
            None => AskedAddress::new(url, fragment),
        };
        let is_open = entry.is_open();
        self.entries.push(entry);
        if is_open {
            self.open += 1;
            self.begin(at);
        }
    }

    /// Puts an address into its host's queue.
    fn begin(&mut self, entry: usize) {
        let url = self.entries[entry].url.clone();
        let job =
            Job { entry, url, wants_get: false, led: Vec::new(), moved: None, for_now: false, attempts: 0 };
        self.enqueue(job);
    }

    fn enqueue(&mut self, job: Job) {
        let host = self.host(&job.url);
        self.hosts[host].ready.push_back(job);
        self.look(host);
    }

    fn host(&mut self, url: &Url) -> usize {
        let name = host_of(url);
        if let Some(&host) = self.host_of.get(&name) {
            return host;
        }
        let host = self.hosts.len();
        let pace = Pace::new(self.settings.pace(&name), Instant::now());
        self.host_of.insert(name.clone(), host);
        self.hosts.push(AskedHost {
            known: self.settings.known(&name),
            time: HostTime { name, at_once: pace.most(), ..HostTime::default() },
            answering: Duration::ZERO,
            pace,
            ready: VecDeque::new(),
            has_timer: false,
            is_waiting: false,
            silent: 0,
            given_up: None,
            began: None,
        });
        host
    }

    /// Starts what a host may be asked now.
    fn look(&mut self, at: usize) {
        let now = Instant::now();
        while let Some(job) = self.hosts[at].ready.pop_front() {
            let host = &mut self.hosts[at];
            if let Some(silence) = &host.given_up {
                let verdict = verdict_of(silence);
                self.learn(job.entry, verdict, PageRead::NotAsked);
                continue;
            }
            let start = host.pace.may_start(now);
            if start == Start::Now && self.running.len() < self.settings.concurrency {
                self.start(at, job, now);
                continue;
            }
            host.ready.push_front(job);
            match start {
                Start::At(when) if !host.has_timer => {
                    host.has_timer = true;
                    self.set_timer(when, Timer::Look(at));
                }
                Start::Now if !host.is_waiting => {
                    host.is_waiting = true;
                    self.waiting.push_back(at);
                }
                _ => {}
            }
            return;
        }
    }

    fn start(&mut self, at: usize, job: Job, now: Instant) {
        let host = &mut self.hosts[at];
        host.pace.started(now);
        host.began.get_or_insert(now);
        host.time.requests += 1;
        self.requests += 1;
        let with_page = self.entries[job.entry].wants_page();
        let HostSettings { headers, over_http, accept, get, .. } = self.settings.of(&host.time.name);
        // A link by http, or a redirect to it, must not show a secret to everyone on the way.
        let is_safe = *over_http || job.url.scheme() == "https";
        let headers = if is_safe { headers.clone() } else { Vec::new() };
        let is_last = host.ready.is_empty();
        let request = HostRequest {
            url: job.url.clone(),
            get: with_page || job.wants_get || *get,
            with_page,
            headers,
            accept: accept.clone(),
            known: host.known,
            is_last,
        };
        let (client, settings) = (self.client.clone(), Arc::clone(&self.settings));
        self.running.spawn(async move {
            let outcome = exchange(&client, &request, &settings).await;
            (at, job, outcome, now)
        });
    }

    fn set_timer(&mut self, at: Instant, timer: Timer) {
        self.timer_count += 1;
        self.timers.insert((at, self.timer_count), timer);
    }

    /// Does what is due.
    fn due(&mut self) {
        let now = Instant::now();
        while let Some(first) = self.timers.first_entry().filter(|first| first.key().0 <= now) {
            match first.remove() {
                Timer::Look(host) => {
                    self.hosts[host].has_timer = false;
                    self.look(host);
                }
                Timer::Again(host, job) => {
                    self.hosts[host].ready.push_back(*job);
                    self.look(host);
                }
            }
        }
    }

    /// A request is over: what it says, and what can be asked now.
    fn ended(&mut self, at: usize, job: Job, outcome: ExchangeOutcome, began: Instant) {
        let now = Instant::now();
        let host = &mut self.hosts[at];
        host.pace.ended();
        host.answering += now - began;
        if let Some(first) = host.began {
            host.time.wall = now - first;
        }
        match &outcome {
            ExchangeOutcome::Silent(silence) if silence.kind != SilenceKind::Refused => {
                host.silent += 1;
                if host.silent >= self.settings.silent {
                    host.given_up = Some(silence.clone());
                }
            }
            ExchangeOutcome::TooMuch { .. } => host.silent = 0,
            _ => {
                host.silent = 0;
                host.pace.well();
            }
        }
        self.take(at, job, outcome, now);
        self.look(at);
        while self.running.len() < self.settings.concurrency
            && let Some(next) = self.waiting.pop_front()
        {
            self.hosts[next].is_waiting = false;
            self.look(next);
        }
    }

    fn take(&mut self, at: usize, mut job: Job, outcome: ExchangeOutcome, now: Instant) {
        let (verdict, page) = match outcome {
            ExchangeOutcome::There(page) => match job.moved {
                Some(to) => (WorldVerdict::Moved(to.into()), page),
                None => (WorldVerdict::There, page),
            },
            ExchangeOutcome::Leads { to, for_good } => match self.follow(&mut job, to, for_good) {
                None => return self.enqueue(job),
                Some(verdict) => (verdict, PageRead::NotAsked),
            },
            ExchangeOutcome::WantsGet => {
                job.wants_get = true;
                return self.enqueue(job);
            }
            ExchangeOutcome::Gone(reason) => (WorldVerdict::Broken(reason), PageRead::NotAsked),
            ExchangeOutcome::Wall(reason) => (WorldVerdict::Unverified(reason), PageRead::NotAsked),
            ExchangeOutcome::TooMuch { reason, after } => {
                let pause = after.unwrap_or_else(|| self.backoff(job.attempts));
                if pause <= self.settings.patience {
                    self.hosts[at].pace.too_much(now, pause);
                    if job.attempts < self.settings.retries {
                        return self.again(at, job, now + pause);
                    }
                }
                (WorldVerdict::Unverified(reason), PageRead::NotAsked)
            }
            ExchangeOutcome::Passing(reason) => {
                if job.attempts < self.settings.retries {
                    let when = now + self.backoff(job.attempts);
                    return self.again(at, job, when);
                }
                (WorldVerdict::Broken(reason), PageRead::NotAsked)
            }
            ExchangeOutcome::Silent(silence) => {
                let passes = matches!(silence.kind, SilenceKind::Passing | SilenceKind::Slow);
                if passes && job.attempts < self.settings.retries && self.hosts[at].given_up.is_none() {
                    let when = now + self.backoff(job.attempts);
                    return self.again(at, job, when);
                }
                (verdict_of(&silence), PageRead::NotAsked)
            }
        };
        self.learn(job.entry, verdict, page);
    }

    /// Turns to where a redirect leads, unless that is the end of it.
    fn follow(&self, job: &mut Job, mut to: Url, for_good: bool) -> Option<WorldVerdict> {
        if !matches!(to.scheme(), "http" | "https") {
            return Some(WorldVerdict::Unverified(format!(
                "it leads on to `{}:`, which is not asked",
                to.scheme()
            )));
        }
        to.set_fragment(None);
        // A redirect brings nobody's name and password along.
        let _ = to.set_username("").and_then(|()| to.set_password(None));
        if to == job.url || job.led.contains(&to) {
            return Some(WorldVerdict::Broken("it leads on in a circle".to_owned()));
        }
        if job.led.len() as u32 >= self.settings.redirects {
            return Some(WorldVerdict::Broken(format!(
                "it leads on more than {} times",
                self.settings.redirects
            )));
        }
        job.for_now |= !for_good;
        if !job.for_now {
            job.moved = Some(to.clone());
        }
        job.led.push(std::mem::replace(&mut job.url, to));
        job.attempts = 0;
        None
    }

    fn again(&mut self, host: usize, mut job: Job, when: Instant) {
        job.attempts += 1;
        self.set_timer(when, Timer::Again(host, Box::new(job)));
    }

    /// The pause before a retry: it doubles each time, and a quarter of it is left to chance, so that retries spread.
    fn backoff(&self, attempts: u32) -> Duration {
        self.settings.pause.mul_f64(f64::from(1 << attempts.min(16)) * (0.75 + 0.5 * fastrand::f64()))
    }

    fn learn(&mut self, entry: usize, verdict: WorldVerdict, page: PageRead) {
        if self.entries[entry].learn(verdict, page) {
            self.begin(entry);
        } else {
            self.open -= 1;
        }
    }

    /// Tells how far it is.
    fn tell(&mut self) {
        let (all, open, requests) = (self.entries.len(), self.open, self.requests);
        let hosts = &self.hosts;
        self.progress.send_if_modified(|snapshot| {
            if !snapshot.is_due(Instant::now()) {
                return false;
            }
            let busy = hosts.iter().filter(|host| host.pace.is_running()).count();
            let slowest = hosts.iter().max_by_key(|host| host.left());
            let (left, slowest) =
                slowest.map(|host| (host.left(), host.time.name.clone())).unwrap_or_default();
            let made = Some(Instant::now());
            *snapshot = Snapshot { all, done: all - open, requests, hosts: busy, left, slowest, made };
            true
        });
    }

    fn finish(self) -> Answers {
        let known = self.entries.iter().filter(|entry| entry.is_kept()).count();
        let asked =
            self.entries.iter().filter(|entry| entry.is_new()).map(|entry| entry.url.to_string()).collect();
        let by_url = self
            .entries
            .into_iter()
            .map(AskedAddress::answer)
            .map(|(url, answer)| (url.into(), answer))
            .collect();
        let mut hosts: Vec<HostTime> =
            self.hosts.into_iter().map(|host| host.time).filter(|time| time.requests > 0).collect();
        hosts.sort_by(|a, b| b.wall.cmp(&a.wall).then_with(|| a.name.cmp(&b.name)));
        Answers { by_url, asked, known, hosts, requests: self.requests, is_stopped: false }
    }
}

impl AskedHost {
    /// How long it takes at least to ask it for what waits, as fast as it answers.
    fn left(&self) -> Duration {
        let answered = u32::try_from(self.time.requests).unwrap_or(u32::MAX);
        let each = self.answering.checked_div(answered).unwrap_or_default();
        self.pace.at_least(self.ready.len(), each)
    }
}

/// What silence means for a link.
fn verdict_of(silence: &Silence) -> WorldVerdict {
    let reason = silence.reason.clone();
    match silence.kind {
        SilenceKind::Lasting | SilenceKind::Passing => WorldVerdict::Broken(reason),
        SilenceKind::Slow | SilenceKind::Refused => WorldVerdict::Unverified(reason),
    }
}

async fn until(when: Option<Instant>) {
    match when {
        Some(when) => sleep_until(when).await,
        None => std::future::pending().await,
    }
}
