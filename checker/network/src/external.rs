//! Checks external links: requests each URL once, follows redirects, and turns answers into verdicts. A check runs on a
//! thread of its own, while the links are still being collected. Its requests can be planned without sending them: by
//! host, with the least time that they take.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use sitegate_base::host_name::host_of;
use sitegate_check::{ExternalAnswer, ExternalVerdict, HostTime, is_checkable_fragment};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};
use url::Url;

use crate::client::{GuardedClient, runtime};
use crate::error::{NetworkError, RequestFailure, RequestFailureKind};
use crate::link_request::{LinkAnswer, LinkRequest, PageIds, UrlState};
use crate::pace::min_time;
use crate::scheduler::{Load, Reply, Scheduler};
use crate::settings::{HostSettings, Settings};

/// The interval between two snapshots.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// The progress at one moment.
#[derive(Clone, Debug, Default)]
pub struct CheckProgress {
    /// URLs so far; more may come.
    pub all: usize,
    /// URLs with an answer.
    pub done: usize,
    /// Requests that were sent.
    pub requests: usize,
    /// Hosts with requests in flight.
    pub hosts: usize,
    /// The minimum time that the slowest host still needs.
    pub left: Duration,
    /// The name of the slowest host.
    pub slowest: String,
    /// The time of the snapshot.
    pub(crate) made: Option<Instant>,
}

impl CheckProgress {
    /// Whether a new snapshot is due.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.made.is_none_or(|made| now.duration_since(made) >= PROGRESS_INTERVAL)
    }
}

/// An external link: a URL without its fragment, and the fragment.
pub(crate) type Link = (Url, Option<String>);

/// The answers to external links.
#[derive(Debug, Default)]
pub struct Answers {
    /// The answer of each URL, without its fragment.
    pub by_url: HashMap<String, ExternalAnswer>,
    /// URLs that were requested now.
    pub requested: HashSet<String>,
    /// URLs whose answers were cached.
    pub known: usize,
    /// The time that each host took, the slowest first.
    pub hosts: Vec<HostTime>,
    /// Requests that were sent.
    pub requests: usize,
    /// Whether the check was stopped before all URLs had an answer.
    pub is_stopped: bool,
}

/// The next request on the way to the answer of a URL.
#[derive(Clone, Debug)]
struct Hop {
    /// The index of the URL that the link has.
    link: usize,
    /// The URL to request.
    url: Url,
    /// Whether the host does not answer HEAD.
    needs_get: bool,
    /// The URLs that redirected here, in their order.
    redirects: Vec<Url>,
    /// The last URL that only permanent redirects point to.
    moved_to: Option<Url>,
    /// The fragment of the redirects, which has precedence over that of a link (RFC 9110, 10.2.2).
    fragment: Option<String>,
    /// Whether one of the redirects was temporary.
    is_temporary: bool,
    /// Whether one of the redirects set a cookie.
    sets_cookie: bool,
}

/// A check of external links.
pub(crate) struct LinkRequests {
    client: GuardedClient,
    settings: Arc<Settings>,
    cached: HashMap<String, ExternalAnswer>,
    urls: Vec<UrlState>,
    index_of: HashMap<Url, usize>,
    scheduler: Scheduler<'static, Hop, LinkAnswer>,
    /// Hosts that close the connection on HEAD.
    without_head: HashSet<String>,
    /// URLs without an answer.
    open: usize,
    progress: watch::Sender<CheckProgress>,
}

impl LinkRequests {
    pub(crate) fn new(
        client: GuardedClient,
        settings: Arc<Settings>,
        cached: HashMap<String, ExternalAnswer>,
        progress: watch::Sender<CheckProgress>,
    ) -> LinkRequests {
        LinkRequests {
            client,
            scheduler: Scheduler::new(Arc::clone(&settings)),
            settings,
            cached,
            urls: Vec::new(),
            index_of: HashMap::new(),
            without_head: HashSet::new(),
            open: 0,
            progress,
        }
    }

    /// Checks the links that come in until the channel is closed and all URLs have an answer, the time is over, or
    /// `stop` is set.
    pub(crate) async fn run(
        mut self,
        mut links: mpsc::UnboundedReceiver<Link>,
        mut stop: watch::Receiver<bool>,
    ) -> Answers {
        let mut more = true;
        let deadline = Instant::now() + self.settings.max_time;
        let mut is_over = false;
        while more || self.open > 0 && !is_over {
            let has_open = self.open > 0;
            let LinkRequests { client, settings, urls, scheduler, without_head, .. } = &mut self;
            let send = |hop: &Hop, is_last| {
                let is_get = hop.needs_get || without_head.contains(&host_of(&hop.url));
                let request = request(hop, settings, is_get, urls[hop.link].wants_page(), is_last);
                let (client, settings) = (client.clone(), Arc::clone(settings));
                async move { request.send(client, &settings).await }.boxed()
            };
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                link = links.recv(), if more => match link {
                    Some(link) => self.add(link),
                    None => more = false,
                },
                // Links that come later are not requested, but reported as unverified.
                () = sleep_until(deadline), if !is_over => is_over = true,
                Some((hop, reply)) = scheduler.next(send), if has_open && !is_over => {
                    self.handle_reply(hop, reply);
                }
            }
            self.report_progress();
        }
        if is_over {
            self.give_up_open();
        }
        let is_stopped = more || self.open > 0;
        Answers { is_stopped, ..self.answers() }
    }

    fn add(&mut self, (url, fragment): Link) {
        let known = fragment.as_ref().and_then(|_| self.settings.known(&host_of(&url)));
        let fragment = fragment.filter(|fragment| !known.is_some_and(|known| known.is_scripted(fragment)));
        if let Some(&at) = self.index_of.get(&url) {
            if fragment.is_some_and(|fragment| self.urls[at].add_fragment(fragment)) {
                self.open(at);
            }
            return;
        }
        let at = self.urls.len();
        self.index_of.insert(url.clone(), at);
        let state = match self.cached.remove(url.as_str()) {
            Some(answer) => UrlState::cached(url, fragment, answer),
            None => UrlState::new(url, fragment),
        };
        let is_open = state.is_open();
        self.urls.push(state);
        if is_open {
            self.open(at);
        }
    }

    fn open(&mut self, link: usize) {
        self.open += 1;
        self.request(link);
    }

    /// Requests a URL, for the first time or again.
    fn request(&mut self, link: usize) {
        let url = self.urls[link].url.clone();
        let hop = Hop {
            link,
            url,
            needs_get: false,
            redirects: Vec::new(),
            moved_to: None,
            fragment: None,
            is_temporary: false,
            sets_cookie: false,
        };
        self.push(hop);
    }

    fn push(&mut self, hop: Hop) {
        self.scheduler.push(&hop.url.clone(), hop);
    }

    /// Takes in the reply to a request: a verdict, or the next hop.
    fn handle_reply(&mut self, mut hop: Hop, reply: Reply<LinkAnswer>) {
        let (verdict, page) = match reply {
            Reply::Answer(LinkAnswer::There(page)) => {
                // Browsers do not look for the fragments of links then.
                let page = if hop.fragment.is_some() { PageIds::NoIds } else { page };
                match hop.moved_to {
                    Some(to) => (ExternalVerdict::Moved(to.into()), page),
                    None => (ExternalVerdict::There, page),
                }
            }
            Reply::Answer(LinkAnswer::Redirect { to, is_permanent, sets_cookie }) => {
                hop.sets_cookie |= sets_cookie;
                match hop.follow(to, is_permanent, self.settings.redirects) {
                    Ok(()) => return self.push(hop),
                    Err(verdict) => (verdict, PageIds::NotRead),
                }
            }
            Reply::Answer(answer @ (LinkAnswer::NeedsGet | LinkAnswer::HeadCutOff)) => {
                hop.needs_get = true;
                if matches!(answer, LinkAnswer::HeadCutOff) {
                    self.without_head.insert(host_of(&hop.url));
                }
                return self.push(hop);
            }
            Reply::Answer(LinkAnswer::Missing(reason)) => (ExternalVerdict::Broken(reason), PageIds::NotRead),
            Reply::Answer(LinkAnswer::Blocked(reason)) => {
                (ExternalVerdict::Unverified(reason), PageIds::NotRead)
            }
            Reply::GivenUp(RequestFailure { reason, kind: RequestFailureKind::Refused }) => {
                self.open -= 1;
                return self.urls[hop.link].give_up(reason);
            }
            Reply::Failed(failure) | Reply::GivenUp(failure) => (verdict_of(failure), PageIds::NotRead),
        };
        if self.urls[hop.link].record_answer(verdict, page) { self.request(hop.link) } else { self.open -= 1 }
    }

    /// Ends all URLs without an answer, because the time is over.
    fn give_up_open(&mut self) {
        let limit = self.settings.max_time.as_secs_f32();
        let reason = format!("no answer within {limit} s for all links; raise `--max-time`, or check again");
        self.urls.iter_mut().filter(|url| url.is_open()).for_each(|url| url.give_up(reason.clone()));
        self.open = 0;
    }

    /// Publishes how far the check is, now and then.
    fn report_progress(&self) {
        self.progress.send_if_modified(|progress| {
            let now = Instant::now();
            if !progress.is_due(now) {
                return false;
            }
            let Load { busy, slowest } = self.scheduler.load();
            let (slowest, left) = slowest.unwrap_or_default();
            *progress = CheckProgress {
                all: self.urls.len(),
                done: self.urls.len() - self.open,
                requests: self.scheduler.requests(),
                hosts: busy,
                left,
                slowest: slowest.to_owned(),
                made: Some(now),
            };
            true
        });
    }

    fn answers(self) -> Answers {
        let mut hosts: Vec<HostTime> =
            self.scheduler.host_times().filter(|time| time.requests > 0).cloned().collect();
        hosts.sort_by(|a, b| b.wall.cmp(&a.wall).then_with(|| a.name.cmp(&b.name)));
        let requested = self.urls.iter().filter(|url| url.is_new());
        Answers {
            requested: requested.map(|state| state.url.to_string()).collect(),
            known: self.urls.iter().filter(|url| url.is_cached()).count(),
            hosts,
            requests: self.scheduler.requests(),
            is_stopped: false,
            by_url: self
                .urls
                .into_iter()
                .map(UrlState::answer)
                .map(|(url, answer)| (url.into(), answer))
                .collect(),
        }
    }
}

impl Hop {
    /// Returns the verdict for redirects without an end. A cookie that is not sent back may be the reason.
    fn endless(&self, reason: String) -> ExternalVerdict {
        if self.sets_cookie {
            ExternalVerdict::Unverified(format!("{reason} without its cookies, which are not kept"))
        } else {
            ExternalVerdict::Broken(reason)
        }
    }

    /// Turns to the target of a redirect.
    ///
    /// # Errors
    /// The verdict, if the target is not requested.
    fn follow(&mut self, mut to: Url, is_permanent: bool, max_redirects: u32) -> Result<(), ExternalVerdict> {
        if !matches!(to.scheme(), "http" | "https") {
            let reason = format!("it redirects to a `{}:` URL, which cannot be requested", to.scheme());
            return Err(ExternalVerdict::Unverified(reason));
        }
        // A redirect without a fragment keeps that of the one before it.
        self.fragment = to.fragment().map(str::to_owned).or_else(|| self.fragment.take());
        to.set_fragment(None);
        // Names and passwords in redirects are dropped.
        let _ = to.set_username("").and_then(|()| to.set_password(None));
        if to == self.url || self.redirects.contains(&to) {
            return Err(self.endless("it redirects in a loop".to_owned()));
        }
        if self.redirects.len() as u32 >= max_redirects {
            return Err(self.endless(format!("it redirects more than {max_redirects} times")));
        }
        self.is_temporary |= !is_permanent;
        if !self.is_temporary {
            let mut moved_to = to.clone();
            moved_to.set_fragment(self.fragment.as_deref());
            self.moved_to = Some(moved_to);
        }
        self.redirects.push(std::mem::replace(&mut self.url, to));
        Ok(())
    }
}

/// The request of a hop, with the settings of its host.
fn request(hop: &Hop, settings: &Settings, is_get: bool, with_page: bool, is_last: bool) -> LinkRequest {
    let host = host_of(&hop.url);
    let HostSettings { accept, get, .. } = settings.host_settings(&host);
    LinkRequest {
        url: hop.url.clone(),
        get: with_page || is_get || *get,
        with_page,
        headers: settings.headers(&hop.url).to_vec(),
        accept: accept.clone(),
        known: settings.known(&host),
        is_last,
    }
}

/// Returns the verdict for a link without an answer.
fn verdict_of(RequestFailure { reason, kind }: RequestFailure) -> ExternalVerdict {
    match kind {
        RequestFailureKind::Permanent | RequestFailureKind::Transient | RequestFailureKind::CutOff => {
            ExternalVerdict::Broken(reason)
        }
        RequestFailureKind::Timeout
        | RequestFailureKind::Unfinished
        | RequestFailureKind::NotAllowed
        | RequestFailureKind::Refused => ExternalVerdict::Unverified(reason),
    }
}

/// A running check of external links.
#[derive(Debug)]
pub struct ExternalCheck {
    runtime: Runtime,
    sender: Sender,
    stop: watch::Sender<bool>,
    progress: watch::Receiver<CheckProgress>,
    answers: JoinHandle<Answers>,
}

/// Adds links to a check, from any thread.
#[derive(Clone, Debug)]
pub struct Sender(mpsc::UnboundedSender<Link>);

impl ExternalCheck {
    /// Starts a check. `cached` are answers that still hold, by URLs without fragments.
    ///
    /// # Errors
    /// [`NetworkError::Client`] or [`NetworkError::Thread`].
    pub fn start(
        settings: Settings,
        cached: HashMap<String, ExternalAnswer>,
    ) -> Result<ExternalCheck, NetworkError> {
        let settings = Arc::new(settings);
        let client = GuardedClient::new(&settings)?;
        let runtime = runtime(1)?;
        let (sender, links) = mpsc::unbounded_channel();
        let (stop, stopped) = watch::channel(false);
        let (snapshots, progress) = watch::channel(CheckProgress::default());
        let check = LinkRequests::new(client, settings, cached, snapshots);
        let answers = runtime.spawn(check.run(links, stopped));
        Ok(ExternalCheck { runtime, sender: Sender(sender), stop, progress, answers })
    }

    /// Returns a sender. [`ExternalCheck::finish`] waits until all of them are dropped.
    pub fn sender(&self) -> Sender {
        self.sender.clone()
    }

    /// Returns how far the check is.
    pub fn progress(&self) -> CheckProgress {
        self.progress.borrow().clone()
    }

    /// Cancels all requests. URLs without an answer stay unverified.
    pub fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Waits until every URL has its answer, or the check is stopped by Ctrl-C or by [`ExternalCheck::stop`].
    /// Calls `look` now and then.
    ///
    /// # Errors
    /// [`NetworkError::Ended`].
    pub fn finish(self, mut look: impl FnMut(&CheckProgress)) -> Result<Answers, NetworkError> {
        let ExternalCheck { runtime, sender, stop, mut progress, mut answers } = self;
        drop(sender);
        let answers = runtime.block_on(async {
            loop {
                tokio::select! {
                    received = &mut answers => return received.map_err(NetworkError::Ended),
                    Ok(()) = tokio::signal::ctrl_c() => drop(stop.send_replace(true)),
                    Ok(()) = progress.changed() => look(&progress.borrow_and_update()),
                }
            }
        });
        // Does not wait for names that are still being looked up.
        runtime.shutdown_background();
        answers
    }
}

impl Sender {
    /// Adds a link. Returns whether it will be checked: only http and https are.
    pub fn send(&self, mut url: Url) -> bool {
        if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
            return false;
        }
        let fragment = url.fragment().filter(|fragment| is_checkable_fragment(fragment)).map(str::to_owned);
        url.set_fragment(None);
        // Credentials in a public link are no secret to log in with.
        let _ = url.set_username("").and_then(|()| url.set_password(None));
        self.0.send((url, fragment)).is_ok()
    }
}

/// The assumed time per request.
const ANSWER: Duration = Duration::from_millis(300);

/// The requests that a host would get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPlan {
    /// Its name, with its port unless it is the default.
    pub name: String,
    /// URLs, sorted.
    pub urls: Vec<String>,
    /// Requests at once.
    pub concurrency: usize,
    /// The time from the start of one request to the start of the next.
    pub interval: Duration,
    /// The least time that they take, with answers after 300 ms.
    pub min_duration: Duration,
}

/// Plans the requests of these URLs by host, the slowest host first.
pub fn host_plans(urls: impl IntoIterator<Item = Url>, settings: &Settings) -> Vec<HostPlan> {
    let mut hosts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for mut url in urls {
        url.set_fragment(None);
        hosts.entry(host_of(&url)).or_default().push(url.into());
    }
    let plan = |(name, mut of_host): (String, Vec<String>)| {
        of_host.sort_unstable();
        of_host.dedup();
        let (concurrency, interval) = settings.pace(&name);
        let min_duration = min_time(of_host.len(), concurrency, interval, ANSWER);
        HostPlan { name, urls: of_host, concurrency, interval, min_duration }
    };
    let mut plans: Vec<HostPlan> = hosts.into_iter().map(plan).collect();
    plans.sort_by(|a, b| b.min_duration.cmp(&a.min_duration).then_with(|| a.name.cmp(&b.name)));
    plans
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::time::Duration;

    use url::Url;

    use super::host_plans;
    use crate::settings::{HostSettings, Settings};

    #[test]
    fn sorts_hosts_by_duration_and_counts_each_url_once() {
        let mut settings = Settings::default();
        let slow =
            HostSettings { concurrency: 1, interval: Duration::from_secs(2), ..HostSettings::default() };
        settings.hosts.insert("slow.example".to_owned(), slow);
        let pages = (0..300).map(|number| format!("https://many.example/{number}#part"));
        let others = [
            "https://slow.example/a",
            "https://slow.example/b#x",
            "https://slow.example/b#y",
            "https://many.example/7",
        ];
        let urls = pages.chain(others.map(str::to_owned)).map(|url| Url::parse(&url).unwrap());
        let plans = host_plans(urls, &settings);
        let found: Vec<_> = plans
            .iter()
            .map(|plan| (plan.name.as_str(), plan.urls.len(), plan.min_duration.as_secs_f64()))
            .collect();
        assert_eq!(found, [("many.example", 300, 15.0), ("slow.example", 2, 2.0)]);
    }
}
