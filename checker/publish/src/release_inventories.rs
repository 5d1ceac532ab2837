//! Reads the inventories of releases: the addresses of the live release, and of those that a target keeps.

use std::collections::HashSet;

use sha2::{Digest, Sha256};
use sitegate_address::inventory::{Inventory, InventoryError, MAX_SIZE, ReadSettings};
use sitegate_base::hex::hex;

use crate::failure::{Failure, FailureKind};
use crate::release::manifest::{ReleaseInventory, ReleaseManifest};
use crate::status::read_live;
use crate::target::PublishTarget;
use crate::target_state::state::{backup_key, read_manifest};

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
        let message = format!("{key} is damaged");
        let help = format!("run `sitegate target repair {}`", target.url_word());
        return Err(Failure::new(FailureKind::Usage, message).help(help));
    }
    let read = Inventory::read(&bytes, &ReadSettings::default());
    read.map(Some).map_err(|error| unusable(target, &error))
}

fn unusable(target: &PublishTarget, error: &InventoryError) -> Failure {
    Failure::new(FailureKind::Usage, format!("the inventory of {} cannot be used: {error}", target.url))
}
