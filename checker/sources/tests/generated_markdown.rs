//! Reads texts made of tricky pieces at random: the references must be those of the rendered page, each range must be
//! one that can be replaced, and nothing may panic.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use pulldown_cmark::{Options, Parser, html};
use sitegate_sources::{SourceOptions, SourceScan, scan};

/// Pieces that mean the same in all dialects.
const COMMON: &[&str] = &[
    "[a](/b)",
    "![a](/c)",
    "[a](</d e> 't')",
    "[a](/f\\_g&amp;h)",
    "[a](/i(j)k \"t\")",
    "[",
    "]",
    "](/l)",
    "![",
    "(",
    ")",
    "<",
    ">",
    "`",
    "``",
    "```",
    "~~~",
    "`````",
    "*",
    "**",
    "_",
    "\\",
    "\\\\",
    "&",
    "&copy;",
    "é",
    "\u{a0}",
    " ",
    "  ",
    "    ",
    "\t",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "a",
    "b c",
    "- ",
    "1. ",
    "> ",
    "# ",
    "| ",
    "|\n|---|\n|",
    "---",
    "===",
    "[r]",
    "[r][]",
    "[a][r]",
    "[s]",
    "![s]",
    "\n\n[r]: /m\n",
    "\n[s]:\n  </n o>\n  't'\n",
    "\n\n> [t]: /p\n\n[t]",
    "<https://e.org/q>",
    "<a@e.org>",
    "[a\n](/u\n't')",
    "[`]`](/v)",
    "[![a](/w)](/x)",
    "\"",
    "'",
    "![a [b] c](/y)",
];

/// Pieces of dialects, comments and raw HTML.
const DIALECTS: &[&str] = &[
    "<!--",
    "-->",
    "<b>",
    "</b>",
    "<textarea>",
    "</textarea>",
    "<div>\n",
    "</div>\n",
    "<script>",
    "</script>",
    "<a href=\"/z\">",
    "{% raw %}",
    "{% endraw %}",
    "{#",
    "#}",
    "{#id}",
    "{{",
    "}}",
    "{/*",
    "*/}",
    "{",
    "}",
    "{{< ref \"a.md\" >}}",
    "{{< highlight >}}",
    "{{< /highlight >}}",
    "{% link a.md %}",
    "{{< figure src=\"i.png\" >}}",
    "{{#include a.rs}}",
    "```{note}\n",
    "```{toctree}\n",
    "```{image} i.png\n",
    ":::",
    ":::\n",
    ":::{note}\n",
    ":::{code}\n",
    ":::tip a\n",
    "::::",
    "!!! note\n",
    "=== \"a\"\n",
    "    ",
    "$",
    "$$",
    "\n$$\n",
    "\\(",
    "\\)",
    "\\[",
    "\\]",
    "%",
    "% ",
    "{doc}`a`",
    "{any}`b <c>`",
    "[^1]",
    "\n[^1]: ",
    "https://e.org/a_b.",
    "www.e.org",
    "---\n",
    "+++\n",
    "\u{feff}",
    "import a from './b'\n",
    "export const a = ",
    "<A b={'c'} href={`/d`}>",
    "</A>",
    "<A/>",
    ":target: /e\n",
    "[//]: # (",
    "<div markdown>\n",
];

fn text(pieces: Vec<&'static str>) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(pieces), 1..24).prop_map(|pieces| pieces.concat())
}

fn all_pieces() -> Vec<&'static str> {
    [COMMON, DIALECTS].concat()
}

/// Removes percent-encoding, which the renderer adds.
fn decoded(value: &str) -> String {
    let mut parts = value.split('%');
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).unwrap()
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
            found.push(decoded(&value));
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

/// Checks the ranges of a scan.
fn check_ranges(text: &str, scan: &SourceScan<'_>) -> Result<(), TestCaseError> {
    for reference in &scan.references {
        let written = text.get(reference.range.clone());
        prop_assert!(
            written.is_some_and(|written| !written.is_empty() && !written.contains('\n')),
            "{reference:?}"
        );
        prop_assert!(!scan.is_inert(reference.range.start), "{reference:?} is inert");
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

/// Replaces each reference in turn: the new text must have the new target at the same offset.
fn check_edits(path: &str, text: &str) -> Result<(), TestCaseError> {
    let before = scan(path, text, SourceOptions::default());
    check_ranges(text, &before)?;
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
    fn finds_what_is_rendered(text in text(COMMON.to_vec())) {
        prop_assume!(!is_ambiguous(&text));
        let scan = scan("a.md", &text, SourceOptions::default());
        check_ranges(&text, &scan)?;
        prop_assert_eq!(shown(&scan), rendered(&text));
    }

    #[test]
    fn finds_what_can_be_edited(text in text(all_pieces())) {
        check_edits("a.md", &text)?;
    }

    #[test]
    fn finds_what_can_be_edited_in_mdx(text in text(all_pieces())) {
        check_edits("a.mdx", &text)?;
    }

    #[test]
    fn reads_any_text(text in any::<String>()) {
        for path in ["a.md", "a.mdx"] {
            check_ranges(&text, &scan(path, &text, SourceOptions::default()))?;
        }
    }
}
