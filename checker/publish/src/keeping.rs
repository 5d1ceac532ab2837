//! What a target keeps: which releases, which of them are no longer needed, and who holds it.

use std::collections::{BTreeSet, HashMap};

use crate::failure::{Exit, Failure};
use crate::history::{self, WayBack};
use crate::memory::lock::{self, RunOptions};
use crate::memory::state::{self, RunRecord, Stage, State, kept_key, now, random_id, release_key, run_key};
use crate::memory::survey::{self, Standing};
use crate::recovery::Remains;
use crate::release::lineage::Lineage;
use crate::release::manifest::ReleaseManifest;
use crate::target::{Condition, Present, PublishTarget, PutError};
use sitegate_hosting::headers::STATE;

/// Run records that are kept: far more than publishers that could still be asleep.
const RUNS: usize = 20;

/// What a target was freed from.
#[derive(Debug)]
pub enum Freed {
    /// Nobody held it.
    Nobody,
    /// A run, by its record.
    Run(Box<RunRecord>),
    /// A run of this number, whose record cannot be read; what is live was worked out.
    Unreadable(u64),
}

/// Frees a target from a publisher that died, whatever its lease says, and whether its record can be read or not.
///
/// # Errors
/// [`Exit::Held`] when someone took the target in the meantime.
pub async fn unlock(target: &PublishTarget) -> Result<Freed, Failure> {
    let memory = target.list(STATE).await?;
    let state = match State::read(target, memory.keys().map(String::as_str)).await {
        Ok(state) => state,
        Err(failure) if failure.exit == Exit::Usage => {
            return unlock_unreadable(target, &memory, failure).await;
        }
        Err(failure) => return Err(failure),
    };
    let is_held = |last: &RunRecord| match last.stage {
        Stage::Publishing => true,
        Stage::Live => last.lease > 0,
        Stage::Released => false,
    };
    let Some(last) = state.last.filter(is_held) else { return Ok(Freed::Nobody) };
    let freed = RunRecord {
        number: last.number + 1,
        id: random_id(),
        stage: Stage::Released,
        release: None,
        previous: state.live.map(|live| live.release),
        unfinished: state::unfinished(&last),
        started: now(),
        lease: 0,
        ..last.clone()
    };
    write_freed(target, &freed).await?;
    Ok(Freed::Run(Box::new(last)))
}

/// Frees a target from a run whose record cannot be read. Where something else is damaged, `damage` says so.
async fn unlock_unreadable(
    target: &PublishTarget,
    memory: &HashMap<String, Present>,
    damage: Failure,
) -> Result<Freed, Failure> {
    let remains = Remains::read(target, memory).await?;
    let Some(latest) = remains.latest else { return Err(damage) };
    if remains.latest_record().is_some() {
        return Err(damage);
    }
    let state = remains.work_out(target).await?.state;
    let Some(last) = state.last else { return Err(damage) };
    write_freed(target, &RunRecord { number: last.number.saturating_add(1), ..last }).await?;
    Ok(Freed::Unreadable(latest))
}

async fn write_freed(target: &PublishTarget, freed: &RunRecord) -> Result<(), Failure> {
    match state::write(target, &run_key(freed.number), freed, Condition::Absent).await {
        Ok(_) => Ok(()),
        Err(PutError::Conflict | PutError::Different) => {
            Err(Failure::new(Exit::Held, "someone took the target just now").help("see `sitegate status`"))
        }
        Err(PutError::Other(failure)) => Err(failure),
    }
}

/// What was removed, or would be.
#[derive(Debug, Default)]
pub struct Removed {
    /// Releases that can no longer be rolled back to.
    pub releases: Vec<String>,
    /// Kept contents that no release needs.
    pub contents: usize,
    /// Records of runs, and what probes left.
    pub records: usize,
}

/// Removes what neither the live release nor the kept ones need. Objects of the site are not touched.
///
/// # Errors
/// [`Exit::Held`] when a publisher is at work.
pub async fn remove_unneeded(target: &PublishTarget, keep: usize, dry_run: bool) -> Result<Removed, Failure> {
    let memory = target.list(STATE).await?;
    let state = State::read(target, memory.keys().map(String::as_str)).await?;
    lock::refuse_held(&state)?;
    let Some(live) = &state.live else { return Ok(Removed::default()) };
    // What is live and what is half done are needed as much as what can be gone back to: an interrupted switch goes
    // back to the contents that were kept of the one, and on to those of the other.
    let lineage = Lineage::trimmed(live.lineage(), keep);
    let mut releases: BTreeSet<&String> = lineage.history.iter().collect();
    let mut contents: BTreeSet<String> = BTreeSet::new();
    let mut need = |manifest: &ReleaseManifest| {
        contents.extend(manifest.objects.iter().map(|object| object.sha256.clone()));
    };
    for release in &releases {
        let read = state::manifest(target, release).await;
        state.unless_overtaken(target, read).await?.iter().for_each(&mut need);
    }
    for manifest in std::iter::once(live).chain(&state.unfinished) {
        need(manifest);
        releases.insert(&manifest.release);
    }
    let old: Vec<String> = state.releases.iter().filter(|name| !releases.contains(name)).cloned().collect();
    let unneeded: Vec<&String> = state.kept.iter().filter(|digest| !contents.contains(*digest)).collect();
    let mut records: Vec<String> = state.runs.iter().rev().skip(RUNS).map(|&run| run_key(run)).collect();
    records.extend(memory.keys().filter(|key| key.starts_with(&format!("{STATE}probe/"))).cloned());
    let removed = Removed { releases: old, contents: unneeded.len(), records: records.len() };
    let keys: Vec<String> = removed
        .releases
        .iter()
        .map(|release| release_key(release))
        .chain(unneeded.into_iter().map(|digest| kept_key(digest)))
        .chain(records)
        .collect();
    if !dry_run && !keys.is_empty() {
        lock::hold_while(target, &state, &RunOptions::default(), target.delete(&keys)).await?;
    }
    Ok(removed)
}

/// What is at a target.
#[derive(Debug)]
pub struct Status {
    /// What the target remembers.
    pub state: State,
    /// The releases that can be rolled back to, the one that was live last first.
    pub ways_back: Vec<WayBack>,
    /// Whether a switch that was interrupted can go back to where it began.
    pub can_undo: bool,
}

/// How often a target is looked at while others change it.
const LOOKS: usize = 5;

/// Says what is live, what can be rolled back to, and who is at work.
///
/// # Errors
/// When the store does not answer, or its memory was damaged; [`Exit::Held`] when others never pause.
pub async fn status(target: &PublishTarget) -> Result<Status, Failure> {
    for _ in 0..LOOKS {
        let mut standing = survey::survey(target, &[]).await?;
        let ways = history::ways_back(target, &mut standing).await;
        let ways = standing.state.unless_overtaken(target, ways).await?;
        // What was seen of two moments is no status.
        if !standing.state.is_overtaken(target).await? {
            return Ok(status_of(standing, ways));
        }
    }
    Err(survey::restless())
}

fn status_of(standing: Standing, ways: Vec<WayBack>) -> Status {
    let ways_back = history::only_whole(ways, &standing);
    let state = &standing.state;
    let can_undo = !state.unfinished.is_empty()
        && state.live.as_ref().is_some_and(|live| history::can_be_put_back(live, &standing));
    Status { state: standing.state, ways_back, can_undo }
}
