//! Compressed forms whose release was lost: servers answer with `page.html.gz` in the place of `page.html`, so none may
//! outlive what it was made from.

use std::collections::{BTreeSet, HashMap};

use sitegate_hosting::compression::Coding;
use sitegate_hosting::media::{content_type, is_text};

use crate::failure::Failure;
use crate::memory::state::kept_key;
use crate::recovery::Remains;
use crate::release::manifest::ReleaseManifest;
use crate::release::source::MAX_COMPRESSED;
use crate::target::{Present, PublishTarget};

/// Compressed forms that belong to no release whose manifest can be read.
#[derive(Debug, Default)]
pub(crate) struct Twins {
    /// Those that a publish made: they hold what they stand beside, or what is remembered.
    pub ours: Vec<String>,
    /// Those that hold something else than what they stand beside, so that they may be anybody's.
    pub unsure: Vec<String>,
}

/// Looks through a folder for compressed forms of texts that no known release has. A bucket has none.
///
/// # Errors
/// When the folder cannot be read.
pub(crate) async fn twins(
    target: &PublishTarget,
    memory: &HashMap<String, Present>,
    remains: &Remains,
) -> Result<Twins, Failure> {
    let mut found = Twins::default();
    let known: BTreeSet<&str> = remains.manifests.values().flat_map(ReleaseManifest::keys).collect();
    let files = target.site_files().await?;
    for (key, size) in &files {
        let Some((plain, coding)) = made_from(key) else { continue };
        if known.contains(key.as_str()) {
            continue;
        }
        let Some(plain_size) = files.get(plain).copied() else { continue };
        // A publish compresses only what is not large, and keeps a form only if it is shorter.
        let may_be_ours = *size < plain_size && plain_size <= MAX_COMPRESSED;
        if may_be_ours && is_ours(target, memory, key, plain, coding).await? {
            found.ours.push(key.clone());
        } else {
            found.unsure.push(key.clone());
        }
    }
    Ok(found)
}

/// The text that a key would be the compressed form of.
fn made_from(key: &str) -> Option<(&str, Coding)> {
    let found = Coding::of(key)?;
    is_text(&content_type(found.0)).then_some(found)
}

/// Whether a compressed form holds what it stands beside, or was kept for a way back.
async fn is_ours(
    target: &PublishTarget,
    memory: &HashMap<String, Present>,
    key: &str,
    plain: &str,
    coding: Coding,
) -> Result<bool, Failure> {
    let (Some(packed), Some(plain)) = (target.get_tagged(key).await?, target.get(plain).await?) else {
        return Ok(false);
    };
    let is_kept = packed.tag.is_some_and(|tag| memory.contains_key(&kept_key(&tag)));
    Ok(is_kept || coding.unpacks_to(&packed.body, &plain))
}
