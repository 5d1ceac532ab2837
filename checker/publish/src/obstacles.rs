//! Files in the way of others: a folder holds no file where a folder must be, and no folder where a file must be.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;

use crate::release::manifest::ReleaseManifest;
use crate::target::Present;

/// What must go before the files of a release can come, by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Obstacles {
    /// For the key of a file that is written, the keys of files of earlier releases in its way.
    pub ours: BTreeMap<String, Vec<String>>,
    /// The keys of files in the way that no publish wrote.
    pub foreign: Vec<String>,
}

impl Obstacles {
    /// Compares the keys of a release with what is in a folder; a bucket holds `a` beside `a/b`.
    pub(crate) fn find(
        manifest: &ReleaseManifest,
        present: &HashMap<String, Present>,
        owned: &BTreeSet<&str>,
    ) -> Obstacles {
        let mut found = Obstacles::default();
        // Only what lies in a folder has its digest looked at.
        let files = present.iter().filter(|(_, present)| present.sha256.is_some());
        let others: BTreeSet<&str> =
            files.map(|(key, _)| key.as_str()).filter(|key| manifest.find(key).is_none()).collect();
        let mut foreign = BTreeSet::new();
        for object in &manifest.objects {
            let key = object.key.as_str();
            let above = key.match_indices('/').map(|(end, _)| &key[..end]);
            let above = above.filter_map(|folder| others.get(folder).copied());
            let start = format!("{key}/");
            let after = (Bound::Included(start.as_str()), Bound::Unbounded);
            let below = others.range::<str, _>(after).take_while(|other| other.starts_with(&start)).copied();
            let in_the_way: Vec<&str> = above.chain(below).collect();
            foreign.extend(in_the_way.iter().filter(|other| !owned.contains(*other)));
            if !in_the_way.is_empty() {
                found.ours.insert(key.to_owned(), in_the_way.into_iter().map(str::to_owned).collect());
            }
        }
        found.foreign = foreign.into_iter().map(str::to_owned).collect();
        found
    }

    /// The keys of all that go.
    pub(crate) fn keys(&self) -> BTreeSet<&str> {
        self.ours.values().flatten().map(String::as_str).collect()
    }
}
