//! Kills and interrupts `mv` and `check --fix` at random moments: each file is old or new, and no other file is between
//! the sources.

#![allow(clippy::print_stderr)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::folders::{commit, folder, git, page, program, sitegate, write};
use crate::sample::seed;

/// Number of pages, each with a link.
const PAGES: usize = 200;

/// Number of runs for each command and signal.
const RUNS: u32 = 12;

/// Other systems have no interruption that a test can send.
const SIGNALS: &[&str] = if cfg!(unix) { &["KILL", "INT"] } else { &["KILL"] };

/// A committed site: pages that link to `guide/setup.md`, or to it with a fault.
fn site(link: &str) -> TempDir {
    let contract = "[site]\nroot = \"site\"\n[source]\ninclude = [\"docs/**\"]\n";
    let site = folder(&[
        ("sitegate.toml", contract),
        (".gitignore", "site\n"),
        ("docs/guide/setup.md", "# Setup\n"),
        ("site/index.html", &page("Home")),
        ("site/guide/setup/index.html", &page("Setup")),
    ]);
    for number in 0..PAGES {
        write(site.path(), &format!("docs/guide/{number}.md"), &format!("# {number}\n\n[s]({link}.md)\n"));
        let body = page(&format!("<a href=../{link}.md>s</a>"));
        write(site.path(), &format!("site/guide/{number}/index.html"), &body);
    }
    // A page outside of the folder to move.
    write(site.path(), "docs/about.md", "[s](guide/setup.md)\n");
    write(site.path(), "site/about/index.html", &page("<a href=../guide/setup/>s</a>"));
    commit(site.path());
    write(site.path(), "site/index.html", &page("Built"));
    site
}

/// Returns all files of the sources, and of the folder of the contract.
fn sources(site: &Path) -> BTreeMap<String, String> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![site.to_path_buf()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(site).unwrap().to_str().unwrap().replace('\\', "/");
            match path.is_dir() {
                true if name == ".git" || name == "site" => {}
                true => folders.push(path),
                false => drop(found.insert(name, fs::read_to_string(&path).unwrap())),
            }
        }
    }
    found
}

fn restore(site: &Path) {
    git(site, &["reset", "--quiet", "--hard"]);
    git(site, &["clean", "--quiet", "-fd"]);
    // The restored sources are newer than the build.
    write(site, "site/index.html", &page("Built again"));
}

fn start(site: &Path, arguments: &[&str]) -> Child {
    program(site, arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Waits until the program stages its files, or has written the first; then for a while.
fn wait_for_moment(site: &Path, child: &mut Child, delay: Duration, is_late: bool) {
    let (staging, first) = (site.join(".git/sitegate-staging"), site.join("docs/guide/0.md"));
    let before = fs::read(&first).unwrap();
    let is_reached = || {
        if is_late { fs::read(&first).map_or(true, |present| present != before) } else { staging.exists() }
    };
    while !is_reached() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let start = Instant::now();
    while start.elapsed() < delay {
        std::hint::spin_loop();
    }
}

#[cfg(unix)]
fn is_interrupted(status: ExitStatus) -> bool {
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(2)
}

#[cfg(not(unix))]
fn is_interrupted(_: ExitStatus) -> bool {
    false
}

/// Sends signals to a command at random moments. `is_move` says that the files of `docs/guide` move to `docs/manual`.
fn interrupt(site: &Path, arguments: &[&str], signal: &str, is_move: bool) {
    let old = sources(site);
    let began = Instant::now();
    assert!(sitegate(site, arguments).status.code().is_some_and(|code| code < 2));
    let whole = began.elapsed();
    let new = sources(site);
    assert_ne!(old, new);
    restore(site);
    let mut random = seed().unwrap_or(7);
    let (mut partial, mut complete) = (0, 0);
    for run in 0..RUNS {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut child = start(site, arguments);
        // Most runs are interrupted while they write, some earlier.
        if (random >> 33).is_multiple_of(8) {
            std::thread::sleep(whole.mul_f64((random >> 40) as f64 / (1_u64 << 24) as f64));
        } else {
            let is_late = run % 2 == 0;
            let limit = if is_late { 3_000 } else { 15_000 };
            wait_for_moment(site, &mut child, Duration::from_micros((random >> 40) % limit), is_late);
        }
        if signal == "KILL" {
            let _ = child.kill();
        } else {
            let _ = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).output();
        }
        let status = child.wait().unwrap();
        let present = sources(site);
        for (name, text) in &present {
            let is_whole = [old.get(name), new.get(name)].contains(&Some(text));
            let before = name.replace("docs/manual/", "docs/guide/");
            let is_moved = is_move && old.get(&before) == Some(text) && new.contains_key(name);
            assert!(is_whole || is_moved, "{signal}: {name}: {text:?}");
        }
        assert_eq!(present.len(), old.len(), "{signal}: no file is missing, and no other is there");
        complete += u32::from(present == new);
        partial += u32::from(present != new && present != old);
        if signal == "INT" {
            assert!(present == new || present == old, "an interruption waits until all files are written");
            assert!(status.success() || status.code() == Some(1) || is_interrupted(status), "{status:?}");
        }
        restore(site);
    }
    eprintln!("{arguments:?}, {signal}: {RUNS} runs, {partial} partly written, {complete} completely");
    // The next run ignores what a killed one has left, and removes it.
    assert!(sitegate(site, arguments).status.code().is_some_and(|code| code < 2));
    assert_eq!(sources(site), new);
    assert!(!site.join(".git/sitegate-staging").exists());
    restore(site);
}

#[test]
fn a_move_is_complete_after_an_interruption_and_each_file_whole_after_a_kill() {
    let site = site("setup");
    for signal in SIGNALS {
        interrupt(site.path(), &["mv", "docs/guide", "docs/manual"], signal, true);
        interrupt(site.path(), &["mv", "docs/guide/setup.md", "docs/install.md"], signal, false);
    }
}

#[test]
fn fixes_are_complete_after_an_interruption_and_each_file_whole_after_a_kill() {
    let site = site("setpu");
    for signal in SIGNALS {
        interrupt(site.path(), &["check", "--fix"], signal, false);
    }
}
