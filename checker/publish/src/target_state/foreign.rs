//! Finds objects among the records, manifests and backups that sitegate did not write, and moves them aside.

use std::collections::{BTreeMap, BTreeSet};

use sitegate_address::SitePath;
use sitegate_host::headers::STATE;

use crate::failure::Failure;
use crate::store::StoredObject;
use crate::target::PublishTarget;
use crate::target_state::keys::{FOLDERS, is_ours};

/// A foreign object, and the key to move it to.
#[derive(Debug)]
pub(crate) struct ForeignObject {
    /// Its key.
    pub key: String,
    /// A free key below `.sitegate/aside/`.
    pub aside: String,
}

/// Returns the foreign objects, sorted. In a folder, this includes folders with the name of a file.
///
/// # Errors
/// When the store does not answer.
pub(crate) async fn find(
    target: &PublishTarget,
    state_objects: &BTreeMap<String, StoredObject>,
) -> Result<Vec<ForeignObject>, Failure> {
    let mut folders = BTreeSet::new();
    for folder in FOLDERS {
        folders.extend(target.store().folders(&format!("{STATE}{folder}/")).await?);
    }
    let moved_folders = target.store().folders(&format!("{STATE}aside/")).await?;
    let in_folder = |key: &str| SitePath::new(key).ancestors().any(|folder| folders.contains(folder));
    let files = state_objects.keys().filter(|key| !is_ours(key) && !in_folder(key));
    let keys: BTreeSet<&String> = files.chain(&folders).collect();
    let mut taken = BTreeSet::new();
    let found = keys.into_iter().map(|key| {
        let name = key.strip_prefix(STATE).unwrap_or(key).replace('/', "-");
        let mut aside = format!("{STATE}aside/{name}");
        let is_there = state_objects.contains_key(&aside) || moved_folders.contains(&aside);
        if is_there || !taken.insert(aside.clone()) {
            aside = format!("{aside}-{}", target.machine().random_id());
        }
        ForeignObject { key: key.clone(), aside }
    });
    Ok(found.collect())
}

/// Moves a foreign object aside. No publisher reads or writes it, so this needs no lease.
///
/// # Errors
/// When the store or the file system refuses.
pub(crate) async fn move_aside(target: &PublishTarget, object: &ForeignObject) -> Result<(), Failure> {
    Ok(target.store().move_aside(&object.key, &object.aside).await?)
}
