//! Shows selectors and the elements of a tree to Servo's parser and matcher of selectors. Explains invalid selectors.

use std::fmt;

use cssparser::{BasicParseErrorKind, ParseErrorKind, ToCss};
use precomputed_hash::PrecomputedHash;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::MatchingContext;
use selectors::matching::ElementSelectorFlags;
use selectors::parser::{NonTSPseudoClass, Parser, PseudoElement, SelectorImpl, SelectorParseErrorKind};
use selectors::{Element, OpaqueElement};

use crate::attributes::decoded_value;
use crate::element::{Name, Namespace};
use crate::key::key;
use crate::tree::{NodeId, Tree};

/// The types of text in a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Css;

/// A text in a selector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CssText(pub Box<str>);

/// The name of an element or an attribute in a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CssName {
    pub text: CssText,
    /// The element with this name.
    pub name: Name,
}

/// A pseudo-class or pseudo-element; none is supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoPseudo {}

/// Parses the selectors of a page at rest.
pub(super) struct SelectorParser;

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

/// Explains why a selector is invalid, to follow its name and a colon.
pub(super) fn explanation(kind: &ParseErrorKind<'_, SelectorParseErrorKind<'_>>) -> String {
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
        ParseErrorKind::Custom(
            SelectorParseErrorKind::PseudoElementExpectedIdent(_)
            | SelectorParseErrorKind::PseudoElementExpectedColon(_),
        ) => "after `:` the name of a pseudo-class is missing".to_owned(),
        ParseErrorKind::Custom(SelectorParseErrorKind::NoQualifiedNameInAttributeSelector(_)) => {
            "in `[` and `]` the name of an attribute is missing".to_owned()
        }
        ParseErrorKind::Custom(
            SelectorParseErrorKind::UnexpectedTokenInAttributeSelector(token)
            | SelectorParseErrorKind::ExpectedBarInAttr(token)
            | SelectorParseErrorKind::BadValueInAttr(token)
            | SelectorParseErrorKind::InvalidQualNameInAttr(token),
        ) => format!("unexpected `{}` in `[` and `]`", token.to_css_string()),
        ParseErrorKind::Basic(BasicParseErrorKind::UnexpectedToken(token)) => {
            format!("unexpected `{}`", token.to_css_string())
        }
        ParseErrorKind::Basic(BasicParseErrorKind::EndOfInput) => "the selector ends too early".to_owned(),
        _ => "the selector is invalid".to_owned(),
    }
}

/// An element, as the selectors see it.
#[derive(Clone)]
pub(super) struct TreeElement<'a, 't> {
    pub tree: &'a Tree<'t>,
    pub id: NodeId,
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
