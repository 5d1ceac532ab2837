//! Tests with names that are commands for terminals or CI systems, such as `::error::` or `ESC ]0;`. In file names, titles,
//! ids and links, all commands must escape them in all formats.

#![cfg(unix)]

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Output, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use sitegate_base::sanitize::is_unseen;
use tempfile::TempDir;

use crate::formats::format_names;

use crate::folders::{program, write};

/// Names that are valid keys in a store, including misleading ones.
const KEYS: [&str; 6] = [
    "::error::a",
    "##[error]b",
    "##vso[task.complete]c",
    "d\u{202e}fdp\u{2066}",
    "e\u{200b}\u{2028}::warning::\u{feff}",
    "f`|@everyone](javascript:alert(1))<img src=x onerror=alert(1)>",
];

/// Names that are valid in file systems but not in stores.
const NAMES: [&str; 6] = [
    "g\n::error::injected",
    "h\r\u{1b}[0Ksection_start:1:x\r\u{1b}[0K",
    "i\u{1b}]0;title\u{7}\u{1b}[2J",
    "j\u{7f}\u{9b}31m\u{85}",
    "k\u{8}\u{b}\u{c}\n##[group]x\n##vso[task.setvariable variable=x]y",
    "l\"]]\nnot-found = \"evil\"\n[[ignore]]\nurl = \"",
];

/// Escapes text for an attribute, where line breaks are kept.
fn in_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// Creates an export in `site` with hostile names, titles, ids, hosts and links. `finds` adds many findings.
fn folder(names: &[&str], finds: bool) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    fs::create_dir_all(&site).unwrap();
    let page = |title: &str, body: &str| {
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head><body><h1>x</h1>{body}</body></html>"
        )
    };
    fs::write(site.join("index.html"), page("Home", "<a href=\"/\">x</a>")).unwrap();
    for name in names {
        let text = in_markup(name);
        let body = if !finds {
            String::new()
        } else {
            format!(
                "<p id=\"{text}\"><p id=\"{text}\"><a href=\"/gone/{text}\">x</a><a href=\"#{text}x\">x</a><img src=\"{text}.png\">\
             <a href=\"https://{text}.example.com/\">x</a><a href=\"mailto:{text}\">x</a><a href=\"http://good.test/{text}\">x</a>\
             <a hreflang=\"{text}\" href=\"/\">x</a><!-- sitegate-ignore {text}: x --><link rel=\"canonical\" href=\"/{text}\">\
             <script type=\"module\">import {json}; import \"{text}\"</script><a href=\"#:~:text={text}\">x</a>",
                json = serde_json::to_string(&format!("./{name}.js")).unwrap(),
            )
        };
        fs::write(site.join(format!("{name}.html")), page(&text, &body)).unwrap();
        if finds {
            write(&site, &format!("{name}/index.html"), &page(&text, &body));
            let css = format!("a{{background:url(\"{}\")}}", name.replace('\n', ""));
            write(&site, &format!("{name}.css"), &css);
            std::os::unix::fs::symlink("nowhere", site.join(format!("{name}.link"))).unwrap();
        }
    }
    if finds {
        let words = names.iter().map(|name| name.replace(['\n', ' '], ""));
        let redirects: String = words.map(|word| format!("/{word} /gone{word}\n")).collect();
        write(&site, "_redirects", &redirects);
        let robots: String =
            names.iter().map(|name| format!("Sitemap: https://www.acme.test/{name}.xml\n")).collect();
        write(&site, "robots.txt", &robots);
        let manifest = serde_json::json!({"start_url": names[0], "icons": [{"src": names[1]}]});
        write(&site, "site.webmanifest", &manifest.to_string());
    }
    folder
}

/// Variables of CI systems that obey commands in the log.
const LOG_READERS: [(&str, &str); 3] =
    [("GITHUB_ACTIONS", "true"), ("TF_BUILD", "True"), ("TEAMCITY_VERSION", "2025.3")];

fn sitegate(arguments: &[&str], folder: &Path) -> Output {
    program(folder, arguments).envs(LOG_READERS).output().unwrap()
}

/// Returns a command in a line of the text that a terminal or CI system would run.
fn find_command(text: &str, annotates: bool) -> Option<String> {
    if let Some(c) = text.chars().find(|&c| c != '\n' && is_unseen(c)) {
        let at = text.find(c).unwrap();
        return Some(format!(
            "{c:?} in {:?}",
            text[at.saturating_sub(80)..].chars().take(120).collect::<String>()
        ));
    }
    text.lines().find_map(|line| {
        let own = annotates
            && (line.starts_with("::error file=")
                || line.starts_with("::warning file=")
                || line.starts_with("::error title=sitegate::"));
        let is_command = line.trim_start().starts_with("::") && !own;
        let has_marker = ["##[", "##vso["].iter().any(|marker| line.contains(marker));
        (is_command || has_marker).then(|| line.to_owned())
    })
}

/// Runs a command with and without colors, and asserts that its output contains no command.
fn assert_prints_no_command(arguments: &[&str], folder: &Path) -> Output {
    let output = sitegate(arguments, folder);
    let annotates = arguments.contains(&"github");
    for bytes in [&output.stdout, &output.stderr] {
        let text = std::str::from_utf8(bytes).unwrap();
        assert_eq!(find_command(text, annotates), None, "{arguments:?}");
    }
    assert!(!output.stdout.is_empty() || !output.stderr.is_empty(), "{arguments:?} says nothing");
    output
}

#[test]
fn reports_contain_no_command() {
    let names: Vec<&str> = KEYS.iter().chain(&NAMES).copied().collect();
    let folder = folder(&names, true);
    let config = "[site]\norigin = \"https://www.acme.test\"\nhost = \"netlify\"\n[rules]\nbroken-text-fragment = \"warn\"\nunreferenced-file = \"warn\"\n";
    fs::write(folder.path().join("sitegate.toml"), config).unwrap();
    for format in format_names() {
        let output = assert_prints_no_command(&["check", "site", "--format", format, "--all"], folder.path());
        assert_eq!(output.status.code(), Some(1), "{format}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let (report, other) = (format!("{format}=report"), if format == "human" { "json" } else { "human" });
        let arguments = ["check", "site", "--report", &report, "--format", other];
        assert_prints_no_command(&arguments, folder.path());
        let file = fs::read_to_string(folder.path().join("report")).unwrap();
        assert_eq!(find_command(&file, format == "github"), None, "{format}");
        match format {
            "json" | "sarif" | "gitlab" | "rdjson" => drop(serde_json::from_str::<Value>(&text).unwrap()),
            "junit" => assert_well_formed(&text),
            "html" => assert!(!text.contains("<img") && !text.contains("href=\"javascript")),
            "markdown" => {
                assert!(!text.contains("<img") && !text.contains("](") && !text.contains("@everyone"));
            }
            _ => {}
        }
    }
    let json = sitegate(&["check", "site", "--format", "json"], folder.path()).stdout;
    let report: Value = serde_json::from_slice(&json).unwrap();
    let files: Vec<&str> =
        report["findings"].as_array().unwrap().iter().filter_map(|found| found["file"].as_str()).collect();
    for name in &names {
        assert!(files.contains(&format!("{name}.html").as_str()), "JSON keeps {name:?}");
    }
    let coloured = program(folder.path(), &["check", "site", "--all"])
        .envs(LOG_READERS)
        .env("CLICOLOR_FORCE", "1")
        .output()
        .unwrap();
    let text = String::from_utf8(coloured.stdout).unwrap();
    assert!(text.contains("\u{1b}[1m"));
    let styles = regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap();
    assert_eq!(find_command(&styles.replace_all(&text, ""), false), None);
}

fn assert_well_formed(xml: &str) {
    let mut reader = quick_xml::Reader::from_str(xml);
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Eof => return,
            quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag) => {
                assert!(tag.attributes().all(|attribute| attribute.is_ok()));
            }
            _ => {}
        }
    }
}

#[test]
fn other_commands_print_no_command() {
    let names: Vec<&str> = KEYS.iter().chain(&NAMES).copied().collect();
    let hostile = folder(&names, true);
    let folder = hostile.path();
    assert_prints_no_command(&["init", "site", "--config", "draft.toml"], folder);
    assert_prints_no_command(&["check", "site", "--write-baseline", "known.json", "--by-cause"], folder);
    fs::write(folder.join("site/index.html"), "<!doctype html>").unwrap();
    let first = folder.join("site").join(format!("{}.html", names[0]));
    fs::remove_file(first).unwrap();
    for format in format_names() {
        assert_prints_no_command(&["check", "site", "--baseline", "known.json", "--format", format], folder);
    }
    for name in &names {
        let quoted = toml::Value::String((*name).to_owned());
        for contract in [format!("extends = {quoted}\n"), format!("{quoted} = 1\n")] {
            write(folder, "bad.toml", &contract);
            assert_prints_no_command(&["check", "site", "--config", "bad.toml"], folder);
        }
        assert_prints_no_command(&["check", name], folder);
        assert_prints_no_command(&["explain", name], folder);
        assert_prints_no_command(&["verify", name, "--seal", name], folder);
        assert_prints_no_command(&["publish", "--dry-run", name, "site", "--seal", name], folder);
    }
    let mut watch = program(folder, &["check", "site", "--watch", "--all", "--no-config"])
        .envs(LOG_READERS)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = watch.stdout.take().unwrap();
    let reader = thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).unwrap();
        text
    });
    thread::sleep(Duration::from_secs(2));
    fs::remove_file(folder.join("site").join(format!("{}.html", names[6]))).unwrap();
    thread::sleep(Duration::from_secs(2));
    watch.kill().unwrap();
    watch.wait().unwrap();
    let text = reader.join().unwrap();
    assert!(text.contains("watching"));
    assert_eq!(find_command(&text, false), None);
}

#[test]
fn publishing_commands_print_no_command() {
    let publishable = folder(&KEYS, false);
    let folder = publishable.path();
    let target = format!("file://{}", folder.join("live").display());
    let formats: [&[&str]; 2] = [&[], &["--format", "json"]];
    fs::write(folder.join("sitegate.toml"), "[rules]\norphan-page = \"off\"\n").unwrap();
    let seal = |folder: &Path| {
        let output = assert_prints_no_command(&["check", "site", "--seal", "seal.json"], folder);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    };
    seal(folder);
    let publish = ["publish", &target, "site", "--seal", "seal.json"];
    for format in formats {
        assert_prints_no_command(&[&publish[..], &["--dry-run"], format].concat(), folder);
    }
    let published = assert_prints_no_command(&[&publish[..], &["--events"]].concat(), folder);
    assert!(published.status.success(), "{}", String::from_utf8_lossy(&published.stderr));
    let first = folder.join("site").join(format!("{}.html", KEYS[0]));
    fs::write(&first, fs::read_to_string(&first).unwrap() + "<p>more").unwrap();
    assert_prints_no_command(&publish, folder);
    seal(folder);
    assert_prints_no_command(&[&publish[..], &["--format", "json"]].concat(), folder);
    // The output names files changed by hand and files that would be lost.
    for key in KEYS {
        fs::write(folder.join("live").join(format!("{key}.html")), "by hand").unwrap();
    }
    fs::remove_file(&first).unwrap();
    seal(folder);
    let drifted = assert_prints_no_command(&publish, folder);
    assert_eq!(drifted.status.code(), Some(4), "{}", String::from_utf8_lossy(&drifted.stderr));
    for format in formats {
        assert_prints_no_command(&[&["target", "status", &target], format].concat(), folder);
        assert_prints_no_command(&[&["rollback", &target, "--dry-run"], format].concat(), folder);
    }
    assert_prints_no_command(&["target", "gc", &target, "--dry-run"], folder);
    assert_prints_no_command(&["target", "unlock", &target], folder);
    assert_prints_no_command(&["serve", "site", "--port", "0", "--stop-after", "0"], folder);
    for name in NAMES {
        fs::write(folder.join("site").join(format!("{name}.txt")), "x").unwrap();
        sitegate(&["check", "site", "--seal", "seal.json"], folder);
        assert_prints_no_command(&publish, folder);
    }
}

/// `:::` begins a directive of Markdown: people must be able to copy what they read.
#[test]
fn only_commands_of_the_present_system_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let page =
        "<!doctype html><html lang=en><title>t</title><body><a href=':::tip'>a</a><a href='##[x]'>b</a>";
    write(folder.path(), "site/index.html", page);
    let print = |variables: &[(&str, &str)]| {
        let mut command = program(folder.path(), &["check", "site", "--all"]);
        for (name, _) in LOG_READERS {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let plain = print(&[]);
    assert!(plain.contains("##[x]") && plain.contains(":::tip") && !plain.contains("\\u"), "{plain}");
    assert_eq!(find_command(&print(&LOG_READERS), false), None);
    assert!(print(&LOG_READERS[2..]).contains("##[x]"));
}
