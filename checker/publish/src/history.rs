//! Finds the releases that a target can roll back to: those of its history that are still complete.

use std::collections::BTreeMap;

use futures_util::{StreamExt, TryStreamExt};

use crate::failure::{Failure, FailureKind};
use crate::plan::{Change, Plan, PlanLimits};
use crate::release::manifest::{
    Lineage, Object, ReleaseManifest, Restoration, RollbackMark, RollbackReason, content_digest,
};
use crate::target::PublishTarget;
use crate::target_state::snapshot::Snapshot;
use crate::target_state::state::{self, State, backup_key};

/// A release that may be rolled back to.
#[derive(Debug)]
pub struct RollbackCandidate {
    /// The release.
    pub manifest: ReleaseManifest,
    /// When and why the target was rolled back from this release, if it was.
    pub rolled_back: Option<RollbackMark>,
}

/// Returns the releases in a target's history whose manifests exist, the latest first. Releases with the same
/// content appear once; those with the live content are left out. Reads what is at their keys, too.
///
/// # Errors
/// When the store does not answer, or a manifest is damaged.
pub(crate) async fn rollback_candidates(
    target: &PublishTarget,
    snapshot: &mut Snapshot,
) -> Result<Vec<RollbackCandidate>, Failure> {
    let Some(live) = &snapshot.state.live else { return Ok(Vec::new()) };
    let read = live.history.iter().filter(|name| snapshot.state.releases.contains(*name));
    let read = futures_util::stream::iter(read.map(|name| state::read_manifest(target, name)));
    let found: Vec<Option<ReleaseManifest>> = read.buffered(target.jobs()).try_collect().await?;
    let mut candidates: Vec<RollbackCandidate> = Vec::new();
    for manifest in found.into_iter().flatten() {
        let rolled_back = live.rolled_back.get(&manifest.release).copied();
        let is_same = |other: &ReleaseManifest| {
            other.origin() == manifest.origin() || other.objects == manifest.objects
        };
        let is_listed = |listed: &RollbackCandidate| {
            is_same(&listed.manifest) && listed.rolled_back.is_some() == rolled_back.is_some()
        };
        if !is_same(live) && !candidates.iter().any(is_listed) {
            candidates.push(RollbackCandidate { manifest, rolled_back });
        }
    }
    let objects = candidates.iter().flat_map(|candidate| &candidate.manifest.objects);
    let objects: Vec<_> = live.objects.iter().chain(objects).collect();
    let seen = snapshot.inspect(target, &objects).await?;
    snapshot.present.extend(seen);
    Ok(candidates)
}

/// Plans to restore a release's content.
pub(crate) fn plan_rollback(
    old: &ReleaseManifest,
    snapshot: &Snapshot,
    keep: usize,
    reason: RollbackReason,
    now: u64,
) -> Plan {
    let state = &snapshot.state;
    let manifest = old.restored(state.next_release_time(now));
    // Going back to an earlier release marks the live one as rolled back. Going forward does not.
    let is_back = state.live.as_ref().is_some_and(|live| manifest.origin() < live.origin());
    let mark = is_back.then_some(RollbackMark { at: manifest.created, reason });
    let back = Restoration { to: &old.release, mark };
    let lineage = Lineage::after(&manifest.release, state.live.as_ref(), keep, Some(back));
    Plan::new(manifest, state, &snapshot.present, lineage)
}

/// Rejects a release that cannot be restored: its content is incomplete, or a guard would stop the plan.
///
/// # Errors
/// [`FailureKind::Guard`].
pub(crate) fn refuse_unrestorable(old: &ReleaseManifest, plan: &Plan, state: &State) -> Result<(), Failure> {
    let lost: Vec<String> = plan
        .writes()
        .filter(|(object, change)| !state.is_backed_up(object) && *change != Change::Headers)
        // Content under a conflicting name is backed up before it is written under this one.
        .filter(|(object, _)| !(plan.path_conflicts.blocks(&object.key) && plan.will_back_up(&object.sha256)))
        .map(|(object, _)| object.key.clone())
        .collect();
    if !lost.is_empty() && state.unfinished.is_empty() && lost.iter().all(|key| is_shared(key, old, state)) {
        return Err(edited_by_hand(old, plan, lost));
    }
    if !lost.is_empty() {
        return Err(Failure::new(
            FailureKind::Guard,
            format!("release {} is no longer complete", old.release),
        )
        .names(lost)
        .help(incomplete_help(old, state)));
    }
    if !plan.foreign.is_empty() {
        let message = "these objects would be replaced, and sitegate did not write them";
        return Err(Failure::new(FailureKind::Guard, message)
            .names(plan.foreign.iter().cloned())
            .help("move them away, and roll back again"));
    }
    plan.check_guards(&ROLLBACK_LIMITS)
}

/// Whether the live release has the same content at a key. It needs no backup: the file itself is the only copy.
fn is_shared(key: &str, old: &ReleaseManifest, state: &State) -> bool {
    let live = state.live.as_ref().and_then(|live| live.find(key));
    live.is_some_and(|live| old.find(key).is_some_and(|object| object.sha256 == live.sha256))
}

/// Reports files that the release shares with the live one, and that someone changed or deleted.
fn edited_by_hand(old: &ReleaseManifest, plan: &Plan, keys: Vec<String>) -> Failure {
    let is_edited = |line: &&String| keys.iter().any(|key| line.ends_with(&format!("  {key}")));
    let named: Vec<String> = plan.drift.iter().filter(is_edited).cloned().collect();
    let message = format!(
        "release {} cannot be restored: someone changed files by hand that it shares with the live release, and the \
         target has no other copy of them",
        old.release
    );
    Failure::new(FailureKind::Guard, message)
        .names(if named.len() == keys.len() { named } else { keys })
        .help(
            "publish the live release again with `sitegate publish --overwrite-drift`, which writes them again, then \
             roll back; or build and publish the earlier release with it",
        )
}

/// Returns what to do instead of restoring a release that is not complete.
fn incomplete_help(old: &ReleaseManifest, state: &State) -> String {
    let again = "build and publish that release again instead";
    match &state.live {
        Some(live) if !state.unfinished.is_empty() && live.release != old.release => {
            format!("{again}, or restore the release before with `sitegate rollback --to {}`", live.release)
        }
        _ => again.to_owned(),
    }
}

/// Rejects a release whose contents on the target are damaged: everything that the rollback writes is read and
/// compared before it begins.
///
/// # Errors
/// [`FailureKind::Guard`], and when the store does not answer.
pub(crate) async fn refuse_damaged(
    target: &PublishTarget,
    old: &ReleaseManifest,
    plan: &Plan,
    state: &State,
) -> Result<(), Failure> {
    // Objects with the same content share a backup. If only headers change, the object itself may serve, too.
    let mut contents: BTreeMap<(&str, Option<&str>), &Object> = BTreeMap::new();
    for (object, change) in plan.writes() {
        let own = (change == Change::Headers).then_some(object.key.as_str());
        contents.insert((&object.sha256, own), object);
    }
    let reads = contents.into_iter().map(|((_, own), object)| async move {
        let backup = state.is_backed_up(object).then(|| backup_key(&object.sha256));
        let keys: Vec<String> = backup.into_iter().chain(own.map(str::to_owned)).collect();
        for key in &keys {
            if target.store().has_content(key, object.size, &object.sha256).await? {
                return Ok(None);
            }
        }
        // Without a key, it is under a conflicting name, whose digest was read.
        Ok::<_, Failure>(keys.first().map(|key| format!("{key} no longer has the content of {}", object.key)))
    });
    let found = futures_util::stream::iter(reads).buffered(target.jobs());
    let damaged: Vec<String> = found.try_filter_map(|damaged| async { Ok(damaged) }).try_collect().await?;
    if damaged.is_empty() {
        return Ok(());
    }
    let message = format!("release {} is damaged on the target, and nothing was changed", old.release);
    Err(Failure::new(FailureKind::Guard, message).names(damaged).help(incomplete_help(old, state)))
}

/// A rollback is deliberate, so most guards do not apply.
const ROLLBACK_LIMITS: PlanLimits = PlanLimits {
    keep: 0,
    max_deletes: usize::MAX,
    overwrite_drift: true,
    adopt: false,
    allow_gone: true,
    allow_placeholders: true,
};

/// Splits the candidates into those that can be restored as they are, and the others.
pub(crate) fn split_restorable(
    candidates: Vec<RollbackCandidate>,
    snapshot: &Snapshot,
) -> [Vec<RollbackCandidate>; 2] {
    let is_whole = |candidate: &RollbackCandidate| is_restorable(&candidate.manifest, snapshot);
    candidates.into_iter().partition::<Vec<_>, _>(is_whole).into()
}

/// Whether a release can be restored as it is.
pub(crate) fn is_restorable(old: &ReleaseManifest, snapshot: &Snapshot) -> bool {
    let plan = plan_rollback(old, snapshot, 0, RollbackReason::Requested, 0);
    refuse_unrestorable(old, &plan, &snapshot.state).is_ok()
}

/// Chooses the release to roll back to.
///
/// With `to`, it is the release with this name, or whose origin has it; a unique prefix of either will do.
/// Without `to`, it is the latest release before the live one that was not rolled back from. An interrupted
/// rollback is completed, and an interrupted publish undone: then it is the live release itself.
///
/// # Errors
/// [`FailureKind::Usage`] when no release or several match.
pub(crate) fn choose_release<'w>(
    candidates: &'w [RollbackCandidate],
    state: &'w State,
    to: Option<&str>,
) -> Result<&'w ReleaseManifest, Failure> {
    let Some(live) = &state.live else {
        let message = if state.unfinished.is_empty() {
            "nothing was published here yet, so there is no release to roll back to"
        } else {
            "the first publish was interrupted, so there is no release to roll back to; publish again"
        };
        return Err(Failure::new(FailureKind::Usage, message));
    };
    let all: Vec<&ReleaseManifest> =
        std::iter::once(live).chain(candidates.iter().map(|candidate| &candidate.manifest)).collect();
    let Some(to) = to else {
        if let Some(last) = state.unfinished.last() {
            if let Some(restores) = &last.restores {
                return Ok(all.into_iter().find(|manifest| manifest.origin() == restores).unwrap_or(last));
            }
            // A publish that ended before its switch left nothing to undo.
            if state.interrupted().next().is_some() {
                return Ok(live);
            }
        }
        let earlier = |candidate: &&RollbackCandidate| {
            candidate.rolled_back.is_none() && candidate.manifest.origin() < live.origin()
        };
        return candidates
            .iter()
            .find(earlier)
            .map(|candidate| &candidate.manifest)
            .ok_or_else(|| no_earlier_release(candidates, live));
    };
    let named = |is: &dyn Fn(&str) -> bool| -> Vec<&'w ReleaseManifest> {
        all.iter().copied().filter(|manifest| is(&manifest.release) || is(manifest.origin())).collect()
    };
    let mut found = named(&|name| name == to);
    if found.is_empty() && !to.is_empty() {
        found = named(&|name| name.starts_with(to));
    }
    match found.as_slice() {
        [one] => Ok(one),
        [] if names_live_content(live, to) => Ok(live),
        [] => Err(Failure::new(FailureKind::Usage, format!("there is no release {to} to roll back to"))
            .help("`sitegate target status` lists the releases that can be restored")),
        several => Err(Failure::new(FailureKind::Usage, format!("several releases begin with {to}"))
            .names(several.iter().map(|manifest| manifest.release.clone()))
            .help("name one of them with --to")),
    }
}

/// Whether a name or its beginning is that of an earlier release with the content of the live one.
fn names_live_content(live: &ReleaseManifest, to: &str) -> bool {
    let content = content_digest(&live.release);
    !to.is_empty()
        && live
            .history
            .iter()
            .any(|name| name.starts_with(to) && content.is_some() && content_digest(name) == content)
}

fn no_earlier_release(candidates: &[RollbackCandidate], live: &ReleaseManifest) -> Failure {
    if candidates.is_empty() && live.restores.is_none() {
        let message =
            format!("{} is the first release, so there is none before it to roll back to", live.release);
        return Failure::new(FailureKind::Usage, message);
    }
    let message = format!("no earlier release than {} remains that was not rolled back from", live.release);
    Failure::new(FailureKind::Usage, message)
        .names(candidates.iter().map(|candidate| candidate.manifest.release.clone()))
        .help("`sitegate target status` shows when and why each was rolled back; name one with --to to restore it")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeMap;

    use sitegate_base::file_name::folded;

    use super::refuse_unrestorable;
    use crate::plan::{Change, Plan, PlanLimits};
    use crate::release::manifest::{Lineage, Object, ObjectRole, ReleaseManifest};
    use crate::store::{FileIdentity, StoredObject};
    use crate::target_state::state::State;

    /// A folder on a case-insensitive file system that preserves case: each file's name and digest, by the
    /// folded name.
    #[derive(Clone, Default)]
    struct FoldingFolder(BTreeMap<String, (String, String)>);

    impl FoldingFolder {
        fn present<'k>(&self, keys: impl Iterator<Item = &'k str>) -> BTreeMap<String, StoredObject> {
            let find = |key: &str| {
                let (_, sha256) = self.0.get(folded(key).as_ref())?.clone();
                let file = Some(FileIdentity(folded(key).into_owned()));
                Some((
                    key.to_owned(),
                    StoredObject { size: 1, sha256: Some(sha256), file, ..StoredObject::default() },
                ))
            };
            keys.filter_map(find).collect()
        }

        /// Executes a plan, as the publisher does.
        fn execute(&mut self, plan: &Plan) {
            for (object, _) in plan.writes() {
                for conflict in plan.path_conflicts.ours.get(&object.key).into_iter().flatten() {
                    self.0.remove(folded(conflict).as_ref());
                }
                let first = || (object.key.clone(), String::new());
                self.0
                    .entry(folded(&object.key).into_owned())
                    .or_insert_with(first)
                    .1
                    .clone_from(&object.sha256);
            }
            for key in &plan.deletes {
                self.0.remove(folded(key).as_ref());
            }
        }

        fn holds(&self, release: &ReleaseManifest) {
            let wanted = release.objects.iter().map(|object| (&object.key, &object.sha256));
            let there: BTreeMap<&String, &String> =
                self.0.values().map(|(name, sha256)| (name, sha256)).collect();
            assert_eq!(there, wanted.collect::<BTreeMap<_, _>>());
        }
    }

    fn release(name: &str, created: u64, files: &[[&str; 2]]) -> ReleaseManifest {
        let object = |[key, sha256]: &[&str; 2]| Object {
            key: (*key).to_owned(),
            path: (*key).to_owned(),
            role: if key.ends_with(".js") { ObjectRole::Asset } else { ObjectRole::Page },
            size: 1,
            sha256: (*sha256).to_owned(),
            md5: String::new(),
            script_depth: None,
            headers: BTreeMap::new(),
        };
        let mut objects: Vec<Object> = files.iter().map(object).collect();
        objects.sort_by(|a, b| a.key.cmp(&b.key));
        ReleaseManifest { release: name.to_owned(), created, objects, ..ReleaseManifest::default() }
    }

    fn planned(folder: &FoldingFolder, state: &State, next: &ReleaseManifest) -> Plan {
        let known = state.live.iter().chain(&state.unfinished).flat_map(ReleaseManifest::keys);
        let present = folder.present(known.chain(next.keys()));
        let lineage = Lineage::after(&next.release, state.live.as_ref(), 5, None);
        Plan::new(next.clone(), state, &present, lineage)
    }

    #[test]
    fn case_only_renames_lose_no_file_on_case_insensitive_file_systems() {
        let before = [
            ["About.html", "a"],
            ["Docs/One.html", "b"],
            ["Docs/two.html", "c"],
            ["App-1.js", "d"],
            ["x", "e"],
        ];
        let after = [
            ["about.html", "a"],
            ["docs/One.html", "B"],
            ["docs/TWO.html", "c"],
            ["app-1.js", "D"],
            ["x", "e"],
        ];
        let (first, second) = (release("1", 1, &before), release("2", 2, &after));
        let mut folder = FoldingFolder::default();
        let first_plan = planned(&folder, &State::default(), &first);
        folder.execute(&first_plan);
        let mut state = State { live: Some(first_plan.manifest), ..State::default() };
        let first_kept = |plan: &Plan| {
            plan.backups.iter().map(|backup| (backup.sha256.clone(), 1)).collect::<BTreeMap<_, _>>()
        };
        for next in [&second, &first, &second] {
            let plan = planned(&folder, &state, next);
            let limits = PlanLimits { allow_gone: true, ..PlanLimits::default() };
            assert!(plan.check_guards(&limits).is_ok(), "{:?}", plan.check_guards(&limits));
            assert_eq!(plan.writes().count(), 4, "{plan:?}");
            assert!(refuse_unrestorable(next, &plan, &state).is_ok() || state.backups.is_empty());
            // A switch that stopped after any number of writes is completed by the same publish.
            for done in 0..4 {
                let mut half = folder.clone();
                let mut part = planned(&half, &state, next);
                part.changes
                    .iter_mut()
                    .filter(|change| **change != Change::Same)
                    .skip(done)
                    .for_each(|change| *change = Change::Same);
                part.deletes.clear();
                half.execute(&part);
                let resumed = State { unfinished: vec![part.manifest], ..state.clone() };
                let rest = planned(&half, &resumed, next);
                assert!(rest.check_guards(&limits).is_ok(), "{:?}", rest.check_guards(&limits));
                half.execute(&rest);
                half.holds(next);
            }
            folder.execute(&plan);
            folder.holds(next);
            state.backups.extend(first_kept(&plan));
            state.live = Some(plan.manifest);
        }
        assert!(planned(&folder, &state, &second).writes().next().is_none());
    }
}
