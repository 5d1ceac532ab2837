//! Earlier releases: going back to one, freeing the target from a dead publisher, clearing away the rest.

use std::collections::{BTreeMap, BTreeSet};

use crate::failure::{Exit, Failure};
use crate::memory::lock::{self, RunOptions};
use crate::memory::state::{self, Run, Stage, State, kept_key, now, random_id, release_key, run_key};
use crate::memory::survey::{self, Standing};
use crate::plan::{Change, Limits, Plan};
use crate::publisher::{self, Content, Listener};
use crate::release::manifest::{Manifest, name};
use crate::target::{Condition, PutError, Target};
use sitegate_hosting::headers::STATE;

/// Run records that are kept: far more than publishers that could still be asleep.
const RUNS: usize = 20;

/// A way back, and what was read to find it.
#[derive(Debug)]
pub struct WayBack {
    /// What would be done.
    pub plan: Plan,
    /// What is there now.
    pub standing: Standing,
}

/// Plans the way back to a release, or to the one before the live one.
///
/// # Errors
/// [`Exit::Usage`] when there is no such release, [`Exit::Guard`] when its content is no longer kept.
pub async fn way_back(target: &Target, to: Option<&str>, keep: usize) -> Result<WayBack, Failure> {
    let memory = target.list(STATE).await?;
    let state = State::read(target, memory.keys().map(String::as_str)).await?;
    let wanted = wanted(&state, to)?;
    let old = match state::manifest(target, &wanted).await? {
        Some(old) => old,
        None => {
            return Err(Failure::new(Exit::Usage, format!("there is no release {wanted}"))
                .help("`sitegate status` lists the releases that are kept"));
        }
    };
    let created = state.moment();
    let manifest = Manifest {
        release: name(created, &old.objects),
        created,
        restores: Some(old.restores.clone().unwrap_or_else(|| old.release.clone())),
        history: Vec::new(),
        retained: Vec::new(),
        ..old
    };
    let standing = survey::survey(target, &manifest.objects).await?;
    let plan = Plan::new(manifest, &standing.state, &standing.present, keep);
    let lost: Vec<String> = plan
        .writes()
        .filter(|(object, change)| {
            !standing.state.kept.contains(&object.sha256) && *change != Change::Headers
        })
        .map(|(object, _)| object.key.clone())
        .collect();
    if lost.is_empty() {
        return Ok(WayBack { plan, standing });
    }
    Err(Failure::new(Exit::Guard, format!("release {wanted} is no longer kept whole"))
        .names(lost)
        .help("build and publish that release again instead"))
}

/// The release to go back to: an interrupted switch goes back to where it began.
fn wanted(state: &State, to: Option<&str>) -> Result<String, Failure> {
    let Some(live) = &state.live else {
        return Err(Failure::new(Exit::Usage, "nothing was ever published here, so there is no way back"));
    };
    match to {
        Some(to) => Ok(to.to_owned()),
        None if !state.unfinished.is_empty() => Ok(live.release.clone()),
        None => live.history.first().cloned().ok_or_else(|| {
            Failure::new(
                Exit::Usage,
                format!("{} is the first release, so there is no way back", live.release),
            )
        }),
    }
}

/// Goes back. What visitors see changes as in a publish: page by page, leaves first.
///
/// # Errors
/// As [`publisher::carry_out`].
pub async fn go_back(
    target: &Target,
    way: &WayBack,
    options: &RunOptions,
    tell: Listener<'_>,
) -> Result<Run, Failure> {
    lock::refuse_held(&way.standing.state)?;
    // Whoever goes back means to: nothing that stands in the way was wanted.
    let limits = Limits {
        max_deletes: usize::MAX,
        overwrite_drift: true,
        allow_gone: true,
        adopt: false,
        ..Limits::default()
    };
    way.plan.guard(&limits)?;
    let content = Content::Kept;
    let run = publisher::carry_out(target, &way.plan, &way.standing.state, &content, options, tell).await?;
    publisher::clear(target, &way.plan, tell).await;
    Ok(run)
}

/// Frees a target from a publisher that died, whatever its lease says. Gives its record; none where nobody
/// held it.
///
/// # Errors
/// [`Exit::Held`] when someone took the target in the meantime.
pub async fn unlock(target: &Target) -> Result<Option<Run>, Failure> {
    let memory = target.list(STATE).await?;
    let state = State::read(target, memory.keys().map(String::as_str)).await?;
    let Some(last) = state.last.filter(|last| last.stage == Stage::Publishing) else { return Ok(None) };
    let freed = Run {
        number: last.number + 1,
        id: random_id(),
        stage: Stage::Released,
        release: None,
        unfinished: state::unfinished(&last),
        started: now(),
        expires: 0,
        owner: state::owner(),
        ..last.clone()
    };
    match state::write(target, &run_key(freed.number), &freed, Condition::Absent).await {
        Ok(()) => Ok(Some(last)),
        Err(PutError::Conflict) => {
            Err(Failure::new(Exit::Held, "someone took the target just now").help("see `sitegate status`"))
        }
        Err(PutError::Other(failure)) => Err(failure),
    }
}

/// What clearing away would delete, or has deleted.
#[derive(Debug, Default)]
pub struct Cleared {
    /// Releases that can no longer be rolled back to.
    pub releases: Vec<String>,
    /// Kept contents that no release needs.
    pub contents: usize,
    /// Records of runs, and what probes left.
    pub records: usize,
}

/// Clears away what neither the live release nor the kept ones need. Objects of the site are not touched.
///
/// # Errors
/// [`Exit::Held`] when a publisher is at work.
pub async fn clear_away(
    target: &Target,
    keep: usize,
    dry_run: bool,
    options: &RunOptions,
) -> Result<Cleared, Failure> {
    let memory = target.list(STATE).await?;
    let state = State::read(target, memory.keys().map(String::as_str)).await?;
    lock::refuse_held(&state)?;
    let Some(live) = &state.live else { return Ok(Cleared::default()) };
    let mut releases: BTreeSet<&String> = live.history.iter().take(keep).collect();
    let mut contents: BTreeSet<String> = BTreeSet::new();
    for release in &releases {
        if let Some(manifest) = state::manifest(target, release).await? {
            contents.extend(manifest.objects.into_iter().map(|object| object.sha256));
        }
    }
    releases.insert(&live.release);
    releases.extend(state.unfinished.iter().map(|manifest| &manifest.release));
    let old: Vec<String> = state.releases.iter().filter(|name| !releases.contains(name)).cloned().collect();
    let unneeded: Vec<&String> = state.kept.iter().filter(|digest| !contents.contains(*digest)).collect();
    let mut records: Vec<String> = state.runs.iter().rev().skip(RUNS).map(|&run| run_key(run)).collect();
    records.extend(memory.keys().filter(|key| key.starts_with(&format!("{STATE}probe/"))).cloned());
    let cleared = Cleared { releases: old, contents: unneeded.len(), records: records.len() };
    let keys: Vec<String> = cleared
        .releases
        .iter()
        .map(|release| release_key(release))
        .chain(unneeded.into_iter().map(|digest| kept_key(digest)))
        .chain(records)
        .collect();
    if !dry_run && !keys.is_empty() {
        lock::hold_while(target, &state, options, target.delete(&keys)).await?;
    }
    Ok(cleared)
}

/// What each kept release is, the live one first.
///
/// # Errors
/// When the store does not answer.
pub async fn history(target: &Target, state: &State) -> Result<Vec<Manifest>, Failure> {
    let Some(live) = &state.live else { return Ok(Vec::new()) };
    let mut found: BTreeMap<usize, Manifest> = BTreeMap::new();
    for (place, release) in live.history.iter().enumerate() {
        if let Some(manifest) = state::manifest(target, release).await? {
            found.insert(place, manifest);
        }
    }
    Ok(std::iter::once(live.clone()).chain(found.into_values()).collect())
}
