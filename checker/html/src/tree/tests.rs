//! Compares trees with those of html5ever, which implements the standard.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;
use proptest::sample::select;

use super::{NodeId, NodeKind, Tree, TreeOptions};
use crate::attributes::{attributes, decoded_value};
use crate::element::{Name, Namespace};
use crate::nesting::{Moved, NestedElement, NestingEvents, read_nesting};
use crate::syntax::PageSyntax;

/// Returns one line for each element and text, indented by depth. Text is without white space.
fn outline(tree: &Tree<'_>) -> String {
    let mut lines = Outline::default();
    let mut open = vec![(NodeId::DOCUMENT, 0)];
    while let Some((id, depth)) = open.pop() {
        let node = tree.node(id);
        match node.kind {
            NodeKind::Document => {}
            NodeKind::Text | NodeKind::Verbatim => {
                let text = &tree.text[node.range.start as usize..node.range.end as usize];
                lines.text(depth, text, node.kind == NodeKind::Text);
            }
            NodeKind::Element => {
                let name = match node.name {
                    Name::Other => String::from_utf8_lossy(tree.written_name(id)).to_lowercase(),
                    name => name.as_str().to_owned(),
                };
                let namespace = namespace_prefix(node.namespace);
                let id = tree.attribute(id, b"id").map(decoded_value).unwrap_or_default();
                lines.element(depth, &format!("{namespace}{name} {id}"));
            }
        }
        let children: Vec<_> =
            std::iter::successors(node.first_child.some(), |child| tree.node(*child).next.some()).collect();
        open.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
    lines.finished()
}

/// Returns the outline that the events of a page describe, what moves, and the elements.
fn outline_of_events(html: &str, runs_scripts: bool) -> (String, Vec<Moved>, WrittenElements) {
    let events = OutlineEvents { html, ..OutlineEvents::default() };
    let OutlineEvents { lines, moved, open, mut written, .. } =
        read_nesting(html.as_bytes(), PageSyntax::Html, runs_scripts, events).unwrap();
    assert!(open.is_empty(), "every element closes: {html}");
    if !moved.is_empty() {
        for (_, is_inert) in written.values_mut() {
            *is_inert = None;
        }
    }
    (lines.finished(), moved, written)
}

/// Returns the elements of a tree.
fn written_elements(tree: &Tree<'_>, is_moved: bool) -> WrittenElements {
    let mut written = WrittenElements::new();
    for element in tree.elements().filter(|element| !tree.tag(*element).is_empty()) {
        let mut around = std::iter::successors(tree.parent(element), |parent| tree.parent(*parent));
        let is_inert = around.any(|parent| tree.is_inert_template(parent));
        let known = written.entry(tree.tag(element).start).or_default();
        // A form in a table ends before its tag.
        let end = tree.end(element).max(tree.tag(element).end);
        *known = (known.0.max(end), (!is_moved).then_some(is_inert));
    }
    written
}

#[derive(Default)]
struct OutlineEvents<'t> {
    html: &'t str,
    lines: Outline,
    open: Vec<NodeId>,
    moved: Vec<Moved>,
    written: WrittenElements,
}

/// The elements with a start tag, by its offset: the end of the last element that the parser makes of it, and whether it
/// is in an inert template, if nothing moves.
type WrittenElements = BTreeMap<usize, (usize, Option<bool>)>;

impl NestingEvents for OutlineEvents<'_> {
    fn open(&mut self, element: &NestedElement) {
        let written = self.html[element.tag.clone()].trim_start_matches('<');
        let is_end = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>');
        let written = written.split(is_end).next().unwrap_or_default().to_lowercase();
        let name = if element.name == Name::Other { &written } else { element.name.as_str() };
        let mut all = attributes(self.html.as_bytes(), element.tag.start + 1 + written.len());
        let id = if written.is_empty() { None } else { all.find(|own| &self.html[own.name.clone()] == "id") };
        let id = id.and_then(|id| id.value).map(|value| &self.html[value]).unwrap_or_default();
        // The document is around the root.
        self.lines
            .element(self.open.len() + 1, &format!("{}{name} {id}", namespace_prefix(element.namespace)));
        self.open.push(element.id);
    }

    fn close(&mut self, element: &NestedElement, end: &Range<usize>) {
        let index = self.open.iter().rposition(|open| *open == element.id);
        if index.is_none_or(|index| index + 1 < self.open.len()) {
            assert!(!self.moved.is_empty(), "{}", self.html);
        }
        self.open.retain(|open| *open != element.id);
        if !element.tag.is_empty() {
            let known = self.written.entry(element.tag.start).or_default();
            // The tag of `</br>` is its end tag, too.
            *known = (known.0.max(end.start).max(element.tag.end), Some(element.is_inert));
        }
        let tag = &self.html[end.clone()];
        assert!(tag.is_empty() || tag.starts_with("</") && tag.ends_with('>'), "{tag}");
    }

    fn text(&mut self, text: &Range<usize>, is_verbatim: bool) {
        self.lines.text(self.open.len() + 1, self.html[text.clone()].as_bytes(), !is_verbatim);
    }

    fn moved(&mut self, how: Moved, at: usize) {
        assert!(at <= self.html.len());
        self.moved.push(how);
    }
}

fn namespace_prefix(namespace: Namespace) -> &'static str {
    match namespace {
        Namespace::Html => "",
        Namespace::Svg => "svg ",
        Namespace::MathMl => "math ",
    }
}

#[derive(Default)]
struct Outline {
    lines: String,
    text: String,
    depth: usize,
}

impl Outline {
    fn element(&mut self, depth: usize, name: &str) {
        self.end_text();
        writeln!(self.lines, "{:depth$}<{name}>", "").unwrap();
    }

    fn text(&mut self, depth: usize, text: &[u8], is_encoded: bool) {
        if self.depth != depth {
            self.end_text();
        }
        self.depth = depth;
        let text = String::from_utf8_lossy(text);
        let text = if is_encoded { htmlize::unescape(text).into_owned() } else { text.into_owned() };
        self.text.extend(text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '\0' | '\u{fffd}')));
    }

    fn end_text(&mut self) {
        if !self.text.is_empty() {
            writeln!(self.lines, "{:1$}{2:?}", "", self.depth, self.text).unwrap();
            self.text.clear();
        }
    }

    fn finished(mut self) -> String {
        self.end_text();
        self.lines
    }
}

pub(crate) fn outline_of_html5ever(html: &str, runs_scripts: bool) -> String {
    let tree_builder = TreeBuilderOpts { scripting_enabled: runs_scripts, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let dom = parse_document(RcDom::default(), options).one(html);
    let mut lines = Outline::default();
    let mut open: Vec<(Handle, usize)> = vec![(dom.document.clone(), 0)];
    while let Some((node, depth)) = open.pop() {
        match &node.data {
            NodeData::Element { name, attrs, template_contents, .. } => {
                let id = attrs.borrow().iter().find(|a| &*a.name.local == "id").map(|a| a.value.to_string());
                let namespace = match &*name.ns {
                    "http://www.w3.org/2000/svg" => "svg ",
                    "http://www.w3.org/1998/Math/MathML" => "math ",
                    _ => "",
                };
                let id = id.unwrap_or_default();
                lines.element(depth, &format!("{namespace}{} {id}", name.local.to_lowercase()));
                if let Some(contents) = &*template_contents.borrow() {
                    open.extend(contents.children.borrow().iter().rev().map(|c| (c.clone(), depth + 1)));
                }
            }
            NodeData::Text { contents } => lines.text(depth, contents.borrow().as_bytes(), false),
            _ => {}
        }
        open.extend(node.children.borrow().iter().rev().map(|child| (child.clone(), depth + 1)));
    }
    lines.finished()
}

fn assert_same_tree(html: &str, runs_scripts: bool) {
    let options = TreeOptions { syntax: PageSyntax::Html, runs_scripts, keeps_text: true };
    let tree = Tree::build(html.as_bytes(), options).unwrap();
    let ours = outline(&tree);
    let theirs = outline_of_html5ever(html, runs_scripts);
    assert!(ours == theirs, "{html}\n--- ours\n{ours}--- html5ever\n{theirs}");
    let (nesting, moved, written) = outline_of_events(html, runs_scripts);
    assert_eq!(written, written_elements(&tree, !moved.is_empty()), "{html}");
    let is_same = nesting == theirs || !moved.is_empty();
    assert!(is_same, "{html}\n--- events\n{nesting}--- html5ever\n{theirs}");
}

#[test]
fn reports_what_moves() {
    for (html, expected) in [
        ("<p><b>a<i>b</p><p>c</i></b></p>", vec![]),
        ("<ul><li>a<li>b</ul><table><tr><td>c<select><option>d<option>e</select></table>", vec![]),
        ("<title>a</title></head><p>b</body>c</html>", vec![]),
        ("<table><tr>a<td>b</table>", vec![Moved::OutOfTable]),
        ("<table><p>a</p></table>", vec![Moved::OutOfTable]),
        ("<b><p>a</b></p>", vec![Moved::Formatting]),
        ("<form><div></form>a</div>", vec![Moved::Form]),
        ("<head></head><link><body>", vec![Moved::IntoHead]),
        ("<body><html id=a><body class=b>", vec![Moved::Merged, Moved::Merged]),
        ("<p></p><frameset></frameset>", vec![Moved::Frameset]),
        ("<select><button><selectedcontent></button><option>a</select>", vec![Moved::Copied]),
    ] {
        assert_eq!(outline_of_events(html, true).1, expected, "{html}");
    }
    let deep = "<div>".repeat(600);
    assert!(outline_of_events(&deep, true).1.contains(&Moved::TooDeep));
}

/// Collects the tags that have no effect, and the end tags of elements.
#[derive(Default)]
struct TagsWithoutEffect {
    ignored: Vec<Range<usize>>,
    closed: Vec<Range<usize>>,
}

impl NestingEvents for TagsWithoutEffect {
    fn close(&mut self, _: &NestedElement, end: &Range<usize>) {
        self.closed.extend(Some(end.clone()).filter(|end| !end.is_empty()));
    }

    fn ignored(&mut self, tag: &Range<usize>) {
        self.ignored.push(tag.clone());
    }
}

#[test]
fn reports_end_tags_and_those_without_effect() {
    for (html, ignored, closed) in [
        ("<p>a</p></div><i>b</i>", vec!["</div>"], vec!["</p>", "</i>"]),
        ("<div><p>a</div></p>", vec![], vec!["</div>", "</p>"]),
        ("<head></head><body></head><td></body></html>", vec!["</head>", "<td>"], vec!["</head>"]),
        ("<svg><g><path/></g></svg></svg>", vec!["</svg>"], vec!["</g>", "</svg>"]),
        ("<x-y>a</X-Y></x-y>", vec!["</x-y>"], vec!["</X-Y>"]),
        ("<script></script></script>", vec!["</script>"], vec!["</script>"]),
    ] {
        let found =
            read_nesting(html.as_bytes(), PageSyntax::Html, true, TagsWithoutEffect::default()).unwrap();
        let written = |ranges: &[Range<usize>]| ranges.iter().map(|r| &html[r.clone()]).collect::<Vec<_>>();
        assert_eq!((written(&found.ignored), written(&found.closed)), (ignored, closed), "{html}");
    }
}

/// Elements with parsing rules, and others. Common ones are repeated. `keygen` and `search` are left out, as html5ever
/// does not treat them as special.
#[rustfmt::skip] // one line for each would be half of the file
pub(crate) const ELEMENTS: [&str; 120] = [
    "a", "a", "a", "address", "applet", "area", "article", "b", "b", "b", "base", "big", "blockquote", "body", "br",
    "button", "button", "caption", "center", "code", "col", "colgroup", "custom-element", "dd", "details", "div",
    "div", "div", "dl", "dt", "em", "fieldset", "font", "form", "form", "frame", "frameset", "h1", "h2", "head",
    "header", "hr", "html", "i", "i", "iframe", "image", "img", "input", "li", "li", "li", "link", "listing", "main",
    "marquee", "menu", "meta", "nav", "nobr", "nobr", "noembed", "noframes", "noscript", "object", "ol", "optgroup",
    "option", "option", "p", "p", "p", "p", "param", "plaintext", "pre", "rb", "rp", "rt", "rtc", "ruby", "script",
    "section", "select", "select", "source", "span", "style", "sub", "summary", "table", "table", "table", "tbody",
    "td", "td", "template", "template", "textarea", "tfoot", "th", "thead", "tr", "tr", "track", "u", "ul", "ul",
    "very-long-custom-element", "wbr", "xmp", "selectedoption", "g", "path", "p", "table", "tr", "td", "b", "a",
];

/// Elements that contain SVG or `MathML`.
pub(crate) const ROOTS: [&str; 2] = ["svg", "math"];

/// Elements that contain HTML in SVG or `MathML`. html5ever does not treat them as special there, so no page has both.
pub(crate) const INTEGRATION_POINTS: [&str; 9] =
    ["annotation-xml", "desc", "foreignObject", "malignmark", "mglyph", "mi", "mtext", "title", "title"];

/// Other parts of pages.
#[rustfmt::skip]
const PARTS: [&str; 27] = [
    " ", "\n", "x", "x y", "&amp;", "&#32;", "&Tab;&#xA;", "&nbsp;", "&lt;p>", "<!-- <p> -->", "<!-->", "<!--x--!>",
    "<![CDATA[ ]]>", "<![CDATA[x<p>]]>", "<!DOCTYPE html>", "<!doctype html public '-//W3C//DTD HTML 3.2//'>", "<?x?>",
    "</>", "< p>", "<", "</ p>", "<!x>", "é", "<p", "<input type=hidden>", "<input TYPE='hid&#100;en'>",
    "<font color=x>",
];

pub(crate) fn pages(others: &'static [&'static str]) -> impl Strategy<Value = String> {
    let element = prop_oneof![9 => select(&ELEMENTS[..]), 1 => select(others)];
    let tag = (element, 0..9u8).prop_map(|(name, how)| match how {
        0..3 => format!("</{name}>"),
        3 => format!("<{name}/>"),
        4 => format!("<{} CLASS=x>", name.to_uppercase()),
        _ => format!("<{name}>"),
    });
    let any_piece = prop_oneof![6 => tag, 2 => select(&PARTS[..]).prop_map(str::to_owned)];
    // An id for each start tag shows which of them an element comes from.
    prop::collection::vec(any_piece, 0..24).prop_map(|mut pieces| {
        // html5ever takes white space in a template, where a table goes on, for misplaced content (13.2.6.4.9).
        if pieces.iter().any(|piece| piece.to_lowercase().contains("<template")) {
            pieces.retain(|piece| !matches!(&**piece, " " | "\n" | "&#32;" | "&Tab;&#xA;"));
        }
        let with_ids = pieces.into_iter().enumerate().map(|(index, piece)| {
            let is_start =
                piece.starts_with('<') && piece[1..].starts_with(|c: char| c.is_ascii_alphabetic());
            match piece.strip_suffix('>').filter(|_| is_start) {
                Some(start) => match start.strip_suffix('/') {
                    Some(empty) => format!("{empty} id={index} />"),
                    None => format!("{start} id={index}>"),
                },
                None => piece,
            }
        });
        let page: String = with_ids.collect();
        // In a template without a table, html5ever takes `thead` for no table body.
        let has_template = page.to_lowercase().contains("<template");
        if has_template { page.replace("thead", "tfoot").replace("THEAD", "TFOOT") } else { page }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn builds_the_tree_of_html5ever(html in pages(&INTEGRATION_POINTS), runs_scripts in any::<bool>()) {
        assert_same_tree(&html, runs_scripts);
    }

    #[test]
    fn builds_the_tree_of_html5ever_with_svg(html in pages(&ROOTS), runs_scripts in any::<bool>()) {
        assert_same_tree(&html, runs_scripts);
    }
}
