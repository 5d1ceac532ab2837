//! Reads releases from their target: the files and the inventory of the live release, and of those that the target
//! keeps.

use std::collections::HashSet;

use futures_util::TryStreamExt;
use futures_util::stream::{self, StreamExt};
use sha2::{Digest, Sha256};
use sitegate_address::inventory::{Inventory, InventoryError, MAX_SIZE, ReadSettings};
use sitegate_base::hex::hex;

use crate::failure::{Failure, FailureKind};
use crate::maintenance::read_live;
use crate::release::manifest::{Object, ObjectRole, ReleaseInventory, ReleaseManifest};
use crate::target::PublishTarget;
use crate::target_state::state::{backup_key, read_manifest};

/// A file of a release.
#[derive(Clone, Debug)]
pub struct ReleaseFile {
    /// Its path.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// The SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
    /// Its content, if it was requested.
    pub content: Option<Vec<u8>>,
}

impl ReleaseFile {
    fn new(object: &Object, content: Option<Vec<u8>>) -> ReleaseFile {
        let Object { path, size, sha256, .. } = object;
        ReleaseFile { path: path.clone(), size: *size, sha256: sha256.clone(), content }
    }
}

/// Reads a release: the live one, or a kept one by its name. `is_needed` selects the files whose content is read, by path and
/// size.
///
/// # Errors
/// When there is no such release, a file is missing or damaged, or the store does not answer.
pub async fn read_release(
    target: &PublishTarget,
    name: Option<&str>,
    is_needed: impl Fn(&str, u64) -> bool,
    mut found: impl FnMut(ReleaseFile) -> Result<(), Failure>,
) -> Result<String, Failure> {
    let usage = |message: String| Failure::new(FailureKind::Usage, message);
    let live = read_live(target).await?;
    let manifest = match name {
        Some(name) if name != live.release => read_manifest(target, name).await?.ok_or_else(|| {
            usage(format!("{} keeps no release {name}", target.url))
                .help(format!("see its releases with: sitegate target status {}", target.url_word()))
        })?,
        _ => live.clone(),
    };
    let is_live = manifest.release == live.release;
    let files = manifest.objects.iter().filter(|object| object.role != ObjectRole::Variant);
    let mut paths = HashSet::new();
    // A page may have several objects, one for each form of its address.
    let files: Vec<&Object> = files.filter(|object| paths.insert(object.path.as_str())).collect();
    let is_needed = |object: &&Object| is_needed(&object.path, object.size);
    let (needed, others): (Vec<_>, Vec<_>) = files.into_iter().partition(is_needed);
    for object in others {
        found(ReleaseFile::new(object, None))?;
    }
    let reads = needed.into_iter().map(|object| read_object(target, &live, is_live, object));
    let mut reads = stream::iter(reads).buffered(target.jobs());
    while let Some(file) = reads.try_next().await? {
        found(file)?;
    }
    Ok(manifest.release)
}

async fn read_object(
    target: &PublishTarget,
    live: &ReleaseManifest,
    is_live: bool,
    object: &Object,
) -> Result<ReleaseFile, Failure> {
    let has_content = match live.find(&object.key) {
        Some(there) => there.sha256 == object.sha256,
        // Hashed assets stay at their keys for open tabs.
        None => live.retained.iter().any(|retained| retained.key == object.key),
    };
    let own = has_content.then(|| object.key.clone());
    let mut is_damaged = is_live;
    for key in own.into_iter().chain([backup_key(&object.sha256)]) {
        let content = target.get(&key, object.size).await?;
        is_damaged |= content.is_some();
        if let Some(content) = content.filter(|content| hex(&Sha256::digest(content)) == object.sha256) {
            return Ok(ReleaseFile::new(object, Some(content.to_vec())));
        }
    }
    if !is_damaged {
        let message = format!("{} no longer has {} of this release", target.url, object.path);
        return Err(Failure::new(FailureKind::Usage, message)
            .help(format!("see the complete releases with: sitegate target status {}", target.url_word())));
    }
    Err(damaged(target, format!("{} is missing or damaged on {}", object.path, target.url)))
}

fn damaged(target: &PublishTarget, message: String) -> Failure {
    let help = format!("run `sitegate target repair {}`", target.url_word());
    Failure::new(FailureKind::Usage, message).help(help)
}

/// Reads the inventory of the live release.
///
/// # Errors
/// When nothing is live, the release has no inventory, or the store does not answer.
pub async fn live_inventory(target: &PublishTarget) -> Result<Inventory, Failure> {
    inventory_of(target, &read_live(target).await?).await
}

/// Reads the addresses of the live release, and of all earlier ones that the target keeps for a rollback. Releases
/// that were rolled back, that have no inventory, or whose site had another origin are left out.
///
/// # Errors
/// As [`live_inventory`], and when the result is too large.
pub async fn kept_inventory(target: &PublishTarget) -> Result<Inventory, Failure> {
    let live = read_live(target).await?;
    let mut joined = inventory_of(target, &live).await?;
    let mut known: HashSet<String> = live.inventory.iter().map(|known| known.sha256.clone()).collect();
    for release in live.history.iter().filter(|release| !live.rolled_back.contains_key(*release)) {
        let Some(manifest) = read_manifest(target, release).await? else { continue };
        let Some(reference) = manifest.inventory.filter(|new| known.insert(new.sha256.clone())) else {
            continue;
        };
        let Some(inventory) = read_inventory(target, &reference).await? else { continue };
        if inventory.origin == joined.origin {
            joined.join(inventory).map_err(|error| unusable(target, &error))?;
        }
    }
    Ok(joined)
}

async fn inventory_of(target: &PublishTarget, live: &ReleaseManifest) -> Result<Inventory, Failure> {
    let found = match &live.inventory {
        Some(reference) => read_inventory(target, reference).await?,
        None => None,
    };
    found.ok_or_else(|| {
        let message = format!("release {} of {} has no inventory", live.release, target.url);
        Failure::new(FailureKind::Usage, message)
            .help("an older version of sitegate published it; the next release will have one")
    })
}

/// Reads an inventory; none if it does not exist.
async fn read_inventory(
    target: &PublishTarget,
    reference: &ReleaseInventory,
) -> Result<Option<Inventory>, Failure> {
    let key = backup_key(&reference.sha256);
    let Some(bytes) = target.get(&key, reference.size.min(MAX_SIZE)).await? else { return Ok(None) };
    if hex(&Sha256::digest(&bytes)) != reference.sha256 {
        return Err(damaged(target, format!("{key} is damaged")));
    }
    let read = Inventory::read(&bytes, &ReadSettings::default());
    read.map(Some).map_err(|error| unusable(target, &error))
}

fn unusable(target: &PublishTarget, error: &InventoryError) -> Failure {
    Failure::new(FailureKind::Usage, format!("the inventory of {} cannot be used: {error}", target.url))
}
