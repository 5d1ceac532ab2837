//! Shows an element of a tree to Servo's matcher of selectors.

use std::fmt;

use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::MatchingContext;
use selectors::matching::ElementSelectorFlags;
use selectors::{Element, OpaqueElement};

use super::syntax::{Css, CssName, CssText, NoPseudo};
use crate::attributes::decoded_value;
use crate::element::{Name, Namespace};
use crate::tree::{NodeId, Tree};

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
