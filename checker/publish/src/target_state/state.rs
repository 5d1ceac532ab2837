//! The state of a target: the history of runs, the releases that it keeps, and the lease.
//!
//! Each run writes one record, `.sitegate/runs/NUMBER.json`. The record with the highest number is the current
//! state. A run begins by creating the next record on the condition that it does not exist. Of several
//! concurrent publishers one succeeds, and that record is its lock. Only its owner writes it again, and each
//! write renews the lease. Stores without such conditions: see `target_state::conditional_writes`.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sitegate_address::SitePath;
use sitegate_base::artifact::{ArtifactRefusal, RUN};
use sitegate_host::headers::STATE;

use crate::failure::{Failure, FailureKind};
use crate::machine::{Machine, Moment, ThisMachine};
use crate::release::manifest::{Object, ReleaseManifest};
use crate::store::{Condition, Content, MAX_DOCUMENT, StoreError, StoredObject, TagForm};
use crate::target::PublishTarget;
use crate::target_state::pending::Pending;

/// Added to a lease before it counts as expired: stores report time in whole seconds, and their clocks differ
/// by about as much.
const GRACE: Duration = Duration::from_secs(2);

/// The stage of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// In progress, or killed.
    Publishing,
    /// Its release is live. Until the lease ends, post-publish steps may still run.
    Live,
    /// Ended before any visible change, or ended by `unlock`.
    Released,
}

/// The conditional writes that a store supports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capabilities {
    /// The store that was probed.
    pub endpoint: String,
    /// Whether only one of several concurrent writers succeeds in creating an object.
    pub create: bool,
    /// Whether an object can be replaced only if its entity tag is unchanged, and how to send the tag.
    pub replace: TagForm,
}

/// The record of one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The version of the format.
    pub schema_version: u32,
    /// Its number, one more than the run before it.
    pub number: u64,
    /// A random ID, by which a run recognizes its own record.
    pub id: String,
    /// The stage that the run reached.
    pub stage: Stage,
    /// The release that it publishes; none for `unlock`.
    pub release: Option<String>,
    /// The release that was live before it.
    pub previous: Option<String>,
    /// Releases whose switch began and did not end.
    pub unfinished: Vec<String>,
    /// Those of them that ended before any visible change. Older programs count them as interrupted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unswitched: Vec<String>,
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// Seconds after which others may take over, counted from the last write of this record by the store's
    /// clock. A run that ended has none.
    #[serde(default)]
    pub lease: u64,
    /// The post-publish steps that remain for the live release.
    #[serde(default, skip_serializing_if = "Pending::is_default")]
    pub pending: Pending,
    /// The conditional writes that the store supports.
    #[serde(rename = "promises")]
    pub capabilities: Capabilities,
    /// Entity tags that are not the MD5 of what was written, by key.
    pub etags: BTreeMap<String, Tagged>,
}

impl RunRecord {
    /// Returns the release that is live: that of this run, or the one before if its switch did not end.
    pub(crate) fn live(&self) -> Option<&String> {
        match self.stage {
            Stage::Live => self.release.as_ref(),
            Stage::Publishing | Stage::Released => self.previous.as_ref(),
        }
    }

    /// Returns the releases that remain unfinished if this run ends now.
    pub(crate) fn unfinished(&self) -> Vec<String> {
        let mut all = self.unfinished.clone();
        match self.stage {
            Stage::Live => all.clear(),
            Stage::Publishing => {
                all.extend(self.release.clone());
                all.dedup();
            }
            Stage::Released => {}
        }
        all
    }

    /// Ends the run of a release before any visible change.
    pub(crate) fn end_before_switch(&mut self) {
        if self.stage == Stage::Publishing {
            self.unswitched.extend(self.release.clone());
        }
        self.end_unpublished();
    }

    /// Ends the run, unless its release is live.
    pub(crate) fn end_unpublished(&mut self) {
        if self.stage == Stage::Publishing {
            self.unfinished = self.unfinished();
            self.stage = Stage::Released;
        }
    }
}

/// The entity tag of a written content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tagged {
    /// The entity tag that the store assigned.
    pub etag: String,
    /// SHA-256 of the content, in hexadecimal.
    pub sha256: String,
}

/// Records the tag of an object that is at its key. Tags that follow from the content are left out.
pub(crate) fn record_tag(etags: &mut BTreeMap<String, Tagged>, object: &Object, tag: Option<String>) {
    match tag.filter(|tag| *tag != object.md5) {
        Some(etag) => {
            let tagged = Tagged { etag, sha256: object.sha256.clone() };
            drop(etags.insert(object.key.clone(), tagged));
        }
        None => drop(etags.remove(&object.key)),
    }
}

/// The complete state of a target.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The latest run.
    pub last: Option<RunRecord>,
    /// The entity tag of its record when it was read.
    pub record: Option<String>,
    /// When it was read.
    pub(crate) read: Option<Moment>,
    /// Whether that run was at work at that moment. If it ends later, plans made from this state are outdated.
    pub held: bool,
    /// The remaining lease at that moment; none if it is over, or the store reports no time.
    pub remaining: Option<Duration>,
    /// The live release.
    pub live: Option<ReleaseManifest>,
    /// Releases whose switch began and did not end.
    pub unfinished: Vec<ReleaseManifest>,
    /// The numbers of all runs.
    pub runs: BTreeSet<u64>,
    /// The names of all releases.
    pub releases: BTreeSet<String>,
    /// The sizes of all backups, by digest.
    pub backups: BTreeMap<String, u64>,
}

impl State {
    /// Reads the state of a target. `objects` are those below [`STATE`], and maybe others.
    ///
    /// # Errors
    /// When the store does not answer, or the state is damaged, or a newer version wrote it.
    pub(crate) async fn read(
        target: &PublishTarget,
        objects: &BTreeMap<String, StoredObject>,
    ) -> Result<State, Failure> {
        let read = Some(target.machine().moment());
        let mut state = State { read, ..State::from_listing(target, objects)? };
        let Some(&number) = state.runs.last() else { return Ok(state) };
        match state.read_latest(target, number).await {
            Ok(()) => Ok(state),
            Err(failure) => Err(overtaken_or(failure, target, number).await),
        }
    }

    /// Returns the names that a listing shows: those of runs, releases and backups.
    fn from_listing(
        target: &PublishTarget,
        objects: &BTreeMap<String, StoredObject>,
    ) -> Result<State, Failure> {
        let mut state = State::default();
        for (key, object) in objects {
            let Some(name) = key.strip_prefix(STATE) else { continue };
            if !is_ours(key) {
                if !target.capabilities().has_flat_keys && !name.contains('/') {
                    return Err(in_the_way(target, key, "a file where sitegate needs a folder"));
                }
            } else if let Some(number) = run_number(key) {
                state.runs.insert(number);
            } else if let Some(release) = name.strip_prefix("releases/") {
                state.releases.extend(release.strip_suffix(".json").map(str::to_owned));
            } else if let Some(digest) = name.strip_prefix("kept/") {
                state.backups.insert(digest.to_owned(), object.size);
            }
        }
        Ok(state)
    }

    /// Reads the latest run's record, and the manifests that it names.
    async fn read_latest(&mut self, target: &PublishTarget, number: u64) -> Result<(), Failure> {
        let key = run_key(number);
        let StateDocument::Intact(last, tag) = read_record(target, number).await? else {
            return Err(damaged(target, &key));
        };
        self.record = tag;
        if last.lease > 0 {
            let lease = Duration::from_secs(last.lease).saturating_add(GRACE);
            let age = target.head(&key).await?.and_then(|record| record.age);
            self.remaining = age.and_then(|age| lease.checked_sub(age));
            // If the store reports no time, only waiting for a whole lease shows whether the publisher is
            // alive.
            self.held = age.is_none() || self.remaining.is_some();
        }
        if let Some(live) = last.live() {
            self.live =
                Some(read_manifest(target, live).await?.ok_or_else(|| damaged(target, &release_key(live)))?);
        }
        for release in last.unfinished() {
            // A run that was killed early may not have written its manifest. Then it changed nothing.
            self.unfinished.extend(read_manifest(target, &release).await?);
        }
        self.last = Some(last);
        Ok(())
    }

    /// Returns a result that was read after this state. A failure is reported only if no other publisher
    /// changed the target in between.
    ///
    /// # Errors
    /// The failure, or [`FailureKind::Held`].
    pub(crate) async fn unless_overtaken<T>(
        &self,
        target: &PublishTarget,
        found: Result<T, Failure>,
    ) -> Result<T, Failure> {
        match (found, self.holder()) {
            (Ok(found), _) => Ok(found),
            // The publisher at work has not written it yet.
            (Err(failure), Some(run)) if failure.kind == FailureKind::Guard => Err(held(run, self.remaining)),
            (Err(failure), _) => Err(overtaken_or(failure, target, self.number()).await),
        }
    }

    /// Whether the target has a backup of an object's content, by its name and size.
    pub(crate) fn is_backed_up(&self, object: &Object) -> bool {
        self.backups.get(&object.sha256) == Some(&object.size)
    }

    /// Whether a listing still shows the same runs, releases and backups. If not, another publisher was at work during the
    /// read, and the state may be a mix of two moments.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn is_current(&self, target: &PublishTarget) -> Result<bool, Failure> {
        let State { runs, releases, backups, .. } = State::from_listing(target, &target.list(STATE).await?)?;
        Ok(runs == self.runs && releases == self.releases && backups == self.backups)
    }

    /// Returns the number of the latest run; 0 if there was none.
    fn number(&self) -> u64 {
        self.runs.last().copied().or(self.last.as_ref().map(|last| last.number)).unwrap_or(0)
    }

    /// Returns the creation time of a new release, in seconds since 1970. It is later than that of the live
    /// release, so that names are unique.
    pub(crate) fn next_release_time(&self, now: u64) -> u64 {
        now.max(self.live.as_ref().map_or(0, |live| live.created.saturating_add(1)))
    }

    /// Returns the latest run if it was in progress when its record was read, and is not known to be dead.
    pub fn holder(&self) -> Option<&RunRecord> {
        if self.held { self.last.as_ref() } else { None }
    }

    /// Returns the unfinished releases of which some files may be live.
    pub fn interrupted(&self) -> impl Iterator<Item = &ReleaseManifest> {
        self.unfinished.iter().filter(|manifest| !self.is_unswitched(manifest))
    }

    /// Whether the run of an unfinished release ended before any visible change.
    pub fn is_unswitched(&self, unfinished: &ReleaseManifest) -> bool {
        self.last.as_ref().is_some_and(|last| last.unswitched.contains(&unfinished.release))
    }

    /// Returns the post-publish steps that have not succeeded yet.
    pub fn pending(&self) -> Pending {
        self.last.as_ref().map_or_else(Pending::default, |last| last.pending.clone())
    }

    /// Returns the conditional writes that the store supports, if this store was probed before.
    pub(crate) fn capabilities(&self, target: &PublishTarget) -> Option<Capabilities> {
        let capabilities = &self.last.as_ref()?.capabilities;
        (capabilities.endpoint == target.capabilities().endpoint).then(|| capabilities.clone())
    }
}

/// Returns the numbers of all runs whose records exist now.
///
/// # Errors
/// When the store does not answer.
pub(crate) async fn runs(target: &PublishTarget) -> Result<BTreeSet<u64>, Failure> {
    let records = target.list(&format!("{STATE}runs/")).await?;
    Ok(records.keys().filter_map(|key| run_number(key)).collect())
}

/// Replaces a failure if another publisher has begun since run `number`: the failure may come from a mix of two
/// moments.
pub(crate) async fn overtaken_or(stopped: Failure, target: &PublishTarget, number: u64) -> Failure {
    if !matches!(stopped.kind, FailureKind::Guard | FailureKind::Usage) {
        return stopped;
    }
    let latest = runs(target).await.ok().and_then(|mut runs| runs.pop_last());
    match latest.filter(|latest| *latest > number) {
        Some(later) => overtaken_by(target, later).await,
        None => stopped,
    }
}

/// Reports the publisher that was faster.
pub(crate) async fn overtaken_by(target: &PublishTarget, number: u64) -> Failure {
    let key = run_key(number);
    let folders = target.store().folders(&format!("{STATE}runs/")).await;
    if folders.is_ok_and(|folders| folders.contains(&key)) {
        return in_the_way(target, &key, "a folder where sitegate needs a file");
    }
    match read_record(target, number).await {
        Ok(StateDocument::Intact(run, _)) if run.lease > 0 => held(&run, None),
        _ => Failure::new(FailureKind::Held, "another publisher changed the target while it was being read")
            .help("run the command again"),
    }
}

/// Reports the publisher at work.
pub(crate) fn held(run: &RunRecord, remaining: Option<Duration>) -> Failure {
    let work = match (&run.release, run.stage) {
        (None, _) => "is maintenance".to_owned(),
        (Some(release), Stage::Live) => format!("completes the steps after {release}, which is live"),
        (Some(release), _) => format!("publishes {release}"),
    };
    let remaining = remaining.unwrap_or(Duration::from_secs(run.lease)).as_secs();
    let message = format!("another publisher is at work: run {} {work}", run.number);
    Failure::new(FailureKind::Held, message).help(format!(
        "wait for it; if it died, the target is free in {remaining} s, or now with `sitegate target unlock`"
    ))
}

fn damaged(target: &PublishTarget, key: &str) -> Failure {
    Failure::new(FailureKind::Usage, format!("{key} is missing or damaged")).help(format!(
        "run `sitegate target repair {}`, which reports the damage and how to fix it",
        target.url_word()
    ))
}

fn in_the_way(target: &PublishTarget, key: &str, what: &str) -> Failure {
    Failure::new(FailureKind::Usage, format!("{key} is {what}"))
        .help(format!("run `sitegate target repair {} --apply`, which moves it aside", target.url_word()))
}

/// A document of the target state, as read.
pub(crate) enum StateDocument<T> {
    /// It does not exist.
    Missing,
    /// It is no such document.
    Damaged,
    /// Its content and entity tag.
    Intact(T, Option<String>),
}

/// Reads the record of a run.
///
/// # Errors
/// When the store does not answer, or a newer version wrote the record.
pub(crate) async fn read_record(
    target: &PublishTarget,
    number: u64,
) -> Result<StateDocument<RunRecord>, Failure> {
    Ok(match read_document(target, &run_key(number)).await? {
        StateDocument::Intact(RunRecord { number: found, .. }, _) if found != number => {
            StateDocument::Damaged
        }
        document => document,
    })
}

/// Reads a release's manifest.
///
/// # Errors
/// When the store does not answer, or the manifest is damaged, or a newer version wrote it.
pub(crate) async fn read_manifest(
    target: &PublishTarget,
    release: &str,
) -> Result<Option<ReleaseManifest>, Failure> {
    let key = release_key(release);
    match read_document(target, &key).await? {
        StateDocument::Missing => Ok(None),
        StateDocument::Damaged => Err(damaged(target, &key)),
        StateDocument::Intact(manifest, _) => Ok(Some(manifest)),
    }
}

/// Reads a JSON document of the target state.
///
/// # Errors
/// When the store does not answer, or a newer version wrote the document.
pub(crate) async fn read_document<T: DeserializeOwned>(
    target: &PublishTarget,
    key: &str,
) -> Result<StateDocument<T>, Failure> {
    let found = match target.get_tagged(key, MAX_DOCUMENT).await {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(StateDocument::Missing),
        // It is too large.
        Err(failure) if failure.kind == FailureKind::Usage => return Ok(StateDocument::Damaged),
        Err(failure) => return Err(failure),
    };
    // No program writes a version above 32 bits: such a record is damaged, and `target repair` helps.
    if let Err(refusal @ ArtifactRefusal::Version(_, version)) = RUN.check_json(&found.body)
        && u32::try_from(version).is_ok()
    {
        let message = format!("{key} was written by a newer sitegate: {refusal}");
        return Err(Failure::new(FailureKind::Usage, message).help("nothing was changed"));
    }
    let read = serde_json::from_slice(&found.body);
    Ok(read.map_or(StateDocument::Damaged, |document| StateDocument::Intact(document, found.tag)))
}

/// Writes a JSON document, and returns its entity tag.
///
/// # Errors
/// [`StoreError::Changed`] when the condition did not hold.
pub(crate) async fn write_json<T: Serialize>(
    target: &PublishTarget,
    key: &str,
    value: &T,
    condition: Condition,
) -> Result<Option<String>, StoreError> {
    let text =
        serde_json::to_vec(value).map_err(|error| Failure::new(FailureKind::Failed, error.to_string()))?;
    if text.len() as u64 > MAX_DOCUMENT {
        let message = format!("{key} would have {} bytes; the maximum is {MAX_DOCUMENT}", text.len());
        let failure = Failure::new(FailureKind::Usage, message);
        return Err(failure.help("publish fewer files to this target, and the rest to another one").into());
    }
    let headers = [("content-type", "application/json"), ("cache-control", "no-store")];
    let headers = headers.map(|(name, field)| (name.to_owned(), field.to_owned())).into();
    let tag = target.store().put(key, &Content::Bytes(text.into()), &headers, &condition).await?;
    target.flush().await?;
    Ok(tag)
}

/// Returns the current time in seconds since 1970.
pub fn now() -> u64 {
    ThisMachine::default().now()
}

/// The folders of the target state whose names have a fixed form.
const FOLDERS: [&str; 3] = ["runs", "releases", "kept"];

/// Numbers of runs are below this. A record with a higher number is not ours.
const MAX_RUN: u64 = 9_000_000_000;

/// Returns the key of a run's record.
pub(crate) fn run_key(number: u64) -> String {
    format!("{STATE}runs/{number:010}.json")
}

/// Parses the number of a run from the key of its record. Only keys in the form of [`run_key`] count.
pub(crate) fn run_number(key: &str) -> Option<u64> {
    let name = key.strip_prefix(STATE)?.strip_prefix("runs/")?.strip_suffix(".json")?;
    name.parse().ok().filter(|&number| (1..MAX_RUN).contains(&number) && run_key(number) == key)
}

/// Returns the key of a release's manifest.
pub(crate) fn release_key(release: &str) -> String {
    format!("{STATE}releases/{release}.json")
}

/// Returns the key of the backup of a replaced content.
pub(crate) fn backup_key(sha256: &str) -> String {
    format!("{STATE}kept/{sha256}")
}

/// Whether sitegate may have written a key below [`STATE`].
pub(crate) fn is_ours(key: &str) -> bool {
    let name = key.strip_prefix(STATE).unwrap_or_default();
    match name.split_once('/') {
        Some(("runs", _)) => run_number(key).is_some(),
        Some(("releases", file)) => file.strip_suffix(".json").is_some_and(is_release),
        Some(("kept", digest)) => digest.len() == 64 && is_hex(digest),
        Some(_) => true,
        None => !FOLDERS.contains(&name),
    }
}

/// Whether a name has the form of a release: `20240911-143000-0a1b2c3d`.
fn is_release(name: &str) -> bool {
    let parts: Vec<&str> = name.split('-').collect();
    matches!(parts[..], [day, time, digest] if day.len() >= 8 && time.len() == 6 && digest.len() == 8
        && is_hex(digest) && format!("{day}{time}").bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A foreign object, and the key to move it to.
#[derive(Debug)]
pub(crate) struct ForeignObject {
    /// Its key.
    pub key: String,
    /// A free key below `.sitegate/aside/`.
    pub aside: String,
}

/// Returns the foreign objects, sorted. In a folder, this includes folders with the name of a file.
///
/// # Errors
/// When the store does not answer.
pub(crate) async fn find_foreign(
    target: &PublishTarget,
    state_objects: &BTreeMap<String, StoredObject>,
) -> Result<Vec<ForeignObject>, Failure> {
    let mut folders = BTreeSet::new();
    for folder in FOLDERS {
        folders.extend(target.store().folders(&format!("{STATE}{folder}/")).await?);
    }
    let moved_folders = target.store().folders(&format!("{STATE}aside/")).await?;
    let in_folder = |key: &str| SitePath::new(key).ancestors().any(|folder| folders.contains(folder));
    let files = state_objects.keys().filter(|key| !is_ours(key) && !in_folder(key));
    let keys: BTreeSet<&String> = files.chain(&folders).collect();
    let mut taken = BTreeSet::new();
    let found = keys.into_iter().map(|key| {
        let name = key.strip_prefix(STATE).unwrap_or(key).replace('/', "-");
        let mut aside = format!("{STATE}aside/{name}");
        let is_there = state_objects.contains_key(&aside) || moved_folders.contains(&aside);
        if is_there || !taken.insert(aside.clone()) {
            aside = format!("{aside}-{}", target.machine().random_id());
        }
        ForeignObject { key: key.clone(), aside }
    });
    Ok(found.collect())
}

/// Moves a foreign object aside. No publisher reads or writes it, so this needs no lease.
///
/// # Errors
/// When the store or the file system refuses.
pub(crate) async fn move_aside(target: &PublishTarget, object: &ForeignObject) -> Result<(), Failure> {
    Ok(target.store().move_aside(&object.key, &object.aside).await?)
}

#[cfg(test)]
mod tests {
    use super::is_ours;

    #[test]
    fn recognizes_only_names_that_sitegate_writes() {
        let digest = "0a".repeat(32);
        for name in [
            "runs/0000000001.json",
            "runs/8999999999.json",
            "releases/20240911-143000-0a1b2c3d.json",
            &format!("kept/{digest}"),
            "probe/x",
            "lock",
        ] {
            assert!(is_ours(&format!(".sitegate/{name}")), "{name}");
        }
        for name in [
            "runs/18446744073709551615.json",
            "runs/9999999999.json",
            "runs/9000000000.json",
            "runs/0000000000.json",
            "runs/00000000001.json",
            "runs/1.json",
            "runs/-000000001.json",
            "runs/+000000001.json",
            "runs/.json",
            "runs/0000000001.JSON",
            "runs/0000000001.json/x",
            "runs/0000000001 .json",
            "runs/٠٠٠٠٠٠٠٠٠١.json",
            "releases/README.json",
            "releases/20240911-143000-0A1B2C3D.json",
            "releases/20240911-143000-0a1b2c3d",
            &format!("kept/{}", digest.to_uppercase()),
            "kept/notes.txt",
            "runs",
        ] {
            assert!(!is_ours(&format!(".sitegate/{name}")), "{name}");
        }
    }
}
