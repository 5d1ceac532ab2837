//! Finds out which conditions on writes a store honours, before they are relied on.

use std::collections::BTreeMap;

use bytes::Bytes;
use futures_util::future::join_all;

use crate::failure::{Exit, Failure};
use crate::memory::state::{Promises, TagForm, random_id};
use crate::target::{Condition, PublishTarget, PutError};
use sitegate_hosting::headers::STATE;

/// Publishers that race for one object in the probe.
const RACERS: usize = 8;

/// Finds out whether conditions on writes are honoured. Some stores ignore them and answer 200 to everyone.
///
/// # Errors
/// When the store refuses or does not answer.
pub async fn promises(target: &PublishTarget) -> Result<Promises, Failure> {
    let endpoint = target.endpoint.clone();
    if target.folder().is_some() {
        // A hard link is made only where there is no file yet: the file system's own promise.
        return Ok(Promises { endpoint, create: true, replace: TagForm::Ignored });
    }
    let id = random_id();
    let key = format!("{STATE}probe/{id}");
    let headers = BTreeMap::new();
    let body = |text: String| Bytes::from(text);
    // One write without a condition shows first whether anything can be written here at all.
    let (sure, raced) = (format!("{key}-a"), format!("{key}-b"));
    let etag = target.put(&sure, body(id.clone()), &headers, Condition::Always).await.map_err(told)?;
    let racers = (0..RACERS)
        .map(|racer| target.put(&raced, body(format!("{id} {racer}")), &headers, Condition::Absent));
    let answers = join_all(racers).await;
    let winners = answers.iter().filter(|answer| answer.is_ok()).count();
    let late = target.put(&raced, body(format!("{id} late")), &headers, Condition::Absent).await;
    let create = winners == 1 && late.is_err();
    let replace = match etag {
        Some(etag) => replace(target, &sure, &etag, &id).await,
        None => TagForm::Ignored,
    };
    // What is left of a probe costs nothing and tells nothing.
    let _ = target.delete(&[sure, raced]).await;
    Ok(Promises { endpoint, create, replace })
}

/// Tries to replace an object on a condition that holds and on one that does not, in both spellings.
async fn replace(target: &PublishTarget, key: &str, etag: &str, id: &str) -> TagForm {
    let headers = BTreeMap::new();
    let mut etag = etag.to_owned();
    for (tag, quote) in [(TagForm::Quoted, "\""), (TagForm::Bare, "")] {
        let stale = Condition::Unchanged(format!("{quote}00000000000000000000000000000000{quote}"));
        if target.put(key, Bytes::from(format!("{id} stale {quote}")), &headers, stale).await.is_ok() {
            return TagForm::Ignored;
        }
        let fresh = Condition::Unchanged(format!("{quote}{etag}{quote}"));
        match target.put(key, Bytes::from(format!("{id} fresh {quote}")), &headers, fresh).await {
            Ok(_) => return tag,
            Err(_) => {
                if let Some(there) = target.head(key).await.ok().flatten().and_then(|found| found.etag) {
                    etag = there;
                }
            }
        }
    }
    TagForm::Ignored
}

fn told(error: PutError) -> Failure {
    match error {
        PutError::Other(failure) => failure,
        PutError::Conflict | PutError::Different => {
            Failure::new(Exit::Failed, "the store answers a plain write with a conflict")
        }
    }
}
