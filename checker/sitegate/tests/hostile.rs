//! Tests with malicious or huge input: no panic, no hang, and no wrong "passed".

#![allow(clippy::field_reassign_with_default)]
#![cfg(unix)]

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::folders::{sitegate, write};
use crate::outcome::assert_exit;

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

/// Asserts that a check finds a broken link after this content.
fn assert_finds_the_link_after(content: &[u8]) {
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
fn survives_odd_bytes() {
    assert_finds_the_link_after(b"\0\0<p>\0</p>");
    assert_finds_the_link_after(b"\xff\xfe\x80<p title='\xc3('>\xed\xa0\x80");
    assert_finds_the_link_after("<p>\u{feff}\u{202e}\u{0}</p>".as_bytes());
    assert_finds_the_link_after(b"</></ ><!><?php x ?><!doctype><!-->--!><p <p <p>");
}

#[test]
fn survives_deep_nesting() {
    assert_finds_the_link_after("<div>".repeat(200_000).as_bytes());
    assert_finds_the_link_after("<b><i>".repeat(50_000).as_bytes());
    assert_finds_the_link_after(
        format!("{}{}", "<template>".repeat(1_000), "</template>".repeat(1_000)).as_bytes(),
    );
    assert_finds_the_link_after(format!("<svg>{}</svg>", "<g>".repeat(20_000)).as_bytes());
}

#[test]
fn survives_huge_attributes_values_and_styles() {
    let attributes: String = (0..100_000).map(|n| format!(" a{n}=x")).collect();
    assert_finds_the_link_after(format!("<p{attributes}>").as_bytes());
    assert_finds_the_link_after(format!("<p{}>", " id=x".repeat(100_000)).as_bytes());
    assert_finds_the_link_after(format!("<p title=\"{}\">", "x".repeat(20_000_000)).as_bytes());
    assert_finds_the_link_after(format!("<p style=\"{}\">", "a:((((url(".repeat(20_000)).as_bytes());
    assert_finds_the_link_after(format!("<a href=\"{}\">", "../".repeat(300_000)).as_bytes());
    assert_finds_the_link_after(format!("<a href=\"#{}\">", "%41".repeat(300_000)).as_bytes());
    assert_finds_the_link_after(format!("<img alt='' src=/x srcset=\"{}\">", "a,".repeat(20_000)).as_bytes());
    let mut nested = "<a href=/deep>".to_owned();
    for _ in 0..12 {
        nested =
            format!("<iframe srcdoc=\"{}\"></iframe>", nested.replace('&', "&amp;").replace('"', "&quot;"));
    }
    assert_finds_the_link_after(nested.as_bytes());
}

#[test]
fn checks_a_million_links_on_a_page() {
    let site = folder();
    let mut page = "<!doctype html><p id=here>".to_owned();
    page.push_str(&"<a href=\"/index.html#here\">x</a>\n".repeat(1_000_000));
    fs::write(site.path().join("index.html"), page).unwrap();
    let output = check(site.path());
    assert_eq!(report(&output)["summary"]["links"], 1_000_000);
    assert_eq!(report(&output)["summary"]["errors"], 0);
}

#[test]
fn survives_unclosed_elements() {
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
fn survives_odd_file_names() {
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
    assert_exit(&sitegate(site.path(), &["check", "--no-config", "."]), 1, &[]);
}

#[test]
fn unreadable_file_does_not_pass() {
    let site = folder();
    fs::set_permissions(site.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(site.path().join("index.html"), "<!doctype html>").unwrap();
    // Copies the binary for another user, because root can read everything. Another process copies it: if this process
    // had it open for writing, a program that another test starts would inherit the handle, and the kernel refuses to
    // run a file that is open for writing ("Text file busy").
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
        let report = report(&output);
        let unreadable = report["unreadable"][0].as_str().unwrap();
        assert!(unreadable.contains(&format!("/{locked}")), "{locked}: {unreadable}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        if path.is_dir() { fs::remove_dir(path).unwrap() } else { fs::remove_file(path).unwrap() }
    }
}

#[test]
fn export_that_changes_during_the_check_never_passes_wrongly() {
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
        // Either no file was left, or the finding in each file was reported, or the run reports unreadable files.
        assert!(files == 0 || output.status.code() != Some(0), "{files} files, {links} links");
    }
    remover.join().unwrap();
}

#[test]
fn finds_leaked_files_and_shows_no_secret() {
    let site = folder();
    let token = ["gh", "p_k3J9xQ2mZ7vB5nT8wL4cR6yH1pD0sFgUeAoI"].concat();
    let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowhunter2\n-----END RSA PRIVATE KEY-----\n";
    let page =
        "<!doctype html><html lang=en><meta charset=utf-8><title>x</title><script src=app.js></script>";
    for (path, text) in [
        ("index.html", page),
        ("app.js", &*format!("fetch('/');\nconst t = '{token}';\n")),
        (".env", "PASSWORD=hunter2\n"),
        (".git/config", "[remote]\nurl = https://ci:hunter2@acme.test\n"),
        (".git/objects/aa/bb", "hunter2"),
        (".git/id_rsa", key),
        ("node_modules/a/package.json", "{\"x\":\"hunter2\"}"),
        ("node_modules/a/node_modules/b/.env", "hunter2"),
        ("keys/server.key", key),
        (".npmrc", &format!("//registry.example/:_authToken={}\n", &token[4..])),
    ] {
        write(site.path(), path, text);
    }
    for format in ["json", "human", "html", "sarif", "junit", "github", "gitlab", "markdown"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        command
            .args(["check", "--no-config", "--format", format, "--seal"])
            .arg(site.path().join("../seal.json"));
        let output = command.arg(site.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(!shown.contains("hunter2") && !shown.contains(&token[4..]), "{format}: {shown}");
        assert!(!site.path().join("../seal.json").exists());
    }
    let report = report(&check(site.path()));
    let findings = report["findings"].as_array().unwrap().iter().filter(|one| one["rule"] == "leaked-file");
    let files: Vec<&str> = findings.map(|one| one["file"].as_str().unwrap()).collect();
    assert_eq!(files, [".env", ".git", ".npmrc", "app.js", "keys/server.key", "node_modules"]);
}
