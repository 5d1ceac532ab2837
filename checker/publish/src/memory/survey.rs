//! Reads what is at a target: what it remembers, and what is at its keys.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt};

use crate::failure::{Exit, Failure};
use crate::memory::state::{State, run_key};
use crate::release::manifest::{Object, ReleaseManifest};
use crate::target::{Present, PublishTarget};
use sitegate_hosting::headers::STATE;

/// How often a bucket is looked at while others are at work in it.
const SURVEYS: usize = 20;

/// Objects in one page of a listing.
const PAGE: usize = 1_000;

/// What is at a target, read once.
#[derive(Debug)]
pub struct Standing {
    /// What it remembers.
    pub state: State,
    /// What is at its keys.
    pub present: HashMap<String, Present>,
}

impl Standing {
    /// What is at the keys of further objects: of a bucket everything is known already.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn look_at(
        &self,
        target: &PublishTarget,
        objects: &[&Object],
    ) -> Result<HashMap<String, Present>, Failure> {
        if target.folder().is_none() {
            return Ok(HashMap::new());
        }
        let keys = objects.iter().map(|object| object.key.as_str());
        let mut keys: Vec<&str> = keys.filter(|key| !self.present.contains_key(*key)).collect();
        keys.sort_unstable();
        keys.dedup();
        target.look(&keys).await
    }
}

/// Reads what is at a target: of a bucket everything, of a folder what its memory and `objects` name.
///
/// A publisher whose record says that it is at work, and that has ended, may have ended well a moment after its
/// record was read. So a publisher is taken for dead only if it was already dead before the survey that counts began.
///
/// # Errors
/// When the store does not answer, or its memory was damaged; [`Exit::Held`] when others never pause.
pub async fn survey(target: &PublishTarget, objects: &[Object]) -> Result<Standing, Failure> {
    let (mut dead, mut watched) = (None, None);
    for _ in 0..SURVEYS {
        let found = match target.folder() {
            Some(_) => Some(survey_folder(target, objects).await?),
            None => survey_bucket(target).await?,
        };
        let Some(mut standing) = found else {
            tokio::time::sleep(Duration::from_millis(300)).await;
            continue;
        };
        let state = &mut standing.state;
        let Some(last) = state.last.as_ref().filter(|last| last.lease > 0) else { return Ok(standing) };
        if state.held && state.left.is_some() {
            return Ok(standing);
        }
        if !state.held {
            if dead == Some(last.number) {
                return Ok(standing);
            }
            dead = Some(last.number);
            target.wait_for_others().await?;
            continue;
        }
        // The store tells no time: a record that stays as it is for a whole lease is a dead publisher's.
        if watched.is_some() && watched == state.record {
            state.held = false;
            return Ok(standing);
        }
        watched.clone_from(&state.record);
        tokio::time::sleep(Duration::from_secs(last.lease)).await;
    }
    Err(restless())
}

/// Others never leave a target alone.
pub(crate) fn restless() -> Failure {
    Failure::new(Exit::Held, "other publishers are at work without a pause")
}

/// Reads a folder's memory, and then the files that it or the new release names.
async fn survey_folder(target: &PublishTarget, objects: &[Object]) -> Result<Standing, Failure> {
    let memory = target.list(STATE).await?;
    let state = State::read(target, memory.keys().map(String::as_str)).await?;
    let earlier = state.live.iter().chain(&state.unfinished);
    let objects = objects.iter().map(|object| object.key.as_str());
    let mut keys: Vec<&str> = earlier.flat_map(ReleaseManifest::keys).chain(objects).collect();
    keys.sort_unstable();
    keys.dedup();
    let present = target.look(&keys).await?;
    Ok(Standing { state, present })
}

/// Lists a bucket: the first page tells what it remembers, and that tells where the other pages begin, so that
/// they are asked for at once instead of one after the other.
///
/// None where the latest run went on between the listing and the look at its record: then the listing may show
/// a switch half done that the record calls finished. A run that begins later is met when the target is taken.
async fn survey_bucket(target: &PublishTarget) -> Result<Option<Standing>, Failure> {
    let first = target.list_between(None, None, PAGE).await?;
    let whole = first.len() < PAGE;
    let sorted = first.windows(2).all(|pair| pair[0].0 < pair[1].0);
    let last = first.last().map(|(key, _)| key.clone()).unwrap_or_default();
    let mut present: HashMap<String, Present> = first.into_iter().collect();
    // Everything below STATE comes before this.
    let after_memory = format!("{}~", STATE.trim_end_matches('/'));
    let told = sorted && last > after_memory;
    if !whole && !told {
        present = target.list("").await?;
    }
    let state = State::read(target, present.keys().map(String::as_str)).await?;
    let listed = state.last.as_ref().and_then(|run| present.get(&run_key(run.number))?.etag.clone());
    if listed.is_some() && state.record.is_some() && listed != state.record {
        return Ok(None);
    }
    if !whole && told {
        let live = state.live.iter().flat_map(|live| &live.objects);
        let known: Vec<&str> =
            live.map(|object| object.key.as_str()).filter(|key| *key > last.as_str()).collect();
        // A little less than a page each, so that a few unknown keys do not cost another request.
        let bounds: Vec<&str> = known.chunks(PAGE * 9 / 10).skip(1).map(|chunk| chunk[0]).collect();
        let starts = std::iter::once(last.as_str()).chain(bounds.iter().copied());
        let ends = bounds.iter().copied().map(Some).chain(std::iter::once(None));
        let pages = starts.zip(ends).map(|(start, end)| target.list_between(Some(start), end, usize::MAX));
        let pages: Vec<_> =
            futures_util::stream::iter(pages).buffer_unordered(target.jobs()).try_collect().await?;
        present.extend(pages.into_iter().flatten());
    }
    present.retain(|key, _| !key.starts_with(STATE));
    Ok(Some(Standing { state, present }))
}
