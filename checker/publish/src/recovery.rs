//! Infers the live release from the readable parts of a target's state and from its objects.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt, TryStreamExt};
use sitegate_base::artifact::RUN;
use sitegate_base::plural::count;
use sitegate_host::headers::STATE;

use crate::failure::Failure;
use crate::plan::content_matches;
use crate::release::manifest::ReleaseManifest;
use crate::store::{StoredObject, TagForm};
use crate::target::PublishTarget;
use crate::target_state::pending::Pending;
use crate::target_state::state::{
    self, Capabilities, RunRecord, Stage, State, StateDocument, Tagged, is_ours, record_tag, release_key,
    run_key,
};

/// The readable parts of a target's state.
#[derive(Debug, Default)]
pub(crate) struct RecoveredState {
    /// The number of the latest run, readable or not.
    pub latest: Option<u64>,
    /// The latest readable record.
    pub last: Option<RunRecord>,
    /// The readable manifests, by release.
    pub manifests: BTreeMap<String, ReleaseManifest>,
    /// The keys of unreadable records.
    pub broken_runs: Vec<String>,
    /// The keys of unreadable manifests.
    pub broken_manifests: Vec<String>,
}

/// An inferred state.
#[derive(Debug)]
pub(crate) struct InferredState {
    /// The state to write to the next record.
    pub state: State,
    /// The reason, as a message.
    pub reason: String,
}

impl RecoveredState {
    /// Reads all run records and manifests.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn read(
        target: &PublishTarget,
        state_objects: &BTreeMap<String, StoredObject>,
    ) -> Result<RecoveredState, Failure> {
        let mut recovered = RecoveredState::default();
        let numbers: BTreeSet<u64> = state_objects.keys().filter_map(|key| state::run_number(key)).collect();
        recovered.latest = numbers.last().copied();
        for number in numbers.into_iter().rev() {
            match state::read_record(target, number).await? {
                StateDocument::Intact(record, _) => drop(recovered.last.get_or_insert(record)),
                _ => recovered.broken_runs.push(run_key(number)),
            }
        }
        let is_manifest = |key: &&String| key.starts_with(&format!("{STATE}releases/")) && is_ours(key);
        let reads =
            futures_util::stream::iter(state_objects.keys().filter(is_manifest).map(|key| async move {
                let document = state::read_document::<ReleaseManifest>(target, key).await?;
                Ok::<_, Failure>((key, document))
            }));
        let mut reads = reads.buffer_unordered(target.jobs());
        while let Some((key, document)) = reads.try_next().await? {
            let manifest =
                if let StateDocument::Intact(manifest, _) = document { Some(manifest) } else { None };
            match manifest.filter(|manifest| release_key(&manifest.release) == *key) {
                Some(manifest) => drop(recovered.manifests.insert(manifest.release.clone(), manifest)),
                None => recovered.broken_manifests.push(key.clone()),
            }
        }
        recovered.broken_manifests.sort_unstable();
        Ok(recovered)
    }

    /// Returns the latest run's record, if it can be read.
    pub(crate) fn latest_record(&self) -> Option<&RunRecord> {
        self.last.as_ref().filter(|last| Some(last.number) == self.latest)
    }

    /// Infers the live release: the latest one whose objects are all in place, or else the one that the latest
    /// readable record names. Later releases count as unfinished.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn infer_live(&self, target: &PublishTarget) -> Result<InferredState, Failure> {
        let mut etags = self.last.as_ref().map_or_else(BTreeMap::new, |last| last.etags.clone());
        let objects = self.manifests.values().flat_map(|manifest| &manifest.objects);
        let keys: BTreeSet<&str> = objects.map(|object| object.key.as_str()).collect();
        let present = target.inspect(&keys.into_iter().collect::<Vec<_>>()).await?;
        let mut live = None;
        // Latest first: an earlier release with the same content is not the live one.
        let mut candidates: Vec<&ReleaseManifest> = self.manifests.values().collect();
        candidates.sort_by_key(|manifest| std::cmp::Reverse(manifest.created));
        for manifest in candidates {
            if is_in_place(target, manifest, &present, &etags).await? {
                live = Some(manifest);
                break;
            }
        }
        let whole = live.is_some();
        // The objects in place were compared. Their tags may have been in the lost record.
        for object in live.iter().flat_map(|live| &live.objects) {
            record_tag(&mut etags, object, present.get(&object.key).and_then(|there| there.etag.clone()));
        }
        let named = self.last.as_ref().and_then(RunRecord::live).and_then(|name| self.manifests.get(name));
        let live = live.or(named);
        let after = |manifest: &&ReleaseManifest| live.is_none_or(|live| manifest.created > live.created);
        let unfinished: Vec<ReleaseManifest> =
            if whole { Vec::new() } else { self.manifests.values().filter(after).cloned().collect() };
        let state = State {
            read: Some(target.machine().moment()),
            last: Some(self.record(target, live, &unfinished, etags)),
            live: live.cloned(),
            unfinished,
            ..State::default()
        };
        Ok(InferredState { reason: reason(&state, whole), state })
    }

    /// Returns the record that describes the inferred state.
    fn record(
        &self,
        target: &PublishTarget,
        live: Option<&ReleaseManifest>,
        unfinished: &[ReleaseManifest],
        etags: BTreeMap<String, Tagged>,
    ) -> RunRecord {
        let capabilities = match &self.last {
            Some(last) if last.capabilities.endpoint == target.capabilities().endpoint => {
                last.capabilities.clone()
            }
            // They are probed when the lease is acquired.
            _ => Capabilities { endpoint: String::new(), create: false, replace: TagForm::Ignored },
        };
        RunRecord {
            schema_version: RUN.version,
            number: self.latest.unwrap_or(0),
            id: target.machine().random_id(),
            stage: Stage::Released,
            release: None,
            previous: live.map(|live| live.release.clone()),
            unfinished: unfinished.iter().map(|manifest| manifest.release.clone()).collect(),
            unswitched: Vec::new(),
            started: target.machine().now(),
            lease: 0,
            pending: self.last.as_ref().map_or_else(Pending::default, |last| last.pending.clone()),
            capabilities,
            etags,
        }
    }
}

fn reason(state: &State, whole: bool) -> String {
    match (&state.live, whole) {
        (Some(live), true) => {
            let objects = count(live.objects.len(), "object");
            format!("{} is live: all of its {objects} are in place", live.release)
        }
        (Some(live), false) if state.unfinished.is_empty() => format!(
            "the record says that {} is live, but not all of it is in place; publish again with --overwrite-drift and \
             --adopt, which replace what is there",
            live.release
        ),
        (Some(live), false) => format!(
            "no release is completely in place, so a switch from {} was probably interrupted; publish again, or roll back",
            live.release
        ),
        (None, _) => {
            "the live release is unknown; publish again with --adopt, which replaces what is there".to_owned()
        }
    }
}

/// Whether all objects of a release are at their keys. If entity tags do not prove it, the objects are read.
async fn is_in_place(
    target: &PublishTarget,
    manifest: &ReleaseManifest,
    present: &BTreeMap<String, StoredObject>,
    etags: &BTreeMap<String, Tagged>,
) -> Result<bool, Failure> {
    let mut unsure = Vec::new();
    for object in &manifest.objects {
        let Some(there) = present.get(&object.key) else { return Ok(false) };
        match content_matches(there, object, etags) {
            Some(true) => {}
            // Stores that encrypt have tags that are not digests.
            _ if there.sha256.is_none() && there.size == object.size => unsure.push(object),
            _ => return Ok(false),
        }
    }
    let reads =
        unsure.into_iter().map(|object| target.store().has_content(&object.key, object.size, &object.sha256));
    let reads = futures_util::stream::iter(reads).buffer_unordered(target.jobs());
    Ok(reads.try_all(std::future::ready).await?)
}
