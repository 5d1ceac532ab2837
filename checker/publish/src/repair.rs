//! Repairs what a target remembers: says what is damaged, finds out by comparing digests what is in place, and writes
//! that down as the record of a new run.

use std::collections::{BTreeSet, HashMap};

use futures_util::{StreamExt, TryStreamExt};
use serde::Serialize;
use sha2::{Digest, Sha256};
use sitegate_base::hex::hex;
use sitegate_hosting::compression::beside;
use sitegate_hosting::headers::STATE;

use crate::failure::{Exit, Failure};
use crate::memory::lock::{self, HeldRun, LEASE, RunOptions};
use crate::memory::state::{self, State, faster, release_key, run_key};
use crate::recovery::{Remains, WorkedOut, live_name};
use crate::target::{Present, PublishTarget};
use crate::twins::twins;

/// What is damaged, and what would mend it, in plain words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// What is wrong, one thing each.
    pub damaged: Vec<String>,
    /// What is done about it, in this order.
    pub steps: Vec<String>,
}

/// Looks at all that a target remembers and, with `apply`, mends it. Of the site's files only compressed forms are
/// deleted, and only those whose release was lost.
///
/// # Errors
/// [`Exit::Held`] while a publisher is at work, or may be, and when the store fails.
pub async fn repair(target: &PublishTarget, apply: bool) -> Result<Repair, Failure> {
    let memory = target.list(STATE).await?;
    let mut found = Repair::default();
    let remains = Remains::read(target, &memory).await?;
    let needs_record = note_records(&remains, &mut found);
    let mut deletes: Vec<String> =
        remains.broken_runs.iter().chain(&remains.broken_manifests).cloned().collect();
    let worked_out = match remains.latest {
        Some(_) if needs_record => Some(remains.work_out(target).await?),
        _ => None,
    };
    let state = match &worked_out {
        Some(worked_out) => worked_out.state.clone(),
        None => State::read(target, memory.keys().map(String::as_str)).await?,
    };
    if !found.damaged.is_empty() {
        note_twins(target, &memory, &remains, &mut found, &mut deletes).await?;
    }
    kept(target, &memory, &remains, &mut found, &mut deletes).await?;
    let owned = remains.manifests.values().flat_map(|manifest| &manifest.objects);
    let owned: BTreeSet<String> = owned.map(|object| object.key.clone()).collect();
    for key in leftovers(target, &memory, owned).await? {
        found.damaged.push(format!("{key} is left of an interrupted write"));
        deletes.push(key);
    }
    let next = remains.latest.map_or(1, |latest| latest.saturating_add(1));
    if !found.damaged.is_empty() && target.head(&run_key(next)).await?.is_some() {
        return Err(faster(target, next).await);
    }
    let mut reason = worked_out.as_ref().map(|worked_out| worked_out.reason.clone());
    if apply && !found.damaged.is_empty() {
        lock::refuse_held(&state)?;
        if let Some(latest) = remains.latest
            && remains.latest_record().is_none()
        {
            refuse_young(target, latest).await?;
        }
        reason = mend(target, &state, worked_out, &deletes).await?;
    }
    let record = reason.map(|reason| format!("write record {next}: {reason}"));
    found.steps = record.into_iter().chain(deletes.iter().map(|key| format!("delete {key}"))).collect();
    Ok(found)
}

/// Notes records and manifests that cannot be read. Gives whether the next record is to be worked out from the rest.
fn note_records(remains: &Remains, found: &mut Repair) -> bool {
    for key in &remains.broken_manifests {
        found.damaged.push(format!("{key} cannot be read, so that release cannot be gone back to"));
    }
    for key in &remains.broken_runs {
        found.damaged.push(format!("{key} cannot be read"));
    }
    let Some(last) = remains.latest_record() else { return true };
    let unfinished = state::unfinished(last).into_iter().map(|release| release_key(&release));
    let is_broken = unfinished.into_iter().any(|key| remains.broken_manifests.contains(&key));
    let lost = live_name(last).filter(|live| !remains.manifests.contains_key(*live));
    if let Some(live) = lost {
        let key = release_key(live);
        found.damaged.push(format!("{live} is called live, and {key} does not say what it is"));
    }
    is_broken || lost.is_some()
}

/// Notes compressed forms whose release was lost.
async fn note_twins(
    target: &PublishTarget,
    memory: &HashMap<String, Present>,
    remains: &Remains,
    found: &mut Repair,
    deletes: &mut Vec<String>,
) -> Result<(), Failure> {
    let twins = twins(target, memory, remains).await?;
    for key in twins.ours {
        found.damaged.push(format!("{key} is a compressed form, and its release was lost"));
        deletes.push(key);
    }
    for key in twins.unsure {
        let plain = beside(&key).unwrap_or_default();
        found.damaged.push(format!(
            "{key} does not hold what {plain} holds, and servers may answer with it; it is left alone, so delete it \
             if it is not meant"
        ));
    }
    Ok(())
}

/// Does what mends a target, while it is held. Gives why the new record says what it says.
async fn mend(
    target: &PublishTarget,
    state: &State,
    worked_out: Option<WorkedOut>,
    deletes: &[String],
) -> Result<Option<String>, Failure> {
    let run = HeldRun::take_for_work(target, state, &RunOptions::default()).await?;
    let work = async {
        let mut reason = worked_out.map(|worked_out| worked_out.reason);
        if reason.is_some() && target.folder().is_some() {
            // Whoever was still at work in a folder is kept out from now on, and may have gone on until now.
            let latest = Remains::read(target, &target.list(STATE).await?).await?.work_out(target).await?;
            let unfinished = latest.state.unfinished.into_iter().map(|manifest| manifest.release).collect();
            run.change(|record| {
                record.previous = latest.state.live.map(|live| live.release);
                record.unfinished = unfinished;
            });
            reason = Some(latest.reason);
        }
        target.delete(deletes).await?;
        target.flush().await?;
        Ok(reason)
    };
    let worked = run.hold_while(work).await;
    run.give_back(worked).await
}

/// What interrupted writes and probes left, in order.
async fn leftovers(
    target: &PublishTarget,
    memory: &HashMap<String, Present>,
    owned: BTreeSet<String>,
) -> Result<Vec<String>, Failure> {
    let probes = memory.keys().filter(|key| key.starts_with(&format!("{STATE}probe/"))).cloned();
    let mut found: Vec<String> = probes.chain(target.leftovers(owned).await?).collect();
    found.sort();
    Ok(found)
}

/// A publisher whose record was damaged finds that out at its next renewal, and may write until then. In a folder the
/// next record keeps it out at once; a bucket has no such lock, and how long its lease is cannot be read.
async fn refuse_young(target: &PublishTarget, latest: u64) -> Result<(), Failure> {
    if target.folder().is_some() {
        return Ok(());
    }
    let key = run_key(latest);
    let unlock = format!("at once after `sitegate unlock {}`", target.url);
    let Some(age) = target.age(&key).await? else {
        let message = format!("{key} cannot be read, and the store does not tell how old it is");
        let help = format!("if you know that nobody publishes, try again {unlock}");
        return Err(Failure::new(Exit::Held, message).help(help));
    };
    let Some(left) = LEASE.checked_sub(age).filter(|left| !left.is_zero()) else { return Ok(()) };
    let message = format!(
        "{key} was damaged {} s ago: a publisher that wrote it just before may still be at work, and its record \
         cannot tell",
        age.as_secs()
    );
    Err(Failure::new(Exit::Held, message).help(format!(
        "it notices in less than {} s; try again in {} s, or, if you know that nobody publishes, {unlock}",
        LEASE.as_secs(),
        left.as_secs() + 1
    )))
}

/// Notes kept contents that are not what their names say.
async fn kept(
    target: &PublishTarget,
    memory: &HashMap<String, Present>,
    remains: &Remains,
    found: &mut Repair,
    deletes: &mut Vec<String>,
) -> Result<(), Failure> {
    let prefix = format!("{STATE}kept/");
    let objects = remains.manifests.values().flat_map(|manifest| &manifest.objects);
    let md5: HashMap<&str, &str> =
        objects.map(|object| (object.sha256.as_str(), object.md5.as_str())).collect();
    let checks = memory.iter().filter(|(key, _)| key.starts_with(&prefix)).map(|(key, present)| {
        let digest = key.strip_prefix(&prefix).unwrap_or_default();
        let is_sure = present.etag.is_some() && present.etag.as_deref() == md5.get(digest).copied();
        let digest = digest.to_owned();
        async move {
            if is_sure {
                return Ok(None);
            }
            let body = target.get(key).await?.unwrap_or_default();
            Ok::<_, Failure>((hex(&Sha256::digest(&body)) != digest).then_some(key))
        }
    });
    let wrong = futures_util::stream::iter(checks).buffer_unordered(target.jobs());
    let mut wrong: Vec<Option<&String>> = wrong.try_collect().await?;
    wrong.sort();
    for key in wrong.into_iter().flatten() {
        found.damaged.push(format!("{key} does not hold what its name says, so no way back can use it"));
        deletes.push(key.clone());
    }
    Ok(())
}
