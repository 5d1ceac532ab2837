//! Probes which conditional writes a store supports, before relying on them.

use std::collections::BTreeMap;

use bytes::Bytes;
use futures_util::future::join_all;

use crate::failure::{Failure, FailureKind};
use crate::store::{Condition, Conditions, Content, Store, StoreError, TagForm};
use crate::target::PublishTarget;
use crate::target_state::state::Capabilities;
use sitegate_host::headers::STATE;

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
