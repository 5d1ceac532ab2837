//! Tests `sitegate check --watch` with an export that is changed, deleted and rebuilt.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::folders::program;

/// Maximum time to wait for output.
const TIMEOUT: Duration = Duration::from_secs(30);

struct WatchProcess {
    child: Child,
    lines: Receiver<String>,
    folder: TempDir,
}

impl Drop for WatchProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn page(link: &str) -> String {
    format!("<!doctype html><title>x</title><a href=\"{link}\">x</a>")
}

fn start() -> WatchProcess {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sitegate.toml"), "[site]\nroot = \"out/site\"\n").unwrap();
    fs::create_dir_all(folder.path().join("out/site")).unwrap();
    fs::write(folder.path().join("out/site/index.html"), page("/first")).unwrap();
    fs::write(folder.path().join("out/site/kept.html"), page("/kept")).unwrap();
    let mut child = program(folder.path(), &["check", "--watch"])
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
    WatchProcess { child, lines, folder }
}

impl WatchProcess {
    fn site(&self) -> std::path::PathBuf {
        self.folder.path().join("out/site")
    }

    /// Returns the output until the program waits again.
    fn next_round(&self) -> String {
        let end = Instant::now() + TIMEOUT;
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

    /// Returns the output until it contains a text. A build may take several rounds.
    fn rounds_until(&self, wanted: &str) -> String {
        let end = Instant::now() + TIMEOUT;
        loop {
            let text = self.next_round();
            if text.contains(wanted) {
                return text;
            }
            assert!(Instant::now() < end, "{wanted} was not printed, but\n{text}");
        }
    }

    /// Waits for a line on stdout or stderr.
    fn wait_for_line(&self, wanted: &str) -> String {
        let end = Instant::now() + TIMEOUT;
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
        let end = Instant::now() + TIMEOUT;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

/// Replaces a file atomically.
fn replace_file(folder: &Path, name: &str, text: &str) {
    let new = folder.join("new");
    fs::write(&new, text).unwrap();
    fs::rename(new, folder.join(name)).unwrap();
}

/// Builds the export in another folder, and then replaces the export with it.
fn rebuild(folder: &Path, link: &str) {
    let new = folder.join("next");
    fs::create_dir_all(new.join("site")).unwrap();
    fs::write(new.join("site/kept.html"), page("/kept")).unwrap();
    fs::write(new.join("site/index.html"), page(link)).unwrap();
    fs::rename(new, folder.join("out")).unwrap();
}

#[test]
fn prints_new_and_fixed_findings_after_a_change() {
    let watching = start();
    let first = watching.next_round();
    assert!(
        first.contains("error[broken-link]: `/first` does not exist") && first.contains("`/kept`"),
        "{first}"
    );
    assert!(first.contains("failed  2 errors"), "{first}");

    replace_file(watching.folder.path(), "out/site/index.html", &page("/second"));
    let text = watching.rounds_until("/second");
    assert!(text.contains("fixed  index.html: /first (broken-link)"), "{text}");
    assert!(!text.contains("kept"), "the report is not repeated\n{text}");
    assert!(text.contains("failed  2 errors"), "the totals are of all\n{text}");
    assert_eq!(watching.interrupt(), Some(130));
}

#[test]
fn waits_for_a_deleted_export() {
    let watching = start();
    watching.next_round();
    fs::remove_dir_all(watching.folder.path().join("out")).unwrap();
    let gone = watching.wait_for_line("error: ");
    assert!(gone.contains("out/site"), "{gone}");
    rebuild(watching.folder.path(), "/third");
    let text = watching.rounds_until("/third");
    assert!(!text.contains("`/kept`"), "findings from before the rebuild are not new\n{text}");
    // The new folder is watched, too.
    fs::create_dir(watching.site().join("deep")).unwrap();
    fs::write(watching.site().join("deep/page.html"), page("/fourth")).unwrap();
    watching.rounds_until("/fourth");
    assert_eq!(watching.interrupt(), Some(130));
}

#[test]
fn checks_again_when_the_contract_changes() {
    let watching = start();
    watching.next_round();
    replace_file(watching.folder.path(), "sitegate.toml", "[site]\nrot = 1\n");
    watching.wait_for_line("did you mean `root`?");
    let contract = "[site]\nroot = \"out/site\"\n[rules]\nbroken-link = \"off\"\n";
    replace_file(watching.folder.path(), "sitegate.toml", contract);
    let text = watching.rounds_until("passed");
    assert!(text.contains("fixed  kept.html: /kept (broken-link)"), "{text}");
    assert_eq!(watching.interrupt(), Some(130));
}

#[test]
fn waits_for_an_emptied_export() {
    let watching = start();
    watching.next_round();
    fs::remove_file(watching.site().join("index.html")).unwrap();
    fs::remove_file(watching.site().join("kept.html")).unwrap();
    watching.wait_for_line("no pages left");
    fs::write(watching.site().join("kept.html"), page("/kept")).unwrap();
    replace_file(watching.folder.path(), "out/site/index.html", &page("/fifth"));
    let text = watching.rounds_until("/fifth");
    assert!(!text.contains("`/kept`"), "known findings are not new\n{text}");
}

#[test]
fn many_changes_end_in_a_correct_report() {
    let watching = start();
    watching.next_round();
    for round in 0..3 {
        for number in 0..300 {
            let link = if round == 2 { "/" } else { "/gone" };
            fs::write(watching.site().join(format!("page{number}.html")), page(link)).unwrap();
        }
    }
    replace_file(watching.folder.path(), "out/site/index.html", &page("/last"));
    let text = watching.rounds_until("302 pages");
    let text =
        if text.contains("failed  2 errors") { text } else { watching.rounds_until("failed  2 errors") };
    assert!(text.contains("302 pages"), "{text}");
    // Each file is written to a hidden folder of another build, and then renamed.
    for number in 0..300 {
        replace_file(watching.folder.path(), &format!("out/site/page{number}.html"), &page("/again"));
    }
    watching.rounds_until("failed  302 errors");
}

#[test]
fn an_edit_may_leave_all_findings_as_they_are() {
    let watching = start();
    watching.next_round();
    replace_file(&watching.site(), "index.html", &page("/first").replace(">x</a>", ">y</a>"));
    let text = watching.rounds_until("failed  2 errors");
    assert!(!text.contains("error[") && !text.contains("sitegate explain"), "{text}");
    replace_file(&watching.site(), "index.html", &page("/second"));
    let text = watching.rounds_until("`/second` does not exist");
    assert!(text.contains("sitegate explain broken-link"), "{text}");
}

#[test]
fn waits_for_the_first_build() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = program(folder.path(), &["check", "dist", "--watch"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(line, "error: there is no folder `dist` yet; waiting for it\n");
}
