//! Operations on a bucket. Requests are retried when the connection breaks, until their outcome is known.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use md5::{Digest, Md5};
use object_store::aws::AwsCredentialProvider;
use object_store::client::{HttpError, HttpErrorKind};
use object_store::path::Path;
use object_store::{
    Attribute, AttributeValue, Attributes, Error, GetOptions, GetResult, ObjectMeta, ObjectStore,
    ObjectStoreExt, PutMode, PutOptions, UpdateVersion,
};
use sha2::Sha256;
use sitegate_base::hex::hex;
use sitegate_host::headers::WEBSITE_REDIRECT;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

use crate::bucket::aws;
use crate::bucket::listing::Listings;
use crate::bucket::store_failure::{
    MAX_ATTEMPTS, RETRY_TIME, backoff, is_disconnected, is_fenced, retry, store_failure,
};
use crate::bucket::transport::{StoreClock, WebsiteRedirect};
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::store::{
    Condition, Content, Fence, Headers, KeyRange, LARGE, ListingRoom, ObjectContent, Store,
    StoreCapabilities, StoreError, StoredObject,
};

/// Maximum number of attempts for a write that the store rejects although its condition holds. Some stores do
/// so during concurrent writes.
const MAX_REFUSALS: u32 = 3;

/// A bucket, or the part of it below a prefix.
pub(crate) struct Bucket {
    pub store: Arc<dyn ObjectStore>,
    pub listings: Listings,
    pub capabilities: StoreCapabilities,
    /// Whether conditions use a generation instead of the entity tag. The generation is read from the object
    /// first.
    pub has_generations: bool,
    pub fence: Arc<Fence>,
    pub clock: Arc<StoreClock>,
    /// The credentials of an S3 store, for CloudFront.
    pub credentials: Option<AwsCredentialProvider>,
    /// The memory available for contents in flight, in KiB.
    pub memory: Semaphore,
}

/// Maximum memory for writing one large content, in bytes: chunks in flight, plus the one being read.
const LARGE_MEMORY: u64 = 3 * LARGE;

/// Maximum memory for contents in flight, in KiB: four large ones plus small ones.
pub(super) const MEMORY_KIB: usize = (4 * LARGE_MEMORY as usize + (8 << 20)) >> 10;

/// The outcome of a write whose response was lost.
pub(super) enum WriteOutcome {
    /// It was written, with this entity tag.
    Written(Option<String>),
    /// The object still matches the condition.
    Untouched,
    /// Someone else wrote the object.
    Changed,
}

#[async_trait]
impl Store for Bucket {
    fn capabilities(&self) -> &StoreCapabilities {
        &self.capabilities
    }

    fn fence(&self) -> &Fence {
        &self.fence
    }

    fn latency(&self) -> Duration {
        self.clock.min_latency()
    }

    async fn list(&self, range: KeyRange<'_>) -> Result<Vec<(String, StoredObject)>, StoreError> {
        let (mut found, own) = (Vec::new(), ListingRoom::default());
        let add = |key: String, entry: &ObjectMeta| {
            let is_wanted = range.until.is_none_or(|until| key.as_str() <= until);
            if is_wanted {
                found.push((key, present(entry)));
            }
            is_wanted && range.limit.is_none_or(|limit| found.len() < limit)
        };
        self.listings.each(range.prefix, range.after, range.room.unwrap_or(&own), add).await?;
        Ok(found)
    }

    async fn head(&self, key: &str) -> Result<StoredObject, StoreError> {
        let path = path(key)?;
        let meta = retry(|| self.store.head(&path)).await.map_err(|error| unread(key, &error))?;
        let age = self.clock.elapsed_since(meta.last_modified.into());
        Ok(StoredObject { age, ..present(&meta) })
    }

    async fn get(&self, key: &str, limit: u64) -> Result<ObjectContent, StoreError> {
        let path = path(key)?;
        let found = retry(|| async {
            let found = self.store.get(&path).await?;
            if found.meta.size > limit {
                return Ok(None);
            }
            let tag = tag(&found.meta);
            Ok(Some(ObjectContent { body: read_body(found).await.map_err(truncated)?, tag }))
        });
        found.await.map_err(|error| unread(key, &error))?.ok_or(StoreError::TooLarge)
    }

    async fn has_content(&self, key: &str, size: u64, sha256: &str) -> Result<bool, StoreError> {
        match self.digest(&path(key)?, size).await {
            Ok(found) => Ok(found == sha256),
            Err(Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(unread(key, &error)),
        }
    }

    async fn put(
        &self,
        key: &str,
        content: &Content,
        headers: &Headers,
        condition: &Condition,
    ) -> Result<Option<String>, StoreError> {
        let _room = self.take_memory(content).await?;
        let is_large = content.size() >= LARGE && !matches!(content, Content::Bytes(_));
        if is_large {
            return self.put_large(key, content, headers, condition).await;
        }
        self.put_small(key, &self.content(content).await?, headers, condition).await
    }

    async fn copy(&self, from: &str, to: &str, condition: &Condition) -> Result<(), StoreError> {
        let (source, copy) = (path(from)?, path(to)?);
        let done = match condition {
            Condition::Absent => self.copy_if_absent(&source, &copy).await,
            _ => retry(|| self.store.copy(&source, &copy)).await,
        };
        done.map_err(|error| match error {
            Error::AlreadyExists { .. } => StoreError::Changed,
            error => store_failure(&error, &format!("cannot copy {from}")).into(),
        })
    }

    async fn remove(&self, keys: &[String]) -> Result<(), StoreError> {
        let paths: Vec<Path> = keys.iter().map(|key| path(key)).collect::<Result<_, _>>()?;
        let done = retry(|| async {
            let paths = futures_util::stream::iter(paths.clone()).map(Ok).boxed();
            let mut done = self.store.delete_stream(paths);
            while let Some(result) = done.next().await {
                none_if_missing(result)?;
            }
            Ok(())
        });
        Ok(done.await.map_err(|error| store_failure(&error, "cannot delete"))?)
    }

    async fn invalidate(&self, distribution: &str, reference: &str) -> Result<(), StoreError> {
        let provider = self.credentials.as_ref().ok_or_else(|| {
            Failure::new(FailureKind::Usage, "this store has no AWS credentials, which CloudFront requires")
        })?;
        let found = provider.get_credential().await;
        let credential = found.map_err(|error| store_failure(&error, "cannot get credentials"))?;
        Ok(aws::invalidate_cloudfront(&credential, distribution, reference).await?)
    }
}

impl Bucket {
    /// Waits until enough memory is available for a content.
    async fn take_memory(&self, content: &Content) -> Result<SemaphorePermit<'_>, Failure> {
        let needed = match content {
            // It is in memory already. A lease's record must not wait for contents.
            Content::Bytes(_) => 0,
            content if content.size() < LARGE => content.size(),
            _ => LARGE_MEMORY,
        };
        let needed = u32::try_from(needed >> 10).unwrap_or(u32::MAX);
        let taken = self.memory.acquire_many(needed).await;
        taken.map_err(|error| Failure::new(FailureKind::Failed, error.to_string()))
    }

    /// Reads a small content, if its digest is right.
    async fn content(&self, content: &Content) -> Result<Bytes, StoreError> {
        let (body, expected) = match content {
            Content::Bytes(bytes) => return Ok(bytes.clone()),
            Content::File { path, sha256, .. } => (read_file(path)?, sha256),
            Content::Key { key, size, sha256 } => match self.get(key, *size).await {
                // If it is larger, it is another content.
                Err(StoreError::Missing | StoreError::TooLarge) => return Err(StoreError::Different),
                found => (found?.body, sha256),
            },
        };
        if hex(&Sha256::digest(&body)) == *expected { Ok(body) } else { Err(StoreError::Different) }
    }

    /// Writes a small object.
    ///
    /// Servers return 409, 412 or 500 to the loser of a race, and a response may be lost. So after any failure
    /// the object is read: if it has these bytes, the write succeeded; if it still matches the condition, the
    /// write is retried.
    async fn put_small(
        &self,
        key: &str,
        body: &Bytes,
        headers: &Headers,
        condition: &Condition,
    ) -> Result<Option<String>, StoreError> {
        let path = path(key)?;
        let start = Instant::now();
        for attempt in 1.. {
            let error = match self.send(&path, body, headers, condition).await {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            let failure = store_failure(&error, &format!("cannot write {key}"));
            let is_refused = matches!(error, Error::Precondition { .. } | Error::AlreadyExists { .. });
            let again = start.elapsed() < RETRY_TIME
                && if is_refused {
                    attempt < MAX_REFUSALS
                } else {
                    attempt < MAX_ATTEMPTS && is_disconnected(&error)
                };
            if failure.kind != FailureKind::Failed || is_fenced(&error) {
                return Err(failure.into());
            }
            if *condition != Condition::Always {
                let (md5, sha256) = (hex(&Md5::digest(body)), hex(&Sha256::digest(body)));
                let content = (body.len() as u64, sha256.as_str());
                match self.find_outcome(&path, content, Some(&md5), headers, condition).await {
                    Ok(WriteOutcome::Written(tag)) => return Ok(tag),
                    Ok(WriteOutcome::Changed) => return Err(StoreError::Changed),
                    Ok(WriteOutcome::Untouched) if is_refused && !again => return Err(StoreError::Changed),
                    Ok(WriteOutcome::Untouched) => {}
                    Err(_) => return Err(failure.into()),
                }
            }
            if !again {
                return Err(failure.into());
            }
            tokio::time::sleep(backoff(attempt)).await;
        }
        Err(StoreError::Changed)
    }

    async fn send(
        &self,
        path: &Path,
        body: &Bytes,
        headers: &Headers,
        condition: &Condition,
    ) -> object_store::Result<Option<String>> {
        let mode = match condition {
            Condition::Always => PutMode::Overwrite,
            Condition::Absent => PutMode::Create,
            Condition::Unchanged(etag) if self.has_generations => {
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

    /// Finds out the outcome of a write. The MD5 of a small content may be its tag.
    pub(super) async fn find_outcome(
        &self,
        path: &Path,
        content: (u64, &str),
        md5: Option<&str>,
        headers: &Headers,
        condition: &Condition,
    ) -> object_store::Result<WriteOutcome> {
        let head = || self.store.get_opts(path, GetOptions { head: true, ..GetOptions::default() });
        let Some(found) = none_if_missing(retry(head).await)? else {
            let expected = matches!(condition, Condition::Unchanged(_));
            return Ok(if expected { WriteOutcome::Changed } else { WriteOutcome::Untouched });
        };
        let tag = tag(&found.meta);
        let has_md5 = md5.is_some() && tag.as_deref() == md5;
        let is_expected =
            matches!(condition, Condition::Unchanged(etag) if Some(unquoted(etag)) == tag.as_deref());
        if is_expected {
            // If only headers change, the tag does not: it is the digest of the content.
            let wanted = attributes(headers);
            let done =
                has_md5 && wanted.iter().all(|(name, value)| found.attributes.get(name) == Some(value));
            return Ok(if done { WriteOutcome::Written(tag) } else { WriteOutcome::Untouched });
        }
        let (size, sha256) = content;
        let ours = found.meta.size == size
            && (has_md5 || none_if_missing(self.digest(path, size).await)?.as_deref() == Some(sha256));
        Ok(match condition {
            _ if ours => WriteOutcome::Written(tag),
            Condition::Always => WriteOutcome::Untouched,
            _ => WriteOutcome::Changed,
        })
    }

    /// Copies an object unless the destination exists. Not all stores support the condition.
    async fn copy_if_absent(&self, source: &Path, copy: &Path) -> object_store::Result<()> {
        match retry(|| self.store.copy_if_not_exists(source, copy)).await {
            Ok(()) => Ok(()),
            // A conflict without an existing object was one with another write, which may have failed.
            Err(error @ Error::AlreadyExists { .. })
                if none_if_missing(self.store.head(copy).await)?.is_some() =>
            {
                Err(error)
            }
            Err(error) if is_fenced(&error) || is_disconnected(&error) => Err(error),
            Err(_) => retry(|| self.store.copy(source, copy)).await,
        }
    }
}

/// Converts a key to the path type of `object_store`.
pub(super) fn path(key: &str) -> Result<Path, Failure> {
    Path::parse(key).map_err(|error| {
        Failure::new(FailureKind::Usage, format!("`{key}` is not a valid key for a bucket: {error}"))
    })
}

/// Converts the error of a read.
fn unread(key: &str, error: &Error) -> StoreError {
    match error {
        Error::NotFound { .. } => StoreError::Missing,
        error => store_failure(error, &format!("cannot read {key}")).into(),
    }
}

/// Reads a file on this machine.
fn read_file(path: &std::path::Path) -> Result<Bytes, StoreError> {
    match std::fs::read(path) {
        Ok(body) => Ok(body.into()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(StoreError::Different),
        Err(error) => {
            let message = format!("cannot read {}: {error}", path.display());
            Err(Failure::new(FailureKind::Failed, message).into())
        }
    }
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
    StoredObject { size: entry.size, etag: tag(entry), ..StoredObject::default() }
}

pub(super) fn tag(entry: &ObjectMeta) -> Option<String> {
    entry.e_tag.as_deref().map(unquoted).map(str::to_owned)
}

/// Removes the quotes of an entity tag.
pub(super) fn unquoted(etag: &str) -> &str {
    etag.trim_matches('"')
}

pub(super) fn attributes(headers: &Headers) -> Attributes {
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
