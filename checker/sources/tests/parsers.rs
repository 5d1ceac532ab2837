//! Compares references with the values that parsers of the formats find in random texts. `oracle/` has the texts with
//! these values, and the programs that wrote them.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

use serde_json::Value;
use sitegate_sources::{Manner, SourceOptions, SourceReference, scan};

/// Returns the cases of a fixture.
fn cases(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/oracle/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
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

/// Compares the references of all cases that a filter accepts, in their order.
#[track_caller]
fn compare(name: &str, path: &str, accepts: fn(&SourceReference<'_>) -> bool) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in cases(name) {
        let input = case["input"].as_str().unwrap();
        let path = case["path"].as_str().unwrap_or(path);
        let found = scan(path, input, SourceOptions::default());
        let found: Vec<_> = found.references.iter().filter(|found| accepts(found)).collect();
        for reference in &found {
            let written = &input[reference.range.clone()];
            assert!(written == reference.target || written.contains(['\\', '&', '\'']), "{input}: {written}");
        }
        if let Some(ranges) = case["ranges"].as_array() {
            let ranges: Vec<_> = ranges.iter().map(ToString::to_string).collect();
            let found = found.iter().map(|found| format!("[{},{}]", found.range.start, found.range.end));
            assert_eq!(found.collect::<Vec<_>>(), ranges, "{input}");
        }
        let found: Vec<_> = found.into_iter().map(|found| found.target.clone()).collect();
        let expected: Vec<_> =
            case["destinations"].as_array().unwrap().iter().map(|value| value.as_str().unwrap()).collect();
        replace_each(path, input);
        count += expected.len();
        if found != expected {
            wrong.push(format!("{path}: {input}\n  found    {found:?}\n  expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
    assert!(count > 100, "{count} destinations");
}

#[test]
fn attributes_are_those_of_parse5() {
    compare("html", "a.html", |found| found.manner == Manner::Attribute);
}

#[test]
fn attributes_are_those_of_the_compilers_of_components() {
    compare("components", "", |found| matches!(found.manner, Manner::Attribute | Manner::Value));
}

#[test]
fn values_of_yaml_are_those_of_its_package() {
    compare("yaml", "a.yml", |found| found.manner == Manner::Value);
}

#[test]
fn values_of_toml_are_those_of_tomllib() {
    compare("toml", "a.toml", |found| found.manner == Manner::Value);
}

#[test]
fn literals_of_scripts_are_those_of_babel() {
    compare("scripts", "a.jsx", |found| found.manner != Manner::Text);
}

#[test]
fn destinations_of_redirects_are_those_of_netlify() {
    compare("redirects", "_redirects", |found| found.manner == Manner::Value);
}

#[test]
fn urls_of_styles_are_those_of_their_compilers() {
    compare("styles", "", |_| true);
}

#[test]
fn any_text_has_ranges_in_order_in_any_format() {
    let names = ["html", "components", "styles", "yaml", "toml", "scripts", "redirects"];
    let texts =
        names.iter().flat_map(|name| cases(name)).map(|case| case["input"].as_str().unwrap().to_owned());
    let paths = [
        "a.html",
        "a.vue",
        "a.astro",
        "a.svelte",
        "a.scss",
        "a.yml",
        "a.toml",
        "a.json",
        "a.tsx",
        "_redirects",
        "_toc.yml",
        "sidebars.js",
    ];
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
