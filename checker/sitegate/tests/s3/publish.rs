//! Tests publishing to a bucket without faults, and the guards that stop it.

use super::server::{Conditions, READER, Server, Settings};
use super::site::{Site, is_version, page_text, public_objects};
use crate::outcome::{all_output, assert_exit};

fn keys(value: &serde_json::Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect()
}

/// Returns the written keys in order, without the target state.
fn written_keys(server: &Server) -> Vec<String> {
    let log = server.log();
    let prefix = format!("PUT /{}/", server.bucket);
    let puts = log.iter().filter_map(|line| line.strip_prefix(&prefix));
    puts.filter(|key| !key.starts_with(".sitegate/")).map(str::to_owned).collect()
}

#[test]
fn publishes_in_order_with_headers_and_both_path_variants() {
    let (site, server) = (Site::new(), Server::in_memory(Settings { page: 3, ..Settings::default() }));
    let result = site.published(&server, &[]);
    assert_eq!((&result["outcome"], &result["summary"]["new"]), (&"published".into(), &9.into()));
    is_version(&server.objects(), "one").unwrap();
    let order = written_keys(&server);
    assert_eq!(order[0], "assets/app-6f6e65c4.js");
    assert_eq!(order[1], "robots.txt");
    assert_eq!(order[order.len() - 2..], ["index.html", "sitemap.xml"]);
    assert!(order[2].starts_with("blog/first"), "leaves first: {order:?}");
    let objects = server.objects();
    let header = |key: &str, name: &str| objects[key].headers.get(name).cloned().unwrap_or_default();
    assert_eq!(header("terms", "content-type"), "text/html; charset=utf-8");
    assert_eq!(header("terms", "cache-control"), "public, max-age=0, must-revalidate");
    assert_eq!(header("assets/app-6f6e65c4.js", "cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(header("sitemap.xml", "content-type"), "text/xml; charset=utf-8");
}

#[test]
fn unchanged_release_writes_nothing() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    server.faults(&[]);
    let result = site.published(&server, &[]);
    assert_eq!(result["outcome"], "unchanged");
    let log = server.log();
    assert!(log.len() <= 3 && log.iter().all(|line| line.starts_with("GET")), "{log:?}");
}

#[test]
fn one_changed_page_needs_ten_requests() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    let edited = page_text("one").replace("<title>one", "<title>two");
    site.write("terms/index.html", &edited);
    site.seal();
    server.faults(&[]);
    let result = site.published(&server, &[]);
    assert_eq!(keys(&result["changed"]), ["terms", "terms/index.html"]);
    let log = server.log();
    assert!(log.len() <= 10, "{} requests: {log:#?}", log.len());
    assert_eq!(server.objects()["terms"].body, edited.as_bytes());
}

#[test]
fn guard_stops_a_file_without_media_type() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.write("data.unheardof", "x");
    site.seal();
    assert_exit(&site.publish(&server, &[]), 4, &["data.unheardof", "Content-Type"]);
}

/// iOS requests this name, without an extension.
#[test]
fn names_that_apps_request_have_a_media_type() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.write(".well-known/apple-app-site-association", "{}");
    site.write(".well-known/assetlinks.json", "[]");
    site.seal();
    site.published(&server, &[]);
    for name in ["apple-app-site-association", "assetlinks.json"] {
        let object = &server.objects()[&format!(".well-known/{name}")];
        assert_eq!(object.headers["content-type"], "application/json");
    }
}

#[test]
fn guard_stops_placeholders_in_a_bucket() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    let page = format!("{}<a href=\"https://www.example.com/\">x</a>", page_text("one"));
    site.write("terms/index.html", &page);
    site.seal();
    assert_exit(
        &site.publish(&server, &[]),
        4,
        &["placeholder host: `www.example.com`", "--allow-placeholders"],
    );
    assert!(server.objects().is_empty());
    site.published(&server, &["--allow-placeholders"]);
}

#[test]
fn rejects_precompress_for_a_bucket() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    assert_exit(&site.publish(&server, &["--precompress"]), 2, &["let the CDN compress"]);
    assert!(server.objects().is_empty());
}

#[test]
fn writes_only_below_the_prefix() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    server.change("index.html", "not ours");
    let url = server.url();
    let target = format!("s3://{}/deep/er", server.bucket);
    let args = ["publish", &target, "export", "--seal", "seal.json", "--endpoint", &url];
    assert_exit(&site.command(&args).output().unwrap(), 0, &[]);
    let objects = server.objects();
    assert_eq!(objects["index.html"].body, b"not ours");
    assert!(objects.keys().all(|key| key == "index.html" || key.starts_with("deep/er/")));
    assert!(objects.contains_key("deep/er/terms"));
}

#[test]
fn distinguishes_wrong_credentials_from_a_wrong_clock() {
    let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
    for (key, secret, word) in
        [("AKTEST", "wrong", "SignatureDoesNotMatch"), ("AKNONE", "SKTEST", "InvalidAccessKeyId")]
    {
        let mut command = site.on(&server, "publish", &[]);
        assert_exit(
            &command.env("AWS_ACCESS_KEY_ID", key).env("AWS_SECRET_ACCESS_KEY", secret).output().unwrap(),
            3,
            &[word],
        );
    }
    let mut command = site.on(&server, "publish", &[]);
    assert_exit(&command.env("AWS_ACCESS_KEY_ID", READER).output().unwrap(), 3, &["AccessDenied"]);
    assert!(public_objects(&server.objects()).is_empty());
    let server = Server::start(Settings { skew: 3600, ..Settings::default() });
    assert_exit(&site.publish(&server, &[]), 3, &["clock"]);
}

#[test]
fn allows_http_only_on_this_machine() {
    let site = Site::new();
    let args = ["publish", "s3://site", "export", "--seal", "seal.json", "--endpoint", "http://192.0.2.1:9"];
    assert_exit(&site.command(&args).output().unwrap(), 2, &["--allow-http"]);
}

#[test]
fn finds_out_which_conditions_a_store_supports() {
    for (conditions, replace) in [(Conditions::Ignored, "ignored"), (Conditions::Bare, "bare")] {
        let (site, server) = (Site::new(), Server::start(Settings { conditions, ..Settings::default() }));
        let output = site.publish(&server, &[]);
        assert_exit(&output, 0, &[]);
        let warns = all_output(&output).contains("ignores conditional writes");
        assert_eq!(warns, conditions == Conditions::Ignored, "{}", all_output(&output));
        site.version("two");
        site.published(&server, &[]);
        is_version(&server.objects(), "two").unwrap();
        let objects = server.objects();
        let (_, run) = objects.iter().rfind(|(key, _)| key.starts_with(".sitegate/runs/")).unwrap();
        let promise = format!("\"replace\":\"{replace}\"");
        assert!(String::from_utf8_lossy(&run.body).contains(&promise), "{:?}", run.body);
    }
}

#[test]
fn page_with_a_redirect_is_not_reported_as_gone() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    std::fs::remove_dir_all(site.path("export/blog")).unwrap();
    let moved = "[[redirects]]\nfrom = \"/blog/first/\"\nto = \"/terms\"\n";
    std::fs::write(site.path("sitegate.toml"), moved).unwrap();
    site.seal();
    let result = site.published(&server, &[]);
    assert_eq!(keys(&result["changed"]), ["blog/first", "blog/first/index.html"]);
    for key in ["blog/first", "blog/first/index.html"] {
        let page = server.objects()[key].clone();
        let text = String::from_utf8(page.body).unwrap();
        assert!(text.contains("http-equiv=\"refresh\" content=\"0; url=/terms\""), "{text}");
        assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    }
    site.write("blog/first/index.html", "<!doctype html><title>Back</title>");
    site.seal();
    let output = site.publish(&server, &[]);
    assert_exit(&output, 2, &[]);
    assert_exit(&site.command(&["check", "export"]).output().unwrap(), 0, &[]);
    for (from, to) in
        [("old", "/x"), ("/a b", "/x"), ("/old", "javascript:x"), ("/old", "//evil.example"), ("/../x", "/")]
    {
        let text = format!("[[redirects]]\nfrom = {from:?}\nto = {to:?}\n");
        std::fs::write(site.path("sitegate.toml"), text).unwrap();
        let output = site.command(&["check", "export"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{from} {to}: {}", all_output(&output));
    }
}

/// S3's website endpoints answer such an object with a 301, which keeps the fragment.
#[test]
fn redirects_of_a_website_are_written_as_redirects_of_objects() {
    let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
    let contract = |host: &str, to: &str| {
        let moved = format!("[[redirects]]\nfrom = \"/old\"\nto = {to:?}\n");
        std::fs::write(site.path("sitegate.toml"), format!("[site]\nhost = {host:?}\n{moved}")).unwrap();
        site.seal();
    };
    let location = |key: &str| server.objects()[key].headers.get("x-amz-website-redirect-location").cloned();
    contract("s3-website", "/terms/?a=1&b=2#top");
    site.published(&server, &[]);
    for key in ["old", "old/index.html"] {
        assert_eq!(location(key).as_deref(), Some("/terms/?a=1&b=2#top"), "{key}");
    }
    assert_eq!(location("index.html"), None);
    let result = site.published(&server, &[]);
    assert_eq!(result["outcome"], "unchanged");
    // Only the header changes, and a rollback writes it again.
    contract("cloudfront", "/terms/?a=1&b=2#top");
    site.published(&server, &[]);
    assert_eq!(location("old"), None);
    assert_exit(&site.on(&server, "rollback", &[]).output().unwrap(), 0, &[]);
    assert_eq!(location("old/index.html").as_deref(), Some("/terms/?a=1&b=2#top"));
}

/// A bucket with more objects than one page of a listing, some of them foreign.
#[test]
fn lists_a_large_bucket_completely() {
    let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
    for number in 0..3000 {
        site.write(&format!("notes/{number:04}.txt"), "one");
    }
    site.seal();
    for number in 0..300 {
        server.change(&format!("notes/{number:04}-foreign.txt"), "not ours");
    }
    server.change("zebra.txt", "not ours");
    site.published(&server, &[]);
    server.faults(&[]);
    let result = site.published(&server, &[]);
    assert_eq!((&result["outcome"], &result["summary"]["unchanged"]), (&"unchanged".into(), &3009.into()));
    assert!(server.log().len() < 12, "{:?}", server.log());
    server.change("notes/2999.txt", "two");
    server.remove("notes/1500.txt");
    assert_exit(&site.publish(&server, &[]), 4, &["changed  notes/2999.txt", "deleted  notes/1500.txt"]);
    assert_eq!(server.objects()["notes/0299-foreign.txt"].body, b"not ours");
}
