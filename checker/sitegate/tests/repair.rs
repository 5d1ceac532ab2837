//! Tests `sitegate target repair` on folders: it reports damage, changes nothing without `--apply`, and afterwards publish and
//! rollback work again.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use serde_json::Value;

/// A folder with three published releases.
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
        assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
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
        let mut args = vec!["target", "repair", &target, "--format", "json"];
        args.extend(more);
        let output = self.run(&args);
        assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn state_file(&self, name: &str) -> PathBuf {
        self.path("public/.sitegate").join(name)
    }

    /// Damages a file of the target state, with an old modification time.
    fn damage(&self, name: &str, content: &[u8]) {
        fs::write(self.state_file(name), content).unwrap();
        let file = fs::File::options().append(true).open(self.state_file(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_hours(1)).unwrap();
    }

    fn live(&self) -> String {
        let page = |page: &str| fs::read_to_string(self.path("public").join(page)).unwrap();
        assert_eq!(page("index.html"), page("about/index.html"));
        page("index.html")
    }

    /// Asserts that a rollback and a new publish both work.
    fn assert_can_roll_back_and_publish(&self, back_to: &str) {
        let output = self.run(&["rollback", &self.target()]);
        assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
        assert!(self.live().contains(back_to), "{}", self.live());
        self.version("four");
        let output = self.publish();
        assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
        assert!(self.live().contains("four"));
        assert_eq!(self.repair(&[])["damaged"].as_array().unwrap().len(), 0);
    }
}

fn all_output(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

const LAST_RUN: &str = "runs/0000000003.json";

#[test]
fn intact_target_needs_no_repair() {
    let site = Published::new();
    let found = site.repair(&["--apply"]);
    assert_eq!((&found["damaged"], &found["applied"]), (&Value::Array(Vec::new()), &false.into()));
    assert!(!site.state_file("runs/0000000004.json").exists());
}

#[test]
fn recovers_an_empty_truncated_or_garbled_last_record() {
    for content in [&b""[..], b"{\"schema_version\": 1, \"numb", b"\0\0\0\0\0\0\0\0", b"[1, 2, 3]"] {
        let site = Published::new();
        site.damage(LAST_RUN, content);
        for command in ["status", "rollback", "gc"] {
            let output = site.run(&[crate::command_words(command), vec![&site.target()]].concat());
            assert_eq!(output.status.code(), Some(2), "{command}: {}", all_output(&output));
            assert!(
                all_output(&output).contains("`sitegate target repair file://"),
                "{}",
                all_output(&output)
            );
        }
        assert_eq!(site.publish().status.code(), Some(2));
        let found = site.repair(&[]);
        assert!(found["damaged"][0].as_str().unwrap().contains(LAST_RUN), "{found}");
        assert!(found["steps"][0].as_str().unwrap().contains("all of its 2 objects are in place"), "{found}");
        assert!(site.state_file(LAST_RUN).exists(), "nothing is done unasked");
        site.repair(&["--apply"]);
        assert!(site.live().contains("three"));
        let output = site.publish();
        assert!(all_output(&output).starts_with("unchanged"), "{}", all_output(&output));
        site.assert_can_roll_back_and_publish("two");
    }
}

/// If the record is damaged during a switch, neither release is reported as completely live.
#[test]
fn reports_a_half_switched_folder() {
    let site = Published::new();
    site.damage(LAST_RUN, b"");
    fs::write(site.path("public/index.html"), "<!doctype html><title>two</title>").unwrap();
    let found = site.repair(&["--apply"]);
    assert!(found["steps"][0].as_str().unwrap().contains("was probably interrupted"), "{found}");
    let output = site.run(&["target", "status", &site.target()]);
    let text = all_output(&output);
    assert!(text.contains("\n  interrupted  ") && text.contains("some of its files may be live"), "{text}");
    let output = site.publish();
    assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
    assert!(site.live().contains("three"));
    site.assert_can_roll_back_and_publish("two");
}

#[test]
fn drops_only_the_unreadable_manifest() {
    let site = Published::new();
    let mut releases: Vec<PathBuf> =
        fs::read_dir(site.state_file("releases")).unwrap().map(|entry| entry.unwrap().path()).collect();
    releases.sort();
    fs::write(&releases[1], "{").unwrap();
    let found = site.repair(&["--apply"]);
    assert_eq!(found["damaged"].as_array().unwrap().len(), 1, "{found}");
    site.assert_can_roll_back_and_publish("one");
}

#[test]
fn lost_live_manifest_is_not_treated_as_complete() {
    let site = Published::new();
    let mut releases: Vec<PathBuf> =
        fs::read_dir(site.state_file("releases")).unwrap().map(|entry| entry.unwrap().path()).collect();
    releases.sort();
    fs::remove_file(&releases[2]).unwrap();
    assert_eq!(site.run(&["target", "status", &site.target()]).status.code(), Some(2));
    site.repair(&["--apply"]);
    // The files are foreign now, so a publish replaces them only with --adopt.
    let output = site.run(&["publish", &site.target(), "export", "--seal", "seal.json", "--adopt"]);
    assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
    assert!(site.live().contains("three"));
}

/// A temporary file of an interrupted write.
const HALF: &str = "tmp/0123456789abcdef0123456789abcdef";

#[test]
fn removes_changed_kept_contents_and_leftovers() {
    let site = Published::new();
    let kept = fs::read_dir(site.state_file("kept")).unwrap().next().unwrap().unwrap().path();
    fs::write(&kept, "something else").unwrap();
    fs::create_dir_all(site.state_file("tmp")).unwrap();
    fs::write(site.state_file(HALF), "half").unwrap();
    fs::write(site.path("public/index.html#1"), "half, as earlier versions left it").unwrap();
    fs::write(site.path("public/theirs.html#1"), "somebody's").unwrap();
    let found = site.repair(&["--apply"]);
    assert_eq!(found["damaged"].as_array().unwrap().len(), 3, "{found}");
    assert!(!kept.exists() && !site.state_file(HALF).exists());
    assert!(!site.path("public/index.html#1").exists() && site.path("public/theirs.html#1").exists());
    assert_eq!(site.repair(&[])["damaged"].as_array().unwrap().len(), 0);
}

/// In a folder, the next record excludes all others at once, so no lease must end first.
#[test]
fn repairs_a_fresh_record_in_a_folder_without_waiting() {
    let site = Published::new();
    fs::write(site.state_file(LAST_RUN), "").unwrap();
    let found = site.repair(&["--apply"]);
    assert!(found["steps"][0].as_str().unwrap().contains("all of its 2 objects are in place"), "{found}");
    site.assert_can_roll_back_and_publish("two");
}

/// A suspended publisher whose record was damaged writes nothing after the repair.
#[cfg(unix)]
#[test]
fn repair_locks_out_a_publisher_whose_record_was_damaged() {
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
    let record = site.state_file("runs/0000000004.json");
    while !record.exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    // If it was stopped while it held the file lock, no one else can proceed.
    let repaired = (0..20).find_map(|_| {
        signal("-STOP");
        fs::write(&record, "{").unwrap();
        let output = site.run(&["target", "repair", &target, "--apply"]);
        if output.status.code() == Some(0) {
            return Some(output);
        }
        assert!(
            all_output(&output).contains("another publisher is changing files"),
            "{}",
            all_output(&output)
        );
        signal("-CONT");
        std::thread::sleep(Duration::from_millis(2));
        None
    });
    let before = site.live();
    assert!(all_output(&repaired.unwrap()).contains("write record 5"));
    signal("-CONT");
    let output = publisher.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", all_output(&output));
    assert_eq!(site.live(), before);
    let output = site.publish();
    assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
    assert!(site.live().contains("four"));
}

#[test]
fn unlock_handles_an_unreadable_record() {
    let site = Published::new();
    fs::write(site.state_file(LAST_RUN), "{").unwrap();
    let output = site.run(&["target", "unlock", &site.target()]);
    assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
    assert!(
        all_output(&output).contains("held by run 3, whose record cannot be read"),
        "{}",
        all_output(&output)
    );
    assert_eq!(site.run(&["target", "status", &site.target()]).status.code(), Some(0));
    assert!(all_output(&site.publish()).starts_with("unchanged"));
    let text = all_output(&site.run(&["target", "repair", &site.target()]));
    assert!(text.contains("\n  problem  ") && text.contains("\n  would    delete "), "{text}");
    let fix = format!("\nnothing was changed; to fix it: sitegate target repair --apply {}\n", site.target());
    assert!(text.ends_with(&fix), "{text}");
    let found = site.repair(&["--apply"]);
    assert_eq!(found["damaged"].as_array().unwrap().len(), 1, "{found}");
    site.assert_can_roll_back_and_publish("two");
}

/// Loses the manifest of a release with compressed variants that no other release has. Then `page.html.gz` must not
/// contain the page of the lost release.
#[test]
fn removes_compressed_variants_of_a_lost_release() {
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
    let releases = fs::read_dir(site.state_file("releases")).unwrap().map(|entry| entry.unwrap().path());
    fs::remove_file(releases.max().unwrap()).unwrap();
    let found = site.repair(&[]);
    let printed = |word: &str| {
        let damaged = found["damaged"].as_array().unwrap();
        damaged.iter().filter(|printed| printed.as_str().unwrap().contains(word)).count()
    };
    assert_eq!(printed("its release was lost"), 4, "{found}");
    assert_eq!(printed("about/index.html.gz does not contain the same as about/index.html"), 1, "{found}");
    assert!(forms.iter().all(|form| site.path("public").join(form).exists()), "nothing is done unasked");
    site.repair(&["--apply"]);
    assert!(forms.iter().all(|form| !site.path("public").join(form).exists()), "{found}");
    assert!(site.path("public/about/index.html.gz").exists() && site.path("public/archive.txt.gz").exists());
    fs::write(site.path("export/new/index.html"), long("new ")).unwrap();
    let output = publish(&["--adopt", "--overwrite-drift"]);
    assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
    assert!(forms.iter().all(|form| !site.path("public").join(form).exists()));
    assert_eq!(site.repair(&[])["damaged"].as_array().unwrap().len(), 0);
}

/// Loses the manifest of a release whose switch was interrupted.
#[test]
fn recovers_an_interrupted_release_without_its_manifest() {
    let site = Published::new();
    let mut run: Value = serde_json::from_slice(&fs::read(site.state_file(LAST_RUN)).unwrap()).unwrap();
    let release = run["release"].as_str().unwrap().to_owned();
    (run["stage"], run["unfinished"]) = ("publishing".into(), vec![Value::from(release.as_str())].into());
    fs::write(site.state_file(LAST_RUN), run.to_string()).unwrap();
    fs::write(site.state_file(&format!("releases/{release}.json")), "{").unwrap();
    assert_eq!(site.run(&["target", "status", &site.target()]).status.code(), Some(2));
    let found = site.repair(&["--apply"]);
    assert!(found["steps"][0].as_str().unwrap().contains("not all of it is in place"), "{found}");
    let output = site.publish();
    assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
    assert!(site.live().contains("three"));
}
