//! Reads a target: its state, and what is at its keys.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt};

use crate::failure::{Failure, FailureKind};
use crate::plan::{Change, Plan};
use crate::release::manifest::{Object, ReleaseManifest};
use crate::store::{KeyRange, ListingRoom, StoredObject};
use crate::target::PublishTarget;
use crate::target_state::state::{State, record_tag, run_key};
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
    pub present: BTreeMap<String, StoredObject>,
}

impl Snapshot {
    /// Records the tags of objects that a plan writes although their content is in place. Returns whether there are any.
    ///
    /// At a store whose tags are no digests, that is so after a run was killed: it did not record the tags of what it
    /// wrote. Only objects without a backup are read, since others can be written again.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn record_tags_in_place(
        &mut self,
        target: &PublishTarget,
        plan: &Plan,
    ) -> Result<bool, Failure> {
        let has_no_source = |(object, change): &(&Object, Change)| {
            *change == Change::Content
                && !self.state.is_backed_up(object)
                && self.present.get(&object.key).is_some_and(|there| there.sha256.is_none())
        };
        let reads = plan.writes().filter(has_no_source).map(|(object, _)| async move {
            let is_in_place = target.store().has_content(&object.key, object.size, &object.sha256).await?;
            Ok::<_, Failure>(is_in_place.then_some(object))
        });
        let reads = futures_util::stream::iter(reads).buffered(target.jobs());
        let in_place: Vec<&Object> =
            reads.try_filter_map(|object| async move { Ok(object) }).try_collect().await?;
        let Some(last) = self.state.last.as_mut().filter(|_| !in_place.is_empty()) else { return Ok(false) };
        for object in in_place {
            let tag = self.present.get(&object.key).and_then(|there| there.etag.clone());
            record_tag(&mut last.etags, object, tag);
        }
        Ok(true)
    }

    /// Reads what is at the keys of further objects. The snapshot of a bucket is already complete.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn inspect(
        &self,
        target: &PublishTarget,
        objects: &[&Object],
    ) -> Result<BTreeMap<String, StoredObject>, Failure> {
        if target.capabilities().lists_contents {
            return Ok(BTreeMap::new());
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
        let Some(mut snapshot) = read_once(target, objects).await? else {
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
            target.store().wait_for_others().await?;
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

/// Reads a target once. Returns none if the latest run continued between the listing and the read of its record: the
/// listing may then show a half-done switch that the record calls finished. A run that begins later is detected when
/// the lease is acquired.
async fn read_once(target: &PublishTarget, objects: &[Object]) -> Result<Option<Snapshot>, Failure> {
    let room = ListingRoom::default();
    let lists_contents = target.capabilities().lists_contents;
    // The first page of a whole listing contains the state, which shows where the other pages begin.
    let first = if lists_contents {
        target.store().list(KeyRange { limit: Some(PAGE), room: Some(&room), ..KeyRange::default() }).await?
    } else {
        target.store().list(KeyRange::below(STATE)).await?
    };
    let is_whole = first.len() < PAGE;
    let is_sorted = first.is_sorted_by(|one, next| one.0 < next.0);
    let last = first.last().map(|(key, _)| key.clone()).unwrap_or_default();
    let mut listed: BTreeMap<String, StoredObject> = first.into_iter().collect();
    // All keys below STATE sort before this.
    let after_state = format!("{}~", STATE.trim_end_matches('/'));
    let has_state = is_sorted && last > after_state;
    if lists_contents && !is_whole && !has_state {
        listed = target.list("").await?;
    }
    let state = State::read(target, &listed).await?;
    let record = state.last.as_ref().and_then(|run| listed.get(&run_key(run.number))?.etag.clone());
    if record.is_some() && state.record.is_some() && record != state.record {
        return Ok(None);
    }
    // A run that began and ended between two parts of a listing is in its end only. What it removed is in its beginning.
    let is_at_once = target.capabilities().lists_at_once && (is_whole || has_state);
    if !is_at_once && !state.is_current(target).await? {
        return Ok(None);
    }
    let earlier = state.live.iter().chain(&state.unfinished);
    if !lists_contents {
        let objects = objects.iter().map(|object| object.key.as_str());
        let mut keys: Vec<&str> = earlier.flat_map(ReleaseManifest::keys).chain(objects).collect();
        keys.sort_unstable();
        keys.dedup();
        let present = target.inspect(&keys).await?;
        return Ok(Some(Snapshot { state, present }));
    }
    if !is_whole && has_state {
        listed.extend(list_after(target, &state, &last, &room).await?);
    }
    listed.retain(|key, _| !key.starts_with(STATE));
    Ok(Some(Snapshot { state, present: listed }))
}

/// Lists the keys after one in parallel: the live release shows where pages begin.
async fn list_after(
    target: &PublishTarget,
    state: &State,
    last: &str,
    room: &ListingRoom,
) -> Result<Vec<(String, StoredObject)>, Failure> {
    let live = state.live.iter().flat_map(|live| &live.objects);
    let known: Vec<&str> = live.map(|object| object.key.as_str()).filter(|key| *key > last).collect();
    // Slightly less than a page each, so that a few unknown keys do not need another request.
    let bounds: Vec<&str> = known.chunks(PAGE * 9 / 10).skip(1).map(|chunk| chunk[0]).collect();
    let starts = std::iter::once(last).chain(bounds.iter().copied());
    let ends = bounds.iter().copied().map(Some).chain(std::iter::once(None));
    let pages = starts.zip(ends).map(|(start, until)| {
        target.store().list(KeyRange { after: Some(start), until, room: Some(room), ..KeyRange::default() })
    });
    let pages: Vec<_> = futures_util::stream::iter(pages)
        .buffer_unordered(target.jobs().min(MAX_LISTINGS))
        .try_collect()
        .await?;
    Ok(pages.into_iter().flatten().collect())
}
