//! Tests power losses during a publish to a folder. `strace` records the system calls, the test builds all states that
//! the disk may have at each moment, and the next publish must complete each. Without `strace`, the test is skipped.

#![cfg(unix)]
#![allow(clippy::print_stderr)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::concurrent::for_each_case;
use crate::outcome::{all_output, assert_exit};
use crate::publish::site::{Site, set_age};

/// System calls that change files.
const CALLS: &str = "openat,write,copy_file_range,sendfile,fsync,fdatasync,syncfs,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir";

/// Creates and checks a version of the site. `notes` is the number of further files, which all change.
fn write_version(site: &Site, version: &str, notes: usize) {
    let _ = fs::remove_dir_all(site.path("export"));
    for page in ["index.html", "about/index.html"] {
        site.write(page, &page_text(version));
    }
    site.write(&asset(version), &format!("let it = '{version}';"));
    for note in 0..notes {
        site.write(&format!("note-{note}.txt"), version);
    }
    site.check();
}

fn publish(site: &Site) -> Output {
    site.publish(&["--jobs", "1"])
}

fn asset(version: &str) -> String {
    format!("assets/app-{version}4f9a1c7b.js")
}

fn page_text(version: &str) -> String {
    format!("<!doctype html><title>{version}</title><script src=\"/{}\"></script>", asset(version))
}

/// A file or folder on the disk.
#[derive(Clone, Default)]
struct Node {
    is_folder: bool,
    /// Content: bytes, or the nodes by name. First the current state, then the durable state.
    bytes: [Vec<u8>; 2],
    names: [BTreeMap<String, usize>; 2],
}

impl Node {
    fn sync(&mut self) {
        self.bytes[1] = self.bytes[0].clone();
        self.names[1] = self.names[0].clone();
    }
}

/// A simulated disk with current and durable files and names.
#[derive(Clone)]
struct Disk {
    root: PathBuf,
    nodes: Vec<Node>,
}

impl Disk {
    /// Creates a disk with the durable content of a folder.
    fn from_folder(root: &Path) -> Disk {
        let mut disk = Disk { root: root.to_path_buf(), nodes: Vec::new() };
        disk.add_existing(root);
        disk
    }

    fn add_existing(&mut self, path: &Path) -> usize {
        let at = self.nodes.len();
        self.nodes.push(Node { is_folder: !path.is_file(), ..Node::default() });
        if path.is_file() {
            let bytes = fs::read(path).unwrap();
            self.nodes[at].bytes = [bytes.clone(), bytes];
        } else if let Ok(entries) = fs::read_dir(path) {
            for entry in entries {
                let path = entry.unwrap().path();
                let node = self.add_existing(&path);
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                self.nodes[at].names.iter_mut().for_each(|names| {
                    names.insert(name.clone(), node);
                });
            }
        }
        at
    }

    /// Returns the current node of a path below the root.
    fn find(&self, path: &Path) -> Option<usize> {
        let rest = path.strip_prefix(&self.root).ok()?;
        rest.iter().try_fold(0, |at, name| self.nodes[at].names[0].get(name.to_str()?).copied())
    }

    fn name(&mut self, path: &Path, node: Option<usize>) -> Option<usize> {
        let folder = self.find(path.parent()?)?;
        let name = path.file_name()?.to_str()?.to_owned();
        let names = &mut self.nodes[folder].names[0];
        match node {
            Some(node) => names.insert(name, node),
            None => names.remove(&name),
        }
    }

    fn create(&mut self, path: &Path, is_folder: bool) {
        if self.find(path).is_none() && path.starts_with(&self.root) && path != self.root {
            self.nodes.push(Node { is_folder, ..Node::default() });
            self.name(path, Some(self.nodes.len() - 1));
        }
    }

    /// Applies a system call. Returns whether the durable state may have changed.
    fn apply(&mut self, call: &Call) -> bool {
        // A relative path is below the folder that is open in the argument before it.
        let path = |at: usize| {
            let folder = call.files.get(at).map(PathBuf::from).unwrap_or_default();
            folder.join(call.paths.get(at).map(String::as_str).unwrap_or_default())
        };
        match call.name.as_str() {
            "openat" if call.text.contains("O_CREAT") => self.create(&path(0), false),
            "mkdir" | "mkdirat" => self.create(&path(0), true),
            "write" => {
                if let Some(node) = call.files.first().and_then(|file| self.find(Path::new(file))) {
                    self.nodes[node].bytes[0].extend_from_slice(&call.data);
                }
                return false;
            }
            "copy_file_range" | "sendfile" => {
                // sendfile has its source as the second argument.
                let [a, b] = [0, 1].map(|at| self.find(Path::new(&call.files[at])).unwrap());
                let (from, to) = if call.name == "sendfile" { (b, a) } else { (a, b) };
                self.nodes[to].bytes[0] = self.nodes[from].bytes[0].clone();
                return false;
            }
            "fsync" | "fdatasync" => {
                let Some(node) = self.find(Path::new(&call.files[0])) else { return false };
                self.nodes[node].sync();
            }
            "syncfs" => self.nodes.iter_mut().for_each(Node::sync),
            "rename" | "renameat" | "renameat2" => {
                let node = self.name(&path(0), None);
                self.name(&path(1), node);
            }
            "unlink" | "unlinkat" | "rmdir" => drop(self.name(&path(0), None)),
            _ => return false,
        }
        true
    }

    /// Returns the files after a power loss. `newer` decides for each folder whether its latest names are durable without fsync.
    fn files_after_power_loss(&self, newer: &dyn Fn(usize) -> bool) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![(0, PathBuf::new())];
        while let Some((at, path)) = folders.pop() {
            for (name, &node) in &self.nodes[at].names[usize::from(!newer(at))] {
                let path = path.join(name);
                let bytes = (!self.nodes[node].is_folder).then(|| self.nodes[node].bytes[1].clone());
                if bytes.is_none() {
                    folders.push((node, path.clone()));
                }
                found.insert(path, bytes);
            }
        }
        found
    }
}

/// A successful system call.
struct Call {
    name: String,
    text: String,
    /// Paths in its arguments.
    paths: Vec<String>,
    /// Paths of the open files in its arguments.
    files: Vec<String>,
    /// The bytes that it writes.
    data: Vec<u8>,
}

/// Parses `\x41\x42` as bytes.
fn bytes(text: &str) -> Vec<u8> {
    text.split("\\x").skip(1).map(|digits| u8::from_str_radix(&digits[..2], 16).unwrap()).collect()
}

fn calls(log: &str) -> Vec<Call> {
    let mut begun: BTreeMap<&str, String> = BTreeMap::new();
    let mut found = Vec::new();
    let between = |text: &str, open: char, close: char| -> Vec<Vec<u8>> {
        let pieces = text.split(open).skip(1).filter_map(|piece| piece.split_once(close));
        pieces.map(|(inside, _)| bytes(inside)).collect()
    };
    let text_of =
        |found: Vec<Vec<u8>>| found.into_iter().map(|name| String::from_utf8_lossy(&name).into_owned());
    for line in log.lines() {
        let (process, text) = line.split_once(' ').unwrap();
        let text = text.trim_start();
        if let Some(start) = text.strip_suffix(" <unfinished ...>") {
            begun.insert(process, start.to_owned());
            continue;
        }
        let text = match text.split_once(" resumed>") {
            Some((_, rest)) => begun.remove(process).unwrap() + rest,
            None => text.to_owned(),
        };
        let Some((head, answer)) = text.rsplit_once(" = ") else { continue };
        if answer.starts_with('-') || answer.starts_with('?') {
            continue;
        }
        let (name, rest) = head.split_once('(').unwrap();
        let quoted: Vec<Vec<u8>> = rest.split('"').skip(1).step_by(2).map(bytes).collect();
        found.push(Call {
            name: name.to_owned(),
            data: quoted.first().cloned().unwrap_or_default(),
            paths: text_of(quoted).collect(),
            files: text_of(between(rest, '<', '>')).collect(),
            text: rest.to_owned(),
        });
    }
    found
}

/// Publishes version two with strace, and returns the possible states of the disk at each moment.
fn possible_states(site: &Site) -> BTreeSet<BTreeMap<PathBuf, Option<Vec<u8>>>> {
    let mut disk = Disk::from_folder(&site.path("public"));
    let log = site.path("log");
    let recorder = ["strace", "-f", "-y", "-xx", "-s", "1000000", "-e", CALLS, "-o", log.to_str().unwrap()];
    let publish = site.on_target_command("publish", &["--jobs", "1"]);
    let mut command = Command::new(recorder[0]);
    command.args(&recorder[1..]).arg(publish.get_program()).args(publish.get_args());
    command.current_dir(site.folder.path());
    assert_exit(&command.output().unwrap(), 0, &[]);
    let calls = calls(&fs::read_to_string(log).unwrap());
    assert!(calls.iter().any(|call| call.name.starts_with("rename")), "nothing was recorded");
    let mut found = BTreeSet::new();
    for (number, call) in calls.iter().enumerate() {
        if disk.apply(call) {
            found.insert(disk.files_after_power_loss(&|_| false));
            found.insert(disk.files_after_power_loss(&|_| true));
            found.insert(disk.files_after_power_loss(&|folder| (folder * 7 + number) % 3 == 0));
        }
    }
    // At the end, the simulated disk must match the folder.
    let last = disk.files_after_power_loss(&|_| false);
    for page in ["index.html", "about/index.html"] {
        assert_eq!(last[Path::new(page)].as_deref(), Some(page_text("two").as_bytes()), "{page}");
    }
    found
}

fn assert_survives_power_loss(versions: &[&str], notes: usize) {
    if Command::new("strace").arg("-V").output().is_err() {
        eprintln!("strace is not here, so no system calls are recorded");
        return;
    }
    let site = Site::new();
    fs::create_dir(site.path("public")).unwrap();
    for version in versions {
        write_version(&site, version, notes);
        assert_exit(&publish(&site), 0, &[]);
    }
    write_version(&site, "two", notes);
    let states = possible_states(&site);
    assert!(states.len() > 10, "{} states", states.len());
    // With many files, a sample of the states takes long enough.
    let step = if notes == 0 { 1 } else { states.len() / 40 };
    for state in states.into_iter().step_by(step) {
        fs::remove_dir_all(site.path("public")).unwrap();
        fs::create_dir(site.path("public")).unwrap();
        for (path, bytes) in &state {
            let path = site.path("public").join(path);
            match bytes {
                None => fs::create_dir_all(path).unwrap(),
                Some(bytes) => {
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(&path, bytes).unwrap();
                    // The machine restarts an hour later.
                    set_age(&path, 3600);
                }
            }
        }
        for (path, bytes) in &state {
            let Some(bytes) = bytes.as_ref().filter(|_| path.extension().is_some_and(|end| end == "html"))
            else {
                continue;
            };
            let text = String::from_utf8_lossy(bytes);
            let version = ["one", "two"].into_iter().find(|version| page_text(version) == text);
            let version = version.unwrap_or_else(|| panic!("{} is `{text}`", path.display()));
            assert!(site.path("public").join(asset(version)).exists(), "{} lacks its asset", path.display());
        }
        let output = publish(&site);
        let paths: Vec<&PathBuf> = state.keys().collect();
        assert_eq!(output.status.code(), Some(0), "{}\nafter {paths:#?}", all_output(&output));
        for page in ["index.html", "about/index.html"] {
            assert_eq!(fs::read_to_string(site.path("public").join(page)).unwrap(), page_text("two"));
        }
        // An unchanged publish writes and removes nothing.
        let unchanged = all_output(&output).starts_with("unchanged");
        assert!(unchanged || fs::read_dir(site.path("public/.sitegate/tmp")).map_or(0, Iterator::count) == 0);
    }
}

/// Suspends a publisher to a folder past its lease at different moments, while another one publishes.
#[test]
fn suspended_publisher_overwrites_nothing() {
    for_each_case(
        &[5, 15, 25, 40, 60],
        || (),
        |(), &moment| {
            let site = Site::new();
            write_version(&site, "one", 0);
            publish(&site);
            let target = site.target();
            fs::rename(site.path("export"), site.path("others")).unwrap();
            fs::write(site.path("others/robots.txt"), "User-agent: *\n").unwrap();
            assert_exit(&site.run(&["check", "others", "--seal", "other.json"]), 0, &[]);
            let other = ["publish", &target, "others", "--seal", "other.json"];
            write_version(&site, "two", 0);
            let mut sleeper = site.on_target_command("publish", &["--jobs", "1"]);
            sleeper.stdout(Stdio::null()).stderr(Stdio::null());
            // In its own process group, because a stopped process in a group without a terminal would end the group.
            let mut child = sleeper.process_group(0).spawn().unwrap();
            let signal = |name: &str| {
                Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
            };
            std::thread::sleep(Duration::from_millis(moment));
            signal("-STOP");
            // The lease ends by the clock of the file system. By its own, the publisher still has it when it wakes.
            for entry in fs::read_dir(site.state_file("runs")).unwrap() {
                set_age(&entry.unwrap().path(), 90);
            }
            let output = site.run(&other);
            let stopped = output.status.code();
            // Other publishers wait for one that was stopped during a change.
            assert!(matches!(stopped, Some(0 | 5)), "{}", all_output(&output));
            signal("-CONT");
            let woken = child.wait().unwrap().code();
            let printed = assert_exit(&site.run(&other), 0, &[]);
            assert!(
                stopped == Some(5) || woken == Some(0) || printed.starts_with("unchanged"),
                "{woken:?}: {printed}"
            );
            for page in ["index.html", "about/index.html"] {
                assert_eq!(fs::read_to_string(site.path("public").join(page)).unwrap(), page_text("one"));
            }
        },
    );
}

#[test]
fn publish_survives_a_power_loss() {
    assert_survives_power_loss(&["one"], 0);
}

#[test]
fn first_publish_survives_a_power_loss() {
    assert_survives_power_loss(&[], 0);
}

/// From 64 files on, one sync of the file system replaces that of each file.
#[test]
fn large_publish_survives_a_power_loss() {
    assert_survives_power_loss(&["one"], 70);
}
