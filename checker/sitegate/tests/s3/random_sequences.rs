//! Random sequences of publishes, kills, rollbacks and garbage collections. Every release that `status` lists
//! can be restored, the live one is complete, and an interrupted switch can be completed and undone.
//!
//! `SITEGATE_TEST_SEED` chooses another sequence.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::faults::rule;
use super::server::{Fault, Objects, Server, Settings, When};
use super::site::{PAGES, Site, hash, page_text, said};
use crate::sample;

/// Where a walk goes.
enum DocumentId {
    Bucket(Server),
    Folder,
}

/// The content of a target, to restore it later.
enum Snapshot {
    Bucket(Objects),
    Folder(tempfile::TempDir),
}

struct Walk {
    site: Site,
    place: DocumentId,
    random: u64,
    /// The versions that were sealed, by the digest of their trees.
    versions: BTreeMap<String, String>,
    /// The log of steps, for failure messages.
    steps: Vec<String>,
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
    fn new(place: DocumentId, seed: u64) -> Walk {
        let site = Site::new();
        fs::create_dir(site.path("public")).unwrap();
        let random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        Walk { site, place, random, versions: BTreeMap::new(), steps: Vec::new() }
    }

    /// A number below another (xorshift64).
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
            DocumentId::Bucket(server) => self.site.on(server, command, more),
            DocumentId::Folder => {
                let target = format!("file://{}", self.site.path("public").display());
                let mut args = vec![command, &target];
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
        assert_eq!(code, Some(0), "{command} {more:?} after {:#?}: {}", self.steps, said(&output));
        output
    }

    fn status(&self) -> Value {
        serde_json::from_slice(&self.done("status", &["--format", "json"]).stdout).unwrap()
    }

    /// Kills a command somewhere on its way, and frees the target. In a bucket it dies at a request, whether or not that
    /// was carried out; on a disk there is nothing to count, so it dies after a while.
    fn kill(&mut self, command: &str, more: &[&str]) {
        let (at, fault) = (1 + self.below(24), [Fault::KillBefore, Fault::KillAfter][self.below(2)]);
        let pause = Duration::from_micros(self.below(60_000) as u64);
        if let DocumentId::Bucket(server) = &self.place {
            server.faults(&[rule("*", "", When::At(at), fault)]);
        }
        let mut child =
            self.command(command, more).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        match &self.place {
            DocumentId::Bucket(server) => server.victim(child.id()),
            DocumentId::Folder => {
                std::thread::sleep(pause);
                let _ = child.kill();
            }
        }
        child.wait().unwrap();
        if let DocumentId::Bucket(server) = &self.place {
            server.faults(&[]);
        }
        self.done("unlock", &[]);
    }

    fn snapshot(&self) -> Snapshot {
        match &self.place {
            DocumentId::Bucket(server) => Snapshot::Bucket(server.objects()),
            DocumentId::Folder => {
                let folder = tempfile::tempdir().unwrap();
                copy(&self.site.path("public"), folder.path());
                Snapshot::Folder(folder)
            }
        }
    }

    fn restore(&self, snapshot: &Snapshot) {
        match (&self.place, snapshot) {
            (DocumentId::Bucket(server), Snapshot::Bucket(objects)) => server.set_objects(objects.clone()),
            (_, Snapshot::Folder(folder)) => {
                fs::remove_dir_all(self.site.path("public")).unwrap();
                copy(folder.path(), &self.site.path("public"));
            }
            _ => unreachable!(),
        }
    }

    fn read(&self, key: &str) -> Option<String> {
        match &self.place {
            DocumentId::Bucket(server) => {
                server.objects().get(key).map(|stored| String::from_utf8_lossy(&stored.body).into_owned())
            }
            DocumentId::Folder => fs::read_to_string(self.site.path("public").join(key)).ok(),
        }
    }

    /// Each page is of one version, with the asset that it needs. All pages are of the same version unless a
    /// switch was interrupted.
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

    /// The invariants at every moment. `on` is how to complete the last interrupted step, and its version.
    fn look(&mut self, on: Option<(&[&str], &str)>) {
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
        if let Some(live) = &live {
            self.done("rollback", &[]);
            self.is_whole(Some(live));
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
                self.look(None);
            }
            (3..6, _) => {
                self.version(&version);
                self.kill("publish", &["--keep-releases", &keep]);
                self.look(Some((&["publish"], &version)));
            }
            (6, Some((name, version))) => {
                self.kill("rollback", &["--to", &name]);
                self.look(Some((&["rollback", "--to", &name], &version)));
            }
            (7, Some((name, version))) => {
                self.done("rollback", &["--to", &name]);
                self.is_whole(Some(&version));
                self.look(None);
            }
            _ => {
                if self.below(2) == 0 {
                    self.kill("gc", &["--keep-releases", &keep]);
                }
                self.done("gc", &["--keep-releases", &keep]);
                self.look(None);
            }
        }
    }
}

fn walk(place: impl Fn() -> DocumentId, steps: usize) {
    for seed in sample::seed().map_or(1..3, |seed| seed..seed + 1) {
        let mut walk = Walk::new(place(), seed);
        walk.steps.push(format!("seed {seed}"));
        for number in 0..steps {
            walk.step(number);
        }
    }
}

#[test]
fn random_sequences_keep_a_bucket_consistent() {
    walk(|| DocumentId::Bucket(Server::in_memory(Settings::default())), 14);
}

#[test]
fn random_sequences_keep_a_folder_consistent() {
    walk(|| DocumentId::Folder, 14);
}
