//! Finds precompressed variants whose release was lost, and those of others. Servers serve `page.html.gz` instead of
//! `page.html`, so it must not outlive that file.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sitegate_host::compression::Coding;
use sitegate_host::headers::STATE;
use sitegate_host::media::{content_type, is_compressible};

use crate::failure::Failure;
use crate::plan::{Change, Plan};
use crate::recovery::RecoveredState;
use crate::release::manifest::{Object, ReleaseManifest};
use crate::release::objects::MAX_COMPRESSED;
use crate::store::{StoredObject, invalid_keys};
use crate::target::PublishTarget;
use crate::target_state::state::{State, backup_key};

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

/// Returns variants of a release's files that sitegate did not write, and that differ from these files after the plan is
/// executed. A store that serves visitors itself has none.
///
/// # Errors
/// When the folder cannot be read.
pub(crate) async fn foreign_variants(
    target: &PublishTarget,
    plan: &Plan,
    state: &State,
) -> Result<Vec<String>, Failure> {
    if target.capabilities().serves_visitors {
        return Ok(Vec::new());
    }
    let earlier = state.live.iter().chain(&state.unfinished).flat_map(ReleaseManifest::keys);
    let known: BTreeSet<&str> = earlier.chain(plan.manifest.keys()).collect();
    let mut possible: HashMap<String, (&Object, Change, Coding)> = HashMap::new();
    for (object, change) in plan.manifest.objects.iter().zip(plan.changes.iter().copied()) {
        if Coding::split_variant(&object.key).is_some() {
            continue;
        }
        for coding in [Coding::Brotli, Coding::Gzip] {
            let key = format!("{}{}", object.key, coding.extension());
            if !known.contains(key.as_str()) {
                possible.insert(key, (object, change, coding));
            }
        }
    }
    let mut keys: Vec<&str> = possible.keys().map(String::as_str).collect();
    keys.sort_unstable();
    // Such as names that are too long with the extension.
    let invalid: BTreeSet<String> =
        invalid_keys(&keys, &target.capabilities().key_rules).into_iter().collect();
    keys.retain(|key| !invalid.contains(*key));
    let mut found = Vec::new();
    for (key, variant) in target.inspect(&keys).await? {
        let Some((object, change, coding)) = possible.get(&key) else { continue };
        let is_replaced = !matches!(change, Change::Same | Change::Headers);
        if is_replaced || !is_variant_of(target, object, &key, variant.size, *coding).await? {
            found.push(key);
        }
    }
    Ok(found)
}

/// Whether a file decompresses to a file of a release. Large files are not compared, and count as equal.
async fn is_variant_of(
    target: &PublishTarget,
    object: &Object,
    key: &str,
    size: u64,
    coding: Coding,
) -> Result<bool, Failure> {
    if size.max(object.size) > MAX_COMPRESSED {
        return Ok(true);
    }
    let (variant, plain) =
        (target.get(key, MAX_COMPRESSED).await?, target.get(&object.key, object.size).await?);
    // Without the variant, nothing is served instead.
    let Some(variant) = variant else { return Ok(true) };
    Ok(plain.is_some_and(|plain| coding.decompresses_to(&variant, &plain)))
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
    is_compressible(&content_type(found.0)).then_some(found)
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
