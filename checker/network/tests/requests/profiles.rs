//! Tests profiles and settings of hosts: statuses, methods, headers, fragments.

use std::time::Instant;

use sitegate_check::ExternalVerdict;
use sitegate_network::{HostSettings, Settings};

use crate::server::{Reply, Server};
use crate::{broken, check, resolving_here, settings, unverified, verdict};

#[test]
fn statuses_follow_the_profile_or_settings_of_their_host() {
    let server = Server::start(|request, _| Reply::status(request.path[1..].parse().unwrap()));
    let port = server.address.port();
    let mut some = resolving_here(&["www.linkedin.com", "www.acme.test"]);
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
fn a_redirect_to_a_known_login_page_is_unverified() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/accounts/login/" | "/login" => Reply::status(200),
        "/someone" => Reply::to(302, "/accounts/login/"),
        "/dashboard" => Reply::to(302, "/login"),
        _ => Reply::status(404),
    });
    let port = server.address.port();
    let some = resolving_here(&["www.instagram.com", "app.acme.test"]);
    let of = |host: &str, path: &str| verdict(some.clone(), &format!("http://{host}:{port}{path}"));
    assert_eq!(of("www.instagram.com", "/someone"), unverified("it redirects to a login page"));
    assert_eq!(of("www.instagram.com", "/accounts/login/"), ExternalVerdict::There);
    assert_eq!(of("app.acme.test", "/dashboard"), ExternalVerdict::There);
}

#[test]
fn checks_fragments_of_known_hosts_as_their_scripts_do() {
    let server = Server::start(|_, _| {
        Reply::page("<!doctype html><a href=/>x</a><h2 id=user-content-install>Install</h2>")
    });
    let port = server.address.port();
    let some = resolving_here(&["github.com"]);
    let url = |rest: &str| format!("http://github.com:{port}{rest}");
    let answers =
        check(some.clone(), [url("/a#install"), url("/a#instal"), url("/b#L10-L20"), url("/c#readme")]);
    assert_eq!(answers.by_url[&url("/a")].missing, ["instal".to_owned()].into());
    assert_eq!(answers.by_url[&url("/b")].missing, [].into());
    let mut lines = server.lines();
    lines.sort();
    lines.dedup();
    assert_eq!(lines, ["GET /a", "HEAD /b", "HEAD /c"]);
}

#[test]
fn text_fragments_and_routes_need_no_page() {
    let server = Server::start(|_, _| Reply::page("<!doctype html><a href=/>x</a><h2 id=one>One</h2>"));
    let answers = check(
        settings(),
        ["/a#:~:text=words", "/b#/users/1", "/c#!/users", "/d#one:~:text=words"].map(|path| server.url(path)),
    );
    assert!(answers.by_url.values().all(|answer| answer.missing.is_empty()), "{:?}", answers.by_url);
    let mut lines = server.lines();
    lines.sort();
    assert_eq!(lines, ["GET /d", "HEAD /a", "HEAD /b", "HEAD /c"]);
}

#[test]
fn a_host_can_have_get_only_and_headers_of_its_own() {
    let server = Server::start(|request, _| {
        let wants = request.headers["accept"] == "text/plain" && request.headers["user-agent"] == "acme";
        Reply::status(if wants { 200 } else { 404 })
    });
    let mut some = settings();
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let headers = vec![header("Accept", "text/plain"), header("User-Agent", "acme")];
    let named = HostSettings { get: true, headers, ..some.host.clone() };
    some.hosts.insert(format!("http://{}", server.address), named);
    assert_eq!(verdict(some, &server.url("/")), ExternalVerdict::There);
    assert_eq!(server.lines(), ["GET /"]);
}

#[test]
fn a_known_host_has_its_own_pace_unless_set_explicitly() {
    let server = Server::start(|_, _| Reply::status(200));
    let port = server.address.port();
    let some = resolving_here(&["github.com"]);
    let took = |settings: &Settings| {
        let urls = (0..4).map(|number| format!("http://github.com:{port}/{number}"));
        let start = Instant::now();
        check(settings.clone(), urls);
        start.elapsed()
    };
    assert!(took(&some).as_millis() >= 600);
    let mut chosen = some.clone();
    let own = HostSettings { is_pace_chosen: true, ..some.host.clone() };
    chosen.hosts.insert("github.com".to_owned(), own);
    // Other load on the machine may delay one of them.
    assert!((0..3).any(|_| took(&chosen).as_millis() < 300));
}
