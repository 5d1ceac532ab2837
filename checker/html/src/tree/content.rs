//! The contents of elements: the text that browsers show, and the copy of the selected option in `selectedcontent`
//! (HTML standard, 4.10.19 and "maybe clone an option into selectedcontent").

use super::{NodeId, NodeKind, Place, Tree};
use crate::element::{Name, Namespace};

impl Tree<'_> {
    /// Returns the text that browsers show of an element, with a space at each start and end of a block: without
    /// scripts, styles and inert templates. Needs [`super::TreeOptions::keeps_text`].
    #[must_use]
    pub fn element_text(&self, element: NodeId) -> String {
        let mut text = String::new();
        let mut at = element;
        loop {
            let enters = self.node(at).kind == NodeKind::Element && self.has_shown_text(at);
            let next = self.next_inside(at, element, enters, |left| self.separate_words(left, &mut text));
            let Some(next) = next else { return text };
            at = next;
            let node = self.node(at);
            let written =
                || String::from_utf8_lossy(&self.text[node.range.start as usize..node.range.end as usize]);
            match node.kind {
                NodeKind::Text => text.push_str(&htmlize::unescape(written())),
                NodeKind::Verbatim => text.push_str(&written()),
                NodeKind::Document | NodeKind::Element => self.separate_words(at, &mut text),
            }
        }
    }

    fn separate_words(&self, node: NodeId, text: &mut String) {
        let node = self.node(node);
        if node.kind == NodeKind::Element && node.name.separates_words() {
            text.push(' ');
        }
    }

    /// Whether browsers show the text in an element.
    fn has_shown_text(&self, element: NodeId) -> bool {
        let is_hidden = match self.name(element) {
            Name::Script | Name::Style | Name::Iframe | Name::Noembed | Name::Noframes | Name::Noscript => {
                true
            }
            Name::Template => self.is_inert_template(element),
            _ => false,
        };
        !is_hidden
    }
}

impl Tree<'_> {
    /// Copies the content of each select's option into its first `selectedcontent`.
    pub(super) fn fill_selected_contents(&mut self) {
        let is_named = |id: &NodeId, name| self.name(*id) == name && self.namespace(*id) == Namespace::Html;
        let all: Vec<_> = self.live_elements().filter(|id| is_named(id, Name::Selectedcontent)).collect();
        let mut filled = Vec::new();
        for place in all {
            let around = std::iter::successors(self.parent(place), |id| self.parent(*id));
            let Some(holder) = around
                .into_iter()
                .find(|id| matches!(self.name(*id), Name::Option | Name::Select | Name::Selectedcontent))
            else {
                continue;
            };
            if self.name(holder) != Name::Select || filled.contains(&holder) {
                continue;
            }
            filled.push(holder);
            if let Some(option) = self.selected_option(holder) {
                while let Some(child) = self.node(place).first_child.some() {
                    self.detach(child);
                }
                self.copy_children(option, place);
            }
        }
    }

    /// Returns the option that a select shows: the last with `selected`, or the first that is not disabled.
    fn selected_option(&self, select: NodeId) -> Option<NodeId> {
        if self.attribute(select, b"multiple").is_some() || self.attribute(select, b"size").is_some() {
            return None;
        }
        let mut shown = None;
        let mut at = select;
        while let Some(next) = self.next_inside(at, select, true, |_| {}) {
            at = next;
            if self.name(at) != Name::Option {
                continue;
            }
            let is_selected = self.attribute(at, b"selected").is_some();
            if is_selected || shown.is_none() && self.attribute(at, b"disabled").is_none() {
                shown = Some(at);
            }
        }
        shown
    }

    /// Copies the children of a node, with all in them, to the end of another one.
    fn copy_children(&mut self, from: NodeId, to: NodeId) {
        let mut left = vec![(from, to)];
        while let Some((original, copy)) = left.pop() {
            let mut child = self.node(original).first_child.some();
            while let Some(id) = child {
                let copied = self.create_like(id);
                self.insert(copied, Place::last_in(copy));
                left.push((id, copied));
                child = self.node(id).next.some();
            }
        }
    }
}
