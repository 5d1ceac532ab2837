//! Tests the output and exit codes of the program.

use std::fs;

use sitegate_check::OutputFormat;

use crate::folders::{folder, json, program, sitegate, stderr, stdout};
use crate::outcome::assert_exit;

const GOOD: &str =
    "<!doctype html><html lang=\"en\"><meta charset=utf-8><title>x</title><a href=\"/\">home</a>";
const BAD: &str =
    "<!doctype html><html lang=\"en\"><meta charset=utf-8><title>x</title>\n<p>é <a href=\"/gone\">gone</a>";

#[test]
fn every_format_has_the_same_exit_codes() {
    let good = folder(&[("index.html", GOOD)]);
    let bad = folder(&[("index.html", BAD)]);
    for format in OutputFormat::ALL.map(OutputFormat::name) {
        assert_exit(&sitegate(good.path(), &["check", ".", "--format", format]), 0, &[]);
        assert_exit(&sitegate(bad.path(), &["check", ".", "--format", format]), 1, &[]);
        let missing = sitegate(good.path(), &["check", "nowhere", "--format", format]);
        assert_exit(&missing, 2, &["nowhere"]);
        assert_eq!(missing.stdout, b"");
    }
    assert_eq!(sitegate(good.path(), &["check", "index.html"]).status.code(), Some(2));
    assert_eq!(sitegate(good.path(), &["check", ".", "--no-such-flag"]).status.code(), Some(2));
}

/// Removes the elapsed time, the only field that differs between runs.
fn without_time(report: &[u8]) -> String {
    let report = std::str::from_utf8(report).unwrap();
    report.lines().filter(|line| !line.contains("\"elapsed_ms\"")).collect::<Vec<_>>().join("\n")
}

#[test]
fn output_does_not_depend_on_the_number_of_threads() {
    let mut files = vec![("index.html".to_owned(), GOOD.to_owned())];
    for n in 0..200 {
        let next = (n * 7 + 3) % 200;
        let text =
            format!("<!doctype html><a href=\"p{next}.html#a{n}\">x</a><a href=gone{n}>x</a><p id=a{n}>");
        files.push((format!("p{n}.html"), text));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = folder(&files);
    let run = |threads: &str, format: &str| {
        let mut command = program(folder.path(), &["check", ".", "--format", format]);
        without_time(&command.env("RAYON_NUM_THREADS", threads).output().unwrap().stdout)
    };
    let first = run("1", "json");
    assert!(first.len() > 10_000);
    for threads in ["2", "8", "1"] {
        assert!(run(threads, "json") == first, "{threads} threads");
    }
}

#[test]
fn verbose_logs_stages_and_files_to_stderr() {
    let folder = folder(&[("index.html", GOOD), ("style.css", "a{}")]);
    let run = |arguments: &[&str]| sitegate(folder.path(), arguments);
    let quiet = run(&["check", ".", "--format", "json"]);
    assert_eq!(stderr(&quiet), "");
    for arguments in [&["-v", "check", "."][..], &["check", ".", "--verbose"]] {
        let log = stderr(&run(arguments));
        for stage in ["no contract", "listed .", "read the files", "applied the rules", "elapsed="] {
            assert!(log.contains(stage), "{stage}: {log}");
        }
        assert!(!log.contains("style.css") && !log.contains('\x1b'), "{log}");
    }
    let verbose = run(&["check", ".", "--format", "json", "-vv"]);
    assert!(stderr(&verbose).contains("reading style.css"), "{}", stderr(&verbose));
    assert_eq!(without_time(&verbose.stdout), without_time(&quiet.stdout), "reports are the same");
}

#[test]
fn lists_and_explains_rules() {
    let folder = tempfile::tempdir().unwrap();
    let list = json(&sitegate(folder.path(), &["explain", "--format", "json"]));
    let rules = list["rules"].as_array().unwrap();
    assert!(rules.len() >= 16);
    for rule in rules {
        let keys: Vec<&String> = rule.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["bad", "category", "default", "good", "id", "summary", "why"]);
        let id = rule["id"].as_str().unwrap();
        let text = stdout(&sitegate(folder.path(), &["explain", id]));
        for part in [id, "Bad\n", "Good\n", "In sitegate.toml"] {
            assert!(text.contains(part), "{id}: {part}");
        }
        assert!(stdout(&sitegate(folder.path(), &["explain"])).contains(id));
    }
    let unknown = sitegate(folder.path(), &["explain", "broken-lnk"]);
    assert_exit(&unknown, 2, &["did you mean `broken-link`?"]);
}

#[test]
fn export_without_pages_fails_unless_the_contract_allows_it() {
    let folder = folder(&[("site/style.css", "a{}"), ("empty/x/y.txt", "")]);
    fs::remove_file(folder.path().join("empty/x/y.txt")).unwrap();
    for export in ["site", "empty"] {
        for format in OutputFormat::ALL.map(OutputFormat::name) {
            let output =
                sitegate(folder.path(), &["check", export, "--format", format, "--seal", "seal.json"]);
            assert_eq!(output.status.code(), Some(2), "{export} {format}");
            assert!(!folder.path().join("seal.json").exists());
        }
        let words = ["the export contains no pages", "`empty-export = \"off\"`"];
        assert_exit(&sitegate(folder.path(), &["check", export]), 2, &words);
    }
    let known = sitegate(folder.path(), &["check", "site", "--write-baseline", "known.json"]);
    assert_exit(&known, 2, &["there is no page to check"]);
    for contract in [
        "[rules]\nempty-export = \"off\"\n",
        "[[ignore]]\nrule = \"empty-export\"\nreason = \"styles that other sites share\"\n",
    ] {
        fs::write(folder.path().join("sitegate.toml"), contract).unwrap();
        let output = sitegate(folder.path(), &["check", "site", "--seal", "seal.json"]);
        assert_exit(&output, 0, &[]);
        assert!(folder.path().join("seal.json").exists());
    }
}
