//! Tests rollback, status and gc.

use std::fs;

use serde_json::Value;

use super::server::{Fault, Rule, Server, Settings, When};
use super::site::{Site, expect_without_files, is_version, public_objects, status, with_second_version};
use crate::outcome::all_output;

/// Publishes three releases: one, two, three.
fn three_releases() -> (Site, Server) {
    let (site, server) = with_second_version(Settings::default());
    site.published(&server, &[]);
    site.version("three");
    site.published(&server, &[]);
    (site, server)
}

/// Returns the names of the matching releases that can be restored.
fn release_names(server: &Server, wanted: impl Fn(&Value) -> bool) -> Vec<String> {
    let state = status(server);
    let releases = state["releases"].as_array().unwrap().iter().filter(|release| wanted(release));
    releases.map(|release| release["release"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn second_rollback_skips_releases_that_were_rolled_back() {
    let (site, server) = three_releases();
    let before = server.objects();
    let dry_run = ["--dry-run", "--format", "json"];
    expect_without_files(&server, "rollback", &dry_run, 0, &["\"outcome\": \"planned\""]);
    assert_eq!(server.objects(), before);
    let back = |more: &[&str], code: i32, version: &str| {
        let printed = expect_without_files(&server, "rollback", more, code, &[]);
        is_version(&server.objects(), version).unwrap();
        printed
    };
    back(&[], 0, "two");
    back(&[], 0, "one");
    let state = status(&server);
    let releases = state["releases"].as_array().unwrap().iter();
    let marks: Vec<bool> = releases.map(|release| release["left"]["because"] == "asked").collect();
    assert_eq!(marks, [false, true, true]);
    let text = expect_without_files(&server, "status", &[], 0, &[]);
    assert_eq!(text.matches("rolled back just now").count(), 2, "{text}");
    let names = release_names(&server, |release| release["live"] == false);
    let printed = back(&[], 2, "one");
    assert!(printed.contains("name one with --to") && printed.contains(&names[0]), "{printed}");
    // A unique prefix of a name is enough.
    back(&["--to", &names[0][..names[0].len() - 1]], 0, "two");
    assert!(back(&["--to", "2"], 2, "two").contains("several releases begin with 2"));
    // Restoring a newer release does not mark the previous one as rolled back.
    back(&[], 0, "one");
    let three = release_names(&server, |release| release["left"] != Value::Null && !is_two(release));
    back(&["--to", &three[0]], 0, "three");
    assert_eq!(public_objects(&server.objects()), public_objects(&before));
    site.version("four");
    site.published(&server, &[]);
    back(&[], 0, "three");
    let live = release_names(&server, |release| release["live"] == true);
    assert!(back(&["--to", &live[0]], 0, "three").contains("unchanged"));
}

/// Publishes a version, and kills it after a write of a page.
fn interrupt(site: &Site, server: &Server, write: usize) {
    let rule = Rule { method: "PUT", contains: "/terms", when: When::At(write), fault: Fault::KillAfter };
    server.faults(&[rule]);
    site.start(server, &[]).wait().unwrap();
    server.faults(&[]);
}

#[test]
fn status_says_what_to_do_after_an_interrupted_switch() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    interrupt(&site, &server, 1);
    // The first release has no previous one.
    let text = expect_without_files(&server, "status", &[], 0, &["publish it again"]);
    assert!(!text.contains("roll back"), "{text}");
    expect_without_files(&server, "rollback", &[], 2, &[]);
    site.published(&server, &[]);
    site.version("two");
    interrupt(&site, &server, 2);
    expect_without_files(&server, "unlock", &[], 0, &["unlocked"]);
    expect_without_files(&server, "unlock", &[], 0, &["is not locked"]);
    expect_without_files(&server, "status", &[], 0, &["publish it again, or roll back to the live release"]);
    expect_without_files(&server, "rollback", &[], 0, &[]);
    is_version(&server.objects(), "one").unwrap();
}

/// Whether a release has the content of version two, the middle one.
fn is_two(release: &Value) -> bool {
    let two = Site::new();
    two.version("two");
    let seal: Value = serde_json::from_slice(&std::fs::read(two.path("seal.json")).unwrap()).unwrap();
    release["tree"] == seal["tree"]
}

#[test]
fn first_release_cannot_be_rolled_back() {
    let server = Server::start(Settings::default());
    expect_without_files(&server, "rollback", &[], 2, &[]);
    Site::new().published(&server, &[]);
    expect_without_files(&server, "rollback", &[], 2, &["first release"]);
    let unknown = ["--to", "20000101-000000-00000000"];
    expect_without_files(&server, "rollback", &unknown, 2, &["sitegate target status"]);
}

#[test]
fn status_shows_the_live_release_and_the_holder() {
    let server = Server::start(Settings::default());
    expect_without_files(&server, "status", &[], 0, &["nothing has been published here"]);
    let (_site, server) = three_releases();
    let state = status(&server);
    assert_eq!((state["releases"].as_array().unwrap().len(), &state["locks"]), (3, &true.into()));
    assert_eq!((&state["held"], &state["releases"][0]["pages"]), (&Value::Null, &4.into()));
    let names = release_names(&server, |_| true);
    let text = expect_without_files(&server, "status", &[], 0, &[]);
    for (label, release) in ["live         ", "kept         ", "kept         "].iter().zip(&names) {
        assert!(text.contains(&format!("\n  {label}{release}  just now, 4 pages")), "{text}");
    }
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    let before = server.objects();
    let keep = ["--keep-releases", "1", "--dry-run"];
    expect_without_files(&server, "gc", &keep, 0, &["would remove 1 release"]);
    assert_eq!(server.objects(), before);
    expect_without_files(&server, "gc", &keep[..2], 0, &["removed 1 release"]);
    assert_eq!(public_objects(&server.objects()), public_objects(&before));
}

#[test]
fn permalinks_are_read_from_a_bucket_only_on_request() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.write("gone/index.html", "<!doctype html><title>Gone</title>");
    site.seal();
    site.published(&server, &[]);
    fs::remove_dir_all(site.path("export/gone")).unwrap();
    let contract = format!("[permalinks]\nkeep = [\"s3://{}\"]\n", server.bucket);
    fs::write(site.path("sitegate.toml"), contract).unwrap();
    let check = |more: &[&str]| {
        let mut command = site.command(&[&["check", "export", "--all"], more].concat());
        command.env("AWS_ENDPOINT_URL", server.url()).env("XDG_CACHE_HOME", site.path("cache"));
        all_output(&command.output().unwrap())
    };
    assert!(check(&[]).contains("is only requested with --parts"), "{}", check(&[]));
    assert!(check(&["--parts"]).contains("lost URL: `/gone/`"), "{}", check(&["--parts"]));
    // Without a request, the last answer is used.
    assert!(check(&[]).contains("lost URL: `/gone/`"), "{}", check(&[]));
}
