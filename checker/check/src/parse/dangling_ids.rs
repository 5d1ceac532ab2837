//! The ids that attributes of a page name and no element of it has.

use std::ops::Range;

use super::anchors::hash;
use super::facts::DanglingId;
use super::idrefs::NamedId;
use super::page::Page;
use crate::nearest::Ids;

/// Ids of one page that lead nowhere beyond this many say nothing new.
const MAX_DANGLING: usize = 200;

impl Page {
    /// Keeps the ids that attributes name and no element of their tree has. What stands in `inert` ranges of the
    /// source, the texts of scripts and templates, may add the element: an id that is named there is left out.
    pub(super) fn keep_dangling_ids(&mut self, inert: &[Range<usize>]) {
        if self.named_ids.is_empty() {
            return;
        }
        let named = std::mem::take(&mut self.named_ids);
        let mut known: Vec<(u32, u64)> = self.ids.iter().map(|(id, _)| (0, hash(self.bytes(*id)))).collect();
        for &(index, tree) in &self.shadow_ids {
            known[index].0 = tree;
        }
        known.sort_unstable();
        let is_there = |named: &NamedId| {
            known.binary_search(&(named.tree, hash(self.bytes(named.id)))).is_ok()
                || inert.iter().any(|range| names_id(&self.source[range.clone()], self.bytes(named.id)))
        };
        let dangling: Vec<&NamedId> =
            named.iter().filter(|named| !is_there(named)).take(MAX_DANGLING).collect();
        if !dangling.is_empty() {
            let ids = Ids::new(self.ids.iter().map(|(id, _)| self.str(*id)));
            let meant = dangling.iter().map(|named| {
                let id = self.str(named.id);
                (id.to_owned(), ids.nearest(id).map(str::to_owned))
            });
            let meant: Vec<_> = meant.collect();
            for (NamedId { attribute, span, .. }, (id, near)) in dangling.into_iter().zip(meant) {
                let near = near.map(|near| self.facts.keep(&near));
                let id = self.facts.keep(&id);
                self.facts.dangling_ids.push(DanglingId {
                    attribute: *attribute,
                    id,
                    near,
                    span: span.clone(),
                });
            }
        }
        self.named_ids = named;
    }
}

/// Whether a text holds an id as a word of its own.
fn names_id(text: &[u8], id: &[u8]) -> bool {
    let is_part =
        |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    memchr::memmem::find_iter(text, id).any(|at| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        !is_part(before) && !is_part(text.get(at + id.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::names_id;

    #[test]
    fn an_id_is_a_word_of_its_own() {
        assert!(names_id(b"x.id = 'email';", b"email"));
        assert!(!names_id(b"x.id = 'email-2'; emails()", b"email"));
    }
}
