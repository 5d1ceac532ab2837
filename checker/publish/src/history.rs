//! Which releases a target can go back to: those of its history that are still whole.

use futures_util::{StreamExt, TryStreamExt};

use crate::failure::{Exit, Failure};
use crate::memory::state::{self, State};
use crate::memory::survey::Standing;
use crate::plan::{Change, Plan, PlanLimits};
use crate::release::lineage::{Left, LeftBecause, Lineage, Return};
use crate::release::manifest::ReleaseManifest;
use crate::target::PublishTarget;

/// A release of the history.
#[derive(Debug)]
pub struct WayBack {
    /// The release.
    pub manifest: ReleaseManifest,
    /// When and why it was rolled away from, if it was.
    pub left: Option<Left>,
}

/// The releases of a target's history whose manifests are there, the one that was live last first. One content is
/// there once, and that of the live release not at all. What is at their keys is looked at.
///
/// # Errors
/// When the store does not answer, or a manifest was damaged.
pub(crate) async fn ways_back(
    target: &PublishTarget,
    standing: &mut Standing,
) -> Result<Vec<WayBack>, Failure> {
    let Some(live) = &standing.state.live else { return Ok(Vec::new()) };
    let read = live.history.iter().filter(|name| standing.state.releases.contains(*name));
    let read = futures_util::stream::iter(read.map(|name| state::manifest(target, name)));
    let found: Vec<Option<ReleaseManifest>> = read.buffered(target.jobs()).try_collect().await?;
    let mut ways: Vec<WayBack> = Vec::new();
    for manifest in found.into_iter().flatten() {
        let origin = manifest.origin();
        if origin != live.origin() && ways.iter().all(|way| way.manifest.origin() != origin) {
            let left = live.left.get(&manifest.release).copied();
            ways.push(WayBack { manifest, left });
        }
    }
    let objects = ways.iter().flat_map(|way| &way.manifest.objects);
    let objects: Vec<_> = live.objects.iter().chain(objects).collect();
    let seen = standing.look_at(target, &objects).await?;
    standing.present.extend(seen);
    Ok(ways)
}

/// The plan to put a release's content back.
pub(crate) fn plan_back(
    old: &ReleaseManifest,
    standing: &Standing,
    keep: usize,
    because: LeftBecause,
) -> Plan {
    let state = &standing.state;
    let manifest = old.restored(state.moment());
    // What is live may be given up for what came before it; going on to what came after says nothing against it.
    let is_back = state.live.as_ref().is_some_and(|live| manifest.origin() < live.origin());
    let mark = is_back.then_some(Left { at: manifest.created, because });
    let lineage = Lineage::after(
        state.live.as_ref().map(ReleaseManifest::lineage),
        keep,
        Some(Return { to: &old.release, mark }),
    );
    Plan::new(manifest, state, &standing.present, lineage)
}

/// Why a release cannot be put back, where it cannot: its content is no longer kept whole, or a guard would stop it.
///
/// # Errors
/// [`Exit::Guard`].
pub(crate) fn refuse_impossible(old: &ReleaseManifest, plan: &Plan, state: &State) -> Result<(), Failure> {
    let lost: Vec<String> = plan
        .writes()
        .filter(|(object, change)| !state.kept.contains(&object.sha256) && *change != Change::Headers)
        // What stands there under another name is kept before it is written anew under this one.
        .filter(|(object, _)| !(plan.obstacles.are_before(&object.key) && plan.will_keep(&object.sha256)))
        .map(|(object, _)| object.key.clone())
        .collect();
    if !lost.is_empty() {
        return Err(Failure::new(Exit::Guard, format!("release {} is no longer kept whole", old.release))
            .names(lost)
            .help("build and publish that release again instead"));
    }
    if !plan.foreign.is_empty() {
        let message = "these would be replaced, and no publish of sitegate wrote them";
        return Err(Failure::new(Exit::Guard, message)
            .names(plan.foreign.iter().cloned())
            .help("move them out of the way, and roll back again"));
    }
    plan.guard(&LIMITS)
}

/// Whoever goes back means to: nothing that stands in the way was wanted.
const LIMITS: PlanLimits = PlanLimits {
    keep: 0,
    max_deletes: usize::MAX,
    overwrite_drift: true,
    adopt: false,
    allow_gone: true,
    allow_placeholders: true,
};

/// The releases of these that can be put back as they are.
pub(crate) fn only_whole(ways: Vec<WayBack>, standing: &Standing) -> Vec<WayBack> {
    let is_whole = |way: &WayBack| can_be_put_back(&way.manifest, standing);
    ways.into_iter().filter(is_whole).collect()
}

/// Whether a release can be put back as it is.
pub(crate) fn can_be_put_back(old: &ReleaseManifest, standing: &Standing) -> bool {
    let plan = plan_back(old, standing, 0, LeftBecause::Asked);
    refuse_impossible(old, &plan, &standing.state).is_ok()
}

/// The release to go back to: the one that is named, by its name, the name of the release that it puts back, or the
/// beginning of either; or else the latest one before the live one that was not rolled away from. A switch that was
/// interrupted goes back to where it began.
///
/// # Errors
/// [`Exit::Usage`] when there is none, or several are meant.
pub(crate) fn choose<'w>(
    ways: &'w [WayBack],
    state: &'w State,
    to: Option<&str>,
) -> Result<&'w ReleaseManifest, Failure> {
    let Some(live) = &state.live else {
        let message = if state.unfinished.is_empty() {
            "nothing was ever published here, so there is no release to roll back to"
        } else {
            "the first publish was interrupted, so there is no release to roll back to; publish again"
        };
        return Err(Failure::new(Exit::Usage, message));
    };
    let Some(to) = to else {
        if !state.unfinished.is_empty() {
            return Ok(live);
        }
        let earlier = |way: &&WayBack| way.left.is_none() && way.manifest.origin() < live.origin();
        return ways.iter().find(earlier).map(|way| &way.manifest).ok_or_else(|| nothing_before(ways, live));
    };
    let all: Vec<&ReleaseManifest> =
        std::iter::once(live).chain(ways.iter().map(|way| &way.manifest)).collect();
    let named = |is: &dyn Fn(&str) -> bool| -> Vec<&'w ReleaseManifest> {
        all.iter().copied().filter(|manifest| is(&manifest.release) || is(manifest.origin())).collect()
    };
    let mut found = named(&|name| name == to);
    if found.is_empty() && !to.is_empty() {
        found = named(&|name| name.starts_with(to));
    }
    match found.as_slice() {
        [one] => Ok(one),
        [] => Err(Failure::new(Exit::Usage, format!("there is no release {to} to roll back to"))
            .help("`sitegate status` lists the releases that can be put back")),
        several => Err(Failure::new(Exit::Usage, format!("several releases begin with {to}"))
            .names(several.iter().map(|manifest| manifest.release.clone()))
            .help("name one of them with --to")),
    }
}

fn nothing_before(ways: &[WayBack], live: &ReleaseManifest) -> Failure {
    if ways.is_empty() && live.restores.is_none() {
        let message =
            format!("{} is the first release, so there is none before it to roll back to", live.release);
        return Failure::new(Exit::Usage, message);
    }
    Failure::new(
        Exit::Usage,
        format!("no release before {} is left that was not rolled away from", live.release),
    )
    .names(ways.iter().map(|way| way.manifest.release.clone()))
    .help("`sitegate status` says when and why each was left; to return to one, name it with --to")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::{BTreeMap, BTreeSet, HashMap};

    use sitegate_base::file_name::folded;

    use super::refuse_impossible;
    use crate::memory::state::State;
    use crate::plan::{Change, Plan, PlanLimits};
    use crate::release::lineage::Lineage;
    use crate::release::manifest::{Object, ObjectRole, ReleaseManifest};
    use crate::target::{FileIdentity, Present};

    /// A folder whose file system takes names for one that differ only in case, and keeps a file's first name: each
    /// file's name and digest, by the folded name.
    #[derive(Clone, Default)]
    struct FoldingFolder(BTreeMap<String, (String, String)>);

    impl FoldingFolder {
        fn present<'k>(&self, keys: impl Iterator<Item = &'k str>) -> HashMap<String, Present> {
            let look = |key: &str| {
                let (_, sha256) = self.0.get(folded(key).as_ref())?.clone();
                let file = Some(FileIdentity(folded(key).into_owned()));
                Some((key.to_owned(), Present { size: 1, etag: None, sha256: Some(sha256), file }))
            };
            keys.filter_map(look).collect()
        }

        /// Does what a plan says, as the publisher does.
        fn carry_out(&mut self, plan: &Plan) {
            for (object, _) in plan.writes() {
                for obstacle in plan.obstacles.ours.get(&object.key).into_iter().flatten() {
                    self.0.remove(folded(obstacle).as_ref());
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
        let lineage = Lineage::after(state.live.as_ref().map(ReleaseManifest::lineage), 5, None);
        Plan::new(next.clone(), state, &present, lineage)
    }

    #[test]
    fn a_name_that_changes_its_case_alone_loses_no_file_where_case_is_nothing() {
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
        folder.carry_out(&first_plan);
        let mut state = State { live: Some(first_plan.manifest), ..State::default() };
        let first_kept =
            |plan: &Plan| plan.keeps.iter().map(|keep| keep.sha256.clone()).collect::<BTreeSet<_>>();
        for next in [&second, &first, &second] {
            let plan = planned(&folder, &state, next);
            let limits = PlanLimits { allow_gone: true, ..PlanLimits::default() };
            assert!(plan.guard(&limits).is_ok(), "{:?}", plan.guard(&limits));
            assert_eq!(plan.writes().count(), 4, "{plan:?}");
            assert!(refuse_impossible(next, &plan, &state).is_ok() || state.kept.is_empty());
            // A switch that ended after each number of writes is completed by the same publish.
            for done in 0..4 {
                let mut half = folder.clone();
                let mut part = planned(&half, &state, next);
                part.changes
                    .iter_mut()
                    .filter(|change| **change != Change::Same)
                    .skip(done)
                    .for_each(|change| *change = Change::Same);
                part.deletes.clear();
                half.carry_out(&part);
                let resumed = State { unfinished: vec![part.manifest], ..state.clone() };
                let rest = planned(&half, &resumed, next);
                assert!(rest.guard(&limits).is_ok(), "{:?}", rest.guard(&limits));
                half.carry_out(&rest);
                half.holds(next);
            }
            folder.carry_out(&plan);
            folder.holds(next);
            state.kept.extend(first_kept(&plan));
            state.live = Some(plan.manifest);
        }
        assert!(planned(&folder, &state, &second).writes().next().is_none());
    }
}
