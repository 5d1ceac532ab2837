//! Reads a target: its state, and what is at its keys.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt};

use crate::failure::{Failure, FailureKind};
use crate::release::manifest::{Object, ReleaseManifest};
use crate::target::{ListingRoom, PublishTarget, StoredObject};
use crate::target_state::state::{State, run_key};
use sitegate_host::headers::STATE;

/// Maximum number of attempts to read a bucket while others change it.
const MAX_ATTEMPTS: usize = 20;

/// Number of objects in one page of a listing.
const PAGE: usize = 1_000;

/// Maximum number of concurrent requests for pages of a listing, which are read into memory.
const MAX_LISTINGS: usize = 32;

/// A target as read at one moment.
#[derive(Debug)]
pub struct Snapshot {
    /// The target state.
    pub state: State,
    /// The objects, by key.
    pub present: HashMap<String, StoredObject>,
}

impl Snapshot {
    /// Reads what is at the keys of further objects. The snapshot of a bucket is already complete.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn inspect(
        &self,
        target: &PublishTarget,
        objects: &[&Object],
    ) -> Result<HashMap<String, StoredObject>, Failure> {
        if target.folder().is_none() {
            return Ok(HashMap::new());
        }
        let keys = objects.iter().map(|object| object.key.as_str());
        let mut keys: Vec<&str> = keys.filter(|key| !self.present.contains_key(*key)).collect();
        keys.sort_unstable();
        keys.dedup();
        target.inspect(&keys).await
    }
}

/// Reads a target: all of a bucket; of a folder, only the keys that its state and `objects` name.
///
/// A run whose record is in progress but whose lease is over may have ended right after its record was read. So
/// a run counts as dead only if it was dead before the final read began.
///
/// # Errors
/// When the store does not answer, or the target state is damaged; [`FailureKind::Held`] when other publishers keep
/// changing it.
pub async fn read_snapshot(target: &PublishTarget, objects: &[Object]) -> Result<Snapshot, Failure> {
    let (mut dead, mut watched) = (None, None);
    for _ in 0..MAX_ATTEMPTS {
        let found = match target.folder() {
            Some(_) => Some(read_folder(target, objects).await?),
            None => read_bucket(target).await?,
        };
        let Some(mut snapshot) = found else {
            tokio::time::sleep(Duration::from_millis(300)).await;
            continue;
        };
        let state = &mut snapshot.state;
        let Some(last) = state.last.as_ref().filter(|last| last.lease > 0) else { return Ok(snapshot) };
        if state.held && state.remaining.is_some() {
            return Ok(snapshot);
        }
        if !state.held {
            if dead == Some(last.number) {
                return Ok(snapshot);
            }
            dead = Some(last.number);
            target.wait_for_others().await?;
            continue;
        }
        // The store reports no time: a record that is unchanged for a whole lease belongs to a dead publisher.
        if watched.is_some() && watched == state.record {
            state.held = false;
            return Ok(snapshot);
        }
        watched.clone_from(&state.record);
        tokio::time::sleep(Duration::from_secs(last.lease)).await;
    }
    Err(contended())
}

/// Reports that other publishers keep changing the target.
pub(crate) fn contended() -> Failure {
    Failure::new(FailureKind::Held, "other publishers keep changing the target")
        .help("run the command again later")
}

/// Reads a folder's state, and then the files that it or the new release names.
async fn read_folder(target: &PublishTarget, objects: &[Object]) -> Result<Snapshot, Failure> {
    let state_objects = target.list(STATE).await?;
    let state = State::read(target, &state_objects).await?;
    let earlier = state.live.iter().chain(&state.unfinished);
    let objects = objects.iter().map(|object| object.key.as_str());
    let mut keys: Vec<&str> = earlier.flat_map(ReleaseManifest::keys).chain(objects).collect();
    keys.sort_unstable();
    keys.dedup();
    let present = target.inspect(&keys).await?;
    Ok(Snapshot { state, present })
}

/// Lists a bucket. The first page contains the state, which shows where the other pages begin. So they can be
/// requested in parallel.
///
/// Returns none if the latest run continued between the listing and the read of its record: the listing may
/// then show a half-done switch that the record calls finished. A run that begins later is detected when the
/// lease is acquired.
async fn read_bucket(target: &PublishTarget) -> Result<Option<Snapshot>, Failure> {
    let room = ListingRoom::default();
    let first = target.list_between(None, None, PAGE, &room).await?;
    let whole = first.len() < PAGE;
    let sorted = first.windows(2).all(|pair| pair[0].0 < pair[1].0);
    let last = first.last().map(|(key, _)| key.clone()).unwrap_or_default();
    let mut present: HashMap<String, StoredObject> = first.into_iter().collect();
    // All keys below STATE sort before this.
    let after_memory = format!("{}~", STATE.trim_end_matches('/'));
    let has_state = sorted && last > after_memory;
    if !whole && !has_state {
        present = target.list("").await?;
    }
    let state = State::read(target, &present).await?;
    let listed = state.last.as_ref().and_then(|run| present.get(&run_key(run.number))?.etag.clone());
    if listed.is_some() && state.record.is_some() && listed != state.record {
        return Ok(None);
    }
    if !whole && has_state {
        let live = state.live.iter().flat_map(|live| &live.objects);
        let known: Vec<&str> =
            live.map(|object| object.key.as_str()).filter(|key| *key > last.as_str()).collect();
        // Slightly less than a page each, so that a few unknown keys do not need another request.
        let bounds: Vec<&str> = known.chunks(PAGE * 9 / 10).skip(1).map(|chunk| chunk[0]).collect();
        let starts = std::iter::once(last.as_str()).chain(bounds.iter().copied());
        let ends = bounds.iter().copied().map(Some).chain(std::iter::once(None));
        let pages =
            starts.zip(ends).map(|(start, end)| target.list_between(Some(start), end, usize::MAX, &room));
        let pages: Vec<_> = futures_util::stream::iter(pages)
            .buffer_unordered(target.jobs().min(MAX_LISTINGS))
            .try_collect()
            .await?;
        present.extend(pages.into_iter().flatten());
    }
    present.retain(|key, _| !key.starts_with(STATE));
    Ok(Some(Snapshot { state, present }))
}
