//! Attacks the formats of `render` and of reviews with saved reports: each text of a report in turn is hostile.

use std::fs;
use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};
use sitegate_base::sanitize::{LogReaders, SanitizingWriter};
use sitegate_check::{OutputFormat, RenderOptions, Report, write as write_report};
use sitegate_review::Review;
use sitegate_review::output::{self, ReviewFormat};

use crate::folders::{folder, program, sitegate, stdout, write};

/// Texts that would run a script, control a terminal or a CI system, mention people, or begin other markup.
const HOSTILE: [&str; 3] = [
    "\"'></script></title></style><img src=x onerror=hostile()>`<b onclick=hostile()>",
    "\u{1b}]0;hostile\u{7}\n::error::hostile\r\n##[error]hostile\n# hostile\u{202e}",
    "javascript:hostile()//@everyone a@b.example https://hostile.example www.hostile.example ![a](b) |",
];

/// Replaces the text number `wanted` of a document. Returns whether there is one.
fn replace(value: &mut Value, wanted: usize, by: &str) -> bool {
    fn visit(value: &mut Value, left: &mut usize, by: &str) -> bool {
        match value {
            Value::String(text) if *left == 0 => {
                by.clone_into(text);
                true
            }
            Value::String(_) => {
                *left -= 1;
                false
            }
            Value::Array(values) => values.iter_mut().any(|value| visit(value, left, by)),
            Value::Object(fields) => fields.values_mut().any(|value| visit(value, left, by)),
            _ => false,
        }
    }
    let mut left = wanted;
    visit(value, &mut left, by)
}

/// A report with as many kinds of entries as possible.
fn report() -> Value {
    let folder = folder(&[
        ("project/src/index.md", "# Title\n\n[x](/gone/)\n"),
        (
            "project/sitegate.toml",
            "[site]\nroot = \"dist\"\n[source]\ninclude = [\"src/**\"]\nlink = \"https://git.example/{file}#L{line}\"\n\
          [[ignore]]\nrule = \"missing-lang\"\nreason = \"none\"\n[check]\nbaseline = \"known.json\"\n",
        ),
        (
            "project/known.json",
            "{\"schema_version\":1,\"kind\":\"sitegate-baseline\",\"findings\":[{\"file\":\"a.html\",\"rule\":\"broken-link\",\"url\":\"/g\",\"count\":1}]}",
        ),
        (
            "project/dist/index.html",
            "<!doctype html><html lang=en><meta charset=utf-8><title>t</title><h1>t</h1><a href=\"/gone/\">x</a><a href=\"/gone/\">y</a>\
          <a href=\"https://other.example/\">o</a><a href=\"/a.html\">a</a>",
        ),
        (
            "project/dist/a.html",
            "<!doctype html><meta charset=utf-8><!-- sitegate-ignore broken-link: reasons --><title>a</title><h1>a</h1><a href=\"/no/\">x</a>\
          <img src=\"/gone.png\">",
        ),
        (
            "project/dist/lonely.html",
            "<!doctype html><html lang=en><meta charset=utf-8><title>l</title><h1>l</h1>",
        ),
    ]);
    let output = sitegate(&folder.path().join("project"), &["check", "--format", "json"]);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

/// Returns a report in each format.
fn rendered(report: &Report) -> Vec<(&'static str, String)> {
    let options = RenderOptions { all: true, ..RenderOptions::default() };
    let write = |format: OutputFormat| {
        let mut out = Vec::new();
        // As the program does, if all systems read its log.
        let mut safe = match format {
            OutputFormat::Github => SanitizingWriter::with_commands(&mut out),
            _ => SanitizingWriter::new(&mut out),
        }
        .for_readers(LogReaders::ALL);
        write_report(format, report, &options, &mut safe).and_then(|()| safe.flush()).unwrap();
        drop(safe);
        let text = String::from_utf8(out).unwrap();
        // The program's own styles.
        let styles = ["", "1", "2", "4", "31", "32", "33", "34", "35", "36", "0"]
            .map(|style| format!("\u{1b}[{style}m"));
        (format.name(), styles.iter().fold(text, |text, style| text.replace(style, "")))
    };
    OutputFormat::ALL.map(write).into()
}

/// Checks what a format wrote.
fn check_harmless(format: &str, text: &str, context: &str) {
    // Programs read these, and JSON allows bidi marks.
    let is_data = matches!(format, "json" | "sarif" | "gitlab" | "rdjson");
    let is_control = |c: char| c.is_control() && c != '\n' || c == '\u{202e}' && !is_data;
    let near = text
        .find(is_control)
        .map(|at| &text[text.floor_char_boundary(at.saturating_sub(60))..text.ceil_char_boundary(at + 1)]);
    assert_eq!(near, None, "{context}: a control character");
    for line in text.lines() {
        let line = line.trim_start();
        assert!(
            !line.starts_with("::error::hostile") && (is_data || !line.contains("##[error]")),
            "{context}: {line}"
        );
    }
    match format {
        "html" => {
            for markup in ["<img", "<b onclick", "href=\"javascript:", "</script></title>"] {
                assert!(!text.contains(markup), "{context}: {markup}");
            }
            assert_eq!(text.matches("<script").count(), text.matches("</script").count(), "{context}");
            check_policy(text, context);
        }
        "markdown" => {
            // Autolinks are in texts, not in attributes.
            let mut parts = text.split("<a href=\"https&#58;//p.example/");
            let first = parts.next().unwrap_or_default().to_owned();
            let text = parts.fold(first, |text, part| text + part.split_once("\">").unwrap().1);
            let text = text.replace("<!-- -->", "");
            for markup in [
                "<img",
                "<b onclick",
                "href=\"javascript:",
                "@everyone",
                "://hostile",
                "www.hostile",
                "![",
                "\n# ",
            ] {
                let line = text.lines().find(|line| line.contains(markup));
                assert_eq!(line, None, "{context}: {markup}");
            }
        }
        "junit" => {
            for markup in ["<img", "<b onclick"] {
                assert!(!text.contains(markup), "{context}: {markup}");
            }
        }
        "json" | "sarif" | "gitlab" => drop(serde_json::from_str::<Value>(text).unwrap()),
        _ => {}
    }
}

/// Checks that the policy of a page allows its inline scripts and styles by their hashes, and nothing else inline.
fn check_policy(page: &str, context: &str) {
    let policy =
        page.split_once("Content-Security-Policy\" content=\"").unwrap().1.split_once('"').unwrap().0;
    let policy = policy.replace("&#39;", "'").replace("&#x27;", "'");
    assert!(!policy.contains("unsafe") && policy.starts_with("default-src 'none'"), "{policy}");
    for (start, end) in [("<script>", "</script>"), ("<style>", "</style>")] {
        for part in page.split(start).skip(1) {
            let content = part.split_once(end).unwrap().0;
            let hash = format!("'sha256-{}'", STANDARD.encode(Sha256::digest(content)));
            assert!(policy.contains(&hash), "{context}: {hash} is not in {policy}");
        }
    }
    for attribute in [" style=\"", " onclick=\"", " onload=\""] {
        assert!(!page.contains(attribute), "{context}: {attribute}");
    }
}

#[test]
fn no_text_of_a_report_is_markup_or_a_command() {
    let report = report();
    let folder = folder(&[]);
    let mut fields = 0;
    for number in 0.. {
        let mut is_end = false;
        for (kind, hostile) in HOSTILE.iter().enumerate() {
            let mut changed = report.clone();
            if !replace(&mut changed, number, hostile) {
                is_end = true;
                break;
            }
            let text = serde_json::to_vec(&changed).unwrap();
            let Ok(read) = Report::from_json(&text) else { continue };
            fields += 1;
            for (format, written) in rendered(&read) {
                check_harmless(format, &written, &format!("text {number}, hostile {kind}, {format}"));
            }
            if number % 40 == 0 {
                fs::write(folder.path().join("report.json"), &text).unwrap();
                let mut render = program(folder.path(), &["render", "report.json", "--format", "html"]);
                let output = render.env("GITHUB_ACTIONS", "true").output().unwrap();
                check_harmless("html", &stdout(&output), &format!("text {number}"));
            }
        }
        if is_end {
            break;
        }
    }
    assert!(fields > 100, "{fields}");
}

#[test]
fn no_text_of_a_review_is_markup_or_a_command() {
    let folder = folder(&[]);
    let root = folder.path();
    let page = |text: &str| {
        format!(
            "<!doctype html><html lang=en><title>{text}</title><p>{text} words</p><a href=/{text}>a</a><script>{text}</script>"
        )
    };
    for (side, text) in [("base", "one"), ("new", "two")] {
        for name in ["index.html", "a.html", "b.html"] {
            write(root, &format!("{side}/{name}"), &page(text));
        }
        write(root, &format!("{side}/{text}.html"), &page(text));
        write(root, &format!("{side}/_redirects"), &format!("/x /{text} 301"));
        write(root, &format!("{side}/run.sh"), text);
    }
    let output = sitegate(
        root,
        &["diff", "base", "new", "--no-config", "--format", "json", "--preview", "https://p.example"],
    );
    let review: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut fields = 0;
    for number in 0.. {
        let mut changed = review.clone();
        if !replace(&mut changed, number, "") {
            break;
        }
        for (kind, hostile) in HOSTILE.iter().enumerate() {
            replace(&mut changed, number, hostile);
            let Ok(read) = serde_json::from_value::<Review>(changed.clone()) else { continue };
            fields += 1;
            for format in ReviewFormat::ALL {
                let name = format.name();
                let mut written = Vec::new();
                let mut safe = SanitizingWriter::new(&mut written).for_readers(LogReaders::ALL);
                output::write(&read, format, &mut safe).and_then(|()| safe.flush()).unwrap();
                drop(safe);
                check_harmless(
                    name,
                    &String::from_utf8(written).unwrap(),
                    &format!("text {number}, hostile {kind}, {name}"),
                );
            }
        }
    }
    assert!(fields > 100, "{fields}");
}
