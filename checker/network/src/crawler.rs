//! Fetches a site, page after page: each address once, as far as robots.txt and the bounds allow.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::FutureExt;
use reqwest::header::HeaderMap;
use reqwest::{Client, Method, StatusCode};
use sitegate_check::internal::external::host_of;
use sitegate_check::internal::parse::crawl_urls::{FoundUrl, file_path, found_urls, is_page_path, is_read};
use sitegate_check::internal::resolve::live::LiveSite;
use sitegate_check::internal::resolve::path::escape_path;
use sitegate_check::internal::walk::StoredFile;
use tokio::sync::watch;
use url::Url;

use crate::failure::{Silence, StatusMeaning, status_words};
use crate::fetched::{BodyWanted, FetchedAnswer, FetchedBody, fetch, media_type};
use crate::request::redirect_target;
use crate::robots::Robots;
use crate::scheduler::{Reply, RequestOutcome, Scheduler};
use crate::settings::Settings;

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
    /// Whether it is a name that programs request by themselves, whether a page links to it or not.
    is_by_name: bool,
    /// The name of the file that its content is stored in.
    number: usize,
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

/// What an answer means for a crawl.
#[derive(Debug)]
enum CrawlAnswer {
    File {
        headers: HeaderMap,
        stored: StoredFile,
        length: u64,
        found: Vec<FoundUrl>,
    },
    Redirect(Url),
    Status(u16),
    /// It cannot be read or stored, for this reason.
    Unread(String),
}

pub(crate) struct Crawler {
    pub client: Client,
    pub settings: Arc<CrawlSettings>,
    pub robots: Option<Robots>,
    /// The address that all paths are below.
    pub root: Url,
    pub answers: HashMap<Box<[u8]>, CrawledPath>,
    pub unreadable: Vec<String>,
    /// Addresses that were left out: by robots.txt, by the bounds, and since there was no end.
    pub kept_back: usize,
    pub beyond: usize,
    pub endless: usize,
    pub pages: usize,
    pub is_stopped: bool,
    scheduler: Scheduler<'static, CrawlJob, CrawlAnswer>,
    known: HashSet<Box<[u8]>>,
    queue: VecDeque<CrawlJob>,
    /// Addresses that only sitemaps have; they come last.
    later: VecDeque<CrawlJob>,
    /// Page addresses that the scheduler has.
    open_pages: usize,
    /// Addresses that were answered.
    done: usize,
    /// Addresses that the scheduler got.
    files: usize,
    stored: u64,
}

impl Crawler {
    pub(crate) fn new(
        client: Client,
        settings: Arc<CrawlSettings>,
        root: Url,
        robots: Option<Robots>,
    ) -> Crawler {
        Crawler {
            client,
            scheduler: Scheduler::new(Arc::new(settings.settings.clone())),
            settings,
            robots,
            root,
            answers: HashMap::new(),
            unreadable: Vec::new(),
            kept_back: 0,
            beyond: 0,
            endless: 0,
            pages: 0,
            is_stopped: false,
            known: HashSet::new(),
            queue: VecDeque::new(),
            later: VecDeque::new(),
            open_pages: 0,
            done: 0,
            files: 0,
            stored: 0,
        }
    }

    /// Wants a path below the root, decoded.
    pub(crate) fn want_path(&mut self, path: &[u8], is_by_name: bool) {
        let Ok(text) = std::str::from_utf8(path) else { return };
        let mut url = self.root.clone();
        url.set_path(&format!("{}{}", self.root.path(), escape_path(text)));
        self.want(path, url, is_page_path(path), is_by_name, false);
    }

    /// Wants what a file leads to, if it is on this site.
    fn want_found(&mut self, found: &FoundUrl, is_later: bool) {
        if let Some((path, url)) = self.own(&found.url) {
            let is_page = found.is_link && is_page_path(&path);
            self.want(&path, url, is_page, false, is_later);
        }
    }

    fn want(&mut self, path: &[u8], url: Url, is_page: bool, is_by_name: bool, is_later: bool) {
        if self.known.contains(path) {
            return;
        }
        let path: Box<[u8]> = path.into();
        self.known.insert(path.clone());
        let job = CrawlJob { path, url, is_page, is_by_name, number: 0 };
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

    /// Fetches the wanted addresses and all that they lead to, until none is left or `stop` is set.
    pub(crate) async fn run(&mut self, mut stop: watch::Receiver<bool>, mut look: impl FnMut(CrawlSnapshot)) {
        loop {
            self.fill();
            let Crawler { client, settings, scheduler, .. } = self;
            let send = |job: &CrawlJob, _| {
                let (client, settings, job) = (client.clone(), Arc::clone(settings), job.clone());
                async move { request(&client, settings, job).await }.boxed()
            };
            tokio::select! {
                finished = scheduler.next(send) => match finished {
                    Some((job, reply)) => self.take(job, reply),
                    None => return,
                },
                Ok(_) = stop.wait_for(|stop| *stop) => {
                    self.is_stopped = true;
                    return;
                }
            }
            look(self.snapshot());
        }
    }

    /// Gives the scheduler as much as it may send at once and no more, so that the bounds count what was fetched until then.
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
                self.answers.insert(job.path, CrawledPath::Unasked);
            }
        }
    }

    /// Whether robots.txt and the bounds allow an address.
    fn may_be_fetched(&mut self, job: &CrawlJob) -> bool {
        if self.robots.as_ref().is_some_and(|robots| !robots.allows(job.url.path())) {
            self.kept_back += 1;
            return false;
        }
        let most = self.settings.max_pages;
        let is_beyond = job.is_page && self.pages + self.open_pages >= most
            || self.files >= most.saturating_mul(FILES_OF_A_PAGE)
            || self.stored >= MOST_STORED;
        self.beyond += usize::from(is_beyond && !job.is_by_name);
        !is_beyond
    }

    /// Takes in the reply to a request.
    fn take(&mut self, job: CrawlJob, reply: Reply<CrawlAnswer>) {
        self.open_pages -= usize::from(job.is_page);
        let crawled = match reply {
            Reply::Answer(CrawlAnswer::File { headers, stored, length, found }) => {
                // A page that answers for a name which only machines ask for is no file of that name.
                if job.is_by_name && media_type(&headers).ends_with("html") && !is_page_path(&job.path) {
                    self.known.remove(&job.path);
                    return;
                }
                let is_sitemap = media_type(&headers).ends_with("xml");
                let is_page = matches!(media_type(&headers).as_str(), "text/html" | "application/xhtml+xml");
                self.pages += usize::from(is_page);
                self.stored += if stored.is_whole { length } else { 0 };
                for address in &found {
                    self.want_found(address, is_sitemap);
                }
                CrawledPath::File { headers, stored, length }
            }
            Reply::Answer(CrawlAnswer::Redirect(to)) => match self.own(&to) {
                Some((path, url)) => {
                    self.want(&path, url, job.is_page, job.is_by_name, false);
                    CrawledPath::Leads(path.into())
                }
                None => CrawledPath::Leaves,
            },
            Reply::Answer(CrawlAnswer::Status(status)) => CrawledPath::Status(status),
            Reply::Answer(CrawlAnswer::Unread(reason)) | Reply::Silence(Silence { reason, .. }) => {
                self.unreadable.push(format!("{}: {reason}", job.url));
                CrawledPath::Unasked
            }
            Reply::GivenUp(_) => {
                self.answers.insert(job.path, CrawledPath::Unasked);
                return;
            }
        };
        self.done += 1;
        self.answers.insert(job.path, crawled);
    }
}

/// Fetches an address, and stores its content.
async fn request(
    client: &Client,
    settings: Arc<CrawlSettings>,
    job: CrawlJob,
) -> RequestOutcome<CrawlAnswer> {
    let body = |status, headers: &HeaderMap| wanted(&job.path, status, headers);
    let answer = match fetch(client, Method::GET, &job.url, &settings.settings, body).await {
        Ok(answer) => answer,
        Err(silence) => return RequestOutcome::Silent(silence),
    };
    let status = answer.status;
    let crawled = match StatusMeaning::of(status) {
        StatusMeaning::TooMuch => CrawlAnswer::Unread(format!("it answers {}", status_words(status))),
        StatusMeaning::Leads { .. } => match redirect_target(&answer.headers, &job.url) {
            Some(to) => CrawlAnswer::Redirect(to),
            None => CrawlAnswer::Status(status.as_u16()),
        },
        _ if !status.is_success() => CrawlAnswer::Status(status.as_u16()),
        _ => {
            // Parsing takes long enough to hold up other requests.
            let stored = tokio::task::spawn_blocking(move || store(answer, &job, &settings)).await;
            let stored = stored.unwrap_or_else(|error| CrawlAnswer::Unread(error.to_string()));
            return RequestOutcome::Final(stored);
        }
    };
    RequestOutcome::of_status(status, &answer.headers, crawled)
}

/// What is wanted of a body: all of what is read, and of pictures, films and archives only what is small.
fn wanted(path: &[u8], status: StatusCode, headers: &HeaderMap) -> BodyWanted {
    let media_type = media_type(headers);
    let is_text = media_type.starts_with("text/")
        || ["javascript", "json", "xml", "wasm"].iter().any(|part| media_type.ends_with(part));
    if !status.is_success() {
        BodyWanted::Nothing
    } else if is_text || is_read(&file_path(path, &media_type, false)) {
        BodyWanted::Whole
    } else {
        BodyWanted::IfSmall
    }
}

/// Stores the content of an answer, and finds the addresses in it.
fn store(answer: FetchedAnswer, job: &CrawlJob, settings: &CrawlSettings) -> CrawlAnswer {
    let file = settings.folder.join(job.number.to_string());
    let media_type = answer.media_type();
    let written = match &answer.body {
        FetchedBody::Whole(body) => fs::write(&file, body).map(|()| (true, body.len() as u64)),
        FetchedBody::Left(length) => empty(&file, *length).map(|()| (false, *length)),
        FetchedBody::TooLarge => return CrawlAnswer::Unread("it is larger than 64 MiB".to_owned()),
    };
    let (is_whole, length) = match written {
        Ok(written) => written,
        Err(error) => return CrawlAnswer::Unread(format!("{}: {error}", file.display())),
    };
    let name = file_path(&job.path, &media_type, settings.strips_slash);
    let found = match answer.body {
        FetchedBody::Whole(body) if is_read(&name) => found_urls(body, &name, &job.url),
        _ => Vec::new(),
    };
    let stored = StoredFile { file, is_whole };
    CrawlAnswer::File { headers: answer.headers, stored, length, found }
}

/// Makes a file of a length, which takes no room.
fn empty(file: &Path, length: u64) -> io::Result<()> {
    File::create(file)?.set_len(length)
}

/// Headers by names in lower case; of several with a name, all, as they are joined.
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
