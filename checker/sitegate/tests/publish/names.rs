//! Tests file names: files that become folders, odd names, and names that cannot be published.

use std::fs;
use std::path::Path;

use sitegate_check::{SealedFile, tree_digest};

use super::site::{Site, edit_json};
use crate::outcome::assert_exit;

/// Returns all files of a published folder, without the target state.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        let mut entries = fs::read_dir(&next).unwrap().map(|entry| entry.unwrap().path()).peekable();
        assert!(entries.peek().is_some(), "{} is empty", next.display());
        for path in entries.filter(|path| !path.ends_with(".sitegate")) {
            if path.is_dir() {
                folders.push(path)
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned())
            }
        }
    }
    found.sort();
    found
}

#[test]
fn files_and_folders_can_replace_each_other() {
    let site = Site::new();
    site.write("notes", "a file");
    site.write("guide/index.html", "<!doctype html><title>Guide</title>");
    site.write("guide/deep/app-B3x_9kQz.js", "let guide = 1;");
    site.check();
    site.publish_ok(&[]);
    let before = files(&site.path("public"));

    fs::remove_file(site.path("export/notes")).unwrap();
    fs::remove_dir_all(site.path("export/guide")).unwrap();
    site.write(
        "notes/index.html",
        "<!doctype html><title>Notes</title><script src=\"/notes/app-C4y_8lRa.js\"></script>",
    );
    site.write("notes/app-C4y_8lRa.js", "let notes = 1;");
    site.write("guide", "a file now");
    // A redirect from a former file.
    site.write("robots.txt", "User-agent: *\n");
    site.place(
        "sitegate.toml",
        "[site]\nroot = \"export\"\n[[redirects]]\nfrom = \"/robots.txt\"\nto = \"/\"\n",
    );
    fs::remove_file(site.path("export/robots.txt")).unwrap();
    site.check();
    site.publish_ok(&["--allow-gone"]);
    assert_eq!(site.live("guide").as_deref(), Some("a file now"));
    let after = files(&site.path("public"));
    for key in ["notes/app-C4y_8lRa.js", "notes/index.html", "robots.txt/index.html"] {
        assert!(after.iter().any(|file| file == key), "{key}: {after:?}");
    }
    assert_eq!(site.publish_ok(&[])["outcome"], "unchanged");

    site.expect("rollback", &[], 0, &[]);
    assert_eq!(files(&site.path("public")), before);
    assert_eq!(site.live("guide/deep/app-B3x_9kQz.js").as_deref(), Some("let guide = 1;"));
}

#[test]
fn keeps_foreign_files_in_the_way() {
    let site = Site::published();
    site.place("public/blog", "somebody's file");
    site.place("public/guide/theirs.txt", "somebody's file");
    site.write("blog/index.html", "<!doctype html><title>Blog</title>");
    site.write("guide", "a file");
    site.check();
    for more in [&[][..], &["--adopt"]] {
        let words = ["  blog\n", "  guide/theirs.txt\n", "sitegate did not write them"];
        site.expect("publish", more, 4, &words);
    }
    assert_eq!(site.live("blog").as_deref(), Some("somebody's file"));
    assert_eq!(site.live("guide/theirs.txt").as_deref(), Some("somebody's file"));
}

/// Publishing a published folder or a manipulated export must not overwrite the target state.
#[cfg(unix)]
#[test]
fn check_seal_and_publish_reject_unpublishable_names() {
    let site = Site::published();
    let published = site.run(&["check", "public", "--seal", "other.json"]);
    assert_exit(&published, 1, &["not a copy of a published one"]);
    let forged = "{\"number\": 9}";
    site.write(".sitegate/runs/0000000009.json", forged);
    site.write("del\u{7f}.txt", "x");
    let printed = assert_exit(&site.run(&["check", "export"]), 1, &["U+007F"]);
    assert_eq!(printed.matches("error[unpublishable-name]").count(), 2, "{printed}");
    assert!(!printed.contains('\u{7f}'), "{printed:?}");
    // Even if the rule is off, nothing is sealed.
    site.place("sitegate.toml", "[rules]\nunpublishable-name = \"off\"\n");
    assert_exit(
        &site.run(&["check", "export", "--seal", "seal.json"]),
        2,
        &["cannot seal", ".sitegate/runs/0000000009.json", "U+007F", "del\\u{7f}.txt"],
    );
    // A forged seal with these names is rejected, too.
    fs::remove_file(site.path("sitegate.toml")).unwrap();
    fs::remove_dir_all(site.path("export/.sitegate")).unwrap();
    fs::remove_file(site.path("export/del\u{7f}.txt")).unwrap();
    site.write("zzz", "x");
    site.write("sitegate-runs.json", forged);
    site.check();
    edit_json(&site.path("seal.json"), |seal| {
        for file in seal["files"].as_array_mut().unwrap() {
            match file["path"].as_str().unwrap() {
                "sitegate-runs.json" => file["path"] = ".sitegate/runs/0000000009.json".into(),
                "zzz" => file["path"] = "z\u{1}".into(),
                _ => {}
            }
        }
        seal["files"].as_array_mut().unwrap().sort_by_key(|file| file["path"].as_str().unwrap().to_owned());
        let files: Vec<SealedFile> = serde_json::from_value(seal["files"].clone()).unwrap();
        seal["tree"] = tree_digest(&files).into();
    });
    fs::rename(site.path("export/zzz"), site.path("export/z\u{1}")).unwrap();
    fs::create_dir_all(site.path("export/.sitegate/runs")).unwrap();
    let record = "export/.sitegate/runs/0000000009.json";
    fs::rename(site.path("export/sitegate-runs.json"), site.path(record)).unwrap();
    let words = ["cannot store these", ".sitegate/runs/0000000009.json", "z\\u{1}", "nothing was published"];
    site.expect("publish", &[], 2, &words);
    assert_eq!(site.live("z\u{1}"), None);
    assert_eq!(site.live(".sitegate/runs/0000000009.json"), None);
}

#[test]
fn publishes_odd_names_unchanged() {
    let site = Site::new();
    let names = ["page.html#1", "a#12", "note#1.txt", "b/%2e%2e%2fc.txt", "a b/\u{e4}.txt"];
    for name in names {
        site.write(name, name);
    }
    site.check();
    site.publish_ok(&[]);
    assert_eq!(site.publish_ok(&[])["outcome"], "unchanged");
    for name in names {
        assert_eq!(site.live(name).as_deref(), Some(name));
    }
}

#[test]
fn rejects_a_redirect_below_a_file() {
    let site = Site::new();
    site.place("sitegate.toml", "[[redirects]]\nfrom = \"/robots.txt/old\"\nto = \"/\"\n");
    site.check();
    site.expect("publish", &[], 2, &["robots.txt/old/index.html", "`robots.txt` is a file"]);
    assert!(site.live("index.html").is_none());
}
