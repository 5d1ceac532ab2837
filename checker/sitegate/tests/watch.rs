//! `sitegate check --watch` for real: a temporary export is changed, deleted, rebuilt, and the program stopped.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// No wait is longer than this.
const PATIENCE: Duration = Duration::from_secs(30);

struct Watching {
    child: Child,
    lines: Receiver<String>,
    folder: TempDir,
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn page(link: &str) -> String {
    format!("<!doctype html><title>x</title><a href=\"{link}\">x</a>")
}

fn start() -> Watching {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sitegate.toml"), "[site]\nroot = \"out/site\"\n").unwrap();
    fs::create_dir_all(folder.path().join("out/site")).unwrap();
    fs::write(folder.path().join("out/site/index.html"), page("/first")).unwrap();
    fs::write(folder.path().join("out/site/kept.html"), page("/kept")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_sitegate"))
        .args(["check", "--watch"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (sender, lines) = channel();
    let streams: [Box<dyn std::io::Read + Send>; 2] =
        [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
    for stream in streams {
        let sender = sender.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
    }
    Watching { child, lines, folder }
}

impl Watching {
    fn site(&self) -> std::path::PathBuf {
        self.folder.path().join("out/site")
    }

    /// What is printed up to the next wait.
    fn round(&self) -> String {
        let end = Instant::now() + PATIENCE;
        let mut text = String::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else { panic!("nothing more after:\n{text}") };
            if line.starts_with("watching ") {
                return text;
            }
            text.push_str(&line);
            text.push('\n');
        }
    }

    /// The rounds until one has this in it: a build may take more than one.
    fn until(&self, wanted: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let text = self.round();
            if text.contains(wanted) {
                return text;
            }
            assert!(Instant::now() < end, "{wanted} was not printed, but\n{text}");
        }
    }

    /// Waits for a line of either stream; which of the two comes first is left open.
    fn line(&self, wanted: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else { panic!("{wanted} was not printed") };
            if line.contains(wanted) {
                return line;
            }
        }
    }

    fn interrupt(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

/// Replaces a file in one step, so that no check sees half of it.
fn put(folder: &Path, name: &str, text: &str) {
    let new = folder.join("new");
    fs::write(&new, text).unwrap();
    fs::rename(new, folder.join(name)).unwrap();
}

/// Builds the export elsewhere, and moves it to its place.
fn rebuild(folder: &Path, link: &str) {
    let new = folder.join("next");
    fs::create_dir_all(new.join("site")).unwrap();
    fs::write(new.join("site/kept.html"), page("/kept")).unwrap();
    fs::write(new.join("site/index.html"), page(link)).unwrap();
    fs::rename(new, folder.join("out")).unwrap();
}

#[test]
fn a_change_prints_what_is_new_and_what_is_fixed() {
    let watching = start();
    let first = watching.round();
    assert!(first.contains("broken link: `/first` does not exist") && first.contains("`/kept`"), "{first}");
    assert!(first.contains("failed  2 errors"), "{first}");

    put(watching.folder.path(), "out/site/index.html", &page("/second"));
    let text = watching.until("/second");
    assert!(text.contains("fixed  index.html: /first (broken-link)"), "{text}");
    assert!(!text.contains("kept"), "the report is not repeated\n{text}");
    assert!(text.contains("failed  2 errors"), "the totals are of all\n{text}");
    assert_eq!(watching.interrupt(), Some(130));
}

#[test]
fn a_deleted_export_is_waited_for() {
    let watching = start();
    watching.round();
    fs::remove_dir_all(watching.folder.path().join("out")).unwrap();
    let gone = watching.line("error: ");
    assert!(gone.contains("out/site"), "{gone}");
    rebuild(watching.folder.path(), "/third");
    let text = watching.until("/third");
    assert!(!text.contains("`/kept`"), "what was known before the rebuild is not new\n{text}");
    // What was put in its place is watched too.
    fs::create_dir(watching.site().join("deep")).unwrap();
    fs::write(watching.site().join("deep/page.html"), page("/fourth")).unwrap();
    watching.until("/fourth");
    assert_eq!(watching.interrupt(), Some(130));
}

#[test]
fn a_changed_contract_counts_too() {
    let watching = start();
    watching.round();
    put(watching.folder.path(), "sitegate.toml", "[site]\nrot = 1\n");
    watching.line("did you mean `root`?");
    let contract = "[site]\nroot = \"out/site\"\n[rules]\nbroken-link = \"off\"\n";
    put(watching.folder.path(), "sitegate.toml", contract);
    let text = watching.until("passed");
    assert!(text.contains("fixed  kept.html: /kept (broken-link)"), "{text}");
    assert_eq!(watching.interrupt(), Some(130));
}

#[test]
fn an_export_that_is_emptied_is_waited_for_too() {
    let watching = start();
    watching.round();
    fs::remove_file(watching.site().join("index.html")).unwrap();
    fs::remove_file(watching.site().join("kept.html")).unwrap();
    watching.line("there is no page any more");
    fs::write(watching.site().join("kept.html"), page("/kept")).unwrap();
    put(watching.folder.path(), "out/site/index.html", &page("/fifth"));
    let text = watching.until("/fifth");
    assert!(!text.contains("`/kept`"), "what was known before is not new\n{text}");
}

#[test]
fn a_storm_of_changes_ends_in_one_true_report() {
    let watching = start();
    watching.round();
    for round in 0..3 {
        for number in 0..300 {
            let link = if round == 2 { "/" } else { "/gone" };
            fs::write(watching.site().join(format!("page{number}.html")), page(link)).unwrap();
        }
    }
    put(watching.folder.path(), "out/site/index.html", &page("/last"));
    let text = watching.until("302 pages");
    let text = if text.contains("failed  2 errors") { text } else { watching.until("failed  2 errors") };
    assert!(text.contains("302 pages"), "{text}");
    // Written anew in a folder that another build left out of sight, each under its own name, by rename.
    for number in 0..300 {
        put(watching.folder.path(), &format!("out/site/page{number}.html"), &page("/again"));
    }
    watching.until("failed  302 errors");
}
