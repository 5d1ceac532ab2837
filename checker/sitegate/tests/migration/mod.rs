//! Tests `sitegate init --from` with configurations of other checkers, and the guide about it.

use std::fs;
use std::path::{Path, PathBuf};

use sitegate_check::migrated_options;

use crate::folders::{guide_commands, sitegate, stderr, stdout};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/migration")
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
        let output = sitegate(folder.path(), &["init", "--from", &configuration.unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{}: {}", case.display(), stderr(&output));
        let written = fs::read_to_string(folder.path().join("sitegate.toml")).unwrap();
        for (name, actual) in [("sitegate.toml", written), ("output.txt", stdout(&output))] {
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
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    let head = "<!doctype html><html lang=en><meta charset=utf-8><meta name=description content=d><link rel=icon href=\"data:,\">";
    write(
        "site/public/index.html",
        &format!(
            "{head}<title>a</title><a href=/gone/ data-proofer-ignore>x</a><p class='b data-proofer-ignore'><a href=/no/>x</a></p>"
        ),
    );
    write("site/public/blog/page/2/index.html", &format!("{head}<title>b</title><a href=/old/>x</a>"));
    write("site/.htmltest.yml", "DirectoryPath: public\nIgnoreDirs: ['^blog/page/\\d+']\nOutputDir: cache\n");
    write(
        "site/cache/refcache.json",
        r#"{"https://a.example.org": {"StatusCode": 200, "LastSeen": "2026-11-01T00:00:00Z"}}"#,
    );
    let output = sitegate(folder.path(), &["init", "--from", "site/.htmltest.yml"]);
    let printed = stdout(&output);
    assert!(output.status.success() && printed.contains("the export passes"), "{printed}{}", stderr(&output));
    assert!(printed.contains("wrote external.lock with 1 address"), "{printed}");
    let lock = fs::read_to_string(folder.path().join("external.lock")).unwrap();
    assert!(lock.ends_with("\nhttps://a.example.org/ 2026-11-01\n"), "{lock}");
    let output = sitegate(folder.path(), &["check", "--all", "--seal", "seal.json"]);
    let printed = stdout(&output);
    assert!(
        output.status.success() && printed.contains("`data-proofer-ignore`, by `check.ignore-attributes`"),
        "{printed}"
    );
    let seal = fs::read_to_string(folder.path().join("seal.json")).unwrap();
    assert!(seal.contains("by `check.ignore-attributes`"), "{seal}");
    // Nothing is replaced without --force.
    let again = sitegate(folder.path(), &["init", "--from", "site/.htmltest.yml"]);
    assert_eq!(again.status.code(), Some(2));
    fs::remove_file(folder.path().join("sitegate.toml")).unwrap();
    let again = sitegate(folder.path(), &["init", "--from", "site/.htmltest.yml"]);
    assert!(stderr(&again).contains("external.lock exists already"), "{}", stderr(&again));
    assert!(!folder.path().join("sitegate.toml").exists());
    // Pages ignore no security rule, and nothing if the contract does not say so.
    write(
        "sitegate.toml",
        "[site]\nroot = \"site/public\"\n[check]\ninline-ignores = false\nignore-attributes = [\"data-x\"]\n",
    );
    let output = sitegate(folder.path(), &["check"]);
    assert!(
        output.status.code() == Some(2) && stderr(&output).contains("has no effect with"),
        "{}",
        stderr(&output)
    );
    write("sitegate.toml", "[site]\nroot = \"site/public\"\n");
    assert_eq!(sitegate(folder.path(), &["check"]).status.code(), Some(1));
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
        fs::write(folder.path().join(name), content).unwrap();
        let output = sitegate(folder.path(), &["init", "--from", name]);
        let printed = stderr(&output);
        assert!(output.status.code() == Some(2) && printed.contains(reason), "{name}: {printed}");
        assert!(!folder.path().join("sitegate.toml").exists(), "{name}");
    }
    // Values cannot add lines to the contract.
    let hostile = "DirectoryPath: \"a\\\"\\n[rules]\\nbroken-link = 'off'\\n\"\nIgnoreURLs: [\"^https://x # \\n[[ignore]]\"]\n\"B\\n[rules]\": 1\n";
    fs::write(folder.path().join("hostile.yml"), hostile).unwrap();
    let output = sitegate(folder.path(), &["init", "--from", "hostile.yml"]);
    let contract: toml::Table =
        toml::from_str(&fs::read_to_string(folder.path().join("sitegate.toml")).unwrap()).unwrap();
    let keys: Vec<&str> = contract.keys().map(String::as_str).collect();
    assert_eq!(keys, ["check", "external", "site"], "{}", stderr(&output));
}

#[test]
fn the_guide_works_as_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("public")).unwrap();
    fs::write(folder.path().join(".htmltest.yml"), "DirectoryPath: public\n").unwrap();
    fs::create_dir_all(folder.path().join("tmp/.htmltest")).unwrap();
    fs::write(folder.path().join("tmp/.htmltest/refcache.json"), "{}").unwrap();
    let page = "<!doctype html><html lang=en><meta charset=utf-8><title>T</title><meta name=description content=d><link rel=icon href=\"data:,\">";
    fs::write(folder.path().join("public/index.html"), page).unwrap();
    for command in guide_commands("migrate.md", "Convert a configuration") {
        let words: Vec<&str> = command.split(' ').collect();
        assert_eq!(words[0], "sitegate");
        if cfg!(feature = "network") || !words.contains(&"--external") {
            let output = sitegate(folder.path(), &words[1..]);
            assert_eq!(output.status.code(), Some(0), "{command}: {}", stderr(&output));
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
        let folder = tempfile::tempdir().unwrap();
        for name in ["dist", "web"] {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join("index.html"), "<!doctype html>").unwrap();
        }
        fs::write(folder.path().join("lychee.toml"), format!("exclude_path = [\"dist/vendor\"]\n{root_dir}"))
            .unwrap();
        let output = sitegate(folder.path(), &[&["init", "--from", "lychee.toml"], arguments].concat());
        let printed = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let written = fs::read_to_string(folder.path().join("sitegate.toml")).unwrap();
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
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("linkinator.config.json");
        fs::write(&file, format!("{{\"path\": {path}, \"redirects\": \"allow\"}}")).unwrap();
        let output = sitegate(folder.path(), &["init", "--from", "linkinator.config.json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let written = fs::read_to_string(folder.path().join("sitegate.toml")).unwrap();
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
        ("IgnoreTagAttribute: \"data-skip me\"", "data-skip me"),
        ("HTTPHeaders: { \"X Foo\": bar }", "X Foo"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".htmltest.yml"), format!("{option}\n")).unwrap();
        let output = sitegate(folder.path(), &["init", "--from", ".htmltest.yml"]);
        let printed = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{printed}");
        assert!(printed.starts_with("error: .htmltest.yml: ") && printed.contains(reason), "{printed}");
        assert!(!printed.contains("sitegate.toml"), "{printed}");
        assert!(!folder.path().join("sitegate.toml").exists());
    }
}
