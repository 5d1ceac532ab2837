//! Compares references with what other programs find in the same texts: renderers of documents, and parsers of other
//! formats. `oracle/` has the texts with these expectations, and the programs that wrote them.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

use serde::Deserialize;
use sitegate_address::percent::decode_lossy;
use sitegate_html::attributes::decoded_value;
use sitegate_sources::{Manner, SourceOptions, SourceReference, scan};

/// A text, and the destinations that another program finds, without empty ones.
#[derive(Deserialize)]
struct Example {
    #[serde(alias = "text")]
    input: String,
    #[serde(alias = "references")]
    destinations: Vec<String>,
    /// The name of the file, if the examples have several formats.
    path: Option<String>,
    ranges: Option<Vec<(usize, usize)>>,
}

fn examples(name: &str) -> Vec<Example> {
    let path = format!("{}/tests/oracle/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Removes what differs between a destination and its text: white space and escapes.
fn plain(text: &str) -> String {
    text.chars().filter(|char| !char.is_whitespace() && *char != '\\').collect()
}

/// Compares the destinations that a page shows, each as often as it does, with those that a renderer writes.
/// `canonical` removes what renderers add to both.
#[track_caller]
fn compare_rendered(path: &str, examples: &[Example], canonical: fn(&str) -> String) {
    let mut differences = Vec::new();
    for Example { input, destinations, .. } in examples {
        let scan = scan(path, input, SourceOptions::default());
        let mut found = Vec::new();
        for reference in &scan.references {
            let written = &input[reference.range.clone()];
            let is_same = |scheme: &&str| plain(&reference.target) == plain(&format!("{scheme}{written}"));
            let has_references = written.contains('&') && path != "a.rst";
            let is_meant = has_references || ["", "http://", "mailto:"].iter().any(is_same);
            assert!(is_meant, "{written} means {}", reference.target);
            assert!(!scan.is_inert(reference.range.start), "{written} is inert in {input}");
            found.extend((0..reference.uses).map(|_| canonical(&reference.target)));
        }
        found.sort();
        let mut expected: Vec<String> = destinations.iter().map(|shown| canonical(shown)).collect();
        expected.sort();
        if found != expected {
            differences.push(format!("{input:?}\n  rendered {expected:?}\n  found    {found:?}\n"));
        }
    }
    assert!(differences.is_empty(), "{} of {}:\n{}", differences.len(), examples.len(), differences.concat());
}

/// Compares destinations of Markdown without percent-encoding, which renderers add.
#[track_caller]
fn compare_markdown(path: &str, mut examples: Vec<Example>) {
    for destination in examples.iter_mut().flat_map(|example| &mut example.destinations) {
        // Renderers leave character references in raw HTML to browsers.
        *destination = decoded_value(destination.as_bytes()).into_owned();
    }
    compare_rendered(path, &examples, |destination| decode_lossy(destination).into_owned());
}

#[test]
fn finds_what_commonmark_renders() {
    // GitHub and most generators link bare URLs.
    let bare = ["< https://foo.bar >\n", "https://example.com\n"];
    let mut examples = examples("commonmark");
    examples.retain(|example| !bare.contains(&&*example.input));
    assert_eq!(examples.len(), 650);
    compare_markdown("a.md", examples);
}

#[test]
fn finds_what_other_dialects_of_markdown_render() {
    for (name, path) in [("mdx", "a.mdx"), ("gfm", "a.md"), ("myst", "a.md")] {
        compare_markdown(path, examples(name));
    }
}

/// Removes what Sphinx adds or resolves: `mailto:`, and the start of a path.
fn without_start(target: &str) -> String {
    if let Some(address) = target.strip_prefix("mailto:") {
        return address.to_owned();
    }
    let path = target.trim_start_matches('/');
    if path.len() < target.len() { path } else { target.trim_start_matches("../") }.to_owned()
}

#[test]
fn finds_what_sphinx_renders() {
    let examples = examples("restructured");
    assert!(examples.len() > 200);
    compare_rendered("a.rst", &examples, without_start);
}

/// Replaces each reference by another one, and checks that nothing else changes: this is what an edit relies on.
#[track_caller]
fn replace_each(path: &str, input: &str) {
    const NEW: &str = "/moved/to.html";
    let before = scan(path, input, SourceOptions::default());
    for (index, reference) in before.references.iter().enumerate() {
        let mut edited = input.to_owned();
        edited.replace_range(reference.range.clone(), NEW);
        let after = scan(path, &edited, SourceOptions::default());
        let mut expected: Vec<_> =
            before.references.iter().map(|found| (found.manner, &*found.target)).collect();
        expected[index].1 = NEW;
        let found: Vec<_> = after.references.iter().map(|found| (found.manner, &*found.target)).collect();
        assert_eq!(found, expected, "{path}: {input}\n{edited}");
        assert_eq!((before.inert.len(), before.tags.len()), (after.inert.len(), after.tags.len()), "{input}");
    }
}

/// Compares the references of all examples that a filter accepts, in their order.
#[track_caller]
fn compare_parsed(name: &str, path: &str, accepts: fn(&SourceReference<'_>) -> bool) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for Example { input, destinations, path: own, ranges } in examples(name) {
        let path = own.as_deref().unwrap_or(path);
        let found = scan(path, &input, SourceOptions::default());
        let found: Vec<_> = found.references.iter().filter(|found| accepts(found)).collect();
        for reference in &found {
            let written = &input[reference.range.clone()];
            assert!(written == reference.target || written.contains(['\\', '&', '\'']), "{input}: {written}");
        }
        if let Some(ranges) = ranges {
            let found = found.iter().map(|found| (found.range.start, found.range.end));
            assert_eq!(found.collect::<Vec<_>>(), ranges, "{input}");
        }
        replace_each(path, &input);
        count += destinations.len();
        let found: Vec<_> = found.into_iter().map(|found| found.target.clone()).collect();
        if found != destinations {
            wrong.push(format!("{path}: {input}\n  found    {found:?}\n  expected {destinations:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {name}:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
    assert!(count > 100, "{count} destinations");
}

#[test]
fn attributes_are_those_of_parse5_and_of_the_compilers_of_components() {
    compare_parsed("html", "a.html", |found| found.manner == Manner::Attribute);
    compare_parsed("components", "", |found| matches!(found.manner, Manner::Attribute | Manner::Value));
}

#[test]
fn values_of_data_are_those_of_yaml_tomllib_and_netlify() {
    for (name, path) in [("yaml", "a.yml"), ("toml", "a.toml"), ("redirects", "_redirects")] {
        compare_parsed(name, path, |found| found.manner == Manner::Value);
    }
}

#[test]
fn literals_of_scripts_are_those_of_babel() {
    compare_parsed("scripts", "a.jsx", |found| found.manner != Manner::Text);
}

#[test]
fn urls_of_styles_are_those_of_their_compilers() {
    compare_parsed("styles", "", |_| true);
}

#[test]
fn any_text_has_ranges_in_order_in_any_format() {
    #[rustfmt::skip]
    let paths = [
        "a.html", "a.vue", "a.astro", "a.svelte", "a.scss", "a.yml", "a.toml", "a.json", "a.tsx", "_redirects", "_toc.yml",
        "sidebars.js",
    ];
    let names = ["html", "components", "styles", "yaml", "toml", "scripts", "redirects"];
    let texts = names.iter().flat_map(|name| examples(name)).map(|example| example.input);
    for (index, text) in texts.enumerate() {
        // A part of the text, which ends in the middle of a construct.
        let ends: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
        let start = ends[index * 7 % ends.len()] / 3;
        let start = ends.iter().copied().find(|at| *at >= start).unwrap();
        let end = ends[ends.len() - 1 - index * 5 % ends.len()].max(start);
        let part = &text[start..end];
        let path = paths[index % paths.len()];
        let scan = scan(path, part, SourceOptions::default());
        let mut last = 0;
        for reference in &scan.references {
            let range = reference.range.clone();
            assert!(range.start >= last && !part[range.clone()].is_empty(), "{path}: {part}");
            last = range.end;
        }
        assert!(scan.inert.iter().all(|range| part.get(range.clone()).is_some()), "{path}: {part}");
        assert!(scan.tags.iter().all(|tag| part[tag.range.clone()].starts_with('<')), "{path}: {part}");
    }
}
