//! Tests the guards of a publish to a folder.

use std::fs;

use super::site::{Site, keys};
use crate::outcome::assert_exit;

#[test]
fn deletes_only_files_of_earlier_publishes() {
    let site = Site::new();
    let chapter = "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>1</title></head><body/></html>";
    site.write("chapter.xhtml", chapter);
    site.check();
    site.publish_ok(&[]);
    site.place("public/CNAME", "www.example.com");
    site.place("public/terms/note.txt", "mine");
    fs::remove_dir_all(site.path("export/about")).unwrap();
    for file in ["chapter.xhtml", "robots.txt", "assets/app-B3x_9kQz.js"] {
        fs::remove_file(site.path("export").join(file)).unwrap();
    }
    site.check();
    let disappear = "pages of the live release would disappear";
    let words = [disappear, "about/index.html", "chapter.xhtml", "--allow-gone"];
    site.expect("publish", &[], 4, &words);
    assert!(site.live("robots.txt").is_some(), "a guard stops before anything is changed");
    let result = site.publish_ok(&["--allow-gone"]);
    assert_eq!(keys(&result["deleted"]), ["about/index.html", "chapter.xhtml", "robots.txt"]);
    assert_eq!((site.live("robots.txt"), site.live("about/index.html")), (None, None));
    assert_eq!(site.live("CNAME").as_deref(), Some("www.example.com"));
    assert_eq!(site.live("terms/note.txt").as_deref(), Some("mine"));
    assert!(site.live("assets/app-B3x_9kQz.js").is_some(), "open tabs still ask for hashed assets");
    site.publish_ok(&["--allow-gone"]);
    assert!(site.live("CNAME").is_some());
}

#[test]
fn guard_stops_a_changed_immutable_file() {
    let site = Site::new();
    let headers =
        "[[headers]]\npaths = [\"/assets/**\"]\nset = { Cache-Control = \"max-age=9, immutable\" }\n";
    site.place("sitegate.toml", headers);
    site.write("assets/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    site.check();
    site.publish_ok(&[]);
    site.write("assets/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"b\"/>");
    site.check();
    site.expect("publish", &[], 4, &["assets/logo.svg", "immutable"]);
}

#[test]
fn guard_stops_replacing_files_changed_by_hand() {
    let site = Site::published();
    site.place("public/terms/index.html", "edited by hand");
    site.expect("publish", &[], 4, &["changed  terms/index.html", "--overwrite-drift"]);
    site.publish_ok(&["--overwrite-drift"]);
    assert!(site.live("terms/index.html").unwrap().ends_with("40%"));
    fs::remove_file(site.path("public/robots.txt")).unwrap();
    site.expect("publish", &[], 4, &["deleted  robots.txt"]);
    site.publish_ok(&["--overwrite-drift"]);
    assert!(site.live("robots.txt").is_some());
}

#[test]
fn guard_stops_replacing_foreign_files() {
    let site = Site::new();
    site.check();
    site.place("public/index.html", "somebody else's");
    site.expect("publish", &[], 4, &["index.html", "--adopt"]);
    assert_eq!(site.live("index.html").as_deref(), Some("somebody else's"));
    assert!(site.live("robots.txt").is_none());
    site.publish_ok(&["--adopt"]);
    assert!(site.live("index.html").unwrap().contains("Home"));
}

#[test]
fn guard_stops_many_deletions() {
    let site = Site::new();
    for number in 0..6 {
        site.write(&format!("notes/{number}.txt"), "x");
    }
    site.check();
    site.publish_ok(&[]);
    fs::remove_dir_all(site.path("export/notes")).unwrap();
    site.check();
    site.expect("publish", &["--max-deletes", "5"], 4, &["6 objects would be deleted"]);
    site.publish_ok(&["--max-deletes", "6"]);
    assert!(site.live("notes/0.txt").is_none());
}

#[test]
fn rejects_nested_source_and_target() {
    let site = Site::new();
    site.check();
    for target in ["export/public", "export", "."] {
        let url = format!("file://{}", site.path(target).display());
        assert_exit(&site.run(&["publish", &url, "export", "--seal", "seal.json"]), 2, &["overlap"]);
    }
    assert!(!site.path("export/public").exists());
    for url in ["ftp://x/y", "file://", "s3://"] {
        assert_exit(&site.run(&["publish", url, "export", "--seal", "seal.json"]), 2, &[]);
    }
}

/// Both releases have the file, so the target has no other copy of it.
#[test]
fn a_rollback_names_edits_by_hand_and_how_to_undo_them() {
    let site = Site::published();
    site.edit_terms("30%");
    site.publish_ok(&[]);
    site.place("public/about/index.html", "edited by hand");
    let words = ["changed  about/index.html", "shares with the live release", "publish --overwrite-drift"];
    site.expect("rollback", &[], 4, &words);
    site.expect("status", &[], 0, &["incomplete", "`sitegate rollback --to` names them"]);
    // The message is true.
    site.publish_ok(&["--overwrite-drift"]);
    assert!(!site.expect("status", &[], 0, &[]).contains("incomplete"));
    // An edit of a file that differs has a backup, and is replaced.
    site.place("public/terms/index.html", "edited by hand");
    let warning =
        "someone changed the target by hand, and the rollback replaces that: changed terms/index.html";
    site.expect("rollback", &[], 0, &[warning]);
    assert!(site.live("terms/index.html").unwrap().ends_with("40%"));
}

/// Servers send `index.html.gz` instead of `index.html`.
#[test]
fn guard_stops_next_to_precompressed_files_of_others() {
    let site = Site::new();
    let page =
        format!("<!doctype html><title>Home</title><a href=\"/terms/\">Terms</a>{}", " ".repeat(2_000));
    site.write("index.html", &page);
    site.check();
    site.place("public/index.html", "somebody else's");
    site.place("public/index.html.gz", "somebody else's");
    site.place("public/robots.txt.br", "somebody else's");
    for more in [&["--adopt"][..], &["--adopt", "--dry-run"]] {
        let words = ["index.html.gz", "robots.txt.br", "delete them", "--precompress and --adopt"];
        site.expect("publish", more, 4, &words);
    }
    assert_eq!(site.live("index.html").as_deref(), Some("somebody else's"));
    fs::remove_file(site.path("public/robots.txt.br")).unwrap();
    site.publish_ok(&["--adopt", "--precompress"]);
    assert_ne!(site.live("index.html.gz").as_deref(), Some("somebody else's"));
    // Someone who compresses the live files is not in the way, until the file changes.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, b"User-agent: *\n").unwrap();
    fs::write(site.path("public/robots.txt.gz"), packed.finish().unwrap()).unwrap();
    site.edit_terms("30%");
    site.publish_ok(&["--precompress"]);
    site.write("robots.txt", "User-agent: a\n");
    site.check();
    site.expect("publish", &[], 4, &["robots.txt.gz", "servers may serve these files instead"]);
    // An unchanged release, too, says that it is not what visitors get.
    site.write("robots.txt", "User-agent: *\n");
    site.check();
    fs::write(site.path("public/robots.txt.gz"), "garbled").unwrap();
    site.expect("publish", &["--precompress"], 0, &["unchanged", "robots.txt.gz; delete"]);
}

#[test]
fn a_file_in_place_of_the_target_state_is_named() {
    let site = Site::new();
    site.check();
    site.place("public/.sitegate", "a file");
    for command in ["status", "publish", "rollback", "gc", "unlock", "repair"] {
        let more: &[&str] = if command == "repair" { &["--apply"] } else { &[] };
        let words = [".sitegate is a file, not a folder", "delete it, or move it out of the target"];
        site.expect(command, more, 4, &words);
    }
    fs::remove_file(site.path("public/.sitegate")).unwrap();
    site.publish_ok(&[]);
}

#[test]
fn commands_in_messages_can_be_pasted() {
    let site = Site::new();
    site.check();
    let folder = site.path("my site").display().to_string();
    let target = format!("file://{folder}");
    let preview = format!("preview it with: sitegate serve '{folder}'");
    assert_exit(&site.run(&["publish", &target, "export", "--seal", "seal.json"]), 0, &[&preview]);
    site.place("my site/.sitegate/runs/0000000001.json", "damaged");
    let repair = format!("`sitegate target repair '{target}'`");
    assert_exit(&site.run(&["target", "status", &target]), 2, &[&repair]);
}
