//! The ids that attributes of a page name and no element of it has.

use super::anchors::hash;
use super::facts::DanglingId;
use super::idrefs::NamedId;
use super::page::Page;
use sitegate_base::nearest::Ids;

/// Ids of one page that lead nowhere beyond this many say nothing new.
const MAX_DANGLING: usize = 200;

impl Page {
    /// Keeps the ids that attributes name and no element of their tree has; `hashes` are those of all ids of the file, in
    /// order. The texts of scripts and templates may add an element: an id that is named there is left out.
    pub(super) fn keep_dangling_ids(&mut self, hashes: &[u64]) {
        if self.named_ids.is_empty() {
            return;
        }
        let of_trees = self.ids_by_tree();
        let named = std::mem::take(&mut self.named_ids);
        let is_there = |named: &NamedId| {
            let hash = hash(self.bytes(named.id));
            if of_trees.is_empty() {
                hashes.binary_search(&hash).is_ok()
            } else {
                of_trees.binary_search(&(named.tree, hash)).is_ok()
            }
        };
        let may_be_added = |named: &NamedId| {
            let id = self.bytes(named.id);
            self.inert.iter().any(|range| names_id(&self.source[range.clone()], id))
        };
        let dangling = named.iter().filter(|named| !is_there(named)).take(MAX_DANGLING);
        let dangling: Vec<&NamedId> = dangling.filter(|named| !may_be_added(named)).collect();
        if dangling.is_empty() {
            return;
        }
        let known = Ids::new(self.ids.iter().map(|(id, _)| self.str(*id)));
        let with_near = |named: &&NamedId| {
            let id = self.str(named.id);
            (id.to_owned(), known.nearest(id).map(str::to_owned))
        };
        let texts: Vec<(String, Option<String>)> = dangling.iter().map(with_near).collect();
        for (named, (id, near)) in dangling.into_iter().zip(texts) {
            let NamedId { attribute, span, .. } = named;
            let (id, near) = (self.facts.keep(&id), near.map(|near| self.facts.keep(&near)));
            self.facts.dangling_ids.push(DanglingId { attribute: *attribute, id, near, span: span.clone() });
        }
    }

    /// The hashes of ids with the trees they stand in, in order; nothing where there is but the page's own tree.
    fn ids_by_tree(&self) -> Vec<(u32, u64)> {
        if self.shadow_ids.is_empty() && self.named_ids.iter().all(|named| named.tree == 0) {
            return Vec::new();
        }
        let mut ids: Vec<(u32, u64)> = self.ids.iter().map(|(id, _)| (0, hash(self.bytes(*id)))).collect();
        for &(index, tree) in &self.shadow_ids {
            ids[index].0 = tree;
        }
        ids.sort_unstable();
        ids
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
