//! Tests the files that a publish to a folder writes and removes.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::site::{Site, edit_json, keys, set_age};

#[test]
fn publishes_the_files_that_passed() {
    let site = Site::new();
    site.check();
    let planned = site.publish_ok(&["--dry-run"]);
    assert_eq!((&planned["outcome"], &planned["summary"]["new"]), (&"planned".into(), &5.into()));
    assert!(!site.path("public").exists());
    site.expect("publish", &[], 0, &["new            5", "index.html", "published", "sitegate serve"]);
    for path in ["index.html", "terms/index.html", "assets/app-B3x_9kQz.js", "robots.txt"] {
        assert_eq!(site.live(path), Some(fs::read_to_string(site.path("export").join(path)).unwrap()));
    }
    assert!(site.expect("publish", &[], 0, &[]).starts_with("unchanged"));
    let again = site.publish_ok(&[]);
    assert_eq!((&again["outcome"], &again["summary"]["unchanged"]), (&"unchanged".into(), &5.into()));
    let name = format!("{}.json", again["release"].as_str().unwrap());
    assert!(site.last_in("releases").ends_with(name) && site.count_in("releases") == 1, "no new release");
}

/// A tree whose files all have the same time, as in reproducible builds, and an edit that keeps the size. A comparison of
/// times and sizes would miss the edit.
#[test]
fn publishes_an_edit_with_the_same_size_and_time() {
    let site = Site::new();
    let settle = || {
        for path in ["index.html", "terms/index.html", "assets/app-B3x_9kQz.js", "robots.txt"] {
            let file = fs::File::options().write(true).open(site.path("export").join(path)).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1)).unwrap();
        }
    };
    settle();
    site.check();
    site.publish_ok(&[]);
    site.edit_terms("30%");
    settle();
    let result = site.publish_ok(&[]);
    assert_eq!(keys(&result["changed"]), ["terms/index.html"]);
    assert_eq!(result["summary"]["unchanged"], 4);
    assert!(site.live("terms/index.html").unwrap().ends_with("30%"));
}

fn decompress(path: &Path) -> String {
    let packed = fs::read(path).unwrap();
    let mut text = String::new();
    match path.extension().unwrap().to_str() {
        Some("gz") => flate2::read::GzDecoder::new(&*packed).read_to_string(&mut text).unwrap(),
        _ => brotli::Decompressor::new(&*packed, 4096).read_to_string(&mut text).unwrap(),
    };
    text
}

#[test]
fn compressed_variants_follow_their_files() {
    let site = Site::new();
    let page = |word: &str| format!("<!doctype html><title>Terms</title><p>{}", word.repeat(300));
    let forms = ["terms/index.html.br", "terms/index.html.gz"];
    let unpacks_to =
        |word: &str| forms.iter().all(|form| decompress(&site.path("public").join(form)) == page(word));
    site.write("terms/index.html", &page("first "));
    site.write("notes.txt", &"a note ".repeat(300));
    site.write("notes.txt.gz", "the export's own");
    site.check();
    let planned = site.publish_ok(&["--precompress", "--dry-run"]);
    assert_eq!(planned["summary"]["new"], 10);
    let result = site.publish_ok(&["--precompress"]);
    let made: Vec<&str> = keys(&result["new"]).into_iter().filter(|key| key.ends_with(".br")).collect();
    assert_eq!(made, ["notes.txt.br", "terms/index.html.br"]);
    assert!(unpacks_to("first "));
    assert_eq!(site.live("notes.txt.gz").as_deref(), Some("the export's own"));
    assert_eq!(site.live("index.html.gz"), None, "too short to be worth it");
    let bytes = fs::read(site.path("public").join(forms[1])).unwrap();
    assert_eq!(bytes[4..8], [0; 4], "no time in it");
    assert_eq!(site.publish_ok(&["--precompress"])["outcome"], "unchanged");

    site.write("terms/index.html", &page("second "));
    site.check();
    site.publish_ok(&["--precompress"]);
    assert!(unpacks_to("second "));
    // A file that is now too short to compress must not keep its old compressed variant.
    site.write("terms/index.html", "<!doctype html><title>Terms</title>");
    site.check();
    let result = site.publish_ok(&["--precompress"]);
    assert_eq!(keys(&result["deleted"]), forms);
    assert_eq!(forms.map(|form| site.live(form)), [None, None]);
    site.expect("rollback", &[], 0, &[]);
    assert!(unpacks_to("second "));
    let result = site.publish_ok(&["--max-deletes", "0"]);
    assert_eq!(keys(&result["deleted"]), ["notes.txt.br", "terms/index.html.br", "terms/index.html.gz"]);
    assert!(site.live("terms/index.html").unwrap().ends_with("</title>"));
}

#[test]
fn dead_publisher_does_not_block_but_a_live_one_does() {
    let site = Site::published();
    let record = site.state_file("runs/0000000001.json");
    edit_json(&record, |run| {
        run["stage"] = "publishing".into();
        run["lease"] = 60.into();
        run["previous"] = Value::Null;
    });
    let words = ["another publisher is at work", "the target is free in 6", "sitegate target unlock"];
    let refused = site.expect("publish", &[], 5, &words);
    // Its switch is not interrupted.
    assert!(refused.starts_with("error: ") && !refused.contains("interrupted"), "{refused}");
    // The clock of the file system decides that its lease is over, not whether its process exists.
    set_age(&record, 61);
    site.expect("publish", &[], 5, &["the target is free in 0 s"]);
    set_age(&record, 63);
    let result = site.publish_ok(&[]);
    assert_eq!((&result["resumes"], &result["outcome"]), (&true.into(), &"published".into()));
}
