//! The record of the last check: exports are edited, renamed, back-dated and restored at random, and what is told of them is byte
//! for byte what a check tells that keeps no record.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

/// Longer than what a file system takes for the same time: what was written later than that before a check is not kept.
const TICK: Duration = Duration::from_millis(80);

/// Files of the export; fewer have no record.
const FILES: usize = 1_000;

const REPEATED: &str = "nothing has changed since the check";

struct Place {
    folder: TempDir,
}

fn page(link: &str, text: &str) -> String {
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>{text}</title><h1 id=a>{text}</h1><a href='{link}'>x</a>"
    )
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let place = Place { folder };
        fs::create_dir_all(place.site().join("deep")).unwrap();
        for number in 0..FILES {
            let file = place.site().join(format!("{number}.html"));
            fs::write(file, page(&format!("{}.html#a", number + 1), &number.to_string())).unwrap();
        }
        fs::write(place.site().join("deep/picture.png"), "\u{89}PNG").unwrap();
        fs::write(place.file("sitegate.toml"), "[site]\nroot = \"site\"\n").unwrap();
        place.settle();
        place
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn site(&self) -> PathBuf {
        self.file("site")
    }

    fn settle(&self) {
        sleep(TICK);
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        command.arg("check").args(arguments).current_dir(self.folder.path());
        command.env("XDG_CACHE_HOME", self.file("cache")).env_remove("CI");
        command
    }

    fn check(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Checks, and says whether that came from the record; it is what a check says that keeps none.
    fn is_repeated(&self, arguments: &[&str]) -> bool {
        let told = self.check(arguments);
        let cold = self.check(&[arguments, &["--no-cache"]].concat());
        assert!(matches!(cold.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&cold.stderr));
        assert_eq!(String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&cold.stdout));
        assert_eq!(told.status.code(), cold.status.code());
        String::from_utf8_lossy(&told.stderr).contains(REPEATED)
    }

    fn records(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.file("cache/sitegate")).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

const JSON: [&str; 2] = ["--format", "json"];

#[test]
fn what_is_unchanged_is_told_from_the_record() {
    let place = Place::new();
    assert!(!place.is_repeated(&JSON));
    assert!(place.is_repeated(&JSON));
    // Each way to tell it has a record of its own.
    let human = place.check(&[]);
    let again = place.check(&[]);
    assert!(String::from_utf8_lossy(&again.stderr).contains(REPEATED));
    assert_eq!(human.stdout, again.stdout);
    assert_eq!(human.status.code(), again.status.code());
    // To files as to standard output.
    let both = ["--format", "sarif", "--output", "out.sarif", "--format", "github"];
    place.check(&both);
    let first = fs::read(place.file("out.sarif")).unwrap();
    fs::remove_file(place.file("out.sarif")).unwrap();
    assert!(String::from_utf8_lossy(&place.check(&both).stderr).contains(REPEATED));
    assert_eq!(fs::read(place.file("out.sarif")).unwrap(), first);
    assert_eq!(place.records().len(), 3);
}

#[test]
fn seals_and_ci_come_from_checks() {
    let place = Place::new();
    place.is_repeated(&JSON);
    let sealed = place.check(&["--format", "json", "--seal", "seal.json"]);
    assert!(!String::from_utf8_lossy(&sealed.stderr).contains(REPEATED));
    let ci = place.command(&JSON).env("CI", "true").output().unwrap();
    assert!(!String::from_utf8_lossy(&ci.stderr).contains(REPEATED));
    assert!(place.is_repeated(&JSON));
}

#[test]
fn whatever_a_check_depends_on_counts() {
    let place = Place::new();
    let contract = |more: &str| {
        fs::write(place.file("sitegate.toml"), format!("{more}\n[site]\nroot = \"site\"\n")).unwrap();
        assert!(!place.is_repeated(&JSON), "{more}");
        assert!(place.is_repeated(&JSON), "{more}");
    };
    contract("# another");
    fs::write(place.file("base.toml"), "[rules]\n").unwrap();
    contract("extends = \"base.toml\"");
    fs::write(place.file("data.json"), r#"{"origin": "https://one.example"}"#).unwrap();
    let of_data =
        "root = \"site\"\norigin = { file = \"data.json\", pointer = \"/origin\", env = \"ORIGIN\" }";
    fs::write(place.file("base.toml"), format!("[site]\n{of_data}\n")).unwrap();
    assert!(!place.is_repeated(&JSON));
    assert!(place.is_repeated(&JSON));
    fs::write(place.file("data.json"), r#"{"origin": "https://two.example"}"#).unwrap();
    assert!(!place.is_repeated(&JSON));
    assert!(place.is_repeated(&JSON));
    let of_env = place.command(&JSON).env("ORIGIN", "https://three.example").output().unwrap();
    assert!(!String::from_utf8_lossy(&of_env.stderr).contains(REPEATED));
    fs::write(place.file("last.json"), r#"{"files": [{"path": "1.html"}]}"#).unwrap();
    contract("[rules.lost-url]\nmanifest = \"last.json\"\n");
    fs::write(place.file("last.json"), r#"{"files": [{"path": "gone.html"}]}"#).unwrap();
    assert!(!place.is_repeated(&JSON));
    assert!(place.is_repeated(&JSON));
    place.check(&["--write-baseline", "known.json"]);
    let baseline = ["--format", "json", "--baseline", "known.json"];
    assert!(!place.is_repeated(&baseline));
    assert!(place.is_repeated(&baseline));
    fs::write(place.file("known.json"), fs::read_to_string(place.file("known.json")).unwrap() + " ").unwrap();
    assert!(!place.is_repeated(&baseline));
    assert!(!place.is_repeated(&["--format", "json", "--all"]));
}

#[test]
fn a_damaged_record_is_no_record() {
    let place = Place::new();
    place.is_repeated(&JSON);
    let file = place.records().remove(0);
    let whole = fs::read(&file).unwrap();
    for at in [0, whole.len() / 3, whole.len() / 2, whole.len() - 60, whole.len() - 30, whole.len() - 1] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(&file, &damaged).unwrap();
        assert!(!place.is_repeated(&JSON), "byte {at}");
        fs::write(&file, &whole[..at]).unwrap();
        assert!(!place.is_repeated(&JSON), "cut at {at}");
    }
    assert!(place.is_repeated(&JSON));
    // Nor is there one where no folder can be made for it.
    fs::remove_dir_all(place.file("cache")).unwrap();
    fs::write(place.file("cache"), "").unwrap();
    assert!(!place.is_repeated(&JSON));
    assert!(!place.is_repeated(&JSON));
}

#[test]
fn checks_at_the_same_time_do_not_disturb_each_other() {
    let place = Place::new();
    let cold = place.check(&[&JSON[..], &["--no-cache"]].concat()).stdout;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..3).for_each(|_| assert_eq!(place.check(&JSON).stdout, cold)));
        }
    });
    assert_eq!(place.records().len(), 1);
    assert!(place.is_repeated(&JSON));
}

/// Sets the time of the last change as archives and caches do.
fn back_date(file: &Path, to: SystemTime) {
    File::options().write(true).open(file).unwrap().set_modified(to).unwrap();
}

#[test]
fn edited_renamed_back_dated_and_restored_at_random() {
    let place = Place::new();
    let mut random: u64 = 0x2545_F491_4F6C_DD1D;
    let mut roll = |sides: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % sides
    };
    place.is_repeated(&JSON);
    for _ in 0..8 {
        let file = place.site().join(format!("{}.html", roll(FILES as u64)));
        let is_there = file.exists();
        let before = fs::read(&file).unwrap_or_default();
        let modified = file.metadata().and_then(|metadata| metadata.modified());
        match roll(6) {
            0 if is_there => {
                fs::rename(&file, place.site().join("deep").join(file.file_name().unwrap())).unwrap()
            }
            1 if is_there => fs::remove_file(&file).unwrap(),
            // The same length, the same time: only the content tells.
            2 | 3 if is_there => {
                let other = String::from_utf8(before.clone()).unwrap().replace("#a", "#b");
                fs::write(&file, other).unwrap();
                back_date(&file, modified.unwrap());
            }
            4 => fs::write(place.site().join("deep/picture.png"), format!("{}", roll(9))).unwrap(),
            _ => fs::write(&file, page("gone", "x")).unwrap(),
        }
        place.settle();
        assert!(!place.is_repeated(&JSON));
        assert!(place.is_repeated(&JSON));
        if is_there && roll(2) == 0 {
            fs::write(&file, &before).unwrap();
            place.settle();
            place.is_repeated(&JSON);
        }
        // Touched, and the same.
        back_date(&place.site().join("deep/picture.png"), SystemTime::UNIX_EPOCH);
        place.settle();
        assert!(place.is_repeated(&JSON));
    }
}
