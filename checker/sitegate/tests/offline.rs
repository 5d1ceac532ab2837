//! Tests that `sitegate check` without `--external` opens no connection and resolves no name: the kernel kills the process
//! at its first socket.
//!
//! The filter (seccomp) needs no other program and no privileges. The same check with `--external` proves that it works.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::thread;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

/// The signal of a process that violates a seccomp filter.
const KILLED_BY_FILTER: Option<i32> = Some(libc::SIGSYS);

/// Creates a site with external links, by name and by IP address, and a contract that allows requests to them.
fn site() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("site")).unwrap();
    let page = "<!doctype html><html lang=en><meta charset=utf-8><title>t</title>\
        <script src=https://cdn.sitegate-test.org/a.js></script><link rel=preconnect href=https://fonts.sitegate-test.org>\
        <a href=https://www.sitegate-test.org/page#part>a</a><img src=//127.0.0.1:9/a.png alt=a>";
    fs::write(folder.path().join("site/index.html"), page).unwrap();
    let contract = "[site]\nroot = \"site\"\norigin = \"https://www.acme.org\"\n[rules]\nlocal-address = \"off\"\n\
        [external]\nallow-addresses = [\"127.0.0.0/8\"]\n";
    fs::write(folder.path().join("sitegate.toml"), contract).unwrap();
    folder
}

/// Runs a check that must not open a socket.
fn run_without_sockets(folder: &Path, arguments: &[&str]) -> ExitStatus {
    let calls = [libc::SYS_socket, libc::SYS_connect, libc::SYS_sendto, libc::SYS_sendmsg];
    let rules: BTreeMap<i64, Vec<_>> = calls.into_iter().map(|call| (call, Vec::new())).collect();
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::KillProcess, arch).unwrap();
    let program: BpfProgram = filter.try_into().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command.arg("check").args(arguments).current_dir(folder).env("CI", "true").env("XDG_CACHE_HOME", folder);
    // A filter applies to its thread, and to all threads and processes that this thread starts.
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
