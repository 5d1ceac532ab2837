//! Tests target states that this version did not write: damaged backups, newer formats and foreign names, in buckets and
//! folders.

use std::fs;
use std::path::PathBuf;
use std::process::Output;
use std::time::Duration;

use serde_json::Value;

use super::faults::fault_rule;
use super::releases::run_without_files;
use super::server::{Fault, Objects, Server, Settings, When};
use super::site::{Site, all_output, is_version, public_objects};
use crate::campaign::target::TestTarget;

/// Commands that read the target state.
const COMMANDS: [&str; 7] = ["status", "plan", "publish", "rollback", "gc", "unlock", "repair"];

/// A site and its target with two releases.
struct Published {
    site: Site,
    target: TestTarget,
}

impl Published {
    /// Publishes two releases to a bucket and to a folder.
    fn both() -> [Published; 2] {
        let bucket = TestTarget::Bucket(Server::in_memory(Settings::default()), String::new());
        [bucket, TestTarget::Folder(tempfile::tempdir().unwrap())].map(|target| {
            let published = Published { site: Site::new(), target };
            for version in ["one", "two"] {
                published.site.version(version);
                published.done("publish", &[]);
            }
            published
        })
    }

    fn run(&self, command: &str, more: &[&str]) -> Output {
        let (url, endpoint) = (self.target.url(), self.target.server().map(Server::url));
        let mut args = crate::command_words(command);
        args.push(&url);
        if matches!(command, "publish" | "plan") {
            args.extend(["export", "--seal", "seal.json"]);
        }
        args.extend(endpoint.iter().flat_map(|endpoint| ["--endpoint", endpoint]));
        args.extend(more);
        self.site.command(&args).output().unwrap()
    }

    fn done(&self, command: &str, more: &[&str]) -> String {
        let output = self.run(command, more);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", all_output(&output));
        all_output(&output)
    }

    /// Asserts that a command changes nothing, and returns what it prints.
    fn refused(&self, command: &str, more: &[&str], code: i32) -> String {
        let before = self.target.objects();
        let output = self.run(command, more);
        assert_eq!(output.status.code(), Some(code), "{command}: {}", all_output(&output));
        assert_eq!(self.target.objects(), before, "{command}");
        all_output(&output)
    }

    /// Asserts that all pages are of a version.
    fn is_version(&self, version: &str) {
        let mut objects = self.target.objects();
        for page in ["terms", "blog/first"] {
            // A folder has no slashless keys.
            let whole = objects[&format!("{page}/index.html")].clone();
            objects.entry(page.to_owned()).or_insert(whole);
        }
        is_version(&objects, version).unwrap();
    }

    fn keys(&self, prefix: &str) -> Vec<String> {
        self.target.objects().into_keys().filter(|key| key.starts_with(prefix)).collect()
    }

    /// Returns the keys of the backups: the kept contents that are no inventories.
    fn backups(&self) -> Vec<String> {
        let objects = self.target.objects();
        let is_text = |key: &String| std::str::from_utf8(&objects[key].body).is_ok();
        self.keys(".sitegate/kept/").into_iter().filter(is_text).collect()
    }

    fn folder(&self) -> Option<PathBuf> {
        self.target.served()
    }
}

/// Damages of a backup: truncated, emptied, garbled with the same size, longer, and deleted.
fn damages(body: &[u8]) -> [Option<Vec<u8>>; 5] {
    let mut garbled = body.to_vec();
    garbled[0] ^= 1;
    [
        Some(body[..body.len() / 2].to_vec()),
        Some(Vec::new()),
        Some(garbled),
        Some([body, b"more"].concat()),
        None,
    ]
}

#[test]
fn rollback_reads_all_backups_before_it_changes_a_page() {
    for published in Published::both() {
        let state = |objects: &Objects| objects.keys().filter(|key| key.starts_with(".sitegate/")).count();
        for key in published.backups() {
            let whole = published.target.objects()[&key].body.clone();
            for damaged in damages(&whole) {
                published.target.set(&key, damaged.as_deref());
                let before = published.target.objects();
                let printed = published.refused("rollback", &[], 4);
                assert!(printed.contains("build and publish that release again instead"), "{printed}");
                assert_eq!(state(&published.target.objects()), state(&before), "no run was begun");
                published.target.set(&key, Some(&whole));
            }
        }
        // A damaged backup is replaced when its content is backed up again.
        let key = &published.backups()[0];
        let whole = published.target.objects()[key].body.clone();
        published.target.set(key, Some(&whole[..whole.len() / 2]));
        published.site.version("one");
        published.done("publish", &[]);
        published.site.version("two");
        published.done("publish", &[]);
        assert_eq!(published.target.objects()[key].body, whole);
        published.done("rollback", &[]);
        published.is_version("one");
    }
}

/// A backup that is lost after the rollback began: the next rollback does not restore the other release instead.
#[test]
fn rollback_that_lost_a_backup_names_both_ways_out() {
    let [published, _] = Published::both();
    let server = published.target.server().unwrap();
    let stall = Fault::Stall(Duration::from_millis(1_500));
    server.faults(&[fault_rule("PUT", "/index.html", When::At(1), stall)]);
    let endpoint = server.url();
    let mut command = published.site.command(&["rollback", &published.target.url(), "--endpoint", &endpoint]);
    let child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    while server.fault_count() == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let kept: Vec<(String, Vec<u8>)> = published
        .keys(".sitegate/kept/")
        .into_iter()
        .map(|key| (key.clone(), server.objects()[&key].body.clone()))
        .collect();
    kept.iter().for_each(|(key, _)| server.remove(key));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(7), "{}", all_output(&output));
    server.faults(&[]);
    let before = public_objects(&server.objects());
    let status = run_without_files(server, "status", &[]);
    assert!(all_output(&status).contains("\n  interrupted  "), "{}", all_output(&status));
    let printed = published.refused("rollback", &[], 4);
    assert!(printed.contains("or restore the release before with `sitegate rollback --to "), "{printed}");
    assert_eq!(public_objects(&server.objects()), before);
    for (key, body) in &kept {
        published.target.set(key, Some(body));
    }
    let printed = published.done("rollback", &[]);
    assert!(printed.contains("completing the interrupted rollback to "), "{printed}");
    published.is_version("one");
}

#[test]
fn formats_of_newer_versions_are_refused() {
    for published in Published::both() {
        published.site.version("three");
        let last = published.keys(".sitegate/runs/").pop().unwrap();
        let live = published.keys(".sitegate/releases/").pop().unwrap();
        for key in [last, live] {
            let whole = published.target.objects()[&key].body.clone();
            let mut newer: Value = serde_json::from_slice(&whole).unwrap();
            newer["schema_version"] = 2.into();
            let readable = newer.to_string();
            // A newer version may also have changed the fields.
            newer.as_object_mut().unwrap().retain(|name, _| name == "schema_version");
            for text in [readable, newer.to_string()] {
                published.target.set(&key, Some(text.as_bytes()));
                for command in COMMANDS {
                    let apply: &[&str] = if command == "repair" { &["--apply"] } else { &[] };
                    let printed = published.refused(command, apply, 2);
                    let words = [key.as_str(), "was written by a newer sitegate", "update sitegate"];
                    for word in words {
                        assert!(printed.contains(word), "{command}: `{word}` is not in:\n{printed}");
                    }
                }
            }
            published.target.set(&key, Some(&whole));
        }
        published.done("publish", &[]);
        published.is_version("three");
    }
}

/// Foreign names among the records, manifests and backups.
const FOREIGN: [&str; 15] = [
    "runs/18446744073709551615.json",
    "runs/99999999999999999999999.json",
    "runs/9999999999.json",
    "runs/0000000000.json",
    "runs/00000000001.json",
    "runs/3.json",
    "runs/-000000003.json",
    "runs/+000000003.json",
    "runs/0000000009.JSON",
    "runs/.json",
    "runs/٠٠٠٠٠٠٠٠٠٣.json",
    "runs/terraform.tfstate",
    "releases/README.json",
    "releases/.DS_Store",
    "kept/notes.txt",
];

#[test]
fn foreign_names_are_ignored_and_moved_aside() {
    for published in Published::both() {
        let mut keys: Vec<String> = FOREIGN.map(|name| format!(".sitegate/{name}")).to_vec();
        if published.folder().is_none() {
            keys.extend([".sitegate/runs/0000000003.json/x", ".sitegate/runs"].map(str::to_owned));
        }
        for key in &keys {
            published.target.set(key, Some(b"theirs"));
        }
        published.done("status", &[]);
        for version in ["three", "four"] {
            published.site.version(version);
            published.done("publish", &[]);
        }
        published.done("rollback", &[]);
        published.is_version("three");
        published.done("unlock", &[]);
        published.done("gc", &["--keep-releases", "0"]);
        for key in &keys {
            assert_eq!(published.target.objects()[key].body, b"theirs", "{key}");
        }
        let printed = published.done("repair", &["--apply"]);
        for key in &keys {
            assert!(printed.contains(&format!("{key} is not from sitegate")), "{key}: {printed}");
            assert!(!published.target.objects().contains_key(key), "{key}");
        }
        let aside = published.keys(".sitegate/aside/");
        assert_eq!(aside.len(), keys.len(), "{aside:?}");
        assert!(published.done("repair", &[]).contains("nothing is damaged"));
        published.site.version("five");
        published.done("publish", &[]);
        published.is_version("five");
    }
}

/// A folder or file in the way of the target state: the message names it, and the command that helps.
#[test]
fn names_what_is_in_the_way_of_a_record() {
    let [_, published] = Published::both();
    published.site.version("three");
    let state = published.folder().unwrap().join(".sitegate");
    for is_empty in [true, false] {
        let place = state.join("runs/0000000003.json");
        fs::create_dir(&place).unwrap();
        if !is_empty {
            fs::write(place.join("note.txt"), "theirs").unwrap();
        }
        published.done("status", &[]);
        let printed = published.refused("publish", &[], 2);
        assert!(printed.contains(".sitegate/runs/0000000003.json is a folder"), "{printed}");
        assert!(printed.contains(" --apply`, which moves it aside"), "{printed}");
        assert!(published.done("repair", &[]).contains("runs/0000000003.json is not from sitegate"));
        published.done("repair", &["--apply"]);
        assert!(!place.exists());
    }
    assert_eq!(fs::read_dir(state.join("aside")).unwrap().count(), 2);
    published.done("publish", &[]);
    published.is_version("three");
    // The records are in another folder, and a file has the name of theirs.
    fs::rename(state.join("runs"), state.join("old")).unwrap();
    fs::write(state.join("runs"), "theirs").unwrap();
    for command in ["status", "publish", "rollback", "gc"] {
        let printed = published.refused(command, &[], 2);
        assert!(printed.contains(".sitegate/runs is a file"), "{command}: {printed}");
    }
    published.done("repair", &["--apply"]);
    fs::rename(state.join("old"), state.join("runs")).unwrap();
    assert!(published.done("publish", &[]).contains("unchanged"));
}
