//! What fragments can reach in a file, as hashes; and the ids that several of its elements have.
//!
//! Hashes 64 bits wide stand for ids: of a million, two are equal with a chance of 1 to 37 million.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::quality::FixedState;

use super::facts::RepeatedId;
use super::page::Page;

/// The hash that stands for an id.
pub(crate) fn hash(id: &[u8]) -> u64 {
    FixedState::default().hash_one(id)
}

impl Page {
    /// Keeps what fragments can reach, and looks closer where two ids are equal.
    pub(super) fn keep_anchors(&mut self) {
        let mut hashes = std::mem::take(&mut self.facts.anchors);
        let hash = |text: &[u8]| (!text.is_empty()).then(|| hash(text));
        hashes.extend(self.ids.iter().filter_map(|(id, _)| hash(self.bytes(*id))));
        hashes.sort_unstable();
        self.keep_dangling_ids(&hashes);
        let repeats = hashes.windows(2).any(|pair| pair[0] == pair[1]);
        if !self.names.is_empty() {
            hashes.extend(self.names.iter().filter_map(|name| hash(self.bytes(*name))));
            hashes.sort_unstable();
        }
        hashes.dedup();
        self.facts.anchors = hashes;
        if repeats {
            self.keep_repeated_ids();
        }
    }

    fn keep_repeated_ids(&mut self) {
        let mut ids: Vec<(&str, &Range<u32>)> = self.ids[..self.document_ids.min(self.ids.len())]
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
            let id = self.facts.keep(&id);
            self.facts.repeated_ids.push(RepeatedId { id, count, first_line, second });
        }
    }
}
