//! Tests rollback, status, unlock and garbage collection.

use std::fs;
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::server::{Fault, Rule, Server, Settings, When};
use super::signature::hex;
use super::site::{Site, hash, is_version, said, sound, visible};
use crate::sample;

/// Runs a command against the server from an empty folder.
pub fn away(server: &Server, command: &str, more: &[&str]) -> Output {
    let nowhere = Site { folder: tempfile::tempdir().unwrap() };
    nowhere.on(server, command, more).output().unwrap()
}

fn document(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", said(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

pub fn status(server: &Server) -> Value {
    document(&away(server, "status", &["--format", "json"]))
}

/// Three releases: one, two, three.
fn three() -> (Site, Server) {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    for version in ["two", "three"] {
        site.version(version);
        site.published(&server, &[]);
    }
    (site, server)
}

#[test]
fn rolls_back_without_local_files() {
    let (_site, server) = three();
    server.watch(Box::new(|objects| sound(objects, &["one", "two", "three"])));
    let output = away(&server, "rollback", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    is_version(&server.objects(), "two").unwrap();
    assert_eq!(server.wrong(), Vec::<String>::new());
    let first = status(&server)["releases"][2]["release"].as_str().unwrap().to_owned();
    let output = away(&server, "rollback", &["--to", &first]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    is_version(&server.objects(), "one").unwrap();
    let headers = server.objects()["terms"].headers.clone();
    assert_eq!(headers["content-type"], "text/html; charset=utf-8");
}

#[test]
fn a_rollback_can_be_planned_and_undone() {
    let (_site, server) = three();
    let before = server.objects();
    let output = away(&server, "rollback", &["--dry-run", "--format", "json"]);
    assert_eq!(document(&output)["outcome"], "planned");
    assert_eq!(server.objects(), before);
    assert_eq!(away(&server, "rollback", &[]).status.code(), Some(0));
    // The release is named, so that repeating the command does not restore it by accident.
    let left = named(&server, |release| release["left"] != Value::Null);
    let output = away(&server, "rollback", &["--to", &left[0]]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    is_version(&server.objects(), "three").unwrap();
    assert_eq!(visible(&server.objects()), visible(&before));
}

/// Returns the names of the matching releases that can be restored.
fn named(server: &Server, wanted: impl Fn(&Value) -> bool) -> Vec<String> {
    let state = status(server);
    let releases = state["releases"].as_array().unwrap().iter().filter(|release| wanted(release));
    releases.map(|release| release["release"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn rolling_back_twice_never_restores_a_rolled_back_release() {
    let (site, server) = three();
    let back = |more: &[&str], code: i32, version: &str| {
        let output = away(&server, "rollback", more);
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        is_version(&server.objects(), version).unwrap();
        said(&output)
    };
    back(&[], 0, "two");
    back(&[], 0, "one");
    let state = status(&server);
    let marks: Vec<bool> = state["releases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|release| release["left"]["because"] == "asked")
        .collect();
    assert_eq!(marks, [false, true, true]);
    let text = said(&away(&server, "status", &[]));
    assert_eq!(text.matches("rolled away from just now").count(), 2, "{text}");
    let names = named(&server, |release| release["live"] == false);
    let told = back(&[], 2, "one");
    assert!(told.contains("name one with --to") && told.contains(&names[0]), "{told}");
    // A unique prefix of a name suffices.
    back(&["--to", &names[0][..names[0].len() - 1]], 0, "two");
    assert!(back(&["--to", "2"], 2, "two").contains("several releases begin with 2"));
    // Restoring a newer release does not mark the one before it.
    back(&[], 0, "one");
    let three = named(&server, |release| release["left"] != Value::Null && !is_two(release));
    back(&["--to", &three[0]], 0, "three");
    site.version("four");
    site.published(&server, &[]);
    back(&[], 0, "three");
    let live = named(&server, |release| release["live"] == true);
    assert!(back(&["--to", &live[0]], 0, "three").contains("unchanged"));
}

#[test]
fn alternating_rollbacks_use_up_no_history() {
    let (_site, server) = three();
    for round in 0..7 {
        let to = named(&server, |release| release["live"] == false && (is_two(release) == (round % 2 == 0)));
        let output = away(&server, "rollback", &["--to", &to[0], "--keep-releases", "2"]);
        assert_eq!(output.status.code(), Some(0), "{round}: {}", said(&output));
        assert_eq!(named(&server, |_| true).len(), 3, "{round}");
    }
    let names = named(&server, |release| release["live"] == false);
    for (name, version) in names.iter().zip(["three", "one"]) {
        let output = away(&server, "rollback", &["--to", name]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        is_version(&server.objects(), version).unwrap();
    }
}

/// A publisher that was suspended finds the content to back up replaced, and backed up by another publisher.
#[test]
fn keeps_the_backups_of_another_publisher() {
    let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
    site.published(&server, &[]);
    let first = server.objects()["terms"].body.clone();
    let kept = format!(".sitegate/kept/{}", hex(&Sha256::digest(&first)));
    site.version("two");
    let stall = Fault::Stall(Duration::from_millis(800));
    server.faults(&[Rule {
        method: "PUT",
        contains: ".sitegate/releases/",
        when: When::At(1),
        fault: stall,
    }]);
    let late = site.on(&server, "publish", &[]).stderr(Stdio::piped()).spawn().unwrap();
    while server.struck() == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    server.change(&kept, std::str::from_utf8(&first).unwrap());
    let replaced = server.objects().into_iter().filter(|(key, stored)| *key != kept && stored.body == first);
    for (key, _) in replaced {
        server.change(&key, "another release");
    }
    let output = late.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(7), "{}", said(&output));
    assert_eq!(server.objects()[&kept].body, first);
}

#[test]
fn incomplete_releases_are_not_listed() {
    let (_site, server) = three();
    let names = named(&server, |_| true);
    for key in server.objects().into_keys().filter(|key| key.starts_with(".sitegate/kept/")) {
        let text = server.objects()[&key].body.clone();
        if String::from_utf8(text).unwrap().contains("<title>one") {
            server.remove(&key);
        }
    }
    assert_eq!(named(&server, |_| true), names[..2]);
    let output = away(&server, "rollback", &["--to", &names[2]]);
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    assert!(said(&output).contains("is no longer complete"), "{}", said(&output));
}

/// The live release and interrupted ones are needed.
#[test]
fn gc_during_an_interrupted_switch_keeps_both_releases() {
    for [command, version] in [["rollback", "one"], ["publish", "two"]] {
        let (site, server) = (Site::new(), Server::start(Settings::default()));
        site.published(&server, &[]);
        site.version("two");
        let rule = Rule { method: "PUT", contains: "/terms", when: When::At(2), fault: Fault::KillAfter };
        server.faults(&[rule]);
        site.start(&server, &[]).wait().unwrap();
        server.faults(&[]);
        let output = away(&server, "unlock", &[]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let output = away(&server, "gc", &["--keep-releases", "0"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let text = said(&away(&server, "status", &[]));
        assert!(text.contains("publish it again, or roll back to what was live before"), "{text}");
        let output = site.on(&server, command, &[]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        is_version(&server.objects(), version).unwrap();
    }
    // Before the first release there is nothing to roll back to, and no message suggests it.
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    let rule = Rule { method: "PUT", contains: "/terms", when: When::At(1), fault: Fault::KillAfter };
    server.faults(&[rule]);
    site.start(&server, &[]).wait().unwrap();
    server.faults(&[]);
    let text = said(&away(&server, "status", &[]));
    assert!(text.contains("publish it again") && !text.contains("roll back"), "{text}");
    let output = away(&server, "rollback", &[]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

#[test]
fn a_rollback_restores_a_deleted_page() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    std::fs::remove_dir_all(site.path("export/blog")).unwrap();
    site.seal();
    site.published(&server, &["--allow-gone"]);
    assert!(!server.objects().contains_key("blog/first"));
    assert_eq!(away(&server, "rollback", &[]).status.code(), Some(0));
    is_version(&server.objects(), "one").unwrap();
}

#[test]
fn another_rollback_completes_one_killed_at_any_request() {
    let (_site, server) = three();
    server.watch(Box::new(|objects| sound(objects, &["one", "two", "three"])));
    let start = server.objects();
    let mut requests = 0;
    for k in sample::positions() {
        server.set_objects(start.clone());
        let rule = Rule { method: "*", contains: "", when: When::At(k), fault: Fault::KillAfter };
        server.faults(&[rule]);
        let nowhere = Site { folder: tempfile::tempdir().unwrap() };
        let mut command = nowhere.on(&server, "rollback", &[]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        server.victim(child.id());
        child.wait().unwrap();
        if server.struck() == 0 {
            requests = k - 1;
            break;
        }
        server.faults(&[]);
        let to = status(&server);
        let to = to["releases"].as_array().unwrap().iter().find(|r| is_two(r)).unwrap()["release"].clone();
        let output = away(&server, "rollback", &["--to", to.as_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{k}: {}", said(&output));
        is_version(&server.objects(), "two").unwrap();
    }
    assert_eq!(server.wrong(), Vec::<String>::new());
    assert!(requests > 15, "{requests} requests");
}

/// Whether a release has the content of version two, which was neither the first nor the last.
fn is_two(release: &Value) -> bool {
    let two = Site::new();
    two.version("two");
    let seal: Value = serde_json::from_slice(&std::fs::read(two.path("seal.json")).unwrap()).unwrap();
    release["tree"] == seal["tree"]
}

#[test]
fn an_interrupted_switch_can_be_undone() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    site.version("two");
    server.faults(&[Rule { method: "PUT", contains: "/terms", when: When::At(1), fault: Fault::KillAfter }]);
    site.start(&server, &[]).wait().unwrap();
    server.faults(&[]);
    assert!(is_version(&server.objects(), "one").is_err());
    let before = status(&server);
    assert_eq!(before["unfinished"].as_array().unwrap().len(), 1);
    let output = away(&server, "rollback", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    is_version(&server.objects(), "one").unwrap();
    assert_eq!(status(&server)["unfinished"], Value::Array(Vec::new()));
}

#[test]
fn the_first_release_has_no_earlier_one() {
    let server = Server::start(Settings::default());
    assert_eq!(away(&server, "rollback", &[]).status.code(), Some(2));
    let site = Site::new();
    site.published(&server, &[]);
    let output = away(&server, "rollback", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("first release"), "{}", said(&output));
    let output = away(&server, "rollback", &["--to", "20000101-000000-00000000"]);
    assert!(said(&output).contains("sitegate status"), "{}", said(&output));
}

#[test]
fn status_reports_the_live_release_and_the_lease() {
    let server = Server::start(Settings::default());
    assert!(said(&away(&server, "status", &[])).contains("nothing was ever published"));
    let (_site, server) = three();
    let state = status(&server);
    assert_eq!((state["releases"].as_array().unwrap().len(), &state["locks"]), (3, &true.into()));
    assert_eq!((&state["held"], &state["releases"][0]["pages"]), (&Value::Null, &4.into()));
    let text = said(&away(&server, "status", &[]));
    assert!(text.contains("live") && text.contains("kept"), "{text}");
}

#[test]
fn waits_for_a_dead_publisher_on_another_machine_or_unlocks() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    let key = ".sitegate/runs/0000000001.json";
    let text = String::from_utf8(server.objects()[key].body.clone()).unwrap();
    let mut run: Value = serde_json::from_str(&text).unwrap();
    run["stage"] = "publishing".into();
    run["previous"] = Value::Null;
    run["lease"] = 60.into();
    server.change(key, &run.to_string());
    site.version("two");
    let output = site.publish(&server, &[]);
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    assert!(said(&output).contains("sitegate unlock"), "{}", said(&output));
    let output = away(&server, "unlock", &[]);
    assert!(said(&output).contains("freed"), "{}", said(&output));
    assert!(said(&away(&server, "unlock", &[])).contains("nobody holds"));
    site.published(&server, &[]);
    is_version(&server.objects(), "two").unwrap();
    // An expired lease needs no unlocking.
    let key = ".sitegate/runs/0000000003.json";
    let mut run: Value = serde_json::from_slice(&server.objects()[key].body).unwrap();
    run["stage"] = "publishing".into();
    run["lease"] = 60.into();
    server.change(key, &run.to_string());
    server.outlast_leases();
    site.version("three");
    site.published(&server, &[]);
    is_version(&server.objects(), "three").unwrap();
}

#[test]
fn gc_keeps_what_the_kept_releases_need() {
    let (site, server) = three();
    for version in ["four", "five"] {
        site.version(version);
        site.published(&server, &[]);
    }
    let site_before = visible(&server.objects());
    let output = away(&server, "gc", &["--keep-releases", "1", "--dry-run"]);
    assert!(said(&output).contains("would clear 3 releases"), "{}", said(&output));
    let output = away(&server, "gc", &["--keep-releases", "1"]);
    assert!(said(&output).contains("cleared 3 releases"), "{}", said(&output));
    assert_eq!(visible(&server.objects()), site_before);
    assert_eq!(site.published(&server, &[])["outcome"], "unchanged");
    assert_eq!(away(&server, "rollback", &[]).status.code(), Some(0));
    is_version(&server.objects(), "four").unwrap();
}

#[test]
fn deletes_a_page_before_its_assets() {
    let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
    let asset = format!("assets/story-{}.js", hash("story"));
    site.write(
        "story.html",
        &format!("<!doctype html><title>Story</title><script src=\"/{asset}\"></script>"),
    );
    site.write(&asset, "let story;");
    site.seal();
    site.published(&server, &[]);
    let moments = Arc::new(Mutex::new(Vec::new()));
    let (told, needed) = (Arc::clone(&moments), asset.clone());
    server.watch(Box::new(move |objects| {
        let there = (objects.contains_key("story.html"), objects.contains_key(&needed));
        told.lock().unwrap().push(there);
        Ok(())
    }));
    fs::remove_file(site.path("export/story.html")).unwrap();
    fs::remove_file(site.path("export").join(&asset)).unwrap();
    site.seal();
    site.published(&server, &["--allow-gone", "--keep-releases", "0"]);
    let mut moments = moments.lock().unwrap().clone();
    moments.dedup();
    assert_eq!(moments, [(true, true), (false, true), (false, false)]);
}
