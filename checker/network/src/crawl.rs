//! Crawls one site: finds its start page, fetches its files, tries how its server behaves, and returns the site.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use http::header::HeaderMap;
use http::{Method, StatusCode, Version};
use sitegate_address::INDEX;
use sitegate_address::percent::escape_path;
use sitegate_address::robots::{MAX_BYTES, RobotsFile};
use sitegate_base::plural::count;
use sitegate_check::{
    LiveAnswer, LiveFile, LiveSite, SecondAddress, ServerBehavior, StoredFile, UnknownPathAnswer,
    exported_path, page_in_utf8,
};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::{sleep_until, timeout};
use url::Url;

use crate::answer::days_left;
use crate::client::{GuardedClient, runtime};
use crate::crawler::{
    CrawlProgress, CrawlSettings, CrawledPath, Crawler, MAX_REDIRECTS, ROBOTS_NAME, header_map,
};
use crate::error::{NetworkError, RequestFailure, format_status};
use crate::fetched::{BodyWanted, FetchedAnswer, FetchedBody, content_type, fetch};

/// Number of pages whose alternative URLs are requested.
const PROBED_PAGES: usize = 10;

/// Files that are requested by name, even without a link.
const WELL_KNOWN_FILES: [&str; 5] =
    ["robots.txt", "sitemap.xml", "favicon.ico", ".well-known/security.txt", "llms.txt"];

/// A crawl of one site.
pub struct Crawl {
    runtime: Runtime,
    crawler: Crawler,
    /// Whether Ctrl-C was pressed.
    stop: watch::Receiver<bool>,
    start: Box<[u8]>,
    server_behavior: ServerBehavior,
    not_found: Option<LiveFile>,
}

impl Crawl {
    /// Fetches the start page. Its links are not fetched yet.
    ///
    /// # Errors
    /// The reason why the page is not there or may not be requested.
    pub fn begin(start: &Url, settings: CrawlSettings) -> Result<Crawl, NetworkError> {
        let runtime = runtime(2)?;
        let settings = Arc::new(settings);
        let client = GuardedClient::new(&settings.settings)?;
        let max_time = settings.settings.max_time;
        let first =
            runtime.block_on(async { timeout(max_time, first_page(&client, start, &settings)).await });
        let (url, robots, answer) = first.unwrap_or_else(|_| {
            let failure = RequestFailure::slow("no page", max_time);
            Err(NetworkError::NoAnswer { url: start.clone(), failure })
        })?;
        let root = root(&url, settings.base_path.as_deref());
        let server_behavior = ServerBehavior {
            speaks_http2: (url.scheme() == "https").then(|| answer.version >= Version::HTTP_2),
            certificate_days: answer.certificate.as_deref().and_then(|der| days_left(der, SystemTime::now())),
            ..ServerBehavior::default()
        };
        let robots = if settings.ignores_robots { None } else { robots };
        let mut crawler = Crawler::new(client, settings, root, robots);
        let Some((path, _)) = crawler.local_path(&url) else {
            return Err(NetworkError::OutsideBasePath { url, base_path: crawler.root.path().to_owned() });
        };
        let start_path: Box<[u8]> = path.into();
        crawler.enqueue_path(&start_path, false);
        for name in WELL_KNOWN_FILES {
            crawler.enqueue_path(name.as_bytes(), true);
        }
        let (stopped, stop) = watch::channel(false);
        runtime.spawn(async move {
            if tokio::signal::ctrl_c().await.is_ok() {
                stopped.send_replace(true);
            }
        });
        Ok(Crawl { runtime, crawler, stop, start: start_path, server_behavior, not_found: None })
    }

    /// Fetches these paths (decoded, below the root) and everything that they link to. Calls `look` regularly.
    pub fn fetch<P: AsRef<[u8]>>(
        &mut self,
        paths: impl IntoIterator<Item = P>,
        on_progress: impl FnMut(CrawlProgress),
    ) {
        paths.into_iter().for_each(|path| self.crawler.enqueue_path(path.as_ref(), false));
        if !self.crawler.is_stopped && !self.crawler.is_late {
            self.runtime.block_on(self.crawler.run(self.stop.clone(), on_progress));
        }
    }

    /// Skips these paths, when scripts request one more file each without an end.
    pub fn skip_paths<P: AsRef<[u8]>>(&mut self, paths: impl IntoIterator<Item = P>) {
        for path in paths {
            self.crawler.answers.insert(path.as_ref().into(), CrawledPath::Skipped);
            self.crawler.endless += 1;
        }
    }

    /// Whether the crawl was stopped.
    pub fn is_stopped(&self) -> bool {
        self.crawler.is_stopped
    }

    /// Probes the server's behavior: for unknown paths, for plain http, and for alternative URLs of pages.
    pub fn probe_behavior(&mut self) {
        if self.crawler.is_stopped || self.crawler.is_late {
            return;
        }
        let Crawl { runtime, crawler, stop, server_behavior, not_found, .. } = self;
        let tried = async {
            (server_behavior.unknown_path, *not_found) = unknown_path(crawler).await;
            server_behavior.plain_status = plain_status(crawler).await;
            let is_sure = server_behavior
                .unknown_path
                .as_ref()
                .is_some_and(|answer| matches!(answer.status, 404 | 410));
            if is_sure {
                server_behavior.second_addresses = second_addresses(crawler).await;
            }
        };
        let deadline = crawler.deadline;
        let (is_stopped, is_late) = runtime.block_on(async {
            tokio::select! {
                () = tried => (false, false),
                Ok(_) = stop.wait_for(|stop| *stop) => (true, false),
                () = sleep_until(deadline) => (false, true),
            }
        });
        crawler.is_stopped |= is_stopped;
        crawler.is_late |= is_late;
    }

    /// Returns the URL that all paths of the site are below.
    pub fn root(&self) -> &Url {
        &self.crawler.root
    }

    /// Returns the progress.
    pub fn progress(&self) -> CrawlProgress {
        self.crawler.progress()
    }

    /// Returns the site as fetched so far.
    pub fn site(&self) -> LiveSite {
        let crawler = &self.crawler;
        let settings = &crawler.settings;
        let mut live = LiveSite::new(crawler.root.clone());
        live.start.clone_from(&self.start);
        live.server_behavior = self.server_behavior.clone();
        live.unreadable.clone_from(&crawler.unreadable);
        live.skipped = skipped(crawler);
        live.is_cut = crawler.is_stopped || crawler.is_late || crawler.limits.is_end();
        live.max_findings = crawler.limits.findings;
        let mut paths: Vec<_> = crawler.answers.iter().collect();
        // Of two URLs of the same file, the shorter one names it: `/` before `/index.html`.
        paths.sort_unstable_by_key(|(path, _)| *path);
        let is_page = |path: &[u8]| match crawler.answers.get(path) {
            Some(CrawledPath::File { headers, .. }) => is_html(headers),
            _ => false,
        };
        for (path, crawled) in paths {
            let answer = match crawled {
                CrawledPath::File { headers, stored, length } => {
                    let with_slash = [path, &b"/"[..]].concat();
                    // A page that is served with and without a slash is one page.
                    let own = if is_html(headers) && is_page(&with_slash) { &with_slash } else { &**path };
                    let headers = header_map(headers);
                    let file =
                        LiveFile { address: path.clone(), stored: stored.clone(), length: *length, headers };
                    let name = exported_path(own, &file.media_type(), settings.strips_slash);
                    if own == &**path {
                        live.files.entry(name.clone()).or_insert(file);
                    }
                    LiveAnswer::File(name)
                }
                CrawledPath::Redirect { .. } if crawler.needs_cookies(path) => LiveAnswer::Unasked,
                CrawledPath::Redirect { to, .. } => LiveAnswer::Leads(to.clone()),
                CrawledPath::External => LiveAnswer::Leaves,
                CrawledPath::Status(status) => LiveAnswer::Status(*status),
                CrawledPath::Skipped => LiveAnswer::Unasked,
            };
            live.answers.insert(path.clone(), answer);
        }
        if let Some(page) = &self.not_found {
            live.files.insert(settings.not_found_file.as_bytes().into(), page.clone());
        }
        let second = live.server_behavior.second_addresses.iter();
        let named = second.filter_map(|SecondAddress { page, other }| match live.answers.get(page)? {
            LiveAnswer::File(name) => Some(SecondAddress { page: name.clone(), other: other.clone() }),
            _ => None,
        });
        live.server_behavior.second_addresses = named.collect();
        live
    }
}

/// Requests robots.txt and the page at a URL, following redirects within the same site.
async fn first_page(
    client: &GuardedClient,
    start: &Url,
    settings: &CrawlSettings,
) -> Result<(Url, Option<RobotsFile>, FetchedAnswer), NetworkError> {
    let mut url = start.clone();
    url.set_fragment(None);
    url.set_query(None);
    let mut known: HashMap<String, RobotsFile> = HashMap::new();
    for _ in 0..=MAX_REDIRECTS {
        let origin = url.origin().ascii_serialization();
        let robots = match known.remove(&origin) {
            Some(robots) => robots,
            None if settings.ignores_robots => RobotsFile::default(),
            None => robots(client, &url, settings).await?,
        };
        if !robots.allows(ROBOTS_NAME, url.path()) {
            return Err(NetworkError::Disallowed(url));
        }
        known.insert(origin, robots.clone());
        let answer = get(client, &url, settings, |_, _| BodyWanted::Nothing).await?;
        if answer.status.is_success() {
            return Ok((url, Some(robots), answer));
        }
        let Some(mut to) = answer.redirect_target(&url) else {
            return Err(NetworkError::Status { url, status: format_status(answer.status) });
        };
        to.set_fragment(None);
        to.set_query(None);
        if !is_same_site(&url, &to) {
            return Err(NetworkError::OtherSite { from: url, to: to.into() });
        }
        url = to;
    }
    Err(NetworkError::RedirectLoop(start.clone()))
}

/// Sends a GET without which the crawl cannot begin.
async fn get(
    client: &GuardedClient,
    url: &Url,
    settings: &CrawlSettings,
    wanted: impl Fn(StatusCode, &HeaderMap) -> BodyWanted,
) -> Result<FetchedAnswer, NetworkError> {
    let answer = fetch(client, Method::GET, url, &settings.settings, wanted).await;
    answer.map_err(|failure| NetworkError::NoAnswer { url: url.clone(), failure })
}

/// Whether two URLs belong to one site: the same host, with or without `www.`.
fn is_same_site(one: &Url, other: &Url) -> bool {
    let bare = |url: &Url| url.host_str().map(|host| host.trim_start_matches("www.").to_owned());
    matches!(other.scheme(), "http" | "https") && bare(one) == bare(other)
}

/// Fetches robots.txt. Without one everything is allowed; if the server fails, nothing is (RFC 9309, 2.3.1).
async fn robots(
    client: &GuardedClient,
    of: &Url,
    settings: &CrawlSettings,
) -> Result<RobotsFile, NetworkError> {
    let Ok(mut url) = of.join("/robots.txt") else { return Ok(RobotsFile::default()) };
    for _ in 0..MAX_REDIRECTS {
        let wanted = |status: StatusCode, _: &HeaderMap| {
            if status.is_success() { BodyWanted::Beginning(MAX_BYTES) } else { BodyWanted::Nothing }
        };
        let answer = get(client, &url, settings, wanted).await?;
        if answer.status.is_server_error() {
            return Err(NetworkError::RobotsUnavailable { url, status: format_status(answer.status) });
        }
        match (answer.redirect_target(&url), answer.body) {
            (None, FetchedBody::Whole(text)) if answer.status.is_success() => {
                return Ok(RobotsFile::read(&text));
            }
            (Some(to), _) if is_same_site(&url, &to) => url = to,
            _ => return Ok(RobotsFile::default()),
        }
    }
    Ok(RobotsFile::default())
}

/// Returns the URL that all paths are below: the base path, or the folder of the start page.
fn root(url: &Url, base_path: Option<&str>) -> Url {
    let mut root = url.join(".").unwrap_or_else(|_| url.clone());
    if let Some(base_path) = base_path {
        root.set_path(base_path);
    }
    root
}

/// Returns the reasons why the crawl is incomplete.
fn skipped(crawler: &Crawler) -> Vec<String> {
    let pages = count(crawler.pages, "page");
    let mut reasons = Vec::new();
    if crawler.is_stopped {
        reasons.push(format!("the crawl was stopped after {pages}"));
    }
    if crawler.is_late {
        let limit = crawler.settings.settings.max_time.as_secs_f32();
        reasons.push(format!(
            "the crawl ended after {limit} s and {pages}; raise `--max-time` to fetch the others"
        ));
    }
    if let Some(failure) = &crawler.given_up {
        reasons.push(format!("the server got no more requests after {pages}: {failure}"));
    }
    reasons.extend(crawler.limits.reasons(crawler.pages));
    if crawler.endless > 0 {
        reasons.push("each fetched script loads another one, without an end".to_owned());
    }
    if crawler.disallowed > 0 {
        let disallowed = count(crawler.disallowed, "URL");
        reasons.push(format!("robots.txt disallows {disallowed}; `--ignore-robots` fetches them anyway"));
    }
    let endless = crawler.answers.keys().filter(|path| crawler.needs_cookies(path)).count();
    if endless > 0 {
        let urls = count(endless, "URL");
        reasons.push(format!("the redirects of {urls} have no end without cookies, which are not kept"));
    }
    reasons
}

fn is_html(headers: &HeaderMap) -> bool {
    matches!(crate::fetched::media_type(headers).as_str(), "text/html" | "application/xhtml+xml")
}

/// Requests a path that does not exist. Returns the answer, and its error page if there is one.
async fn unknown_path(crawler: &Crawler) -> (Option<UnknownPathAnswer>, Option<LiveFile>) {
    let path = format!("sitegate-{:016x}", fastrand::u64(..));
    let Ok(url) = crawler.root.join(&path) else { return (None, None) };
    let settings = &crawler.settings;
    let request = fetch(&crawler.client, Method::GET, &url, &settings.settings, |_, _| BodyWanted::Whole);
    let Ok(answer) = request.await else { return (None, None) };
    let status = answer.status.as_u16();
    let leads_to = answer.redirect_target(&url).map(String::from);
    let unknown = UnknownPathAnswer { status, leads_to };
    let file = settings.folder.join("not-found");
    let page = match &answer.body {
        FetchedBody::Whole(body)
            if matches!(status, 404 | 410) && is_html(&answer.headers) && !body.is_empty() =>
        {
            let name = settings.not_found_file.as_bytes();
            let decoded = page_in_utf8(body, name, content_type(&answer.headers));
            store(&file, decoded.as_ref().unwrap_or(body)).map(|stored| LiveFile {
                address: settings.not_found_file.as_bytes().into(),
                stored,
                length: body.len() as u64,
                headers: header_map(&answer.headers),
            })
        }
        _ => None,
    };
    (Some(unknown), page)
}

fn store(file: &Path, body: &[u8]) -> Option<StoredFile> {
    std::fs::write(file, body).ok()?;
    Some(StoredFile { file: file.to_path_buf(), is_whole: true })
}

/// Returns the status of the start page over http, if it does not redirect to https.
async fn plain_status(crawler: &Crawler) -> Option<u16> {
    let settings = &crawler.settings;
    let mut url = match &settings.plain {
        Some(plain) => plain.clone(),
        None if crawler.root.scheme() == "https" && crawler.root.port().is_none() => {
            let mut url = crawler.root.clone();
            url.set_scheme("http").ok()?;
            url
        }
        None => return None,
    };
    for _ in 0..MAX_REDIRECTS {
        let request =
            fetch(&crawler.client, Method::GET, &url, &settings.settings, |_, _| BodyWanted::Nothing);
        let answer = request.await.ok()?;
        match answer.redirect_target(&url) {
            Some(to) if to.scheme() == "https" || !is_same_site(&url, &to) => return None,
            Some(to) => url = to,
            None => return answer.status.is_success().then(|| answer.status.as_u16()),
        }
    }
    None
}

/// Finds alternative URLs of some pages that are served without a redirect to the main one.
async fn second_addresses(crawler: &Crawler) -> Vec<SecondAddress> {
    let pages = crawler.answers.iter().filter_map(|(path, crawled)| match crawled {
        CrawledPath::File { headers, .. } if is_html(headers) => Some(path),
        _ => None,
    });
    let mut pages: Vec<&Box<[u8]>> = pages.collect();
    pages.sort_unstable();
    let step = pages.len().div_ceil(PROBED_PAGES).max(1);
    let mut found = Vec::new();
    for page in pages.into_iter().step_by(step) {
        for other in alternative_paths(page) {
            let answers = match crawler.answers.get(other.as_slice()) {
                Some(known) => matches!(known, CrawledPath::File { .. }),
                None => answers(crawler, &other).await,
            };
            if answers {
                found.push(SecondAddress { page: page.clone(), other: other.into() });
            }
        }
    }
    found
}

/// Whether a path is served without a redirect.
async fn answers(crawler: &Crawler, path: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(path) else { return false };
    let mut url = crawler.root.clone();
    url.set_path(&format!("{}{}", url.path(), escape_path(text)));
    if crawler.robots.as_ref().is_some_and(|robots| !robots.allows(ROBOTS_NAME, url.path())) {
        return false;
    }
    let settings = &crawler.settings.settings;
    let request = fetch(&crawler.client, Method::HEAD, &url, settings, |_, _| BodyWanted::Nothing);
    request.await.is_ok_and(|answer| answer.status.is_success())
}

/// Returns alternative paths by which hosts serve a page.
fn alternative_paths(path: &[u8]) -> Vec<Vec<u8>> {
    let with = |start: &[u8], end: &[u8]| [start, end].concat();
    match path.strip_suffix(b"/") {
        None if path.is_empty() => vec![INDEX.as_bytes().to_vec()],
        Some(bare) => vec![bare.to_vec(), with(path, INDEX.as_bytes())],
        None => match path.strip_suffix(b".html") {
            Some(b"index") => vec![Vec::new()],
            Some(folder) if folder.ends_with(b"/index") => vec![folder[..folder.len() - 5].to_vec()],
            Some(bare) => vec![bare.to_vec()],
            None => vec![with(path, b"/"), with(path, b".html")],
        },
    }
}
