//! Insertion of elements and texts (HTML standard, 13.2.6.1), and the events of it.

use std::ops::Range;

use super::builder::{Builder, Mode};
use super::events::{Moved, NestedElement, NestingEvents};
use super::{NodeId, NodeKind, Place};
use crate::element::{Name, Namespace};
use crate::raw_text::RawText;
use crate::tokenizer::Tag;

/// The depth up to which elements become children of the innermost open one; deeper ones become its siblings. Chromium and
/// Safari do so (`kMaximumHTMLParserDOMTreeDepth`), and it bounds the time of a selector that looks for ancestors.
const MAX_DEPTH: usize = 512;

impl<E: NestingEvents> Builder<'_, E> {
    /// Returns the place for a new node: the end of `target`, or before the table around it (13.2.6.1).
    pub(super) fn place_in(&mut self, target: NodeId) -> Place {
        use Name::{Table, Tbody, Template, Tfoot, Thead, Tr};
        let is_misplaced =
            self.moves_out_of_table && matches!(self.html_name(target), Table | Tbody | Tfoot | Thead | Tr);
        if !is_misplaced {
            return Place::last_in(target);
        }
        self.report_moved(Moved::OutOfTable);
        self.count_steps(self.open.len());
        let innermost = |name| self.open.iter().rposition(|element| self.html_name(*element) == name);
        let template = innermost(Template);
        let Some(table) = innermost(Table).filter(|table| template.is_none_or(|template| template < *table))
        else {
            return Place::last_in(template.map_or(self.open[0], |template| self.open[template]));
        };
        let before = self.open[table];
        match self.tree.node(before).parent.some() {
            Some(parent) => Place { parent, before },
            None => Place::last_in(self.open[table - 1]),
        }
    }

    /// Whether the place of a new node matters: for the tree, or because the node may be moved.
    fn needs_place(&self) -> bool {
        self.builds_tree || self.moves_out_of_table || self.open.len() > MAX_DEPTH
    }

    /// Returns the place for a new node in the current element.
    fn place(&mut self) -> Place {
        let target = self.current().unwrap_or(NodeId::DOCUMENT);
        let mut place = self.place_in(target);
        if self.open.len() > MAX_DEPTH {
            self.report_moved(Moved::TooDeep);
            let parent = self.tree.node(place.parent).parent.some();
            place = parent.map_or(place, Place::last_in);
        }
        place
    }

    /// Inserts an element that is not in the tree yet, and makes it the current one.
    pub fn insert_created(&mut self, element: NodeId) {
        if self.needs_place() {
            let place = self.place();
            if self.builds_tree {
                self.tree.insert(element, place);
            }
        }
        self.report_open(element);
        self.push(element);
    }

    pub fn insert_html(&mut self, tag: &Tag) -> NodeId {
        self.insert_tag(tag, Namespace::Html)
    }

    /// Inserts the element of a tag.
    pub fn insert_tag(&mut self, tag: &Tag, namespace: Namespace) -> NodeId {
        let element = self.tree.create(NodeKind::Element, tag.name, namespace, tag.range.clone());
        self.tree.node_mut(element).attributes = self.attributes;
        self.insert_created(element);
        if tag.name == Name::Selectedcontent {
            self.has_selected_content = true;
            self.report_moved(Moved::Copied);
        }
        element
    }

    /// Inserts an element that the current token implies.
    pub fn insert_implied(&mut self, name: Name) -> NodeId {
        let element = self.tree.create(NodeKind::Element, name, Namespace::Html, self.at..self.at);
        self.insert_created(element);
        element
    }

    /// Inserts an element without content.
    pub fn insert_void(&mut self, tag: &Tag) {
        self.insert_html(tag);
        self.pop_empty(tag);
    }

    /// Closes the element that a tag opened, which has no content.
    pub fn pop_empty(&mut self, tag: &Tag) {
        self.at = tag.range.end;
        self.pop();
        self.at = tag.range.start;
    }

    /// Inserts an element whose content is not markup.
    pub fn insert_raw(&mut self, tag: &Tag, kind: RawText) {
        self.insert_html(tag);
        self.raw = Some(kind);
        self.mode_after_text = self.mode;
        self.mode = Mode::Text;
    }

    pub(super) fn insert_text(&mut self, range: Range<usize>, kind: NodeKind) {
        if range.is_empty() {
            return;
        }
        if !self.builds_tree {
            if self.needs_place() {
                self.place();
            }
            return self.events.text(&range, kind == NodeKind::Verbatim);
        }
        if !self.options.keeps_text {
            return;
        }
        let place = self.place();
        let text = self.tree.create(kind, Name::Other, Namespace::Html, range);
        self.tree.insert(text, place);
    }

    /// Adds the attributes of another tag to an element.
    pub fn merge_attributes(&mut self, element: Option<NodeId>, tag: &Tag) {
        let Some(element) = element else { return };
        self.tree.merged.push((element, tag.range.start as u32..tag.range.end as u32));
        self.report_moved(Moved::Merged);
        let merged = NestedElement { tag: tag.range.clone(), ..self.nested(element) };
        self.events.merged(&merged);
        let attributes = self.attributes;
        let node = self.tree.node_mut(element);
        node.attributes = node.attributes.with(attributes);
    }

    /// Describes an element for events.
    fn nested(&self, id: NodeId) -> NestedElement {
        let (name, namespace) = (self.tree.name(id), self.tree.namespace(id));
        let (parent, is_inert) = (self.current_name(), self.inert_templates > 0);
        NestedElement { id, name, namespace, tag: self.tree.tag(id), parent, is_inert }
    }

    pub fn report_open(&mut self, element: NodeId) {
        self.changes += 1;
        if !self.builds_tree {
            let nested = self.nested(element);
            self.events.open(&nested);
        }
    }

    /// Returns the end tag of an element that closes now; an empty range if the current token is not its end tag.
    pub fn end_of(&self, element: NodeId) -> Range<usize> {
        let own = self.end_tag.as_ref().filter(|tag| self.is_named_like(element, tag));
        own.map_or(self.at..self.at, |tag| tag.range.clone())
    }

    pub fn report_closed(&mut self, element: NodeId, end: Range<usize>) {
        self.changes += 1;
        if !self.builds_tree {
            let nested = self.nested(element);
            self.events.close(&nested, &end);
        }
    }

    /// Reports that the current markup or text is moved.
    pub fn report_moved(&mut self, how: Moved) {
        self.changes += 1;
        if self.last_moved.replace((how, self.at)) != Some((how, self.at)) {
            self.events.moved(how, self.at);
        }
    }
}
