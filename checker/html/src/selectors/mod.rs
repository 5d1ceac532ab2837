//! CSS selectors on the tree of a page (Selectors Level 4): names, ids, classes, attributes, combinators, `:not`, `:is`,
//! `:where`, `:empty`, `:root`, and `:nth-child` with its relatives.

mod servo;

use cssparser::{Parser as CssParser, ParserInput};
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::matches_selector;
use selectors::parser::{Combinator, Component, ParseRelative, SelectorList};

use self::servo::{Css, SelectorParser, TreeElement, explanation};
use crate::element::Name;
use crate::tokenizer::AttributeSet;
use crate::tree::{NodeId, Tree};

/// A list of selectors, separated by commas.
#[derive(Clone, Debug)]
pub struct Selector {
    list: SelectorList<Css>,
    /// The requirements of each of them for the element that it selects.
    requirements: Vec<Requirement>,
}

/// A part of a selector that most elements do not meet, and that is known without reading their tags.
#[derive(Clone, Debug, Default)]
struct Requirement {
    name: Option<Name>,
    attributes: AttributeSet,
    /// Names of elements around it.
    ancestors: Vec<Name>,
}

impl Requirement {
    /// Collects what a selector requires of the element that it selects.
    fn of(selector: &selectors::parser::Selector<Css>) -> Requirement {
        let mut requirement = Requirement::default();
        let mut components = selector.iter();
        for component in components.by_ref() {
            let attributes = match component {
                Component::LocalName(name) => {
                    requirement.name = Some(name.lower_name.name);
                    continue;
                }
                Component::ID(_) => AttributeSet::ID,
                Component::Class(_) => AttributeSet::CLASS,
                Component::AttributeInNoNamespaceExists { .. } | Component::AttributeInNoNamespace { .. } => {
                    AttributeSet::ANY
                }
                _ => continue,
            };
            requirement.attributes = requirement.attributes.with(attributes);
        }
        while let Some(combinator) = components.next_sequence() {
            // The ancestors of a sibling are those of the element.
            let is_ancestor = matches!(combinator, Combinator::Child | Combinator::Descendant);
            for component in components.by_ref() {
                if let Component::LocalName(name) = component
                    && is_ancestor
                {
                    requirement.ancestors.push(name.lower_name.name);
                }
            }
        }
        requirement
    }

    fn is_met(&self, name: Name, attributes: AttributeSet, ancestors: &Ancestors) -> bool {
        self.name.is_none_or(|required| required == name)
            && attributes.contains(self.attributes)
            && self.ancestors.iter().all(|required| ancestors.by_name[*required as usize] > 0)
    }
}

/// The elements around the current one, while all elements of a tree are visited.
struct Ancestors {
    open: Vec<NodeId>,
    /// Number of them with each name.
    by_name: [u32; Name::COUNT],
}

impl Ancestors {
    /// Leaves the elements that are not around the next one.
    fn leave_to(&mut self, parent: Option<NodeId>, tree: &Tree<'_>) {
        while let Some(last) = self.open.pop_if(|last| Some(*last) != parent) {
            self.by_name[tree.name(last) as usize] -= 1;
        }
    }

    fn enter(&mut self, element: NodeId, tree: &Tree<'_>) {
        self.open.push(element);
        self.by_name[tree.name(element) as usize] += 1;
    }
}

/// A selector is invalid, or uses a part of CSS that has no meaning for a page at rest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidSelector(String);

impl Selector {
    /// Parses a list of selectors.
    ///
    /// # Errors
    /// If a selector is invalid, combines more than 100 selectors, or is not supported: pseudo-elements, states such as
    /// `:hover`, and namespaces.
    pub fn parse(text: &str) -> Result<Selector, InvalidSelector> {
        if nesting(text) > MAX_NESTING {
            return Err(InvalidSelector(format!(
                "combines more than {MAX_NESTING} selectors; use a shorter one"
            )));
        }
        let mut input = ParserInput::new(text);
        let parsed = SelectorList::parse(&SelectorParser, &mut CssParser::new(&mut input), ParseRelative::No);
        let list = parsed.map_err(|error| InvalidSelector(explanation(&error.kind)))?;
        let requirements = list.slice().iter().map(Requirement::of).collect();
        Ok(Selector { list, requirements })
    }

    /// Whether it asks for texts of the page: `:empty`. Then the tree must keep them.
    #[must_use]
    pub fn reads_text(&self) -> bool {
        self.list.slice().iter().any(|alternative| asks_for_text(alternative.iter_raw_match_order()))
    }
}

fn asks_for_text<'c>(mut components: impl Iterator<Item = &'c Component<Css>>) -> bool {
    components.any(|component| match component {
        Component::Empty => true,
        Component::Negation(list) | Component::Is(list) | Component::Where(list) => {
            list.slice().iter().any(|alternative| asks_for_text(alternative.iter_raw_match_order()))
        }
        _ => false,
    })
}

/// The largest accepted [`nesting`]. Parsing and matching recurse for each combined selector.
const MAX_NESTING: usize = 100;

/// Returns how many compound selectors one alternative of a selector combines or nests at most: 3 for
/// `ul > li, main ul a`. Combinators in quotes count too.
fn nesting(selector: &str) -> usize {
    let (mut most, mut combined, mut open, mut follows_combinator) = (1, 1, 0_usize, true);
    for byte in selector.trim().bytes() {
        let is_combinator = matches!(byte, b' ' | b'\t'..=b'\r' | b'>' | b'+' | b'~');
        match byte {
            b'(' | b'[' => (combined, open) = (combined + 1, open + 1),
            b')' | b']' => open = open.saturating_sub(1),
            b',' if open == 0 => combined = 1,
            _ if is_combinator && !follows_combinator => combined += 1,
            _ => {}
        }
        follows_combinator = is_combinator || byte == b',';
        most = most.max(combined);
    }
    most
}

/// Returns the elements of a page that selectors match, in tree order, each with the index of its selector. Elements in
/// inert templates are not part of the page.
#[must_use]
pub fn select(tree: &Tree<'_>, selectors: &[&Selector]) -> Vec<(usize, NodeId)> {
    let mut caches = SelectorCaches::default();
    let quirks = if tree.is_quirks() { QuirksMode::Quirks } else { QuirksMode::NoQuirks };
    let mut context = MatchingContext::new(
        MatchingMode::Normal,
        None,
        &mut caches,
        quirks,
        NeedsSelectorFlags::No,
        MatchingForInvalidation::No,
    );
    let alternatives: Vec<_> = selectors
        .iter()
        .enumerate()
        .flat_map(|(index, selector)| {
            let alternatives = selector.requirements.iter().zip(selector.list.slice());
            alternatives.map(move |(requirement, alternative)| (requirement, index, alternative))
        })
        .collect();
    let mut found: Vec<(usize, NodeId)> = Vec::new();
    let mut ancestors = Ancestors { open: Vec::new(), by_name: [0; Name::COUNT] };
    for id in tree.live_elements() {
        ancestors.leave_to(tree.parent(id), tree);
        let (name, attributes) = (tree.name(id), tree.attributes(id));
        let first = found.len();
        for (requirement, index, alternative) in &alternatives {
            let is_found = || found[first..].iter().any(|(other, _)| other == index);
            if !requirement.is_met(name, attributes, &ancestors) || is_found() {
                continue;
            }
            if matches_selector(alternative, 0, None, &TreeElement { tree, id }, &mut context) {
                found.push((*index, id));
            }
        }
        ancestors.enter(id, tree);
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Selector, nesting, select};
    use crate::syntax::PageSyntax;
    use crate::tree::{Tree, TreeOptions};

    /// Returns the ids of the selected elements, in tree order.
    fn selected(html: &str, selector: &str) -> String {
        selected_in(PageSyntax::Html, html, selector)
    }

    fn selected_in(syntax: PageSyntax, html: &str, selector: &str) -> String {
        let options = TreeOptions { syntax, runs_scripts: true, keeps_text: true };
        let tree = Tree::build(html.as_bytes(), options).unwrap();
        let selector = Selector::parse(selector).unwrap();
        let found = select(&tree, &[&selector]);
        let id = |id| String::from_utf8_lossy(tree.attribute(id, b"id").unwrap_or(b"?")).into_owned();
        found.into_iter().map(|(_, element)| id(element)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn matches_elements_of_the_tree() {
        let page = "<!doctype html><title id=t>x</title><h1 id=h>x</h1><main id=m class='a b'>\
            <ul id=u><li id=1>a<li id=2 class=b>b<li id=3>c</ul><p id=p>x<div id=d class=ad lang=en-GB>y</div>\
            <table id=x><tr id=r><td id=c><a id=a href=/B rel=NEXT></table>\
            <svg id=s><linearGradient id=g /><a id=sa></a></svg>\
            <template id=i><b id=ib></b></template>\
            <div id=host><template id=st shadowrootmode=open><b id=sb></b></template></div><p id=e></p>";
        let examples = [
            ("ul > li", "1 2 3"),
            ("main > div.ad", "d"),
            ("p div", ""),
            ("head > title", "t"),
            ("body > h1", "h"),
            ("html > body > main", "m"),
            ("tr", "r"),
            ("table > tr", ""),
            ("table > tbody > tr > td > a[href]", "a"),
            ("li:nth-child(2)", "2"),
            ("li:first-child, li:last-child", "1 3"),
            ("li:not(.b)", "1 3"),
            ("li + li", "2 3"),
            ("main h1 ~ p", ""),
            ("body h1 ~ main li", "1 2 3"),
            ("ul + p ~ div.ad", "d"),
            ("svg > lineargradient + a", "sa"),
            ("li#\\31  ~ li", "2 3"),
            (".a.b", "m"),
            (":is(ul, table)", "u x"),
            ("[rel=next]", "a"),
            ("[href='/b']", ""),
            ("[href='/b' i]", "a"),
            ("[lang|=en]", "d"),
            ("linearGradient", "g"),
            ("svg a", "sa"),
            ("b", "sb"),
            ("#host b", "sb"),
            ("p:empty", "e"),
            ("li:not(:empty)", "1 2 3"),
            (":root > *", "? ?"),
        ];
        for (selector, expected) in examples {
            assert_eq!(selected(page, selector), expected, "{selector}");
        }
    }

    #[test]
    fn elements_of_xml_are_those_that_are_written() {
        let page = "<?xml version='1.0'?><!DOCTYPE html [<!ENTITY a '>'>]><html id='h'><head><title id='t'/>\
            <script id='s'>a &lt; b<![CDATA[</script>]]></script></head><body id='b'><p id='p'><div id='d'/></p>\
            <table id='x'><tr id='r'><td id='c'/></tr></table><iframe id='i'/><A id='u'/><a id='a'><a id='n'/></a>\
            <svg id='g'><title><b id='e'/></title><p id='q'/></svg></body></html>";
        let examples = [
            ("head > script", "s"),
            ("body > p > div", "d"),
            ("table > tr > td", "c"),
            ("body > a > a", "n"),
            ("iframe + *", "u"),
            ("svg > p", "q"),
            ("title > b", "e"),
            ("tbody", ""),
            ("td:empty", "c"),
        ];
        for (selector, expected) in examples {
            assert_eq!(selected_in(PageSyntax::Xml, page, selector), expected, "{selector}");
        }
        // A page that browsers show an error for.
        assert_eq!(selected_in(PageSyntax::Xml, "</a><p id='p'><b id='b'></p><i id='i'/>", "*"), "p b i");
    }

    #[test]
    fn misnested_formatting_counts_as_browsers_show_it() {
        assert_eq!(selected("<b id=1>x<p id=2>y</b>z", "b"), "1 1");
        assert_eq!(selected("<table id=t><p id=p>x</table>", "p, table"), "p t");
        assert_eq!(selected("\u{feff}<title id=t>x</title>", "head > title"), "t");
        assert_eq!(selected("<p id=p><a id=1><a id=2></a>", "p > a"), "1 2");
    }

    #[test]
    fn selects_show_a_copy_of_their_option() {
        let select = |rest: &str| format!("<select><button><selectedcontent></button>{rest}");
        let examples = [
            (select("<option>x<i id=1>i<b id=2>ib</i>b"), "1 2 2 1 2 2"),
            (select("<option><i id=1></i><option selected><i id=2></i></select>"), "2 1 2"),
            (select("<option disabled><i id=1></i></option><optgroup><option><i id=2></i>"), "2 1 2"),
            (select("<option><i id=1></i></select>").replace("<select", "<select multiple"), "1"),
            ("<select><option><i id=1></i></option><selectedcontent>x</select>".to_owned(), "1 1"),
            ("<select><option><i id=1></i><selectedcontent>x</select>".to_owned(), "1"),
        ];
        for (page, expected) in examples {
            assert_eq!(selected(&page, "i, b"), expected, "{page}");
        }
    }

    #[test]
    fn counts_combined_and_nested_selectors() {
        let examples =
            [("a", 1), ("ul > li, main ul a", 3), ("a>b ~ c", 3), ("a,\n  b c", 2), (":not(:not(a, b))", 3)];
        for (selector, expected) in examples {
            assert_eq!(nesting(selector), expected, "{selector}");
        }
        for deep in [":not(".repeat(50_000), "a ".repeat(50_000), "[".repeat(50_000), "a>".repeat(50_000)] {
            assert!(Selector::parse(&deep).unwrap_err().to_string().contains("more than 100"));
        }
    }

    #[test]
    fn explains_invalid_selectors() {
        let examples = [
            ("", "a selector is missing, or begins with an invalid character"),
            ("a >", "a combinator (` `, `>`, `+`, `~`) needs a selector on both sides"),
            ("a:hover", "`:hover` is not supported"),
            ("a::before", "`:before` is not supported"),
            ("svg|a", "namespaces are not supported"),
            ("a, .1", "a selector is missing, or begins with an invalid character"),
            ("a..b", "after `.` the name of a class is missing, or needs escapes"),
            ("[]", "the selector ends too early"),
            ("[=x]", "in `[` and `]` the name of an attribute is missing"),
            ("[a=]", "the selector ends too early"),
            (":is(a, :hover)", "`:hover` is not supported"),
            ("a]", "unexpected `]`"),
        ];
        for (selector, expected) in examples {
            assert_eq!(Selector::parse(selector).unwrap_err().to_string(), expected, "{selector}");
        }
    }
}
