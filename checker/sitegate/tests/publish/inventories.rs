//! Tests the inventories that `publish` stores with releases.

use std::fs;

use super::site::{Site, edit_json};
use crate::outcome::{all_output, assert_exit};

/// Prints the inventory of the live release.
#[track_caller]
fn inventory(site: &Site, code: i32, words: &[&str]) -> String {
    site.expect("status", &["--inventory"], code, words)
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

/// Contract that keeps the addresses of the target's releases.
fn keep_releases(site: &Site) {
    let contract = format!("[permalinks]\nkeep = [\"{}\"]\n", site.target());
    site.place("sitegate.toml", &contract);
}

#[test]
fn stores_the_inventory_of_each_release() {
    let site = Site::new();
    inventory(&site, 2, &[]);
    publish_page(&site, "one");
    let first = "sitegate-inventory 1\nanchors: linked\n\n/\n/one/\n#top\n";
    assert_eq!(inventory(&site, 0, &[]), first);
    publish_page(&site, "two");
    assert_eq!(inventory(&site, 0, &[]), first.replace("one", "two"));
    site.expect("rollback", &[], 0, &[]);
    assert_eq!(inventory(&site, 0, &[]), first);
    site.expect("repair", &[], 0, &[]);
}

#[test]
fn gc_removes_an_inventory_with_its_last_release() {
    let site = Site::new();
    publish_page(&site, "one");
    publish_page(&site, "two");
    let before = site.count_in("kept");
    site.expect("gc", &["--keep-releases", "1"], 0, &[]);
    assert_eq!(site.count_in("kept"), before);
    site.expect("gc", &["--keep-releases", "0"], 0, &[]);
    // Only the inventory of the live release is needed.
    assert_eq!(site.count_in("kept"), 1);
    inventory(&site, 0, &["/two/"]);
}

#[test]
fn permalinks_are_the_addresses_of_kept_releases() {
    let site = Site::new();
    keep_releases(&site);
    let check =
        |code: i32, words: &[&str]| assert_exit(&site.run(&["check", "export", "--all"]), code, words);
    check(0, &["no inventory", "public"]);

    fs::remove_file(site.path("sitegate.toml")).unwrap();
    publish_page(&site, "one");
    publish_page(&site, "two");
    keep_releases(&site);
    let found = check(1, &["lost URL: `/one/` no longer exists", "/public lists it"]);
    assert!(!found.contains("`/two/`"), "{found}");
    let link = "<!doctype html><title>one</title><h1 id=\"top\"><a href=\"/\">Home</a>";
    site.write("one/index.html", link);
    site.write(
        "index.html",
        "<!doctype html><title>Home</title><a href=\"/one/\">1</a><a href=\"/two/\">2</a>",
    );
    check(0, &[]);
}

#[test]
fn releases_of_older_versions_have_none() {
    let site = Site::new();
    publish_page(&site, "one");
    edit_json(&site.last_in("releases"), |old| {
        assert!(old.as_object_mut().unwrap().remove("inventory").is_some());
    });
    inventory(&site, 2, &["has no inventory", "older version"]);
    publish_page(&site, "two");
    inventory(&site, 0, &["/two/"]);
    site.expect("rollback", &[], 0, &[]);
    inventory(&site, 2, &[]);
}

#[test]
fn a_damaged_inventory_is_reported() {
    let site = Site::new();
    publish_page(&site, "one");
    let kept = site.last_in("kept");
    let mut bytes = fs::read(&kept).unwrap();
    bytes[20] ^= 1;
    fs::write(&kept, bytes).unwrap();
    inventory(&site, 2, &["is damaged", "sitegate target repair"]);
}

#[test]
fn a_contract_reads_no_target_outside_of_its_repository() {
    let site = Site::new();
    publish_page(&site, "one");
    fs::create_dir(site.path("repository")).unwrap();
    keep_releases(&site);
    fs::rename(site.path("sitegate.toml"), site.path("repository/sitegate.toml")).unwrap();
    let check = |more: &[&str]| {
        let args = ["check", "export", "--all", "--config", "repository/sitegate.toml"];
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
    let page =
        |asset: &str| format!("<!doctype html><title>Home</title><script src=/assets/{asset}></script>");
    site.write("index.html", &page("app-B3x_9kQz.js"));
    site.check();
    let first = site.publish_ok(&[])["release"].as_str().unwrap().to_owned();
    fs::remove_file(site.path("export/assets/app-B3x_9kQz.js")).unwrap();
    site.write("assets/app-Dk3nf8Zc.js", "let two = 2;");
    site.write("index.html", &page("app-Dk3nf8Zc.js"));
    site.check();
    site.publish_ok(&[]);
    let named = format!("{}#{first}", site.target());
    assert_exit(&site.run(&["diff", &named, "export"]), 0, &[]);
    assert_exit(&site.run(&["carry", "export", "--from", &named]), 0, &[]);
    assert_eq!(fs::read_to_string(site.path("export/assets/app-B3x_9kQz.js")).unwrap(), "let one = 1;");
    // It is not damaged, but gone.
    fs::remove_file(site.path("public/assets/app-B3x_9kQz.js")).unwrap();
    let word = "no longer has assets/app-B3x_9kQz.js of this release";
    assert_exit(&site.run(&["diff", &named, "export"]), 2, &[word]);
}
