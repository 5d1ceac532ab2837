//! Checks external links against servers on this machine, each with a different fault.
#![allow(clippy::unwrap_used)]

mod crawl;
mod hostile;
mod private_addresses;
mod profiles;
mod server;
mod tls;

use std::collections::HashMap;
use std::io::Write;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use sitegate_check::{ExternalAnswer, ExternalVerdict};
use sitegate_network::{Answers, ExternalCheck, HostSettings, Settings};
use url::Url;

use server::{Reply, Server};
use tls::{Authority, Certificate, Speech, TlsServer};

const MS: Duration = Duration::from_millis(1);

/// Returns settings with short pauses that allow requests to this machine.
fn settings() -> Settings {
    let mut settings = Settings { pause: 20 * MS, proxy: false, ..Settings::default() };
    settings.host.interval = Duration::ZERO;
    settings.resolver.allowed.0 = vec!["127.0.0.0/8".parse().unwrap()];
    settings
}

/// Returns settings that resolve some names to this machine.
fn resolving_here(names: &[&str]) -> Settings {
    let mut some = settings();
    for name in names {
        some.resolver.known.insert((*name).to_owned(), vec!["127.0.0.1".parse().unwrap()]);
    }
    some
}

/// Returns settings that trust an authority, and find the server of its certificates.
fn trusting(authority: &Authority) -> Settings {
    Settings { authorities: vec![authority.pem()], ..resolving_here(&["server.example"]) }
}

fn check(settings: Settings, urls: impl IntoIterator<Item = impl AsRef<str>>) -> Answers {
    check_with_cache(settings, HashMap::new(), urls)
}

fn check_with_cache(
    settings: Settings,
    cached: HashMap<String, ExternalAnswer>,
    urls: impl IntoIterator<Item = impl AsRef<str>>,
) -> Answers {
    let check = ExternalCheck::start(settings, cached).unwrap();
    let sender = check.sender();
    for url in urls {
        assert!(sender.send(Url::parse(url.as_ref()).unwrap()));
    }
    drop(sender);
    check.finish(|_| {}).unwrap()
}

/// Checks one URL.
fn verdict(settings: Settings, url: &str) -> ExternalVerdict {
    let answers = check(settings, [url]);
    assert_eq!(answers.by_url.len(), 1);
    answers.by_url.into_values().next().unwrap().verdict
}

/// Checks that no link has another verdict than that it is there.
#[track_caller]
fn assert_all_there(answers: &Answers) {
    let wrong = answers.by_url.iter().find(|(_, answer)| answer.verdict != ExternalVerdict::There);
    assert_eq!(wrong, None);
}

fn broken(reason: &str) -> ExternalVerdict {
    ExternalVerdict::Broken(reason.to_owned())
}

fn unverified(reason: &str) -> ExternalVerdict {
    ExternalVerdict::Unverified(reason.to_owned())
}

#[test]
fn requests_each_url_once() {
    let server = Server::start(|_, _| Reply::status(200));
    let answers = check(settings(), [server.url("/a"), server.url("/a"), server.url("/a"), server.url("/b")]);
    assert_eq!(server.lines().len(), 2);
    assert_all_there(&answers);
}

#[test]
fn statuses_map_to_verdicts() {
    let server = Server::start(|requests, _| Reply::status(requests.path[1..].parse().unwrap()));
    let of = |status: u16| verdict(Settings { retries: 0, ..settings() }, &server.url(&format!("/{status}")));
    assert_eq!(of(200), ExternalVerdict::There);
    assert_eq!(of(204), ExternalVerdict::There);
    assert_eq!(of(404), broken("it answers 404 Not Found"));
    assert_eq!(of(410), broken("it answers 410 Gone"));
    assert_eq!(of(418), broken("it answers 418 I'm a teapot"));
    assert_eq!(of(500), broken("it answers 500 Internal Server Error"));
    for (status, words) in
        [(401, "401 Unauthorized"), (403, "403 Forbidden"), (429, "429 Too Many Requests"), (999, "999")]
    {
        assert_eq!(of(status), unverified(&format!("it answers {words}")));
    }
}

#[test]
fn falls_back_to_get_if_head_fails() {
    let statuses = [405, 501, 404, 403, 500].map(Reply::status);
    for refusal in statuses.into_iter().chain([Reply::HangUp]) {
        let server = Server::start(move |request, _| match request.method.as_str() {
            "HEAD" => refusal.clone(),
            _ => Reply::status(200),
        });
        assert_eq!(verdict(settings(), &server.url("/")), ExternalVerdict::There);
        let lines = server.lines();
        assert_eq!(lines.last().unwrap(), "GET /", "{lines:?}");
    }
}

#[test]
fn finds_fragments_in_the_page() {
    let server = Server::start(|requests, _| match requests.path.as_str() {
        "/page" => Reply::page("<!doctype html><h2 id=one>One</h2><a name=old>x</a>"),
        "/moved" => Reply::to(301, "/page"),
        "/moved-with-fragment" => Reply::to(301, "/moved#old"),
        _ => Reply::Answer(200, vec![("content-type", "application/pdf".to_owned())], b"%PDF".to_vec()),
    });
    let urls = [
        "/page#one",
        "/page#two",
        "/page#old",
        "/page",
        "/page#top",
        "/moved#one",
        "/moved#zero",
        "/moved-with-fragment#zero",
        "/file.pdf#page=3",
    ];
    let answers = check(settings(), urls.map(|path| server.url(path)));
    let page = &answers.by_url[&server.url("/page")];
    assert_eq!((&page.verdict, &page.missing), (&ExternalVerdict::There, &["two".to_owned()].into()));
    let moved = &answers.by_url[&server.url("/moved")];
    assert_eq!(
        (&moved.verdict, &moved.missing),
        (&ExternalVerdict::Moved(server.url("/page")), &["zero".to_owned()].into())
    );
    // The fragment of a redirect has precedence, and the next redirect keeps it.
    let with_fragment = &answers.by_url[&server.url("/moved-with-fragment")];
    assert_eq!(
        (&with_fragment.verdict, &with_fragment.missing),
        (&ExternalVerdict::Moved(server.url("/page#old")), &[].into())
    );
    assert_eq!(answers.by_url[&server.url("/file.pdf")].missing, [].into());
    // Once, or twice if a link with a fragment comes after the first request.
    assert!(server.requests().len() <= 14, "{:?}", server.lines());
}

/// Redirects and sets a cookie, without which the target may redirect again.
fn with_cookie(location: &str) -> Reply {
    let headers = vec![("location", location.to_owned()), ("set-cookie", "s=1".to_owned())];
    Reply::Answer(302, headers, Vec::new())
}

#[test]
fn follows_redirects_and_reports_permanent_ones() {
    let server = Server::start(|requests, _| match requests.path.as_str() {
        "/new" | "/login" => Reply::status(200),
        "/old" => Reply::to(301, "/older"),
        "/older" => Reply::to(308, "/new#part"),
        "/now" => Reply::to(302, "/new"),
        "/mixed" => Reply::to(301, "/for-now"),
        "/for-now" => Reply::to(307, "/login"),
        "/gone" => Reply::to(301, "/nowhere"),
        "/circle" => Reply::to(302, "/elcric"),
        "/elcric" => Reply::to(302, "/circle"),
        "/cookie" => with_cookie("/cookie"),
        "/first-cookie" => with_cookie("/circle"),
        "/session/1" => with_cookie("/long/2"),
        "/mail" => Reply::to(302, "mailto:team@example.com"),
        "/nothing" => Reply::status(301),
        path if path.starts_with("/long/") => {
            Reply::to(302, &format!("/long/{}", path[6..].parse::<u32>().unwrap() + 1))
        }
        _ => Reply::status(404),
    });
    let of = |path: &str| verdict(settings(), &server.url(path));
    assert_eq!(of("/old"), ExternalVerdict::Moved(server.url("/new#part")));
    assert_eq!(of("/now"), ExternalVerdict::There);
    assert_eq!(of("/mixed"), ExternalVerdict::Moved(server.url("/for-now")));
    assert_eq!(of("/gone"), broken("it answers 404 Not Found"));
    assert_eq!(of("/circle"), broken("it redirects in a loop"));
    assert_eq!(of("/long/1"), broken("it redirects more than 10 times"));
    for path in ["/cookie", "/first-cookie"] {
        assert_eq!(of(path), unverified("it redirects in a loop without its cookies, which are not kept"));
    }
    let reason = "it redirects more than 10 times without its cookies, which are not kept";
    assert_eq!(of("/session/1"), unverified(reason));
    assert_eq!(of("/mail"), unverified("it redirects to a `mailto:` URL, which cannot be requested"));
    assert_eq!(of("/nothing"), broken("it answers 301 Moved Permanently without a target"));
}

#[test]
fn retries_transient_failures() {
    let server = Server::start(|requests, before| match (requests.path.as_str(), before) {
        ("/busy", 0) => Reply::Answer(429, vec![("retry-after", "1".to_owned())], Vec::new()),
        ("/torn", 0 | 1) if requests.method == "GET" => Reply::HangUp,
        ("/torn", _) if requests.method == "HEAD" => Reply::HangUp,
        ("/ill", 0) => Reply::status(502),
        ("/always", _) => Reply::status(503),
        _ => Reply::status(200),
    });
    let start = Instant::now();
    assert_eq!(verdict(settings(), &server.url("/busy")), ExternalVerdict::There);
    assert!(start.elapsed() >= Duration::from_secs(1), "the server asked for a pause of one second");
    assert_eq!(verdict(settings(), &server.url("/torn")), ExternalVerdict::There);
    assert_eq!(verdict(settings(), &server.url("/ill")), ExternalVerdict::There);
    assert_eq!(verdict(settings(), &server.url("/always")), unverified("it answers 503 Service Unavailable"));
    assert_eq!(server.lines().iter().filter(|line| line.ends_with("/always")).count(), 3);
}

#[test]
fn distinguishes_failures() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert_eq!(verdict(settings(), &format!("http://{closed}/")), broken("it refuses connections"));
    let mut unresolved = settings();
    unresolved.resolver.known.insert("gone.example".to_owned(), Vec::new());
    assert_eq!(verdict(unresolved, "http://gone.example/"), broken("no such host"));
    let noise = Server::start(|_, _| Reply::Stuck(b"SSH-2.0-OpenSSH_9.2\r\n\r\n".to_vec()));
    assert_eq!(verdict(settings(), &noise.url("/")), broken("its answer is not HTTP, or was cut off"));
    let plain = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/", plain.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in plain.incoming() {
            let _ = stream.unwrap().write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let found = verdict(settings(), &url);
    assert!(matches!(&found, ExternalVerdict::Broken(reason) if reason.starts_with("TLS: ")), "{found:?}");
}

#[test]
fn distinguishes_certificate_errors() {
    let (trusted, unknown) = (Authority::new("trusted"), Authority::new("unknown"));
    let some = trusting(&trusted);
    let of = |authority: &Authority, certificate: Certificate| {
        let server = TlsServer::start(authority, certificate, Speech::Http1);
        verdict(some.clone(), &server.url())
    };
    assert_eq!(of(&trusted, Certificate::Good), ExternalVerdict::There);
    assert_eq!(of(&trusted, Certificate::Expired), broken("its certificate has expired"));
    assert_eq!(of(&trusted, Certificate::OfAnotherName), broken("its certificate is for another name"));
    assert_eq!(
        of(&unknown, Certificate::Good),
        broken("its certificate is not signed by a trusted authority")
    );
}

#[test]
fn uses_http_2_and_reconnects_if_a_server_closes_connections() {
    let authority = Authority::new("trusted");
    for (speech, connections) in
        [(Speech::Http2, 1), (Speech::Http2GoingAway, 4), (Speech::Http2BreakingOff, 4)]
    {
        let server = TlsServer::start(&authority, Certificate::Good, speech);
        let urls = (0..20).map(|number| format!("{}{number}", server.url()));
        assert_all_there(&check(trusting(&authority), urls));
        assert!(server.connections() >= connections, "{}", server.connections());
        if speech == Speech::Http2 {
            assert_eq!(server.versions(), [http::Version::HTTP_2; 20]);
        }
    }
}

#[test]
fn connects_to_allowed_addresses_of_a_name_only() {
    let server = Server::start(|_, _| Reply::status(200));
    let mut known = settings();
    known.resolver.allowed.0 = vec!["127.0.0.1/32".parse().unwrap()];
    // Of the addresses of a name, only the allowed ones are used.
    let both = vec!["127.0.0.2".parse().unwrap(), "127.0.0.1".parse().unwrap()];
    known.resolver.known.insert("both.example".to_owned(), both);
    assert_eq!(
        verdict(known, &format!("http://both.example:{}/", server.address.port())),
        ExternalVerdict::There
    );
    assert_eq!(server.requests()[0].host, format!("both.example:{}", server.address.port()));
}

#[test]
fn sends_headers_to_their_exact_origin_only() {
    let other = Server::start(|_, _| Reply::status(200));
    let to = other.url("/");
    let server = Server::start(move |_, _| Reply::to(302, &to));
    let secret = HostSettings {
        headers: vec![("authorization".to_owned(), "Bearer sample".to_owned())],
        ..settings().host
    };
    let of = |key: String| {
        let mut some = settings();
        some.hosts.insert(key, secret.clone());
        some
    };
    // Over http they would not be encrypted, and the name alone means the default port.
    for key in [server.address.to_string(), "127.0.0.1".to_owned(), "http://127.0.0.1".to_owned()] {
        assert_eq!(check(of(key.clone()), [server.url("/")]).by_url.len(), 1);
        assert!(!server.requests().last().unwrap().headers.contains_key("authorization"), "{key}");
    }
    let url = server.url("/").replace("http://", "http://name:password@");
    assert_eq!(check(of(format!("http://{}", server.address)), [url]).by_url.len(), 1);
    assert_eq!(server.requests().last().unwrap().headers["authorization"], "Bearer sample");
    // The other server has the same name, and another port.
    assert!(other.requests().iter().all(|requests| !requests.headers.contains_key("authorization")));
    assert!(other.requests()[0].headers["user-agent"].starts_with("sitegate/"));
}

#[test]
fn reads_an_endless_page_up_to_the_limits() {
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..64 {
        bomb.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    let bomb = bomb.finish().unwrap();
    let server = Server::start(move |requests, _| match requests.path.as_str() {
        "/bomb" => Reply::Answer(
            200,
            vec![("content-type", "text/html".to_owned()), ("content-encoding", "gzip".to_owned())],
            bomb.clone(),
        ),
        _ => Reply::Stuck(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<p id=a>".to_vec()),
    });
    let bounded = Settings { page_bytes: 1 << 20, whole: Duration::from_millis(500), ..settings() };
    let answers = check(bounded, [server.url("/bomb#x"), server.url("/slow#x")]);
    for path in ["/bomb", "/slow"] {
        let answer = &answers.by_url[&server.url(path)];
        assert_eq!((&answer.verdict, answer.missing.len()), (&ExternalVerdict::There, 0), "{path}");
    }
}

#[test]
fn keeps_the_pace_of_a_host() {
    let server = Server::start(|_, _| Reply::Late(30 * MS, Box::new(Reply::status(200))));
    let mut polite = settings();
    polite.host = HostSettings { concurrency: 3, interval: 20 * MS, ..HostSettings::default() };
    let urls: Vec<String> = (0..30).map(|number| server.url(&format!("/{number}"))).collect();
    let start = Instant::now();
    let answers = check(polite, &urls);
    let took = start.elapsed();
    assert!(server.max_concurrent() <= 3);
    assert!(took >= 29 * 20 * MS, "{took:?}");
    let [host] = &answers.hosts[..] else { panic!("{:?}", answers.hosts) };
    assert_eq!((host.name.as_str(), host.requests), (server.address.to_string().as_str(), 30));
}

#[test]
fn reads_ids_of_pages_in_utf_16() {
    let html = "<!doctype html><a href=/>x</a><h2 id=größe>x</h2>";
    let server = Server::start(move |request, _| {
        let units = html.encode_utf16();
        let (charset, body): (_, Vec<u8>) = match request.path.as_str() {
            "/little" => ("; charset=UTF-16", units.flat_map(u16::to_le_bytes).collect()),
            "/big" => ("; charset=\"utf-16be\"", units.flat_map(u16::to_be_bytes).collect()),
            "/mark" => ("", [0xFEFF].into_iter().chain(units).flat_map(u16::to_be_bytes).collect()),
            // A mark of UTF-8 comes before the header.
            _ => ("; charset=utf-16", format!("\u{feff}{html}").into_bytes()),
        };
        Reply::Answer(200, vec![("content-type", format!("text/html{charset}"))], body)
    });
    let paths = ["/little", "/big", "/mark", "/utf-8"];
    let urls = paths.map(|path| ["#gr%C3%B6%C3%9Fe", "#no"].map(|id| server.url(&format!("{path}{id}"))));
    let answers = check(settings(), urls.concat());
    for path in paths {
        assert_eq!(answers.by_url[&server.url(path)].missing, ["no".to_owned()].into(), "{path}");
    }
}

#[test]
fn accepts_many_and_folded_headers_and_hints_before_an_answer() {
    let many: Vec<String> = (0..1_000).map(|number| format!("x-{number}: y\r\n")).collect();
    let hints = "HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n".repeat(100);
    for (before, headers) in [("", &*many.concat()), ("", "x-a: b\r\n c\r\n\td\r\n"), (&hints, "")] {
        let head = format!("{before}HTTP/1.1 200 OK\r\n{headers}content-length: 0\r\n\r\n");
        let server = Server::start(move |_, _| Reply::Stuck(head.clone().into_bytes()));
        assert_eq!(verdict(settings(), &server.url("/")), ExternalVerdict::There);
    }
}

#[test]
fn does_not_request_cached_answers() {
    let server = Server::start(|_, _| Reply::page("<p id=new>"));
    let there = ExternalAnswer {
        verdict: ExternalVerdict::There,
        missing: ["no".to_owned()].into(),
        present: ["yes".to_owned()].into(),
    };
    let cached = ["/a", "/b"].map(|path| (server.url(path), there.clone())).into();
    let urls = ["/a#yes", "/a#no", "/b#new"].map(|path| server.url(path));
    let answers = check_with_cache(settings(), cached, urls);
    assert_eq!(server.lines(), ["GET /b"]);
    assert_eq!(answers.by_url[&server.url("/a")].missing, ["no".to_owned()].into());
    assert_eq!(answers.requested.len(), 1);
}

#[test]
fn a_check_can_be_stopped() {
    // The answer is later than the interval between two snapshots of the progress, so that the next one counts it.
    let server = Server::start(|requests, _| match requests.path.as_str() {
        "/quick" => Reply::Late(250 * MS, Box::new(Reply::status(404))),
        _ => Reply::Hang,
    });
    let check = ExternalCheck::start(settings(), HashMap::new()).unwrap();
    let sender = check.sender();
    for path in ["/quick", "/slow"] {
        sender.send(Url::parse(&server.url(path)).unwrap());
    }
    let start = Instant::now();
    while check.progress().done == 0 && start.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(10 * MS);
    }
    check.stop();
    let answers = check.finish(|_| {}).unwrap();
    assert!(start.elapsed() < Duration::from_secs(6));
    assert_eq!(answers.by_url[&server.url("/quick")].verdict, broken("it answers 404 Not Found"));
    assert_eq!(
        answers.by_url[&server.url("/slow")].verdict,
        unverified("the check was stopped before it answered")
    );
}

#[test]
fn checks_ten_thousand_links_and_ten_thousand_hosts() {
    let server = Server::start(|_, _| Reply::status(200));
    let mut wide = settings();
    wide.host.concurrency = 32;
    let links: Vec<String> = (0..10_000).map(|number| server.url(&format!("/{number}"))).collect();
    assert_eq!(check(wide.clone(), &links).requests, 10_000);
    let name = |number: u32| format!("host{number}.example");
    for number in 0..10_000u32 {
        wide.resolver.known.insert(name(number), vec!["127.0.0.1".parse().unwrap()]);
    }
    let port = server.address.port();
    let hosts: Vec<String> = (0..10_000).map(|number| format!("http://{}:{port}/", name(number))).collect();
    let answers = check(wide, &hosts);
    assert_eq!(answers.hosts.len(), 10_000);
    assert_all_there(&answers);
}
