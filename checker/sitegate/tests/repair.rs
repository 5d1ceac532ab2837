//! `sitegate repair` on folders: what is damaged is told, nothing is done unasked, and then a publish and the way back
//! work again.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use serde_json::Value;

/// A folder with three releases.
struct Published {
    folder: tempfile::TempDir,
}

impl Published {
    fn new() -> Published {
        let site = Published { folder: tempfile::tempdir().unwrap() };
        for version in ["one", "two", "three"] {
            site.version(version);
            assert_eq!(site.publish().status.code(), Some(0));
        }
        site
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn version(&self, version: &str) {
        fs::create_dir_all(self.path("export/about")).unwrap();
        for page in ["index.html", "about/index.html"] {
            let text = format!("<!doctype html><title>{version}</title>");
            fs::write(self.path("export").join(page), text).unwrap();
        }
        let output = self.run(&["check", "export", "--seal", "seal.json"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        command.args(args).current_dir(self.folder.path()).output().unwrap()
    }

    fn target(&self) -> String {
        format!("file://{}", self.path("public").display())
    }

    fn publish(&self) -> Output {
        self.run(&["publish", &self.target(), "export", "--seal", "seal.json"])
    }

    fn repair(&self, more: &[&str]) -> Value {
        let target = self.target();
        let mut args = vec!["repair", &target, "--format", "json"];
        args.extend(more);
        let output = self.run(&args);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn memory(&self, name: &str) -> PathBuf {
        self.path("public/.sitegate").join(name)
    }

    /// Damages a file of the memory, long ago.
    fn damage(&self, name: &str, content: &[u8]) {
        fs::write(self.memory(name), content).unwrap();
        let file = fs::File::options().append(true).open(self.memory(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
    }

    fn live(&self) -> String {
        let page = |page: &str| fs::read_to_string(self.path("public").join(page)).unwrap();
        assert_eq!(page("index.html"), page("about/index.html"));
        page("index.html")
    }

    /// Both ways lead on from here: back, and to a new release.
    fn goes_on(&self, back_to: &str) {
        let output = self.run(&["rollback", &self.target()]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert!(self.live().contains(back_to), "{}", self.live());
        self.version("four");
        let output = self.publish();
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert!(self.live().contains("four"));
        assert_eq!(self.repair(&[])["damaged"].as_array().unwrap().len(), 0);
    }
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

const LAST: &str = "runs/0000000003.json";

#[test]
fn what_is_whole_needs_no_repair() {
    let site = Published::new();
    let found = site.repair(&["--apply"]);
    assert_eq!((&found["damaged"], &found["applied"]), (&Value::Array(Vec::new()), &false.into()));
    assert!(!site.memory("runs/0000000004.json").exists());
}

#[test]
fn a_last_record_that_is_empty_cut_or_garbled_is_worked_out_anew() {
    for content in [&b""[..], b"{\"schema_version\": 1, \"numb", b"\0\0\0\0\0\0\0\0", b"[1, 2, 3]"] {
        let site = Published::new();
        site.damage(LAST, content);
        for command in ["status", "rollback", "gc", "unlock"] {
            let output = site.run(&[command, &site.target()]);
            assert_eq!(output.status.code(), Some(2), "{command}: {}", said(&output));
            assert!(said(&output).contains("`sitegate repair file://"), "{}", said(&output));
        }
        assert_eq!(site.publish().status.code(), Some(2));
        let found = site.repair(&[]);
        assert!(found["damaged"][0].as_str().unwrap().contains(LAST), "{found}");
        assert!(found["steps"][0].as_str().unwrap().contains("all of its 2 objects are in place"), "{found}");
        assert!(site.memory(LAST).exists(), "nothing is done unasked");
        site.repair(&["--apply"]);
        assert!(site.live().contains("three"));
        let output = site.publish();
        assert!(said(&output).starts_with("unchanged"), "{}", said(&output));
        site.goes_on("two");
    }
}

/// The record is damaged and the switch half done: then neither release is called live as a whole.
#[test]
fn a_half_switched_folder_is_told_as_such() {
    let site = Published::new();
    site.damage(LAST, b"");
    fs::write(site.path("public/index.html"), "<!doctype html><title>two</title>").unwrap();
    let found = site.repair(&["--apply"]);
    assert!(found["steps"][0].as_str().unwrap().contains("half done"), "{found}");
    let output = site.run(&["status", &site.target()]);
    assert!(said(&output).contains("half"), "{}", said(&output));
    let output = site.publish();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(site.live().contains("three"));
    site.goes_on("two");
}

#[test]
fn a_manifest_that_cannot_be_read_is_dropped_and_the_others_stay() {
    let site = Published::new();
    let mut releases: Vec<PathBuf> =
        fs::read_dir(site.memory("releases")).unwrap().map(|entry| entry.unwrap().path()).collect();
    releases.sort();
    fs::write(&releases[1], "{").unwrap();
    let found = site.repair(&["--apply"]);
    assert_eq!(found["damaged"].as_array().unwrap().len(), 1, "{found}");
    site.goes_on("one");
}

#[test]
fn a_live_manifest_that_is_lost_is_not_taken_for_whole() {
    let site = Published::new();
    let mut releases: Vec<PathBuf> =
        fs::read_dir(site.memory("releases")).unwrap().map(|entry| entry.unwrap().path()).collect();
    releases.sort();
    fs::remove_file(&releases[2]).unwrap();
    assert_eq!(site.run(&["status", &site.target()]).status.code(), Some(2));
    site.repair(&["--apply"]);
    // What is there is nobody's as far as is known, so a publish takes it over only when it is told to.
    let output = site.run(&["publish", &site.target(), "export", "--seal", "seal.json", "--adopt"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(site.live().contains("three"));
}

#[test]
fn kept_contents_that_changed_and_leftovers_go() {
    let site = Published::new();
    let kept = fs::read_dir(site.memory("kept")).unwrap().next().unwrap().unwrap().path();
    fs::write(&kept, "something else").unwrap();
    fs::create_dir_all(site.memory("tmp")).unwrap();
    fs::write(site.memory("tmp/half"), "half").unwrap();
    fs::write(site.path("public/index.html#1"), "half, as earlier versions left it").unwrap();
    fs::write(site.path("public/theirs.html#1"), "somebody's").unwrap();
    let found = site.repair(&["--apply"]);
    assert_eq!(found["damaged"].as_array().unwrap().len(), 3, "{found}");
    assert!(!kept.exists() && !site.memory("tmp/half").exists());
    assert!(!site.path("public/index.html#1").exists() && site.path("public/theirs.html#1").exists());
    assert_eq!(site.repair(&[])["damaged"].as_array().unwrap().len(), 0);
}

#[test]
fn a_record_that_was_damaged_just_now_may_be_a_publishers_at_work() {
    let site = Published::new();
    fs::write(site.memory(LAST), "").unwrap();
    let output = site.run(&["repair", &site.target(), "--apply"]);
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    assert!(said(&output).contains("try again in"), "{}", said(&output));
}
