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
    let found: Vec<Option<ReleaseManifest>> = read.buffered(target.jobs).try_collect().await?;
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
        let message = match state.unfinished.is_empty() {
            true => "nothing was ever published here, so there is no release to roll back to",
            false => {
                "the first publish was interrupted, so there is no release to roll back to; publish again"
            }
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
