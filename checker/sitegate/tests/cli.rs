//! Tests the output and exit codes of the program.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use sitegate_check::OutputFormat;
use tempfile::TempDir;

const GOOD: &str =
    "<!doctype html><html lang=\"en\"><meta charset=utf-8><title>x</title><a href=\"/\">home</a>";
const BAD: &str =
    "<!doctype html><html lang=\"en\"><meta charset=utf-8><title>x</title>\n<p>é <a href=\"/gone\">gone</a>";

fn site(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn sitegate(folder: &Path, args: &[&str]) -> Output {
    sitegate_with(folder, args, &[])
}

fn sitegate_with(folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command
        .current_dir(folder)
        .args(args)
        .env_remove("NO_COLOR")
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_format_has_the_same_exit_codes() {
    let good = site(&[("index.html", GOOD)]);
    let bad = site(&[("index.html", BAD)]);
    for format in OutputFormat::ALL.map(OutputFormat::name) {
        assert_eq!(sitegate(good.path(), &["check", ".", "--format", format]).status.code(), Some(0));
        assert_eq!(sitegate(bad.path(), &["check", ".", "--format", format]).status.code(), Some(1));
        let missing = sitegate(good.path(), &["check", "nowhere", "--format", format]);
        assert_eq!(missing.status.code(), Some(2));
        assert!(stderr(&missing).contains("nowhere"), "{}", stderr(&missing));
        assert_eq!(missing.stdout, b"");
    }
    assert_eq!(sitegate(good.path(), &["check", "index.html"]).status.code(), Some(2));
    assert_eq!(sitegate(good.path(), &["check", ".", "--no-such-flag"]).status.code(), Some(2));
}

#[test]
fn warnings_do_not_fail_the_check() {
    let config = "[rules]\nbroken-link = \"warn\"\n";
    let folder = site(&[("index.html", BAD), ("sitegate.toml", config)]);
    let output = sitegate(folder.path(), &["check", ".", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(json(&output)["summary"]["warnings"], 1);
    assert_eq!(json(&output)["findings"][0]["severity"], "warning");

    let output = sitegate(folder.path(), &["check", ".", "--no-config"]);
    assert_eq!(output.status.code(), Some(1), "--no-config goes by the defaults");
}

#[test]
fn json_matches_its_documentation() {
    let folder = site(&[("index.html", BAD)]);
    let report = json(&sitegate(folder.path(), &["check", ".", "--format", "json"]));
    assert_eq!(report["schema_version"], 1);
    assert_eq!(report["tool"]["name"], "sitegate");
    assert_eq!(report["tool"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(report["root"], ".");
    let summary =
        serde_json::json!({ "files": 1, "pages": 1, "scripts": 0, "links": 1, "errors": 1, "warnings": 0 });
    assert_eq!(report["summary"], summary);
    let start = BAD.find("/gone").unwrap();
    let expected = serde_json::json!([{
        "rule": "broken-link",
        "category": "links",
        "severity": "error",
        "message": "broken link: `/gone` does not exist",
        "file": "index.html",
        "line": 2,
        "column": 15,
        "span": { "start": start, "end": start + 5 },
        "url": "/gone",
        "help": null,
        "cause": "/gone",
        "end_line": 2,
        "end_column": 20,
        "snippet": { "text": "<p>é <a href=\"/gone\">gone</a>", "start": 14, "length": 5 },
    }]);
    assert_eq!(report["findings"], expected);
    let causes = serde_json::json!([
        { "rule": "broken-link", "severity": "error", "cause": "/gone", "findings": 1, "files": 1, "thing": true },
    ]);
    assert_eq!(report["causes"], causes);
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
    let folder = site(&files);
    let run = |threads: &str, format: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        command.current_dir(folder.path()).args(["check", ".", "--format", format]);
        let report = command.env("RAYON_NUM_THREADS", threads).output().unwrap().stdout;
        without_time(&report)
    };
    let first = run("1", "json");
    assert!(first.len() > 10_000);
    for threads in ["2", "8", "1"] {
        assert!(run(threads, "json") == first, "{threads} threads");
    }
}

#[test]
fn uses_color_only_on_terminals_or_on_request() {
    let folder = site(&[("index.html", BAD)]);
    assert!(!stdout(&sitegate(folder.path(), &["check", "."])).contains('\x1b'), "a pipe is no terminal");
    let forced = |no_color: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        command
            .current_dir(folder.path())
            .args(["check", "."])
            .env("CLICOLOR_FORCE", "1")
            .env_remove("NO_COLOR");
        if no_color {
            command.env_remove("CLICOLOR_FORCE").env("NO_COLOR", "1");
        }
        stdout(&command.output().unwrap())
    };
    assert!(forced(false).contains('\x1b'));
    assert!(!forced(true).contains('\x1b'));
    let colored = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR"] {
            command.env_remove(name);
        }
        let output = command.current_dir(folder.path()).args(args).envs(variables.iter().copied()).output();
        let output = output.unwrap();
        stdout(&output).contains('\x1b') || stderr(&output).contains('\x1b')
    };
    let (force, no) = (("FORCE_COLOR", "1"), ("NO_COLOR", "1"));
    assert!(colored(&["check", "."], &[force]));
    assert!(!colored(&["check", "."], &[("FORCE_COLOR", "0")]));
    assert!(!colored(&["check", "."], &[force, no]));
    assert!(
        !colored(&["--color", "never", "check", "."], &[force]),
        "the option counts more than a variable"
    );
    for args in [
        &["check", ".", "--color=always"][..],
        &["--color", "always", "explain"],
        &["check", "-h", "--color", "always"],
    ] {
        assert!(colored(args, &[no]), "{args:?}");
    }
    assert!(!colored(&["check", "--no-such-flag", "--color=never"], &[force]));
}

#[test]
fn verbose_logs_stages_and_files_to_stderr() {
    let folder = site(&[("index.html", GOOD), ("style.css", "a{}")]);
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
    let output = sitegate(folder.path(), &["explain", "broken-lnk"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did you mean `broken-link`?"));
}

#[test]
fn export_without_pages_fails_unless_the_contract_allows_it() {
    let folder = site(&[("site/style.css", "a{}"), ("empty/x/y.txt", "")]);
    fs::remove_file(folder.path().join("empty/x/y.txt")).unwrap();
    for export in ["site", "empty"] {
        for format in OutputFormat::ALL.map(OutputFormat::name) {
            let output =
                sitegate(folder.path(), &["check", export, "--format", format, "--seal", "seal.json"]);
            assert_eq!(output.status.code(), Some(2), "{export} {format}");
            assert!(!folder.path().join("seal.json").exists());
        }
        let text = stdout(&sitegate(folder.path(), &["check", export]));
        assert!(
            text.contains("the export contains no pages") && text.contains("`empty-export = \"off\"`"),
            "{text}"
        );
    }
    let known = sitegate(folder.path(), &["check", "site", "--write-baseline", "known.json"]);
    assert_eq!(known.status.code(), Some(2));
    assert!(stderr(&known).contains("there is no page to check"), "{}", stderr(&known));
    for contract in [
        "[rules]\nempty-export = \"off\"\n",
        "[[ignore]]\nrule = \"empty-export\"\nreason = \"styles that other sites share\"\n",
    ] {
        fs::write(folder.path().join("sitegate.toml"), contract).unwrap();
        let output = sitegate(folder.path(), &["check", "site", "--seal", "seal.json"]);
        assert_eq!(output.status.code(), Some(0), "{contract}: {}", stdout(&output));
        assert!(folder.path().join("seal.json").exists());
    }
}

#[test]
fn failed_start_removes_reports_of_earlier_runs() {
    let folder = site(&[("web/index.html", GOOD), ("external/kept.json", "{}")]);
    let reports = ["--report", "json=report.json", "--report", "junit=report.xml"];
    let check = |more: &[&str]| {
        let arguments = [&["check", "--seal", "seal.json"], &reports[..], more].concat();
        sitegate(folder.path(), &arguments).status.code()
    };
    let there = || {
        ["report.json", "report.xml", "seal.json"]
            .iter()
            .filter(|name| folder.path().join(name).exists())
            .count()
    };
    fs::write(folder.path().join("bad.toml"), "[site").unwrap();
    fs::write(folder.path().join("later.toml"), "[check]\nbaseline = \"nowhere.json\"\n").unwrap();
    for fails in [
        &["nowhere"][..],
        &["web", "--config", "bad.toml"],
        &["web", "--config", "nowhere.toml"],
        &["web", "--config", "later.toml"],
        &[],
    ] {
        assert_eq!((check(&["web"]), there()), (Some(0), 3));
        assert_eq!((check(fails), there()), (Some(2), 0), "{fails:?}");
    }
    #[cfg(unix)]
    {
        let link = folder.path().join("report.json");
        std::os::unix::fs::symlink("external/kept.json", &link).unwrap();
        assert_eq!(check(&["web"]), Some(2));
        assert!(link.is_symlink());
        assert_eq!(fs::read(folder.path().join("external/kept.json")).unwrap(), b"{}");
    }
}

#[test]
fn accepts_localhost_in_a_file_url() {
    let folder = site(&[("site/index.html", GOOD)]);
    assert_eq!(sitegate(folder.path(), &["check", "site", "--seal", "seal.json"]).status.code(), Some(0));
    let live = folder.path().join("live").display().to_string();
    // On Windows, the URL also needs a slash before the drive.
    let slash = if cfg!(windows) { "/" } else { "" };
    let target = format!("file://LocalHost{slash}{live}");
    let output = sitegate(folder.path(), &["publish", &target, "site", "--seal", "seal.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(folder.path().join("live/index.html").is_file());
}

#[test]
fn the_width_of_the_terminal_limits_source_lines_and_locations() {
    let long = format!("<p>{}<a href=\"/pricng\">prices</a>{}</p>\n", "word ".repeat(30), " word".repeat(30));
    let page = format!("<!doctype html><html lang=\"en\"><meta charset=utf-8><title>Home</title>\n{long}");
    let folder = site(&[
        ("a.html", page.as_str()),
        ("b.html", &page),
        ("c/index.html", &page),
        ("pricing/index.html", GOOD),
    ]);
    for width in [60_usize, 80, 120, 200] {
        let output = sitegate_with(folder.path(), &["check", "."], &[("COLUMNS", &width.to_string())]);
        let text = stdout(&output);
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("   ")).collect();
        let [source, mark, ..] = lines.as_slice() else { panic!("{text}") };
        let columns = |line: &str| line.chars().count();
        assert!(lines.iter().all(|line| columns(line) <= width), "{text}");
        assert!(columns(source) + 8 >= width.min(160), "the line fills the width: {text}");
        let start = mark.chars().position(|c| c == '^').unwrap();
        assert!(source.chars().skip(start).collect::<String>().starts_with("/pricng"), "{text}");
    }
}

#[test]
fn locations_are_links_in_terminals_that_show_them() {
    let folder =
        site(&[("index.html", "<!doctype html><html lang=\"en\"><title>Home</title><a href=\"/é\">x</a>")]);
    let linked = |setting: &str| {
        let output = sitegate_with(
            folder.path(),
            &["check", ".", "--color", "always"],
            &[("FORCE_HYPERLINK", setting)],
        );
        stdout(&output)
    };
    let with = linked("1");
    let link = "/index.html\u{1b}\\index.html:1:60\u{1b}]8;;\u{1b}\\";
    assert!(with.contains(link) && with.contains("\u{1b}]8;;file:///"), "{with:?}");
    assert!(!linked("0").contains("]8;;"), "{:?}", linked("0"));
}
