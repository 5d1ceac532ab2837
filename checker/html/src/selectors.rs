//! CSS selectors on the tree of a page (Selectors Level 4): names, ids, classes, attributes, combinators, `:not`, `:is`,
//! `:where`, `:empty`, `:root`, and `:nth-child` with its relatives.

use std::fmt;

use cssparser::{ParseErrorKind, Parser as CssParser, ParserInput, ToCss};
use precomputed_hash::PrecomputedHash;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::{ElementSelectorFlags, matches_selector};
use selectors::parser::{
    Combinator, Component, NonTSPseudoClass, ParseRelative, Parser, PseudoElement, SelectorImpl,
    SelectorList, SelectorParseErrorKind,
};
use selectors::{Element, OpaqueElement};

use crate::attributes::decoded_value;
use crate::element::{Name, Namespace};
use crate::key::key;
use crate::lexer::AttributeSet;
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
}

impl Selector {
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

/// Explains why a selector is invalid, to follow its name and a colon.
fn explanation(kind: &ParseErrorKind<'_, SelectorParseErrorKind<'_>>) -> String {
    match kind {
        ParseErrorKind::Custom(SelectorParseErrorKind::EmptySelector) => {
            "a selector is missing, or begins with an invalid character".to_owned()
        }
        ParseErrorKind::Custom(SelectorParseErrorKind::DanglingCombinator) => {
            "a combinator (` `, `>`, `+`, `~`) needs a selector on both sides".to_owned()
        }
        ParseErrorKind::Custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement(name)) => {
            format!("`:{name}` is not supported")
        }
        ParseErrorKind::Custom(SelectorParseErrorKind::ExpectedNamespace(_)) => {
            "namespaces are not supported".to_owned()
        }
        ParseErrorKind::Custom(SelectorParseErrorKind::ClassNeedsIdent(_)) => {
            "after `.` the name of a class is missing, or needs escapes".to_owned()
        }
        ParseErrorKind::Custom(SelectorParseErrorKind::NoQualifiedNameInAttributeSelector(_)) => {
            "in `[` and `]` the name of an attribute is missing".to_owned()
        }
        ParseErrorKind::Custom(
            SelectorParseErrorKind::UnexpectedTokenInAttributeSelector(token)
            | SelectorParseErrorKind::ExpectedBarInAttr(token)
            | SelectorParseErrorKind::BadValueInAttr(token)
            | SelectorParseErrorKind::InvalidQualNameInAttr(token),
        ) => format!("unexpected `{}` in `[` and `]`", token.to_css_string()),
        ParseErrorKind::Basic(cssparser::BasicParseErrorKind::UnexpectedToken(token)) => {
            format!("unexpected `{}`", token.to_css_string())
        }
        ParseErrorKind::Basic(cssparser::BasicParseErrorKind::EndOfInput) => {
            "the selector ends too early".to_owned()
        }
        _ => "the selector is invalid".to_owned(),
    }
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

/// An element, as the selectors see it.
#[derive(Clone)]
struct TreeElement<'a, 't> {
    tree: &'a Tree<'t>,
    id: NodeId,
}

impl TreeElement<'_, '_> {
    fn at(&self, id: NodeId) -> Self {
        TreeElement { tree: self.tree, id }
    }
}

impl fmt::Debug for TreeElement<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.id)
    }
}

impl Element for TreeElement<'_, '_> {
    type Impl = Css;

    fn opaque(&self) -> OpaqueElement {
        self.tree.identity(self.id)
    }

    fn parent_element(&self) -> Option<Self> {
        self.tree.parent(self.id).map(|id| self.at(id))
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.tree.previous(self.id).next().map(|id| self.at(id))
    }

    fn next_sibling_element(&self) -> Option<Self> {
        self.tree.following(self.id).next().map(|id| self.at(id))
    }

    fn first_element_child(&self) -> Option<Self> {
        self.tree.children(self.id).next().map(|id| self.at(id))
    }

    fn is_html_element_in_html_document(&self) -> bool {
        self.tree.namespace(self.id) == Namespace::Html
    }

    /// Names of SVG have upper-case letters, which pages and selectors often omit, so that case does not count.
    fn has_local_name(&self, name: &CssName) -> bool {
        let own = self.tree.name(self.id);
        own == name.name
            && (own != Name::Other
                || self.tree.written_name(self.id).eq_ignore_ascii_case(name.text.0.as_bytes()))
    }

    fn has_namespace(&self, _: &CssText) -> bool {
        true
    }

    fn is_same_type(&self, other: &Self) -> bool {
        let tree = self.tree;
        tree.namespace(self.id) == tree.namespace(other.id)
            && tree.name(self.id) == tree.name(other.id)
            && (tree.name(self.id) != Name::Other
                || tree.written_name(self.id).eq_ignore_ascii_case(tree.written_name(other.id)))
    }

    fn attr_matches(
        &self,
        _: &NamespaceConstraint<&CssText>,
        name: &CssName,
        operation: &AttrSelectorOperation<&CssText>,
    ) -> bool {
        let value = self.tree.attribute(self.id, name.text.0.as_bytes());
        let is_present = matches!(operation, AttrSelectorOperation::Exists);
        value.is_some_and(|value| is_present || operation.eval_str(&decoded_value(value)))
    }

    fn match_non_ts_pseudo_class(&self, class: &NoPseudo, _: &mut MatchingContext<'_, Css>) -> bool {
        match *class {}
    }

    fn match_pseudo_element(&self, element: &NoPseudo, _: &mut MatchingContext<'_, Css>) -> bool {
        match *element {}
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        false
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &CssText, case_sensitivity: CaseSensitivity) -> bool {
        let own = self.tree.attribute(self.id, b"id");
        own.is_some_and(|own| case_sensitivity.eq(decoded_value(own).as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, name: &CssText, case_sensitivity: CaseSensitivity) -> bool {
        let Some(classes) = self.tree.attribute(self.id, b"class") else { return false };
        let classes = decoded_value(classes);
        let mut classes = classes.split_ascii_whitespace();
        classes.any(|class| case_sensitivity.eq(class.as_bytes(), name.0.as_bytes()))
    }

    fn has_custom_state(&self, _: &CssText) -> bool {
        false
    }

    fn imported_part(&self, _: &CssText) -> Option<CssText> {
        None
    }

    fn is_part(&self, _: &CssText) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        self.tree.is_empty(self.id)
    }

    fn is_root(&self) -> bool {
        self.tree.parent(self.id).is_none()
    }

    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }
}

/// The types of text in a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Css;

/// A text in a selector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct CssText(Box<str>);

/// The name of an element or an attribute in a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CssName {
    text: CssText,
    /// The element with this name.
    name: Name,
}

/// A pseudo-class or pseudo-element; none is supported.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NoPseudo {}

struct SelectorParser;

impl<'i> Parser<'i> for SelectorParser {
    type Impl = Css;
    type Error = SelectorParseErrorKind<'i>;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    // A contract with an error in a part of a selector is wrong, and not to be read without that part.
    fn allow_forgiving_selectors(&self) -> bool {
        false
    }
}

impl SelectorImpl for Css {
    type ExtraMatchingData<'a> = ();
    type AttrValue = CssText;
    type Identifier = CssText;
    type LocalName = CssName;
    type NamespaceUrl = CssText;
    type NamespacePrefix = CssText;
    type BorrowedNamespaceUrl = CssText;
    type BorrowedLocalName = CssName;
    type NonTSPseudoClass = NoPseudo;
    type PseudoElement = NoPseudo;
}

impl From<&str> for CssText {
    fn from(text: &str) -> Self {
        CssText(text.into())
    }
}

impl From<&str> for CssName {
    fn from(text: &str) -> Self {
        CssName { text: text.into(), name: Name::from_key(key(text.as_bytes())) }
    }
}

impl AsRef<str> for CssText {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for CssText {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.0, out)
    }
}

impl ToCss for CssName {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        self.text.to_css(out)
    }
}

impl PrecomputedHash for CssName {
    fn precomputed_hash(&self) -> u32 {
        self.text.precomputed_hash()
    }
}

impl PrecomputedHash for CssText {
    fn precomputed_hash(&self) -> u32 {
        // Hashes are only used for filters, which are off.
        0
    }
}

impl ToCss for NoPseudo {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl PseudoElement for NoPseudo {
    type Impl = Css;
}

impl NonTSPseudoClass for NoPseudo {
    type Impl = Css;

    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Selector, nesting, select};
    use crate::tree::{Tree, TreeOptions};

    /// Returns the ids of the selected elements, in tree order.
    fn selected(html: &str, selector: &str) -> String {
        let options = TreeOptions { runs_scripts: true, keeps_text: true };
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
