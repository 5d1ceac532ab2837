//! Scans texts made of tricky pieces at random: nothing may panic, ranges are in order and can be replaced, the references
//! of Markdown are those of the rendered page, and large texts take linear time.

#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use proptest::prelude::*;
use pulldown_cmark::{Options, Parser, html};
use sitegate_address::percent::decode_lossy;
use sitegate_sources::{SourceOptions, SourceScan, scan};

/// Pieces of Markdown that mean the same in all dialects.
#[rustfmt::skip]
const COMMON: [&str; 61] = [
    "[a](/b)", "![a](/c)", "[a](</d e> 't')", "[a](/f\\_g&amp;h)", "[a](/i(j)k \"t\")", "[", "]", "](/l)",
    "![", "(", ")", "<", ">", "`", "``", "```", "~~~", "`````", "*", "**", "_", "\\", "\\\\", "&", "&copy;",
    "é", "\u{a0}", " ", "  ", "    ", "\t", "\n", "\n", "\n\n", "\r\n", "a", "b c", "- ", "1. ", "> ", "# ",
    "| ", "|\n|---|\n|", "---", "===", "[r]", "[r][]", "[a][r]", "[s]", "![s]", "\n\n[r]: /m\n",
    "\n[s]:\n  </n o>\n  't'\n", "\n\n> [t]: /p\n\n[t]", "<https://e.org/q>", "<a@e.org>", "[a\n](/u\n't')",
    "[`]`](/v)", "[![a](/w)](/x)", "\"", "'", "![a [b] c](/y)",
];

/// Pieces of dialects of Markdown, comments and raw HTML.
#[rustfmt::skip]
const DIALECTS: [&str; 66] = [
    "<!--", "-->", "<b>", "</b>", "<textarea>", "</textarea>", "<div>\n", "</div>\n", "<script>",
    "</script>", "<a href=\"/z\">", "{% raw %}", "{% endraw %}", "{#", "#}", "{#id}", "{{", "}}", "{/*",
    "*/}", "{", "}", "{{< ref \"a.md\" >}}", "{{< highlight >}}", "{{< /highlight >}}", "{% link a.md %}",
    "{{< figure src=\"i.png\" >}}", "{{#include a.rs}}", "```{note}\n", "```{toctree}\n",
    "```{image} i.png\n", ":::", ":::\n", ":::{note}\n", ":::{code}\n", ":::tip a\n", "::::", "!!! note\n",
    "=== \"a\"\n", "    ", "$", "$$", "\n$$\n", "\\(", "\\)", "\\[", "\\]", "%", "% ", "{doc}`a`",
    "{any}`b <c>`", "[^1]", "\n[^1]: ", "https://e.org/a_b.", "www.e.org", "---\n", "+++\n", "\u{feff}",
    "import a from './b'\n", "export const a = ", "<A b={'c'} href={`/d`}>", "</A>", "<A/>",
    ":target: /e\n", "[//]: # (", "<div markdown>\n",
];

/// Pieces of reStructuredText that begin, end or interrupt markup.
#[rustfmt::skip]
const RESTRUCTURED: [&str; 72] = [
    "`", "``", "*", "**", "_", "__", "|", "\\", "\0", "<", ">", "`_", "`__", ":", "::", "\n", "\n\n",
    "\n   ", "\n\t", "\n- ", "\n.. ", "\n..\n", ".. _a: ", ".. _`a b`: ", ".. |a| image:: ", ".. image:: ",
    "\n   :target: ", "\n.. toctree::\n\n   ", "\n.. note:: ", "\n.. code::\n\n   ", "\n__ ", "\n| ",
    "\n+--+--+\n", "|  |  |\n", "\n== ==\n", "\n== ==\n\n", "-- --\n", "a_", "a__", "|a|_", "|a|", "[1]_",
    ":doc:`", ":a:", "http://", "e.org/x", "a@b.c", "é", "日本", "\u{a0}", "\u{feff}", "\r\n", "\r",
    "\u{2028}", "====\n", "a\n====\n", ">>> ", "\n:a: ", "\n-a  ", "1. ", "(i) ", " ", "  ", "text",
    ".html", "\n.. csv-table::\n\n   \"", "\"\"", "\",", "\n\n    ", "..", "'", "\"",
];

/// Pieces of Python.
#[rustfmt::skip]
const PYTHON: [&str; 32] = [
    "\"\"\"", "'''", "\"", "'", "r\"", "f\"{", "}", "b'", "\\", "\n", "\n    ", "def f():", "class A:",
    "x = ", "# ", "#: ", "(", ")", "[", "]", "{", ":", "\\x41", "\\N{", "\\u00e9", "a/b.html",
    "`a <b.html>`_", "é", ";", ",", "async def g(", "\r\n",
];

/// More pieces that a large text may repeat.
#[rustfmt::skip]
const REPEATED: [&str; 16] = [
    "a-", "a.", "-a", "a:", ":a:a", "a@", "a-a@ ", "*a ", "`a ", "|a ", "[a", "- ", "1. ", "\n\n a", "a_ ",
    ".. _a: b\n",
];

fn text(pieces: &[&'static str]) -> impl Strategy<Value = String> + use<> {
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 1..40).prop_map(|pieces| pieces.concat())
}

fn markdown() -> impl Strategy<Value = String> {
    text(&[&COMMON[..], &DIALECTS].concat())
}

/// Returns the values of `href` and `src` in HTML, sorted.
fn rendered(text: &str) -> Vec<String> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS;
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(text, options));
    let mut found = Vec::new();
    for start in [" href=\"", "<img src=\""] {
        for (at, _) in page.match_indices(start) {
            let value = page[at + start.len()..].split('"').next().unwrap();
            let value = value.replace("&#x27;", "'").replace("&quot;", "\"").replace("&amp;", "&");
            // The renderer adds percent-encoding.
            found.push(decode_lossy(&value).into_owned());
        }
    }
    found.retain(|value| !value.is_empty());
    found.sort();
    found
}

/// Returns targets as often as they are shown, sorted.
fn shown(scan: &SourceScan<'_>) -> Vec<String> {
    let repeated = scan.references.iter().flat_map(|found| (0..found.uses).map(|_| found.target.to_string()));
    let mut shown: Vec<String> = repeated.collect();
    shown.sort();
    shown
}

/// Whether renderers disagree: an indented line after a table may be its next row, or code.
fn is_ambiguous(text: &str) -> bool {
    // `\\(…\\)` is a formula of mathematics, which CommonMark does not know.
    text.contains("\\(")
        || text.contains("|---|") && text.lines().any(|line| line.contains("    ") || line.contains('\t'))
}

/// Checks that all ranges are in the text, and in order.
fn check_ranges(text: &str, scan: &SourceScan<'_>) -> Result<(), TestCaseError> {
    for reference in &scan.references {
        let written = text.get(reference.range.clone());
        prop_assert!(written.is_some_and(|written| !written.is_empty()), "{reference:?} in {text:?}");
    }
    prop_assert!(scan.references.is_sorted_by(|a, b| a.range.end <= b.range.start), "{:?}", scan.references);
    prop_assert!(scan.inert.is_sorted_by(|a, b| a.end < b.start), "{:?}", scan.inert);
    prop_assert!(
        scan.inert.iter().all(|range| range.start <= range.end && text.get(range.clone()).is_some())
    );
    prop_assert!(
        scan.tags.iter().all(|tag| text.get(tag.range.clone()).is_some_and(|tag| tag.starts_with('<')))
    );
    Ok(())
}

/// Checks the ranges of Markdown, whose references are on one line, and not inert.
fn check_markdown(text: &str, scan: &SourceScan<'_>) -> Result<(), TestCaseError> {
    check_ranges(text, scan)?;
    for reference in &scan.references {
        prop_assert!(!text[reference.range.clone()].contains('\n'), "{reference:?}");
        prop_assert!(!scan.is_inert(reference.range.start), "{reference:?} is inert");
    }
    Ok(())
}

/// Replaces each reference in turn: the new text must have the new target at the same offset.
fn check_edits(path: &str, text: &str) -> Result<(), TestCaseError> {
    let before = scan(path, text, SourceOptions::default());
    check_markdown(text, &before)?;
    for reference in &before.references {
        // What begins a bare URL is a part of it.
        let scheme = text[reference.range.clone()].find("://").map_or("", |_| "https://e.org/");
        if text[reference.range.clone()].starts_with("www.") || reference.target.starts_with("mailto:") {
            continue;
        }
        let target = format!("{scheme}edited");
        let mut edited = text.to_owned();
        edited.replace_range(reference.range.clone(), &target);
        let after = scan(path, &edited, SourceOptions::default());
        let found = after.references.iter().find(|found| found.range.start == reference.range.start);
        prop_assert!(found.is_some_and(|found| found.target == target), "{reference:?} in {text:?}");
        prop_assert_eq!(after.references.len(), before.references.len());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn finds_what_is_rendered(text in text(&COMMON)) {
        prop_assume!(!is_ambiguous(&text));
        let scan = scan("a.md", &text, SourceOptions::default());
        check_markdown(&text, &scan)?;
        prop_assert_eq!(shown(&scan), rendered(&text));
    }

    #[test]
    fn finds_what_can_be_edited(text in markdown()) {
        check_edits("a.md", &text)?;
        check_edits("a.mdx", &text)?;
    }

    #[test]
    fn reads_any_text(any in any::<String>(), restructured in text(&RESTRUCTURED), python in text(&PYTHON)) {
        let options = SourceOptions { default_role: true };
        for path in ["a.md", "a.mdx"] {
            check_markdown(&any, &scan(path, &any, options))?;
        }
        for (text, paths) in [(restructured, ["a.rst", "a.txt"]), (python, ["a.py", "conf.py"])] {
            for path in paths {
                check_ranges(&text, &scan(path, &text, options))?;
            }
        }
    }
}

/// Maximum time for a repeated piece in a debug build on a busy machine. Quadratic time would be minutes.
const MAX_TIME: Duration = Duration::from_secs(5);

#[test]
fn scans_large_texts_in_linear_time() {
    const SIZE: usize = 300_000;
    let restructured = RESTRUCTURED.iter().chain(&REPEATED).map(|piece| ("a.rst", piece));
    for (path, piece) in restructured.chain(PYTHON.iter().map(|piece| ("a.py", piece))) {
        let text = piece.repeat(SIZE / piece.len());
        let start = Instant::now();
        check_ranges(&text, &scan(path, &text, SourceOptions { default_role: true })).unwrap();
        assert!(start.elapsed() < MAX_TIME, "{piece:?} took {:?}", start.elapsed());
    }
}

#[test]
fn scans_deep_nesting() {
    for (piece, step) in [("a\n", 1), ("- a\n\n", 2), (".. note::\n\n", 3), ("a::\n\n", 1)] {
        let lines: Vec<String> = (0..1_000).map(|depth| " ".repeat(step * depth) + piece).collect();
        let text = lines.concat();
        check_ranges(&text, &scan("a.rst", &text, SourceOptions::default())).unwrap();
    }
}
