//! Compares the matches of [`Matcher`] with those of `lol_html`: the same elements, with the same ends.

#![allow(clippy::unwrap_used)]

use std::cell::Cell;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;

use super::matching::{Matched, Matcher, Selection};
use super::parse_source;
use super::selectors::match_with_lol_html;
use crate::contract::{Contract, Permissions};
use crate::parse::content_needs::Selected;
use crate::parse::page::Page;

/// Creates a contract with an assertion for each selector, which reads the text of the elements.
fn contract(selectors: &[String]) -> Contract {
    let mut stated = String::new();
    for selector in selectors {
        writeln!(stated, "[[assert]]\npages = '/**'\nselect = '''{selector}'''\ncontains = 'x'").unwrap();
    }
    Contract::from_text(Path::new("sitegate.toml"), stated, &Permissions::default()).unwrap()
}

fn comparable(mut found: Vec<Selection>) -> Vec<(usize, usize, usize, bool, Option<usize>)> {
    found.sort_by_key(|found| (found.tag.start, found.assertion));
    found
        .into_iter()
        .map(|found| (found.tag.start, found.tag.end, found.assertion, found.is_void, found.end))
        .collect()
}

/// Asserts that both match the same elements, and returns their number. Returns `None` if the page was left to
/// `lol_html`.
fn assert_same_matches(html: &[u8], selected: &Selected<'_>) -> Option<usize> {
    let mut matcher = Matcher::new(html, selected);
    parse_source(&mut Page::default(), html, false, &mut matcher);
    let Matched { found, rest } = matcher.into_matches()?;
    let is_rest = |index: &usize| rest.iter().any(|(other, _)| other == index);
    let matched: Vec<_> = selected.iter().filter(|(index, _)| !is_rest(index)).copied().collect();
    let theirs = match_with_lol_html(html, &matched).unwrap();
    let count = found.len();
    assert_eq!(comparable(found), comparable(theirs), "{}", String::from_utf8_lossy(html));
    Some(count)
}

fn selectors() -> impl Strategy<Value = Vec<String>> {
    let name = select(vec![
        "",
        "",
        "*",
        "a",
        "A",
        "p",
        "li",
        "div",
        "nav",
        "svg",
        "math",
        "mi",
        "title",
        "br",
        "img",
        "path",
        "x-y",
        "script",
        "foreignObject",
        "font",
        "annotation-xml",
        "h1",
    ]);
    let test = || {
        select(vec![
            "#one",
            "#ONE",
            ".c",
            ".C",
            "[href]",
            "[HREF]",
            "[href=x]",
            "[href='']",
            "[rel=X]",
            "[REL=x]",
            "[class~=c]",
            "[class~='']",
            "[href^=x]",
            "[href^='']",
            "[href$='&amp;y']",
            "[href*='/x']",
            "[lang|=x]",
            "[type=TEXT]",
            "[data-lazy-src]",
            "[data-src]",
            "[title='a b']",
            "[viewBox]",
            "[x\\:y]",
            "[\u{e9}=\u{e9}]",
        ])
    };
    let negated = prop::collection::vec(prop_oneof![3 => test(), 1 => select(vec!["a", "LI", "svg"])], 1..3);
    let negated =
        (negated, select(vec![", ", ","])).prop_map(|(all, comma)| format!(":not({})", all.join(comma)));
    let other =
        select(vec![":not(.c.d)", ":not(a.c)", ":nth-child(2)", ":first-child"]).prop_map(str::to_owned);
    let condition = prop_oneof![6 => test().prop_map(str::to_owned), 3 => negated, 1 => other];
    let compound = (name, prop_oneof![3 => prop::collection::vec(condition.clone(), 0..1), 2 => prop::collection::vec(condition, 1..3)])
        .prop_map(|(name, conditions)| name.to_owned() + &conditions.concat())
        .prop_map(|compound| if compound.is_empty() { "p".to_owned() } else { compound });
    let around = (compound.clone(), select(vec![" ", ">", " > ", "  "]));
    let complex = (prop::collection::vec(around, 0..2), compound).prop_map(|(around, last)| {
        around.into_iter().map(|(outer, combinator)| outer + combinator).collect::<String>() + &last
    });
    let list = prop::collection::vec(complex, 1..3).prop_map(|all| all.join(", "));
    prop::collection::vec(list, 1..16)
}

fn pages() -> impl Strategy<Value = String> {
    let name = || {
        select(vec![
            "a",
            "A",
            "p",
            "li",
            "LI",
            "div",
            "nav",
            "x-y",
            "br",
            "img",
            "h1",
            "font",
            "mi",
            "title",
            "path",
            "a-name-of-many-letters",
        ])
    };
    let attribute = select(vec![
        "",
        " ",
        " id=one",
        " ID='one'",
        " id=two id=one",
        " class='c d'",
        " class=\"\td\nc\"",
        " class",
        " href=x",
        " href=X/",
        " href='/x&amp;y'",
        " href",
        " HREF=''",
        " rel=x",
        " rel = X",
        " lang=x-y",
        " lang=x",
        " type=text",
        " data-src=a data-lazy-src=b",
        " title='a b'",
        " viewBox='>'",
        " x:y",
        " =x=y",
        "/",
        " \u{e9}=\u{e9}",
    ]);
    let attributes = prop::collection::vec(attribute, 0..4).prop_map(|all| all.concat());
    let tag = (name(), attributes, 0..8u8).prop_map(|(name, attributes, how)| match how {
        0..3 => format!("</{name}>"),
        3 => format!("<{name}{attributes}/>"),
        _ => format!("<{name}{attributes}>"),
    });
    let other = select(vec![
        "x",
        "<svg>",
        "</svg>",
        "<svg viewBox=x>",
        "<svg/>",
        "<math>",
        "</math>",
        "<foreignObject>",
        "</foreignObject>",
        "<svg><title>x</title><path d=x/></svg>",
        "<svg><path class=c></path><style>a</style></svg>",
        "<svg><![CDATA[<a>]]></svg>",
        "<math><mi>x</mi></math>",
        "<annotation-xml encoding=text/html>",
        "</annotation-xml>",
        "<svg><p>",
        "<desc>",
        "</desc>",
        "<script>'<a>'</script>",
        "<script><!--<script></script><p></script>",
        "<style><a></style>",
        "<textarea><p></textarea>",
        "<noscript><a href=x></noscript>",
        "<template><a href=x class=c></template>",
        "<!-- <p> -->",
        "<!-->",
        "<!--a--!>",
        "<![CDATA[<p>]]>",
        "<?p <a>",
        "</ p>",
        "<!p>",
        "<xmp><a></xmp>",
        "<iframe><a></iframe>",
        "<a\thref=x\x0cclass=c>",
        "<a<b>",
        "</a id=one>",
        "\0",
        "<p",
        "<title>",
        "<plaintext>",
        "\u{e9}",
    ]);
    let piece = prop_oneof![5 => tag, 1 => other.prop_map(str::to_owned)];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

#[test]
fn generated_selectors_match_like_lol_html() {
    let config = ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() };
    let (matched, found) = (Cell::new(0), Cell::new(0));
    let tested = TestRunner::new(config).run(&(selectors(), pages()), |(selectors, html)| {
        let contract = contract(&selectors);
        let selected: Vec<_> = contract.assertions.iter().enumerate().collect();
        if let Some(count) = assert_same_matches(html.as_bytes(), &selected) {
            matched.set(matched.get() + 1);
            found.set(found.get() + count);
        }
        Ok(())
    });
    tested.unwrap();
    let (matched, found) = (matched.get(), found.get());
    assert!(matched > 1_500 && found > 3_000, "{found} elements on {matched} pages");
}

#[test]
fn test_pages_match_like_lol_html() {
    let stated = [
        "*",
        "a[href]",
        "body > *",
        "svg *",
        "div p, li a",
        ":not([class])",
        "[id]",
        "#content",
        ".c",
        "main h1",
        "head > meta[name]",
        "link[rel=stylesheet]",
        "script:not([src])",
        "p",
        "[href^='http']",
    ];
    let contract = contract(&stated.map(str::to_owned));
    let selected: Vec<_> = contract.assertions.iter().enumerate().collect();
    let (mut compared, mut left) = (0, Vec::new());
    for path in test_pages() {
        match assert_same_matches(&fs::read(&path).unwrap(), &selected) {
            Some(_) => compared += 1,
            None => left.push(path),
        }
    }
    assert!(compared > 100 && left.len() < 10, "{compared} pages; not matched: {left:?}");
}

/// Returns all pages below `tests/`.
pub(super) fn test_pages() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "html") {
                pages.push(path);
            }
        }
    }
    pages
}
