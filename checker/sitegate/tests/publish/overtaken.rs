//! Tests commands while another publisher changes the target: a mix of two moments must not be reported.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;

use super::site::{Site, text};

/// A site with two releases. The second changed one page.
fn two_releases() -> Site {
    let site = Site::new();
    site.check();
    site.published(&[]);
    site.write("index.html", "<!doctype html><title>Home again</title>");
    site.check();
    site.published(&[]);
    site
}

/// Runs a command that is stopped at the first file of the site while another release goes live. It has read
/// the target state by then, and sees the other files as they are afterwards.
fn overtaken(site: &Site, command: &str, more: &[&str]) -> Output {
    let (first, pipe) = (site.path("public/about/index.html"), site.path("pipe"));
    let body = fs::read(&first).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fs::remove_file(&first).unwrap();
    fs::rename(&pipe, &first).unwrap();
    let running = start(site, command, more);
    let mut opened = open(first.clone());
    fs::rename(&first, &pipe).unwrap();
    fs::write(&first, &body).unwrap();
    site.write("index.html", "<!doctype html><title>Home again</title>");
    site.write("robots.txt", &format!("User-agent: *\n# {command} {more:?}\n"));
    site.check();
    site.published(&[]);
    std::io::Write::write_all(&mut opened, &body).unwrap();
    drop(opened);
    fs::remove_file(&pipe).unwrap();
    running.wait_with_output().unwrap()
}

fn start(site: &Site, command: &str, more: &[&str]) -> Child {
    let target = format!("file://{}", site.path("public").display());
    let mut program = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    program.args([command, &target]).args(more).args(["--jobs", "1"]);
    program.current_dir(site.folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Opens a pipe, which waits for its reader.
fn open(pipe: PathBuf) -> File {
    let (sender, opened) = mpsc::channel();
    std::thread::spawn(move || sender.send(File::options().write(true).open(pipe).unwrap()));
    opened.recv_timeout(Duration::from_mins(1)).unwrap()
}

#[test]
fn rollback_distinguishes_another_publisher_from_manual_changes() {
    for more in [&[][..], &["--dry-run"]] {
        let output = overtaken(&two_releases(), "rollback", more);
        assert_eq!(output.status.code(), Some(5), "{}", text(&output));
        assert!(text(&output).contains("another publisher"), "{}", text(&output));
    }
}

#[test]
fn plan_distinguishes_another_publisher_from_manual_changes() {
    let site = two_releases();
    let sealed = ["export", "--seal", "seal.json"];
    fs::create_dir(site.path("other")).unwrap();
    fs::write(site.path("other/index.html"), "<!doctype html><title>Another</title>").unwrap();
    let output = site.run(&["check", "other", "--seal", "other.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    for (command, sealed) in [("plan", sealed), ("publish", ["other", "--seal", "other.json"])] {
        let output = overtaken(&site, command, &sealed);
        assert_eq!(output.status.code(), Some(5), "{command}: {}", text(&output));
    }
}

#[test]
fn status_shows_a_single_moment() {
    let site = two_releases();
    let output = overtaken(&site, "status", &["--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let status: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(status["releases"].as_array().unwrap().len(), 3, "{status}");
}

#[test]
fn pending_backups_of_another_publisher_are_not_reported_as_missing() {
    let site = two_releases();
    fs::remove_dir_all(site.path("public/.sitegate/kept")).unwrap();
    let rollback = || site.run(&["rollback", &format!("file://{}", site.path("public").display())]);
    let output = rollback();
    assert_eq!(output.status.code(), Some(4), "{}", text(&output));
    let record = site.path("public/.sitegate/runs/0000000002.json");
    let mut run: Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    run["lease"] = 60.into();
    fs::write(&record, run.to_string()).unwrap();
    let output = rollback();
    assert_eq!(output.status.code(), Some(5), "{}", text(&output));
    assert!(text(&output).contains("another publisher is at work"), "{}", text(&output));
}
