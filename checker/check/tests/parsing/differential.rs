//! Compares the facts and the nesting of pages with html5ever, which builds the standard's tree: for generated pages and
//! for all pages of the cases.

#![allow(clippy::field_reassign_with_default)]

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::Path;

use crate::parse::{Page, Source, parse_html};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;
use sitegate_html::element::Name;
use sitegate_html::key::key;
use sitegate_html::nesting::{Moved, NestedElement, NestingEvents, read_nesting};
use sitegate_html::syntax::PageSyntax;

/// The compared facts: element, attribute and value of plain references, ids and names. A set, because the tree builder
/// moves misplaced content of tables, and duplicates misnested `<a>` and `<b>` elements.
type Found = BTreeSet<(String, String)>;

fn by_html5ever(html: &str) -> Found {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let dom = parse_document(RcDom::default(), options).one(html);
    let mut found = Found::new();
    walk(&dom.document, false, &mut found);
    found
}

/// Adds the facts of a node and those below it. Fragments cannot refer to names in a shadow tree.
fn walk(node: &Handle, is_in_shadow_tree: bool, found: &mut Found) {
    if let NodeData::Element { name, attrs, template_contents, .. } = &node.data {
        let element = &*name.local;
        let attributes = attrs.borrow();
        let get = |wanted: &str| {
            let attribute = attributes.iter().find(|a| a.name.ns.is_empty() && &*a.name.local == wanted);
            attribute.map(|a| a.value.to_string())
        };
        let is_html = &*name.ns == "http://www.w3.org/1999/xhtml";
        let mut push = |what: &str, value: Option<String>| {
            found.extend(value.map(|value| (what.to_owned(), value)));
        };
        push("id", get("id").filter(|id| !id.is_empty()));
        if &*name.ns == "http://www.w3.org/2000/svg" {
            match element {
                "a" => push("a href", get("href")),
                "script" => push("script src", get("href").or_else(|| get_xlink(&attributes))),
                _ => {}
            }
        }
        if is_html {
            match element {
                "a" => {
                    push("a href", get("href"));
                    push("name", get("name").filter(|name| !name.is_empty() && !is_in_shadow_tree));
                }
                "img" => push("img src", get("src")),
                "script" => push("script src", get("src")),
                "iframe" => {
                    // Browsers ignore it next to a content.
                    push("iframe src", get("src").filter(|_| get("srcdoc").is_none()));
                    let inner = get("srcdoc").map(|html| by_html5ever(&html)).unwrap_or_default();
                    found.extend(inner.into_iter().filter(|(what, _)| what != "id" && what != "name"));
                }
                // `post` forms are a separate kind. `dialog` forms and empty actions are no references.
                "form" => {
                    let method = get("method").unwrap_or_default().trim().to_ascii_lowercase();
                    if !matches!(method.as_str(), "post" | "dialog") {
                        push("form action", get("action").filter(|action| !action.is_empty()));
                    }
                }
                _ => {}
            }
        }
        // Template contents are inert, except for declarative shadow DOM.
        let mode = get("shadowrootmode").unwrap_or_default().to_ascii_lowercase();
        if matches!(mode.as_str(), "open" | "closed")
            && let Some(contents) = &*template_contents.borrow()
        {
            for child in contents.children.borrow().iter() {
                walk(child, true, found);
            }
        }
    }
    for child in node.children.borrow().iter() {
        walk(child, is_in_shadow_tree, found);
    }
}

/// Returns the value of `xlink:href`.
fn get_xlink(attributes: &[Attribute]) -> Option<String> {
    let is_xlink =
        |one: &&Attribute| &*one.name.ns == "http://www.w3.org/1999/xlink" && &*one.name.local == "href";
    attributes.iter().find(is_xlink).map(|one| one.value.to_string())
}

fn by_sitegate(html: &[u8]) -> Found {
    let mut page = Page::new(Source::from(html.to_vec()));
    parse_html(&mut page, &[]).unwrap();
    let mut found = Found::new();
    for reference in &page.facts.references {
        let what = reference.kind.description().trim_matches(['<', '>']).to_owned();
        let compared =
            ["a href", "img src", "script src", "iframe src", "form action"].contains(&what.as_str());
        if let (true, Some(value)) = (compared, reference.value) {
            found.insert((what, page.str(value).to_owned()));
        }
    }
    found.extend(page.ids.iter().map(|(id, _)| ("id".to_owned(), page.str(*id).to_owned())));
    found.extend(page.names.iter().map(|name| ("name".to_owned(), page.str(*name).to_owned())));
    found.retain(|(what, value)| !((what == "id" || what == "name") && value.is_empty()));
    found
}

fn both_parsers(html: &str) -> (Found, Found) {
    (by_sitegate(html.as_bytes()), by_html5ever(html))
}

/// Generates pages from unusual pieces, nested and truncated at random.
fn pages() -> impl Strategy<Value = String> {
    let value = prop::sample::select(vec![
        "x",
        "/a b",
        "a&amp;b",
        "&#x41;&copy=1",
        "é",
        "",
        "a>b",
        "a'b",
        "&lt;i&gt;",
    ]);
    let attribute =
        (prop::sample::select(vec!["href", "src", "id", "name", "HREF", "class", "action"]), value)
            .prop_flat_map(|(name, value)| {
                let quoted = format!(" {name}=\"{value}\"");
                let bare = format!(" {name}={}", value.replace(['>', '\'', ' ', '&'], "-"));
                prop::sample::select(vec![
                    quoted,
                    bare,
                    format!(" {name}"),
                    format!("\n{name} = '{}'", value.replace('\'', "")),
                ])
            });
    let attributes = prop::collection::vec(attribute, 0..4).prop_map(|all| all.concat());
    let element = prop::sample::select(vec![
        "a", "p", "div", "img", "span", "form", "ul", "li", "section", "h1", "b", "i", "pre", "code",
        "iframe",
    ]);
    let piece = (element, attributes, 0..5u8).prop_map(|(name, attributes, how)| match how {
        0 => format!("</{name}>"),
        1 => format!("<{name}{attributes}/>"),
        _ => format!("<{name}{attributes}>"),
    });
    let other = prop::sample::select(vec![
        "text",
        "<!-- <a href=comment> -->",
        "<![CDATA[<a href=cdata>]]>",
        "<script>'<a href=script>'</script>",
        "<style>/*<a href=style>*/</style>",
        "<textarea><a href=textarea></textarea>",
        "<title><a href=title></title>",
        "<xmp><a href=xmp></xmp>",
        "<template><a href=inert id=inert></template>",
        "<noscript><a href=live id=live></a></noscript>",
        "&lt;a href=text&gt;",
        "< a href=no>",
        "</iframe>",
        "<!-->",
        "<!--->",
        "<!--a--!>",
        "<!----- <a href=dashes> ---->",
        "<?php <a href=bogus>",
        "</ <a href=bogus>",
        "<!a href='>",
        "<script><!-- <script> '</script><a href=escaped>' --></script>",
        "<script><!--> </script>",
        "<script><!-- </script>",
        "<script/src=x></script/>",
        "<script src=></script>",
        "<noembed><a href=noembed></noembed>",
        "<svg><title><a href=title id=svg-title></a></title><style><a id=svg-style></style></svg>",
        "<svg><![CDATA[<a href=cdata>]]></svg>",
        "<svg viewBox='0 0 1 1'/>",
        "<svg><g id=g><a id=svg-a href=svg><path/></a></g></svg>",
        "<svg><foreignObject><p id=fp><img src=foreign></p></foreignObject><script><a id=s></script></svg>",
        "<svg><path d=m><p id=out><title><a href=t></title>",
        "<svg><script/><a id=after></a></svg>",
        "<math><mi><style><a id=x></style></mi><annotation-xml encoding=text/html><title><i id=ti></title></annotation-xml></math>",
        "<a\thref=tab\x0cid=feed>",
        "<a href=x/>",
        "<a =id=x>",
        "<a id=one id=two/ name>",
        "<a<b id=odd>",
        "</a id=end>",
    ]);
    prop::collection::vec(prop_oneof![3 => piece, 1 => other.prop_map(str::to_owned)], 0..20)
        .prop_map(|pieces| format!("<!doctype html><html><head></head><body>{}</iframe>", pieces.concat()))
}

/// Removes form actions. The tree builder drops a form inside a form and its attributes, a tokenizer does not.
fn without_forms(found: Found) -> Found {
    found.into_iter().filter(|(what, _)| what != "form action").collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn facts_of_generated_pages_equal_html5ever(html in pages()) {
        let (ours, theirs) = both_parsers(&html.replace("<form", "<section"));
        prop_assert_eq!(without_forms(ours), without_forms(theirs), "{}", html);
    }
}

/// Calls `compare` with each page of the cases.
fn each_case_page(mut compare: impl FnMut(&Path, &str)) {
    let written = tempfile::tempdir().unwrap();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    sitegate_textcase::write_all(&cases, written.path()).unwrap();
    let mut folders = vec![written.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let kind = entry.file_type().unwrap();
            let path = entry.path();
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|ending| ending == "html") {
                // Other encodings have their own cases.
                let Ok(html) = String::from_utf8(fs::read(&path).unwrap()) else { continue };
                if !html.contains('\0') {
                    compare(&path, &html);
                }
            }
        }
    }
}

#[test]
fn facts_of_case_pages_equal_html5ever() {
    let mut compared = 0;
    each_case_page(|path, html| {
        let (ours, theirs) = both_parsers(html);
        assert_eq!(ours, theirs, "{}", path.display());
        compared += 1;
    });
    assert!(compared > 40, "only {compared} pages");
}

/// Collects the depth, the name and the id of each element, and whether something moves.
#[derive(Default)]
struct Outline {
    depth: usize,
    elements: Vec<(usize, String)>,
    is_moved: bool,
}

impl NestingEvents for Outline {
    fn open(&mut self, element: &NestedElement) {
        self.elements.push((self.depth, element.name.as_str().to_owned()));
        self.depth += 1;
    }

    fn close(&mut self, _: &NestedElement, _: &Range<usize>) {
        self.depth -= 1;
    }

    fn moved(&mut self, _: Moved, _: usize) {
        self.is_moved = true;
    }
}

/// Returns the depth and the name of each element. Names without a meaning for parsers are empty.
fn outline_by_html5ever(html: &str) -> Vec<(usize, String)> {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let dom = parse_document(RcDom::default(), options).one(html);
    let mut elements = Vec::new();
    let mut open = vec![(dom.document.clone(), 0)];
    while let Some((node, depth)) = open.pop() {
        let mut inside = node.children.borrow().clone();
        if let NodeData::Element { name, template_contents, .. } = &node.data {
            // The document is not counted.
            elements.push((depth - 1, Name::from_key(key(name.local.as_bytes())).as_str().to_owned()));
            if let Some(contents) = &*template_contents.borrow() {
                inside.splice(0..0, contents.children.borrow().iter().cloned());
            }
        }
        open.extend(inside.into_iter().rev().map(|child| (child, depth + 1)));
    }
    elements
}

#[test]
fn nesting_of_case_pages_equals_html5ever() {
    let (mut compared, mut moved) = (0, 0);
    each_case_page(|path, html| {
        let nesting = read_nesting(html.as_bytes(), PageSyntax::Html, false, Outline::default()).unwrap();
        if nesting.is_moved {
            moved += 1;
        } else {
            assert_eq!(nesting.elements, outline_by_html5ever(html), "{}", path.display());
            compared += 1;
        }
    });
    assert!(
        compared > 100 && moved > 0 && moved < compared / 4,
        "{compared} pages, {moved} with moved markup"
    );
}
