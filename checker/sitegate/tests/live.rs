//! Tests `sitegate check https://…` with servers on this machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::folders::{json, program, stdout, write};
use crate::outcome::assert_exit;
use crate::serve_process::ServeProcess;
use crate::site_server::{Reply, Server, plain, requested, start};

/// Returns a page without findings.
fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><meta name=description content=\"{title}\">\
         <link rel=icon href=\"data:,\">\n{body}"
    )
}

fn html(body: &str) -> Reply {
    Reply::page(body)
}

fn not_found() -> Reply {
    Reply::status(404)
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = program(folder, &[&["check"], arguments].concat());
    command.env("CI", "true");
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        command.env_remove(name).env_remove(name.to_ascii_lowercase());
    }
    command
}

fn check(contract: &str, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sitegate.toml"), contract).unwrap();
    command(folder.path(), arguments).output().unwrap()
}

/// Returns the files and rules of all findings.
fn found(report: &Value) -> Vec<String> {
    let of = |one: &Value| format!("{} {}", one["file"].as_str().unwrap(), one["rule"].as_str().unwrap());
    report["findings"].as_array().unwrap().iter().map(of).collect()
}

const JSON: [&str; 2] = ["--format", "json"];

/// Runs a check that ends with a code. Returns its report.
#[track_caller]
fn report(contract: &str, arguments: &[&str], code: i32) -> Value {
    let output = check(contract, &[arguments, &JSON].concat());
    assert_exit(&output, code, &[]);
    json(&output)
}

#[test]
fn live_site_has_the_findings_of_its_export() {
    let folder = tempfile::tempdir().unwrap();
    let files: BTreeMap<&str, String> = [
        ("index.html", page("Home", "<link rel=stylesheet href=/a.css><a href=/docs/>d</a> <a href=/docs>no slash</a> <a href=/gone>gone</a>\
          <script type=module src=/app.js></script><a href=/docs/#nowhere>x</a><a href=\"caf%C3%A9.html?q=1#top\">x</a><img src=/no.png alt=x>\
          <img srcset=\"/p.png 1x, /p2.png 2x\" src=/p.png alt=x>")),
        ("docs/index.html", page("Docs", "<base href=/docs/deep/><h1 id=one>x</h1><a href=page.html>x</a><a href=none.html>x</a>")),
        ("docs/deep/page.html", page("Page", "<a href=/>home</a> <a href=\"mailto:nobody\">x</a><form method=post action=/send></form>")),
        ("café.html", page("Café", "<a href=/>home</a><iframe src=/frame.html title=x></iframe>")),
        ("frame.html", page("Frame", "<p>x")),
        ("404.html", page("Lost", "<a href=/>home</a><a href=relative.html>x</a>")),
        ("a.css", "@import 'b.css'; p { background: url(gone.svg) }".to_owned()),
        ("b.css", "p { background: url(p.png) }".to_owned()),
        ("app.js", "import './one.js'; import('./two.js')".to_owned()),
        ("one.js", "import './none.js'".to_owned()),
        ("two.js", "export default 2".to_owned()),
        ("p.png", "not an image".to_owned()),
        ("robots.txt", "User-agent: *\nAllow: /\nSitemap: /sitemap.xml\n".to_owned()),
        ("sitemap.xml", "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://acme.example/only-here/</loc></url>\
          <url><loc>https://acme.example/not-here/</loc></url></urlset>".to_owned()),
        ("only-here/index.html", page("Only", "<a href=/>home</a>")),
    ]
    .into();
    for (path, content) in &files {
        write(&folder.path().join("site"), path, content);
    }
    let contract = "[site]\nroot = \"site\"\norigin = \"https://acme.example\"\nnot-found = \"404.html\"\n[pages]\nrequired = [\"/docs\", \"/lost\"]\n\
        [[headers]]\npaths = [\"/**\"]\nset = { X-Content-Type-Options = \"nosniff\" }\n";
    fs::write(folder.path().join("sitegate.toml"), contract).unwrap();
    let served = ServeProcess::start(program(folder.path(), &["serve", "--port", "0", "--stop-after", "60"]));
    let read = |arguments: &[&str]| {
        let output = command(folder.path(), arguments).args(JSON).output().unwrap();
        let report = json(&output);
        let found = report["findings"].as_array().unwrap().iter();
        let known =
            |one: &Value| ["file", "line", "rule", "message"].map(|key| one[key].to_string()).join(" ");
        (found.map(known).collect::<BTreeSet<_>>(), report)
    };
    let (of_folder, export) = read(&["site"]);
    let (of_live, live) = read(&[&format!("http://127.0.0.1:{}/", served.port)]);
    let only_live: Vec<_> = of_live.difference(&of_folder).collect();
    let only_folder: Vec<_> = of_folder.difference(&of_live).collect();
    assert!(only_folder.is_empty(), "{only_folder:#?}");
    // A folder has no known host. This server redirects `/docs` and also serves `/index.html`.
    let is_about_the_server = |one: &&String| {
        one.contains("redirected link: `/docs`")
            || one.contains("missing-canonical-redirect") && one.contains("index.html` both serve")
    };
    assert!(only_live.iter().all(is_about_the_server), "{only_live:#?}");
    assert!(of_folder.len() > 10, "{of_folder:#?}");
    for key in ["files", "pages", "scripts"] {
        assert_eq!(live["summary"][key], export["summary"][key], "{key}");
    }
}

#[test]
fn infinite_site_ends_at_the_page_limit() {
    let server = start(|path| match path {
        "/robots.txt" | "/sitemap.xml" | "/favicon.ico" | "/llms.txt" => not_found(),
        path if path.starts_with("/.well") || path.starts_with("/sitegate-") => not_found(),
        path => html(&page(path, &format!("<a href=\"{path}1/\">more</a> <a href=/far/>far</a>"))),
    });
    let contract = "[site]\norigin = \"https://acme.example\"\n[pages]\nrequired = [\"/far/away\"]\n[rules]\nunreferenced-file = \"warn\"\n\
        [[ignore]]\nrule = \"broken-link\"\npaths = [\"/zzz/**\"]\nreason = \"it is not there yet\"\n";
    let report = report(contract, &[&server.url("/"), "--max-pages", "20"], 0);
    assert_eq!(report["summary"]["pages"], 20, "{report}");
    let skipped = report["skipped"][0].as_str().unwrap();
    assert!(skipped.starts_with("20 pages were fetched, and there are more"), "{skipped}");
    let human = check(contract, &[&server.url("/"), "--max-pages", "20"]);
    assert_exit(&human, 0, &["incomplete crawl: 20 pages were fetched"]);
}

#[test]
fn infinite_scripts_end_at_a_limit() {
    let server = start(|path| match path {
        "/" => html(&page("Home", "<script type=module src=/s/1.js></script>")),
        path if path.starts_with("/s/") => {
            let next = path[3..path.len() - 3].parse::<u32>().unwrap() + 1;
            let script = format!("import './{next}.js'");
            Reply::Answer(200, vec![("content-type", "text/javascript".to_owned())], script.into())
        }
        _ => not_found(),
    });
    let report = report("", &[&server.url("/")], 0);
    assert_eq!(found(&report), [""; 0]);
    assert_eq!(report["skipped"][0], "each fetched script loads another one, without an end");
}

#[test]
fn obeys_robots_txt_unless_ignore_robots_is_set() {
    let server = start(|path| match path {
        "/robots.txt" => plain("User-agent: *\nDisallow: /private\n"),
        "/" => html(&page("Home", "<a href=/private/gone>x</a>")),
        _ => not_found(),
    });
    let obedient = report("", &[&server.url("/")], 0);
    assert_eq!(found(&obedient), [""; 0]);
    assert!(obedient["skipped"][0].as_str().unwrap().starts_with("robots.txt disallows 1 URL"), "{obedient}");
    assert!(!requested(&server).contains(&"GET /private/gone".to_owned()));
    let ignoring = report("", &[&server.url("/"), "--ignore-robots"], 1);
    assert_eq!(found(&ignoring), ["index.html broken-link"]);

    let closed = start(|path| match path {
        "/robots.txt" => plain("User-agent: sitegate\nDisallow: /\n"),
        _ => html(&page("Home", "")),
    });
    assert_exit(&check("", &[&closed.url("/")]), 2, &["robots.txt disallows it"]);
    assert_eq!(requested(&closed), ["GET /robots.txt"]);
}

#[test]
fn unreachable_site_fails_like_a_missing_export() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let server = start(|path| match path {
        "/away" => Reply::to(302, "http://elsewhere.invalid/"),
        "/round" => Reply::to(302, "/round"),
        _ => not_found(),
    });
    for (url, word) in [
        (&*format!("http://127.0.0.1:{port}/"), "it refuses connections"),
        (&server.url("/"), "it answers 404 Not Found"),
        (&server.url("/away"), "it redirects to http://elsewhere.invalid/, which is another site"),
        (&server.url("/round"), "in a loop"),
        ("http://", "http://: empty host"),
        ("https://me:secret@acme.example/", "[external.hosts.\"acme.example\"]"),
    ] {
        let output = check("", &[url]);
        assert_exit(&output, 2, &[word]);
        assert_eq!(stdout(&output), "");
    }
    let sealed = check("", &[&server.url("/"), "--seal", "seal.json"]);
    assert_exit(&sealed, 2, &["need a folder, not the URL of a live site"]);
}

#[test]
fn sends_requests_and_headers_only_to_the_site() {
    let other = start(|_| html(&page("Other", "")));
    let links = format!(
        "<a href=\"{0}\">x</a><script src=\"{0}x.js\"></script><a href=/leaves>x</a>",
        other.url("/")
    );
    let to = other.url("/");
    let server = start(move |path| match path {
        "/" => html(&page("Home", &links)),
        "/leaves" => Reply::to(302, &to),
        _ => not_found(),
    });
    let contract = format!(
        "[rules]\nlocal-address = \"off\"\ninsecure-link = \"off\"\nmissing-integrity = \"off\"\n[external.hosts.\"http://{}\"]\nheaders = {{ X-Trace = \"1\", Authorization = {{ env = \"STAGING\" }} }}\n",
        server.address
    );
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sitegate.toml"), contract).unwrap();
    let mut command = command(folder.path(), &[&server.url("/"), "--allow-env", "STAGING"]);
    assert_exit(&command.env("STAGING", "Basic abc").output().unwrap(), 0, &[]);
    assert_eq!(requested(&other), [""; 0]);
    let lines = requested(&server);
    assert!(lines.iter().all(|line| line.ends_with("(authorization: Basic abc)")), "{lines:?}");
}

#[test]
fn urls_without_an_answer_are_not_reported_as_broken() {
    let server = start(|path| match path {
        "/" => html(&page("Home", "<a href=/busy>x</a> <a href=/error>x</a> <a href=/wall>x</a>")),
        "/busy" => Reply::Answer(503, vec![("retry-after", "3600".to_owned())], Vec::new()),
        "/error" => Reply::status(500),
        "/wall" => Reply::status(403),
        _ => not_found(),
    });
    let report = report("[external]\nretries = 0\n", &[&server.url("/")], 2);
    assert_eq!(report["unreadable"][0], server.url("/busy: it answers 503 Service Unavailable"));
    let messages: Vec<_> =
        report["findings"].as_array().unwrap().iter().map(|one| one["message"].as_str().unwrap()).collect();
    assert_eq!(
        messages,
        [
            "broken link: the server answers 500 for `/error`",
            "broken link: the server answers 403 for `/wall`"
        ]
    );
}

#[test]
fn probes_the_behavior_of_the_server() {
    let server = start(|path| match path {
        "/robots.txt" | "/sitemap.xml" | "/favicon.ico" | "/llms.txt" => not_found(),
        "/a.css" => plain(&"p { color: red }".repeat(200)),
        "/" | "/index.html" => html(&page("Home", "<link rel=stylesheet href=/a.css><a href=/old>x</a>")),
        "/old" => Reply::to(301, "/older"),
        "/older" => Reply::to(301, "/"),
        _ => not_found(),
    });
    let contract = "[[headers]]\npaths = [\"/**\"]\nset = { X-Frame-Options = \"DENY\" }\n";
    assert_eq!(
        found(&report(contract, &[&server.url("/")], 1)),
        [
            "a.css uncompressed-text",
            "a.css wrong-content-type",
            "a.css wrong-header",
            "index.html missing-canonical-redirect",
            "index.html wrong-header",
            "index.html live-redirect-chain",
            "index.html redirect-hop",
        ]
    );
    let soft = start(|_| html(&page("Home", "")));
    assert_eq!(found(&report("", &[&soft.url("/")], 1)), ["index.html soft-404"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_report_so_far() {
    let server = start(|path| match path {
        "/" => html(&page("Home", "<a href=/gone>x</a><a href=/hang>x</a>")),
        "/hang" => Reply::Hang,
        _ => not_found(),
    });
    let folder = tempfile::tempdir().unwrap();
    let mut child = command(folder.path(), &[&server.url("/")]);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !["GET /gone", "GET /hang"].iter().all(|line| requested(&server).contains(&(*line).to_owned())) {
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let words = [
        "error[broken-link]: `/gone` does not exist",
        "incomplete crawl: the crawl was stopped after 1 page",
    ];
    assert_exit(&child.wait_with_output().unwrap(), 130, &words);
}

#[test]
fn findings_of_a_live_site_have_a_limit() {
    let links: Vec<String> = (0..500).map(|number| format!("<a href=\"#gone{number}\">x</a>")).collect();
    let home = page("Home", &links.concat());
    let server = start(move |path| if path == "/" { html(&home) } else { not_found() });
    let few = report("", &[&server.url("/"), "--max-pages", "1"], 2);
    assert_eq!(found(&few).len(), 50);
    let message = "more than 50 findings, and only these are reported; raise `--max-pages`";
    assert!(few.to_string().contains(message), "{few}");
    assert_eq!(found(&report("", &[&server.url("/"), "--max-pages", "20"], 1)).len(), 500 + 1);
}

#[test]
fn max_time_ends_a_crawl() {
    let home = page("Home", "<a href=/slow>x</a>");
    let server = start(move |path| match path {
        "/" => html(&home),
        "/slow" => Reply::Hang,
        _ => not_found(),
    });
    let output = check("", &[&server.url("/"), "--max-time", "2"]);
    let message =
        "incomplete crawl: the crawl ended after 2 s and 1 page; raise `--max-time` to fetch the others";
    assert_exit(&output, 0, &[message]);
}

/// Runs `sitegate inventory` on a live site.
fn inventory(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    program(folder.path(), &[&["inventory"], arguments].concat()).env("CI", "true").output().unwrap()
}

fn sitemap(name: &str, urls: &[String]) -> Reply {
    let list: String = urls.iter().map(|url| format!("<loc>{url}</loc>")).collect();
    let sitemap = format!("<{name}>{list}</{name}>");
    Reply::Answer(200, vec![("content-type", "application/xml".to_owned())], sitemap.into())
}

/// A site with two sitemaps in an index, which robots.txt lists; one page is outside of `/docs/`.
fn site_with_sitemaps(has_robots: bool) -> Server {
    let own = Arc::new(Mutex::new(String::new()));
    let known = Arc::clone(&own);
    let server = start(move |path| {
        let at = |path: &str| format!("{}{path}", known.lock().unwrap());
        match path {
            "/robots.txt" if has_robots => {
                plain(&format!("user-agent: *\nSITEMAP: {}\n", at("maps/index.xml")))
            }
            "/maps/index.xml" => sitemap(
                "sitemapindex",
                &[at("maps/a.xml"), at("maps/b.xml"), at("maps/empty.xml"), at("maps/index.xml")],
            ),
            "/maps/empty.xml" => sitemap("urlset", &[]),
            "/maps/a.xml" => sitemap(
                "urlset",
                &[at("docs/"), at("docs/caf%C3%A9/"), "https://www.example.net/x".to_owned()],
            ),
            "/maps/b.xml" => sitemap("urlset", &[at("blog/"), at("docs/a.html")]),
            "/" | "/docs/" => {
                html(&page("Home", "<h1 id=top>Home</h1><a href=/docs/a.html#b>A</a><a href=/blog/>B</a>"))
            }
            "/docs/a.html" => html(&page("A", "<h2 id=b>B</h2><p id=unlinked>x<a href=/docs/>home</a>")),
            "/blog/" => html(&page("Blog", "<h1 id=blog>Blog</h1>")),
            _ => not_found(),
        }
    });
    *own.lock().unwrap() = server.url("/");
    server
}

#[test]
fn inventory_of_a_live_site_lists_the_pages_of_its_sitemaps() {
    let server = site_with_sitemaps(true);
    let origin = server.url("/").trim_end_matches('/').to_owned();
    let output = inventory(&[&server.url("/")]);
    let head = format!("sitegate-inventory 1\norigin: {origin}\nanchors: listed\n\n");
    assert_eq!(stdout(&output), format!("{head}/blog/\n/docs/\n/docs/a.html\n/docs/café/\n"), "{output:?}");
    let output = inventory(&[&format!("{origin}/docs/")]);
    assert_eq!(stdout(&output), format!("{head}/docs/\n/docs/a.html\n/docs/café/\n"), "{output:?}");
    assert_exit(&output, 0, &["maps/empty.xml is left out: it contains no address"]);
    assert!(!requested(&server).contains(&"GET /docs/".to_owned()), "{:?}", requested(&server));
    let none = inventory(&[&format!("{origin}/none/")]);
    assert_exit(&none, 2, &["no sitemap lists a page below /none/"]);
    let output = inventory(&[&format!("{origin}/maps/b.xml")]);
    assert_eq!(stdout(&output), format!("{head}/blog/\n/docs/a.html\n"), "{output:?}");
}

#[test]
fn inventory_of_a_site_without_a_sitemap_says_what_to_do() {
    let server = site_with_sitemaps(false);
    let words = ["sitemap.xml cannot be requested: 404", "--crawl"];
    assert_exit(&inventory(&[&server.url("/")]), 2, &words);
}

#[test]
fn inventory_by_a_crawl_has_anchors() {
    let server = site_with_sitemaps(false);
    let origin = server.url("/").trim_end_matches('/').to_owned();
    let output = inventory(&[&server.url("/"), "--crawl"]);
    let expected = format!(
        "sitegate-inventory 1\norigin: {origin}\nanchors: linked\n\n/\n#top\n/blog/\n#blog\n/docs/\n#top\n/docs/a.html\n#b\n"
    );
    assert_eq!(stdout(&output), expected, "{output:?}");
    let incomplete = inventory(&[&server.url("/"), "--crawl", "--max-pages", "2"]);
    assert_exit(&incomplete, 0, &["the inventory is incomplete: "]);
}

#[test]
fn sitemaps_on_private_addresses_are_not_requested() {
    let server = site_with_sitemaps(true);
    let port = server.address.port();
    // The command line names one notation of this machine, and nothing else does.
    for (named, other) in [
        ("127.0.0.1", "localhost"),
        ("127.0.0.1", "[::ffff:127.0.0.1]"),
        ("localhost", "127.0.0.1"),
        ("localhost", "2130706433"),
        ("localhost", "0.0.0.0"),
    ] {
        let private = format!("http://{other}:{port}/maps/a.xml");
        let index = private.clone();
        let listing = start(move |path| match path {
            "/robots.txt" => plain(&format!("Sitemap: {private}\n")),
            "/index.xml" => sitemap("sitemapindex", std::slice::from_ref(&index)),
            "/moved.xml" => Reply::to(302, &index),
            _ => not_found(),
        });
        let start = listing.url("/").replace("127.0.0.1", named);
        for path in ["", "index.xml", "moved.xml"] {
            assert_exit(&inventory(&[&format!("{start}{path}")]), 2, &["is not a public address"]);
        }
    }
    assert!(requested(&server).is_empty());
    // The host itself may redirect, and list sitemaps on its other ports.
    let own = format!("http://localhost:{port}/maps/a.xml");
    let listing = start(move |path| match path {
        "/robots.txt" => Reply::to(302, "/robots"),
        "/robots" => plain(&format!("Sitemap: {own}\n")),
        _ => not_found(),
    });
    inventory(&[&listing.url("/").replace("127.0.0.1", "localhost")]);
    assert!(requested(&server).contains(&"GET /maps/a.xml".to_owned()));
}
