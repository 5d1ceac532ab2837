//! Tests unusual keys: foreign ones are left alone, and keys that a store cannot hold are not sent.

use super::releases::{away, status};
use super::server::{BUCKET, Objects, Server, Settings};
use super::site::{Site, is_version, said};

/// Keys that stores hold, and that path libraries reject, truncate or confuse.
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
fn ignores_unusual_foreign_keys() {
    for google in [false, true] {
        let (site, server) =
            (Site::new(), Server::in_memory(Settings { page: 4, google, ..Settings::default() }));
        let long = "k".repeat(1024);
        for key in ODD.into_iter().chain([long.as_str()]) {
            server.change(key, "not ours");
        }
        assert_eq!(
            said(&site.on(&server, "publish", &["--dry-run"]).output().unwrap()).matches("new").count(),
            1
        );
        site.published(&server, &[]);
        is_version(&server.objects(), "one").unwrap();
        assert_eq!(site.published(&server, &[])["outcome"], "unchanged");
        site.version("two");
        site.published(&server, &[]);
        for command in ["status", "gc", "unlock", "rollback"] {
            let output = away(&server, command, &[]);
            assert_eq!(output.status.code(), Some(0), "{command}: {}", said(&output));
        }
        is_version(&server.objects(), "one").unwrap();
        assert_eq!(status(&server)["releases"].as_array().unwrap().len(), 2);
        let objects = server.objects();
        for key in ODD.into_iter().chain([long.as_str()]) {
            assert_eq!(objects[key].body, b"not ours", "{key:?}");
        }
    }
}

/// Names with spaces around their segments, but not around the key.
const SPACED: [&str; 5] =
    ["docs/ first.txt", "docs /last.txt", "in / between / x.txt", "a  b.txt", "~ +%20&= .txt"];

/// Names with spaces around the key, without a prefix. The last one belongs to a page with two keys.
const BARE: [&str; 3] = [" first.txt", " folder/x.txt", "twin /index.html"];

fn on(site: &Site, server: &Server, command: &str, prefix: &str, more: &[&str]) -> std::process::Output {
    let (url, target) = (server.url(), format!("s3://{BUCKET}/{prefix}"));
    let sealed: &[&str] = if command == "publish" { &["export", "--seal", "seal.json"] } else { &[] };
    let args = [&[command, target.as_str()], sealed, &["--endpoint", &url], more].concat();
    site.command(&args).output().unwrap()
}

fn bodies(objects: &Objects, prefix: &str, names: &[&str]) -> Vec<Option<String>> {
    let body = |name: &&str| {
        Some(String::from_utf8_lossy(&objects.get(&format!("{prefix}{name}"))?.body).into_owned())
    };
    names.iter().map(body).collect()
}

#[test]
fn rejects_keys_with_surrounding_spaces_only() {
    let (site, server) = (Site::new(), Server::in_memory(Settings { page: 3, ..Settings::default() }));
    for name in SPACED.into_iter().chain(BARE) {
        site.write(name, if name.ends_with(".html") { "<!doctype html><title>twin</title>" } else { name });
    }
    site.seal();
    let output = on(&site, &server, "publish", "", &[]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(said(&output).matches("cannot begin or end with a space").count(), 3, "{}", said(&output));
    for name in [" first.txt", " folder/x.txt", "twin "] {
        assert!(said(&output).contains(&format!("\n  {name}  ")), "{name:?}: {}", said(&output));
    }
    assert!(server.objects().is_empty());
    assert!(server.log().iter().all(|line| line.starts_with("GET ")), "{:?}", server.log());
    for (prefix, before) in [("", ""), ("deep/er", "deep/er/"), ("an other", "an other/")] {
        let leading: &[&str] = if prefix.is_empty() { &[] } else { &[" first.txt", " folder/x.txt"] };
        let _ = std::fs::remove_dir_all(site.path("export"));
        site.version("one");
        for name in SPACED.iter().chain(leading) {
            site.write(name, name);
        }
        site.seal();
        let output = on(&site, &server, "publish", prefix, &["--format", "json"]);
        assert_eq!(output.status.code(), Some(0), "{prefix}: {}", said(&output));
        let all: Vec<&str> = SPACED.iter().chain(leading).copied().collect();
        let there: Vec<Option<String>> = all.iter().map(|name| Some((*name).to_owned())).collect();
        assert_eq!(bodies(&server.objects(), before, &all), there);
        let output = on(&site, &server, "publish", prefix, &[]);
        assert!(said(&output).starts_with("unchanged"), "{prefix}: {}", said(&output));
        site.version("two");
        let output = on(&site, &server, "publish", prefix, &[]);
        assert_eq!(output.status.code(), Some(0), "{prefix}: {}", said(&output));
        assert_eq!(bodies(&server.objects(), before, &all), vec![None; all.len()], "{prefix}");
        let output = on(&site, &server, "rollback", prefix, &[]);
        assert_eq!(output.status.code(), Some(0), "{prefix}: {}", said(&output));
        assert_eq!(bodies(&server.objects(), before, &all), there);
    }
}
