//! Compares scans of reStructuredText with what docutils and Sphinx render (`oracle/restructured.py`).

#![allow(clippy::unwrap_used, reason = "tests")]

use serde::Deserialize;
use sitegate_sources::{Manner, SourceOptions, SourceScan, scan};

/// A text, and the destinations that it renders, sorted.
#[derive(Deserialize)]
struct Case {
    text: String,
    references: Vec<String>,
}

/// Returns a destination without what Sphinx adds or resolves: `mailto:`, and the start of a path.
fn canonical(target: &str) -> &str {
    if let Some(address) = target.strip_prefix("mailto:") {
        return address;
    }
    let path = target.trim_start_matches('/');
    if path.len() < target.len() { path } else { target.trim_start_matches("../") }
}

/// Returns the destinations of a scan, each as often as it is shown.
fn destinations(scan: &SourceScan<'_>) -> Vec<String> {
    let shown = |found| std::iter::repeat_n(canonical(found), 1);
    let mut all: Vec<String> = Vec::new();
    for found in &scan.references {
        for _ in 0..found.uses {
            all.extend(shown(&found.target).map(str::to_owned));
        }
    }
    all.sort();
    all
}

/// Removes what differs between a destination and its text: white space and escapes.
fn plain(text: &str) -> String {
    text.chars().filter(|char| !char.is_whitespace() && *char != '\\').collect()
}

#[test]
fn finds_what_sphinx_renders() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("oracle/restructured.json")).unwrap();
    let mut differences = Vec::new();
    for case in &cases {
        let found = scan("a.rst", &case.text, SourceOptions::default());
        if destinations(&found) != case.references {
            let actual = destinations(&found);
            differences
                .push(format!("{}\n--- found {actual:?}\n--- rendered {:?}", case.text, case.references));
        }
        for reference in &found.references {
            assert_eq!(plain(&case.text[reference.range.clone()]), plain(&reference.target), "{}", case.text);
        }
    }
    assert!(cases.len() > 200);
    assert!(differences.is_empty(), "{}\n{} differ", differences.join("\n=====\n"), differences.len());
}

#[track_caller]
fn assert_found(text: &str, options: SourceOptions, expected: &[(Manner, &str)]) {
    let found = scan("a.rst", text, options);
    let found: Vec<_> = found.references.iter().map(|found| (found.manner, &*found.target)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn finds_the_manner_of_references() {
    let text = "`a <b>`_ :doc:`c` :download:`d` http://e.org\n\n.. image:: f\n   :target: g\n.. include:: h\n\n\
                .. toctree::\n\n   i\n   j <http://k.org>\n";
    let expected = [
        (Manner::Link, "b"),
        (Manner::Document, "c"),
        (Manner::File, "d"),
        (Manner::Link, "http://e.org"),
        (Manner::File, "f"),
        (Manner::Link, "g"),
        (Manner::File, "h"),
        (Manner::Document, "i"),
        (Manner::Link, "http://k.org"),
    ];
    assert_found(text, SourceOptions::default(), &expected);
}

#[test]
fn follows_the_default_role() {
    let text = "`a` `Long\n  title <b>` ``c`` `d <e.html>`_ `f`_ :ref:`g`";
    let with_role = [(Manner::Document, "a"), (Manner::Document, "b"), (Manner::Link, "e.html")];
    assert_found("`a`", SourceOptions::default(), &[]);
    assert_found(&text.replace("\n  ", "\n"), SourceOptions { default_role: true }, &with_role);
    let math = ".. default-role:: math\n\n`a`\n";
    assert_found(math, SourceOptions { default_role: true }, &[]);
}

#[test]
fn ignores_names_that_no_document_has() {
    // Sphinx keeps the space before an entry, and marks in a name, and then finds no document.
    assert_found(".. toctree::\n\n   a\n     b\n", SourceOptions::default(), &[(Manner::Document, "a")]);
    assert_found(":doc:`a <b> <c>` :doc:`<d>` :doc:`x < e >`", SourceOptions::default(), &[]);
}

#[test]
fn finds_nothing_in_plain_text() {
    for text in [
        "User-agent: *\nSitemap: https://e.org/sitemap.xml\n",
        "LICENSE\n=======\n\nSee https://e.org/license and docs/a.html\n",
        "requests>=2 # https://e.org\n-r other.txt\n",
        "# Title\n\n> Summary\n\n- [a](https://e.org/a): text\n",
    ] {
        assert_eq!(scan("a.txt", text, SourceOptions::default()), SourceScan::default(), "{text}");
    }
    let restructured = scan("a.txt", "See :doc:`a` and https://e.org/x\n", SourceOptions::default());
    assert_eq!(destinations(&restructured), ["a", "https://e.org/x"]);
}

#[test]
fn knows_what_is_inert() {
    let text = "a ``b`` :code:`c`\n\n.. d\n   e\n\nf::\n\n   g\n\n.. code::\n\n   h\n\n>>> i\n";
    let found = scan("a.rst", text, SourceOptions::default());
    let is_inert = |char: char| found.is_inert(text.rfind(char).unwrap());
    let inert: String = "abcfghi".chars().filter(|char| is_inert(*char)).collect();
    assert_eq!(inert, "bghi");
}
