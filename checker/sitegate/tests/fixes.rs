//! Tests `check --fix`: which edits are made, where, and what remains.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tempfile::TempDir;

use crate::folders::{folder, git, sitegate, stdout, write};

const CONTRACT: &str = "[source]\ninclude = [\"docs/**\"]\n";

fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title>\
         <meta name=description content=\"About {title}\"></head><body>{body}</body></html>"
    )
}

/// A built site in a repository. Its generator writes the links that it cannot resolve as they are.
fn site() -> TempDir {
    let index = "\u{feff}# Home\r\n\r\n[a](guide/setpu.md#install), [b](Guide/intro.md), [c](htps://www.w3.org/TR/),\r\n\
                 [d](guide/setup.md?x=1&amp;y#instal), [e](/old/#sec), [f](guide/gone.md),\r\n[g](guide\\setup.md)";
    let home = "<p><a href=\"guide/setpu.md#install\">a</a> <a href=\"Guide/intro.md\">b</a> \
                <a href=\"htps://www.w3.org/TR/\">c</a> <a href=\"guide/setup/?x=1&amp;y#instal\">d</a> \
                <a href=\"/old/#sec\">e</a> <a href=\"guide/gone.md\">f</a> <a href=\"guide%5Csetup.md\">g</a></p>";
    let site = folder(&[
        ("sitegate.toml", CONTRACT),
        (".gitignore", "site\n"),
        ("docs/index.md", index),
        ("docs/guide/setup.md", "# Setup\n\n## Install\n\n[home](../../index.md)\n"),
        ("docs/guide/intro.md", "# Intro\n"),
        ("site/index.html", &page("Home", home)),
        (
            "site/guide/setup/index.html",
            &page("Setup", "<h2 id=install>Install</h2><a href=\"../../index.md\">home</a>"),
        ),
        ("site/guide/intro/index.html", &page("Intro", "<h2 id=sec>Sec</h2>")),
        ("site/_redirects", "/old/ /guide/intro/ 301\n"),
    ]);
    commit(&site);
    site
}

fn commit(site: &TempDir) {
    git(site.path(), &["init", "--quiet", "--initial-branch=main"]);
    git(site.path(), &["add", "."]);
    git(site.path(), &["commit", "--quiet", "--message=start"]);
}

/// Marks the site as built after the last change of its sources.
fn build(site: &TempDir) {
    let later = SystemTime::now() + Duration::from_secs(10);
    File::options()
        .write(true)
        .open(site.path().join("site/index.html"))
        .unwrap()
        .set_modified(later)
        .unwrap();
}

fn read(site: &TempDir, name: &str) -> String {
    fs::read_to_string(site.path().join(name)).unwrap()
}

/// Returns the URL of each finding about a reference, with the certainty of its fix and the new text.
fn fixes(folder: &Path) -> Vec<[String; 3]> {
    let report = stdout(&sitegate(folder, &["check", "site", "--format=json"]));
    let report: Value = serde_json::from_str(&report).unwrap();
    let findings = report["findings"].as_array().unwrap().iter().filter(|finding| finding["url"].is_string());
    let fix = |finding: &Value| {
        [&finding["url"], &finding["fix"]["certainty"], &finding["fix"]["edits"][0]["new"]]
            .map(|value| value.as_str().unwrap_or_default().to_owned())
    };
    findings.map(fix).collect()
}

const FIXED: &str = "\u{feff}# Home\r\n\r\n[a](guide/setup.md#install), [b](guide/intro.md), \
                     [c](https://www.w3.org/TR/),\r\n[d](guide/setup.md?x=1&amp;y#install), [e](/guide/intro/#sec), \
                     [f](guide/gone.md),\r\n[g](guide/setup.md)";

#[test]
fn certain_fixes_keep_the_manner_of_the_source() {
    let site = site();
    let output = sitegate(site.path(), &["check", "site", "--fix"]);
    assert_eq!(read(&site, "docs/index.md"), FIXED);
    assert_eq!(read(&site, "docs/guide/setup.md"), "# Setup\n\n## Install\n\n[home](../index.md)\n");
    let text = stdout(&output);
    assert!(text.contains("\n+[a](guide/setup.md#install)"), "{text}");
    assert!(text.contains("fixed  7 findings by 7 edits in 2 files; build the site"), "{text}");
    assert!(text.contains("error[broken-link]: `guide/gone.md` does not exist"), "{text}");
    assert_eq!(text.matches("\nerror[").count(), 1, "only the unknown target remains: {text}");
    assert_eq!(output.status.code(), Some(1));
    // The export still has the faults, but the sources do not.
    let output = sitegate(site.path(), &["check", "site", "--fix", "--allow-dirty"]);
    assert!(stdout(&output).contains("no fix was applied"), "{}", stdout(&output));
    assert_eq!(read(&site, "docs/index.md"), FIXED);
}

#[test]
fn sources_that_are_newer_than_the_export_are_not_edited() {
    let site = site();
    build(&site);
    let newer = SystemTime::now() + Duration::from_mins(1);
    File::options().write(true).open(site.path().join("docs/index.md")).unwrap().set_modified(newer).unwrap();
    let output = sitegate(site.path(), &["check", "site", "--fix"]);
    let reason = "docs/index.md: has changed since the site was built; build it again first";
    assert!(stdout(&output).contains(reason), "{}", stdout(&output));
    assert!(read(&site, "docs/index.md").contains("setpu"));
}

#[test]
fn what_remains_decides_the_exit_code() {
    let site = site();
    let home = read(&site, "site/index.html").replace("<a href=\"guide/gone.md\">f</a>", "");
    write(site.path(), "site/index.html", &home);
    let output = sitegate(site.path(), &["check", "site", "--fix", "--report=json=report.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let report: Value = serde_json::from_str(&read(&site, "report.json")).unwrap();
    assert_eq!((&report["verdict"], &report["findings"]), (&"passed".into(), &Value::Array(Vec::new())));
    let formats = sitegate(site.path(), &["check", "site", "--fix", "--allow-dirty", "--format=json"]);
    assert!(
        serde_json::from_slice::<Value>(&formats.stdout).is_ok(),
        "only the report is on standard output"
    );
}

#[test]
fn git_applies_the_patch() {
    let site = site();
    let output = sitegate(site.path(), &["check", "site", "--fix=diff"]);
    assert_eq!(output.status.code(), Some(1), "nothing is fixed yet");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("7 findings can be fixed by 7 edits in 2 files")
    );
    let before = read(&site, "docs/index.md");
    assert!(before.contains("setpu"), "a patch changes nothing");
    let apply = |args: &[&str]| {
        let mut git =
            Command::new("git").current_dir(site.path()).args(args).stdin(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut git.stdin.take().unwrap(), &output.stdout).unwrap();
        assert!(git.wait().unwrap().success());
    };
    apply(&["apply"]);
    assert_eq!(read(&site, "docs/index.md"), FIXED);
    apply(&["apply", "--reverse"]);
    assert_eq!(read(&site, "docs/index.md"), before);
}

#[test]
fn files_that_git_cannot_restore_are_not_edited() {
    let site = site();
    let dirty = read(&site, "docs/index.md") + "\r\n";
    write(site.path(), "docs/index.md", &dirty);
    build(&site);
    let output = sitegate(site.path(), &["check", "site", "--fix"]);
    let reason = "docs/index.md: has uncommitted changes; commit them first, or edit it with --allow-dirty";
    assert!(stdout(&output).contains(reason), "{}", stdout(&output));
    assert_eq!(read(&site, "docs/index.md"), dirty);
    assert!(read(&site, "docs/guide/setup.md").contains("(../index.md)"), "other files are edited");

    let generated = format!("<!-- @generated -->\n{dirty}");
    write(site.path(), "docs/index.md", &generated);
    build(&site);
    let output = sitegate(site.path(), &["check", "site", "--fix", "--allow-dirty"]);
    let reason = "docs/index.md: is generated: change what generates it";
    assert!(stdout(&output).contains(reason), "{}", stdout(&output));
    assert_eq!(read(&site, "docs/index.md"), generated);

    fs::remove_dir_all(site.path().join(".git")).unwrap();
    write(site.path(), "docs/index.md", &dirty);
    build(&site);
    let output = sitegate(site.path(), &["check", "site", "--fix"]);
    assert!(stdout(&output).contains("is in no Git repository"), "{}", stdout(&output));
    assert_eq!(read(&site, "docs/index.md"), dirty);
    sitegate(site.path(), &["check", "site", "--fix", "--allow-dirty"]);
    assert_eq!(read(&site, "docs/index.md"), format!("{FIXED}\r\n"));
}

#[test]
fn new_and_ignored_files_are_not_edited() {
    let site = folder(&[
        ("new/index.html", &page("A", "<a href=sub/page.html>x</a>")),
        ("new/sub/Page.html", &page("B", "<a href=../indx.html>x</a>")),
        (".gitignore", "ignored\n"),
    ]);
    git(site.path(), &["init", "--quiet"]);
    let output = sitegate(site.path(), &["check", "new", "--fix"]);
    assert!(stdout(&output).contains("new/index.html: is not committed"), "{}", stdout(&output));
    fs::rename(site.path().join("new"), site.path().join("ignored")).unwrap();
    let output = sitegate(site.path(), &["check", "ignored", "--fix", "--allow-dirty"]);
    assert!(stdout(&output).contains("no fix was applied"), "{}", stdout(&output));
}

#[test]
fn a_relative_reference_that_pages_share_is_only_likely() {
    let nav = "<nav><a href=\"guide/setpu/\">Setup</a> <a href=\"/guide/intor/\">Intro</a></nav>";
    let site = folder(&[
        ("sitegate.toml", "[source]\ninclude = [\"docs/**\", \"layouts/**\"]\n"),
        ("layouts/nav.html", nav),
        ("docs/index.md", "# Home\n"),
        ("docs/guide/setup.md", "# Setup\n"),
        ("docs/guide/intro.md", "# Intro\n"),
        ("site/guide/intro/index.html", &page("Intro", "<p>Intro</p>")),
        ("site/index.html", &page("Home", nav)),
        ("site/guide/setup/index.html", &page("Setup", "<p>Setup</p>")),
    ]);
    commit(&site);
    assert_eq!(
        fixes(site.path()),
        [["guide/setpu/", "likely", "guide/setup/"], ["/guide/intor/", "certain", "/guide/intro/"]]
    );
    sitegate(site.path(), &["check", "site", "--fix"]);
    assert_eq!(read(&site, "layouts/nav.html"), nav.replace("intor", "intro"));
    build(&site);
    sitegate(site.path(), &["check", "site", "--fix", "--unsafe-fixes", "--allow-dirty"]);
    assert_eq!(read(&site, "layouts/nav.html"), nav.replace("intor", "intro").replace("setpu", "setup"));
}

#[test]
fn definitions_of_redirects_are_only_likely() {
    let nav = "<nav><a href=/old/>Intro</a> <a href=/older/>Intro</a></nav>";
    let site = folder(&[
        ("sitegate.toml", "[source]\ninclude = [\"docs/**\", \"data/**\"]\n"),
        ("docs/index.md", "# Home\n"),
        ("docs/intro.md", "---\naliases: [/old/]\n---\n# Intro\n"),
        ("data/redirects.yml", "- from: /older/\n"),
        ("site/index.html", &page("Home", nav)),
        ("site/intro/index.html", &page("Intro", nav)),
        ("site/_redirects", "/old/ /intro/ 301\n/older/ /intro/ 301\n"),
    ]);
    commit(&site);
    let found = fixes(site.path());
    assert_eq!(found.len(), 4, "{found:?}");
    for [url, certainty, _] in found {
        assert_ne!(certainty, "certain", "{url}");
    }
}

#[test]
fn names_with_another_digit_and_several_candidates_have_no_fix() {
    let site = folder(&[
        ("docs/index.md", "# Home\n\n[a](v3.md) [b](mergee.md) [c](page.md)\n"),
        ("docs/v2.md", "# 2\n"),
        ("docs/merged.md", "# M\n"),
        ("docs/merges.md", "# M\n"),
        ("docs/a/page.md", "# P\n"),
        ("sitegate.toml", CONTRACT),
        (
            "site/index.html",
            &page("Home", "<a href=v3.md>a</a> <a href=mergee.md>b</a> <a href=page.md>c</a>"),
        ),
        ("site/v2/index.html", &page("2", "2")),
        ("site/merged/index.html", &page("M", "M")),
        ("site/merges/index.html", &page("N", "N")),
        ("site/a/page/index.html", &page("P", "P")),
    ]);
    commit(&site);
    for [url, certainty, _] in fixes(site.path()) {
        assert_ne!(certainty, "certain", "{url}");
    }
}

#[test]
fn fixes_need_a_folder_and_no_seal() {
    let site = site();
    for (args, reason) in [
        (&["check", "site", "--fix", "--seal=seal.json"][..], "cannot be used with"),
        (&["check", "https://example.invalid/", "--fix"], "need a folder"),
        (&["check", "site", "--unsafe-fixes"], "--fix"),
    ] {
        let output = sitegate(site.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(reason), "{args:?}");
    }
}
