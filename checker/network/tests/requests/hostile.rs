//! Servers that would keep a check busy without an end.

use std::thread;
use std::time::{Duration, Instant};

use sitegate_check::{ExternalVerdict, FetchedInventory, LiveSite};
use sitegate_network::{Answers, ExternalCheck, InventoryCache, Settings, fetch_inventories};
use url::Url;

use crate::crawl::{crawled, site};
use crate::server::{Reply, Server};
use crate::tls::{Authority, Certificate, Speech, TlsServer};
use crate::{MS, assert_all_there, broken, check, settings, trusting, unverified, verdict};

/// The longest time for any check here. Each would take minutes or hours without limits.
const LIMIT: Duration = Duration::from_secs(15);

fn urls(server: &Server, number: usize) -> Vec<String> {
    (0..number).map(|number| server.url(&format!("/{number}"))).collect()
}

/// Returns the reasons of unverified links. Fails if a link has another verdict.
fn unverified_reasons(answers: &Answers) -> Vec<&str> {
    fn reason(verdict: &ExternalVerdict) -> &str {
        match verdict {
            ExternalVerdict::Unverified(reason) => reason.as_str(),
            other => panic!("{other:?}"),
        }
    }
    answers.by_url.values().map(|answer| reason(&answer.verdict)).collect()
}

fn refuses(retry_after: &'static str) -> Server {
    Server::start(move |_, _| Reply::Answer(429, vec![("retry-after", retry_after.to_owned())], Vec::new()))
}

#[test]
fn abandons_a_host_that_refuses_requests() {
    let start = Instant::now();
    for retry_after in ["1", "3600"] {
        let (server, other) = (refuses(retry_after), Server::start(|_, _| Reply::status(200)));
        let answers = check(settings(), urls(&server, 24).into_iter().chain([other.url("/")]));
        assert_eq!(answers.by_url[&other.url("/")].verdict, ExternalVerdict::There);
        assert!(server.lines().len() <= 12, "{:?}", server.lines());
        let reason =
            format!("{} refused requests 3 times in a row (429 or 503), so it got no more", server.address);
        let given_up = answers
            .by_url
            .iter()
            .filter(|(_, answer)| answer.verdict == ExternalVerdict::Unverified(reason.clone()));
        let given_up: Vec<&String> = given_up.map(|(url, _)| url).collect();
        assert!(given_up.len() >= 12, "{answers:?}");
        // They are not cached, so that the next run requests them.
        assert!(given_up.iter().all(|url| !answers.requested.contains(*url)));
        assert_eq!(answers.by_url.values().filter(|answer| answer.verdict == broken("x")).count(), 0);
    }
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
}

#[test]
fn a_host_that_accepts_requests_after_pauses_is_not_given_up() {
    let server = Server::start(|request, before| {
        let number: usize = request.path[1..].parse().unwrap();
        if number.is_multiple_of(8) && before == 0 { Reply::status(503) } else { Reply::status(200) }
    });
    let answers = check(settings(), urls(&server, 100));
    assert_all_there(&answers);
}

#[test]
fn ends_after_its_time() {
    let server = Server::start(|_, _| Reply::Hang);
    let short = Settings { max_time: 500 * MS, ..settings() };
    let start = Instant::now();
    let check = ExternalCheck::start(short, std::collections::HashMap::new()).unwrap();
    let sender = check.sender();
    let send = |url: String| assert!(sender.send(Url::parse(&url).unwrap()));
    urls(&server, 50).into_iter().for_each(send);
    // A link that comes later is not lost.
    thread::sleep(700 * MS);
    send(server.url("/late"));
    drop(sender);
    let answers = check.finish(|_| {}).unwrap();
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
    assert!(!answers.is_stopped && answers.requested.is_empty());
    let reasons = unverified_reasons(&answers);
    let expected = "no answer within 0.5 s for all links; raise `--max-time`, or check again";
    assert_eq!((reasons.len(), reasons.iter().find(|reason| **reason != expected)), (51, None));
}

#[test]
fn abandons_a_host_that_answers_no_request() {
    let quick = Settings { connect: 50 * MS, first_byte: 100 * MS, ..settings() };
    for (reply, limit) in [(Reply::Hang, 12), (Reply::HangUp, 60)] {
        let hangs = matches!(reply, Reply::Hang);
        let server = Server::start(move |_, _| reply.clone());
        let start = Instant::now();
        let answers = check(quick.clone(), urls(&server, 300));
        assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
        assert_eq!(answers.by_url.len(), 300);
        assert!(server.lines().len() <= limit, "{}", server.lines().len());
        let is_late = |reason: &&str| *reason == "no answer within 0.15 s";
        assert!(!hangs || unverified_reasons(&answers).iter().all(is_late), "{answers:?}");
    }
}

fn floods() -> Server {
    let flood = b"HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n".repeat(100);
    Server::start(move |_, _| Reply::Flood(flood.clone()))
}

#[test]
fn informational_answers_without_an_end_are_no_answer() {
    let server = floods();
    let quick = Settings { connect: 50 * MS, first_byte: 200 * MS, ..settings() };
    let start = Instant::now();
    let answers = check(quick, urls(&server, 100));
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
    assert_eq!(unverified_reasons(&answers).len(), 100);
    assert!(server.lines().len() <= 6, "{}", server.lines().len());
}

#[test]
fn informational_answers_without_an_end_cost_no_time() {
    const REASON: &str = "it sends informational answers (1xx) without an end";
    let start = Instant::now();
    let server = floods();
    assert_eq!(verdict(settings(), &server.url("/a")), unverified(REASON));
    let reason = failed_inventory(&server.url("/inventory.txt"), settings());
    assert!(reason.ends_with(REASON), "{reason}");
    // It is not requested again.
    assert_eq!(server.lines(), ["HEAD /a", "GET /inventory.txt"]);
    let authority = Authority::new("One that is trusted");
    let tls_server = TlsServer::start(&authority, Certificate::Good, Speech::Http2Flooding);
    assert_eq!(verdict(trusting(&authority), &tls_server.url()), unverified(REASON));
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
}

/// Reads an inventory that cannot be read, and returns the reason.
fn failed_inventory(url: &str, settings: Settings) -> String {
    let url = Url::parse(url).unwrap();
    let mut fetched = fetch_inventories(&[url.clone()].into(), settings, &InventoryCache::at(None)).unwrap();
    match fetched.by_url.remove(&url) {
        Some(FetchedInventory::Failed(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_large_body_is_no_answer_without_an_end() {
    let page = format!("<p>{}<p id=end>", "x".repeat(6 << 20));
    let server = Server::start(move |_, _| Reply::page(&page));
    assert_eq!(verdict(settings(), &server.url("/#end")), ExternalVerdict::There);
}

#[test]
fn an_inventory_has_one_limit_of_time_for_redirects_and_retries() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/body" => Reply::Trickle(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n".to_vec()),
        "/head" => Reply::Trickle(b"HTTP/1.1 200 OK\r\nx: ".to_vec()),
        "/hang" => Reply::Hang,
        path => Reply::Late(150 * MS, Box::new(Reply::to(302, &next(path)))),
    });
    for (path, requests) in [("/body", 1), ("/head", 2), ("/hang", 2), ("/r-0", 5)] {
        let whole = 600 * MS;
        let short = Settings { connect: 50 * MS, first_byte: 300 * MS, whole, pause: MS, ..settings() };
        let (start, before) = (Instant::now(), server.lines().len());
        let reason = failed_inventory(&server.url(path), short);
        assert!(start.elapsed() < 4 * whole, "{path}: {:?}", start.elapsed());
        let sent = server.lines().len() - before;
        assert!((1..=requests).contains(&sent), "{path}: {sent}");
        assert!(reason.contains("no end of its answer within 0.6 s"), "{path}: {reason}");
    }
}

#[test]
fn follows_redirects_between_hosts_to_the_limit() {
    let (one, other) = (Server::start(bounce), Server::start(bounce));
    let to = |server: &Server| format!("/{}/0", server.address);
    assert_eq!(verdict(settings(), &one.url(&to(&other))), broken("it redirects more than 10 times"));
    assert_eq!(one.lines().len() + other.lines().len(), 11);
}

/// Redirects to a host in the path, to a new path, which names this host.
fn bounce(request: &crate::server::ReceivedRequest, _: usize) -> Reply {
    let (to, number) = request.path[1..].split_once('/').unwrap();
    Reply::to(302, &format!("http://{to}/{}/{number}0", request.host))
}

/// Crawls a site with a start page of these links. Returns it with the requests.
fn crawl(links: &[&str], answer: fn(&str) -> Reply) -> (LiveSite, usize) {
    let server = site(links, move |request, _| answer(&request.path));
    let start = Instant::now();
    let (live, _folder) = crawled(&server.url("/"), settings()).unwrap();
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
    (live, server.lines().len())
}

fn with_type(media_type: &str, content: String) -> Reply {
    Reply::Answer(200, vec![("content-type", media_type.to_owned())], content.into_bytes())
}

fn next(path: &str) -> String {
    let (start, number) = path.rsplit_once('-').unwrap_or((path, "0"));
    format!("{start}-{}", number.parse::<usize>().unwrap_or_default() + 1)
}

/// The reason of a crawl that met a chain of files.
const DEEP: &str =
    "more than 10 files in a row import each other (style sheets, sitemaps); the next was not fetched";

fn nested_sitemap(path: &str) -> Reply {
    let entry = |to: String| format!("<sitemap><loc>{to}</loc></sitemap>");
    let xmlns = "http://www.sitemaps.org/schemas/sitemap/0.9";
    let entries = entry(next(path)) + &entry(next("/map-0"));
    with_type("application/xml", format!("<sitemapindex xmlns=\"{xmlns}\">{entries}</sitemapindex>"))
}

fn calendar_month(path: &str) -> Reply {
    let days: Vec<String> = (0..30).map(|day| format!("<a href=\"{path}/{day}-0\">x</a>")).collect();
    Reply::page(&format!("<a href=\"{}\">next</a>{}", next(path), days.concat()))
}

fn page_of_long_urls(path: &str) -> Reply {
    let long = "x".repeat(1000);
    let links: Vec<String> = (0..2000).map(|link| format!("<a href=\"/{long}{link}{path}\">x</a>")).collect();
    Reply::page(&format!("<a href=\"{}\">next</a>{}", next(path), links.concat()))
}

/// The first path of a chain without an end, its answers, the most requests, and the reason that ends it.
type Chain = (&'static str, fn(&str) -> Reply, usize, &'static str);

#[test]
fn endless_chains_end() {
    let chains: [Chain; 5] = [
        (
            "/r-0",
            |path| Reply::to(301, &next(path)),
            40,
            "a URL redirects more than 10 times in a row; it was not followed",
        ),
        ("/style-0", |path| with_type("text/css", format!("@import '{}';", next(path))), 40, DEEP),
        ("/map-0", nested_sitemap, 40, DEEP),
        (
            "/month-0",
            calendar_month,
            200,
            "100 pages were fetched, and there are more; raise `--max-pages` to fetch them",
        ),
        (
            "/0-0",
            page_of_long_urls,
            200,
            "the URLs and headers have more than 5 MiB, so no more were fetched; raise `--max-pages` to fetch them",
        ),
    ];
    for (first, answer, limit, reason) in chains {
        let (live, requests) = crawl(&[first], answer);
        assert!(requests < limit, "{first}: {requests}");
        assert_eq!(live.skipped, [reason], "{first}");
    }
}

#[test]
fn files_without_pages_have_a_limit() {
    let links: Vec<String> = (0..5000).map(|number| format!("/{number}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let (live, requests) = crawl(&links, |_| Reply::status(404));
    assert!((2000..2300).contains(&requests), "{requests}");
    let reason =
        "the limit is 2,000 files, and 100 more for each page; raise `--max-pages` to fetch the others";
    assert_eq!(live.skipped, [reason]);
}

#[test]
fn a_crawl_ends_after_its_time() {
    let server = site(&["/slow"], |_, _| Reply::Hang);
    let start = Instant::now();
    let (live, _folder) = crawled(&server.url("/"), Settings { max_time: 500 * MS, ..settings() }).unwrap();
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
    let reason = "the crawl ended after 0.5 s and 1 page; raise `--max-time` to fetch the others";
    assert_eq!((live.skipped, live.is_cut), (vec![reason.to_owned()], true));
}

#[test]
fn reads_robots_txt_of_any_size() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => {
            let rest = "# comment\n".repeat(600_000);
            with_type("text/plain", format!("User-agent: *\nDisallow: /private\n{rest}"))
        }
        "/" => Reply::page("<a href=/private>x</a>"),
        _ => Reply::status(404),
    });
    let (live, _folder) = crawled(&server.url("/"), settings()).unwrap();
    assert!(!server.lines().contains(&"GET /private".to_owned()), "{:?}", live.skipped);
}
