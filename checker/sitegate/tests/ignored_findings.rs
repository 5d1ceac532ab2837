//! Tests that every format lists the reasons of ignored findings, or that standard error counts them.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::folders::{folder, sitegate, stdout};

/// A site with a finding that a page ignores, two that the contract ignores, and one in the baseline.
fn site() -> TempDir {
    let page = "<!doctype html><html lang=en><head><meta charset=utf-8><title>T</title>\
                <meta name=description content=\"T\"></head><body><h1>T</h1>\n\
                <a href=/shop/ data-sitegate-ignore=\"broken-link: the shop & its cart\">s</a>\n\
                <a href=/new/1>n</a><a href=/new/2>n</a>\n<a href=/known/>k</a>";
    let contract = "[site]\nroot = \"dist\"\norigin = \"https://www.acme.test\"\n\
                    [[ignore]]\nrule = \"broken-link\"\nurl = \"^/new/\"\nreason = \"written in <May>\"\n";
    let site = folder(&[("dist/index.html", page), ("sitegate.toml", contract)]);
    let output = sitegate(site.path(), &["check", "--write-baseline", "known.json"]);
    assert_eq!(output.status.code(), Some(0));
    let with_baseline = format!("{contract}[check]\nbaseline = \"known.json\"\n");
    fs::write(site.path().join("sitegate.toml"), with_baseline).unwrap();
    site
}

/// Decodes the characters that formats escape.
fn decoded(text: &str) -> String {
    let escapes =
        [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&#38;", "&"), ("&#60;", "<"), ("&#62;", ">")];
    escapes.into_iter().fold(text.to_owned(), |text, (escape, character)| text.replace(escape, character))
}

#[test]
fn every_format_lists_or_counts_ignored_findings() {
    let site = site();
    let output = sitegate(site.path(), &["check", "--report", "json=report.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let note =
        "4 findings are ignored (1 by pages, 2 by the contract, 1 by the baseline); other formats list them";
    for format in ["human", "json", "sarif", "junit", "github", "gitlab", "rdjson", "markdown", "html"] {
        for command in [&["check", "--format", format][..], &["render", "report.json", "--format", format]] {
            let output = sitegate(site.path(), command);
            assert_eq!(output.status.code(), Some(0), "{command:?}");
            let (printed, errors) = (stdout(&output), String::from_utf8_lossy(&output.stderr).into_owned());
            let has_place = !matches!(format, "gitlab" | "rdjson");
            let plain = decoded(&printed);
            for reason in ["the shop & its cart", "written in <May>", "in the baseline"] {
                let is_listed = plain.contains(reason) || format == "json" && reason == "in the baseline";
                assert_eq!(is_listed, has_place, "{command:?} {reason}: {printed}");
            }
            assert_eq!(errors.contains(note), !has_place, "{command:?}: {errors}");
        }
    }
    let sarif: Value =
        serde_json::from_slice(&sitegate(site.path(), &["check", "--format", "sarif"]).stdout).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let kinds: Vec<&Value> = results.iter().map(|result| &result["suppressions"][0]["kind"]).collect();
    assert_eq!(kinds, ["inSource", "external", "external", "external"]);
    let junit = stdout(&sitegate(site.path(), &["check", "--format", "junit"]));
    assert!(
        junit.contains("<testsuite name=\"ignored\" tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"3\">")
    );
    assert!(junit.contains(
        "<skipped message=\"2 broken-link findings, by sitegate.toml:6: written in &lt;May&gt;\"/>"
    ));
}

#[test]
fn an_ignore_with_an_invisible_reason_is_none() {
    for reason in
        ["\u{200b}", "\u{3164}\u{ffa0}", "\u{ad}\u{fe0f}", "\u{e0020}\u{e0041}", "\u{2800}", "\u{115f} "]
    {
        for ignore in [
            format!("<a href=/x/ data-sitegate-ignore=\"broken-link: {reason}\">x</a>"),
            format!("<a href=/x/ data-sitegate-ignore=broken-link data-sitegate-reason=\"{reason}\">x</a>"),
            format!("<!-- sitegate-ignore broken-link: {reason} --><a href=/x/>x</a>"),
            format!("<!-- sitegate-ignore-file broken-link: {reason} --><a href=/x/>x</a>"),
        ] {
            let site = folder(&[("dist/index.html", &format!("<!doctype html><title>T</title>{ignore}"))]);
            let printed = stdout(&sitegate(site.path(), &["check", "dist"]));
            assert!(printed.contains("this ignore of `broken-link` gives no reason"), "{ignore}: {printed}");
            assert!(printed.contains("error[broken-link]"), "{ignore}: {printed}");
        }
        let ignore = format!("[[ignore]]\nrule = \"broken-link\"\nreason = \"{reason}\"\n");
        let gone = format!("[permalinks]\ngone = [{{ paths = [\"/x/\"], reason = \"{reason}\" }}]\n");
        for contract in [ignore, gone] {
            let site = folder(&[
                ("dist/index.html", "<!doctype html><title>T</title>"),
                ("sitegate.toml", &contract),
            ]);
            let output = sitegate(site.path(), &["check", "dist"]);
            assert_eq!(output.status.code(), Some(2), "{contract}");
        }
    }
}
