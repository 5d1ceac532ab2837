//! Operations on a bucket. Requests are retried when the connection breaks, until their outcome is known.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use md5::{Digest, Md5};
use object_store::client::{HttpError, HttpErrorKind};
use object_store::path::Path;
use object_store::{
    Attribute, AttributeValue, Attributes, Error, GetOptions, GetResult, ObjectMeta, ObjectStore,
    ObjectStoreExt, PutMode, PutOptions, UpdateVersion,
};
use sitegate_base::hex::hex;
use sitegate_host::headers::WEBSITE_REDIRECT;

use crate::failure::{Failure, FailureKind};
use crate::target::large::ListingRoom;
use crate::target::object::{Condition, ObjectContent, PutError, StoredObject, too_large};
use crate::target::paging::Listings;
use crate::target::retry::{MAX_ATTEMPTS, RETRY_TIME, backoff, is_disconnected, is_fenced, retry};
use crate::target::transport::StoreClock;
use crate::target::website_redirect::WebsiteRedirect;

/// Maximum number of attempts for a write that the store rejects although its condition holds. Some stores do
/// so during concurrent writes.
const MAX_REFUSALS: u32 = 3;

/// A bucket.
pub(crate) struct Bucket {
    /// The store, or the part of it below the target's prefix.
    pub store: Arc<dyn ObjectStore>,
    /// Its listings.
    pub listings: Listings,
    /// Whether conditions use a generation instead of the entity tag. The generation is read from the object
    /// first.
    pub generations: bool,
    /// The store's clock.
    pub clock: Arc<StoreClock>,
}

/// The outcome of a write whose response was lost.
enum WriteOutcome {
    /// It was written, with this entity tag.
    Written(Option<String>),
    /// The object still matches the condition.
    Untouched,
    /// Someone else wrote the object.
    Changed,
}

impl Bucket {
    /// Lists the objects below a prefix (`""` for all), by key.
    pub(crate) async fn list(&self, prefix: &str) -> Result<HashMap<String, StoredObject>, Failure> {
        let mut found = HashMap::new();
        let add = |key, entry: &ObjectMeta| {
            found.insert(key, present(entry));
            true
        };
        self.listings.each(prefix, None, &ListingRoom::default(), add).await?;
        Ok(found)
    }

    /// Lists the objects whose keys are after `after` and not after `until`, in order, at most `limit`.
    pub(crate) async fn list_between(
        &self,
        after: Option<&str>,
        until: Option<&str>,
        limit: usize,
        room: &ListingRoom,
    ) -> Result<Vec<(String, StoredObject)>, Failure> {
        let mut found = Vec::new();
        let add = |key: String, entry: &ObjectMeta| {
            let is_wanted = until.is_none_or(|until| key.as_str() <= until);
            if is_wanted {
                found.push((key, present(entry)));
            }
            is_wanted && found.len() < limit
        };
        self.listings.each("", after, room, add).await?;
        Ok(found)
    }

    /// Reads the metadata of one object.
    pub(crate) async fn head(&self, key: &str) -> Result<Option<StoredObject>, Failure> {
        Ok(self.meta(key).await?.map(|meta| present(&meta)))
    }

    /// Returns how long ago an object was written, by the store's own clock; none if it does not exist, or the
    /// store reports no time.
    pub(crate) async fn age(&self, key: &str) -> Result<Option<Duration>, Failure> {
        let Some(meta) = self.meta(key).await? else { return Ok(None) };
        Ok(self.clock.elapsed_since(meta.last_modified.into()))
    }

    async fn meta(&self, key: &str) -> Result<Option<ObjectMeta>, Failure> {
        let path = path(key)?;
        let found = retry(|| self.store.head(&path)).await;
        none_if_missing(found).map_err(|error| Failure::store(&error, &format!("cannot read {key}")))
    }

    /// Reads an object of at most `limit` bytes, and its entity tag.
    pub(crate) async fn get(&self, key: &str, limit: u64) -> Result<Option<ObjectContent>, Failure> {
        let path = path(key)?;
        let found = retry(|| async {
            let found = self.store.get(&path).await?;
            if found.meta.size > limit {
                return Ok(None);
            }
            let tag = tag(&found.meta);
            Ok(Some(ObjectContent { body: read_body(found).await.map_err(truncated)?, tag }))
        });
        match none_if_missing(found.await) {
            Ok(Some(None)) => Err(too_large(key, limit)),
            Ok(found) => Ok(found.flatten()),
            Err(error) => Err(Failure::store(&error, &format!("cannot read {key}"))),
        }
    }

    /// Whether an object has this content. It is read in chunks.
    pub(crate) async fn has_content(&self, key: &str, size: u64, sha256: &str) -> Result<bool, Failure> {
        let found = self.digest(&path(key)?, size).await;
        let found =
            none_if_missing(found).map_err(|error| Failure::store(&error, &format!("cannot read {key}")));
        Ok(found?.is_some_and(|found| found == sha256))
    }

    /// Writes an object, and returns its entity tag.
    ///
    /// Servers return 409, 412 or 500 to the loser of a race, and a response may be lost. So after any failure
    /// the object is read: if it has these bytes, the write succeeded; if it still matches the condition, the
    /// write is retried.
    pub(crate) async fn put(
        &self,
        key: &str,
        body: &Bytes,
        headers: &BTreeMap<String, String>,
        condition: &Condition,
    ) -> Result<Option<String>, PutError> {
        let path = path(key).map_err(PutError::Other)?;
        let start = Instant::now();
        for attempt in 1.. {
            let error = match self.send(&path, body, headers, condition).await {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            let failure = Failure::store(&error, &format!("cannot write {key}"));
            let is_refused = matches!(error, Error::Precondition { .. } | Error::AlreadyExists { .. });
            let again = start.elapsed() < RETRY_TIME
                && if is_refused {
                    attempt < MAX_REFUSALS
                } else {
                    attempt < MAX_ATTEMPTS && is_disconnected(&error)
                };
            if failure.kind != FailureKind::Failed || is_fenced(&error) {
                return Err(PutError::Other(failure));
            }
            if *condition != Condition::Always {
                match self.find_outcome(&path, body, headers, condition).await {
                    Ok(WriteOutcome::Written(tag)) => return Ok(tag),
                    Ok(WriteOutcome::Changed) => return Err(PutError::Conflict),
                    Ok(WriteOutcome::Untouched) if is_refused && !again => return Err(PutError::Conflict),
                    Ok(WriteOutcome::Untouched) => {}
                    Err(_) => return Err(PutError::Other(failure)),
                }
            }
            if !again {
                return Err(PutError::Other(failure));
            }
            tokio::time::sleep(backoff(attempt)).await;
        }
        Err(PutError::Conflict)
    }

    async fn send(
        &self,
        path: &Path,
        body: &Bytes,
        headers: &BTreeMap<String, String>,
        condition: &Condition,
    ) -> object_store::Result<Option<String>> {
        let mode = match condition {
            Condition::Always => PutMode::Overwrite,
            Condition::Absent => PutMode::Create,
            Condition::Unchanged(etag) if self.generations => {
                let found = none_if_missing(retry(|| self.store.head(path)).await)?;
                let same = found.filter(|found| tag(found).as_deref() == Some(unquoted(etag)));
                let changed =
                    || Error::Precondition { path: path.to_string(), source: "it was changed".into() };
                PutMode::Update(UpdateVersion { e_tag: None, version: same.ok_or_else(changed)?.version })
            }
            Condition::Unchanged(etag) => {
                PutMode::Update(UpdateVersion { e_tag: Some(etag.clone()), version: None })
            }
        };
        let mut options = PutOptions { mode, attributes: attributes(headers), ..PutOptions::default() };
        if let Some(to) = headers.get(WEBSITE_REDIRECT) {
            options.extensions.insert(WebsiteRedirect(to.clone()));
        }
        let done = self.store.put_opts(path, body.clone().into(), options).await?;
        Ok(done.e_tag.as_deref().map(unquoted).map(str::to_owned))
    }

    /// Finds out the outcome of a conditional write.
    async fn find_outcome(
        &self,
        path: &Path,
        body: &Bytes,
        headers: &BTreeMap<String, String>,
        condition: &Condition,
    ) -> object_store::Result<WriteOutcome> {
        let head = || self.store.get_opts(path, GetOptions { head: true, ..GetOptions::default() });
        let Some(found) = none_if_missing(retry(head).await)? else {
            let absent = *condition == Condition::Absent;
            return Ok(if absent { WriteOutcome::Untouched } else { WriteOutcome::Changed });
        };
        let tag = tag(&found.meta);
        let is_expected =
            matches!(condition, Condition::Unchanged(etag) if Some(unquoted(etag)) == tag.as_deref());
        if is_expected {
            // If only headers change, the tag does not: it is the digest of the content.
            let wanted = attributes(headers);
            let done = tag.as_deref() == Some(&hex(&Md5::digest(body)))
                && wanted.iter().all(|(name, value)| found.attributes.get(name) == Some(value));
            return Ok(if done { WriteOutcome::Written(tag) } else { WriteOutcome::Untouched });
        }
        let ours = found.meta.size == body.len() as u64
            && (tag.as_deref() == Some(&hex(&Md5::digest(body))) || self.has_body(path, body).await?);
        Ok(if ours { WriteOutcome::Written(tag) } else { WriteOutcome::Changed })
    }

    /// Whether an object has these bytes. It is read in chunks.
    async fn has_body(&self, path: &Path, body: &Bytes) -> object_store::Result<bool> {
        retry(|| async {
            let Some(found) = none_if_missing(self.store.get(path).await)? else { return Ok(false) };
            compare(found, body).await
        })
        .await
    }

    /// Copies an object within the bucket.
    pub(crate) async fn copy(&self, from: &str, to: &str, condition: &Condition) -> Result<(), Failure> {
        let (source, copy) = (path(from)?, path(to)?);
        let done = match condition {
            Condition::Absent => self.copy_if_absent(&source, &copy).await,
            _ => retry(|| self.store.copy(&source, &copy)).await,
        };
        done.map_err(|error| Failure::store(&error, &format!("cannot copy {from}")))
    }

    /// Copies an object unless the destination exists, which is fine, too. Not all stores support the
    /// condition.
    async fn copy_if_absent(&self, source: &Path, copy: &Path) -> object_store::Result<()> {
        match retry(|| self.store.copy_if_not_exists(source, copy)).await {
            Ok(()) => Ok(()),
            // A conflict without an existing object was one with another write, which may have failed.
            Err(Error::AlreadyExists { .. }) if none_if_missing(self.store.head(copy).await)?.is_some() => {
                Ok(())
            }
            Err(error) if is_fenced(&error) || is_disconnected(&error) => Err(error),
            Err(_) => retry(|| self.store.copy(source, copy)).await,
        }
    }

    /// Deletes objects. Missing ones count as deleted.
    pub(crate) async fn delete(&self, keys: &[String]) -> Result<(), Failure> {
        let paths: Vec<Path> = keys.iter().map(|key| path(key)).collect::<Result<_, _>>()?;
        let done = retry(|| async {
            let paths = futures_util::stream::iter(paths.clone()).map(Ok).boxed();
            let mut done = self.store.delete_stream(paths);
            while let Some(result) = done.next().await {
                none_if_missing(result)?;
            }
            Ok(())
        });
        done.await.map_err(|error| Failure::store(&error, "cannot delete"))
    }
}

/// Converts a key to the path type of `object_store`.
pub(super) fn path(key: &str) -> Result<Path, Failure> {
    Path::parse(key).map_err(|error| {
        Failure::new(FailureKind::Usage, format!("`{key}` is not a valid key for a bucket: {error}"))
    })
}

/// Reports a body that is longer than the response announced.
pub(super) fn too_long() -> Error {
    Error::Generic { store: "bucket", source: "the response is longer than announced".into() }
}

/// Reads a body, and never more of it than the response announced.
pub(super) async fn read_body(found: GetResult) -> object_store::Result<Bytes> {
    let size = usize::try_from(found.range.end - found.range.start).unwrap_or(usize::MAX);
    let (mut chunks, mut body) = (found.into_stream(), Vec::with_capacity(size));
    while let Some(chunk) = chunks.try_next().await? {
        if chunk.len() > size - body.len() {
            return Err(too_long());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Bytes::from(body))
}

async fn compare(found: GetResult, body: &Bytes) -> object_store::Result<bool> {
    let (mut chunks, mut rest) = (found.into_stream(), &body[..]);
    while let Some(chunk) = chunks.try_next().await? {
        match rest.strip_prefix(&chunk[..]) {
            Some(more) => rest = more,
            None => return Ok(false),
        }
    }
    Ok(rest.is_empty())
}

/// Reports a truncated body. `object_store` would request the rest, which not every server supports.
fn truncated(error: Error) -> Error {
    Error::Generic { store: "bucket", source: Box::new(HttpError::new(HttpErrorKind::Interrupted, error)) }
}

pub(super) fn none_if_missing<T>(found: object_store::Result<T>) -> object_store::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn present(entry: &ObjectMeta) -> StoredObject {
    StoredObject { size: entry.size, etag: tag(entry), sha256: None, file: None }
}

pub(super) fn tag(entry: &ObjectMeta) -> Option<String> {
    entry.e_tag.as_deref().map(unquoted).map(str::to_owned)
}

/// Removes the quotes of an entity tag.
pub(super) fn unquoted(etag: &str) -> &str {
    etag.trim_matches('"')
}

pub(super) fn attributes(headers: &BTreeMap<String, String>) -> Attributes {
    let mut attributes = Attributes::new();
    for (name, value) in headers {
        let attribute = match name.as_str() {
            "cache-control" => Attribute::CacheControl,
            "content-disposition" => Attribute::ContentDisposition,
            "content-encoding" => Attribute::ContentEncoding,
            "content-language" => Attribute::ContentLanguage,
            "content-type" => Attribute::ContentType,
            _ => continue,
        };
        attributes.insert(attribute, AttributeValue::from(value.clone()));
    }
    attributes
}
