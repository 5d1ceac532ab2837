//! Removes release data that no release needs any longer.

use std::collections::BTreeSet;

use sitegate_host::headers::STATE;

use crate::failure::Failure;
use crate::release::lineage::Lineage;
use crate::release::manifest::ReleaseManifest;
use crate::target::PublishTarget;
use crate::target_state::lease::{self, RunOptions};
use crate::target_state::state::{self, State, backup_key, release_key, run_key};

/// Maximum number of run records to keep: far more than publishers that could still be suspended.
const MAX_RUN_RECORDS: usize = 20;

/// The items that were removed, or would be.
#[derive(Debug, Default)]
pub struct Removed {
    /// Releases that can no longer be rolled back to.
    pub releases: Vec<String>,
    /// The number of backups that no release needs.
    pub contents: usize,
    /// The number of run records and probe objects.
    pub records: usize,
}

/// Removes release data that neither the live release nor the latest `keep` ones need. Objects of the site are
/// not touched.
///
/// # Errors
/// `FailureKind::Held` when a publisher is at work.
pub async fn collect_garbage(target: &PublishTarget, keep: usize, dry_run: bool) -> Result<Removed, Failure> {
    let state_objects = target.list(STATE).await?;
    let state = State::read(target, &state_objects).await?;
    lease::refuse_if_held(&state)?;
    let Some(live) = &state.live else { return Ok(Removed::default()) };
    // The live release and interrupted switches are needed, too: an interrupted switch can go back to the live
    // release, or be completed.
    let lineage = Lineage::trimmed(live.lineage(), keep);
    let mut releases: BTreeSet<&String> = lineage.history.iter().collect();
    let mut contents: BTreeSet<String> = BTreeSet::new();
    let mut need = |manifest: &ReleaseManifest| {
        contents.extend(manifest.contents().cloned());
    };
    for release in &releases {
        let read = state::read_manifest(target, release).await;
        state.unless_overtaken(target, read).await?.iter().for_each(&mut need);
    }
    for manifest in std::iter::once(live).chain(&state.unfinished) {
        need(manifest);
        releases.insert(&manifest.release);
    }
    let old: Vec<String> = state.releases.iter().filter(|name| !releases.contains(name)).cloned().collect();
    let unneeded: Vec<&String> = state.backups.keys().filter(|digest| !contents.contains(*digest)).collect();
    let mut records: Vec<String> =
        state.runs.iter().rev().skip(MAX_RUN_RECORDS).map(|&run| run_key(run)).collect();
    records.extend(state_objects.keys().filter(|key| key.starts_with(&format!("{STATE}probe/"))).cloned());
    let removed = Removed { releases: old, contents: unneeded.len(), records: records.len() };
    let keys: Vec<String> = removed
        .releases
        .iter()
        .map(|release| release_key(release))
        .chain(unneeded.into_iter().map(|digest| backup_key(digest)))
        .chain(records)
        .collect();
    if !dry_run && !keys.is_empty() {
        lease::with_lease(target, &state, &RunOptions::default(), target.delete(&keys)).await?;
    }
    Ok(removed)
}
