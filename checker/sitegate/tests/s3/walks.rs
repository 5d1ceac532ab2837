//! Tests random sequences of publishes, kills, rollbacks and gc. All releases in `status` can be restored, the live site is
//! complete, and after each interruption both a retry and a rollback work.
//!
//! `SITEGATE_TEST_SEED` selects other walks.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::faults::fault_rule;
use super::server::{Fault, Objects, Server, Settings, When};
use super::site::{PAGES, Site, all_output, hash, page_text};
use crate::concurrent::for_each_case;
use crate::sample;

/// The target of a walk.
enum WalkTarget {
    Bucket(Server),
    Folder,
}

/// A saved state of a target.
enum Snapshot {
    Bucket(Objects),
    Folder(tempfile::TempDir),
}

struct Walk {
    site: Site,
    place: WalkTarget,
    random: u64,
    /// The sealed versions, by the digest of their trees.
    versions: BTreeMap<String, String>,
    /// The commands so far, for failure messages.
    steps: Vec<String>,
    /// The version that the last interrupted switch restores, if it is a rollback.
    restores: Option<String>,
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

impl Walk {
    fn new(place: WalkTarget, seed: u64) -> Walk {
        let site = Site::new();
        fs::create_dir(site.path("public")).unwrap();
        let random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        Walk { site, place, random, versions: BTreeMap::new(), steps: Vec::new(), restores: None }
    }

    /// Returns a random number below a bound (xorshift64).
    fn below(&mut self, bound: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random % bound as u64) as usize
    }

    fn version(&mut self, version: &str) {
        self.site.version(version);
        let seal: Value = serde_json::from_slice(&fs::read(self.site.path("seal.json")).unwrap()).unwrap();
        self.versions.insert(seal["tree"].as_str().unwrap().to_owned(), version.to_owned());
    }

    fn command(&self, command: &str, more: &[&str]) -> std::process::Command {
        match &self.place {
            WalkTarget::Bucket(server) => self.site.on(server, command, more),
            WalkTarget::Folder => {
                let target = format!("file://{}", self.site.path("public").display());
                let mut args = crate::command_words(command);
                args.push(&target);
                if command == "publish" {
                    args.extend(["export", "--seal", "seal.json"]);
                }
                args.extend(more);
                self.site.command(&args)
            }
        }
    }

    fn run(&self, command: &str, more: &[&str]) -> Output {
        self.command(command, more).output().unwrap()
    }

    fn done(&self, command: &str, more: &[&str]) -> Output {
        let output = self.run(command, more);
        let code = output.status.code();
        assert_eq!(code, Some(0), "{command} {more:?} after {:#?}: {}", self.steps, all_output(&output));
        output
    }

    fn status(&self) -> Value {
        serde_json::from_slice(&self.done("status", &["--format", "json"]).stdout).unwrap()
    }

    /// Kills a command at a random moment, and unlocks the target. With a bucket, it is killed before or after a request is
    /// executed. With a folder, it is killed after a random time.
    fn kill(&mut self, command: &str, more: &[&str], version: &str) {
        let before = self.status()["unfinished"].clone();
        let (at, fault) = (1 + self.below(24), [Fault::KillBefore, Fault::KillAfter][self.below(2)]);
        let pause = Duration::from_micros(self.below(60_000) as u64);
        if let WalkTarget::Bucket(server) = &self.place {
            server.faults(&[fault_rule("*", "", When::At(at), fault)]);
        }
        let mut child =
            self.command(command, more).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        match &self.place {
            WalkTarget::Bucket(server) => server.victim(child.id()),
            WalkTarget::Folder => {
                std::thread::sleep(pause);
                let _ = child.kill();
            }
        }
        child.wait().unwrap();
        if let WalkTarget::Bucket(server) = &self.place {
            server.faults(&[]);
        }
        self.done("unlock", &[]);
        if self.status()["unfinished"] != before {
            self.restores = (command == "rollback").then(|| version.to_owned());
        }
    }

    fn snapshot(&self) -> Snapshot {
        match &self.place {
            WalkTarget::Bucket(server) => Snapshot::Bucket(server.objects()),
            WalkTarget::Folder => {
                let folder = tempfile::tempdir().unwrap();
                copy(&self.site.path("public"), folder.path());
                Snapshot::Folder(folder)
            }
        }
    }

    fn restore(&self, snapshot: &Snapshot) {
        match (&self.place, snapshot) {
            (WalkTarget::Bucket(server), Snapshot::Bucket(objects)) => server.set_objects(objects.clone()),
            (_, Snapshot::Folder(folder)) => {
                fs::remove_dir_all(self.site.path("public")).unwrap();
                copy(folder.path(), &self.site.path("public"));
            }
            _ => unreachable!(),
        }
    }

    fn read(&self, key: &str) -> Option<String> {
        match &self.place {
            WalkTarget::Bucket(server) => {
                server.objects().get(key).map(|stored| String::from_utf8_lossy(&stored.body).into_owned())
            }
            WalkTarget::Folder => fs::read_to_string(self.site.path("public").join(key)).ok(),
        }
    }

    /// Asserts that each page is from one version, with its assets. If a version is given, all pages must be from it.
    fn is_whole(&self, version: Option<&str>) {
        for page in PAGES {
            let Some(text) = self.read(page) else {
                assert_eq!(version, None, "{page} is not there after {:#?}", self.steps);
                continue;
            };
            let mut known = self.versions.values();
            let found = known.find(|version| page_text(version) == text);
            let found = found.unwrap_or_else(|| panic!("{page} is {text:?} after {:#?}", self.steps));
            assert!(
                version.is_none_or(|version| version == found),
                "{page}: {found} after {:#?}",
                self.steps
            );
            let asset = format!("assets/app-{}.js", hash(found));
            assert!(self.read(&asset).is_some(), "{page} needs {asset} after {:#?}", self.steps);
        }
    }

    /// Asserts the invariants. `on` is the command that completes the last interrupted one, and its version.
    fn assert_invariants(&mut self, on: Option<(&[&str], &str)>) {
        let state = self.status();
        let releases = state["releases"].as_array().unwrap().clone();
        let version = |release: &Value| self.versions[release["tree"].as_str().unwrap()].clone();
        let live = releases.iter().find(|release| release["live"] == true).map(&version);
        let ways: Vec<(String, String)> = releases
            .iter()
            .map(|release| (release["release"].as_str().unwrap().to_owned(), version(release)))
            .collect();
        let is_half = !state["unfinished"].as_array().unwrap().is_empty();
        self.is_whole(live.as_deref().filter(|_| !is_half));
        let snapshot = self.snapshot();
        if !ways.is_empty() {
            let (name, version) = &ways[self.below(ways.len())];
            self.done("rollback", &["--to", name]);
            self.is_whole(Some(version));
            self.restore(&snapshot);
        }
        if !is_half {
            return;
        }
        // A rollback completes an interrupted one, and undoes an interrupted publish.
        if let Some(goal) = self.restores.clone().or(live) {
            self.done("rollback", &[]);
            self.is_whole(Some(&goal));
            self.restore(&snapshot);
        }
        if let Some((command, version)) = on {
            self.done(command[0], &command[1..]);
            self.is_whole(Some(version));
            assert_eq!(self.status()["unfinished"], Value::Array(Vec::new()));
            self.restore(&snapshot);
        }
    }

    fn step(&mut self, number: usize) {
        let version = format!("v{number}");
        let kind = self.below(9);
        let keep = self.below(4).to_string();
        let releases = self.status()["releases"].as_array().unwrap().clone();
        let way = (!releases.is_empty()).then(|| releases[self.below(releases.len())].clone());
        let way = way.map(|way| {
            let version = self.versions[way["tree"].as_str().unwrap()].clone();
            (way["release"].as_str().unwrap().to_owned(), version)
        });
        self.steps.push(format!("{kind} {version} keep {keep} {way:?}"));
        match (kind, way) {
            (0..3, _) | (_, None) => {
                self.version(&version);
                self.done("publish", &["--keep-releases", &keep]);
                self.is_whole(Some(&version));
                self.assert_invariants(None);
            }
            (3..6, _) => {
                self.version(&version);
                self.kill("publish", &["--keep-releases", &keep], &version);
                self.assert_invariants(Some((&["publish"], &version)));
            }
            (6, Some((name, version))) => {
                self.kill("rollback", &["--to", &name], &version);
                self.assert_invariants(Some((&["rollback", "--to", &name], &version)));
            }
            (7, Some((name, version))) => {
                self.done("rollback", &["--to", &name]);
                self.is_whole(Some(&version));
                self.assert_invariants(None);
            }
            _ => {
                if self.below(2) == 0 {
                    self.kill("gc", &["--keep-releases", &keep], &version);
                }
                self.done("gc", &["--keep-releases", &keep]);
                self.assert_invariants(None);
            }
        }
    }
}

fn walk(place: impl Fn() -> WalkTarget + Sync, steps: usize) {
    let seeds: Vec<u64> = sample::seed().map_or(1..3, |seed| seed..seed + 1).collect();
    for_each_case(
        &seeds,
        || (),
        |(), &seed| {
            let mut walk = Walk::new(place(), seed);
            walk.steps.push(format!("seed {seed}"));
            for number in 0..steps {
                walk.step(number);
            }
        },
    );
}

#[test]
fn random_walk_in_a_bucket() {
    walk(|| WalkTarget::Bucket(Server::in_memory(Settings::default())), 14);
}

#[test]
fn random_walk_in_a_folder() {
    walk(|| WalkTarget::Folder, 14);
}
