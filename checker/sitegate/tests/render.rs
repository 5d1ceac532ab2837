//! `sitegate render`: a saved report gives the same bytes as the check that wrote it.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::formats::{FORMATS, tricky};
use crate::sources::linked;

fn sitegate(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sitegate")).current_dir(folder).args(arguments).output().unwrap()
}

/// Checks once with a report file in each format, then renders the JSON report in each.
fn renders_as_the_check_does(folder: &Path, more: &[&str]) {
    let reports: Vec<String> = FORMATS.iter().map(|format| format!("{format}=report.{format}")).collect();
    let mut arguments = vec!["check", "--format", "json"];
    arguments.extend(reports.iter().flat_map(|report| ["--report", report]));
    arguments.extend(more);
    let output = sitegate(folder, &arguments);
    assert_eq!(output.stdout, fs::read(folder.join("report.json")).unwrap());
    for format in FORMATS {
        let rendered = sitegate(folder, &[&["render", "report.json", "--format", format], more].concat());
        assert_eq!(rendered.status.code(), Some(0), "{format}");
        let report = fs::read(folder.join(format!("report.{format}"))).unwrap();
        assert!(!report.is_empty());
        assert_eq!(
            String::from_utf8(rendered.stdout).unwrap(),
            String::from_utf8(report).unwrap(),
            "{format}"
        );
    }
}

#[test]
fn a_saved_report_renders_to_the_same_bytes() {
    let folder = tricky();
    fs::write(
        folder.path().join("out/ignored.html"),
        "<!doctype html><!-- sitegate-ignore broken-link: the shop answers these -->\n<a href=/shop/>x</a>",
    )
    .unwrap();
    renders_as_the_check_does(folder.path(), &[]);
    renders_as_the_check_does(folder.path(), &["--all", "--group", "page"]);
    renders_as_the_check_does(folder.path(), &["--quiet"]);
}

#[test]
fn a_report_with_source_lines_renders_to_the_same_bytes() {
    let folder = linked(&["project/content/index.md"]);
    renders_as_the_check_does(&folder.path().join("project"), &[]);
}

#[test]
fn a_report_comes_from_standard_input_too() {
    let folder = tricky();
    let report = sitegate(folder.path(), &["check", "--format", "json"]).stdout;
    let mut render = Command::new(env!("CARGO_BIN_EXE_sitegate"))
        .args(["render", "-", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    render.stdin.take().unwrap().write_all(&report).unwrap();
    assert_eq!(render.wait_with_output().unwrap().stdout, report);
}

#[test]
fn what_is_no_report_is_refused() {
    let folder = tricky();
    let report = String::from_utf8(sitegate(folder.path(), &["check", "--format", "json"]).stdout).unwrap();
    let cases = [
        (report[..report.len() / 2].to_owned(), "was it written completely?"),
        ("{\"findings\": []}".to_owned(), "is not a report: write one with `sitegate check --format json`"),
        (
            report.replacen("\"schema_version\": 1", "\"schema_version\": 999", 1),
            "schema version 999, but this program reads",
        ),
        (report.replacen("\"summary\"", "\"sum\"", 1), "missing field `summary`"),
    ];
    for (text, word) in cases {
        fs::write(folder.path().join("report.json"), text).unwrap();
        let output = sitegate(folder.path(), &["render", "report.json"]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("report.json") && error.contains(word), "{error}");
        assert!(output.stdout.is_empty());
    }
    let output = sitegate(folder.path(), &["render", "gone.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("gone.json"));
}
