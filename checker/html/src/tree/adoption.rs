//! Active formatting elements: `<b>` and others that the parser repeats and moves if they are misnested (HTML standard,
//! 13.2.4.3 and 13.2.6.4.7).

use super::builder::{Builder, Formatting, Scope};
use super::events::{Moved, NestingEvents};
use super::{NodeId, Place};
use crate::attributes::decoded_value;
use crate::element::Name;
use crate::tokenizer::Tag;

/// How often an end tag repeats its steps, and after how many elements it forgets those that it passes.
const OUTER_ROUNDS: usize = 8;
const INNER_ROUNDS: usize = 3;

impl<E: NestingEvents> Builder<'_, E> {
    /// Inserts a formatting element.
    pub fn insert_formatting(&mut self, tag: &Tag) {
        let element = self.insert_html(tag);
        self.forget_repeated(element);
        self.formatting.push(Formatting::Element(element));
    }

    /// Returns the innermost formatting element with a name up to the last marker, and its index.
    pub fn innermost_formatting(&mut self, name: Name) -> Option<(usize, NodeId)> {
        self.count_steps(self.formatting.len());
        for (index, entry) in self.formatting.iter().enumerate().rev() {
            match *entry {
                Formatting::Marker => return None,
                Formatting::Element(element) if self.html_name(element) == name => {
                    return Some((index, element));
                }
                Formatting::Element(_) => {}
            }
        }
        None
    }

    /// Forgets the first of three equal formatting elements: the "Noah's Ark clause".
    fn forget_repeated(&mut self, element: NodeId) {
        let start = self.formatting.iter().rposition(|entry| *entry == Formatting::Marker);
        let start = start.map_or(0, |marker| marker + 1);
        if self.formatting.len() - start < 3 {
            return;
        }
        let name = self.tree.name(element);
        let entries = self.formatting[start..].iter().enumerate();
        let same_name: Vec<_> = entries
            .filter_map(|(index, entry)| match entry {
                Formatting::Element(other) if self.tree.name(*other) == name => Some((start + index, *other)),
                _ => None,
            })
            .collect();
        self.count_steps(self.formatting.len() - start);
        if same_name.len() < 3 {
            return;
        }
        self.count_steps(same_name.len() * self.tree.tag(element).len());
        let own = self.comparable_attributes(element);
        let mut equal = same_name.iter().filter(|(_, other)| self.comparable_attributes(*other) == own);
        let first = equal.next().map(|(index, _)| *index);
        if equal.count() >= 2
            && let Some(first) = first
        {
            self.formatting.remove(first);
        }
    }

    /// Returns the attributes of an element, sorted, without repetitions.
    fn comparable_attributes(&self, element: NodeId) -> Vec<(Vec<u8>, String)> {
        let written = self.tree.written_attributes(element).into_iter();
        let mut all: Vec<_> = written
            .map(|(name, value)| (name.to_ascii_lowercase(), decoded_value(value).into_owned()))
            .collect();
        // The sort is stable, so the first of equal names remains.
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all.dedup_by(|later, first| later.0 == first.0);
        all
    }

    /// Opens the formatting elements again that a block or a cell closed.
    pub fn reconstruct_formatting(&mut self) {
        let is_open = |entry: &Formatting| match entry {
            Formatting::Marker => true,
            Formatting::Element(element) => self.tree.node(*element).is_open,
        };
        let Some(last) = self.formatting.last() else { return };
        if is_open(last) {
            return;
        }
        let first = self.formatting.iter().rposition(is_open).map_or(0, |index| index + 1);
        self.count_steps(self.formatting.len() - first);
        for index in first..self.formatting.len() {
            if let Formatting::Element(element) = self.formatting[index] {
                let copy = self.tree.create_like(element);
                self.insert_created(copy);
                self.formatting[index] = Formatting::Element(copy);
            }
        }
    }

    /// Forgets the formatting elements up to the last marker.
    pub fn clear_formatting(&mut self) {
        while let Some(Formatting::Element(_)) = self.formatting.pop() {}
    }

    /// Handles a tag that ends a formatting element: the "adoption agency algorithm".
    pub fn end_formatting(&mut self, tag: &Tag) {
        let name = tag.name;
        if self.current_name() == name
            && let Some(current) = self.current()
        {
            // Nearly all formatting elements end so.
            let is_last = self.formatting.last() == Some(&Formatting::Element(current));
            if is_last || !self.formatting.contains(&Formatting::Element(current)) {
                self.formatting.pop_if(|_| is_last);
                self.pop();
                return;
            }
        }
        for _ in 0..OUTER_ROUNDS {
            let Some((entry, element)) = self.innermost_formatting(name) else {
                return self.end_other(tag);
            };
            self.count_steps(self.open.len());
            let Some(index) = self.open.iter().rposition(|other| *other == element) else {
                self.formatting.remove(entry);
                return;
            };
            if !self.is_in_scope(Scope::Default, |_, other| other == element) {
                return;
            }
            let is_special = |other: &NodeId| self.tree.name(*other).is_special(self.tree.namespace(*other));
            let Some(furthest) = self.open[index + 1..].iter().position(is_special) else {
                while self.pop().is_some_and(|other| other != element) {}
                self.formatting.remove(entry);
                return;
            };
            self.adopt(element, index, index + 1 + furthest);
        }
    }

    /// Splits a formatting element around a block in it. Both are given with their indexes in the open elements.
    fn adopt(&mut self, element: NodeId, index: usize, furthest_index: usize) {
        self.report_moved(Moved::Formatting);
        let furthest = self.open[furthest_index];
        let common_ancestor = self.open[index - 1];
        let entry_of =
            |builder: &Self, node| builder.formatting.iter().position(|e| *e == Formatting::Element(node));
        let mut bookmark = entry_of(self, element).unwrap_or(self.formatting.len());
        let mut last = furthest;
        let mut node_index = furthest_index;
        let mut rounds = 0;
        loop {
            rounds += 1;
            node_index -= 1;
            let node = self.open[node_index];
            if node == element {
                break;
            }
            self.count_steps(self.formatting.len());
            let mut entry = entry_of(self, node);
            if rounds > INNER_ROUNDS
                && let Some(forgotten) = entry.take()
            {
                self.formatting.remove(forgotten);
                bookmark -= usize::from(forgotten < bookmark);
            }
            let Some(entry) = entry else {
                self.open.remove(node_index);
                self.record_closed(node);
                self.report_closed(node, self.end_of(node));
                continue;
            };
            let copy = self.tree.create_like(node);
            self.formatting[entry] = Formatting::Element(copy);
            self.open[node_index] = copy;
            self.record_open(copy);
            self.record_closed(node);
            self.report_open(copy);
            self.report_closed(node, self.end_of(node));
            if last == furthest {
                bookmark = entry + 1;
            }
            self.tree.detach(last);
            self.tree.insert(last, Place::last_in(copy));
            last = copy;
        }
        self.tree.detach(last);
        let place = self.place_in(common_ancestor);
        self.tree.insert(last, place);
        let copy = self.tree.create_like(element);
        self.count_steps(self.tree.children(furthest).count());
        self.tree.move_children(furthest, copy);
        self.tree.insert(copy, Place::last_in(furthest));
        if let Some(entry) = entry_of(self, element) {
            self.formatting.remove(entry);
            bookmark -= usize::from(entry < bookmark);
        }
        self.formatting.insert(bookmark.min(self.formatting.len()), Formatting::Element(copy));
        self.remove_open(element, Moved::Formatting);
        let below = self.open.iter().rposition(|other| *other == furthest).map_or(self.open.len(), |i| i + 1);
        self.open.insert(below, copy);
        self.record_open(copy);
        self.report_open(copy);
    }
}
