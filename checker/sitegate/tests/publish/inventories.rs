//! Tests the inventories that `publish` stores with releases.

use std::fs;
use std::path::PathBuf;

use super::site::Site;
use crate::outcome::{all_output, assert_exit};

fn inventory(site: &Site) -> (Option<i32>, String) {
    let output = site.on_target("status", &["--inventory"]);
    (output.status.code(), all_output(&output))
}

/// Publishes a version whose page is at `/NAME/`.
fn publish_page(site: &Site, name: &str) {
    let _ = fs::remove_dir_all(site.path("export"));
    site.write("index.html", &format!("<!doctype html><title>Home</title><a href=\"/{name}/\">Next</a>"));
    site.write(
        &format!("{name}/index.html"),
        &format!("<!doctype html><title>{name}</title><h1 id=\"top\">"),
    );
    site.check();
    site.publish_ok(&["--allow-gone"]);
}

fn manifests(site: &Site) -> Vec<PathBuf> {
    let releases = fs::read_dir(site.path("public/.sitegate/releases")).unwrap();
    let mut releases: Vec<_> = releases.map(|entry| entry.unwrap().path()).collect();
    releases.sort();
    releases
}

/// Contract that keeps the addresses of the target's releases.
fn keep_releases(site: &Site) {
    let contract = format!("[permalinks]\nkeep = [\"{}\"]\n", site.target());
    fs::write(site.path("sitegate.toml"), contract).unwrap();
}

#[test]
fn stores_the_inventory_of_each_release() {
    let site = Site::new();
    assert_eq!(inventory(&site).0, Some(2));
    publish_page(&site, "one");
    let first = "sitegate-inventory 1\nanchors: linked\n\n/\n/one/\n#top\n";
    assert_eq!(inventory(&site), (Some(0), first.to_owned()));
    publish_page(&site, "two");
    assert_eq!(inventory(&site).1, first.replace("one", "two"));
    assert_eq!(site.on_target("rollback", &[]).status.code(), Some(0));
    assert_eq!(inventory(&site).1, first);
    assert_eq!(site.on_target("repair", &[]).status.code(), Some(0));
}

#[test]
fn gc_removes_an_inventory_with_its_last_release() {
    let site = Site::new();
    publish_page(&site, "one");
    publish_page(&site, "two");
    let stored = || fs::read_dir(site.path("public/.sitegate/kept")).unwrap().count();
    let before = stored();
    let gc = |keep: &str| {
        assert_exit(&site.on_target("gc", &["--keep-releases", keep]), 0, &[]);
    };
    gc("1");
    assert_eq!(stored(), before);
    gc("0");
    // Only the inventory of the live release is needed.
    assert_eq!(stored(), 1);
    assert!(inventory(&site).1.contains("/two/"));
}

#[test]
fn permalinks_are_the_addresses_of_kept_releases() {
    let site = Site::new();
    keep_releases(&site);
    let check = || {
        let output = site.run(&["check", "export", "--all"]);
        (output.status.code(), all_output(&output))
    };
    let (code, found) = check();
    assert_eq!(code, Some(0), "{found}");
    assert!(found.contains("no inventory") && found.contains("public"), "{found}");

    fs::remove_file(site.path("sitegate.toml")).unwrap();
    publish_page(&site, "one");
    publish_page(&site, "two");
    keep_releases(&site);
    let (code, found) = check();
    assert_eq!(code, Some(1), "{found}");
    assert!(found.contains("lost URL: `/one/` no longer exists"), "{found}");
    assert!(found.contains("/public lists it"), "{found}");
    assert!(!found.contains("`/two/`"), "{found}");
    let link = "<!doctype html><title>one</title><h1 id=\"top\"><a href=\"/\">Home</a>";
    site.write("one/index.html", link);
    site.write(
        "index.html",
        "<!doctype html><title>Home</title><a href=\"/one/\">1</a><a href=\"/two/\">2</a>",
    );
    let (code, found) = check();
    assert_eq!(code, Some(0), "{found}");
}

#[test]
fn releases_of_older_versions_have_none() {
    let site = Site::new();
    publish_page(&site, "one");
    let manifest = &manifests(&site)[0];
    let mut old: serde_json::Value = serde_json::from_slice(&fs::read(manifest).unwrap()).unwrap();
    assert!(old.as_object_mut().unwrap().remove("inventory").is_some());
    fs::write(manifest, old.to_string()).unwrap();
    let (code, found) = inventory(&site);
    assert_eq!(code, Some(2));
    assert!(found.contains("has no inventory") && found.contains("older version"), "{found}");
    publish_page(&site, "two");
    assert!(inventory(&site).1.contains("/two/"));
    assert_eq!(site.on_target("rollback", &[]).status.code(), Some(0));
    assert_eq!(inventory(&site).0, Some(2));
}

#[test]
fn a_damaged_inventory_is_reported() {
    let site = Site::new();
    publish_page(&site, "one");
    let kept = fs::read_dir(site.path("public/.sitegate/kept")).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&kept).unwrap();
    bytes[20] ^= 1;
    fs::write(&kept, bytes).unwrap();
    let (code, found) = inventory(&site);
    assert_eq!(code, Some(2));
    assert!(found.contains("is damaged") && found.contains("sitegate target repair"), "{found}");
}

#[test]
fn a_contract_reads_no_target_outside_of_its_repository() {
    let site = Site::new();
    publish_page(&site, "one");
    fs::create_dir(site.path("repository")).unwrap();
    keep_releases(&site);
    let contract = site.path("repository/sitegate.toml");
    fs::rename(site.path("sitegate.toml"), &contract).unwrap();
    let check = |more: &[&str]| {
        let args = ["check", "export", "--all", "--config", contract.to_str().unwrap()];
        all_output(&site.run(&[&args, more].concat()))
    };
    let found = check(&[]);
    assert!(found.contains("no inventory") && found.contains("--allow-read"), "{found}");
    let found = check(&["--allow-read", "."]);
    assert!(!found.contains("no inventory"), "{found}");
}

/// The assets of earlier releases stay at their keys for open tabs, and have no backup.
#[test]
fn an_earlier_release_is_read_with_its_replaced_assets() {
    let site = Site::new();
    site.write(
        "index.html",
        "<!doctype html><title>Home</title><script src=/assets/app-B3x_9kQz.js></script>",
    );
    site.check();
    let first = site.publish_ok(&[])["release"].as_str().unwrap().to_owned();
    fs::remove_file(site.path("export/assets/app-B3x_9kQz.js")).unwrap();
    site.write("assets/app-Dk3nf8Zc.js", "let two = 2;");
    site.write(
        "index.html",
        "<!doctype html><title>Home</title><script src=/assets/app-Dk3nf8Zc.js></script>",
    );
    site.check();
    site.publish_ok(&[]);
    let named = format!("{}#{first}", site.target());
    assert_exit(&site.run(&["diff", &named, "export"]), 0, &[]);
    assert_exit(&site.run(&["carry", "export", "--from", &named]), 0, &[]);
    assert_eq!(fs::read_to_string(site.path("export/assets/app-B3x_9kQz.js")).unwrap(), "let one = 1;");
    // It is not damaged, but gone.
    fs::remove_file(site.path("public/assets/app-B3x_9kQz.js")).unwrap();
    assert_exit(
        &site.run(&["diff", &named, "export"]),
        2,
        &["no longer has assets/app-B3x_9kQz.js of this release"],
    );
}
