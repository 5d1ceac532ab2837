//! Finds files that block others: a file at the path of a folder, a folder at the path of a file, and, on some
//! file systems, names that differ only in case.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;

use sitegate_address::SitePath;
use sitegate_base::file_name::folded;

use crate::release::manifest::ReleaseManifest;
use crate::store::{FileIdentity, StoredObject};

/// The files that must be removed before the files of a release can be written, by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathConflicts {
    /// For each blocked key, the keys of files of earlier releases that block it.
    pub ours: BTreeMap<String, Vec<String>>,
    /// The keys of blocking files that sitegate did not write.
    pub foreign: Vec<String>,
}

impl PathConflicts {
    /// Compares the keys of a release with a folder's files. A bucket can contain both `a` and `a/b`.
    pub(crate) fn find(
        manifest: &ReleaseManifest,
        present: &BTreeMap<String, StoredObject>,
        owned: &BTreeSet<&str>,
    ) -> PathConflicts {
        let mut found = PathConflicts::default();
        // Only files in a folder have a digest.
        let files = present.iter().filter(|(_, present)| present.sha256.is_some());
        let others: BTreeSet<&str> =
            files.map(|(key, _)| key.as_str()).filter(|key| manifest.find(key).is_none()).collect();
        let one_file = same_files(&others, present);
        let mut foreign = BTreeSet::new();
        for object in &manifest.objects {
            let key = object.key.as_str();
            let above = SitePath::new(key).ancestors().filter_map(|folder| others.get(folder).copied());
            let start = format!("{key}/");
            let after = (Bound::Included(start.as_str()), Bound::Unbounded);
            let below = others.range::<str, _>(after).take_while(|other| other.starts_with(&start)).copied();
            let folded_alike = present.get(key).and_then(|there| one_file.get(there.file.as_ref()?));
            let colliding_keys =
                folded_alike.into_iter().flatten().copied().filter(|other| folded(other) == folded(key));
            let conflicts: Vec<&str> = above.chain(below).chain(colliding_keys).collect();
            foreign.extend(conflicts.iter().filter(|other| !owned.contains(*other)));
            if !conflicts.is_empty() {
                found.ours.insert(key.to_owned(), conflicts.into_iter().map(str::to_owned).collect());
            }
        }
        found.foreign = foreign.into_iter().map(str::to_owned).collect();
        found
    }

    /// Whether files must be removed before this key can be written.
    pub(crate) fn blocks(&self, key: &str) -> bool {
        self.ours.contains_key(key)
    }

    /// Returns the keys of all files to remove.
    pub(crate) fn keys(&self) -> BTreeSet<&str> {
        self.ours.values().flatten().map(String::as_str).collect()
    }
}

/// Groups keys by the file that they name. On a case-insensitive file system a file has several names: deleting
/// `About.html` after writing `about.html` deletes the new file.
fn same_files<'o>(
    others: &BTreeSet<&'o str>,
    present: &'o BTreeMap<String, StoredObject>,
) -> HashMap<&'o FileIdentity, Vec<&'o str>> {
    let mut found: HashMap<&FileIdentity, Vec<&str>> = HashMap::new();
    for other in others {
        if let Some(file) = present.get(*other).and_then(|there| there.file.as_ref()) {
            found.entry(file).or_default().push(other);
        }
    }
    found
}
