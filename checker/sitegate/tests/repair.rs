//! Tests `sitegate repair` on folders: it reports damage, changes nothing without `--apply`, and afterwards
//! publish and rollback work again.

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

    /// Damages a file of the target state, long ago.
    fn damage(&self, name: &str, content: &[u8]) {
        fs::write(self.memory(name), content).unwrap();
        let file = fs::File::options().append(true).open(self.memory(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_hours(1)).unwrap();
    }

    fn live(&self) -> String {
        let page = |page: &str| fs::read_to_string(self.path("public").join(page)).unwrap();
        assert_eq!(page("index.html"), page("about/index.html"));
        page("index.html")
    }

    /// A rollback and a publish both work from here.
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
fn an_intact_target_needs_no_repair() {
    let site = Published::new();
    let found = site.repair(&["--apply"]);
    assert_eq!((&found["damaged"], &found["applied"]), (&Value::Array(Vec::new()), &false.into()));
    assert!(!site.memory("runs/0000000004.json").exists());
}

#[test]
fn infers_the_state_if_the_last_record_is_damaged() {
    for content in [&b""[..], b"{\"schema_version\": 1, \"numb", b"\0\0\0\0\0\0\0\0", b"[1, 2, 3]"] {
        let site = Published::new();
        site.damage(LAST, content);
        for command in ["status", "rollback", "gc"] {
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

/// The record is damaged and a switch was interrupted: neither release is reported as complete.
#[test]
fn reports_an_interrupted_switch() {
    let site = Published::new();
    site.damage(LAST, b"");
    fs::write(site.path("public/index.html"), "<!doctype html><title>two</title>").unwrap();
    let found = site.repair(&["--apply"]);
    assert!(found["steps"][0].as_str().unwrap().contains("was probably interrupted"), "{found}");
    let output = site.run(&["status", &site.target()]);
    assert!(said(&output).contains("half"), "{}", said(&output));
    let output = site.publish();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(site.live().contains("three"));
    site.goes_on("two");
}

#[test]
fn drops_an_unreadable_manifest_only() {
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
fn does_not_trust_a_live_release_without_manifest() {
    let site = Published::new();
    let mut releases: Vec<PathBuf> =
        fs::read_dir(site.memory("releases")).unwrap().map(|entry| entry.unwrap().path()).collect();
    releases.sort();
    fs::remove_file(&releases[2]).unwrap();
    assert_eq!(site.run(&["status", &site.target()]).status.code(), Some(2));
    site.repair(&["--apply"]);
    // The objects have no known owner, so a publish replaces them only with --adopt.
    let output = site.run(&["publish", &site.target(), "export", "--seal", "seal.json", "--adopt"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(site.live().contains("three"));
}

#[test]
fn removes_corrupt_backups_and_leftovers() {
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

/// In a folder, the next record blocks other publishers at once, so there is no need to wait for a lease.
#[test]
fn repairs_recent_damage_at_once_in_a_folder() {
    let site = Published::new();
    fs::write(site.memory(LAST), "").unwrap();
    let found = site.repair(&["--apply"]);
    assert!(found["steps"][0].as_str().unwrap().contains("all of its 2 objects are in place"), "{found}");
    site.goes_on("two");
}

/// A publisher whose record was damaged while it was at work writes nothing after the repair.
#[cfg(unix)]
#[test]
fn repair_blocks_a_publisher_whose_record_was_damaged() {
    let site = Published::new();
    for number in 0..400 {
        fs::write(site.path(&format!("export/note-{number}.txt")), "a note").unwrap();
    }
    site.version("four");
    let target = site.target();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command.args(["publish", &target, "export", "--seal", "seal.json", "--jobs", "1"]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let publisher = command.current_dir(site.folder.path()).spawn().unwrap();
    let signal = |signal: &str| {
        let pid = publisher.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    };
    let record = site.memory("runs/0000000004.json");
    while !record.exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    // It may have been stopped while holding the system's lock, which blocks everyone.
    let repaired = (0..20).find_map(|_| {
        signal("-STOP");
        fs::write(&record, "{").unwrap();
        let output = site.run(&["repair", &target, "--apply"]);
        if output.status.code() == Some(0) {
            return Some(output);
        }
        assert!(said(&output).contains("in the middle of a change"), "{}", said(&output));
        signal("-CONT");
        std::thread::sleep(Duration::from_millis(2));
        None
    });
    let before = site.live();
    assert!(said(&repaired.unwrap()).contains("write record 5"));
    signal("-CONT");
    let output = publisher.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    assert_eq!(site.live(), before);
    let output = site.publish();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(site.live().contains("four"));
}

#[test]
fn unlock_works_with_an_unreadable_record() {
    let site = Published::new();
    fs::write(site.memory(LAST), "{").unwrap();
    let output = site.run(&["unlock", &site.target()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("from run 3, whose record cannot be read"), "{}", said(&output));
    assert_eq!(site.run(&["status", &site.target()]).status.code(), Some(0));
    assert!(said(&site.publish()).starts_with("unchanged"));
    let found = site.repair(&["--apply"]);
    assert_eq!(found["damaged"].as_array().unwrap().len(), 1, "{found}");
    site.goes_on("two");
}

/// The manifest of a release with precompressed variants is lost. Servers must not serve these variants for
/// another release.
#[test]
fn removes_variants_of_a_lost_release() {
    let site = Published::new();
    let long = |word: &str| format!("<!doctype html><title>long</title><p>{}", word.repeat(400));
    fs::create_dir_all(site.path("export/new")).unwrap();
    fs::write(site.path("export/new/index.html"), long("old ")).unwrap();
    fs::write(site.path("export/index.html"), long("old ")).unwrap();
    let sealed = ["publish", &site.target(), "export", "--seal", "seal.json"].map(str::to_owned);
    let publish = |more: &[&str]| {
        assert_eq!(site.run(&["check", "export", "--seal", "seal.json"]).status.code(), Some(0));
        let args: Vec<&str> = sealed.iter().map(String::as_str).chain(more.iter().copied()).collect();
        site.run(&args)
    };
    assert_eq!(publish(&["--precompress"]).status.code(), Some(0));
    let forms = ["new/index.html.br", "new/index.html.gz", "index.html.br", "index.html.gz"];
    assert!(forms.iter().all(|form| site.path("public").join(form).exists()));
    fs::write(site.path("public/about/index.html.gz"), "somebody's").unwrap();
    fs::write(site.path("public/archive.txt.gz"), "somebody's").unwrap();
    let releases = fs::read_dir(site.memory("releases")).unwrap().map(|entry| entry.unwrap().path());
    fs::remove_file(releases.max().unwrap()).unwrap();
    let found = site.repair(&[]);
    let told = |word: &str| {
        let damaged = found["damaged"].as_array().unwrap();
        damaged.iter().filter(|told| told.as_str().unwrap().contains(word)).count()
    };
    assert_eq!(told("its release was lost"), 4, "{found}");
    assert_eq!(told("about/index.html.gz does not contain the same as about/index.html"), 1, "{found}");
    assert!(forms.iter().all(|form| site.path("public").join(form).exists()), "nothing is done unasked");
    site.repair(&["--apply"]);
    assert!(forms.iter().all(|form| !site.path("public").join(form).exists()), "{found}");
    assert!(site.path("public/about/index.html.gz").exists() && site.path("public/archive.txt.gz").exists());
    fs::write(site.path("export/new/index.html"), long("new ")).unwrap();
    let output = publish(&["--adopt", "--overwrite-drift"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(forms.iter().all(|form| !site.path("public").join(form).exists()));
    assert_eq!(site.repair(&[])["damaged"].as_array().unwrap().len(), 0);
}

/// The manifest of a release whose switch was interrupted is lost.
#[test]
fn infers_the_state_if_an_interrupted_release_lost_its_manifest() {
    let site = Published::new();
    let mut run: Value = serde_json::from_slice(&fs::read(site.memory(LAST)).unwrap()).unwrap();
    let release = run["release"].as_str().unwrap().to_owned();
    (run["stage"], run["unfinished"]) = ("publishing".into(), vec![Value::from(release.as_str())].into());
    fs::write(site.memory(LAST), run.to_string()).unwrap();
    fs::write(site.memory(&format!("releases/{release}.json")), "{").unwrap();
    assert_eq!(site.run(&["status", &site.target()]).status.code(), Some(2));
    let found = site.repair(&["--apply"]);
    assert!(found["steps"][0].as_str().unwrap().contains("not all of it is in place"), "{found}");
    let output = site.publish();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(site.live().contains("three"));
}
