//! Finds precompressed variants whose release was lost. Servers serve `page.html.gz` instead of `page.html`, so
//! it must not outlive that file.

use std::collections::{BTreeMap, BTreeSet};

use sitegate_host::compression::Coding;
use sitegate_host::headers::STATE;
use sitegate_host::media::{content_type, is_text};

use crate::failure::Failure;
use crate::recovery::RecoveredState;
use crate::release::manifest::ReleaseManifest;
use crate::release::sealed_export::MAX_COMPRESSED;
use crate::store::StoredObject;
use crate::target::PublishTarget;
use crate::target_state::state::backup_key;

/// Precompressed variants that belong to no release with a readable manifest.
#[derive(Debug, Default)]
pub(crate) struct OrphanedVariants {
    /// Variants that sitegate wrote: they match their file, or a backup.
    pub ours: Vec<String>,
    /// Variants that do not match their file. Their origin is unknown.
    pub unsure: Vec<String>,
}

/// Finds variants of text files that no known release has. A store that serves visitors itself has none.
///
/// # Errors
/// When the folder cannot be read.
pub(crate) async fn orphaned_variants(
    target: &PublishTarget,
    state_objects: &BTreeMap<String, StoredObject>,
    recovered: &RecoveredState,
) -> Result<OrphanedVariants, Failure> {
    let mut found = OrphanedVariants::default();
    let known: BTreeSet<&str> = recovered.manifests.values().flat_map(ReleaseManifest::keys).collect();
    if target.capabilities().serves_visitors {
        return Ok(found);
    }
    let files = site_files(target).await?;
    for (key, size) in &files {
        let Some((plain, coding)) = made_from(key) else { continue };
        if known.contains(key.as_str()) {
            continue;
        }
        let Some(plain_size) = files.get(plain).copied() else { continue };
        // A publish compresses only small files, and keeps only variants that are smaller.
        let may_be_ours = *size < plain_size && plain_size <= MAX_COMPRESSED;
        if may_be_ours && is_ours(target, state_objects, key, plain, coding).await? {
            found.ours.push(key.clone());
        } else {
            found.unsure.push(key.clone());
        }
    }
    Ok(found)
}

/// Returns the sizes of all objects outside of the target state, by key.
///
/// # Errors
/// When the store does not answer.
async fn site_files(target: &PublishTarget) -> Result<BTreeMap<String, u64>, Failure> {
    let listed = target.list("").await?.into_iter().filter(|(key, _)| !key.starts_with(STATE));
    Ok(listed.map(|(key, object)| (key, object.size)).collect())
}

/// Returns the text file that a key would be a variant of, and the coding.
fn made_from(key: &str) -> Option<(&str, Coding)> {
    let found = Coding::split_variant(key)?;
    is_text(&content_type(found.0)).then_some(found)
}

/// Whether a variant matches its file, or a backup.
async fn is_ours(
    target: &PublishTarget,
    state_objects: &BTreeMap<String, StoredObject>,
    key: &str,
    plain: &str,
    coding: Coding,
) -> Result<bool, Failure> {
    let variant = target.get_tagged(key, MAX_COMPRESSED).await?;
    let (Some(variant), Some(plain)) = (variant, target.get(plain, MAX_COMPRESSED).await?) else {
        return Ok(false);
    };
    let is_kept = variant.tag.is_some_and(|tag| state_objects.contains_key(&backup_key(&tag)));
    Ok(is_kept || coding.decompresses_to(&variant.body, &plain))
}
