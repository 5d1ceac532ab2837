//! Collects the ids of a file as hashes, those that several elements have, and those that attributes refer to and that no
//! element has.
//!
//! The hashes have 64 bits: among a million ids, the chance that two are equal is 1 to 37 million.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::quality::FixedState;

use super::facts::{AnchorKind, AnchorName, MissingId, RepeatedId};
use super::page::Page;
use super::reference::ReferencedId;
use sitegate_base::nearest::Ids;

/// Hashes an id.
pub(crate) fn hash(id: &[u8]) -> u64 {
    FixedState::default().hash_one(id)
}

impl Page {
    /// Stores the targets of fragments. If two hashes are equal, looks for repeated ids.
    pub(super) fn store_anchors(&mut self) {
        let mut hashes = std::mem::take(&mut self.facts.anchors);
        let hash = |text: &[u8]| (!text.is_empty()).then(|| hash(text));
        hashes.extend(self.document_ids().filter_map(|(_, (id, _))| hash(self.bytes(*id))));
        hashes.sort_unstable();
        self.store_missing_ids(&hashes);
        let has_repeats = hashes.windows(2).any(|pair| pair[0] == pair[1]);
        if !self.names.is_empty() {
            hashes.extend(self.names.iter().filter_map(|name| hash(self.bytes(*name))));
            hashes.sort_unstable();
        }
        hashes.dedup();
        self.facts.anchors = hashes;
        if has_repeats {
            self.store_repeated_ids();
        }
        if self.names_anchors {
            self.store_anchor_names();
        }
    }

    fn store_anchor_names(&mut self) {
        let kind_of = |index: usize| match index {
            _ if self.heading_ids.binary_search(&index).is_ok() => AnchorKind::Heading,
            _ if self.hidden_ids.binary_search(&index).is_ok() => AnchorKind::Hidden,
            _ => AnchorKind::Element,
        };
        let ids_with_kinds = self.document_ids().map(|(index, (id, _))| (*id, kind_of(index)));
        let names = self.names.iter().map(|name| (*name, AnchorKind::Heading));
        let all: Vec<_> = ids_with_kinds.chain(names).collect();
        for (value, kind) in all {
            let text = self.str(value).to_owned();
            if !text.is_empty() {
                let name = self.facts.store(&text);
                self.facts.anchor_names.push(AnchorName { name, kind });
            }
        }
    }

    fn store_repeated_ids(&mut self) {
        let mut ids: Vec<(&str, &Range<u32>)> = self.ids[..self.own_ids.min(self.ids.len())]
            .iter()
            .enumerate()
            .filter(|(index, _)| self.shadow_ids.binary_search_by_key(index, |(id, _)| *id).is_err())
            .map(|(_, (id, span))| (self.str(*id), span))
            .filter(|(id, _)| !id.is_empty())
            .collect();
        ids.sort_by_key(|(id, span)| (*id, span.start));
        let mut groups: Vec<&[(&str, &Range<u32>)]> =
            ids.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1).collect();
        groups.sort_by_key(|group| group[0].1.start);
        let (mut line, mut counted) = (1, 0);
        let repeated = groups.into_iter().map(|group| {
            let (id, first) = group[0];
            let first = first.start as usize;
            line += memchr::memchr_iter(b'\n', &self.source[counted..first]).count();
            counted = first;
            (id.to_owned(), group.len(), line, group[1].1.clone())
        });
        let repeated: Vec<_> = repeated.collect();
        for (id, count, first_line, second) in repeated {
            let id = self.facts.store(&id);
            self.facts.repeated_ids.push(RepeatedId { id, count, first_line, second });
        }
    }
}

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
