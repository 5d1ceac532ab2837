//! What a target remembers: who published what when, which releases it keeps, and whether a publisher is at work.
//!
//! Each run writes one record, `.sitegate/runs/NUMBER.json`, and the highest number is the present state.
//! A run begins by creating the record after the highest one, on the condition that it does not exist yet:
//! of all publishers at once one succeeds, and that record is its lock. Only its owner ever writes it again, and each
//! time it does, the lease begins anew.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hasher};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::failure::{Exit, Failure};
use crate::memory::pending::Pending;
use crate::release::manifest::ReleaseManifest;
use crate::target::moment::Moment;
use crate::target::{Condition, PublishTarget, PutError};
use sitegate_hosting::headers::STATE;

/// Added to a lease before it counts as over: stores tell the time in whole seconds, and their machines agree on it
/// about as well.
const GRACE: Duration = Duration::from_secs(2);

/// The version of a run record's shape.
pub const SCHEMA_VERSION: u32 = 1;

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Under way, or killed.
    Publishing,
    /// Its release is live. Until its lease ends it may still be at work on what follows.
    Live,
    /// Given up before anything that visitors see was changed, or freed by `unlock`.
    Released,
}

/// What a store was found to guarantee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promises {
    /// The store that was asked.
    pub endpoint: String,
    /// Whether of many that create one object at once only one succeeds.
    pub create: bool,
    /// Whether an object can be replaced only while its entity tag is unchanged, and how that tag is sent.
    pub replace: TagForm,
}

/// How an entity tag is to be sent in a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TagForm {
    /// In quotes, as HTTP has it.
    Quoted,
    /// Bare, as some stores need it.
    Bare,
    /// The store ignores such conditions.
    Ignored,
}

/// One run's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The version of this shape.
    pub schema_version: u32,
    /// Its number, one more than the run before it.
    pub number: u64,
    /// A random name, by which a run knows its own record.
    pub id: String,
    /// How far it has come.
    pub stage: Stage,
    /// The release that it makes live; none for `unlock`.
    pub release: Option<String>,
    /// The release that was live before it.
    pub previous: Option<String>,
    /// Releases whose switch was begun and never ended.
    pub unfinished: Vec<String>,
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// How many seconds after this record was written, by the store's clock, others may take the target over. A run
    /// that ended has none.
    #[serde(default)]
    pub lease: u64,
    /// What is still to be done for the release that is live.
    #[serde(default, skip_serializing_if = "Pending::is_empty")]
    pub pending: Pending,
    /// What the store guarantees.
    pub promises: Promises,
    /// Entity tags that are not the MD5 of what was written, by key.
    pub etags: BTreeMap<String, Tagged>,
}

/// What a store made of a content that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tagged {
    /// The entity tag that it gave.
    pub etag: String,
    /// SHA-256 of the content, in hexadecimal.
    pub sha256: String,
}

/// All that a target remembers.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The latest run.
    pub last: Option<RunRecord>,
    /// The entity tag that its record had when it was read.
    pub record: Option<String>,
    /// When it was read.
    pub(crate) read: Option<Moment>,
    /// Whether that run was at work then. It is settled at that moment: a publisher that ends later has changed
    /// what a plan made from this state counts on.
    pub held: bool,
    /// How long its lease lasts from then on; none where it is over, or the store does not tell the time.
    pub left: Option<Duration>,
    /// The live release.
    pub live: Option<ReleaseManifest>,
    /// Releases whose switch was begun and never ended.
    pub unfinished: Vec<ReleaseManifest>,
    /// The numbers of all runs.
    pub runs: BTreeSet<u64>,
    /// The names of all releases.
    pub releases: BTreeSet<String>,
    /// The digests of the contents that are kept.
    pub kept: BTreeSet<String>,
}

impl State {
    /// Reads a target's memory. `keys` are those below [`STATE`].
    ///
    /// # Errors
    /// When the store does not answer, or its memory was damaged.
    pub(crate) async fn read(
        target: &PublishTarget,
        keys: impl Iterator<Item = &str>,
    ) -> Result<State, Failure> {
        let mut state = State { read: Some(Moment::now()), ..State::default() };
        for key in keys {
            let Some(name) = key.strip_prefix(STATE) else { continue };
            if let Some(number) = run_number(key) {
                state.runs.insert(number);
            } else if let Some(release) = name.strip_prefix("releases/") {
                state.releases.extend(release.strip_suffix(".json").map(str::to_owned));
            } else if let Some(digest) = name.strip_prefix("kept/") {
                state.kept.insert(digest.to_owned());
            }
        }
        let Some(&number) = state.runs.last() else { return Ok(state) };
        match state.read_latest(target, number).await {
            Ok(()) => Ok(state),
            Err(failure) => Err(overtaken_or(failure, target, number).await),
        }
    }

    /// Reads the latest run's record, and the manifests that it names.
    async fn read_latest(&mut self, target: &PublishTarget, number: u64) -> Result<(), Failure> {
        let key = run_key(number);
        let found = target.get_tagged(&key).await?.ok_or_else(|| damaged(target, &key))?;
        let last: Option<RunRecord> = serde_json::from_slice(&found.body).ok();
        let last = last.filter(|last| last.number == number).ok_or_else(|| damaged(target, &key))?;
        self.record = found.tag;
        if last.lease > 0 {
            let lease = Duration::from_secs(last.lease).saturating_add(GRACE);
            let age = target.age(&key).await?;
            self.left = age.and_then(|age| lease.checked_sub(age));
            // Where the store tells no time, only who waits for a lease knows whether the publisher lives.
            self.held = age.is_none() || self.left.is_some();
        }
        let live = match last.stage {
            Stage::Live => &last.release,
            Stage::Publishing | Stage::Released => &last.previous,
        };
        if let Some(live) = live {
            self.live =
                Some(manifest(target, live).await?.ok_or_else(|| damaged(target, &release_key(live)))?);
        }
        for release in unfinished(&last) {
            // A run that was killed early may not have written its manifest yet; then it changed nothing.
            self.unfinished.extend(manifest(target, &release).await?);
        }
        self.last = Some(last);
        Ok(())
    }

    /// What was found in a picture of the target that began with this state; a failure is only told where no other
    /// publisher changed the target while it was looked at.
    ///
    /// # Errors
    /// What was found, or [`Exit::Held`].
    pub(crate) async fn unless_overtaken<T>(
        &self,
        target: &PublishTarget,
        found: Result<T, Failure>,
    ) -> Result<T, Failure> {
        match (found, self.holder()) {
            (Ok(found), _) => Ok(found),
            // What its publisher has not written yet is not there.
            (Err(failure), Some(run)) if failure.exit == Exit::Guard => Err(held(run, self.left)),
            (Err(failure), _) => Err(overtaken_or(failure, target, self.number()).await),
        }
    }

    /// Whether another publisher has begun since.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn is_overtaken(&self, target: &PublishTarget) -> Result<bool, Failure> {
        Ok(target.head(&run_key(self.number().saturating_add(1))).await?.is_some())
    }

    /// The number of the latest run; 0 where there was none.
    fn number(&self) -> u64 {
        self.runs.last().copied().or(self.last.as_ref().map(|last| last.number)).unwrap_or(0)
    }

    /// The time that a release made now gets, in seconds since 1970: later than that of the live one, so that no
    /// two have one name.
    pub(crate) fn moment(&self) -> u64 {
        now().max(self.live.as_ref().map_or(0, |live| live.created.saturating_add(1)))
    }

    /// The latest run, if it was under way when its record was read, and not known to be dead.
    pub fn holder(&self) -> Option<&RunRecord> {
        if self.held { self.last.as_ref() } else { None }
    }

    /// What was asked for after the live release went live, and has not succeeded yet.
    pub fn pending(&self) -> Pending {
        self.last.as_ref().map_or_else(Pending::default, |last| last.pending.clone())
    }

    /// What the store was found to guarantee, if this store was asked before.
    pub(crate) fn promises(&self, target: &PublishTarget) -> Option<Promises> {
        let promises = &self.last.as_ref()?.promises;
        (promises.endpoint == target.endpoint).then(|| promises.clone())
    }
}

/// The releases that a run leaves half done if it ends here.
pub(crate) fn unfinished(run: &RunRecord) -> Vec<String> {
    let mut all = run.unfinished.clone();
    match run.stage {
        Stage::Live => Vec::new(),
        Stage::Publishing => {
            all.extend(run.release.clone());
            all.dedup();
            all
        }
        Stage::Released => all,
    }
}

/// Why a look at a target stops: by what it found, unless another publisher has begun since its latest run was the one
/// of this number. Then it saw parts of two moments, and what it found says nothing.
pub(crate) async fn overtaken_or(stopped: Failure, target: &PublishTarget, number: u64) -> Failure {
    if !matches!(stopped.exit, Exit::Guard | Exit::Usage) {
        return stopped;
    }
    let next = number.saturating_add(1);
    match target.head(&run_key(next)).await {
        Ok(Some(_)) => faster(target, next).await,
        _ => stopped,
    }
}

/// Says who was faster.
pub(crate) async fn faster(target: &PublishTarget, number: u64) -> Failure {
    let text = target.get(&run_key(number)).await.ok().flatten();
    match text.and_then(|text| serde_json::from_slice::<RunRecord>(&text).ok()) {
        Some(run) if run.lease > 0 => held(&run, None),
        _ => Failure::new(Exit::Held, "another publisher changed the target while it was looked at")
            .help("run the command again"),
    }
}

/// Says who is at work.
pub(crate) fn held(run: &RunRecord, left: Option<Duration>) -> Failure {
    let work = match (&run.release, run.stage) {
        (None, _) => "is not done".to_owned(),
        (Some(release), Stage::Live) => format!("sees to what follows {release}, which is live"),
        (Some(release), _) => format!("publishes {release}"),
    };
    let left = left.unwrap_or(Duration::from_secs(run.lease)).as_secs();
    let message = format!("another publisher is at work: run {} {work}", run.number);
    Failure::new(Exit::Held, message).help(format!(
        "wait for it; if it died, the target is free in {left} s, or at once with `sitegate unlock`"
    ))
}

fn damaged(target: &PublishTarget, key: &str) -> Failure {
    Failure::new(Exit::Usage, format!("{key} is missing or damaged"))
        .help(format!("`sitegate repair {}` says what is in place and what would mend it", target.url))
}

/// Reads a release's manifest.
///
/// # Errors
/// When the store does not answer, or the manifest is damaged.
pub(crate) async fn manifest(
    target: &PublishTarget,
    release: &str,
) -> Result<Option<ReleaseManifest>, Failure> {
    read(target, &release_key(release)).await
}

async fn read<T: DeserializeOwned>(target: &PublishTarget, key: &str) -> Result<Option<T>, Failure> {
    match target.get(key).await? {
        None => Ok(None),
        Some(text) => serde_json::from_slice(&text).map(Some).map_err(|_| damaged(target, key)),
    }
}

/// Writes a JSON document, and gives its tag.
///
/// # Errors
/// [`PutError::Conflict`] when the condition did not hold.
pub(crate) async fn write<T: Serialize>(
    target: &PublishTarget,
    key: &str,
    value: &T,
    condition: Condition,
) -> Result<Option<String>, PutError> {
    let text = serde_json::to_vec(value)
        .map_err(|error| PutError::Other(Failure::new(Exit::Failed, error.to_string())))?;
    let headers = [("content-type", "application/json"), ("cache-control", "no-store")];
    let headers = headers.map(|(name, field)| (name.to_owned(), field.to_owned())).into();
    // Nothing is remembered before it is durable.
    target.flush().await.map_err(PutError::Other)?;
    let tag = target.put(key, Bytes::from(text), &headers, condition).await?;
    target.flush().await.map_err(PutError::Other)?;
    Ok(tag)
}

/// The key of a run's record.
pub(crate) fn run_key(number: u64) -> String {
    format!("{STATE}runs/{number:010}.json")
}

/// The number of the run whose record a key is. What is not written as [`run_key`] does is nobody's record.
pub(crate) fn run_number(key: &str) -> Option<u64> {
    let name = key.strip_prefix(STATE)?.strip_prefix("runs/")?.strip_suffix(".json")?;
    name.parse().ok().filter(|&number| run_key(number) == key)
}

/// The key of a release's manifest.
pub(crate) fn release_key(release: &str) -> String {
    format!("{STATE}releases/{release}.json")
}

/// The key under which replaced content is kept for a rollback.
pub(crate) fn kept_key(sha256: &str) -> String {
    format!("{STATE}kept/{sha256}")
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
}

/// A random name of 32 hexadecimal digits.
pub(crate) fn random_id() -> String {
    let word = || std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", word(), word() ^ now().rotate_left(32))
}
