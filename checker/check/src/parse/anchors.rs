//! Collects the ids of a file as hashes, and the ids that several elements have.
//!
//! The hashes have 64 bits: among a million ids, the chance that two are equal is 1 to 37 million.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::quality::FixedState;

use super::facts::{AnchorKind, AnchorName, RepeatedId};
use super::page::Page;

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
