//! Tests target states that this version did not write: newer formats, huge records and foreign names.

use std::fs;

use serde_json::Value;

use super::site::{Site, edit_json};

/// Commands that read the target state.
const COMMANDS: [&str; 7] = ["status", "plan", "publish", "rollback", "gc", "unlock", "repair"];

/// Returns a site with two releases, and the next version of it.
fn two_releases() -> Site {
    let site = Site::new();
    for version in ["one", "two", "three"] {
        site.write("index.html", &format!("<!doctype html><title>{version}</title>"));
        site.check();
        if version != "three" {
            site.publish_ok(&[]);
        }
    }
    site
}

#[track_caller]
fn run(site: &Site, command: &str, code: i32, words: &[&str]) -> String {
    site.expect(command, if command == "repair" { &["--apply"] } else { &[] }, code, words)
}

#[test]
fn formats_of_newer_versions_are_refused() {
    let site = two_releases();
    for file in ["runs", "releases"].map(|folder| site.last_in(folder)) {
        let whole = fs::read(&file).unwrap();
        let mut newer: Value = serde_json::from_slice(&whole).unwrap();
        newer["schema_version"] = 2.into();
        let readable = newer.to_string();
        // A newer version may also have changed the fields.
        newer.as_object_mut().unwrap().retain(|name, _| name == "schema_version");
        for newer in [readable, newer.to_string()] {
            fs::write(&file, &newer).unwrap();
            for command in COMMANDS {
                let name = file.file_name().unwrap().to_str().unwrap();
                run(&site, command, 2, &[name, "was written by a newer sitegate", "update sitegate"]);
            }
            assert_eq!(fs::read_to_string(&file).unwrap(), newer);
        }
        fs::write(&file, whole).unwrap();
    }
    site.publish_ok(&[]);
    assert!(site.live("index.html").unwrap().contains("three"));
}

/// A record of 1 GiB without a byte on the disk.
#[test]
fn huge_records_are_not_read() {
    let site = two_releases();
    for file in ["runs", "releases"].map(|folder| site.last_in(folder)) {
        let whole = fs::read(&file).unwrap();
        fs::File::options().write(true).open(&file).unwrap().set_len(1 << 30).unwrap();
        for command in ["status", "publish", "rollback", "gc"] {
            run(&site, command, 2, &["sitegate target repair"]);
        }
        fs::write(&file, whole).unwrap();
    }
    site.publish_ok(&[]);
}

/// Foreign names among the records, manifests and backups.
const FOREIGN: [&str; 7] = [
    "runs/18446744073709551615.json",
    "runs/3.json",
    "runs/٠٠٠٠٠٠٠٠٠٣.json",
    "runs/terraform.tfstate",
    "releases/README.json",
    "releases/.DS_Store",
    "kept/notes.txt",
];

#[test]
fn foreign_names_are_ignored_and_moved_aside() {
    let site = two_releases();
    for name in FOREIGN {
        fs::write(site.state_file(name), "theirs").unwrap();
    }
    site.publish_ok(&[]);
    for command in ["status", "rollback", "unlock", "gc"] {
        run(&site, command, 0, &[]);
    }
    assert!(site.live("index.html").unwrap().contains("two"));
    for name in FOREIGN {
        assert_eq!(fs::read_to_string(site.state_file(name)).unwrap(), "theirs", "{name}");
    }
    let printed = run(&site, "repair", 0, &[]);
    for name in FOREIGN {
        assert!(printed.contains(&format!("{name} is not from sitegate")), "{name}: {printed}");
        assert!(!site.state_file(name).exists(), "{name}");
    }
    assert_eq!(site.count_in("aside"), FOREIGN.len());
    run(&site, "repair", 0, &["nothing is damaged"]);
    site.publish_ok(&[]);
}

/// A folder or file in the way of the target state: the message names it, and the command that helps.
#[test]
fn names_what_is_in_the_way_of_a_record() {
    let site = two_releases();
    let place = site.state_file("runs/0000000003.json");
    for is_empty in [true, false] {
        fs::create_dir(&place).unwrap();
        if !is_empty {
            fs::write(place.join("note.txt"), "theirs").unwrap();
        }
        run(&site, "status", 0, &[]);
        let words = [".sitegate/runs/0000000003.json is a folder", " --apply`, which moves it aside"];
        run(&site, "publish", 2, &words);
        run(&site, "repair", 0, &["runs/0000000003.json is not from sitegate"]);
        assert!(!place.exists());
    }
    assert_eq!(site.count_in("aside"), 2);
    site.publish_ok(&[]);
    // The records are in another folder, and a file has the name of theirs.
    fs::rename(site.state_file("runs"), site.state_file("old")).unwrap();
    fs::write(site.state_file("runs"), "theirs").unwrap();
    for command in ["status", "publish", "rollback", "gc"] {
        run(&site, command, 2, &[".sitegate/runs is a file"]);
    }
    run(&site, "repair", 0, &[]);
    fs::rename(site.state_file("old"), site.state_file("runs")).unwrap();
    run(&site, "publish", 0, &["unchanged"]);
}

/// The backups are lost while a rollback is interrupted: the next one does not restore the other release instead.
#[test]
fn rollback_that_lost_its_backups_names_both_ways_out() {
    let site = two_releases();
    run(&site, "rollback", 0, &[]);
    // Its last page and its last record were not written.
    edit_json(&site.last_in("runs"), |run| run["stage"] = "publishing".into());
    site.place("public/index.html", "<!doctype html><title>two</title>");
    fs::rename(site.state_file("kept"), site.path("lost")).unwrap();
    run(&site, "rollback", 4, &["or restore the release before with `sitegate rollback --to "]);
    assert!(site.live("index.html").unwrap().contains("two"));
    fs::rename(site.path("lost"), site.state_file("kept")).unwrap();
    run(&site, "rollback", 0, &["completing the interrupted rollback to "]);
    assert!(site.live("index.html").unwrap().contains("one"));
}
