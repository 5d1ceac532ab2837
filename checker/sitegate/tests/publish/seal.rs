//! Tests seals, and exports that no longer match their seal.

use std::fs;

use serde_json::Value;

use super::site::Site;
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
    site.place("notes.txt", "mine");
    let inside = "cannot be inside the export";
    for (path, word) in
        [("export/seal.json", inside), ("export/new/seal.json", "there is no folder"), ("notes.txt", "")]
    {
        assert_exit(&site.run(&["check", "export", "--seal", path]), 2, &[word]);
    }
    assert!(!site.path("export/seal.json").exists() && !site.path("export/new").exists());
    assert_eq!(fs::read_to_string(site.path("notes.txt")).unwrap(), "mine");
}

#[cfg(unix)]
#[test]
fn does_not_seal_links_and_names_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let names: &[(&[u8], &str)] = &[
        (b"link.txt", "symbolic link"),
        #[cfg(target_os = "linux")]
        (b"caf\xe9.txt", "not UTF-8"),
    ];
    for (name, word) in names {
        let site = Site::new();
        let file = site.path("export").join(std::ffi::OsStr::from_bytes(name));
        match *word {
            "symbolic link" => std::os::unix::fs::symlink("robots.txt", file).unwrap(),
            _ => fs::write(file, "x").unwrap(),
        }
        assert_exit(&site.run(&["check", "export", "--seal", "seal.json"]), 2, &[word]);
        assert!(!site.path("seal.json").exists());
    }
}

/// A change of an export, and what the message says about it.
type Change = (fn(&Site), &'static str);

#[test]
fn rejects_an_export_that_changed_after_its_check() {
    let changes: &[Change] = &[
        (
            |site| site.write("terms/index.html", "<!doctype html><title>Terms</title><p>41%"),
            "changed     terms/index.html",
        ),
        (|site| site.write("backdoor.html", "x"), "added       backdoor.html"),
        (|site| fs::remove_file(site.path("export/robots.txt")).unwrap(), "missing     robots.txt"),
        #[cfg(unix)]
        (
            |site| {
                let [file, twin] = ["export/robots.txt", "same.txt"].map(|path| site.path(path));
                fs::rename(&file, &twin).unwrap();
                std::os::unix::fs::symlink(twin, file).unwrap();
            },
            "symlink     robots.txt",
        ),
        #[cfg(unix)]
        (
            |site| drop(std::os::unix::net::UnixListener::bind(site.path("export/socket")).unwrap()),
            "special     socket",
        ),
    ];
    for (change, word) in changes {
        let site = Site::new();
        site.check();
        change(&site);
        site.expect("publish", &[], 1, &[word, "check --seal"]);
        assert!(!site.path("public/index.html").exists(), "not a byte may be sent: {word}");
    }
}

#[test]
fn rejects_an_altered_seal() {
    let site = Site::new();
    site.check();
    let seal = fs::read_to_string(site.path("seal.json")).unwrap();
    fs::write(site.path("seal.json"), seal.replace("\"size\": 12", "\"size\": 13")).unwrap();
    site.expect("publish", &[], 2, &["altered"]);
    fs::write(site.path("seal.json"), "{}").unwrap();
    site.expect("publish", &[], 2, &["is not a seal"]);
    fs::remove_file(site.path("seal.json")).unwrap();
    site.expect("publish", &[], 2, &["seal.json"]);
}

#[test]
fn rejects_another_contract() {
    let site = Site::new();
    site.place("sitegate.toml", "[site]\nroot = \"export\"\n");
    site.check();
    site.place("sitegate.toml", "[site]\nroot = \"export\"\n[rules]\nbroken-link = \"off\"\n");
    site.expect("publish", &[], 1, &["not the contract that the export was checked against"]);
    fs::remove_file(site.path("sitegate.toml")).unwrap();
    site.expect("publish", &[], 1, &["name it with --config"]);
}
