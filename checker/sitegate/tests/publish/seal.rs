//! Tests seals, and exports that no longer match their seal.

use std::fs;

use serde_json::Value;

use super::site::{Site, write_file};
use crate::outcome::assert_exit;

#[test]
fn seal_is_reproducible() {
    let site = Site::new();
    site.check();
    let first = fs::read(site.path("seal.json")).unwrap();
    site.check();
    assert_eq!(first, fs::read(site.path("seal.json")).unwrap());
    let seal: Value = serde_json::from_slice(&first).unwrap();
    assert_eq!(seal["schema_version"], 1);
    assert_eq!(seal["tool"]["name"], "sitegate");
    assert_eq!(seal["contract"], Value::Null);
    assert_eq!(seal["counts"], serde_json::json!({"files": 5, "pages": 3, "links": 1}));
    let paths: Vec<&str> =
        seal["files"].as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap()).collect();
    assert!(paths.is_sorted());
    // printf 'let one = 1;' | sha256sum
    assert_eq!(
        seal["files"][1]["sha256"],
        "6a97a26305495f2560c8fe33feeefc7d3f53e2fd9c2e8e97144c6550ba3867bd"
    );
    assert_eq!(seal["files"][1]["size"], 12);
}

#[test]
fn failed_check_leaves_no_seal() {
    let site = Site::new();
    site.check();
    site.write("index.html", "<!doctype html><title>Home</title><a href=\"/nowhere\">Broken</a>");
    assert_exit(&site.run(&["check", "export", "--seal", "seal.json"]), 1, &[]);
    assert!(!site.path("seal.json").exists(), "an old seal must not outlive a failed check");
    assert_exit(&site.run(&["check", "missing", "--seal", "seal.json"]), 2, &[]);
}

#[test]
fn rejects_unsafe_seal_paths() {
    let site = Site::new();
    assert_exit(
        &site.run(&["check", "export", "--seal", "export/seal.json"]),
        2,
        &["cannot be inside the export"],
    );
    assert!(!site.path("export/seal.json").exists());
    write_file(site.folder.path(), "notes.txt", "mine");
    assert_exit(&site.run(&["check", "export", "--seal", "notes.txt"]), 2, &[]);
    assert_eq!(fs::read_to_string(site.path("notes.txt")).unwrap(), "mine");
    assert_exit(&site.run(&["check", "export", "--seal", "export/new/seal.json"]), 2, &[]);
    assert!(!site.path("export/new").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn does_not_seal_names_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let site = Site::new();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.txt");
    fs::write(site.path("export").join(name), "x").unwrap();
    assert_exit(&site.run(&["check", "export", "--seal", "seal.json"]), 2, &["not UTF-8"]);
    assert!(!site.path("seal.json").exists());
}

#[cfg(unix)]
#[test]
fn does_not_seal_symbolic_links() {
    let site = Site::new();
    std::os::unix::fs::symlink("robots.txt", site.path("export/link.txt")).unwrap();
    assert_exit(&site.run(&["check", "export", "--seal", "seal.json"]), 2, &["symbolic link"]);
}

#[test]
fn rejects_a_changed_byte() {
    let site = Site::new();
    site.check();
    site.write("terms/index.html", "<!doctype html><title>Terms</title><p>41%");
    site.assert_refused(1, &["changed     terms/index.html", "check --seal"]);
    assert!(site.live("index.html").is_none(), "not a byte may be sent");
}

#[test]
fn rejects_an_added_file() {
    let site = Site::new();
    site.check();
    site.write("backdoor.html", "x");
    site.assert_refused(1, &["added       backdoor.html"]);
    assert!(site.live("index.html").is_none());
}

#[test]
fn rejects_a_removed_file() {
    let site = Site::new();
    site.check();
    fs::remove_file(site.path("export/robots.txt")).unwrap();
    site.assert_refused(1, &["missing     robots.txt"]);
}

#[cfg(unix)]
#[test]
fn rejects_links_and_special_files() {
    let site = Site::new();
    site.check();
    let twin = site.path("same.txt");
    fs::rename(site.path("export/robots.txt"), &twin).unwrap();
    fs::create_dir(site.path("export/elsewhere")).unwrap();
    std::os::unix::fs::symlink(&twin, site.path("export/robots.txt")).unwrap();
    site.assert_refused(1, &["symlink     robots.txt"]);
    fs::remove_file(site.path("export/robots.txt")).unwrap();
    fs::rename(&twin, site.path("export/robots.txt")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(site.path("export/socket")).unwrap();
    site.assert_refused(1, &["special     socket"]);
}

#[test]
fn rejects_an_altered_seal() {
    let site = Site::new();
    site.check();
    let seal = fs::read_to_string(site.path("seal.json")).unwrap();
    fs::write(site.path("seal.json"), seal.replace("\"size\": 12", "\"size\": 13")).unwrap();
    site.assert_refused(2, &["altered"]);
    fs::write(site.path("seal.json"), "{}").unwrap();
    site.assert_refused(2, &["is not a seal"]);
    fs::remove_file(site.path("seal.json")).unwrap();
    site.assert_refused(2, &["seal.json"]);
}

#[test]
fn rejects_another_contract() {
    let site = Site::new();
    write_file(site.folder.path(), "sitegate.toml", "[site]\nroot = \"export\"\n");
    site.check();
    write_file(
        site.folder.path(),
        "sitegate.toml",
        "[site]\nroot = \"export\"\n[rules]\nbroken-link = \"off\"\n",
    );
    site.assert_refused(1, &["not the contract that the export was checked against"]);
    fs::remove_file(site.path("sitegate.toml")).unwrap();
    site.assert_refused(1, &["name it with --config"]);
}
