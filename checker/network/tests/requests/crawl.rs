//! Crawls servers with faults.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use sitegate_check::{LiveAnswer, LiveSite};
use sitegate_network::{Crawl, CrawlSettings, HostSource, NetworkError, Settings};
use tempfile::TempDir;
use url::Url;

use crate::server::{ReceivedRequest, Reply, Server};
use crate::tls::{Authority, Certificate, Speech, TlsServer};
use crate::{resolving_here, settings, trusting};

pub fn crawl_settings(folder: &TempDir, settings: Settings) -> CrawlSettings {
    CrawlSettings {
        settings,
        max_pages: 100,
        ignores_robots: false,
        folder: folder.path().to_path_buf(),
        own_origin: None,
        base_path: None,
        strips_slash: false,
        not_found_file: "404.html".to_owned(),
        plain: None,
    }
}

pub fn crawled(start: &str, settings: Settings) -> Result<(LiveSite, TempDir), NetworkError> {
    let folder = tempfile::tempdir().unwrap();
    let mut crawl = Crawl::begin(&Url::parse(start).unwrap(), crawl_settings(&folder, settings))?;
    crawl.fetch::<&[u8]>([], |_| ());
    crawl.probe_behavior();
    Ok((crawl.site(), folder))
}

/// Starts a site whose start page has links, and whose other paths are served by a function.
pub fn site(
    links: &[&str],
    answer: impl Fn(&ReceivedRequest, usize) -> Reply + Send + Sync + 'static,
) -> Server {
    let links: Vec<String> = links.iter().map(|link| format!("<a href=\"{link}\">x</a>")).collect();
    let links = links.concat();
    Server::start(move |request, before| match request.path.as_str() {
        "/" => Reply::page(&links),
        "/robots.txt" | "/sitemap.xml" | "/favicon.ico" | "/llms.txt" => Reply::status(404),
        _ => answer(request, before),
    })
}

fn answers(live: &LiveSite) -> BTreeMap<String, &LiveAnswer> {
    let by_name = |path: &[u8]| {
        matches!(path, b"robots.txt" | b"sitemap.xml" | b"favicon.ico" | b"llms.txt")
            || path.starts_with(b".")
    };
    let request = live.answers.iter().filter(|(path, _)| !by_name(path));
    request.map(|(path, answer)| (String::from_utf8(path.to_vec()).unwrap(), answer)).collect()
}

fn file(name: &str) -> LiveAnswer {
    LiveAnswer::File(name.as_bytes().into())
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn follows_redirects_and_requests_each_url_once() {
    let server = site(&["/a", "/a/", "/a/?page=2", "/a/#x", "/out", "/%61/"], |request, _| {
        match request.path.as_str() {
            "/a" => Reply::to(301, "/a/"),
            "/a/" => Reply::page("<a href=b>x</a><a href=../>up</a>"),
            "/a/b" => Reply::page("<p>end"),
            "/out" => Reply::to(302, "https://other.invalid/"),
            _ => Reply::status(404),
        }
    });
    let (live, _folder) = crawled(&server.url("/"), settings()).unwrap();
    let expected = [
        ("", file("index.html")),
        ("a", LiveAnswer::Leads(b"a/"[..].into())),
        ("a/", file("a/index.html")),
        ("a/b", file("a/b.html")),
        ("out", LiveAnswer::Leaves),
    ];
    let expected: BTreeMap<String, &LiveAnswer> =
        expected.iter().map(|(path, answer)| ((*path).to_owned(), answer)).collect();
    assert_eq!(answers(&live), expected);
    assert!(live.is_whole(), "{live:?}");
    let pages: Vec<String> =
        server.lines().into_iter().filter(|line| line == "GET /a/" || line == "GET /a/b").collect();
    assert_eq!(pages.len(), 2, "{pages:?}");
}

#[test]
fn loops_that_set_a_cookie_are_no_answer() {
    let to = |location: &str| {
        let headers = vec![("location", location.to_owned()), ("set-cookie", "s=1".to_owned())];
        Reply::Answer(302, headers, Vec::new())
    };
    let server = site(&["/self", "/a", "/circle"], move |request, _| match request.path.as_str() {
        "/self" => to("/self"),
        "/a" => Reply::to(302, "/b"),
        "/b" => to("/a"),
        "/circle" => Reply::to(302, "/circle"),
        _ => Reply::status(404),
    });
    let (live, _folder) = crawled(&server.url("/"), settings()).unwrap();
    let answers = answers(&live);
    for path in ["self", "a", "b"] {
        assert_eq!(*answers[path], LiveAnswer::Unasked, "{path}");
    }
    assert_eq!(*answers["circle"], LiveAnswer::Leads(b"circle"[..].into()));
    assert_eq!(live.skipped, ["the redirects of 3 URLs have no end without cookies, which are not kept"]);
}

#[test]
fn the_response_decides_encoding_and_syntax() {
    let page = |content_type: &str, content: &[u8]| {
        Reply::Answer(200, vec![("content-type", content_type.to_owned())], content.to_vec())
    };
    let server = site(&["/latin", "/xhtml"], move |request, _| match request.path.as_str() {
        "/latin" => page("text/html; charset=iso-8859-1", b"<meta charset=utf-8><a href=caf\xE9>x</a>"),
        "/xhtml" => page("application/xhtml+xml", b"<html><a href='next'/></html>"),
        _ => Reply::status(404),
    });
    let (live, _folder) = crawled(&server.url("/"), settings()).unwrap();
    let answers = answers(&live);
    assert_eq!(*answers["latin"], file("latin.html"));
    assert_eq!(*answers["xhtml"], file("xhtml.xhtml"));
    assert!(answers.contains_key("caf\u{e9}") && answers.contains_key("next"), "{answers:?}");
    let latin = &live.files[&b"latin.html"[..]];
    let stored = std::fs::read_to_string(&latin.stored.file).unwrap();
    assert_eq!(stored, "\u{feff}<meta charset=utf-8><a href=caf\u{e9}>x</a>");
    assert_eq!(latin.length, stored.len() as u64 - 4);
}

#[test]
fn retries_transient_failures_and_reports_lasting_ones() {
    let server =
        site(&["/flaky", "/busy", "/error", "/broken"], |request, before| match request.path.as_str() {
            "/flaky" if before == 0 => Reply::HangUp,
            "/busy" if before == 0 => Reply::Answer(503, vec![("retry-after", "0".to_owned())], Vec::new()),
            "/flaky" | "/busy" => Reply::page("<p>there"),
            "/error" => Reply::status(500),
            "/broken" => Reply::HangUp,
            _ => Reply::status(404),
        });
    let (live, _folder) = crawled(&server.url("/"), settings()).unwrap();
    let answers = answers(&live);
    assert_eq!(*answers["flaky"], file("flaky.html"));
    assert_eq!(*answers["busy"], file("busy.html"));
    assert_eq!(*answers["error"], LiveAnswer::Status(500));
    assert_eq!(*answers["broken"], LiveAnswer::Unasked);
    assert_eq!(live.unreadable.len(), 1, "{:?}", live.unreadable);
    assert!(!live.is_whole());
}

#[test]
fn stops_requests_to_a_silent_server() {
    let links: Vec<String> = (0..60).map(|number| format!("/{number}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let server =
        site(&links, |request, _| if request.path.len() > 4 { Reply::status(404) } else { Reply::HangUp });
    let (live, _folder) = crawled(&server.url("/"), settings()).unwrap();
    let request = server.lines().len();
    assert!(request < 30, "{request}");
    assert!(!live.is_whole());
}

#[test]
fn decompresses_bodies_within_limits() {
    let bomb = gzip(&vec![b'x'; 80 << 20]);
    let page = gzip(b"<a href=/next>x</a>");
    let server = site(&["/zipped", "/bomb", "/film.mp4", "/false"], move |request, _| {
        let gzipped = |media: &str, body: &[u8]| {
            let headers = vec![("content-type", media.to_owned()), ("content-encoding", "gzip".to_owned())];
            Reply::Answer(200, headers, body.to_vec())
        };
        match request.path.as_str() {
            "/zipped" => gzipped("text/html", &page),
            "/bomb" => gzipped("text/html", &bomb),
            "/false" => gzipped("text/html", b"plain"),
            "/film.mp4" => {
                Reply::Answer(200, vec![("content-type", "video/mp4".to_owned())], vec![0; 5 << 20])
            }
            "/next" => Reply::page("<p>next"),
            _ => Reply::status(404),
        }
    });
    let (live, _folder) = crawled(&server.url("/"), settings()).unwrap();
    let answers = answers(&live);
    assert_eq!(*answers["next"], file("next.html"));
    assert_eq!(*answers["bomb"], LiveAnswer::Unasked);
    assert_eq!(*answers["false"], LiveAnswer::Unasked);
    let film = &live.files[&b"film.mp4"[..]];
    assert_eq!((film.length, film.stored.is_whole), (5 << 20, false));
    let reasons = live.unreadable.join("\n");
    assert!(reasons.contains("/bomb: it is larger than 32 MiB"), "{reasons}");
    assert!(reasons.contains("/false: its content is not gzip, although it says so"), "{reasons}");
}

#[test]
fn a_failing_robots_txt_disallows_everything() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(500),
        _ => Reply::page("<p>x"),
    });
    let error = crawled(&server.url("/"), settings()).err().unwrap().to_string();
    let reason = "/robots.txt: it answers 500 Internal Server Error; `--ignore-robots`";
    assert!(error.contains(reason), "{error}");
}

#[test]
fn reports_http2_and_the_expiry_of_certificates() {
    let authority = Authority::new("One that is trusted");
    for speech in [Speech::Http2, Speech::Http1] {
        let server = TlsServer::start(&authority, Certificate::Good, speech);
        let (live, _folder) = crawled(&server.url(), trusting(&authority)).unwrap();
        assert_eq!(live.server_behavior.speaks_http2, Some(speech == Speech::Http2));
        assert!(live.server_behavior.certificate_days.unwrap() > 10_000, "{:?}", live.server_behavior);
    }
    let server = TlsServer::start(&authority, Certificate::Expired, Speech::Http2);
    let error = crawled(&server.url(), trusting(&authority)).err().unwrap().to_string();
    assert!(error.ends_with("its certificate has expired"), "{error}");
}

#[test]
fn reports_plain_http_without_a_redirect_to_https() {
    for (answer, status) in [
        (Reply::page("x"), Some(200)),
        (Reply::to(301, "https://server.example/"), None),
        (Reply::status(404), None),
    ] {
        let plain = Server::start(move |_, _| answer.clone());
        let server = site(&[], |_, _| Reply::status(404));
        let folder = tempfile::tempdir().unwrap();
        let settings = CrawlSettings {
            plain: Some(Url::parse(&plain.url("/")).unwrap()),
            ..crawl_settings(&folder, settings())
        };
        let mut crawl = Crawl::begin(&Url::parse(&server.url("/")).unwrap(), settings).unwrap();
        crawl.probe_behavior();
        assert_eq!(crawl.site().server_behavior.plain_status, status);
    }
}

#[test]
fn a_start_page_may_redirect_to_www_but_not_to_a_private_address() {
    let server =
        Server::start(|request, _| match (request.host.starts_with("www."), request.path.as_str()) {
            (true, "/") => Reply::page("<p>home"),
            (true, _) | (false, "/robots.txt") => Reply::status(404),
            (false, _) => Reply::to(301, &format!("http://www.{}/", request.host)),
        });
    let start = format!("http://acme.example:{}/", server.address.port());
    let known = |allowed: &[&str]| {
        let mut settings = resolving_here(&["acme.example", "www.acme.example"]);
        settings.resolver.allowed.0 = allowed.iter().map(|net| net.parse().unwrap()).collect();
        settings.resolver.source = HostSource::command_line(&Url::parse(&start).unwrap());
        settings
    };
    let (live, _folder) = crawled(&start, known(&["127.0.0.0/8"])).unwrap();
    assert_eq!(live.root.host_str(), Some("www.acme.example"));
    let error = crawled(&start, known(&[])).err().unwrap().to_string();
    assert!(error.ends_with("127.0.0.1 is not a public address"), "{error}");
}
