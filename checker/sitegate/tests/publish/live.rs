//! Tests the files that a publish to a folder writes and removes.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::site::{Site, keys, write_file};
use crate::outcome::{all_output, assert_exit};

#[test]
fn publishes_the_files_that_passed() {
    let site = Site::new();
    site.check();
    let result = site.publish_ok(&[]);
    assert_eq!(result["outcome"], "published");
    assert_eq!(result["summary"]["new"], 5);
    for path in ["index.html", "terms/index.html", "assets/app-B3x_9kQz.js", "robots.txt"] {
        assert_eq!(site.live(path), Some(fs::read_to_string(site.path("export").join(path)).unwrap()));
    }
    let again = site.publish_ok(&[]);
    assert_eq!((&again["outcome"], &again["summary"]["unchanged"]), (&"unchanged".into(), &5.into()));
    assert_eq!(again["release"], result["release"], "nothing new, so no new release");
}

#[test]
fn human_output_has_the_result_and_a_hint() {
    let site = Site::new();
    site.check();
    let output = site.publish(&[]);
    let printed = all_output(&output);
    for word in ["new            5", "index.html", "published", "sitegate serve"] {
        assert!(printed.contains(word), "`{word}` is not in:\n{printed}");
    }
    assert!(all_output(&site.publish(&[])).starts_with("unchanged"));
}

#[test]
fn dry_run_writes_nothing() {
    let site = Site::new();
    site.check();
    let result = site.publish_ok(&["--dry-run"]);
    assert_eq!((&result["outcome"], &result["summary"]["new"]), (&"planned".into(), &5.into()));
    assert!(!site.path("public").exists());
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
    site.write("terms/index.html", "<!doctype html><title>Terms</title><p>30%");
    settle();
    site.check();
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
    assert_exit(&site.on_target("rollback", &[]), 0, &[]);
    assert!(unpacks_to("second "));
    let result = site.publish_ok(&["--max-deletes", "0"]);
    assert_eq!(keys(&result["deleted"]), ["notes.txt.br", "terms/index.html.br", "terms/index.html.gz"]);
    assert!(site.live("terms/index.html").unwrap().ends_with("</title>"));
}

#[test]
fn dead_publisher_does_not_block_but_a_live_one_does() {
    let site = Site::new();
    site.check();
    site.publish_ok(&[]);
    let record = site.path("public/.sitegate/runs/0000000001.json");
    let mut run: Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    run["stage"] = "publishing".into();
    run["lease"] = 60.into();
    run["previous"] = Value::Null;
    fs::write(&record, run.to_string()).unwrap();
    site.assert_refused(
        5,
        &["another publisher is at work", "the target is free in 6", "sitegate target unlock"],
    );
    // Its switch is not interrupted.
    let refused = all_output(&site.publish(&[]));
    assert!(refused.starts_with("error: ") && !refused.contains("interrupted"), "{refused}");
    // The clock of the file system decides that its lease is over, not whether its process exists.
    let file = fs::File::options().append(true).open(&record).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(61)).unwrap();
    site.assert_refused(5, &["the target is free in 0 s"]);
    file.set_modified(SystemTime::now() - Duration::from_secs(63)).unwrap();
    let result = site.publish_ok(&[]);
    assert_eq!((&result["resumes"], &result["outcome"]), (&true.into(), &"published".into()));
}

/// The next run removes files of interrupted writes, which are never visible in the site.
#[test]
fn removes_unfinished_files() {
    let site = Site::new();
    site.check();
    site.publish_ok(&[]);
    write_file(&site.path("public"), ".sitegate/tmp/0123456789abcdef0123456789abcdef", "half");
    write_file(&site.path("public"), ".sitegate/tmp/note.txt", "theirs");
    site.write("robots.txt", "User-agent: *\nDisallow: /x\n");
    site.check();
    site.publish_ok(&[]);
    let left = fs::read_dir(site.path("public/.sitegate/tmp")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["note.txt"]);
}
