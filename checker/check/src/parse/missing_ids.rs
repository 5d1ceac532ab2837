//! Finds ids that attributes of a page refer to and that no element has.

use super::anchors::hash;
use super::facts::MissingId;
use super::page::Page;
use super::reference::ReferencedId;
use sitegate_base::nearest::Ids;

/// Maximum number of missing ids per page.
const MAX_MISSING: usize = 200;

impl Page {
    /// Stores the ids that attributes refer to and no element of their tree has; `hashes` are those of all ids of the
    /// file, sorted.
    /// Scripts and templates may add an element, so an id in their text is not missing.
    pub(super) fn store_missing_ids(&mut self, hashes: &[u64]) {
        if self.referenced_ids.is_empty() {
            return;
        }
        let by_tree = self.ids_by_tree();
        let references = std::mem::take(&mut self.referenced_ids);
        let exists = |reference: &ReferencedId| {
            let hash = hash(self.bytes(reference.id));
            if by_tree.is_empty() {
                hashes.binary_search(&hash).is_ok()
            } else {
                by_tree.binary_search(&(reference.tree, hash)).is_ok()
            }
        };
        let may_be_added = |reference: &ReferencedId| {
            let id = self.bytes(reference.id);
            self.inert.iter().any(|range| contains_id(&self.source[range.clone()], id))
        };
        let missing = references.iter().filter(|reference| !exists(reference)).take(MAX_MISSING);
        let missing: Vec<&ReferencedId> = missing.filter(|reference| !may_be_added(reference)).collect();
        if missing.is_empty() {
            return;
        }
        let known = Ids::new(self.ids.iter().map(|(id, _)| self.str(*id)));
        let with_suggestion = |reference: &&ReferencedId| {
            let id = self.str(reference.id);
            (id.to_owned(), known.nearest(id).map(str::to_owned))
        };
        let texts: Vec<(String, Option<String>)> = missing.iter().map(with_suggestion).collect();
        for (reference, (id, suggestion)) in missing.into_iter().zip(texts) {
            let ReferencedId { attribute, span, .. } = reference;
            let (id, suggestion) =
                (self.facts.store(&id), suggestion.map(|suggestion| self.facts.store(&suggestion)));
            self.facts.missing_ids.push(MissingId { attribute, id, suggestion, span: span.clone() });
        }
    }

    /// Returns the hashes of ids with their shadow trees, sorted; empty if there is only the page's own tree.
    fn ids_by_tree(&self) -> Vec<(u32, u64)> {
        if self.shadow_ids.is_empty() && self.referenced_ids.iter().all(|reference| reference.tree == 0) {
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

/// Whether a text contains an id as a whole word.
fn contains_id(text: &[u8], id: &[u8]) -> bool {
    let is_part =
        |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    memchr::memmem::find_iter(text, id).any(|at| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        !is_part(before) && !is_part(text.get(at + id.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::contains_id;

    #[test]
    fn finds_ids_only_as_whole_words() {
        assert!(contains_id(b"x.id = 'email';", b"email"));
        assert!(!contains_id(b"x.id = 'email-2'; emails()", b"email"));
    }
}
