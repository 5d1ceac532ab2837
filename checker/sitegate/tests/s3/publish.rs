//! Tests publishing to a bucket without faults, and the guards that stop it.

use super::server::{Conditions, KEY, READER, SECRET, Server, Settings};
use super::site::{Site, is_version, page_text, public_objects};
use crate::outcome::assert_exit;
use crate::publish::site::keys;

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
fn small_changes_need_few_requests() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    server.faults(&[]);
    assert_eq!(site.published(&server, &[])["outcome"], "unchanged");
    let log = server.log();
    assert!(log.len() <= 3 && log.iter().all(|line| line.starts_with("GET")), "{log:?}");
    let edited = page_text("one").replace("<title>one", "<title>two");
    site.write("terms/index.html", &edited);
    site.seal();
    server.faults(&[]);
    assert_eq!(keys(&site.published(&server, &[])["changed"]), ["terms", "terms/index.html"]);
    let log = server.log();
    assert!(log.len() <= 10, "{} requests: {log:#?}", log.len());
    assert_eq!(server.objects()["terms"].body, edited.as_bytes());
}

/// A file, its text, the options of a publish, and its exit code and message.
type Refusal<'a> = (&'a str, &'a str, &'a [&'a str], i32, &'a [&'a str]);

#[test]
fn guards_stop_what_a_bucket_should_not_serve() {
    let placeholder = format!("{}<a href=\"https://www.example.com/\">x</a>", page_text("one"));
    let named = ["placeholder host: `www.example.com`", "--allow-placeholders"];
    let rows: [Refusal<'_>; 3] = [
        ("data.unheardof", "x", &[], 4, &["data.unheardof", "Content-Type"]),
        ("terms/index.html", &placeholder, &[], 4, &named),
        ("robots.txt", "User-agent: *\n", &["--precompress"], 2, &["let the CDN compress"]),
    ];
    for (file, text, options, code, words) in rows {
        let (site, server) = (Site::new(), Server::start(Settings::default()));
        site.write(file, text);
        site.seal();
        site.expect(&server, "publish", options, code, words);
        assert!(server.objects().is_empty(), "{file}");
        if words == named {
            site.published(&server, &["--allow-placeholders"]);
        }
    }
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
fn writes_only_below_the_prefix() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    server.change("index.html", "not ours");
    assert_exit(&site.on_prefix(&server, "/deep/er", "publish", &[]).output().unwrap(), 0, &[]);
    let objects = server.objects();
    assert_eq!(objects["index.html"].body, b"not ours");
    assert!(objects.keys().all(|key| key == "index.html" || key.starts_with("deep/er/")));
    assert!(objects.contains_key("deep/er/terms"));
}

#[test]
fn distinguishes_wrong_credentials_from_a_wrong_clock() {
    let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
    for (key, secret, word) in [
        (KEY, "wrong", "SignatureDoesNotMatch"),
        ("AKNONE", SECRET, "InvalidAccessKeyId"),
        (READER, SECRET, "AccessDenied"),
    ] {
        let mut command = site.on(&server, "publish", &[]);
        command.env("AWS_ACCESS_KEY_ID", key).env("AWS_SECRET_ACCESS_KEY", secret);
        assert_exit(&command.output().unwrap(), 3, &[word]);
    }
    assert!(public_objects(&server.objects()).is_empty());
    let server = Server::start(Settings { skew: 3600, ..Settings::default() });
    site.expect(&server, "publish", &[], 3, &["clock"]);
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
        let printed = site.expect(&server, "publish", &[], 0, &[]);
        let warns = printed.contains("ignores conditional writes");
        assert_eq!(warns, conditions == Conditions::Ignored, "{printed}");
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
    site.expect(&server, "publish", &[], 2, &[]);
    assert_exit(&site.command(&["check", "export"]).output().unwrap(), 0, &[]);
    for (from, to) in
        [("old", "/x"), ("/a b", "/x"), ("/old", "javascript:x"), ("/old", "//evil.example"), ("/../x", "/")]
    {
        let text = format!("[[redirects]]\nfrom = {from:?}\nto = {to:?}\n");
        std::fs::write(site.path("sitegate.toml"), text).unwrap();
        assert_exit(&site.command(&["check", "export"]).output().unwrap(), 2, &[]);
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
    site.expect(&server, "rollback", &[], 0, &[]);
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
    site.expect(&server, "publish", &[], 4, &["changed  notes/2999.txt", "deleted  notes/1500.txt"]);
    assert_eq!(server.objects()["notes/0299-foreign.txt"].body, b"not ours");
}
