//! Fetches a site page by page: each URL once, within robots.txt and the limits of what one server may make it request,
//! store and keep in memory. Most limits grow with `--max-pages`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::FutureExt;
use http::header::{HeaderMap, SET_COOKIE};
use http::{Method, StatusCode};
use sitegate_address::percent::escape_path;
use sitegate_address::robots::RobotsFile;
use sitegate_base::host_name::host_of;
use sitegate_base::plural::{count, thousands};
use sitegate_check::{
    FoundUrl, LiveSite, StoredFile, exported_path, found_urls, is_page_path, is_read_for_urls, page_in_utf8,
};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use url::Url;

use crate::answer::redirect_target;
use crate::client::GuardedClient;
use crate::error::{RequestFailure, StatusMeaning, format_status};
use crate::fetched::{BodyWanted, FetchedAnswer, FetchedBody, content_type, fetch, media_type};
use crate::scheduler::{Reply, RequestOutcome, Scheduler};
use crate::settings::Settings;

/// The name of this program in robots.txt.
pub const ROBOTS_NAME: &str = "sitegate";

/// The settings of a crawl.
#[derive(Clone, Debug)]
pub struct CrawlSettings {
    /// The network settings.
    pub settings: Settings,
    /// Maximum number of pages.
    pub max_pages: usize,
    /// Whether robots.txt is ignored.
    pub ignores_robots: bool,
    /// The folder for fetched files.
    pub folder: PathBuf,
    /// The origin that the pages use for themselves, if it differs.
    pub own_origin: Option<Url>,
    /// The base path of the site, if it is known.
    pub base_path: Option<String>,
    /// Whether page URLs have no trailing slash.
    pub strips_slash: bool,
    /// The path of the 404 page in an export.
    pub not_found_file: String,
    /// The URL to request over plain http, if it is not the site's own.
    pub plain: Option<Url>,
}

/// The progress of a crawl.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrawlProgress {
    /// URLs with an answer.
    pub done: usize,
    /// All known URLs.
    pub known: usize,
    /// Pages with an answer.
    pub pages: usize,
}

/// A URL to fetch.
#[derive(Clone, Debug)]
struct CrawlJob {
    /// Its path below the root, decoded.
    path: Box<[u8]>,
    url: Url,
    /// Whether it is probably a page.
    is_page: bool,
    /// Whether it is requested by name, even without a link.
    is_by_name: bool,
    /// The name of the file that its content is stored in.
    number: usize,
    /// Files between the last page and this URL.
    depth: usize,
    /// Redirects in a row that led here.
    redirects: usize,
}

/// The result for a URL.
#[derive(Debug)]
pub(crate) enum CrawledPath {
    File { headers: HeaderMap, stored: StoredFile, length: u64 },
    Redirect { to: Box<[u8]>, sets_cookie: bool },
    External,
    Status(u16),
    Skipped,
}

/// The answer to a request of a crawl.
#[derive(Debug)]
enum CrawlAnswer {
    File {
        headers: HeaderMap,
        stored: StoredFile,
        length: u64,
        found: Vec<FoundUrl>,
        has_more_links: bool,
    },
    Redirect {
        to: Url,
        sets_cookie: bool,
    },
    Status(u16),
    /// It cannot be read or stored, for this reason.
    Unread(String),
}

pub(crate) struct Crawler {
    pub client: GuardedClient,
    pub settings: Arc<CrawlSettings>,
    pub robots: Option<RobotsFile>,
    /// The URL that all paths are below.
    pub root: Url,
    pub answers: HashMap<Box<[u8]>, CrawledPath>,
    pub unreadable: Vec<String>,
    /// Numbers of skipped URLs: by robots.txt, and because of an endless chain.
    pub disallowed: usize,
    pub endless: usize,
    pub limits: CrawlBounds,
    /// Why the server got no more requests, if it refused or left too many unanswered.
    pub given_up: Option<RequestFailure>,
    /// Whether the time is over.
    pub is_late: bool,
    pub pages: usize,
    pub is_stopped: bool,
    scheduler: Scheduler<'static, CrawlJob, CrawlAnswer>,
    known: HashSet<Box<[u8]>>,
    queue: VecDeque<CrawlJob>,
    /// URLs that only sitemaps contain; they are fetched last.
    later: VecDeque<CrawlJob>,
    /// Number of page URLs in the scheduler.
    open_pages: usize,
    /// Number of URLs with an answer.
    done: usize,
    /// Number of URLs that were passed to the scheduler.
    files: usize,
    stored: u64,
    /// Bytes of URLs and headers in memory.
    kept: usize,
    pub deadline: Instant,
}

impl Crawler {
    pub(crate) fn new(
        client: GuardedClient,
        settings: Arc<CrawlSettings>,
        root: Url,
        robots: Option<RobotsFile>,
    ) -> Crawler {
        Crawler {
            client,
            scheduler: Scheduler::new(Arc::new(settings.settings.clone())),
            limits: CrawlBounds::new(settings.max_pages),
            deadline: Instant::now() + settings.settings.max_time,
            settings,
            robots,
            root,
            answers: HashMap::new(),
            unreadable: Vec::new(),
            disallowed: 0,
            endless: 0,
            given_up: None,
            is_late: false,
            pages: 0,
            is_stopped: false,
            known: HashSet::new(),
            queue: VecDeque::new(),
            later: VecDeque::new(),
            open_pages: 0,
            done: 0,
            files: 0,
            stored: 0,
            kept: 0,
        }
    }

    /// Queues a path below the root, decoded.
    pub(crate) fn enqueue_path(&mut self, path: &[u8], is_by_name: bool) {
        let Ok(text) = std::str::from_utf8(path) else { return };
        let mut url = self.root.clone();
        url.set_path(&format!("{}{}", self.root.path(), escape_path(text)));
        let is_page = is_page_path(path);
        let job = CrawlJob { path: path.into(), url, is_page, is_by_name, number: 0, depth: 0, redirects: 0 };
        self.enqueue(job, false);
    }

    /// Queues the target of a link, if it is on this site.
    fn enqueue_link(&mut self, found: &FoundUrl, depth: usize, is_later: bool) {
        if let Some((path, url)) = self.local_path(&found.url) {
            let is_page = found.is_link && is_page_path(&path);
            let path = path.into();
            let job = CrawlJob { path, url, is_page, is_by_name: false, number: 0, depth, redirects: 0 };
            self.enqueue(job, is_later);
        }
    }

    /// Queues a URL, unless it is known or exceeds a limit.
    fn enqueue(&mut self, job: CrawlJob, is_later: bool) {
        if self.known.contains(&job.path) || self.limits.is_end() {
            return;
        }
        self.known.insert(job.path.clone());
        self.keep(4 * job.path.len() + size_of::<CrawlJob>());
        let limit = if job.depth > MAX_DEPTH {
            Limit::Depth
        } else if job.redirects > MAX_REDIRECTS {
            Limit::Redirects
        } else {
            let queue = if is_later { &mut self.later } else { &mut self.queue };
            return queue.push_back(job);
        };
        self.limits.reach(limit);
        self.answers.insert(job.path, CrawledPath::Skipped);
    }

    /// Counts bytes that stay in memory.
    fn keep(&mut self, bytes: usize) {
        self.kept += bytes;
        self.limits.check_sizes(self.stored, self.kept);
    }

    /// Returns the path below the root and the URL to request, if a URL is on this site.
    pub(crate) fn local_path(&self, url: &Url) -> Option<(Vec<u8>, Url)> {
        let is_same = |origin: &Url| {
            url.host() == origin.host()
                && (url.port_or_known_default() == origin.port_or_known_default()
                    || (url.port().is_none() && origin.port().is_none()))
        };
        if !is_same(&self.root) && !self.settings.own_origin.as_ref().is_some_and(is_same) {
            return None;
        }
        let (path, _) = LiveSite::path_of(&self.root, url)?;
        let mut requested = self.root.clone();
        requested.set_path(url.path());
        Some((path, requested))
    }

    /// Whether the redirects from a path have no end, and one of them sets a cookie. Cookies are not kept, so this says
    /// nothing about what visitors get.
    pub(crate) fn needs_cookies(&self, path: &[u8]) -> bool {
        let mut at = path;
        let mut has_cookie = false;
        for _ in 0..=MAX_REDIRECTS {
            let Some(CrawledPath::Redirect { to, sets_cookie }) = self.answers.get(at) else { return false };
            has_cookie |= sets_cookie;
            at = to;
        }
        has_cookie
    }

    /// Returns the progress.
    pub(crate) fn progress(&self) -> CrawlProgress {
        CrawlProgress { done: self.done, known: self.known.len(), pages: self.pages }
    }

    /// Fetches all queued URLs and everything that they link to, until none is left or `stop` is set.
    pub(crate) async fn run(
        &mut self,
        mut stop: watch::Receiver<bool>,
        mut on_progress: impl FnMut(CrawlProgress),
    ) {
        let deadline = self.deadline;
        while !self.limits.is_end() {
            self.fill();
            let Crawler { client, settings, scheduler, .. } = self;
            let send = |job: &CrawlJob, _| {
                let (client, settings, job) = (client.clone(), Arc::clone(settings), job.clone());
                async move { request(&client, settings, job).await }.boxed()
            };
            tokio::select! {
                finished = scheduler.next(send) => match finished {
                    Some((job, reply)) => self.handle_reply(job, reply),
                    None => return,
                },
                Ok(_) = stop.wait_for(|stop| *stop) => {
                    self.is_stopped = true;
                    return;
                }
                () = sleep_until(deadline) => {
                    self.is_late = true;
                    return;
                }
            }
            on_progress(self.progress());
        }
    }

    /// Passes as many URLs to the scheduler as it may send at once, so that the limits count what was fetched
    /// until then.
    fn fill(&mut self) {
        let (at_once, _) = self.settings.settings.pace(&host_of(&self.root));
        while self.scheduler.open() < at_once
            && let Some(mut job) = self.queue.pop_front().or_else(|| self.later.pop_front())
        {
            if self.may_be_fetched(&job) {
                self.open_pages += usize::from(job.is_page);
                self.files += 1;
                job.number = self.files;
                self.scheduler.push(&job.url.clone(), job);
            } else {
                self.answers.insert(job.path, CrawledPath::Skipped);
            }
        }
    }

    /// Whether robots.txt and the limits allow a URL.
    fn may_be_fetched(&mut self, job: &CrawlJob) -> bool {
        if self.robots.as_ref().is_some_and(|robots| !robots.allows(ROBOTS_NAME, job.url.path())) {
            self.disallowed += 1;
            return false;
        }
        let limit = if job.is_page && self.pages + self.open_pages >= self.limits.pages {
            Limit::Pages
        } else if !self.limits.allows_files(self.files.saturating_sub(self.pages), self.pages) {
            Limit::Files
        } else {
            return true;
        };
        if !job.is_by_name {
            self.limits.reach(limit);
        }
        false
    }

    /// Records the reply to a request.
    fn handle_reply(&mut self, job: CrawlJob, reply: Reply<CrawlAnswer>) {
        self.open_pages -= usize::from(job.is_page);
        let crawled = match reply {
            Reply::Answer(CrawlAnswer::File { headers, stored, length, found, has_more_links }) => {
                // An HTML page under a name such as robots.txt is a fallback page, not that file.
                if job.is_by_name && media_type(&headers).ends_with("html") && !is_page_path(&job.path) {
                    self.known.remove(&job.path);
                    return;
                }
                let is_sitemap = media_type(&headers).ends_with("xml");
                let is_page = matches!(media_type(&headers).as_str(), "text/html" | "application/xhtml+xml");
                self.pages += usize::from(is_page);
                self.stored += if stored.is_whole { length } else { 0 };
                self.keep(headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 64).sum());
                if has_more_links {
                    self.limits.reach(Limit::Links);
                }
                let depth = if is_page { 0 } else { job.depth + 1 };
                for address in &found {
                    self.enqueue_link(address, depth, is_sitemap);
                }
                CrawledPath::File { headers, stored, length }
            }
            Reply::Answer(CrawlAnswer::Redirect { to, sets_cookie }) => match self.local_path(&to) {
                Some((path, url)) => {
                    let path: Box<[u8]> = path.into();
                    self.enqueue(
                        CrawlJob { path: path.clone(), url, redirects: job.redirects + 1, ..job },
                        false,
                    );
                    self.done += 1;
                    self.answers.insert(job.path, CrawledPath::Redirect { to: path, sets_cookie });
                    return;
                }
                None => CrawledPath::External,
            },
            Reply::Answer(CrawlAnswer::Status(status)) => CrawledPath::Status(status),
            Reply::Answer(CrawlAnswer::Unread(reason)) | Reply::Failed(RequestFailure { reason, .. }) => {
                self.keep(job.url.as_str().len());
                self.unreadable.push(format!("{}: {reason}", job.url));
                CrawledPath::Skipped
            }
            Reply::GivenUp(failure) => {
                self.given_up = Some(failure);
                self.answers.insert(job.path, CrawledPath::Skipped);
                return;
            }
        };
        self.done += 1;
        self.answers.insert(job.path, crawled);
    }
}

/// Fetches a URL, and stores its content.
async fn request(
    client: &GuardedClient,
    settings: Arc<CrawlSettings>,
    job: CrawlJob,
) -> RequestOutcome<CrawlAnswer> {
    let body = |status, headers: &HeaderMap| wanted(&job.path, status, headers);
    let answer = match fetch(client, Method::GET, &job.url, &settings.settings, body).await {
        Ok(answer) => answer,
        Err(failure) => return RequestOutcome::Failed(failure),
    };
    let status = answer.status;
    let crawled = match StatusMeaning::from_status(status) {
        StatusMeaning::Overloaded => CrawlAnswer::Unread(format!("it answers {}", format_status(status))),
        StatusMeaning::Redirect { .. } => match redirect_target(&answer.headers, &job.url) {
            Some(to) => CrawlAnswer::Redirect { to, sets_cookie: answer.headers.contains_key(SET_COOKIE) },
            None => CrawlAnswer::Status(status.as_u16()),
        },
        _ if !status.is_success() => CrawlAnswer::Status(status.as_u16()),
        _ => {
            // Parsing would block other requests.
            let stored = tokio::task::spawn_blocking(move || store(answer, &job, &settings)).await;
            let stored = stored.unwrap_or_else(|error| CrawlAnswer::Unread(error.to_string()));
            return RequestOutcome::Final(stored);
        }
    };
    RequestOutcome::from_status(status, &answer.headers, crawled)
}

/// Returns how much of a body to read: all of what is checked; images, videos and archives only if they are
/// small.
fn wanted(path: &[u8], status: StatusCode, headers: &HeaderMap) -> BodyWanted {
    let media_type = media_type(headers);
    let is_text = media_type.starts_with("text/")
        || ["javascript", "json", "xml", "wasm"].iter().any(|part| media_type.ends_with(part));
    if !status.is_success() {
        BodyWanted::Nothing
    } else if is_text || is_read_for_urls(&exported_path(path, &media_type, false)) {
        BodyWanted::Whole
    } else {
        BodyWanted::IfSmall
    }
}

/// Stores the content of an answer, and finds the URLs in it.
fn store(answer: FetchedAnswer, job: &CrawlJob, settings: &CrawlSettings) -> CrawlAnswer {
    let file = settings.folder.join(job.number.to_string());
    let media_type = answer.media_type();
    let name = exported_path(&job.path, &media_type, settings.strips_slash);
    let mut body = answer.body;
    let date = match &mut body {
        FetchedBody::Whole(body) => {
            let length = body.len() as u64;
            if let Some(decoded) = page_in_utf8(body, &name, content_type(&answer.headers)) {
                *body = decoded;
            }
            fs::write(&file, body).map(|()| (true, length))
        }
        FetchedBody::Skipped(length) => empty(&file, *length).map(|()| (false, *length)),
        FetchedBody::TooLarge => return CrawlAnswer::Unread("it is larger than 32 MiB".to_owned()),
    };
    let (is_whole, length) = match date {
        Ok(date) => date,
        Err(error) => return CrawlAnswer::Unread(format!("{}: {error}", file.display())),
    };
    let mut found = match body {
        FetchedBody::Whole(body) if is_read_for_urls(&name) => {
            found_urls(body, &name, &job.url, MAX_LINKS + 1)
        }
        _ => Vec::new(),
    };
    let has_more_links = found.len() > MAX_LINKS;
    found.truncate(MAX_LINKS);
    let stored = StoredFile { file, is_whole };
    CrawlAnswer::File { headers: answer.headers, stored, length, found, has_more_links }
}

/// Creates a sparse file of a length.
fn empty(file: &Path, length: u64) -> io::Result<()> {
    File::create(file)?.set_len(length)
}

/// Returns headers by lowercase name. Repeated headers are joined.
pub(crate) fn header_map(headers: &HeaderMap) -> BTreeMap<String, String> {
    let mut map: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        map.entry(name.as_str().to_owned())
            .and_modify(|known| known.extend([", ", &value]))
            .or_insert_with(|| value.into_owned());
    }
    map
}

/// Maximum number of redirects in a row.
pub(crate) const MAX_REDIRECTS: usize = 10;

/// Maximum number of files between a page and a file that it needs: style sheets that import each other, sitemaps in
/// sitemaps.
pub(crate) const MAX_DEPTH: usize = 10;

/// Maximum number of different URLs in a file to follow; the limit of a sitemap by its standard.
pub(crate) const MAX_LINKS: usize = 50_000;

/// The limits of one crawl.
#[derive(Debug)]
pub(crate) struct CrawlBounds {
    pub pages: usize,
    /// Files besides pages.
    files: usize,
    /// The same for each fetched page.
    files_per_page: usize,
    /// Bytes to store.
    stored: u64,
    /// Bytes of URLs and headers to keep in memory.
    kept: usize,
    /// Findings to report.
    pub findings: usize,
    /// The limits that were reached.
    reached: BTreeSet<Limit>,
}

/// A limit that can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Limit {
    Pages,
    Files,
    Stored,
    Kept,
    Redirects,
    Depth,
    Links,
}

impl CrawlBounds {
    pub(crate) fn new(pages: usize) -> CrawlBounds {
        let all = |base: usize, per_page: usize| base.saturating_add(pages.saturating_mul(per_page));
        CrawlBounds {
            pages,
            files: 2000,
            files_per_page: 100,
            stored: all(256 << 20, 2 << 20) as u64,
            kept: all(4 << 20, 12 << 10),
            findings: all(0, 50),
            reached: BTreeSet::new(),
        }
    }

    /// Records that a limit was reached.
    pub(crate) fn reach(&mut self, limit: Limit) {
        self.reached.insert(limit);
    }

    /// Whether a limit for the whole crawl was reached, so that it ends.
    pub(crate) fn is_end(&self) -> bool {
        [Limit::Stored, Limit::Kept].iter().any(|limit| self.reached.contains(limit))
    }

    /// Whether a number of files besides pages is within the limit.
    pub(crate) fn allows_files(&self, files: usize, pages: usize) -> bool {
        files < self.files.saturating_add(self.files_per_page.saturating_mul(pages))
    }

    /// Compares the sizes so far with the limits.
    pub(crate) fn check_sizes(&mut self, stored: u64, kept: usize) {
        if stored >= self.stored {
            self.reach(Limit::Stored);
        }
        if kept >= self.kept {
            self.reach(Limit::Kept);
        }
    }

    /// Returns the reasons why URLs were not requested.
    pub(crate) fn reasons(&self, pages: usize) -> impl Iterator<Item = String> {
        let fetched = format!("{} {}", count(pages, "page"), if pages == 1 { "was" } else { "were" });
        self.reached.iter().map(move |limit| match limit {
            Limit::Pages => {
                format!("{fetched} fetched, and there are more; raise `--max-pages` to fetch them")
            }
            Limit::Files => format!(
                "the limit is {} files, and {} more for each page; raise `--max-pages` to fetch the others",
                thousands(self.files),
                self.files_per_page
            ),
            Limit::Stored => format!(
                "the files have more than {} MiB, so no more were fetched; raise `--max-pages` to fetch them",
                thousands((self.stored >> 20) as usize)
            ),
            Limit::Kept => format!(
                "the URLs and headers have more than {} MiB, so no more were fetched; raise `--max-pages` to fetch \
                 them",
                self.kept >> 20
            ),
            Limit::Redirects => format!("a URL redirects more than {MAX_REDIRECTS} times in a row; it was not followed"),
            Limit::Depth => format!(
                "more than {MAX_DEPTH} files in a row import each other (style sheets, sitemaps); the next was not \
                 fetched"
            ),
            Limit::Links => {
                format!("a file links to more than {} URLs; the others were not fetched", thousands(MAX_LINKS))
            }
        })
    }
}
