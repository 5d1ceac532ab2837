//! The tree that browsers build of a page (HTML standard, 13.2.6): elements with implied tags, misplaced markup where the
//! parser moves it, and without the markup that it ignores.

mod adoption;
mod builder;
mod content;
pub(crate) mod events;
mod foreign;
mod in_body;
mod insertion;
mod modes;
pub(crate) mod quirks;
mod tables;
#[cfg(test)]
pub(crate) mod tests;
mod xml;

pub(crate) use builder::Builder;
pub use quirks::selects_quirks;

use std::ops::Range;

use selectors::OpaqueElement;

use crate::attributes::{attribute_value, attributes};
use crate::element::{Name, Namespace};
use crate::syntax::PageSyntax;
use crate::templates::is_shadow_mode;
use crate::tokenizer::{AttributeSet, name_end};

/// An element or a text of a [`Tree`], or its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// No node.
    const NONE: NodeId = NodeId(u32::MAX);
    /// The document itself.
    pub const DOCUMENT: NodeId = NodeId(0);

    fn some(self) -> Option<NodeId> {
        (self != NodeId::NONE).then_some(self)
    }

    /// Returns its index among all nodes, in the order in which they were created.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node, and its place in the tree.
#[derive(Clone, Debug)]
struct Node {
    kind: NodeKind,
    name: Name,
    namespace: Namespace,
    attributes: AttributeSet,
    /// Its start tag or its text. For an element without a start tag, an empty range at the tag that implied it.
    range: Range<u32>,
    /// The end of its content, for elements.
    end: u32,
    /// Whether the parser has it open, for elements.
    is_open: bool,
    parent: NodeId,
    first_child: NodeId,
    last_child: NodeId,
    previous: NodeId,
    next: NodeId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NodeKind {
    Document,
    Element,
    /// Text with character references.
    Text,
    /// Text without: of a script, or in a CDATA section.
    Verbatim,
}

/// The page is nested so deeply, or its markup repeats so often, that its tree would take far more time than its length
/// suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its markup is nested or misnested too deeply")]
pub struct TooDeep;

/// How a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeOptions {
    /// The syntax of the page.
    pub syntax: PageSyntax,
    /// Whether scripts run, so that the content of `noscript` is text.
    pub runs_scripts: bool,
    /// Whether texts become nodes.
    pub keeps_text: bool,
}

/// The tree of a page. Offsets refer to the page's text.
pub struct Tree<'t> {
    text: &'t [u8],
    nodes: Vec<Node>,
    /// Tags that add attributes to an element: those of a second `<html>` or `<body>`.
    merged: Vec<(NodeId, Range<u32>)>,
    comments: Vec<Range<usize>>,
    is_quirks: bool,
}

impl<'t> Tree<'t> {
    /// Builds the tree of a page.
    ///
    /// # Errors
    /// If the time would be out of proportion to the length of the page.
    pub fn build(text: &'t [u8], options: TreeOptions) -> Result<Tree<'t>, TooDeep> {
        Builder::new(text, options, ()).build()
    }

    /// Returns all elements, in the order of the page's text.
    pub fn elements(&self) -> impl Iterator<Item = NodeId> {
        let all = self.nodes.iter().enumerate();
        all.filter(|(_, node)| node.kind == NodeKind::Element).map(|(index, _)| NodeId(index as u32))
    }

    /// Returns the elements that are part of the page, in tree order: all but those in inert templates.
    pub fn live_elements(&self) -> impl Iterator<Item = NodeId> {
        let mut at = NodeId::DOCUMENT;
        std::iter::from_fn(move || {
            loop {
                let enters = self.node(at).kind != NodeKind::Element || !self.is_inert_template(at);
                at = self.next_inside(at, NodeId::DOCUMENT, enters, |_| {})?;
                if self.node(at).kind == NodeKind::Element {
                    return Some(at);
                }
            }
        })
    }

    /// Returns the next node in tree order, inside of another one: its first child, if it `enters` the node. `leaves`
    /// receives the nodes that end before it.
    // Without recursion: pages may be nested deeply.
    fn next_inside(
        &self,
        mut at: NodeId,
        root: NodeId,
        enters: bool,
        mut leaves: impl FnMut(NodeId),
    ) -> Option<NodeId> {
        if enters && let Some(child) = self.node(at).first_child.some() {
            return Some(child);
        }
        while at != root {
            leaves(at);
            if let Some(next) = self.node(at).next.some() {
                return Some(next);
            }
            at = self.node(at).parent;
        }
        None
    }

    /// Whether browsers show the page in quirks mode.
    #[must_use]
    pub fn is_quirks(&self) -> bool {
        self.is_quirks
    }

    /// Returns the comments of the page.
    #[must_use]
    pub fn comments(&self) -> &[Range<usize>] {
        &self.comments
    }

    /// Returns the name of an element.
    #[must_use]
    pub fn name(&self, element: NodeId) -> Name {
        self.node(element).name
    }

    /// Returns the namespace of an element.
    #[must_use]
    pub fn namespace(&self, element: NodeId) -> Namespace {
        self.node(element).namespace
    }

    /// Returns the name of an element as written; empty if it has no start tag.
    #[must_use]
    pub fn written_name(&self, element: NodeId) -> &'t [u8] {
        let tag = self.tag(element);
        self.text.get(tag.start + 1..name_end(self.text, &tag)).unwrap_or_default()
    }

    /// Returns the start tag of an element; an empty range if it is implied.
    #[must_use]
    pub fn tag(&self, element: NodeId) -> Range<usize> {
        let range = &self.node(element).range;
        range.start as usize..range.end as usize
    }

    /// Returns the end of an element's content.
    #[must_use]
    pub fn end(&self, element: NodeId) -> usize {
        self.node(element).end as usize
    }

    /// Returns which attributes an element has, of those that most selectors ask for.
    #[must_use]
    pub fn attributes(&self, element: NodeId) -> AttributeSet {
        self.node(element).attributes
    }

    /// Returns the value of an attribute as written, by its name in any case; empty without a value.
    #[must_use]
    pub fn attribute(&self, element: NodeId, name: &[u8]) -> Option<&'t [u8]> {
        if !self.attributes(element).contains(AttributeSet::ANY) {
            return None;
        }
        let text = self.text;
        let find = |tag: Range<usize>| attribute_value(text, name_end(text, &tag), name);
        let tag = self.tag(element);
        if !tag.is_empty()
            && let Some(value) = find(tag)
        {
            return Some(value);
        }
        let mut merged = self.merged.iter().filter(|(other, _)| *other == element);
        merged.find_map(|(_, other)| find(other.start as usize..other.end as usize))
    }

    /// Returns the attributes of an element's start tag as written: names and values.
    fn written_attributes(&self, element: NodeId) -> Vec<(&'t [u8], &'t [u8])> {
        let tag = self.tag(element);
        if tag.is_empty() {
            return Vec::new();
        }
        let all = attributes(self.text, name_end(self.text, &tag));
        all.map(|own| (&self.text[own.name], own.value.map_or(&b""[..], |value| &self.text[value]))).collect()
    }

    /// Returns the parent of an element, if that is an element.
    #[must_use]
    pub fn parent(&self, element: NodeId) -> Option<NodeId> {
        self.node(element).parent.some().filter(|parent| *parent != NodeId::DOCUMENT)
    }

    /// Returns the children of an element that are elements.
    pub fn children(&self, element: NodeId) -> impl Iterator<Item = NodeId> {
        self.nodes_from(self.node(element).first_child, |node| node.next)
    }

    /// Returns the elements before one, nearest first.
    pub fn previous(&self, element: NodeId) -> impl Iterator<Item = NodeId> {
        self.nodes_from(self.node(element).previous, |node| node.previous)
    }

    /// Returns the elements after one, nearest first.
    pub fn following(&self, element: NodeId) -> impl Iterator<Item = NodeId> {
        self.nodes_from(self.node(element).next, |node| node.next)
    }

    /// Whether an element has no element and no text in it. Needs [`TreeOptions::keeps_text`].
    #[must_use]
    pub fn is_empty(&self, element: NodeId) -> bool {
        self.node(element).first_child == NodeId::NONE
    }

    /// Whether an element is a `template` whose content is inert, not a declarative shadow tree.
    #[must_use]
    pub fn is_inert_template(&self, element: NodeId) -> bool {
        let is_template = self.name(element) == Name::Template && self.namespace(element) == Namespace::Html;
        is_template && !self.attribute(element, b"shadowrootmode").is_some_and(is_shadow_mode)
    }

    /// Returns the identity of a node, for the caches of selectors.
    pub(crate) fn identity(&self, id: NodeId) -> OpaqueElement {
        OpaqueElement::new(self.node(id))
    }

    /// Returns the elements in a chain of siblings.
    fn nodes_from(&self, first: NodeId, next: impl Fn(&Node) -> NodeId) -> impl Iterator<Item = NodeId> {
        let nodes = std::iter::successors(first.some(), move |id| next(self.node(*id)).some());
        nodes.filter(|id| self.node(*id).kind == NodeKind::Element)
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Adds a node that is not in the tree yet.
    fn create(&mut self, kind: NodeKind, name: Name, namespace: Namespace, range: Range<usize>) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            kind,
            name,
            namespace,
            attributes: AttributeSet::default(),
            range: range.start as u32..range.end as u32,
            end: self.text.len() as u32,
            is_open: false,
            parent: NodeId::NONE,
            first_child: NodeId::NONE,
            last_child: NodeId::NONE,
            previous: NodeId::NONE,
            next: NodeId::NONE,
        });
        id
    }

    /// Adds a node like another one, as the parser does for misnested formatting.
    fn create_like(&mut self, original: NodeId) -> NodeId {
        let Node { kind, name, namespace, attributes, range, end, .. } = self.node(original).clone();
        let copy = self.create(kind, name, namespace, range.start as usize..range.end as usize);
        let node = self.node_mut(copy);
        (node.attributes, node.end) = (attributes, end);
        copy
    }

    /// Puts a detached node into a parent, before one of its children or at its end.
    fn insert(&mut self, node: NodeId, place: Place) {
        let Place { parent, before } = place;
        let previous = match before.some() {
            Some(before) => std::mem::replace(&mut self.node_mut(before).previous, node),
            None => std::mem::replace(&mut self.node_mut(parent).last_child, node),
        };
        match previous.some() {
            Some(previous) => self.node_mut(previous).next = node,
            None => self.node_mut(parent).first_child = node,
        }
        let node = self.node_mut(node);
        (node.parent, node.previous, node.next) = (parent, previous, before);
    }

    /// Takes a node out of its parent.
    fn detach(&mut self, node: NodeId) {
        let Node { parent, previous, next, .. } = *self.node(node);
        if parent == NodeId::NONE {
            return;
        }
        match previous.some() {
            Some(previous) => self.node_mut(previous).next = next,
            None => self.node_mut(parent).first_child = next,
        }
        match next.some() {
            Some(next) => self.node_mut(next).previous = previous,
            None => self.node_mut(parent).last_child = previous,
        }
        let node = self.node_mut(node);
        (node.parent, node.previous, node.next) = (NodeId::NONE, NodeId::NONE, NodeId::NONE);
    }

    /// Moves all children of a node to the end of another one.
    fn move_children(&mut self, from: NodeId, to: NodeId) {
        while let Some(child) = self.node(from).first_child.some() {
            self.detach(child);
            self.insert(child, Place::last_in(to));
        }
    }
}

/// A place in the tree.
#[derive(Clone, Copy, Debug)]
struct Place {
    parent: NodeId,
    /// The next sibling.
    before: NodeId,
}

impl Place {
    fn last_in(parent: NodeId) -> Self {
        Place { parent, before: NodeId::NONE }
    }
}
