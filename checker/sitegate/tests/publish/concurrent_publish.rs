//! Tests commands that read a target while another publisher changes it. They must not mix two states.

#![allow(clippy::print_stderr)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
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

/// Runs a command that stops when it opens the first file of the site, while another release goes live. It has read the
/// target state before, and reads all other files afterwards. None without `strace`.
fn run_while_another_publishes(site: &Site, command: &str, more: &[&str]) -> Option<Output> {
    if Command::new("strace").arg("-V").output().is_err() {
        eprintln!("strace is not here, so no command is stopped");
        return None;
    }
    let log = site.path("log");
    let _ = fs::remove_file(&log);
    let mut running = start(site, command, more);
    let stopped = wait_until_stopped(&log);
    site.write("index.html", "<!doctype html><title>Home, second edition</title>");
    site.write("robots.txt", &format!("User-agent: *\n# {command} {more:?}\n"));
    site.check();
    site.publish_ok(&[]);
    // Each thread stops at its own first file.
    while running.try_wait().unwrap().is_none() {
        let _ = Command::new("kill").args(["-CONT", &stopped]).stderr(Stdio::null()).status();
        std::thread::sleep(Duration::from_millis(20));
    }
    Some(running.wait_with_output().unwrap())
}

fn start(site: &Site, command: &str, more: &[&str]) -> Child {
    let target = format!("file://{}", site.path("public").display());
    // The first file is opened in the open folder `about`.
    let stop = ["-e", "trace=openat", "-e", "inject=openat:signal=SIGSTOP:when=1", "-P"];
    let mut program = Command::new("strace");
    program.args(["-f", "-qq", "-o", "log"]).args(stop).arg(site.path("public/about"));
    program.arg(env!("CARGO_BIN_EXE_sitegate")).args([command, &target]).args(more).args(["--jobs", "1"]);
    program.current_dir(site.folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the log shows that the process stopped, and returns its number.
fn wait_until_stopped(log: &Path) -> String {
    for _ in 0..1_000 {
        let text = fs::read_to_string(log).unwrap_or_default();
        if let Some(line) = text.lines().find(|line| line.contains("stopped by SIGSTOP")) {
            return line.split(' ').next().unwrap().to_owned();
        }
        std::thread::sleep(Duration::from_millis(60));
    }
    panic!("nothing was stopped: {}", fs::read_to_string(log).unwrap_or_default());
}

#[test]
fn rollback_does_not_report_a_concurrent_publish_as_drift() {
    for more in [&[][..], &["--dry-run"]] {
        let Some(output) = run_while_another_publishes(&two_releases(), "rollback", more) else { return };
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
        let Some(output) = run_while_another_publishes(&site, command, &sealed) else { return };
        assert_eq!(output.status.code(), Some(5), "{command}: {}", text(&output));
    }
}

#[test]
fn status_is_consistent_during_a_publish() {
    let site = two_releases();
    let Some(output) = run_while_another_publishes(&site, "status", &["--format", "json"]) else { return };
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
