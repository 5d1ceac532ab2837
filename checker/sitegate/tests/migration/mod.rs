//! Tests `sitegate init --from` with configurations of other checkers, and the guide about it.

use std::fs;
use std::path::{Path, PathBuf};

use sitegate_check::migrated_options;

use tempfile::TempDir;

use crate::folders::{folder, guide_commands, page, read, sitegate, stderr, stdout, write};
use crate::outcome::assert_exit;

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/migration")
}

/// Converts a configuration in a folder. Returns the contract, and what the program printed.
#[track_caller]
fn converted(folder: &TempDir, arguments: &[&str]) -> (String, String) {
    let output = sitegate(folder.path(), &[&["init", "--from"], arguments].concat());
    assert_exit(&output, 0, &[]);
    (read(folder.path(), "sitegate.toml"), stdout(&output))
}

/// Each folder has a configuration, the expected contract `sitegate.toml`, and the expected output.
#[test]
fn configurations_become_contracts() {
    let mut count = 0;
    for case in fs::read_dir(cases()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        let folder = tempfile::tempdir().unwrap();
        let mut configuration = None;
        for file in fs::read_dir(&case).unwrap().map(|entry| entry.unwrap().path()) {
            let name = file.file_name().unwrap().to_str().unwrap().to_owned();
            if ["sitegate.toml", "output.txt"].contains(&name.as_str()) {
                continue;
            }
            fs::copy(&file, folder.path().join(&name)).unwrap();
            if name != ".lycheeignore" {
                configuration = Some(name);
            }
        }
        let (written, printed) = converted(&folder, &[&configuration.unwrap()]);
        for (name, actual) in [("sitegate.toml", written), ("output.txt", printed)] {
            let expected = case.join(name);
            if std::env::var_os("UPDATE").is_some() {
                fs::write(&expected, &actual).unwrap();
            }
            let expected = fs::read_to_string(&expected).unwrap_or_default();
            assert_eq!(actual, expected, "{}: update it with UPDATE=1", case.display());
        }
        count += 1;
    }
    assert_eq!(count, 7);
}

#[test]
fn guide_has_every_option() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/migrate.md");
    let guide = fs::read_to_string(guide).unwrap();
    for (program, options) in migrated_options() {
        let section = guide.split("\n## ").find(|section| section.starts_with(program)).unwrap();
        let missing: Vec<&str> =
            options.into_iter().filter(|option| !section.contains(&format!("`{option}`"))).collect();
        assert_eq!(missing, [""; 0], "{program}");
    }
}

/// A site with htmltest: its configuration, its cache and its attribute.
#[test]
fn a_site_with_htmltest_passes_with_its_contract() {
    let icon = "<link rel=icon href=\"data:,\">";
    let ignored =
        "<a href=/gone/ data-proofer-ignore>x</a><p class='b data-proofer-ignore'><a href=/no/>x</a></p>";
    let site = folder(&[
        ("site/public/index.html", &page(&format!("{icon}{ignored}"))),
        ("site/public/blog/page/2/index.html", &page(&format!("{icon}<a href=/old/>x</a>"))),
        ("site/.htmltest.yml", "DirectoryPath: public\nIgnoreDirs: ['^blog/page/\\d+']\nOutputDir: cache\n"),
        (
            "site/cache/refcache.json",
            r#"{"https://a.example.org": {"StatusCode": 200, "LastSeen": "2026-11-01T00:00:00Z"}}"#,
        ),
    ]);
    let folder = site.path();
    let (_, printed) = converted(&site, &["site/.htmltest.yml"]);
    assert!(printed.contains("the export passes"), "{printed}");
    assert!(printed.contains("wrote external.lock with 1 address"), "{printed}");
    let lock = read(folder, "external.lock");
    assert!(lock.ends_with("\nhttps://a.example.org/ 2026-11-01\n"), "{lock}");
    let ignored = "by `check.ignore-attributes`";
    let output = sitegate(folder, &["check", "--all", "--seal", "seal.json"]);
    assert_exit(&output, 0, &[&format!("`data-proofer-ignore`, {ignored}")]);
    assert!(read(folder, "seal.json").contains(ignored));
    // Nothing is replaced without --force.
    let again = || sitegate(folder, &["init", "--from", "site/.htmltest.yml"]);
    assert_exit(&again(), 2, &[]);
    fs::remove_file(folder.join("sitegate.toml")).unwrap();
    assert_exit(&again(), 2, &["external.lock exists already"]);
    assert!(!folder.join("sitegate.toml").exists());
    // Pages ignore no security rule, and nothing if the contract does not say so.
    let root = "[site]\nroot = \"site/public\"\n";
    let without = "[check]\ninline-ignores = false\nignore-attributes = [\"data-x\"]\n";
    write(folder, "sitegate.toml", &format!("{root}{without}"));
    assert_exit(&sitegate(folder, &["check"]), 2, &["has no effect with"]);
    write(folder, "sitegate.toml", root);
    assert_exit(&sitegate(folder, &["check"]), 1, &[]);
}

#[test]
fn other_files_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let deep = format!("A: {}", "[".repeat(100));
    for (name, content, reason) in [
        ("Rakefile", "x", "no configuration of htmltest"),
        ("a.yml", "- a", "a list of options"),
        ("b.yml", "A: [", "b.yml"),
        ("c.yml", "A: &x 1\nB: *x\n", "aliases"),
        ("d.yml", deep.as_str(), "d.yml"),
        ("e.toml", "a = ", "e.toml"),
        ("f.json", "{", "f.json"),
        ("g.json", "[]", "a list of options"),
        ("refcache.json", "{}", "needs one configuration"),
    ] {
        write(folder.path(), name, content);
        assert_exit(&sitegate(folder.path(), &["init", "--from", name]), 2, &[reason]);
        assert!(!folder.path().join("sitegate.toml").exists(), "{name}");
    }
    // Values cannot add lines to the contract.
    let hostile = "DirectoryPath: \"a\\\"\\n[rules]\\nbroken-link = 'off'\\n\"\nIgnoreURLs: [\"^https://x # \\n[[ignore]]\"]\n\"B\\n[rules]\": 1\n";
    write(folder.path(), "hostile.yml", hostile);
    let output = sitegate(folder.path(), &["init", "--from", "hostile.yml"]);
    let contract: toml::Table = toml::from_str(&read(folder.path(), "sitegate.toml")).unwrap();
    let keys: Vec<&str> = contract.keys().map(String::as_str).collect();
    assert_eq!(keys, ["check", "external", "site"], "{}", stderr(&output));
}

#[test]
fn the_guide_works_as_written() {
    let folder = folder(&[
        (".htmltest.yml", "DirectoryPath: public\n"),
        ("tmp/.htmltest/refcache.json", "{}"),
        ("public/index.html", &page("<link rel=icon href=\"data:,\">")),
    ]);
    for command in guide_commands("migrate.md", "Convert a configuration") {
        let words: Vec<&str> = command.split(' ').collect();
        assert_eq!(words[0], "sitegate");
        if cfg!(feature = "network") || !words.contains(&"--external") {
            assert_exit(&sitegate(folder.path(), &words[1..]), 0, &[]);
        }
    }
}

#[test]
fn paths_of_files_are_below_the_export() {
    for (root_dir, arguments, expected, note) in [
        ("", &["dist"][..], "/vendor", None),
        ("root_dir = \"dist\"\n", &[], "/vendor", None),
        (
            "",
            &[],
            "/vendor",
            Some("exclude_path: `dist/vendor`: `paths` are below the export; its folder is taken off"),
        ),
        ("", &["web"], "/**/*dist/vendor", None),
    ] {
        let options = format!("exclude_path = [\"dist/vendor\"]\n{root_dir}");
        let pages = ["dist", "web"].map(|name| format!("{name}/index.html"));
        let [dist, web] = pages.each_ref().map(|page| (page.as_str(), "<!doctype html>"));
        let folder = folder(&[dist, web, ("lychee.toml", &options)]);
        let (written, printed) = converted(&folder, &[&["lychee.toml"], arguments].concat());
        let paths = format!("paths = [\"{expected}*\", \"{expected}*/**\"]");
        assert!(written.contains(&paths), "{written}");
        let root = arguments.first().copied().or((!root_dir.is_empty()).then_some("dist"));
        assert!(root.is_none_or(|root| written.contains(&format!("root = \"{root}\""))), "{written}");
        assert_eq!(printed.contains("is taken off"), note.is_some(), "{printed}");
        assert!(note.is_none_or(|note| printed.contains(note)), "{printed}");
    }
}

#[test]
fn globs_of_linkinator_are_files_below_a_folder() {
    for (path, root) in [
        ("\"dist/**/*.html\"", Some("dist")),
        ("[\"dist/a/**\", \"dist/a/*.html\"]", Some("dist/a")),
        ("\"*.html\"", Some(".")),
        ("\"dist/index.html\"", Some("dist")),
        ("[\"dist/**\", \"web/**\"]", None),
    ] {
        let options = format!("{{\"path\": {path}, \"redirects\": \"allow\"}}");
        let folder = folder(&[("linkinator.config.json", &options)]);
        let (written, _) = converted(&folder, &["linkinator.config.json"]);
        let found =
            root.map_or("path: the input is one folder".to_owned(), |root| format!("root = \"{root}\""));
        assert!(written.contains(&found), "{path}: {written}");
        assert!(written.contains("moved-external-link = \"off\"\nredirect-hop = \"off\""), "{written}");
    }
}

/// The contract is not written, so that an error names the file that the user has.
#[test]
fn invalid_values_are_errors_of_the_configuration() {
    for (option, reason) in [
        ("IgnoreTagAttribute: \"data-skip me\"\n", "data-skip me"),
        ("HTTPHeaders: { \"X Foo\": bar }\n", "X Foo"),
    ] {
        let folder = folder(&[(".htmltest.yml", option)]);
        let output = sitegate(folder.path(), &["init", "--from", ".htmltest.yml"]);
        let printed = assert_exit(&output, 2, &[reason]);
        assert!(printed.starts_with("error: .htmltest.yml: "), "{printed}");
        assert!(!printed.contains("sitegate.toml"), "{printed}");
        assert!(!folder.path().join("sitegate.toml").exists());
    }
}
