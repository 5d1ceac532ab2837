//! Works out what is live from what can still be read of a target's memory and from what is in place.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures_util::{StreamExt, TryStreamExt};
use sha2::{Digest, Sha256};
use sitegate_base::hex::hex;
use sitegate_base::plural::count;
use sitegate_hosting::headers::STATE;

use crate::failure::Failure;
use crate::memory::pending::Pending;
use crate::memory::state::{
    self, Promises, RunRecord, SCHEMA_VERSION, Stage, State, TagForm, now, random_id, release_key, run_key,
};
use crate::plan::matches;
use crate::release::manifest::ReleaseManifest;
use crate::target::moment::Moment;
use crate::target::{Present, PublishTarget};

/// What can still be read of a target's memory.
#[derive(Debug, Default)]
pub(crate) struct Remains {
    /// The number of the latest run, whether its record can be read or not.
    pub latest: Option<u64>,
    /// The latest record that can be read.
    pub last: Option<RunRecord>,
    /// The releases whose manifests can be read, by name.
    pub manifests: BTreeMap<String, ReleaseManifest>,
    /// The keys of the records that cannot be read.
    pub broken_runs: Vec<String>,
    /// The keys of the manifests that cannot be read.
    pub broken_manifests: Vec<String>,
}

/// What was worked out, and why.
#[derive(Debug)]
pub(crate) struct WorkedOut {
    /// The state that the next record is to say.
    pub state: State,
    /// Why, in plain words.
    pub reason: String,
}

impl Remains {
    /// Reads all that a memory holds of runs and releases.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn read(
        target: &PublishTarget,
        memory: &HashMap<String, Present>,
    ) -> Result<Remains, Failure> {
        let mut remains = Remains::default();
        let numbers: BTreeSet<u64> = memory.keys().filter_map(|key| state::run_number(key)).collect();
        remains.latest = numbers.last().copied();
        for number in numbers.into_iter().rev() {
            let text = target.get(&run_key(number)).await?.unwrap_or_default();
            match serde_json::from_slice::<RunRecord>(&text) {
                Ok(record) if record.number == number => drop(remains.last.get_or_insert(record)),
                _ => remains.broken_runs.push(run_key(number)),
            }
        }
        let keys = memory.keys().filter(|key| key.starts_with(&format!("{STATE}releases/")));
        let reads = futures_util::stream::iter(keys.map(|key| async move {
            let text = target.get(key).await?.unwrap_or_default();
            Ok::<_, Failure>((key, serde_json::from_slice::<ReleaseManifest>(&text).ok()))
        }));
        let mut reads = reads.buffer_unordered(target.jobs());
        while let Some((key, manifest)) = reads.try_next().await? {
            match manifest.filter(|manifest| release_key(&manifest.release) == *key) {
                Some(manifest) => drop(remains.manifests.insert(manifest.release.clone(), manifest)),
                None => remains.broken_manifests.push(key.clone()),
            }
        }
        remains.broken_manifests.sort_unstable();
        Ok(remains)
    }

    /// The latest run's record, where that one can be read.
    pub(crate) fn latest_record(&self) -> Option<&RunRecord> {
        self.last.as_ref().filter(|last| Some(last.number) == self.latest)
    }

    /// Works out which release is live: the latest one that is in place as a whole, or else the one that the latest
    /// readable record calls so. What is later than that is taken for half done.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn work_out(&self, target: &PublishTarget) -> Result<WorkedOut, Failure> {
        let etags = self.last.as_ref().map_or_else(BTreeMap::new, |last| last.etags.clone());
        let objects = self.manifests.values().flat_map(|manifest| &manifest.objects);
        let keys: BTreeSet<&str> = objects.map(|object| object.key.as_str()).collect();
        let present = target.look(&keys.into_iter().collect::<Vec<_>>()).await?;
        let mut live = None;
        // The latest first: an earlier one with the same content is not what is live.
        let mut candidates: Vec<&ReleaseManifest> = self.manifests.values().collect();
        candidates.sort_by_key(|manifest| std::cmp::Reverse(manifest.created));
        for manifest in candidates {
            if is_in_place(target, manifest, &present, &etags).await? {
                live = Some(manifest);
                break;
            }
        }
        let whole = live.is_some();
        let named = self.last.as_ref().and_then(live_name).and_then(|name| self.manifests.get(name));
        let live = live.or(named);
        let after = |manifest: &&ReleaseManifest| live.is_none_or(|live| manifest.created > live.created);
        let unfinished: Vec<ReleaseManifest> =
            if whole { Vec::new() } else { self.manifests.values().filter(after).cloned().collect() };
        let state = State {
            read: Some(Moment::now()),
            last: Some(self.record(target, live, &unfinished, etags)),
            live: live.cloned(),
            unfinished,
            ..State::default()
        };
        Ok(WorkedOut { reason: reason(&state, whole), state })
    }

    /// What the latest record would have to say for this to be so.
    fn record(
        &self,
        target: &PublishTarget,
        live: Option<&ReleaseManifest>,
        unfinished: &[ReleaseManifest],
        etags: BTreeMap<String, state::Tagged>,
    ) -> RunRecord {
        let promises = match &self.last {
            Some(last) if last.promises.endpoint == target.endpoint => last.promises.clone(),
            // They are found out when the target is taken.
            _ => Promises { endpoint: String::new(), create: false, replace: TagForm::Ignored },
        };
        RunRecord {
            schema_version: SCHEMA_VERSION,
            number: self.latest.unwrap_or(0),
            id: random_id(),
            stage: Stage::Released,
            release: None,
            previous: live.map(|live| live.release.clone()),
            unfinished: unfinished.iter().map(|manifest| manifest.release.clone()).collect(),
            started: now(),
            lease: 0,
            pending: self.last.as_ref().map_or_else(Pending::default, |last| last.pending.clone()),
            promises,
            etags,
        }
    }
}

fn reason(state: &State, whole: bool) -> String {
    match (&state.live, whole) {
        (Some(live), true) => {
            let objects = count(live.objects.len(), "object");
            format!("{} is live, for all of its {objects} are in place", live.release)
        }
        (Some(live), false) if state.unfinished.is_empty() => format!(
            "{} is called live, and not all of it is in place; publish again with --overwrite-drift and --adopt, which \
             take over what is there",
            live.release
        ),
        (Some(live), false) => format!(
            "no release is in place as a whole, so a switch from {} is taken for half done; publish again, or roll back",
            live.release
        ),
        (None, _) => {
            "nothing is known to be live; publish again with --adopt, which takes over what is there"
                .to_owned()
        }
    }
}

/// The release that a record calls live.
pub(crate) fn live_name(record: &RunRecord) -> Option<&String> {
    if record.stage == Stage::Live { record.release.as_ref() } else { record.previous.as_ref() }
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
        let Some(there) = present.get(&object.key) else { return Ok(false) };
        match matches(there, object, etags) {
            Some(true) => {}
            // A tag that is not the digest may be one of a store that encrypts.
            _ if target.folder().is_none() && there.size == object.size => unsure.push(object),
            _ => return Ok(false),
        }
    }
    let reads = unsure.into_iter().map(|object| async move {
        let body = target.get(&object.key).await?.unwrap_or_default();
        Ok::<_, Failure>(hex(&Sha256::digest(&body)) == object.sha256)
    });
    let reads = futures_util::stream::iter(reads).buffer_unordered(target.jobs());
    reads.try_all(std::future::ready).await
}
