//! Compares the references of Markdown with what other programs render: `tests/oracle` has the programs that wrote the
//! expectations.

#![allow(clippy::unwrap_used)]

use serde::Deserialize;
use sitegate_html::attributes::decoded_value;
use sitegate_sources::{SourceOptions, scan};

/// A text and the destinations that it renders, without empty ones.
#[derive(Deserialize)]
struct Example {
    input: String,
    destinations: Vec<String>,
}

fn examples(json: &str) -> Vec<Example> {
    serde_json::from_str(json).unwrap()
}

/// Removes percent-encoding, which renderers add.
fn decoded(destination: &str) -> Vec<u8> {
    let bytes = destination.as_bytes();
    let mut decoded = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let code = destination.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code.filter(|_| bytes[at] == b'%') {
            Some(byte) => (decoded.push(byte), at += 3),
            None => (decoded.push(bytes[at]), at += 1),
        };
    }
    decoded
}

/// Returns the destinations that the page shows, sorted, and checks their ranges.
#[track_caller]
fn found(path: &str, text: &str) -> Vec<String> {
    let scan = scan(path, text, SourceOptions::default());
    let mut found = Vec::new();
    for reference in &scan.references {
        let written = &text[reference.range.clone()];
        let is_escaped = written.contains(['\\', '&']);
        let is_same = reference.target == written
            || reference.target == format!("http://{written}")
            || reference.target == format!("mailto:{written}");
        assert!(is_same || is_escaped, "{written} means {}", reference.target);
        assert!(!scan.is_inert(reference.range.start), "{written} is inert in {text}");
        found.extend(
            (0..reference.uses).map(|_| String::from_utf8_lossy(&decoded(&reference.target)).into_owned()),
        );
    }
    found.sort();
    found
}

#[track_caller]
fn compare(path: &str, examples: &[Example]) {
    let mut differences = Vec::new();
    for Example { input, destinations } in examples {
        // Renderers leave character references in raw HTML to browsers.
        let texts = destinations.iter().map(|expected| decoded_value(expected.as_bytes()));
        let expected = texts.map(|expected| String::from_utf8_lossy(&decoded(&expected)).into_owned());
        let mut expected: Vec<String> = expected.collect();
        expected.sort();
        let found = found(path, input);
        if found != expected {
            differences.push(format!("{input:?}\n  rendered {expected:?}\n  found    {found:?}\n"));
        }
    }
    assert!(differences.is_empty(), "{} of {}:\n{}", differences.len(), examples.len(), differences.concat());
}

#[test]
fn finds_what_commonmark_renders() {
    // GitHub and most generators link bare URLs.
    let bare = ["< https://foo.bar >\n", "https://example.com\n"];
    let mut examples = examples(include_str!("oracle/commonmark.json"));
    examples.retain(|example| !bare.contains(&&*example.input));
    assert_eq!(examples.len(), 650);
    compare("a.md", &examples);
}

#[test]
fn finds_what_mdx_renders() {
    compare("a.mdx", &examples(include_str!("oracle/mdx.json")));
}

#[test]
fn finds_what_github_renders() {
    compare("a.md", &examples(include_str!("oracle/gfm.json")));
}

#[test]
fn finds_what_myst_renders() {
    compare("a.md", &examples(include_str!("oracle/myst.json")));
}
