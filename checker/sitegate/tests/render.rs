//! Tests that `sitegate render` writes the same bytes as the check that saved the report.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::folders::sitegate;
use crate::formats::{format_names, tricky_export};
use crate::sources::site_with_broken_link;

/// Checks once with a report in each format, then renders the JSON report in each format.
fn assert_renders_like_the_check(folder: &Path, more: &[&str]) {
    let reports: Vec<String> =
        format_names().iter().map(|format| format!("{format}=report.{format}")).collect();
    let mut arguments = vec!["check", "--format", "json"];
    arguments.extend(reports.iter().flat_map(|report| ["--report", report]));
    arguments.extend(more);
    let output = sitegate(folder, &arguments);
    assert_eq!(output.stdout, fs::read(folder.join("report.json")).unwrap());
    for format in format_names() {
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
fn renders_a_saved_report_to_the_same_bytes() {
    let folder = tricky_export();
    fs::write(
        folder.path().join("out/ignored.html"),
        "<!doctype html><!-- sitegate-ignore broken-link: the shop answers these -->\n<a href=/shop/>x</a>",
    )
    .unwrap();
    assert_renders_like_the_check(folder.path(), &[]);
    assert_renders_like_the_check(folder.path(), &["--all"]);
    assert_renders_like_the_check(folder.path(), &["--quiet"]);
}

#[test]
fn renders_source_lines_to_the_same_bytes() {
    let folder = site_with_broken_link(&["project/content/index.md"]);
    assert_renders_like_the_check(&folder.path().join("project"), &[]);
}

#[test]
fn reads_a_report_from_standard_input() {
    let folder = tricky_export();
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
fn rejects_a_file_that_is_not_a_report() {
    let folder = tricky_export();
    let report = String::from_utf8(sitegate(folder.path(), &["check", "--format", "json"]).stdout).unwrap();
    let cases = [
        (report[..report.len() / 2].to_owned(), "was it written completely?"),
        (
            "{\"findings\": []}".to_owned(),
            "it is not a report; `sitegate check --report json=FILE` writes one",
        ),
        (
            report.replacen("\"schema_version\": 1", "\"schema_version\": 999", 1),
            "it is a report of version 999, but this program reads version 1: update sitegate",
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
