//! Fetches a site, page after page: each address once, at the site's own pace, as far as robots.txt and the bounds allow.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Client, Method, StatusCode};
use sitegate_check::external::host_of;
use sitegate_check::parse::page_addresses::{FoundAddress, addresses, file_path, is_page_address, is_read};
use sitegate_check::resolve::live::LiveSite;
use sitegate_check::resolve::path::escape_path;
use sitegate_check::walk::StoredFile;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use url::Url;

use crate::exchange::{leads_to, retry_after};
use crate::failure::{Silence, SilenceKind, StatusMeaning, status_words};
use crate::fetched::{BodyWanted, FetchedAnswer, FetchedBody, fetch, media_type};
use crate::pace::{Pace, Start};
use crate::robots::Robots;
use crate::settings::{HostSettings, Settings};

/// Bytes that are stored of one site.
const MOST_STORED: u64 = 4 << 30;

/// Files that belong to a page, at the most, over all of a site: nothing that has no end may go on for ever.
const FILES_OF_A_PAGE: usize = 100;

/// How a site is fetched.
#[derive(Clone, Debug)]
pub struct CrawlSettings {
    /// How hosts are asked.
    pub settings: Settings,
    /// Pages that are fetched.
    pub max_pages: usize,
    /// Whether robots.txt is passed over.
    pub ignores_robots: bool,
    /// The folder that contents are stored in.
    pub folder: PathBuf,
    /// The origin that the site's pages call their own, where that is another one.
    pub own_origin: Option<Url>,
    /// The path that the site lives under, where that is known.
    pub base_path: Option<String>,
    /// Whether pages have no slash at their ends.
    pub strips_slash: bool,
    /// The path that an export would have the page at that answers unknown paths.
    pub not_found_file: String,
    /// The address that is asked for by http, where it is not the site's own.
    pub plain: Option<Url>,
}

/// How far a crawl is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrawlSnapshot {
    /// Addresses that were answered.
    pub done: usize,
    /// Addresses that are known.
    pub known: usize,
    /// Pages among those that were answered.
    pub pages: usize,
}

/// An address that is to be fetched.
#[derive(Clone, Debug)]
struct CrawlJob {
    /// Its path below the root, decoded.
    path: Box<[u8]>,
    url: Url,
    /// Whether it is most likely a page's.
    is_page: bool,
    /// Whether nothing leads there: it is a name that machines ask for by themselves.
    is_by_name: bool,
    attempts: u32,
}

/// What is known of an address.
#[derive(Debug)]
pub(crate) enum CrawledPath {
    File { headers: HeaderMap, stored: StoredFile, length: u64 },
    Leads(Box<[u8]>),
    Leaves,
    Status(u16),
    Unasked,
}

/// What came of one request.
enum FetchOutcome {
    File {
        headers: HeaderMap,
        stored: StoredFile,
        length: u64,
        found: Vec<FoundAddress>,
    },
    Leads(Url),
    Status(u16),
    TooMuch {
        reason: String,
        after: Option<Duration>,
    },
    Silent(Silence),
    /// It cannot be read, or stored.
    Unread(String),
}

pub(crate) struct Crawler {
    pub client: Client,
    pub settings: Arc<CrawlSettings>,
    pub robots: Option<Robots>,
    /// The address that all paths are below.
    pub root: Url,
    pub answers: HashMap<Box<[u8]>, CrawledPath>,
    pub unread: Vec<String>,
    /// Addresses that were left out: by robots.txt, by the bounds, and since there was no end.
    pub kept_back: usize,
    pub beyond: usize,
    pub endless: usize,
    pub pages: usize,
    pub is_stopped: bool,
    pace: Pace,
    known: HashSet<Box<[u8]>>,
    queue: VecDeque<CrawlJob>,
    /// What only sitemaps lead to comes last.
    later: VecDeque<CrawlJob>,
    again: Vec<(Instant, CrawlJob)>,
    running: JoinSet<(CrawlJob, FetchOutcome)>,
    /// Page addresses that are being fetched.
    pages_running: usize,
    /// Addresses that were answered.
    done: usize,
    files: usize,
    stored: u64,
    silent: u32,
    given_up: Option<String>,
}

impl Crawler {
    pub(crate) fn new(
        client: Client,
        settings: Arc<CrawlSettings>,
        root: Url,
        robots: Option<Robots>,
    ) -> Crawler {
        let pace = Pace::new(settings.settings.pace(&host_of(&root)), Instant::now());
        Crawler {
            client,
            settings,
            robots,
            root,
            answers: HashMap::new(),
            unread: Vec::new(),
            kept_back: 0,
            beyond: 0,
            endless: 0,
            pages: 0,
            is_stopped: false,
            pace,
            known: HashSet::new(),
            queue: VecDeque::new(),
            later: VecDeque::new(),
            again: Vec::new(),
            running: JoinSet::new(),
            pages_running: 0,
            done: 0,
            files: 0,
            stored: 0,
            silent: 0,
            given_up: None,
        }
    }

    /// Wants a path below the root, decoded.
    pub(crate) fn want_path(&mut self, path: &[u8], is_by_name: bool) {
        let Ok(text) = std::str::from_utf8(path) else { return };
        let mut url = self.root.clone();
        url.set_path(&format!("{}{}", self.root.path(), escape_path(text)));
        self.want(path, url, is_page_address(path), is_by_name, false);
    }

    /// Wants what a file leads to, if it is on this site.
    fn want_found(&mut self, found: &FoundAddress, is_later: bool) {
        if let Some((path, url)) = self.own(&found.url) {
            let is_page = found.is_link && is_page_address(&path);
            self.want(&path, url, is_page, false, is_later);
        }
    }

    fn want(&mut self, path: &[u8], url: Url, is_page: bool, is_by_name: bool, is_later: bool) {
        if self.known.contains(path) {
            return;
        }
        let path: Box<[u8]> = path.into();
        self.known.insert(path.clone());
        let job = CrawlJob { path, url, is_page, is_by_name, attempts: 0 };
        if is_later { self.later.push_back(job) } else { self.queue.push_back(job) }
    }

    /// An address of this site as a path below its root, and as it is asked for; `None` where it is another's.
    pub(crate) fn own(&self, url: &Url) -> Option<(Vec<u8>, Url)> {
        let is_same = |origin: &Url| {
            url.host() == origin.host()
                && (url.port_or_known_default() == origin.port_or_known_default()
                    || (url.port().is_none() && origin.port().is_none()))
        };
        if !is_same(&self.root) && !self.settings.own_origin.as_ref().is_some_and(is_same) {
            return None;
        }
        let (path, _) = LiveSite::path_of(&self.root, url)?;
        let mut asked = self.root.clone();
        asked.set_path(url.path());
        Some((path, asked))
    }

    /// How far it is.
    pub(crate) fn snapshot(&self) -> CrawlSnapshot {
        CrawlSnapshot { done: self.done, known: self.known.len(), pages: self.pages }
    }

    /// Fetches what is wanted and all that it leads to, until nothing is left or `stop` says so.
    pub(crate) async fn run(&mut self, mut stop: watch::Receiver<bool>, mut look: impl FnMut(CrawlSnapshot)) {
        loop {
            let next = self.start_some();
            if self.running.is_empty() && next.is_none() {
                return;
            }
            tokio::select! {
                Some(ended) = self.running.join_next(), if !self.running.is_empty() => {
                    if let Ok((job, outcome)) = ended {
                        self.ended(job, outcome);
                    }
                }
                () = until(next), if next.is_some() => {}
                Ok(_) = stop.wait_for(|stop| *stop) => {
                    self.is_stopped = true;
                    self.running.abort_all();
                    return;
                }
            }
            look(self.snapshot());
        }
    }

    /// Starts what may be asked now. Gives when to look again, where only time is missing.
    fn start_some(&mut self) -> Option<Instant> {
        let now = Instant::now();
        let (due, waiting) = std::mem::take(&mut self.again).into_iter().partition(|(at, _)| *at <= now);
        self.again = waiting;
        let due: Vec<(Instant, CrawlJob)> = due;
        due.into_iter().for_each(|(_, job)| self.queue.push_front(job));
        loop {
            let Some(job) = self.queue.pop_front().or_else(|| self.later.pop_front()) else {
                return self.again.iter().map(|(at, _)| *at).min();
            };
            if !self.may_be_asked(&job) {
                self.answers.insert(job.path, CrawledPath::Unasked);
                continue;
            }
            match self.pace.may_start(now) {
                Start::Now => self.start(job, now),
                start => {
                    self.queue.push_front(job);
                    return if let Start::At(when) = start { Some(when) } else { None };
                }
            }
        }
    }

    /// Whether an address is asked for, by robots.txt and the bounds.
    fn may_be_asked(&mut self, job: &CrawlJob) -> bool {
        if self.given_up.is_some() {
            return false;
        }
        if self.robots.as_ref().is_some_and(|robots| !robots.allows(job.url.path())) {
            self.kept_back += 1;
            return false;
        }
        let most = self.settings.max_pages;
        let is_beyond = job.is_page && self.pages + self.pages_running >= most
            || self.files >= most.saturating_mul(FILES_OF_A_PAGE)
            || self.stored >= MOST_STORED;
        self.beyond += usize::from(is_beyond && !job.is_by_name);
        !is_beyond
    }

    fn start(&mut self, job: CrawlJob, now: Instant) {
        self.pace.started(now);
        self.pages_running += usize::from(job.is_page);
        self.files += 1;
        let file = self.settings.folder.join(self.files.to_string());
        let (client, settings) = (self.client.clone(), Arc::clone(&self.settings));
        let headers = headers(&settings.settings, &job.url);
        self.running.spawn(async move {
            let fetched =
                fetch(&client, (Method::GET, &job.url), &settings.settings, &headers, |status, headers| {
                    wanted(&job.path, status, headers)
                });
            let outcome = match fetched.await {
                Ok(answer) => outcome(answer, &job, &settings, &file),
                Err(silence) => FetchOutcome::Silent(silence),
            };
            (job, outcome)
        });
    }

    fn ended(&mut self, job: CrawlJob, outcome: FetchOutcome) {
        self.pace.ended();
        self.pages_running -= usize::from(job.is_page);
        match &outcome {
            FetchOutcome::Silent(_) => self.silent += 1,
            FetchOutcome::TooMuch { .. } => self.silent = 0,
            _ => {
                self.silent = 0;
                self.pace.well();
            }
        }
        self.take(job, outcome);
    }

    /// Takes in what came of a request.
    fn take(&mut self, job: CrawlJob, outcome: FetchOutcome) {
        let settings = &self.settings.settings;
        let may_again = job.attempts < settings.retries && self.given_up.is_none();
        let backoff = settings.pause * (1 << job.attempts.min(16));
        let crawled = match outcome {
            FetchOutcome::File { headers, stored, length, found } => {
                // A page that answers for a name which only machines ask for is no file of that name.
                if job.is_by_name && media_type(&headers).ends_with("html") && !is_page_address(&job.path) {
                    self.known.remove(&job.path);
                    return;
                }
                let is_sitemap = media_type(&headers).ends_with("xml");
                let is_page = matches!(media_type(&headers).as_str(), "text/html" | "application/xhtml+xml");
                self.pages += usize::from(is_page);
                self.stored += if stored.is_whole { length } else { 0 };
                found.iter().for_each(|found| self.want_found(found, is_sitemap));
                CrawledPath::File { headers, stored, length }
            }
            FetchOutcome::Leads(to) => match self.own(&to) {
                Some((path, url)) => {
                    self.want(&path, url, job.is_page, job.is_by_name, false);
                    CrawledPath::Leads(path.into())
                }
                None => CrawledPath::Leaves,
            },
            FetchOutcome::Status(status) if is_passing(status) && may_again => {
                return self.ask_again(job, backoff);
            }
            FetchOutcome::Status(status) => CrawledPath::Status(status),
            FetchOutcome::TooMuch { reason, after } => {
                let pause = after.unwrap_or(backoff);
                if pause <= settings.patience {
                    self.pace.too_much(Instant::now(), pause);
                    if may_again {
                        return self.ask_again(job, pause);
                    }
                }
                self.give_none(&job, &reason)
            }
            FetchOutcome::Silent(silence) => {
                if self.silent >= settings.silent && self.given_up.is_none() {
                    self.given_up = Some(silence.reason.clone());
                }
                let passes = matches!(silence.kind, SilenceKind::Passing | SilenceKind::Slow);
                if passes && may_again && self.given_up.is_none() {
                    return self.ask_again(job, backoff);
                }
                self.give_none(&job, &silence.reason)
            }
            FetchOutcome::Unread(reason) => self.give_none(&job, &reason),
        };
        self.done += 1;
        self.answers.insert(job.path, crawled);
    }

    fn ask_again(&mut self, job: CrawlJob, pause: Duration) {
        self.again.push((Instant::now() + pause, CrawlJob { attempts: job.attempts + 1, ..job }));
    }

    fn give_none(&mut self, job: &CrawlJob, reason: &str) -> CrawledPath {
        self.unread.push(format!("{}: {reason}", job.url));
        CrawledPath::Unasked
    }
}

/// Headers for just this site, which by http are sent only where that is wanted.
pub(crate) fn headers(settings: &Settings, url: &Url) -> Vec<(String, String)> {
    let HostSettings { headers, over_http, .. } = settings.of(&host_of(url));
    if *over_http || url.scheme() == "https" { headers.clone() } else { Vec::new() }
}

/// Whether a status may be another one the next time.
fn is_passing(status: u16) -> bool {
    StatusCode::from_u16(status).is_ok_and(|status| StatusMeaning::of(status) == StatusMeaning::Passing)
}

/// What is wanted of a body: all of what is read, and of pictures, films and archives only what is small.
fn wanted(path: &[u8], status: StatusCode, headers: &HeaderMap) -> BodyWanted {
    let media_type = media_type(headers);
    let is_text = media_type.starts_with("text/")
        || ["javascript", "json", "xml", "wasm"].iter().any(|part| media_type.ends_with(part));
    match status.is_success() {
        false => BodyWanted::Nothing,
        true if is_text || is_read(&file_path(path, &media_type, false)) => BodyWanted::Whole,
        true => BodyWanted::IfSmall,
    }
}

/// What an answer means. Its content is stored in `file`.
fn outcome(answer: FetchedAnswer, job: &CrawlJob, settings: &CrawlSettings, file: &Path) -> FetchOutcome {
    let status = answer.status;
    match StatusMeaning::of(status) {
        StatusMeaning::TooMuch => {
            let reason = format!("it answers {}", status_words(status));
            return FetchOutcome::TooMuch { reason, after: retry_after(&answer.headers) };
        }
        StatusMeaning::Leads { .. } => {
            return match leads_to(&answer.headers, &job.url) {
                Some(to) => FetchOutcome::Leads(to),
                None => FetchOutcome::Status(status.as_u16()),
            };
        }
        _ if !status.is_success() => return FetchOutcome::Status(status.as_u16()),
        _ => {}
    }
    let media_type = answer.media_type();
    let stored = match &answer.body {
        FetchedBody::Whole(body) => fs::write(file, body).map(|()| (true, body.len() as u64)),
        FetchedBody::Left(length) => empty(file, *length).map(|()| (false, *length)),
        FetchedBody::TooLarge => return FetchOutcome::Unread("it is larger than 64 MiB".to_owned()),
    };
    let (is_whole, length) = match stored {
        Ok(stored) => stored,
        Err(error) => return FetchOutcome::Unread(format!("{}: {error}", file.display())),
    };
    let name = file_path(&job.path, &media_type, settings.strips_slash);
    let found = match answer.body {
        FetchedBody::Whole(body) if is_read(&name) => addresses(body, &name, &job.url),
        _ => Vec::new(),
    };
    let stored = StoredFile { file: file.to_path_buf(), is_whole };
    FetchOutcome::File { headers: answer.headers, stored, length, found }
}

/// Makes a file of a length, which takes no room.
fn empty(file: &Path, length: u64) -> io::Result<()> {
    File::create(file)?.set_len(length)
}

async fn until(when: Option<Instant>) {
    match when {
        Some(when) => sleep_until(when).await,
        None => std::future::pending().await,
    }
}

/// Headers by names in lower case; of several with a name, all, as they are joined.
pub(crate) fn header_map(headers: &HeaderMap) -> BTreeMap<String, String> {
    let mut map: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        map.entry(name.as_str().to_owned())
            .and_modify(|known| *known += &format!(", {value}"))
            .or_insert_with(|| value.into_owned());
    }
    map
}
