//! Compares misnested markup, and the doubts of the filter, with the trees of html5ever.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::sample::select;

use super::{Misnested, Misnesting, find_head_end_without_scripts, find_misnested, written_name};
use crate::element::Name;
use crate::nesting_filter::NestingFilter;
use crate::tag_reader::TagReader;
use crate::tree::tests::{ELEMENTS, INTEGRATION_POINTS, ROOTS, outline_of_html5ever, pages};

fn found(html: &str) -> Vec<Misnested> {
    let tag = |range: &std::ops::Range<usize>| html.get(range.clone()).unwrap_or_default();
    let is_marked = |range: &_| tag(range).contains("id=root");
    find_misnested(html.as_bytes(), is_marked, |range| tag(range).starts_with("<link").then_some("link"))
}

/// Returns whether the filter finds or suspects something, in the pass that skips tags. Without doubts, it must find
/// the faults of tree construction.
fn is_doubtful(html: &str) -> bool {
    let mut filter = NestingFilter::new(html.as_bytes(), true);
    let mut reader = TagReader::<false>::new(html.as_bytes(), true);
    while reader.next(&mut Vec::new(), &mut filter).is_some() {}
    filter.end_of_page(reader.text_end());
    if !filter.is_doubtful() {
        let of_tree = find_misnested(html.as_bytes(), |_| false, |_| None);
        let parts = |fault: &Misnested| (fault.how.clone(), fault.cause.clone(), fault.parent.start);
        let found: Vec<_> = filter.found().iter().map(parts).collect();
        assert_eq!(found, of_tree.iter().map(parts).collect::<Vec<_>>(), "{html}");
    }
    filter.is_doubtful() || filter.adds_elements() || !filter.found().is_empty()
}

/// Describes the faults: what happens, the tag or text, and the parent.
fn faults(html: &str) -> Vec<String> {
    let describe = |fault: &Misnested| {
        let how = format!("{:?}", fault.how);
        let how = how.split('(').next().unwrap();
        let text = html.as_bytes();
        let (cause, parent) = (written_name(text, &fault.cause), written_name(text, &fault.parent));
        format!("{how} {} {}", String::from_utf8_lossy(cause), String::from_utf8_lossy(parent))
    };
    assert!(found(html).is_empty() || is_doubtful(html), "the filter has no doubts: {html}");
    found(html).iter().map(describe).collect()
}

#[test]
fn finds_what_the_parser_moves() {
    for (html, expected) in [
        ("<p>a<div>b</div>c</p>", "ClosesParent div p"),
        ("<p>a<p>b</p>c</p>", "ClosesParent p p"),
        ("<p><b>a<ul><li>b</ul></b></p>", "ClosesParent ul p"),
        ("<a href=1>a<div><a href=2>b</a></div></a>", "ClosesParent a a"),
        ("<div><button>a<div><button>b</button></div></button></div>", "ClosesParent button button"),
        ("<form><div><form></form></div></form>", "TagIgnored form form"),
        ("<table><tr><td>a</td></tr><div>b</div></table>", "LeavesTable div table"),
        ("<table>a<tr><td>b</table>", "LeavesTable  table"),
        ("<table><form><tr><td>a</td></tr></form></table>", "FormEnds form table"),
        ("<div><td>a</td></div>", "TagIgnored td "),
        ("<div id=root><table><tr><td>a</td></tr></table></div>", "ParentAdded tr table"),
        ("<li>a<div><li>b</li></div></li>", "ClosesParent li li"),
        ("<svg><g><p>a</p></g></svg>", "ClosesParent p svg"),
        ("<head><div></div><link></head><body>", "HeadEnds div "),
        ("<head><title>a</title>b<link></head>", "HeadEnds  "),
        ("<html><head><img><link><body>", "HeadEnds img "),
    ] {
        assert_eq!(faults(html), [expected], "{html}");
    }
}

/// Returns the metadata that programs without scripts do not find in the head.
fn lost_without_scripts(html: &str) -> Option<Vec<&'static str>> {
    let mut filter = NestingFilter::new(html.as_bytes(), true);
    let mut reader = TagReader::<false>::new(html.as_bytes(), true);
    while reader.next(&mut Vec::new(), &mut filter).is_some() {}
    filter.end_of_page(reader.text_end());
    let is_meta = |tag: &std::ops::Range<usize>| written_name(html.as_bytes(), tag) == b"meta";
    let found =
        find_head_end_without_scripts(filter.head_with_noscript()?, |tag| is_meta(tag).then_some("meta"))?;
    match found.how {
        Misnesting::HeadEndsWithoutScripts(lost) => Some(lost),
        how => panic!("{how:?}"),
    }
}

#[test]
fn content_of_noscript_ends_the_head_without_scripts() {
    for (html, is_lost) in [
        ("<head><noscript><img></noscript><meta></head><body>", true),
        ("<noscript>a</noscript><meta><p>", true),
        ("<noscript><style></style><iframe></iframe></noscript><meta>a", true),
        ("<head><meta><noscript><img></noscript></head><body><meta>", false),
        ("<head><noscript><link><meta><style></style></noscript><meta></head>", false),
        ("<head><noscript><script></script></noscript><meta></head>", false),
        ("<head></head><body><noscript><img></noscript><meta>", false),
        ("<head><noscript><img></noscript><meta>", false),
    ] {
        assert_eq!(lost_without_scripts(html), is_lost.then(|| vec!["meta"]), "{html}");
    }
}

#[test]
fn accepts_omitted_tags_and_stray_ones() {
    for html in [
        "<p>a<p>b<ul><li>c<li>d</ul><p>e",
        "<ul><li><p>a<li>b</ul><dl><dt>a<dd>b<dt>c</dl>",
        "<table><tr><td>a<td>b<tr><td>c</table>",
        "<table><caption>a<colgroup><col><thead><tr><th>b<tbody><tr><td>c</table>",
        "<title>a</title><p>b",
        "<html><head><title>a</title><body><p>b",
        "<p>a</p></div></span><div>b</div></p>",
        "<a name=x><h1>b</h1><a href=y>c</a>",
        "<b><p>a</b></p>",
        "<p><button><div>a</div></button><object><div>b</div></object></p>",
        "<a href=1><table><tbody><tr><td><a href=2>b</a></td></tr></tbody></table></a>",
        "<svg><title>a</title><foreignObject><p>b</p></foreignObject></svg>",
        "<template><tr><td>a</td></tr></template><form></form><form></form>",
        "<head><template><div></div></template><noscript><img></noscript></head><body>",
    ] {
        assert_eq!(faults(html), [""; 0], "{html}");
    }
}

#[test]
fn filter_has_no_doubts_about_usual_markup() {
    for html in [
        "<!doctype html><html><head><title>a</title><!-- b --></head><body class=c><p>d<p>e<hr></body></html>",
        "<!DOCTYPE html><ul><li><p>a</p><li>b</ul><dl><dt>a<dd>b</dl><p>c<table><tbody><tr><td>d<p>e<td>f</table>",
        "<table> <thead> <tr> <th>a</th> </tr> </thead><!-- b --><tbody><tr><td><table><tbody></tbody></table>",
        "<svg><title>a</title><path d=z /><g><a>b</a></g></svg><p><a><svg/></a></p>",
        "<math><mi>a</mi><mo>b</mo></math><select><option>a<option>b</select>",
        "<p><button>a</button></p></div><a>b</a><a>c</a>",
    ] {
        assert!(!is_doubtful(html), "{html}");
    }
}

/// Pages on which the filter once took other elements for open than the parser does.
#[test]
fn filter_finds_the_faults_of_the_tree() {
    for (html, is_found) in [
        ("<dt><hr><b><dt></b>", true),
        ("<dt><option><b><dt></b>", true),
        ("<span><dt></span><b><dt></b>", true),
        ("<li><dt><li><li></li></li>", true),
        ("<rtc><rb><svg></rtc><tfoot>", true),
        ("<path><svg></path><caption>", true),
        ("<table><td><svg></tr>x", true),
        ("<p><x-a></x-b><dd></x-a>", true),
        ("<p><table></table><b><hr></b>", true),
        ("<!doctype html><p><table></table><b><hr></b>", false),
    ] {
        assert_eq!(!found(html).is_empty(), is_found, "{html}");
        assert_eq!(is_doubtful(html), is_found, "{html}");
    }
}

#[test]
fn repeated_faults_take_no_quadratic_time() {
    for part in ["<p><div></p>", "<a><a>", "</x>", "<x>", "<table>x", "<p>", "<li><div>", "<svg><p></svg>"] {
        let html = part.repeat(20_000);
        assert!(found(&html).len() <= 16);
        is_doubtful(&html);
    }
}

/// Markup with all tags, whose nesting is known.
#[derive(Clone, Debug)]
enum Written {
    Text,
    Element(&'static str, Vec<Written>),
}

/// Elements whose content is not markup, that frames need, or that have no end tag; and those that scripts fill.
const LEFT_OUT: [&str; 24] = [
    "body",
    "frame",
    "frameset",
    "head",
    "html",
    "iframe",
    "image",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "script",
    "style",
    "textarea",
    "xmp",
    "title",
    "base",
    "link",
    "meta",
    "input",
    "selectedoption",
    "template",
    "listing",
    "pre",
];

fn written() -> impl Strategy<Value = Vec<Written>> {
    let names: Vec<&str> = ELEMENTS.into_iter().filter(|name| !LEFT_OUT.contains(name)).collect();
    let leaf = prop_oneof![
        1 => Just(Written::Text),
        2 => select(names.clone()).prop_map(|name| Written::Element(name, Vec::new())),
    ];
    let tree = leaf.prop_recursive(5, 14, 3, move |inner| {
        (select(names.clone()), prop::collection::vec(inner, 0..3))
            .prop_map(|(name, children)| Written::Element(name, children))
    });
    prop::collection::vec(tree, 1..3)
}

/// Writes elements as HTML and as an outline.
fn write(nodes: &[Written], depth: usize, html: &mut String, outline: &mut String) {
    let mut was_text = false;
    for node in nodes {
        match node {
            Written::Text if was_text => {}
            Written::Text => {
                html.push('x');
                writeln!(outline, "{:depth$}{:?}", "", "x").unwrap();
            }
            Written::Element(name, children) => {
                let id = html.len();
                write!(html, "<{name} id={id}>").unwrap();
                writeln!(outline, "{:depth$}<{name} {id}>", "").unwrap();
                if !Name::from_key(crate::key::key(name.as_bytes())).is_void() {
                    write(children, depth + 1, html, outline);
                    write!(html, "</{name}>").unwrap();
                }
            }
        }
        was_text = matches!(node, Written::Text);
    }
}

/// Tags with which a `<p>` ends, or that bound it.
const PARAGRAPH_TAGS: [&str; 44] = [
    "<p>",
    "<p>",
    "<p>",
    "</p>",
    "</p>",
    "</p>",
    "<div>",
    "</div>",
    "<ul>",
    "</ul>",
    "<li>",
    "</li>",
    "<hr>",
    "<span>",
    "</span>",
    "<b>",
    "</b>",
    "<h1>",
    "</h1>",
    "<dl>",
    "<dt>",
    "<dd>",
    "</dl>",
    "<table><tr><td>",
    "<td>",
    "</table>",
    "<button>",
    "</button>",
    "<template>",
    "</template>",
    "<svg/>",
    "<svg>",
    "</svg>",
    "<path>",
    "</path>",
    "<option>",
    "<optgroup>",
    "<select>",
    "</select>",
    "<ruby>",
    "<rt>",
    "<rtc>",
    "</ruby>",
    "x",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// html5ever is the oracle: its tree differs from the written nesting if and only if a fault is found.
    #[test]
    fn faults_are_differences_from_the_tree(nodes in written()) {
        let mut html = "<!doctype html><html><head></head><body><div id=root>".to_owned();
        let mut expected = " <html >\n  <head >\n  <body >\n   <div root>\n".to_owned();
        write(&nodes, 4, &mut html, &mut expected);
        html.push_str("</div></body></html>");
        // A link in a `select` ends the link around it, but moves only what comes after the `select`.
        prop_assume!(!(html.contains("<select") && html.contains("<a ")));
        let tree = outline_of_html5ever(&html, true);
        let is_same = tree == expected;
        prop_assert_eq!(found(&html).is_empty(), is_same, "{}\n{}\n{:?}", html, tree, found(&html));
        prop_assert!(is_same || is_doubtful(&html), "{}", html);
    }

    #[test]
    fn closed_paragraphs_are_those_of_the_tree(
        doctype in select(vec!["", "<!doctype html>"]),
        tags in prop::collection::vec(select(&PARAGRAPH_TAGS[..]), 1..24),
    ) {
        is_doubtful(&format!("{doctype}{}", tags.concat()));
    }

    #[test]
    fn filter_doubts_all_pages_with_faults(html in pages(&INTEGRATION_POINTS)) {
        prop_assert!(found(&html).is_empty() || is_doubtful(&html), "{} {:?}", html, found(&html));
    }

    #[test]
    fn filter_doubts_all_pages_with_faults_and_svg(html in pages(&ROOTS)) {
        prop_assert!(found(&html).is_empty() || is_doubtful(&html), "{} {:?}", html, found(&html));
    }
}
