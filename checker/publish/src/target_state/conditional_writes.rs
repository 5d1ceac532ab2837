//! Probes which conditional writes a store supports, before relying on them, and keeps publishers apart at stores
//! without them, which begin a run after the same one.
//!
//! With conditions, all of them create the same record, and one succeeds. Without, each would replace the record of
//! the one before, even minutes later if it was suspended between its reads and its write. So each chooses another
//! number, and reads after its write whether there are others. No record is replaced by another run.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use sitegate_host::headers::STATE;

use crate::failure::{Failure, FailureKind};
use crate::store::{Condition, Conditions, Content, Store, StoreError, TagForm};
use crate::target::PublishTarget;
use crate::target_state::state::{self, Capabilities, run_key};

/// Number of concurrent writers in the probe.
const RACERS: usize = 8;

/// Probes whether the store supports conditional writes. Some stores ignore the conditions and return 200 for
/// every write.
///
/// # Errors
/// When the store refuses or does not answer.
pub async fn capabilities(target: &PublishTarget) -> Result<Capabilities, Failure> {
    let (store, endpoint) = (target.store(), target.capabilities().endpoint.clone());
    if let Some(Conditions { create, replace }) = target.capabilities().conditions {
        return Ok(Capabilities { endpoint, create, replace });
    }
    let id = target.machine().random_id();
    let key = format!("{STATE}probe/{id}");
    let headers = BTreeMap::new();
    // An unconditional write first shows whether writing works at all.
    let (sure, raced) = (format!("{key}-a"), format!("{key}-b"));
    let etag =
        store.put(&sure, &content(id.clone()), &headers, &Condition::Always).await.map_err(probe_failure)?;
    let bodies: Vec<Content> = (0..RACERS).map(|racer| content(format!("{id} {racer}"))).collect();
    let racers = bodies.iter().map(|body| store.put(&raced, body, &headers, &Condition::Absent));
    let answers = join_all(racers).await;
    let winners = answers.iter().filter(|answer| answer.is_ok()).count();
    let late = store.put(&raced, &content(format!("{id} late")), &headers, &Condition::Absent).await;
    let create = winners == 1 && late.is_err();
    let replace = match etag {
        Some(etag) => replace(store, &sure, &etag, &id).await,
        None => TagForm::Ignored,
    };
    // Leftovers of a probe are harmless.
    let _ = target.delete(&[sure, raced]).await;
    Ok(Capabilities { endpoint, create, replace })
}

/// Replaces an object under a true and a false condition, in both forms of entity tags.
async fn replace(store: &dyn Store, key: &str, etag: &str, id: &str) -> TagForm {
    let headers = BTreeMap::new();
    let mut etag = etag.to_owned();
    for (tag, quote) in [(TagForm::Quoted, "\""), (TagForm::Bare, "")] {
        let stale = Condition::Unchanged(format!("{quote}00000000000000000000000000000000{quote}"));
        if store.put(key, &content(format!("{id} stale {quote}")), &headers, &stale).await.is_ok() {
            return TagForm::Ignored;
        }
        let fresh = Condition::Unchanged(format!("{quote}{etag}{quote}"));
        match store.put(key, &content(format!("{id} fresh {quote}")), &headers, &fresh).await {
            Ok(_) => return tag,
            Err(_) => {
                if let Some(there) = store.head(key).await.ok().and_then(|found| found.etag) {
                    etag = there;
                }
            }
        }
    }
    TagForm::Ignored
}

fn content(text: String) -> Content {
    Content::Bytes(Bytes::from(text))
}

fn probe_failure(error: StoreError) -> Failure {
    match error {
        StoreError::Failed(failure) => failure,
        _ => Failure::new(FailureKind::Failed, "the store rejects an unconditional write as a conflict"),
    }
}

/// Numbers to choose from. There are 9 billion in all, enough for a million runs.
const NUMBERS: u64 = 10_000;

/// The pause before and between looks at the records. Listings of some stores are late by about as much.
const PAUSE: Duration = Duration::from_millis(300);

/// Number of looks at a later run before it counts. One that has just begun withdraws in the first two.
const LOOKS: usize = 5;

/// Returns the number of a run that begins after run `basis`.
pub(crate) fn next_number(target: &PublishTarget, basis: u64, has_conditions: bool) -> u64 {
    if has_conditions {
        return basis.saturating_add(1);
    }
    let id = target.machine().random_id();
    let random = id.get(..8).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default();
    basis.saturating_add(1 + random % NUMBERS)
}

/// Withdraws a new run if another one began after the same run: the lower one goes on, if it is new, too. If it is not,
/// it stays, and so does a later one.
///
/// # Errors
/// [`FailureKind::Held`], and when the store does not answer.
pub(crate) async fn refuse_rival(target: &PublishTarget, basis: u64, number: u64) -> Result<(), Failure> {
    tokio::time::sleep(PAUSE).await;
    let runs = state::runs(target).await?;
    let rival = match runs.range(basis.saturating_add(1)..number).next() {
        Some(lower) => Some(*lower),
        None => later_run(target, number, false).await?,
    };
    let Some(rival) = rival else { return Ok(()) };
    target.delete(&[run_key(number)]).await?;
    Err(state::overtaken_by(target, rival).await)
}

/// Returns the latest run after run `number`. Without conditions, it may be one that withdraws, so waits for that.
///
/// # Errors
/// When the store does not answer.
pub(crate) async fn later_run(
    target: &PublishTarget,
    number: u64,
    has_conditions: bool,
) -> Result<Option<u64>, Failure> {
    for look in 1.. {
        let later = state::runs(target).await?.pop_last().filter(|latest| *latest > number);
        if later.is_none() || has_conditions || look == LOOKS {
            return Ok(later);
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(None)
}
