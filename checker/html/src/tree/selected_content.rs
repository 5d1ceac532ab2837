//! Fills `selectedcontent`, which shows a copy of the selected option (HTML standard, 4.10.19 and "maybe clone an option
//! into selectedcontent").

use super::{NodeId, Place, Tree};
use crate::element::{Name, Namespace};

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
