//! Tests the guards of a publish to a folder.

use std::fs;

use super::site::{Site, keys, put, text};

#[test]
fn deletes_only_what_an_earlier_publish_wrote() {
    let site = Site::new();
    site.check();
    site.published(&[]);
    put(&site.path("public"), "CNAME", "www.example.com");
    put(&site.path("public"), "terms/note.txt", "mine");
    fs::remove_dir_all(site.path("export/about")).unwrap();
    fs::remove_file(site.path("export/robots.txt")).unwrap();
    fs::remove_file(site.path("export/assets/app-B3x_9kQz.js")).unwrap();
    site.check();
    site.refused(4, &["pages of the live release would disappear", "about/index.html", "--allow-gone"]);
    assert!(site.live("robots.txt").is_some(), "a guard stops before anything is changed");
    let result = site.published(&["--allow-gone"]);
    assert_eq!(keys(&result["deleted"]), ["about/index.html", "robots.txt"]);
    assert_eq!((site.live("robots.txt"), site.live("about/index.html")), (None, None));
    assert_eq!(site.live("CNAME").as_deref(), Some("www.example.com"));
    assert_eq!(site.live("terms/note.txt").as_deref(), Some("mine"));
    assert!(site.live("assets/app-B3x_9kQz.js").is_some(), "open tabs still ask for hashed assets");
    site.published(&["--allow-gone"]);
    assert!(site.live("CNAME").is_some());
}

#[test]
fn stops_if_an_immutable_file_changes() {
    let site = Site::new();
    let headers =
        "[[headers]]\npaths = [\"/assets/**\"]\nset = { Cache-Control = \"max-age=9, immutable\" }\n";
    put(site.folder.path(), "sitegate.toml", headers);
    site.write("assets/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    site.check();
    site.published(&[]);
    site.write("assets/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"b\"/>");
    site.check();
    site.refused(4, &["assets/logo.svg", "immutable"]);
}

#[test]
fn stops_before_replacing_manual_changes() {
    let site = Site::new();
    site.check();
    site.published(&[]);
    put(&site.path("public"), "terms/index.html", "edited by hand");
    site.refused(4, &["changed  terms/index.html", "--overwrite-drift"]);
    site.published(&["--overwrite-drift"]);
    assert!(site.live("terms/index.html").unwrap().ends_with("40%"));
    fs::remove_file(site.path("public/robots.txt")).unwrap();
    site.refused(4, &["deleted  robots.txt"]);
    site.published(&["--overwrite-drift"]);
    assert!(site.live("robots.txt").is_some());
}

#[test]
fn stops_before_replacing_foreign_files() {
    let site = Site::new();
    site.check();
    put(&site.path("public"), "index.html", "somebody else's");
    site.refused(4, &["index.html", "--adopt"]);
    assert_eq!(site.live("index.html").as_deref(), Some("somebody else's"));
    assert!(site.live("robots.txt").is_none());
    site.published(&["--adopt"]);
    assert!(site.live("index.html").unwrap().contains("Home"));
}

#[test]
fn stops_before_many_deletions() {
    let site = Site::new();
    for number in 0..6 {
        site.write(&format!("notes/{number}.txt"), "x");
    }
    site.check();
    site.published(&[]);
    fs::remove_dir_all(site.path("export/notes")).unwrap();
    site.check();
    let output = site.publish(&["--max-deletes", "5"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output).contains("6 objects would be deleted"), "{}", text(&output));
    site.published(&["--max-deletes", "6"]);
    assert!(site.live("notes/0.txt").is_none());
}

#[test]
fn stops_if_a_page_disappears_with_any_extension() {
    let site = Site::new();
    site.write(
        "chapter.xhtml",
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>1</title></head><body/></html>",
    );
    site.check();
    site.published(&[]);
    fs::remove_file(site.path("export/chapter.xhtml")).unwrap();
    site.check();
    site.refused(4, &["pages of the live release would disappear", "chapter.xhtml", "--allow-gone"]);
    site.published(&["--allow-gone"]);
    assert_eq!(site.live("chapter.xhtml"), None);
}

#[test]
fn rejects_a_target_that_overlaps_the_export() {
    let site = Site::new();
    site.check();
    for target in ["export/public", "export", "."] {
        let url = format!("file://{}", site.path(target).display());
        let output = site.run(&["publish", &url, "export", "--seal", "seal.json"]);
        assert_eq!(output.status.code(), Some(2), "{target}: {}", text(&output));
        assert!(text(&output).contains("overlap"), "{}", text(&output));
    }
    assert!(!site.path("export/public").exists());
    for url in ["ftp://x/y", "file://", "s3://"] {
        let output = site.run(&["publish", url, "export", "--seal", "seal.json"]);
        assert_eq!(output.status.code(), Some(2), "{url}: {}", text(&output));
    }
}
