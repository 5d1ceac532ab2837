//! `sitegate check` without `--external` makes no connection and looks no name up: the kernel ends it at the first socket.
//!
//! The filter is the kernel's own (seccomp), so this needs no program to watch another and no rights. That it sees sockets
//! is shown by the same check with `--external`, which it ends.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::thread;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

/// What the kernel ends a process with that does what a filter forbids: SIGSYS.
const KILLED_BY_FILTER: Option<i32> = Some(libc::SIGSYS);

/// A site with links to other hosts, by name and by number, and a contract that would have them asked.
fn site() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("site")).unwrap();
    let page = "<!doctype html><html lang=en><meta charset=utf-8><title>t</title>\
        <script src=https://cdn.sitegate-test.org/a.js></script><link rel=preconnect href=https://fonts.sitegate-test.org>\
        <a href=https://www.sitegate-test.org/page#part>a</a><img src=//127.0.0.1:9/a.png alt=a>";
    fs::write(folder.path().join("site/index.html"), page).unwrap();
    let contract = "[site]\nroot = \"site\"\norigin = \"https://www.acme.org\"\n[rules]\nlocal-address = \"off\"\n\
        [external]\nallow-addresses = [\"127.0.0.0/8\"]\ncache = \"answers\"\n";
    fs::write(folder.path().join("sitegate.toml"), contract).unwrap();
    folder
}

/// Runs a check that may open no socket.
fn run_without_sockets(folder: &Path, arguments: &[&str]) -> ExitStatus {
    let calls = [libc::SYS_socket, libc::SYS_connect, libc::SYS_sendto, libc::SYS_sendmsg];
    let rules: BTreeMap<i64, Vec<_>> = calls.into_iter().map(|call| (call, Vec::new())).collect();
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::KillProcess, arch).unwrap();
    let program: BpfProgram = filter.try_into().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command.arg("check").args(arguments).current_dir(folder).env("CI", "true");
    // A filter holds for the thread that takes it on, and for all that this starts.
    let run = move || {
        apply_filter(&program).unwrap();
        command.output().unwrap().status
    };
    thread::spawn(run).join().unwrap()
}

#[test]
fn check_without_external_opens_no_socket() {
    let folder = site();
    for arguments in
        [&[][..], &["--seal", "seal.json", "--report", "json=report.json"], &["--external", "--dry-run"]]
    {
        let status = run_without_sockets(folder.path(), arguments);
        assert_eq!((status.code(), status.signal()), (Some(0), None), "{arguments:?}");
    }
    assert_eq!(run_without_sockets(folder.path(), &["--external"]).signal(), KILLED_BY_FILTER);
}
