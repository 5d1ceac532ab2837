//! Names of records, manifests and backups. Finds objects among them that sitegate did not write, and moves them aside.

use std::collections::{BTreeMap, BTreeSet};

use sitegate_address::SitePath;
use sitegate_host::headers::STATE;

use crate::failure::Failure;
use crate::store::StoredObject;
use crate::target::PublishTarget;

/// The folders of the target state whose names have a fixed form.
const FOLDERS: [&str; 3] = ["runs", "releases", "kept"];

/// Numbers of runs are below this. A record with a higher number is not ours.
const MAX_RUN: u64 = 9_000_000_000;

/// Returns the key of a run's record.
pub(crate) fn run_key(number: u64) -> String {
    format!("{STATE}runs/{number:010}.json")
}

/// Parses the number of a run from the key of its record. Only keys in the form of [`run_key`] count.
pub(crate) fn run_number(key: &str) -> Option<u64> {
    let name = key.strip_prefix(STATE)?.strip_prefix("runs/")?.strip_suffix(".json")?;
    name.parse().ok().filter(|&number| (1..MAX_RUN).contains(&number) && run_key(number) == key)
}

/// Returns the key of a release's manifest.
pub(crate) fn release_key(release: &str) -> String {
    format!("{STATE}releases/{release}.json")
}

/// Returns the key of the backup of a replaced content.
pub(crate) fn backup_key(sha256: &str) -> String {
    format!("{STATE}kept/{sha256}")
}

/// Whether sitegate may have written a key below [`STATE`].
pub(crate) fn is_ours(key: &str) -> bool {
    let name = key.strip_prefix(STATE).unwrap_or_default();
    match name.split_once('/') {
        Some(("runs", _)) => run_number(key).is_some(),
        Some(("releases", file)) => file.strip_suffix(".json").is_some_and(is_release),
        Some(("kept", digest)) => digest.len() == 64 && is_hex(digest),
        Some(_) => true,
        None => !FOLDERS.contains(&name),
    }
}

/// Whether a name has the form of a release: `20240911-143000-0a1b2c3d`.
fn is_release(name: &str) -> bool {
    let parts: Vec<&str> = name.split('-').collect();
    matches!(parts[..], [day, time, digest] if day.len() >= 8 && time.len() == 6 && digest.len() == 8
        && is_hex(digest) && format!("{day}{time}").bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

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
pub(crate) async fn find_foreign(
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

#[cfg(test)]
mod tests {
    use super::is_ours;

    #[test]
    fn recognizes_only_names_that_sitegate_writes() {
        let digest = "0a".repeat(32);
        for name in [
            "runs/0000000001.json",
            "runs/8999999999.json",
            "releases/20240911-143000-0a1b2c3d.json",
            &format!("kept/{digest}"),
            "probe/x",
            "lock",
        ] {
            assert!(is_ours(&format!(".sitegate/{name}")), "{name}");
        }
        for name in [
            "runs/18446744073709551615.json",
            "runs/9999999999.json",
            "runs/9000000000.json",
            "runs/0000000000.json",
            "runs/00000000001.json",
            "runs/1.json",
            "runs/-000000001.json",
            "runs/+000000001.json",
            "runs/.json",
            "runs/0000000001.JSON",
            "runs/0000000001.json/x",
            "runs/0000000001 .json",
            "runs/٠٠٠٠٠٠٠٠٠١.json",
            "releases/README.json",
            "releases/20240911-143000-0A1B2C3D.json",
            "releases/20240911-143000-0a1b2c3d",
            &format!("kept/{}", digest.to_uppercase()),
            "kept/notes.txt",
            "runs",
        ] {
            assert!(!is_ours(&format!(".sitegate/{name}")), "{name}");
        }
    }
}
