//! Repairs the state of a target: reports damage, infers the live release by comparing digests, and writes it
//! to the record of a new run.

use std::collections::BTreeMap;

use futures_util::{StreamExt, TryStreamExt};
use serde::Serialize;
use sitegate_address::SitePath;
use sitegate_host::compression::file_of_variant;
use sitegate_host::headers::STATE;

use crate::failure::{Failure, FailureKind};
use crate::machine::is_random_id;
use crate::precompressed::orphaned_variants;
use crate::recovery::{InferredState, RecoveredState};
use crate::store::StoredObject;
use crate::target::PublishTarget;
use crate::target_state::lease::{self, LEASE, Lease, RunOptions};
use crate::target_state::state::{
    self, State, find_foreign, is_ours, move_aside, overtaken_by, release_key, run_key,
};

/// Damage and repair steps, as messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// The damage, one item each.
    pub damaged: Vec<String>,
    /// The repair steps, in order.
    pub steps: Vec<String>,
}

/// Checks the whole state of a target and, with `apply`, repairs it. Of the site's files, it deletes only
/// precompressed variants whose release was lost.
///
/// # Errors
/// [`FailureKind::Held`] while a publisher is or may be at work, and when the store fails.
pub async fn repair(target: &PublishTarget, apply: bool) -> Result<Repair, Failure> {
    let mut state_objects = target.list(STATE).await?;
    let foreign = find_foreign(target, &state_objects).await?;
    state_objects.retain(|key, _| is_ours(key));
    let mut found = Repair::default();
    let recovered = RecoveredState::read(target, &state_objects).await?;
    let needs_record = report_broken_records(&recovered, &mut found);
    let mut deletes: Vec<String> =
        recovered.broken_runs.iter().chain(&recovered.broken_manifests).cloned().collect();
    let inferred = match recovered.latest {
        Some(_) if needs_record => Some(recovered.infer_live(target).await?),
        _ => None,
    };
    let state = match &inferred {
        Some(inferred) => inferred.state.clone(),
        None => State::read(target, &state_objects).await?,
    };
    if !found.damaged.is_empty() {
        report_orphaned_variants(target, &state_objects, &recovered, &mut found, &mut deletes).await?;
    }
    for object in &foreign {
        found.damaged.push(format!("{} is not from sitegate, and may be in its way", object.key));
    }
    report_corrupt_backups(target, &state_objects, &recovered, &mut found, &mut deletes).await?;
    for key in leftovers(target, &state_objects).await? {
        found.damaged.push(format!("{key} is left over from an interrupted write"));
        deletes.push(key);
    }
    let next = recovered.latest.map_or(1, |latest| latest.saturating_add(1));
    if !found.damaged.is_empty()
        && let Some(later) = state::runs(target).await?.pop_last().filter(|later| *later >= next)
    {
        return Err(overtaken_by(target, later).await);
    }
    let mut reason = inferred.as_ref().map(|inferred| inferred.reason.clone());
    if apply && !found.damaged.is_empty() {
        lease::refuse_if_held(&state)?;
        if let Some(latest) = recovered.latest
            && recovered.latest_record().is_none()
        {
            refuse_recently_damaged(target, latest).await?;
        }
        for object in &foreign {
            move_aside(target, object).await?;
        }
        if inferred.is_some() || !deletes.is_empty() {
            reason = apply_repair(target, &state, inferred, &deletes).await?;
        }
    }
    let moves = foreign.iter().map(|object| format!("move {} to {}", object.key, object.aside));
    let record = reason.map(|reason| format!("write record {next}: {reason}"));
    found.steps = moves.chain(record).chain(deletes.iter().map(|key| format!("delete {key}"))).collect();
    Ok(found)
}

/// Reports unreadable records and manifests. Returns whether the live release must be inferred.
fn report_broken_records(recovered: &RecoveredState, found: &mut Repair) -> bool {
    for key in &recovered.broken_manifests {
        found.damaged.push(format!("{key} cannot be read, so this release cannot be rolled back to"));
    }
    for key in &recovered.broken_runs {
        found.damaged.push(format!("{key} cannot be read"));
    }
    let Some(last) = recovered.latest_record() else { return true };
    let unfinished = last.unfinished().into_iter().map(|release| release_key(&release));
    let is_broken = unfinished.into_iter().any(|key| recovered.broken_manifests.contains(&key));
    let lost = last.live().filter(|live| !recovered.manifests.contains_key(*live));
    if let Some(live) = lost {
        let key = release_key(live);
        found
            .damaged
            .push(format!("{live} is recorded as live, but its manifest {key} is missing or damaged"));
    }
    is_broken || lost.is_some()
}

/// Reports precompressed variants whose release was lost.
async fn report_orphaned_variants(
    target: &PublishTarget,
    state_objects: &BTreeMap<String, StoredObject>,
    recovered: &RecoveredState,
    found: &mut Repair,
    deletes: &mut Vec<String>,
) -> Result<(), Failure> {
    let orphaned_variants = orphaned_variants(target, state_objects, recovered).await?;
    for key in orphaned_variants.ours {
        found.damaged.push(format!("{key} is a precompressed variant, and its release was lost"));
        deletes.push(key);
    }
    for key in orphaned_variants.unsure {
        let plain = file_of_variant(&key).unwrap_or_default();
        found.damaged.push(format!(
            "{key} does not contain the same as {plain}, and servers may serve it instead; it is left alone: delete it \
             if it is unwanted"
        ));
    }
    Ok(())
}

/// Repairs a target under a lease. Returns the reason for the content of the new record.
async fn apply_repair(
    target: &PublishTarget,
    state: &State,
    inferred: Option<InferredState>,
    deletes: &[String],
) -> Result<Option<String>, Failure> {
    let run = Lease::acquire(target, None, state, &RunOptions::default()).await?;
    let work = async {
        let mut reason = inferred.map(|inferred| inferred.reason);
        if reason.is_some() && target.capabilities().enforces_lease {
            // From now on, the lease blocks other publishers at once. One may have been at work until now,
            // so infer again.
            let latest =
                RecoveredState::read(target, &target.list(STATE).await?).await?.infer_live(target).await?;
            let unfinished = latest.state.unfinished.into_iter().map(|manifest| manifest.release).collect();
            run.update(|record| {
                record.previous = latest.state.live.map(|live| live.release);
                record.unfinished = unfinished;
            });
            reason = Some(latest.reason);
        }
        target.delete(deletes).await?;
        target.flush().await?;
        Ok(reason)
    };
    let worked = run.renew_during(work).await;
    run.end_unpublished(worked).await
}

/// Returns leftovers of interrupted writes and probes, sorted.
async fn leftovers(
    target: &PublishTarget,
    state_objects: &BTreeMap<String, StoredObject>,
) -> Result<Vec<String>, Failure> {
    let probes = state_objects.keys().filter(|key| key.starts_with(&format!("{STATE}probe/"))).cloned();
    let mut found: Vec<String> = probes.collect();
    if target.capabilities().stages {
        let staged = target.list(&format!("{STATE}tmp/")).await?.into_keys();
        found.extend(staged.filter(|key| is_random_id(SitePath::new(key.as_str()).split().1)));
    }
    found.sort();
    Ok(found)
}

/// Fails if the latest record was damaged recently. Its publisher may be at work until its next renewal,
/// unless the store enforces leases: then the next record blocks it at once. The length of the lease cannot be read.
async fn refuse_recently_damaged(target: &PublishTarget, latest: u64) -> Result<(), Failure> {
    if target.capabilities().enforces_lease {
        return Ok(());
    }
    let key = run_key(latest);
    let unlock = format!("now with `sitegate target unlock {}`", target.url_word());
    let Some(age) = target.head(&key).await?.and_then(|record| record.age) else {
        let message = format!("{key} cannot be read, and the store does not report its age");
        let help = format!(
            "if you are sure that no publish is running, release the target {unlock}, then try again"
        );
        return Err(Failure::new(FailureKind::Held, message).help(help));
    };
    let Some(remaining) = LEASE.checked_sub(age).filter(|remaining| !remaining.is_zero()) else {
        return Ok(());
    };
    let message = format!(
        "{key} was damaged {} s ago: a publisher that wrote it just before may still be at work, and its record does \
         not say",
        age.as_secs()
    );
    Err(Failure::new(FailureKind::Held, message).help(format!(
        "it would notice within {} s; try again in {} s, or, if you are sure that no publish is running, {unlock}",
        LEASE.as_secs(),
        remaining.as_secs() + 1
    )))
}

/// Reports backups whose content does not match their name.
async fn report_corrupt_backups(
    target: &PublishTarget,
    state_objects: &BTreeMap<String, StoredObject>,
    recovered: &RecoveredState,
    found: &mut Repair,
    deletes: &mut Vec<String>,
) -> Result<(), Failure> {
    let prefix = format!("{STATE}kept/");
    let objects = recovered.manifests.values().flat_map(|manifest| &manifest.objects);
    let md5: BTreeMap<&str, &str> =
        objects.map(|object| (object.sha256.as_str(), object.md5.as_str())).collect();
    let checks = state_objects.iter().filter(|(key, _)| key.starts_with(&prefix)).map(|(key, present)| {
        let digest = key.strip_prefix(&prefix).unwrap_or_default();
        let is_sure = present.etag.is_some() && present.etag.as_deref() == md5.get(digest).copied();
        let digest = digest.to_owned();
        async move {
            if is_sure {
                return Ok(None);
            }
            let is_intact = target.store().has_content(key, present.size, &digest).await?;
            Ok::<_, Failure>((!is_intact).then_some(key))
        }
    });
    let wrong = futures_util::stream::iter(checks).buffer_unordered(target.jobs());
    let mut wrong: Vec<Option<&String>> = wrong.try_collect().await?;
    wrong.sort();
    for key in wrong.into_iter().flatten() {
        found.damaged.push(format!("{key} does not match the digest in its name, so no rollback can use it"));
        deletes.push(key.clone());
    }
    Ok(())
}
