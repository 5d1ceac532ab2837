//! Tests with malicious contracts and paths: they show no secret, and no file is overwritten that is not a report, seal,
//! baseline or cache.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::folders::program;

/// A text that no output may contain.
const SECRET: &str = "hunter2";

const PAGE: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>x</title><a href=/gone>x</a>";

/// Creates a repository with an export, and files with secrets in it and above it.
fn repository() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("repository");
    fs::create_dir_all(here.join(".git")).unwrap();
    fs::create_dir(here.join("site")).unwrap();
    for (name, text) in [
        ("site/index.html", PAGE),
        ("../.env", "SECRET_KEY=hunter2\n"),
        (".env", "export SECRET_KEY=hunter2\n"),
        ("secrets.toml", "password = \"hunter2\"\n"),
        ("secret.json", "{\"token\":\"hunter2\",\"url\":\"https://ci:hunter2@acme.test\"}"),
        ("text.json", "\"hunter2\""),
        ("seal-like.json", "{\"schema_version\":1,\"kind\":\"sitegate-baseline\",\"findings\":\"hunter2\"}"),
    ] {
        fs::write(here.join(name), text).unwrap();
    }
    symlink("/etc", here.join("system")).unwrap();
    symlink("../.env", here.join("link.toml")).unwrap();
    assert!(Command::new("mkfifo").arg(here.join("fifo")).status().unwrap().success());
    folder
}

fn check(folder: &Path, arguments: &[&str]) -> Output {
    let start = Instant::now();
    let mut command = program(&folder.join("repository"), &[&["check"], arguments].concat());
    let output = command.env("SAMPLE_SECRET", SECRET).env("CI", "true").output().unwrap();
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
    output
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

/// Asserts that a check with a contract shows no secret. Returns what it prints.
fn assert_shows_no_secret(folder: &Path, contract: &str, arguments: &[&str]) -> String {
    fs::write(folder.join("repository/sitegate.toml"), contract).unwrap();
    let reports = ["--report", "json=report.json", "--report", "html=report.html"];
    let output = check(folder, &[&["site"], &reports[..], arguments].concat());
    assert_ne!(output.status.code(), Some(0), "{contract}");
    let mut shown = printed(&output);
    for report in ["report.json", "report.html"] {
        shown += &fs::read_to_string(folder.join("repository").join(report)).unwrap_or_default();
    }
    assert!(!shown.contains(SECRET) && !shown.contains("root:"), "{contract}: {shown}");
    shown
}

#[test]
fn contract_reads_only_regular_files_of_its_repository() {
    let folder = repository();
    let keys = [
        "extends = \"FILE\"\n",
        "extends = [\"FILE\"]\n",
        "[check]\nbaseline = \"FILE\"\n",
        "[site]\norigin = { file = \"FILE\", pointer = \"/token\" }\n",
        "[permalinks]\nkeep = [\"FILE\"]\n",
        "[[parts]]\nat = \"/blog/\"\ninventory = \"FILE\"\n",
        "[[assert]]\npages = \"/\"\nselect = \"a\"\nattributes = { href = { file = \"FILE\", pointer = \"/token\" } }\n",
    ];
    let outside = folder.path().join(".env");
    for key in keys {
        for file in [
            "/proc/self/environ",
            "/dev/zero",
            "../.env",
            "system/passwd",
            "link.toml",
            outside.to_str().unwrap(),
        ] {
            let shown = assert_shows_no_secret(folder.path(), &key.replace("FILE", file), &[]);
            assert!(shown.contains("it is outside of the contract's repository"), "{key} {file}: {shown}");
        }
        let shown = assert_shows_no_secret(folder.path(), &key.replace("FILE", "fifo"), &[]);
        assert!(shown.contains("it is not a regular file"), "{key}: {shown}");
        for file in [".env", "secrets.toml", "text.json", "seal-like.json"] {
            assert_shows_no_secret(folder.path(), &key.replace("FILE", file), &[]);
        }
    }
    let certificates = |file| format!("[external]\ncertificates = \"{file}\"\n");
    for file in ["/dev/zero", "system/passwd", "fifo"] {
        assert_shows_no_secret(folder.path(), &certificates(file), &["--external", "--no-cache"]);
    }
    let large = fs::File::create(folder.path().join("repository/large.toml")).unwrap();
    large.set_len((16 << 20) + 1).unwrap();
    let shown = assert_shows_no_secret(folder.path(), "extends = \"large.toml\"\n", &[]);
    assert!(shown.contains("it is larger than 16 MiB"), "{shown}");
}

#[test]
fn messages_name_the_source_of_a_value_instead_of_the_value() {
    let folder = repository();
    for setting in [
        "{ file = \"secret.json\", pointer = \"/token\" }",
        "{ file = \"secret.json\", pointer = \"/url\" }",
        "{ file = \"secret.json\", pointer = \"/none\", env = \"SAMPLE_SECRET\" }",
    ] {
        for allowed in [&["--allow-env", "SAMPLE_SECRET"][..], &[]] {
            assert_shows_no_secret(folder.path(), &format!("[site]\norigin = {setting}\n"), allowed);
            let assertion = format!(
                "[[assert]]\npages = \"/\"\nselect = \"a\"\nattributes = {{ href = {setting}, id = {setting} }}\n"
            );
            assert_shows_no_secret(folder.path(), &assertion, allowed);
        }
    }
    let header = "[external.host]\nheaders = { X-Trace = { env = \"SAMPLE_SECRET\" } }\n";
    let shown = assert_shows_no_secret(folder.path(), header, &[]);
    assert!(shown.contains("allow it with `--allow-env SAMPLE_SECRET`"), "{shown}");
}

#[test]
fn contract_that_is_a_link_shows_no_other_file() {
    let folder = repository();
    let contract = folder.path().join("repository/sitegate.toml");
    for target in ["../.env", ".env", "secrets.toml", "/proc/self/environ", "/dev/zero", "fifo"] {
        symlink(target, &contract).unwrap();
        let output = check(folder.path(), &["site", "--config", "sitegate.toml"]);
        assert_eq!(output.status.code(), Some(2), "{target}");
        assert!(!printed(&output).contains(SECRET), "{target}: {}", printed(&output));
        fs::remove_file(&contract).unwrap();
    }
}

#[test]
fn replaces_no_other_file_by_a_seal_or_baseline_and_no_seal_or_baseline_by_a_report() {
    let folder = repository();
    let here = folder.path().join("repository");
    fs::write(here.join("sitegate.toml"), "[rules]\nbroken-link = \"off\"\n").unwrap();
    let foreign = "{\"name\":\"sitegate\",\"kind\":\"package\",\"tool\":1}";
    fs::write(here.join("package.json"), foreign).unwrap();
    fs::write(here.join("target"), "").unwrap();
    fs::write(here.join("seal.json"), "{\"kind\":\"sitegate-seal\"}").unwrap();
    fs::write(here.join("known.json"), "{\"kind\":\"sitegate-baseline\"}").unwrap();
    let mut outputs: Vec<Vec<String>> =
        ["human", "json", "sarif", "junit", "github", "gitlab", "markdown", "html"]
            .iter()
            .map(|format| vec!["--report".to_owned(), format!("{format}=FILE")])
            .collect();
    outputs.extend(["--seal", "--write-baseline"].map(|option| vec![option.to_owned(), "FILE".to_owned()]));
    for output in &outputs {
        let run = |file: &str| {
            let arguments: Vec<String> = output.iter().map(|one| one.replace("FILE", file)).collect();
            check(
                folder.path(),
                &[&["site"], &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat(),
            )
        };
        let is_report = output[0] == "--report";
        let others: &[&str] = match output[0].as_str() {
            "--report" => &["seal.json", "known.json"],
            "--seal" => &["package.json", "site/index.html", "secrets.toml", ".env", "known.json"],
            _ => &["package.json", "site/index.html", "secrets.toml", ".env", "seal.json"],
        };
        for file in others {
            let before = fs::read(here.join(file)).unwrap();
            let refused = run(file);
            assert_eq!(refused.status.code(), Some(2), "{output:?} {file}");
            assert!(
                printed(&refused).contains("so it is not replaced"),
                "{output:?} {file}: {}",
                printed(&refused)
            );
            assert_eq!(fs::read(here.join(file)).unwrap(), before, "{output:?} {file}");
        }
        symlink("target", here.join("link")).unwrap();
        let refused = run("link");
        assert!(printed(&refused).contains("it is a symbolic link"), "{output:?}: {}", printed(&refused));
        assert_eq!(fs::read(here.join("target")).unwrap(), b"", "{output:?}");
        fs::remove_file(here.join("link")).unwrap();
        fs::create_dir(here.join("new")).unwrap();
        for _ in 0..2 {
            let written = run("new/own");
            assert_eq!(written.status.code(), Some(0), "{output:?}: {}", printed(&written));
        }
        if is_report {
            fs::write(here.join("new/other"), "any other file").unwrap();
            assert_eq!(run("new/other").status.code(), Some(0), "{output:?}");
            assert_ne!(fs::read(here.join("new/other")).unwrap(), b"any other file", "{output:?}");
            assert_eq!(run("/dev/stderr").status.code(), Some(0), "{output:?}");
        }
        fs::remove_dir_all(here.join("new")).unwrap();
    }
}
