//! Tests of reviews whose builds are large or generated. `commands/review.txt` has those of small ones.

mod kinds;
mod planted;

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::folders::{folder, json, sitegate, stderr, stdout, write};

/// Returns a page with a header, a footer and this content.
fn page(title: &str, content: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"description\" content=\"About {title}\"><link rel=\"stylesheet\" href=\"/style.css\"></head>\
         <body><header><nav><ul><li><a href=\"/\">Home</a></li><li><a href=\"/guide/\">Guide</a></li></ul></nav></header>\
         <main><h1>{title}</h1>{content}</main><footer><p>Made by Acme Inc.</p></footer></body></html>"
    )
}

fn site(pages: &[(&str, &str)]) -> TempDir {
    let folder =
        folder(&[("base/style.css", "body { color: black }"), ("new/style.css", "body { color: black }")]);
    for (name, content) in pages {
        for side in ["base", "new"] {
            write(folder.path(), &format!("{side}/{name}"), &page(name, content));
        }
    }
    folder
}

fn sample() -> TempDir {
    site(&[
        ("index.html", "<p>Welcome to the site.</p>"),
        ("guide/index.html", "<h2>Install</h2><p>Run the program.</p><p>It is fast.</p>"),
        ("about/index.html", "<p>We are a company.</p><p>We make sites.</p>"),
    ])
}

fn diff(folder: &Path, args: &[&str]) -> Output {
    sitegate(folder, &[&["diff", "base", "new"], args].concat())
}

/// Compares the two builds, and returns the review.
fn review(folder: &Path, args: &[&str]) -> Value {
    let output = diff(folder, &[&["--format", "json", "--no-config"], args].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    json(&output)
}

fn edit(folder: &Path, file: &str, from: &str, to: &str) {
    let path = folder.join("new").join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file} has no {from}");
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn a_bomb_is_refused() {
    let folder = sample();
    let gzip = |text: &[u8]| {
        let mut bytes = Vec::new();
        sitegate_address::inventory::Compression::Gzip.write(text, &mut bytes).unwrap();
        bytes
    };
    // Gzip allows several compressed texts in a row.
    let spaces = gzip(&vec![b' '; 1 << 20]);
    let bytes = [gzip(b"sitegate-facts 5 0.1.0\n"), spaces.repeat(512), gzip(b"  ")].concat();
    assert!(bytes.len() < 1 << 20);
    fs::write(folder.path().join("bomb.gz"), bytes).unwrap();
    let output = sitegate(folder.path(), &["diff", "bomb.gz", "new"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("more page facts than this program reads"));
}

#[test]
fn unusual_pages_are_compared() {
    let folder = site(&[]);
    let root = folder.path();
    // UTF-16, a legacy encoding, one line without blocks, and many megabytes.
    for (side, word) in [("base", "caf\u{e9}"), ("new", "th\u{e9}")] {
        let text = format!("<!doctype html><title>T</title><p>Le {word} du matin.</p>");
        let utf16: Vec<u8> =
            [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        fs::write(root.join(side).join("utf16.html"), utf16).unwrap();
        let legacy = text.replace("<title>", "<meta charset=\"iso-8859-1\"><title>").replace("matin", "soir");
        let legacy: Vec<u8> = legacy.chars().map(|c| c as u8).collect();
        fs::write(root.join(side).join("legacy.html"), legacy).unwrap();
        let words: Vec<String> = (0..300_000).map(|number| format!("<b>w{number}</b>")).collect();
        let large = words.join(" ").replace("w150000<", &format!("w150000 {word}<"));
        write(root, &format!("{side}/large.html"), &format!("<!doctype html><title>T</title>{large}"));
    }
    let found = review(root, &[]);
    let texts: Vec<String> = found["causes"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|cause| cause["texts"].as_array().unwrap())
        .map(|parts| {
            parts
                .as_array()
                .unwrap()
                .iter()
                .map(|part| part["text"].as_str().unwrap())
                .collect::<Vec<_>>()
                .join("|")
        })
        .collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert!(texts.contains(&"Le|caf\u{e9}|th\u{e9}|du matin.".to_owned()), "{texts:?}");
    assert!(texts.contains(&"Le|caf\u{e9}|th\u{e9}|du soir.".to_owned()), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("w150000|caf\u{e9}|th\u{e9}|w150001")), "{texts:?}");
}

#[test]
fn markdown_is_bounded_and_escaped() {
    let folder = site(&[]);
    let root = folder.path();
    for number in 0..3000 {
        // Other places are other causes.
        let text = format!("<p class=\"c{number}\">Text {number} of {}.</p>", "x".repeat(40));
        let text = page(&format!("Page {number}"), &text);
        write(root, &format!("base/{number}/index.html"), &text);
        let evil = "&lt;/details>&lt;img src=x> ![a](https://x.example) @everyone";
        let text =
            if number % 10 == 0 { text.replace("Text", &format!("{evil} Text {number}")) } else { text };
        write(root, &format!("new/{number}/index.html"), &text);
    }
    let text = stdout(&diff(root, &["--format", "markdown"]));
    assert!(text.len() < 65_536, "{}", text.len());
    assert!(text.starts_with("<!-- sitegate review -->\n"));
    assert_eq!(text.matches("<details>").count(), 1);
    assert_eq!(text.matches("</details>").count(), 1);
    for markup in ["<img", "![", "@everyone", "https://x"] {
        assert!(!text.contains(markup), "{markup}");
    }
    let html = stdout(&diff(root, &["--format", "html"]));
    assert!(!html.contains("<img") && !html.contains("<script") && html.contains("default-src 'none'"));
}

#[test]
fn the_review_matches_its_schema() {
    let folder = sample();
    edit(folder.path(), "index.html", "Welcome", "Hello");
    let schema = stdout(&sitegate(folder.path(), &["schema", "review"]));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sitegate.review.schema.json");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &schema).unwrap();
    }
    assert_eq!(fs::read_to_string(file).unwrap(), schema, "run: UPDATE=1 cargo test --test program review");
    let validator = jsonschema::draft7::new(&serde_json::from_str(&schema).unwrap()).unwrap();
    let found = review(folder.path(), &["--preview", "https://pr.example"]);
    assert!(validator.is_valid(&found), "{found:#}");
}

#[test]
fn growth_is_compared_with_the_size_budget() {
    let folder = sample();
    let root = folder.path();
    for (side, size) in [("base", 100_000), ("new", 106_000)] {
        write(root, &format!("{side}/big.png"), &"x".repeat(size));
        let text = page("Home", "<p>Welcome to the site.</p><img src=\"/big.png\" alt=\"\">");
        write(root, &format!("{side}/index.html"), &text);
    }
    assert!(!stdout(&diff(root, &[])).contains("Page weight"));
    let contract = "[rules.size-budget]\npages = { \"/**\" = 200_000, \"/index.html\" = { raw = 50_000 } }\n";
    write(root, "sitegate.toml", contract);
    let text = stdout(&diff(root, &[]));
    let line = "image files of a page: 100.0 kB \u{2192} 106.0 kB (+6 %; the growth is 12 % of the";
    assert!(text.contains(line), "{text}");
    write(root, "sitegate.toml", &contract.replace("size-budget]", "size-budget]\nlevel = \"off\""));
    assert!(!stdout(&diff(root, &[])).contains("Page weight"));
}

#[test]
fn every_run_writes_the_same() {
    let folder = sample();
    let root = folder.path();
    for (side, word) in [("base", "old"), ("new", "new")] {
        for number in 0..30 {
            let blocks: String =
                (0..9).map(|block| format!("<h{0}>{word} {block}</h{0}>", block % 6 + 1)).collect();
            let hosts: String = (0..9).map(|host| format!("<img src=https://h{host}.example alt>")).collect();
            let text = page(&format!("{word} {number}"), &format!("{blocks}{hosts}"));
            write(root, &format!("{side}/{number}.html"), &text);
        }
    }
    let run = || {
        sitegate(root, &["check", "new", "--no-config", "--facts", "new.facts.gz"]);
        (fs::read(root.join("new.facts.gz")).unwrap(), diff(root, &[]).stdout)
    };
    let first = run();
    for _ in 0..5 {
        assert!(run() == first);
    }
}
