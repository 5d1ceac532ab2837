//! Input that means harm, or is merely enormous: never a panic, never a hang, never a wrong "passed".

#![allow(clippy::field_reassign_with_default)]
#![cfg(unix)]

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::Value;
use sitegate_check::internal::parse::{self, Format, Page, Request, Source, Wanted};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn check(folder: &Path) -> Output {
    let start = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    let output = command.args(["check", "--no-config", "--format", "json"]).arg(folder).output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(100), "{:?}", start.elapsed());
    assert!(matches!(output.status.code(), Some(0..=2)), "{:?}", output.status);
    output
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

/// One page of this content and a broken link after it: whatever comes before, the link must be found.
fn finds_what_follows(content: &[u8]) {
    let site = folder();
    let mut page = b"<!doctype html><html lang=en><title>x</title>".to_vec();
    page.extend_from_slice(content);
    page.extend_from_slice(b"<a href=/gone>x</a>");
    fs::write(site.path().join("index.html"), page).unwrap();
    let output = check(site.path());
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("broken link: `/gone` does not exist"), "{}", &text[..text.len().min(400)]);
}

#[test]
fn odd_bytes() {
    finds_what_follows(b"\0\0<p>\0</p>");
    finds_what_follows(b"\xff\xfe\x80<p title='\xc3('>\xed\xa0\x80");
    finds_what_follows("<p>\u{feff}\u{202e}\u{0}</p>".as_bytes());
    finds_what_follows(b"</></ ><!><?php x ?><!doctype><!-->--!><p <p <p>");
}

#[test]
fn deep_nesting() {
    finds_what_follows("<div>".repeat(200_000).as_bytes());
    finds_what_follows("<b><i>".repeat(50_000).as_bytes());
    finds_what_follows(format!("{}{}", "<template>".repeat(1_000), "</template>".repeat(1_000)).as_bytes());
    finds_what_follows(format!("<svg>{}</svg>", "<g>".repeat(20_000)).as_bytes());
}

#[test]
fn bombs_of_attributes_values_and_styles() {
    let attributes: String = (0..100_000).map(|n| format!(" a{n}=x")).collect();
    finds_what_follows(format!("<p{attributes}>").as_bytes());
    finds_what_follows(format!("<p{}>", " id=x".repeat(100_000)).as_bytes());
    finds_what_follows(format!("<p title=\"{}\">", "x".repeat(20_000_000)).as_bytes());
    finds_what_follows(format!("<p style=\"{}\">", "a:((((url(".repeat(20_000)).as_bytes());
    finds_what_follows(format!("<a href=\"{}\">", "../".repeat(300_000)).as_bytes());
    finds_what_follows(format!("<a href=\"#{}\">", "%41".repeat(300_000)).as_bytes());
    finds_what_follows(format!("<img alt='' src=/x srcset=\"{}\">", "a,".repeat(20_000)).as_bytes());
    let mut nested = "<a href=/deep>".to_owned();
    for _ in 0..12 {
        nested =
            format!("<iframe srcdoc=\"{}\"></iframe>", nested.replace('&', "&amp;").replace('"', "&quot;"));
    }
    finds_what_follows(nested.as_bytes());
}

#[test]
fn a_million_links_on_a_page() {
    let site = folder();
    let mut page = "<!doctype html><p id=here>".to_owned();
    page.push_str(&"<a href=\"/index.html#here\">x</a>\n".repeat(1_000_000));
    fs::write(site.path().join("index.html"), page).unwrap();
    let output = check(site.path());
    assert_eq!(report(&output)["summary"]["links"], 1_000_000);
    assert_eq!(report(&output)["summary"]["errors"], 0);
}

#[test]
fn unclosed_to_the_end() {
    for tail in [
        "<a href=\"/gone",
        "<a href=/gone",
        "<!-- ",
        "<script>",
        "<title>",
        "<p title='",
        "<",
        "</",
        "&",
        "<![CDATA[",
    ] {
        let site = folder();
        fs::write(site.path().join("index.html"), format!("<!doctype html><a href=/first>x</a>{tail}"))
            .unwrap();
        let output = check(site.path());
        assert_eq!(output.status.code(), Some(1), "{tail}");
        assert!(String::from_utf8(output.stdout).unwrap().contains("/first"), "{tail}");
    }
}

#[test]
fn odd_names() {
    let site = folder();
    let names: [&[u8]; 5] = [b"a\nb.html", b"\xff\xfe.html", b" .html", b"'\"<&>.html", b"a%20b.html"];
    for name in names {
        let path = site.path().join(std::ffi::OsStr::from_bytes(name));
        fs::write(path, "<!doctype html><a href=/gone>x</a>").unwrap();
    }
    let output = check(site.path());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(report(&output)["summary"]["files"], 5);
    assert_eq!(report(&output)["summary"]["links"], 5);
    let mut human = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    assert_eq!(
        human.args(["check", "--no-config"]).arg(site.path()).output().unwrap().status.code(),
        Some(1)
    );
}

#[test]
fn links_in_circles_and_devices() {
    let site = folder();
    fs::write(site.path().join("index.html"), "<!doctype html>").unwrap();
    fs::create_dir(site.path().join("a")).unwrap();
    for (target, link) in
        [("..", "a/up"), (".", "a/self"), ("two", "one"), ("one", "two"), ("/dev/zero", "zero.html")]
    {
        std::os::unix::fs::symlink(target, site.path().join(link)).unwrap();
    }
    let fifo = site.path().join("pipe.html");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let output = check(site.path());
    assert_eq!(output.status.code(), Some(1));
    let rules: Vec<Value> =
        report(&output)["findings"].as_array().unwrap().iter().map(|d| d["rule"].clone()).collect();
    assert_eq!(rules.iter().filter(|rule| *rule == "invalid-symlink").count(), 5);
    assert_eq!(rules.iter().filter(|rule| *rule == "special-file").count(), 1);
}

#[test]
fn what_cannot_be_read_is_no_pass() {
    let site = folder();
    fs::set_permissions(site.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(site.path().join("index.html"), "<!doctype html>").unwrap();
    // The binary is copied to where anyone may run it: root reads everything, so root must not be who asks. Another
    // process copies it: were it open for writing in this one, a program that another test starts at that moment would
    // inherit it, and the kernel does not run what is being written ("Text file busy").
    let binary = site.path().join("checker");
    assert!(Command::new("cp").arg(env!("CARGO_BIN_EXE_sitegate")).arg(&binary).status().unwrap().success());
    for locked in ["secret.html", "secret"] {
        let path = site.path().join(locked);
        if locked.ends_with(".html") {
            fs::write(&path, "<!doctype html>").unwrap()
        } else {
            fs::create_dir(&path).unwrap()
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        let mut command = Command::new(&binary);
        command.args(["check", "--no-config", "--format", "json"]).arg(site.path()).current_dir(site.path());
        if fs::read_dir(&path).is_ok() || fs::read(&path).is_ok() {
            command.uid(65_534);
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{locked}");
        assert!(report(&output)["unreadable"][0].as_str().unwrap().starts_with("secret"), "{locked}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        if path.is_dir() { fs::remove_dir(path).unwrap() } else { fs::remove_file(path).unwrap() }
    }
}

#[test]
fn a_tree_that_changes_while_it_is_read_never_passes_wrongly() {
    let site = folder();
    for n in 0..300 {
        fs::write(site.path().join(format!("p{n:03}.html")), "<!doctype html><a href=/gone>x</a>").unwrap();
    }
    let root = site.path().to_path_buf();
    let remover = std::thread::spawn(move || {
        for n in (0..300).rev() {
            fs::remove_file(root.join(format!("p{n:03}.html"))).unwrap();
        }
    });
    for _ in 0..5 {
        let output = check(site.path());
        let links = report(&output)["summary"]["links"].as_u64().unwrap();
        let files = report(&output)["summary"]["files"].as_u64().unwrap();
        // Either nothing was left, or each file was read and its fault found, or the run says that it could not.
        assert!(files == 0 || output.status.code() != Some(0), "{files} files, {links} links");
    }
    remover.join().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_bytes_are_parsed(bytes in prop::collection::vec(any::<u8>(), 0..200), kind in 0..6u8) {
        every_parser(&bytes, kind);
    }

    #[test]
    fn any_markup_is_parsed(text in "[<>/a-c =\"'!&;#\\-\\[\\]{}():,@%\u{0}é]{0,120}", kind in 0..6u8) {
        every_parser(text.as_bytes(), kind);
    }
}

fn every_parser(bytes: &[u8], kind: u8) {
    let mut page = Page::new(Source::decoded(bytes.to_vec()));
    match kind {
        0 => assert!(parse::parse_html(&mut page, &[]).is_ok()),
        1 => drop(parse::parse_xml(&mut page)),
        2 => drop(parse::parse_manifest(&mut page)),
        3 => parse::parse_robots(&mut page),
        4 => FORMATS.iter().for_each(|(format, before)| read_after(*format, before, bytes)),
        _ => {
            let text = String::from_utf8_lossy(bytes);
            parse::css::urls(&text, |_, _, span| assert!(text.get(span).is_some()));
            assert!(parse::srcset::urls(&text).into_iter().all(|span| text.get(span).is_some()));
            if let parse::refresh::Refresh::Url(span) = parse::refresh::parse(&text) {
                assert!(text.get(span).is_some());
            }
            sitegate_check::internal::resolve::redirects::Redirects::parse(&text, None);
        }
    }
    every_place_lies_inside(&page);
}

/// Formats that begin like this before they go wrong.
const FORMATS: [(Format, &str); 8] = [
    (Format::Xml, "<rss><item><link>/a/</link><description>"),
    (Format::Xml, "<feed xml:base='/a'><entry><content type='html'>"),
    (Format::Xml, "<OpenSearchDescription><Url template='"),
    (Format::JsonFeed, "{\"version\":\"jsonfeed.org/version/1\",\"items\":[{\"content_html\":\""),
    (Format::Security, "Contact: "),
    (Format::Headers, "/*\n  Link: "),
    (Format::Llms, "- [a"),
    (Format::LlmsFull, "- [a"),
];

fn read_after(format: Format, before: &str, bytes: &[u8]) {
    let mut page = Page::default();
    let content = [before.as_bytes(), bytes].concat();
    let request = Request { format, selected: &[], wanted: &Wanted::default(), digest: None };
    assert!(parse::read(&mut page, content, &request).is_ok());
    every_place_lies_inside(&page);
}

fn every_place_lies_inside(page: &Page) {
    for reference in &page.facts.references {
        assert!(reference.span.end as usize <= page.source.len(), "{reference:?}");
        assert!(reference.span.start <= reference.span.end);
    }
}
