//! Tests the output formats with a report that needs much escaping. Each must match a file below `formats/`, and is
//! parsed by another library. `UPDATE=1 cargo test` updates the files: review the difference.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Output;

use quick_xml::events::Event;
use regex::Regex;
use serde_json::Value;
use sitegate_check::{CheckTarget, Checker, OutputFormat, Verdict};
use tempfile::TempDir;

use crate::folders::{commit, folder, program};

/// Returns the names of all formats.
pub fn format_names() -> [&'static str; OutputFormat::ALL.len()] {
    OutputFormat::ALL.map(OutputFormat::name)
}

/// Broken references with characters that formats must escape.
const HREFS: [&str; 8] = [
    "</script><script>alert(1)</script>",
    "50%25,off:now",
    "a&amp;b&quot;c'd",
    "é/日本/😀",
    "bell\u{7}and\u{1b}[31m",
    "two\nlines",
    "|*_`~[x](y)@all#",
    "]]>{{ page.url }}",
];

fn page(body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>A page</title></head>\n\
         <body>\n{body}</body>\n</html>\n"
    )
}

/// Creates an export with all kinds of broken links, a name that URLs must escape, UTF-16, a dangling symbolic link, a
/// CNAME file, and a contract that requires a missing page.
pub fn tricky_export() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    let links: String = HREFS.iter().map(|href| format!("<p>“é” <a href=\"{href}\">x</a></p>\n")).collect();
    write(
        "out/index.html",
        page(&format!("{links}<a href=\"/gone\">1</a> <a href=\"/gone\">2</a>\n")).as_bytes(),
    );
    write("out/a b/50%,:'&<é.html", page("<p>\t<a\n href=\"/gone\">x</a></p>").as_bytes());
    write(
        "out/long.html",
        page(&format!("{}<a href=\"/gone\">x</a>{}", "é".repeat(900), "z".repeat(900))).as_bytes(),
    );
    let utf16: Vec<u8> = [0xFF, 0xFE]
        .into_iter()
        .chain(page("<a href=\"/gone\">x</a>").encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    write("out/utf-16.html", &utf16);
    write("out/CNAME", b"www.acme.org\n");
    std::os::unix::fs::symlink("nowhere", folder.path().join("out/stray.txt")).unwrap();
    write(
        "sitegate.toml",
        b"[site]\nroot = \"out\"\n\n[pages]\nrequired = [\"/pricing\"]\n\n[rules]\ninvalid-symlink = \"warn\"\n",
    );
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    program(folder, &[&["check"], args].concat()).env_remove("CI").output().unwrap()
}

fn text(folder: &Path, format: &str) -> String {
    let output = run(folder, &["--format", format]);
    assert_eq!(output.status.code(), Some(1), "{format}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(folder: &Path, format: &str) -> Value {
    serde_json::from_str(&text(folder, format)).unwrap()
}

/// Removes the elapsed time from a JSON report. Returns other text unchanged.
fn without_elapsed(text: &str) -> String {
    Regex::new(r#"  "elapsed_ms": [0-9]+,\n"#).unwrap().replace(text, "").into_owned()
}

/// Compares a text without its times with a golden file.
fn assert_golden(name: &str, found: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats").join(name);
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, found).unwrap();
        return;
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == expected, "{name}\n--- expected\n{expected}\n--- found\n{found}");
}

fn pretty(value: &Value) -> String {
    format!("{}\n", serde_json::to_string_pretty(value).unwrap())
}

fn without_time(text: &str) -> String {
    let (before, _) = text.rsplit_once(" in ").unwrap();
    format!("{before} in a moment\n")
}

#[test]
fn formats_match_the_golden_files() {
    let folder = tricky_export();
    assert_golden("human.txt", &without_time(&text(folder.path(), "human")));
    assert_golden("github.txt", &text(folder.path(), "github"));
    assert_golden("gitlab.json", &text(folder.path(), "gitlab"));
    assert_golden("rdjson.json", &text(folder.path(), "rdjson"));
    assert_golden("junit.xml", &text(folder.path(), "junit"));
    assert_golden("markdown.md", &text(folder.path(), "markdown"));
    let mut sarif = json(folder.path(), "sarif");
    let results = sarif["runs"][0]["results"].as_array_mut().unwrap();
    for result in results.iter_mut() {
        result.as_object_mut().unwrap().remove("ruleIndex"); // grows with the registry
    }
    assert_golden("sarif-results.json", &pretty(&sarif["runs"][0]["results"]));
    let mut html = data_of_html_report(&text(folder.path(), "html"));
    html.as_object_mut().unwrap().remove("editor"); // has the path of the folder
    assert_golden("html-data.json", &pretty(&html));
}

#[test]
fn output_is_reproducible_with_any_number_of_threads() {
    let folder = tricky_export();
    for format in format_names() {
        let runs: BTreeSet<String> = ["1", "1", "8"]
            .map(|threads| {
                let mut command = program(folder.path(), &["check", "--format", format]);
                let output = command.env("RAYON_NUM_THREADS", threads).output().unwrap();
                let text = String::from_utf8(output.stdout).unwrap();
                match format {
                    "human" => without_time(&text),
                    "html" => {
                        let (before, after) = text.split_once("<dt>Time</dt><dd>").unwrap();
                        format!("{before}{}", after.split_once("</dd>").unwrap().1)
                    }
                    _ => without_elapsed(&text),
                }
            })
            .into();
        assert_eq!(runs.len(), 1, "{format}");
    }
}

#[test]
fn sarif_is_valid_and_has_correct_locations() {
    let folder = tricky_export();
    let log = json(folder.path(), "sarif");
    let schema = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/sarif-2.1.0.json"));
    let mut schema: Value = serde_json::from_slice(&schema.unwrap()).unwrap();
    // The official schema has an unescaped `]` here, which strict regex parsers reject.
    for part in ["run", "toolComponent"] {
        schema["definitions"][part]["properties"]["language"]["pattern"] = "^[a-zA-Z]{2}".into();
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&log).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    assert!(!validator.is_valid(&serde_json::json!({ "version": "2.1.0" })), "the schema rejects errors");

    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    assert_eq!(run["originalUriBaseIds"]["EXPORT"]["uri"], "out/");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for rule in rules {
        for key in ["shortDescription", "fullDescription", "help"] {
            assert!(!rule[key]["text"].as_str().unwrap().is_empty(), "{rule}");
        }
        assert!(rule["help"]["markdown"].as_str().unwrap().contains("```"), "{rule}");
    }
    let mut fingerprints = BTreeSet::new();
    for result in run["results"].as_array().unwrap() {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let fingerprint = result["partialFingerprints"]["sitegateFinding/v1"].as_str().unwrap();
        assert!(fingerprints.insert(fingerprint.to_owned()), "each finding has its own: {result}");
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        let name = percent_encoding::percent_decode_str(uri).decode_utf8().unwrap().into_owned();
        let root = match place["artifactLocation"]["uriBaseId"].as_str().unwrap() {
            "EXPORT" => folder.path().join("out"),
            _ => folder.path().to_path_buf(),
        };
        let region = &place["region"];
        if let (Some(start), Some(length)) = (region["byteOffset"].as_u64(), region["byteLength"].as_u64()) {
            let bytes = fs::read(root.join(name)).unwrap();
            let marked = &bytes[start as usize..(start + length) as usize];
            assert_eq!(region["snippet"]["text"].as_str().unwrap().as_bytes(), marked);
            let source = std::str::from_utf8(&bytes).unwrap();
            let line = source.split('\n').nth(region["startLine"].as_u64().unwrap() as usize - 1).unwrap();
            let column = region["startColumn"].as_u64().unwrap() as usize - 1;
            let rest: String = line.chars().skip(column).collect();
            let first = region["snippet"]["text"].as_str().unwrap().split('\n').next().unwrap();
            assert!(rest.starts_with(first), "{rest} {first}");
        }
    }
}

#[test]
fn sarif_has_fixes() {
    let site = folder(&[
        ("public/index.html", &page("<a href=b.HTML>x</a>")),
        ("public/b.html", &page("<a href=/>x</a>")),
    ]);
    commit(site.path());
    let output = program(site.path(), &["check", "public", "--format=sarif"]).output().unwrap();
    let log: Value = serde_json::from_slice(&output.stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let broken = results.iter().find(|result| result["ruleId"] == "broken-link").unwrap();
    let replaced = &broken["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(replaced["insertedContent"]["text"], "b.html", "{log:#}");
}

#[test]
fn sarif_log_is_within_service_limits() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    let contract = "[site]\nroot = \"out\"\n[rules]\nbroken-anchor = \"warn\"\n";
    fs::write(folder.path().join("sitegate.toml"), contract).unwrap();
    let links = |n| format!("<a href=\"gone{n}\">x</a><a href=\"#gone{n}\">x</a>\n");
    let links: String = (0..13_000).map(links).collect();
    fs::write(folder.path().join("out/index.html"), page(&links)).unwrap();
    let log = json(folder.path(), "sarif");
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 25_000);
    assert_eq!(results.iter().filter(|result| result["level"] == "error").count(), 13_000, "errors go first");
    let printed =
        log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].as_str();
    assert!(printed.unwrap().starts_with("1000 causes are left out"), "{printed:?}");
}

#[test]
fn fingerprints_do_not_depend_on_line_numbers() {
    let folder = tricky_export();
    let fingerprints = || -> BTreeSet<String> {
        let issues = json(folder.path(), "gitlab");
        let issues = issues.as_array().unwrap();
        issues.iter().map(|issue| issue["fingerprint"].as_str().unwrap().to_owned()).collect()
    };
    let before = fingerprints();
    let file = folder.path().join("out/index.html");
    let moved = fs::read_to_string(&file).unwrap().replace("<body>", "<body>\n\n<p>more</p>\n");
    fs::write(&file, moved).unwrap();
    assert_eq!(before, fingerprints());
    assert!(before.len() > HREFS.len());
}

#[test]
fn fingerprints_do_not_depend_on_numbers_and_hashes() {
    let fingerprints = |padding: &str, hash: &str| {
        let folder = folder(&[
            (
                "sitegate.toml",
                "[site]\nroot = \"out\"\n[rules]\nsize-budget = { budgets = { \"/*.html\" = 10 } }\n",
            ),
            ("out/index.html", &page(&format!("{padding}<script src=\"/app-{hash}.js\"></script>"))),
            ("out/other.html", &page("<a href=\"/\">x</a>")),
        ]);
        let issues = json(folder.path(), "gitlab");
        let issues = issues.as_array().unwrap().iter();
        let of_gitlab: Vec<_> =
            issues.map(|issue| issue["fingerprint"].as_str().unwrap().to_owned()).collect();
        let sarif = json(folder.path(), "sarif");
        let results = sarif["runs"][0]["results"].as_array().unwrap().iter();
        let of_sarif = results.map(|result| &result["partialFingerprints"]["sitegateFinding/v1"]);
        let of_sarif: Vec<_> = of_sarif.map(|fingerprint| fingerprint.as_str().unwrap().to_owned()).collect();
        assert_eq!(of_gitlab, of_sarif);
        of_sarif.into_iter().collect::<BTreeSet<_>>()
    };
    let before = fingerprints("", "C7ty0Vbn");
    assert_eq!(before, fingerprints("<p>more</p>\n", "DiwrgTda"));
    assert!(before.len() > 3, "{before:?}");
}

#[test]
fn junit_is_xml_with_correct_counts() {
    let folder = tricky_export();
    let text = text(folder.path(), "junit");
    let mut reader = quick_xml::Reader::from_str(&text);
    let (mut cases, mut failures, mut names) = (0, 0, BTreeSet::new());
    let mut counts = (String::new(), String::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => break,
            Event::Start(start) | Event::Empty(start) => {
                let value = |name: &str| {
                    let attribute = start.try_get_attribute(name).unwrap();
                    attribute
                        .map(|attribute| quick_xml::escape::unescape(&attribute.value).unwrap().into_owned())
                };
                match start.name().into_inner() {
                    "testsuites" => counts = (value("tests").unwrap(), value("failures").unwrap()),
                    "testcase" => {
                        cases += 1;
                        assert!(
                            names.insert((value("classname"), value("name"))),
                            "each test has its own name"
                        );
                    }
                    "failure" => failures += 1,
                    _ => {}
                }
            }
            _ => {}
        }
    }
    assert_eq!(counts, (cases.to_string(), failures.to_string()));
    let allowed = |c: char| matches!(c, '\n' | ' '..='\u{7e}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..);
    assert!(text.chars().all(allowed), "no character that XML 1.0 forbids or discourages");
}

#[test]
fn github_has_one_command_per_line_and_relative_paths() {
    let folder = tricky_export();
    let text = text(folder.path(), "github");
    let count = json(folder.path(), "json")["causes"].as_array().unwrap().len();
    let commands: Vec<&str> = text.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(commands.len(), count);
    for command in commands {
        let (properties, _) = command[2..].split_once("::").unwrap();
        let (_, properties) = properties.split_once(' ').unwrap();
        for property in properties.split(',') {
            let (name, value) = property.split_once('=').unwrap();
            let value = value.replace("%3A", ":").replace("%2C", ",").replace("%25", "%");
            let is_stray = value == "out/stray.txt";
            assert!(name != "file" || is_stray || folder.path().join(&value).exists(), "{value}");
        }
    }
    assert!(text.contains("and 4 more places on 3 pages"), "{text}");
}

/// Returns the findings as the script of the page reads them.
fn data_of_html_report(page: &str) -> Value {
    let (_, after) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn html_is_one_file_that_escapes_all_data() {
    let folder = tricky_export();
    let page = text(folder.path(), "html");
    assert_eq!(page.matches("</script>").count(), 2, "the data's and the script's own");
    assert!(!page.contains("<script>alert"));
    assert!(!page.contains("<!--"), "every part of the template is filled");
    for outside in ["src=\"", "http://", "https://", "@import", "url("] {
        let template = page.split("id=\"list\"").next().unwrap();
        assert!(!template.contains(outside), "{outside}: nothing is loaded");
    }
    let data = data_of_html_report(&page);
    let findings = data["findings"].as_array().unwrap();
    let report = json(folder.path(), "json");
    let count = |list: &str| report[list].as_array().unwrap().len();
    assert_eq!(findings.len(), count("findings") * 12);
    assert_eq!(
        page.matches("<article class=\"finding").count(),
        count("causes"),
        "the first are there without JavaScript"
    );
    let texts: Vec<&str> =
        data["texts"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    for finding in findings.chunks(12) {
        let number = |field: usize| finding[field].as_i64().unwrap();
        if let Ok(line) = usize::try_from(number(7)) {
            assert!(number(8) + number(9) <= texts[line].chars().count() as i64);
        }
    }
    let shared = texts.iter().position(|text| *text == "/gone").unwrap() as i64;
    let cause = data["things"].as_array().unwrap().iter().position(|thing| thing.as_i64() == Some(shared));
    let sharing =
        findings.chunks(12).filter(|finding| finding[10].as_u64() == cause.map(|cause| cause as u64));
    assert_eq!(sharing.count(), 5, "one target, with any relative path on any page");
}

#[test]
fn html_lists_findings_first_and_links_locations_to_the_editor() {
    let folder = tricky_export();
    let page = |ci: Option<&str>| {
        let mut command = program(folder.path(), &["check", "--format", "html"]);
        let output = command.env_remove("CI").envs(ci.map(|value| ("CI", value))).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let default = page(None);
    assert!(default.find("id=\"findings\"").unwrap() < default.find("By rule").unwrap());
    let root = folder.path().canonicalize().unwrap();
    let link =
        format!("<a href=\"vscode://file{}/out/index.html:5:17\">out/index.html:5:17</a>", root.display());
    assert!(default.contains(&link), "{link}\n{default}");
    let plain = page(Some("true"));
    assert!(plain.contains("<span class=\"at\">out/index.html:5:17</span>"), "{plain}");
    assert_eq!(data_of_html_report(&plain)["editor"], Value::Null);
}

#[test]
fn inbound_counts_other_files_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("index.html"), "<a href=\"a.html\">x</a><a href=\"a.html#top\">x</a>")
        .unwrap();
    fs::write(folder.path().join("a.html"), "<a href=\"a.html\">x</a><a href=\"/\">x</a>").unwrap();
    fs::write(folder.path().join("b.html"), "<a href=\"a.html\">x</a>").unwrap();
    let config = sitegate_check::Contract::defaults();
    let report = Checker::new(&config).unwrap().run(CheckTarget::Export(folder.path())).unwrap();
    assert_eq!(report.inbound, [2, 0, 1], "a.html, b.html, index.html");
}

#[test]
fn check_writes_several_reports() {
    let folder = tricky_export();
    fs::create_dir(folder.path().join("reports")).unwrap();
    let mut args = Vec::new();
    let formats = format_names();
    let files: Vec<String> = formats.iter().map(|format| format!("reports/{format}")).collect();
    for (format, file) in formats.iter().zip(&files) {
        args.extend(["--report".to_owned(), format!("{format}={file}")]);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let output = run(folder.path(), &args);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("failed"), "standard output has its own report");
    for (format, file) in formats.iter().zip(&files) {
        let written = fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(!written.contains("\u{1b}["), "{format}: a file has no styles");
        if !matches!(*format, "human" | "html") {
            let again = text(folder.path(), format);
            assert_eq!(without_elapsed(&written), without_elapsed(&again), "{format}");
        }
    }
    assert_eq!(
        fs::read_dir(folder.path().join("reports")).unwrap().count(),
        formats.len(),
        "nothing is left over"
    );

    let output = run(folder.path(), &["--format", "json", "--report", "sarif=a.sarif"]);
    assert_eq!(output.status.code(), Some(1));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["schema_version"], 1);
    assert!(folder.path().join("a.sarif").is_file());
}

#[test]
fn every_format_lists_unreadable_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("index.html"), "<a href=\"/\">x</a>").unwrap();
    let config = sitegate_check::Contract::defaults();
    let mut report = Checker::new(&config).unwrap().check(CheckTarget::Export(folder.path())).unwrap();
    report.unreadable.push("secret.html: <permission> & \"denied\"".to_owned());
    report.verdict = Verdict::Incomplete;
    let options = sitegate_check::RenderOptions::default();
    for format in OutputFormat::ALL {
        let mut out = Vec::new();
        sitegate_check::write(format, &report, &options, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("secret.html") || text.contains("secret&#46;html"), "{format:?}\n{text}");
        if format == OutputFormat::Sarif {
            let log: Value = serde_json::from_str(&text).unwrap();
            let invocation = &log["runs"][0]["invocations"][0];
            assert_eq!(invocation["executionSuccessful"], false);
            assert_eq!(invocation["toolExecutionNotifications"][0]["level"], "error");
        }
    }
}
