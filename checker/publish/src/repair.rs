//! Repairs what a target remembers: says what is damaged, finds out by comparing digests what is in place, and writes
//! that down as the record of a new run.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures_util::{StreamExt, TryStreamExt};
use serde::Serialize;
use sha2::{Digest, Sha256};
use sitegate_check::english::count;
use sitegate_check::hex::hex;
use sitegate_hosting::headers::STATE;

use crate::failure::{Exit, Failure};
use crate::memory::lock::{self, LEASE, RunOptions};
use crate::memory::pending::Pending;
use crate::memory::state::{
    self, Promises, RunRecord, SCHEMA_VERSION, Stage, State, TagForm, now, random_id, release_key, run_key,
};
use crate::plan::matches;
use crate::release::manifest::ReleaseManifest;
use crate::target::moment::Moment;
use crate::target::{Present, PublishTarget};

/// What is damaged, and what would mend it, in plain words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// What is wrong, one thing each.
    pub damaged: Vec<String>,
    /// What is done about it, in this order.
    pub steps: Vec<String>,
}

/// Looks at all that a target remembers and, with `apply`, mends it. Files of the site are only read.
///
/// # Errors
/// [`Exit::Held`] while a publisher is at work, and when the store fails.
pub async fn repair(target: &PublishTarget, apply: bool) -> Result<Repair, Failure> {
    let memory = target.list(STATE).await?;
    let mut found = Repair::default();
    let mut deletes = Vec::new();
    let manifests = manifests(target, &memory, &mut found, &mut deletes).await?;
    let (last, broken) = records(target, &memory).await?;
    let latest = memory.keys().filter_map(|key| state::run_number(key)).max();
    for number in &broken {
        found.damaged.push(format!("{} cannot be read", run_key(*number)));
        deletes.push(run_key(*number));
    }
    let needs_record = latest.is_some_and(|latest| {
        let readable = last.as_ref().filter(|last| last.number == latest);
        readable.is_none_or(|last| !has_manifests(last, &manifests, &mut found))
    });
    let state = match latest {
        Some(latest) if needs_record => derive(target, latest, last, &manifests, &mut found).await?,
        _ => State::read(target, memory.keys().map(String::as_str)).await?,
    };
    kept(target, &memory, &manifests, &mut found, &mut deletes).await?;
    let objects = manifests.values().flat_map(|manifest| &manifest.objects);
    let owned: BTreeSet<String> = objects.map(|object| object.key.clone()).collect();
    for key in leftovers(target, &memory, owned).await? {
        found.damaged.push(format!("{key} is left of an interrupted write"));
        deletes.push(key);
    }
    found.steps.extend(deletes.iter().map(|key| format!("delete {key}")));
    if apply && !found.damaged.is_empty() {
        refuse_young(target, &state, latest).await?;
        let work = async {
            target.delete(&deletes).await?;
            target.flush().await
        };
        lock::hold_while(target, &state, &RunOptions::default(), work).await?;
    }
    Ok(found)
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

/// Whoever wrote a record that cannot be read may be at work for as long as a lease.
async fn refuse_young(target: &PublishTarget, state: &State, latest: Option<u64>) -> Result<(), Failure> {
    lock::refuse_held(state)?;
    let Some(latest) = latest else { return Ok(()) };
    let text = target.get(&run_key(latest)).await?.unwrap_or_default();
    if serde_json::from_slice::<RunRecord>(&text).is_ok() {
        return Ok(());
    }
    match target.age(&run_key(latest)).await? {
        Some(age) if age < LEASE => Err(Failure::new(
            Exit::Held,
            format!("{} was written just now, and its publisher may be at work", run_key(latest)),
        )
        .help(format!("try again in {} s", (LEASE - age).as_secs() + 1))),
        _ => Ok(()),
    }
}

/// The manifests that can be read, by release; the others are noted.
async fn manifests(
    target: &PublishTarget,
    memory: &HashMap<String, Present>,
    found: &mut Repair,
    deletes: &mut Vec<String>,
) -> Result<BTreeMap<String, ReleaseManifest>, Failure> {
    let keys = memory.keys().filter(|key| key.starts_with(&format!("{STATE}releases/")));
    let reads = futures_util::stream::iter(keys.map(|key| async move {
        let text = target.get(key).await?.unwrap_or_default();
        Ok::<_, Failure>((key, serde_json::from_slice::<ReleaseManifest>(&text).ok()))
    }));
    let mut read: Vec<(&String, Option<ReleaseManifest>)> =
        reads.buffer_unordered(target.jobs).try_collect().await?;
    read.sort_by(|a, b| a.0.cmp(b.0));
    let mut whole = BTreeMap::new();
    for (key, manifest) in read {
        match manifest.filter(|manifest| release_key(&manifest.release) == *key) {
            Some(manifest) => drop(whole.insert(manifest.release.clone(), manifest)),
            None => {
                found.damaged.push(format!("{key} cannot be read, so that release cannot be gone back to"));
                deletes.push(key.clone());
            }
        }
    }
    Ok(whole)
}

/// The latest record that can be read, and the numbers of those after it.
async fn records(
    target: &PublishTarget,
    memory: &HashMap<String, Present>,
) -> Result<(Option<RunRecord>, Vec<u64>), Failure> {
    let numbers: BTreeSet<u64> = memory.keys().filter_map(|key| state::run_number(key)).collect();
    let mut broken = Vec::new();
    for number in numbers.into_iter().rev() {
        let text = target.get(&run_key(number)).await?.unwrap_or_default();
        match serde_json::from_slice::<RunRecord>(&text) {
            Ok(record) if record.number == number => return Ok((Some(record), broken)),
            _ => broken.push(number),
        }
    }
    Ok((None, broken))
}

/// The release that a record calls live.
fn live_name(record: &RunRecord) -> Option<&String> {
    if record.stage == Stage::Live { record.release.as_ref() } else { record.previous.as_ref() }
}

/// Whether the manifest of the live release is there. One that a record only began with may not have been written.
fn has_manifests(
    record: &RunRecord,
    manifests: &BTreeMap<String, ReleaseManifest>,
    found: &mut Repair,
) -> bool {
    let Some(live) = live_name(record) else { return true };
    let there = manifests.contains_key(live);
    if !there {
        found
            .damaged
            .push(format!("{live} is called live, and {} does not say what it is", release_key(live)));
    }
    there
}

/// Works out a state from what can be read and what is in place.
async fn derive(
    target: &PublishTarget,
    latest: u64,
    base: Option<RunRecord>,
    manifests: &BTreeMap<String, ReleaseManifest>,
    found: &mut Repair,
) -> Result<State, Failure> {
    let etags = base.as_ref().map_or_else(BTreeMap::new, |base| base.etags.clone());
    let keys: BTreeSet<&str> =
        manifests.values().flat_map(|manifest| &manifest.objects).map(|object| object.key.as_str()).collect();
    let present = target.look(&keys.into_iter().collect::<Vec<_>>()).await?;
    let named = base.as_ref().and_then(live_name).and_then(|name| manifests.get(name));
    let mut live = None;
    // The latest first: an earlier one with the same content is not what is live.
    let mut candidates: Vec<&ReleaseManifest> = manifests.values().collect();
    candidates.sort_by_key(|manifest| std::cmp::Reverse(manifest.created));
    for manifest in candidates {
        if is_in_place(target, manifest, &present, &etags).await? {
            live = Some(manifest);
            break;
        }
    }
    let whole = live.is_some();
    let live = live.or(named);
    let after = |manifest: &&ReleaseManifest| live.is_none_or(|live| manifest.created > live.created);
    let unfinished: Vec<ReleaseManifest> =
        if whole { Vec::new() } else { manifests.values().filter(after).cloned().collect() };
    found.steps.push(match (live, whole) {
        (Some(live), true) => format!(
            "write record {}: {} is live, for all of its {} are in place",
            latest + 1,
            live.release,
            count(live.objects.len(), "object")
        ),
        (Some(live), false) => format!(
            "write record {}: no release is in place as a whole, so a switch from {} is taken for half done; publish \
             again, or roll back",
            latest + 1,
            live.release
        ),
        (None, _) => format!(
            "write record {}: nothing is known to be live; publish again with --adopt, which takes over what is there",
            latest + 1
        ),
    });
    let names = unfinished.iter().map(|manifest| manifest.release.clone()).collect();
    let promises = match &base {
        Some(base) if base.promises.endpoint == target.endpoint => base.promises.clone(),
        // They are found out when the target is taken.
        _ => Promises { endpoint: String::new(), create: false, replace: TagForm::Ignored },
    };
    let record = RunRecord {
        schema_version: SCHEMA_VERSION,
        number: latest,
        id: random_id(),
        stage: Stage::Released,
        release: None,
        previous: live.map(|live| live.release.clone()),
        unfinished: names,
        started: now(),
        lease: 0,
        pending: base.map_or_else(Pending::default, |base| base.pending),
        promises,
        etags,
    };
    Ok(State {
        read: Some(Moment::now()),
        live: live.cloned(),
        unfinished,
        last: Some(record),
        ..State::default()
    })
}

/// Whether all objects of a release are at their keys. Where tags do not tell, they are read.
async fn is_in_place(
    target: &PublishTarget,
    manifest: &ReleaseManifest,
    present: &HashMap<String, Present>,
    etags: &BTreeMap<String, state::Tagged>,
) -> Result<bool, Failure> {
    let mut unsure = Vec::new();
    for object in &manifest.objects {
        match present.get(&object.key).map(|there| matches(there, object, etags)) {
            Some(Some(true)) => {}
            // A tag that is not the digest may be one of a store that encrypts.
            Some(_) if target.folder().is_none() && present[&object.key].size == object.size => {
                unsure.push(object);
            }
            _ => return Ok(false),
        }
    }
    let reads = unsure.into_iter().map(|object| async move {
        let body = target.get(&object.key).await?.unwrap_or_default();
        Ok::<_, Failure>(hex(&Sha256::digest(&body)) == object.sha256)
    });
    let reads = futures_util::stream::iter(reads).buffer_unordered(target.jobs);
    reads.try_all(std::future::ready).await
}

/// Notes kept contents that are not what their names say.
async fn kept(
    target: &PublishTarget,
    memory: &HashMap<String, Present>,
    manifests: &BTreeMap<String, ReleaseManifest>,
    found: &mut Repair,
    deletes: &mut Vec<String>,
) -> Result<(), Failure> {
    let prefix = format!("{STATE}kept/");
    let objects = manifests.values().flat_map(|manifest| &manifest.objects);
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
    let wrong = futures_util::stream::iter(checks).buffer_unordered(target.jobs);
    let mut wrong: Vec<Option<&String>> = wrong.try_collect().await?;
    wrong.sort();
    for key in wrong.into_iter().flatten() {
        found.damaged.push(format!("{key} does not hold what its name says, so no way back can use it"));
        deletes.push(key.clone());
    }
    Ok(())
}
