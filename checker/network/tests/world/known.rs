//! What is known of hosts, and what is set for one: statuses, methods, headers, fragments.

use std::time::Instant;

use sitegate_check::internal::external::ExternalVerdict;
use sitegate_network::{HostSettings, Settings};

use crate::server::{Reply, Server};
use crate::{ask, broken, settings, unverified, verdict};

/// Settings by which some names lead to this machine.
fn leading_here(names: &[&str]) -> Settings {
    let mut some = settings();
    for name in names {
        some.resolver.known.insert((*name).to_owned(), vec!["127.0.0.1".parse().unwrap()]);
    }
    some
}

#[test]
fn statuses_mean_what_is_known_or_set_of_their_host() {
    let server = Server::start(|asked, _| Reply::status(asked.path[1..].parse().unwrap()));
    let port = server.address.port();
    let mut some = leading_here(&["www.linkedin.com", "www.acme.test"]);
    let of = |settings: &Settings, host: &str, status: u16| {
        verdict(Settings { retries: 0, ..settings.clone() }, &format!("http://{host}:{port}/{status}"))
    };
    assert_eq!(of(&some, "www.linkedin.com", 200), ExternalVerdict::There);
    assert_eq!(of(&some, "www.linkedin.com", 404), unverified("it answers 404 Not Found"));
    assert_eq!(of(&some, "www.acme.test", 404), broken("it answers 404 Not Found"));
    assert_eq!(of(&some, "www.acme.test", 403), unverified("it answers 403 Forbidden"));
    some.hosts
        .insert("www.acme.test".to_owned(), HostSettings { accept: vec![403, 503], ..some.host.clone() });
    some.hosts.insert("www.linkedin.com".to_owned(), HostSettings { profile: false, ..some.host.clone() });
    assert_eq!(of(&some, "www.acme.test", 403), ExternalVerdict::There);
    assert_eq!(of(&some, "www.acme.test", 503), ExternalVerdict::There);
    assert_eq!(of(&some, "www.acme.test", 404), broken("it answers 404 Not Found"));
    assert_eq!(of(&some, "www.linkedin.com", 404), broken("it answers 404 Not Found"));
}

#[test]
fn a_login_says_nothing_where_a_host_is_known_to_lead_strangers_there() {
    let server = Server::start(|asked, _| match asked.path.as_str() {
        "/accounts/login/" | "/login" => Reply::status(200),
        "/someone" => Reply::to(302, "/accounts/login/"),
        "/dashboard" => Reply::to(302, "/login"),
        _ => Reply::status(404),
    });
    let port = server.address.port();
    let some = leading_here(&["www.instagram.com", "app.acme.test"]);
    let of = |host: &str, path: &str| verdict(some.clone(), &format!("http://{host}:{port}{path}"));
    assert_eq!(of("www.instagram.com", "/someone"), unverified("it leads to a login"));
    assert_eq!(of("www.instagram.com", "/accounts/login/"), ExternalVerdict::There);
    assert_eq!(of("app.acme.test", "/dashboard"), ExternalVerdict::There);
}

#[test]
fn fragments_of_well_known_hosts_are_looked_for_as_their_scripts_do() {
    let server = Server::start(|_, _| {
        Reply::page("<!doctype html><a href=/>x</a><h2 id=user-content-install>Install</h2>")
    });
    let port = server.address.port();
    let some = leading_here(&["github.com"]);
    let url = |rest: &str| format!("http://github.com:{port}{rest}");
    let answers =
        ask(some.clone(), [url("/a#install"), url("/a#instal"), url("/b#L10-L20"), url("/c#readme")]);
    assert_eq!(answers.by_url[&url("/a")].missing, ["instal".to_owned()].into());
    assert_eq!(answers.by_url[&url("/b")].missing, [].into());
    let mut lines = server.lines();
    lines.sort();
    lines.dedup();
    assert_eq!(lines, ["GET /a", "HEAD /b", "HEAD /c"]);
}

#[test]
fn words_to_find_and_routes_need_no_page() {
    let server = Server::start(|_, _| Reply::page("<!doctype html><a href=/>x</a><h2 id=one>One</h2>"));
    let answers = ask(
        settings(),
        ["/a#:~:text=words", "/b#/users/1", "/c#!/users", "/d#one:~:text=words"].map(|path| server.url(path)),
    );
    assert!(answers.by_url.values().all(|answer| answer.missing.is_empty()), "{:?}", answers.by_url);
    let mut lines = server.lines();
    lines.sort();
    assert_eq!(lines, ["GET /d", "HEAD /a", "HEAD /b", "HEAD /c"]);
}

#[test]
fn a_host_can_be_asked_by_get_alone_and_with_headers_in_the_place_of_ours() {
    let server = Server::start(|asked, _| {
        let wants = asked.headers["accept"] == "text/plain" && asked.headers["user-agent"] == "acme";
        Reply::status(if wants { 200 } else { 404 })
    });
    let mut some = settings();
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let headers = vec![header("Accept", "text/plain"), header("User-Agent", "acme")];
    let named = HostSettings { get: true, headers, over_http: true, ..some.host.clone() };
    some.hosts.insert(server.address.to_string(), named);
    assert_eq!(verdict(some, &server.url("/")), ExternalVerdict::There);
    assert_eq!(server.lines(), ["GET /"]);
}

#[test]
fn a_known_host_is_asked_at_the_pace_that_suits_it_unless_somebody_chose() {
    let server = Server::start(|_, _| Reply::status(200));
    let port = server.address.port();
    let some = leading_here(&["github.com"]);
    let took = |settings: &Settings| {
        let urls = (0..4).map(|number| format!("http://github.com:{port}/{number}"));
        let start = Instant::now();
        ask(settings.clone(), urls);
        start.elapsed()
    };
    assert!(took(&some).as_millis() >= 600);
    let mut chosen = some.clone();
    let own = HostSettings { is_pace_chosen: true, ..some.host.clone() };
    chosen.hosts.insert("github.com".to_owned(), own);
    // Other work on the machine may hold one of them up.
    assert!((0..3).any(|_| took(&chosen).as_millis() < 300));
}
