//! Tests commands that read a target while another publisher changes it. They must not mix two states.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;

use super::site::{Site, text};

/// Publishes two releases. The second changes one page.
fn two_releases() -> Site {
    let site = Site::new();
    site.check();
    site.publish_ok(&[]);
    site.write("index.html", "<!doctype html><title>Home again</title>");
    site.check();
    site.publish_ok(&[]);
    site
}

/// Runs a command that blocks at the first file of the site while another release goes live. It has read the target state
/// before, and reads all other files afterwards.
fn run_while_another_publishes(site: &Site, command: &str, more: &[&str]) -> Output {
    let (first, pipe) = (site.path("public/about/index.html"), site.path("pipe"));
    let body = fs::read(&first).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fs::remove_file(&first).unwrap();
    fs::rename(&pipe, &first).unwrap();
    let running = start(site, command, more);
    let mut opened = open(first.clone());
    fs::rename(&first, &pipe).unwrap();
    fs::write(&first, &body).unwrap();
    site.write("index.html", "<!doctype html><title>Home, second edition</title>");
    site.write("robots.txt", &format!("User-agent: *\n# {command} {more:?}\n"));
    site.check();
    site.publish_ok(&[]);
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

/// Opens a pipe, which blocks until it has a reader.
fn open(pipe: PathBuf) -> File {
    let (sender, opened) = mpsc::channel();
    std::thread::spawn(move || sender.send(File::options().write(true).open(pipe).unwrap()));
    opened.recv_timeout(Duration::from_mins(1)).unwrap()
}

#[test]
fn rollback_does_not_report_a_concurrent_publish_as_drift() {
    for more in [&[][..], &["--dry-run"]] {
        let output = run_while_another_publishes(&two_releases(), "rollback", more);
        assert_eq!(output.status.code(), Some(5), "{}", text(&output));
        assert!(text(&output).contains("another publisher"), "{}", text(&output));
    }
}

#[test]
fn plan_does_not_report_a_concurrent_publish_as_drift() {
    let site = two_releases();
    let sealed = ["export", "--seal", "seal.json"];
    fs::create_dir(site.path("other")).unwrap();
    fs::write(site.path("other/index.html"), "<!doctype html><title>Another</title>").unwrap();
    let output = site.run(&["check", "other", "--seal", "other.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    for (command, sealed) in [("plan", sealed), ("publish", ["other", "--seal", "other.json"])] {
        let output = run_while_another_publishes(&site, command, &sealed);
        assert_eq!(output.status.code(), Some(5), "{command}: {}", text(&output));
    }
}

#[test]
fn status_is_consistent_during_a_publish() {
    let site = two_releases();
    let output = run_while_another_publishes(&site, "status", &["--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let status: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(status["releases"].as_array().unwrap().len(), 3, "{status}");
}

#[test]
fn status_does_not_report_unfinished_work_as_lost() {
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
