//! Stores each text once. Equal texts have equal ids, also those of two builds.

use std::hash::BuildHasher;
use std::sync::Mutex;

use foldhash::quality::RandomState;
use hashbrown::HashTable;
use serde::{Deserialize, Serialize};
use sitegate_base::lock::{lock, unlocked};

/// Number of parts of the table, each with a lock of its own. A power of two.
const SHARDS: u32 = 64;

/// A text of a [`Texts`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TextId(pub(crate) u32);

/// Texts while they are collected, by many threads.
#[derive(Debug)]
pub struct Texts {
    shards: Vec<Mutex<Shard>>,
    hasher: RandomState,
}

/// Texts that are complete.
#[derive(Debug)]
pub struct TextTable {
    shards: Vec<Shard>,
}

#[derive(Debug, Default)]
struct Shard {
    text: String,
    /// The end of each text; it begins at the end of the one before.
    ends: Vec<usize>,
    ids: HashTable<u32>,
}

impl Shard {
    fn get(&self, index: u32) -> &str {
        text_at(&self.text, &self.ends, index)
    }
}

/// Returns the text with an index among those that end at these offsets.
fn text_at<'t>(text: &'t str, ends: &[usize], index: u32) -> &'t str {
    let index = index as usize;
    let start = index.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[index]]
}

impl Default for Texts {
    fn default() -> Texts {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Texts { shards, hasher: RandomState::default() }
    }
}

impl Texts {
    /// Returns the id of a text.
    pub fn intern(&self, text: &str) -> TextId {
        let hash = self.hasher.hash_one(text);
        let shard_index = hash as u32 % SHARDS;
        let mut guard = lock(&self.shards[shard_index as usize]);
        let Shard { text: all, ends, ids } = &mut *guard;
        let get = |index: u32| text_at(all, ends, index);
        let index = if let Some(&known) = ids.find(hash, |&known| get(known) == text) {
            known
        } else {
            let index = ends.len() as u32;
            let hash_of = |&known: &u32| self.hasher.hash_one(get(known));
            ids.insert_unique(hash, index, hash_of);
            all.push_str(text);
            ends.push(all.len());
            index
        };
        TextId(index * SHARDS + shard_index)
    }

    /// Ends the collection.
    pub fn freeze(self) -> TextTable {
        let into_shard = |shard: Mutex<Shard>| {
            let Shard { text, ends, .. } = unlocked(shard);
            Shard { text, ends, ids: HashTable::new() }
        };
        TextTable { shards: self.shards.into_iter().map(into_shard).collect() }
    }
}

impl TextTable {
    /// Returns a text.
    pub fn get(&self, id: TextId) -> &str {
        self.shards[(id.0 % SHARDS) as usize].get(id.0 / SHARDS)
    }
}

#[cfg(test)]
mod tests {
    use super::Texts;

    #[test]
    fn equal_texts_have_equal_ids() {
        let texts = Texts::default();
        let numbers: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
        let first: Vec<_> = numbers.iter().map(|text| texts.intern(text)).collect();
        let second: Vec<_> = numbers.iter().map(|text| texts.intern(text)).collect();
        assert_eq!(first, second);
        let empty = texts.intern("");
        let table = texts.freeze();
        assert!(first.iter().zip(&numbers).all(|(id, text)| table.get(*id) == text));
        assert_eq!(table.get(empty), "");
    }
}
