//! Files in the way of others: a folder holds no file where a folder must be, no folder where a file must be, and on
//! some file systems no two names that differ only in case.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;

use sitegate_base::file_name::folded;

use crate::release::manifest::ReleaseManifest;
use crate::target::{FileIdentity, Present};

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
        let one_file = same_files(&others, present);
        let mut foreign = BTreeSet::new();
        for object in &manifest.objects {
            let key = object.key.as_str();
            let above = key.match_indices('/').map(|(end, _)| &key[..end]);
            let above = above.filter_map(|folder| others.get(folder).copied());
            let start = format!("{key}/");
            let after = (Bound::Included(start.as_str()), Bound::Unbounded);
            let below = others.range::<str, _>(after).take_while(|other| other.starts_with(&start)).copied();
            let folded_alike = present.get(key).and_then(|there| one_file.get(there.file.as_ref()?));
            let alike =
                folded_alike.into_iter().flatten().copied().filter(|other| folded(other) == folded(key));
            let in_the_way: Vec<&str> = above.chain(below).chain(alike).collect();
            foreign.extend(in_the_way.iter().filter(|other| !owned.contains(*other)));
            if !in_the_way.is_empty() {
                found.ours.insert(key.to_owned(), in_the_way.into_iter().map(str::to_owned).collect());
            }
        }
        found.foreign = foreign.into_iter().map(str::to_owned).collect();
        found
    }

    /// Whether something must go before the file of a key can come.
    pub(crate) fn are_before(&self, key: &str) -> bool {
        self.ours.contains_key(key)
    }

    /// The keys of all that go.
    pub(crate) fn keys(&self) -> BTreeSet<&str> {
        self.ours.values().flatten().map(String::as_str).collect()
    }
}

/// Which of these keys lead to each file. To a file system that takes letters of either case for one, a file has many
/// names: who writes `about.html` and then deletes `About.html` has deleted what was written.
fn same_files<'o>(
    others: &BTreeSet<&'o str>,
    present: &'o HashMap<String, Present>,
) -> HashMap<&'o FileIdentity, Vec<&'o str>> {
    let mut found: HashMap<&FileIdentity, Vec<&str>> = HashMap::new();
    for other in others {
        if let Some(file) = present.get(*other).and_then(|there| there.file.as_ref()) {
            found.entry(file).or_default().push(other);
        }
    }
    found
}
