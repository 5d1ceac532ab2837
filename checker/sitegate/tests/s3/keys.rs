//! Tests odd keys: foreign keys of any form are left unchanged, and keys that a store cannot hold are never sent.

use super::server::{Objects, Server, Settings};
use super::site::{Site, expect_without_files, is_version, status};
use crate::outcome::assert_exit;

/// Keys that are valid in stores, but that path libraries reject or change.
const ODD: [&str; 14] = [
    "logs//2026/x.gz",
    "//",
    "/leading",
    "a/./b",
    "a/../b",
    "terms/",
    "blog/",
    "control\u{1}\u{7f}",
    " space.html ",
    "line\nbreak",
    "a&b<c>\"d\"",
    "a%2Fb",
    ".sitegate/runs//0000000009.json",
    ".sitegate/runs/9.json",
];

#[test]
fn odd_foreign_keys_do_not_block_a_publish() {
    for google in [false, true] {
        let (site, server) =
            (Site::new(), Server::in_memory(Settings { page: 4, google, ..Settings::default() }));
        let long = "k".repeat(1024);
        for key in ODD.into_iter().chain([long.as_str()]) {
            server.change(key, "not ours");
        }
        let plan = site.expect(&server, "publish", &["--dry-run"], 0, &[]);
        assert_eq!(plan.matches("new").count(), 1, "{plan}");
        site.published(&server, &[]);
        is_version(&server.objects(), "one").unwrap();
        assert_eq!(site.published(&server, &[])["outcome"], "unchanged");
        site.version("two");
        site.published(&server, &[]);
        for command in ["status", "gc", "unlock", "rollback"] {
            expect_without_files(&server, command, &[], 0, &[]);
        }
        is_version(&server.objects(), "one").unwrap();
        assert_eq!(status(&server)["releases"].as_array().unwrap().len(), 2);
        let objects = server.objects();
        for key in ODD.into_iter().chain([long.as_str()]) {
            assert_eq!(objects[key].body, b"not ours", "{key:?}");
        }
    }
}

/// Names with spaces at the ends of segments, but not at the ends of the key.
const SPACED: [&str; 5] =
    ["docs/ first.txt", "docs /last.txt", "in / between / x.txt", "a  b.txt", "~ +%20&= .txt"];

/// Names with spaces at the ends of the key, without a prefix. The last one is a page with two keys.
const BARE: [&str; 3] = [" first.txt", " folder/x.txt", "twin /index.html"];

fn bodies(objects: &Objects, prefix: &str, names: &[&str]) -> Vec<Option<String>> {
    let body = |name: &&str| {
        Some(String::from_utf8_lossy(&objects.get(&format!("{prefix}{name}"))?.body).into_owned())
    };
    names.iter().map(body).collect()
}

#[test]
fn rejects_keys_with_outer_spaces_in_one_message() {
    let (site, server) = (Site::new(), Server::in_memory(Settings { page: 3, ..Settings::default() }));
    for name in SPACED.into_iter().chain(BARE) {
        site.write(name, if name.ends_with(".html") { "<!doctype html><title>twin</title>" } else { name });
    }
    site.seal();
    let printed = site.expect(&server, "publish", &[], 2, &[]);
    assert_eq!(printed.matches("cannot begin or end with a space").count(), 3, "{printed}");
    for name in [" first.txt", " folder/x.txt", "twin "] {
        assert!(printed.contains(&format!("\n  {name}  ")), "{name:?}: {printed}");
    }
    assert!(server.objects().is_empty());
    assert!(server.log().iter().all(|line| line.starts_with("GET ")), "{:?}", server.log());
    for (prefix, before) in [("", ""), ("/deep/er", "deep/er/"), ("/an other", "an other/")] {
        let leading: &[&str] = if prefix.is_empty() { &[] } else { &[" first.txt", " folder/x.txt"] };
        let all = [&SPACED, leading].concat();
        site.version("one");
        for name in &all {
            site.write(name, name);
        }
        site.seal();
        let run = |command: &str| {
            assert_exit(&site.on_prefix(&server, prefix, command, &[]).output().unwrap(), 0, &[])
        };
        run("publish");
        let there: Vec<Option<String>> = all.iter().map(|name| Some((*name).to_owned())).collect();
        assert_eq!(bodies(&server.objects(), before, &all), there);
        assert!(run("publish").starts_with("unchanged"));
        site.version("two");
        run("publish");
        assert_eq!(bodies(&server.objects(), before, &all), vec![None; all.len()], "{prefix}");
        run("rollback");
        assert_eq!(bodies(&server.objects(), before, &all), there);
    }
}
