//! Finds objects among the records, manifests and backups that sitegate did not write, and moves them aside.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use sitegate_address::SitePath;
use sitegate_host::headers::STATE;

use crate::failure::{Failure, FailureKind};
use crate::random_id::random_id;
use crate::target::{Condition, PublishTarget, StoredObject};
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
pub(crate) fn find(
    target: &PublishTarget,
    state_objects: &HashMap<String, StoredObject>,
) -> Vec<ForeignObject> {
    let folders = target.folder().map(folders).unwrap_or_default();
    let in_folder = |key: &str| SitePath::new(key).ancestors().any(|folder| folders.contains(folder));
    let files = state_objects.keys().filter(|key| !is_ours(key) && !in_folder(key));
    let keys: BTreeSet<&String> = files.chain(&folders).collect();
    let mut taken = BTreeSet::new();
    let found = keys.into_iter().map(|key| {
        let name = key.strip_prefix(STATE).unwrap_or(key).replace('/', "-");
        let mut aside = format!("{STATE}aside/{name}");
        let is_there =
            target.folder().map_or(state_objects.contains_key(&aside), |root| root.join(&aside).exists());
        if is_there || !taken.insert(aside.clone()) {
            aside = format!("{aside}-{}", random_id());
        }
        ForeignObject { key: key.clone(), aside }
    });
    found.collect()
}

/// Returns the folders among the records, manifests and backups.
fn folders(root: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in FOLDERS {
        let key = format!("{STATE}{folder}");
        for entry in fs::read_dir(root.join(&key)).into_iter().flatten().flatten() {
            if let Ok(name) = entry.file_name().into_string()
                && entry.file_type().is_ok_and(|kind| kind.is_dir())
            {
                found.insert(format!("{key}/{name}"));
            }
        }
    }
    found
}

/// Moves a foreign object aside. No publisher reads or writes it, so this needs no lease.
///
/// # Errors
/// When the store or the file system refuses.
pub(crate) async fn move_aside(target: &PublishTarget, object: &ForeignObject) -> Result<(), Failure> {
    let ForeignObject { key, aside } = object;
    let Some(root) = target.folder() else {
        target.copy(key, aside, Condition::Always).await?;
        return target.delete(std::slice::from_ref(key)).await;
    };
    let moved = fs::create_dir_all(root.join(STATE).join("aside"))
        .and_then(|()| fs::rename(root.join(key), root.join(aside)));
    moved.map_err(|error| Failure::new(FailureKind::Failed, format!("cannot move {key} to {aside}: {error}")))
}
