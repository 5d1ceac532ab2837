//! Tests `sitegate target repair` on folders: it reports damage, changes nothing without `--apply`, and afterwards publish and
//! rollback work again.

use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::site::Site;
use crate::outcome::{all_output, assert_exit};

/// Creates and checks a version of the site.
fn version(site: &Site, version: &str) {
    for page in ["index.html", "about/index.html"] {
        site.write(page, &format!("<!doctype html><title>{version}</title>"));
    }
    site.check();
}

/// Returns a folder with three published releases.
fn published() -> Site {
    let site = Site::new();
    for name in ["one", "two", "three"] {
        version(&site, name);
        site.publish_ok(&[]);
    }
    site
}

fn repair(site: &Site, more: &[&str]) -> Value {
    let output = site.on_target("repair", &[&["--format", "json"], more].concat());
    assert_exit(&output, 0, &[]);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Damages a file of the target state, with an old modification time.
fn damage(site: &Site, name: &str, content: &[u8]) {
    fs::write(site.state_file(name), content).unwrap();
    let file = fs::File::options().append(true).open(site.state_file(name)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_hours(1)).unwrap();
}

fn live(site: &Site) -> String {
    let page = site.live("index.html").unwrap();
    assert_eq!(site.live("about/index.html").as_ref(), Some(&page));
    page
}

/// Asserts that a rollback and a new publish both work.
fn assert_can_roll_back_and_publish(site: &Site, back_to: &str) {
    assert_exit(&site.on_target("rollback", &[]), 0, &[]);
    assert!(live(site).contains(back_to), "{}", live(site));
    version(site, "four");
    site.publish_ok(&[]);
    assert!(live(site).contains("four"));
    assert_eq!(repair(site, &[])["damaged"].as_array().unwrap().len(), 0);
}

const LAST_RUN: &str = "runs/0000000003.json";

#[test]
fn intact_target_needs_no_repair() {
    let site = published();
    let found = repair(&site, &["--apply"]);
    assert_eq!((&found["damaged"], &found["applied"]), (&Value::Array(Vec::new()), &false.into()));
    assert!(!site.state_file("runs/0000000004.json").exists());
}

#[test]
fn recovers_an_empty_truncated_or_garbled_last_record() {
    let deep = "[".repeat(100_000);
    for content in ["", "{\"schema_version\": 1, \"numb", "\0\0\0\0\0\0\0\0", "null", deep.as_str()] {
        let site = published();
        damage(&site, LAST_RUN, content.as_bytes());
        for command in ["status", "rollback", "gc"] {
            let output = site.on_target(command, &[]);
            assert_eq!(output.status.code(), Some(2), "{command}: {}", all_output(&output));
            assert!(
                all_output(&output).contains("`sitegate target repair file://"),
                "{}",
                all_output(&output)
            );
        }
        assert_eq!(site.publish(&[]).status.code(), Some(2));
        let found = repair(&site, &[]);
        assert!(found["damaged"][0].as_str().unwrap().contains(LAST_RUN), "{found}");
        assert!(found["steps"][0].as_str().unwrap().contains("all of its 5 objects are in place"), "{found}");
        assert!(site.state_file(LAST_RUN).exists(), "nothing is done unasked");
        repair(&site, &["--apply"]);
        assert!(live(&site).contains("three"));
        let output = site.publish(&[]);
        assert!(all_output(&output).starts_with("unchanged"), "{}", all_output(&output));
        assert_can_roll_back_and_publish(&site, "two");
    }
}

/// If the record is damaged during a switch, neither release is reported as completely live.
#[test]
fn reports_a_half_switched_folder() {
    let site = published();
    damage(&site, LAST_RUN, b"");
    fs::write(site.path("public/index.html"), "<!doctype html><title>two</title>").unwrap();
    let found = repair(&site, &["--apply"]);
    assert!(found["steps"][0].as_str().unwrap().contains("was probably interrupted"), "{found}");
    let output = site.on_target("status", &[]);
    let printed = all_output(&output);
    assert!(
        printed.contains("\n  interrupted  ") && printed.contains("some of its files may be live"),
        "{printed}"
    );
    assert_exit(&site.publish(&[]), 0, &[]);
    assert!(live(&site).contains("three"));
    assert_can_roll_back_and_publish(&site, "two");
}

/// A temporary file of an interrupted write.
const HALF: &str = "tmp/0123456789abcdef0123456789abcdef";

#[test]
fn removes_changed_kept_contents_and_leftovers() {
    let site = published();
    let kept = fs::read_dir(site.state_file("kept")).unwrap().next().unwrap().unwrap().path();
    fs::write(&kept, "something else").unwrap();
    fs::create_dir_all(site.state_file("tmp")).unwrap();
    fs::write(site.state_file(HALF), "half").unwrap();
    let found = repair(&site, &["--apply"]);
    assert_eq!(found["damaged"].as_array().unwrap().len(), 2, "{found}");
    assert!(!kept.exists() && !site.state_file(HALF).exists());
    assert_eq!(repair(&site, &[])["damaged"].as_array().unwrap().len(), 0);
}

/// In a folder, the next record excludes all others at once, so no lease must end first.
#[test]
fn repairs_a_fresh_record_in_a_folder_without_waiting() {
    let site = published();
    fs::write(site.state_file(LAST_RUN), "").unwrap();
    let found = repair(&site, &["--apply"]);
    assert!(found["steps"][0].as_str().unwrap().contains("all of its 5 objects are in place"), "{found}");
    assert_can_roll_back_and_publish(&site, "two");
}

#[test]
fn unlock_handles_an_unreadable_record() {
    let site = published();
    fs::write(site.state_file(LAST_RUN), "{").unwrap();
    assert_exit(&site.on_target("unlock", &[]), 0, &["held by run 3, whose record cannot be read"]);
    assert_eq!(site.on_target("status", &[]).status.code(), Some(0));
    assert!(all_output(&site.publish(&[])).starts_with("unchanged"));
    let printed = all_output(&site.on_target("repair", &[]));
    assert!(printed.contains("\n  problem  ") && printed.contains("\n  would    delete "), "{printed}");
    let fix = format!("\nnothing was changed; to fix it: sitegate target repair --apply {}\n", site.target());
    assert!(printed.ends_with(&fix), "{printed}");
    let found = repair(&site, &["--apply"]);
    assert_eq!(found["damaged"].as_array().unwrap().len(), 1, "{found}");
    assert_can_roll_back_and_publish(&site, "two");
}

/// Loses the manifest of a release with compressed variants that no other release has. Then `page.html.gz` must not
/// contain the page of the lost release.
#[test]
fn removes_compressed_variants_of_a_lost_release() {
    let site = published();
    let long = |word: &str| format!("<!doctype html><title>long</title><p>{}", word.repeat(400));
    site.write("new/index.html", &long("old "));
    site.write("index.html", &long("old "));
    let publish = |more: &[&str]| {
        site.check();
        site.publish(more)
    };
    assert_eq!(publish(&["--precompress"]).status.code(), Some(0));
    let forms = ["new/index.html.br", "new/index.html.gz", "index.html.br", "index.html.gz"];
    assert!(forms.iter().all(|form| site.path("public").join(form).exists()));
    fs::write(site.path("public/about/index.html.gz"), "somebody's").unwrap();
    fs::write(site.path("public/archive.txt.gz"), "somebody's").unwrap();
    fs::remove_file(site.last_in("releases")).unwrap();
    let found = repair(&site, &[]);
    let printed = |word: &str| {
        let damaged = found["damaged"].as_array().unwrap();
        damaged.iter().filter(|printed| printed.as_str().unwrap().contains(word)).count()
    };
    assert_eq!(printed("its release was lost"), 4, "{found}");
    assert_eq!(printed("about/index.html.gz does not contain the same as about/index.html"), 1, "{found}");
    assert!(forms.iter().all(|form| site.path("public").join(form).exists()), "nothing is done unasked");
    repair(&site, &["--apply"]);
    assert!(forms.iter().all(|form| !site.path("public").join(form).exists()), "{found}");
    assert!(site.path("public/about/index.html.gz").exists() && site.path("public/archive.txt.gz").exists());
    site.write("new/index.html", &long("new "));
    assert_exit(
        &publish(&["--adopt", "--overwrite-drift"]),
        4,
        &["\n  about/index.html.gz\n  = delete them"],
    );
    fs::remove_file(site.path("public/about/index.html.gz")).unwrap();
    assert_exit(&publish(&["--adopt", "--overwrite-drift"]), 0, &[]);
    assert!(forms.iter().all(|form| !site.path("public").join(form).exists()));
    assert_eq!(repair(&site, &[])["damaged"].as_array().unwrap().len(), 0);
}

/// Loses the manifest of a release whose switch was interrupted.
#[test]
fn recovers_an_interrupted_release_without_its_manifest() {
    let site = published();
    let mut run: Value = serde_json::from_slice(&fs::read(site.state_file(LAST_RUN)).unwrap()).unwrap();
    let release = run["release"].as_str().unwrap().to_owned();
    (run["stage"], run["unfinished"]) = ("publishing".into(), vec![Value::from(release.as_str())].into());
    fs::write(site.state_file(LAST_RUN), run.to_string()).unwrap();
    fs::write(site.state_file(&format!("releases/{release}.json")), "{").unwrap();
    assert_eq!(site.on_target("status", &[]).status.code(), Some(2));
    let found = repair(&site, &["--apply"]);
    assert!(found["steps"][0].as_str().unwrap().contains("not all of it is in place"), "{found}");
    assert_exit(&site.publish(&[]), 0, &[]);
    assert!(live(&site).contains("three"));
}
