//! Tests that `sitegate render` writes the same bytes as the check that saved the report.

#![cfg(unix)]

use std::fs;
use std::path::Path;

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
