//! Tests that no way of sending requests reaches a private address that content names, however it is written.

use std::collections::BTreeSet;

use sitegate_check::FetchedInventory;
use sitegate_network::{Crawl, GuardedClient, HostSource, InventoryCache, Settings, fetch_inventories};
use url::Url;

use crate::crawl::crawl_settings;
use crate::server::{Reply, Server};
use crate::{check, resolving_here, unverified};

/// The host that the command line names. It is on this machine.
const NAMED: &str = "named.example";

/// A name in public DNS with a private address.
const REBOUND: &str = "rebound.example";

/// Notations of the address of the server, for a URL.
const PRIVATE: [&str; 21] = [
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
    "127。0。0。1",
    "0.0.0.0",
    "0",
    "localhost",
    "LOCALHOST.",
    "any.localhost",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::1]",
    "[64:ff9b::127.0.0.1]",
    REBOUND,
];

/// Settings of requests that the command line starts at [`NAMED`].
fn strict() -> Settings {
    let mut strict = resolving_here(&[NAMED, REBOUND]);
    strict.resolver.allowed.0.clear();
    strict.resolver.source = HostSource::command_line(&url(&format!("http://{NAMED}/")));
    strict
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// Starts a server that redirects `/N` to `/private` at the notation N, and has a page that links to all of these.
fn redirecting() -> Server {
    Server::start(|request, _| {
        let port = request.host.rsplit_once(':').map_or("80", |(_, port)| port);
        let number = request.path[1..].parse::<usize>();
        match (number, request.path.as_str()) {
            (Ok(number), _) => {
                let status = [301, 302, 303, 307, 308][number % 5];
                Reply::to(status, &format!("http://{}:{port}/private", PRIVATE[number]))
            }
            (_, "/") => {
                let links = (0..PRIVATE.len()).map(|host| format!("<a href=/{host}>x</a>"));
                Reply::page(&links.collect::<String>())
            }
            (_, "/to-itself") => Reply::to(302, &format!("http://NAMED.example.:{port}/list")),
            (_, "/list" | "/private") => Reply::Answer(200, Vec::new(), b"/a/\n".to_vec()),
            _ => Reply::status(404),
        }
    })
}

/// The URLs of redirects to private addresses, and those addresses themselves.
fn all(server: &Server) -> Vec<String> {
    let port = server.address.port();
    let redirects = (0..PRIVATE.len()).map(|number| format!("http://{NAMED}:{port}/{number}"));
    redirects.chain(PRIVATE.iter().map(|host| format!("http://{host}:{port}/private"))).collect()
}

fn assert_no_private_request(server: &Server) {
    let paths: Vec<String> = server.requests().into_iter().map(|request| request.path).collect();
    assert!(!paths.is_empty() && !paths.contains(&"/private".to_owned()), "{paths:?}");
}

#[test]
fn no_link_reaches_it() {
    let server = redirecting();
    let answers = check(strict(), all(&server));
    let rebound = &answers.by_url[&format!("http://{REBOUND}:{}/private", server.address.port())];
    assert_eq!(rebound.verdict, unverified("127.0.0.1 is not a public address"));
    for (url, answer) in answers.by_url {
        let verdict = format!("{:?}", answer.verdict);
        assert!(verdict.contains("is not a public address"), "{url}: {verdict}");
    }
    assert_no_private_request(&server);
}

#[test]
fn no_inventory_is_read_from_it() {
    let server = redirecting();
    let itself = url(&format!("http://{NAMED}:{}/to-itself", server.address.port()));
    let mut urls: BTreeSet<Url> = all(&server).iter().map(|text| url(text)).collect();
    urls.insert(itself.clone());
    let fetched = fetch_inventories(&urls, strict(), &InventoryCache::at(None)).unwrap();
    for (url, answer) in fetched.by_url {
        match answer {
            FetchedInventory::Bytes(bytes, _) => assert_eq!((&url, bytes), (&itself, b"/a/\n".to_vec())),
            FetchedInventory::Failed(reason) => {
                assert!(url != itself && reason.ends_with("is not a public address"), "{url}: {reason}");
            }
        }
    }
    assert_no_private_request(&server);
}

#[test]
fn no_crawl_reaches_it() {
    let server = redirecting();
    let port = server.address.port();
    let folder = tempfile::tempdir().unwrap();
    let start = url(&format!("http://{NAMED}:{port}/"));
    let mut crawl = Crawl::begin(&start, crawl_settings(&folder, strict())).unwrap();
    crawl.fetch::<&[u8]>([], |_| ());
    crawl.probe_behavior();
    assert_no_private_request(&server);
    for address in all(&server) {
        assert!(Crawl::begin(&url(&address), crawl_settings(&folder, strict())).is_err(), "{address}");
    }
    assert_no_private_request(&server);
}

/// Only the host that the command line names is exempt, also in other notations and on other ports of its own.
#[tokio::test]
async fn the_command_line_names_one_host() {
    for (named, request, is_allowed) in [
        ("http://localhost:8080/", "http://localhost/", true),
        ("http://localhost:8080/", "https://LOCALHOST.:1/x", true),
        ("http://localhost/", "http://127.0.0.1/", false),
        ("http://localhost/", "http://x.localhost/", false),
        ("http://localhost/", "http://[::1]/", false),
        ("http://127.0.0.1/", "http://2130706433/", true),
        ("http://127.0.0.1/", "http://127.0.0.2/", false),
        ("http://127.0.0.1/", "http://[::ffff:127.0.0.1]/", false),
        ("http://[::1]/", "http://[0:0::1]/", true),
        ("http://intranet.test/", "http://10.0.0.1/", false),
        ("http://intranet.test/", "http://169.254.169.254/", false),
        ("https://user:password@localhost/", "http://localhost/", true),
        ("https://localhost@public.test/", "http://localhost/", false),
    ] {
        let mut strict = strict();
        strict.resolver.source = HostSource::command_line(&url(named));
        let client = GuardedClient::new(&strict).unwrap();
        let begun = client.request("GET".parse().unwrap(), &url(request)).await;
        assert_eq!(begun.is_ok(), is_allowed, "{named} {request}");
    }
}

#[tokio::test]
async fn content_names_no_private_host_and_an_allowed_one_stays_allowed() {
    let begin = async |settings: &Settings, text: String| {
        let client = GuardedClient::new(settings).unwrap();
        client.request("GET".parse().unwrap(), &url(&text)).await.is_ok()
    };
    let mut content = strict();
    content.resolver.source = HostSource::default();
    assert_eq!(content.resolver.source, HostSource::Content);
    // Names are checked when they are resolved.
    for host in PRIVATE.iter().filter(|host| **host != REBOUND) {
        assert!(!begin(&content, format!("http://{host}/")).await, "{host}");
    }
    content.resolver.allowed.0 = vec!["127.0.0.0/8".parse().unwrap()];
    for host in ["127.0.0.1", "2130706433", "localhost", "[::ffff:127.0.0.1]"] {
        assert!(begin(&content, format!("http://{host}/")).await, "{host}");
    }
    assert!(!begin(&content, "http://10.0.0.1/".to_owned()).await);
}
