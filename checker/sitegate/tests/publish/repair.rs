//! Tests `sitegate target repair` on folders: it reports damage, changes nothing without `--apply`, and afterwards publish and
//! rollback work again.

use std::fs;

use serde_json::Value;

use super::site::{Site, edit_json, set_age};

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
    site.json("repair", more)
}

fn live(site: &Site) -> String {
    let page = site.live("index.html").unwrap();
    assert_eq!(site.live("about/index.html").as_ref(), Some(&page));
    page
}

/// Asserts that a rollback and a new publish both work.
fn assert_can_roll_back_and_publish(site: &Site, back_to: &str) {
    site.expect("rollback", &[], 0, &[]);
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

/// In a folder, the next record excludes all others at once, so no lease must end first.
#[test]
fn recovers_an_empty_truncated_or_garbled_last_record() {
    let deep = "[".repeat(100_000);
    let contents = ["", "{\"schema_version\": 1, \"numb", "\0\0\0\0\0\0\0\0", "null", deep.as_str()];
    for (number, content) in contents.into_iter().enumerate() {
        let site = published();
        fs::write(site.state_file(LAST_RUN), content).unwrap();
        set_age(&site.state_file(LAST_RUN), if number % 2 == 0 { 0 } else { 3600 });
        for command in ["status", "publish", "rollback", "gc"] {
            site.expect(command, &[], 2, &["`sitegate target repair file://"]);
        }
        let found = repair(&site, &[]);
        assert!(found["damaged"][0].as_str().unwrap().contains(LAST_RUN), "{found}");
        assert!(found["steps"][0].as_str().unwrap().contains("all of its 5 objects are in place"), "{found}");
        assert!(site.state_file(LAST_RUN).exists(), "nothing is done unasked");
        repair(&site, &["--apply"]);
        assert!(live(&site).contains("three"));
        assert!(site.expect("publish", &[], 0, &[]).starts_with("unchanged"));
        assert_can_roll_back_and_publish(&site, "two");
    }
}

/// If the record is damaged during a switch, neither release is reported as completely live.
#[test]
fn reports_a_half_switched_folder() {
    let site = published();
    fs::write(site.state_file(LAST_RUN), "").unwrap();
    site.place("public/index.html", "<!doctype html><title>two</title>");
    let found = repair(&site, &["--apply"]);
    assert!(found["steps"][0].as_str().unwrap().contains("was probably interrupted"), "{found}");
    site.expect("status", &[], 0, &["\n  interrupted  ", "some of its files may be live"]);
    site.expect("publish", &[], 0, &[]);
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
    site.place(&format!("public/.sitegate/{HALF}"), "half");
    let found = repair(&site, &["--apply"]);
    assert_eq!(found["damaged"].as_array().unwrap().len(), 2, "{found}");
    assert!(!kept.exists() && !site.state_file(HALF).exists());
    assert_eq!(repair(&site, &[])["damaged"].as_array().unwrap().len(), 0);
}

#[test]
fn unlock_handles_an_unreadable_record() {
    let site = published();
    fs::write(site.state_file(LAST_RUN), "{").unwrap();
    site.expect("unlock", &[], 0, &["held by run 3, whose record cannot be read"]);
    site.expect("status", &[], 0, &[]);
    assert!(site.expect("publish", &[], 0, &[]).starts_with("unchanged"));
    let printed = site.expect("repair", &[], 0, &["\n  problem  ", "\n  would    delete "]);
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
    site.check();
    site.publish_ok(&["--precompress"]);
    let forms = ["new/index.html.br", "new/index.html.gz", "index.html.br", "index.html.gz"];
    let count = || forms.iter().filter(|form| site.path("public").join(form).exists()).count();
    assert_eq!(count(), 4);
    for foreign in ["about/index.html.gz", "archive.txt.gz"] {
        site.place(&format!("public/{foreign}"), "somebody's");
    }
    fs::remove_file(site.last_in("releases")).unwrap();
    let found = repair(&site, &[]);
    let printed = |word: &str| {
        let damaged = found["damaged"].as_array().unwrap();
        damaged.iter().filter(|printed| printed.as_str().unwrap().contains(word)).count()
    };
    assert_eq!(printed("its release was lost"), 4, "{found}");
    assert_eq!(printed("about/index.html.gz does not contain the same as about/index.html"), 1, "{found}");
    assert_eq!(count(), 4, "nothing is done unasked");
    repair(&site, &["--apply"]);
    assert_eq!(count(), 0, "{found}");
    assert!(site.live("about/index.html.gz").is_some() && site.live("archive.txt.gz").is_some());
    site.write("new/index.html", &long("new "));
    site.check();
    let adopt = ["--adopt", "--overwrite-drift"];
    site.expect("publish", &adopt, 4, &["\n  about/index.html.gz\n  = delete them"]);
    fs::remove_file(site.path("public/about/index.html.gz")).unwrap();
    site.expect("publish", &adopt, 0, &[]);
    assert_eq!(count(), 0);
    assert_eq!(repair(&site, &[])["damaged"].as_array().unwrap().len(), 0);
}

/// Loses the manifest of a release whose switch was interrupted.
#[test]
fn recovers_an_interrupted_release_without_its_manifest() {
    let site = published();
    let mut manifest = String::new();
    edit_json(&site.state_file(LAST_RUN), |run| {
        manifest = format!("releases/{}.json", run["release"].as_str().unwrap());
        (run["stage"], run["unfinished"]) = ("publishing".into(), vec![run["release"].clone()].into());
    });
    fs::write(site.state_file(&manifest), "{").unwrap();
    site.expect("status", &[], 2, &[]);
    let found = repair(&site, &["--apply"]);
    assert!(found["steps"][0].as_str().unwrap().contains("not all of it is in place"), "{found}");
    site.expect("publish", &[], 0, &[]);
    assert!(live(&site).contains("three"));
}
