//! What is asked of a bucket, again and again where the line breaks, until it is settled what was done.

use std::collections::{BTreeMap, HashMap};
use std::error::Error as _;
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

use crate::failure::{Exit, Failure};
use crate::target::object::{Condition, Found, Present, PutError};
use crate::target::transport::StoreClock;

/// How often a request is sent whose answer is lost.
const ATTEMPTS: u32 = 6;

/// How often a write is sent that the store refuses although its condition holds: some do while others write there.
const REFUSALS: u32 = 3;

/// How long to go on with a request.
const PATIENCE: Duration = Duration::from_mins(1);

/// A bucket.
#[derive(Debug)]
pub(crate) struct Bucket {
    /// The store, or the part of it below the target's prefix.
    pub store: Arc<dyn ObjectStore>,
    /// Whether conditions name a generation, which only a look at the object tells, in place of its entity tag.
    pub generations: bool,
    /// The store's time.
    pub clock: Arc<StoreClock>,
}

/// What a look at an object after a lost answer tells.
enum Settled {
    /// It was written; with its entity tag.
    Written(Option<String>),
    /// It is what its condition expects.
    Untouched,
    /// Someone else wrote it.
    Changed,
}

impl Bucket {
    /// Everything below a prefix (`""` for all), by key.
    pub(crate) async fn list(&self, prefix: &str) -> Result<HashMap<String, Present>, Failure> {
        let path = path(prefix.trim_end_matches('/'))?;
        let prefix = (!prefix.is_empty()).then_some(&path);
        let listed = persist(|| {
            let entries =
                self.store.list(prefix).map_ok(|entry| (entry.location.to_string(), present(&entry)));
            entries.try_collect()
        });
        listed.await.map_err(|error| Failure::store(&error, "cannot list the target"))
    }

    /// The objects whose keys come after one and not after another, in their order; at most `limit` of them.
    pub(crate) async fn list_between(
        &self,
        after: Option<&str>,
        until: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Present)>, Failure> {
        let after = after.map(path).transpose()?;
        let listed = persist(|| async {
            let mut entries = match &after {
                None => self.store.list(None),
                Some(after) => self.store.list_with_offset(None, after),
            };
            let mut found = Vec::new();
            while found.len() < limit
                && let Some(entry) = entries.try_next().await?
            {
                let key = entry.location.to_string();
                if until.is_some_and(|until| key.as_str() > until) {
                    break;
                }
                found.push((key, present(&entry)));
            }
            Ok(found)
        });
        listed.await.map_err(|error| Failure::store(&error, "cannot list the target"))
    }

    /// What is at one key.
    pub(crate) async fn head(&self, key: &str) -> Result<Option<Present>, Failure> {
        Ok(self.meta(key).await?.map(|meta| present(&meta)))
    }

    /// How long ago an object was written, by the store's own clock; none where it is not there, or the store does
    /// not tell the time.
    pub(crate) async fn age(&self, key: &str) -> Result<Option<Duration>, Failure> {
        let Some(meta) = self.meta(key).await? else { return Ok(None) };
        Ok(self.clock.since(meta.last_modified.into()))
    }

    async fn meta(&self, key: &str) -> Result<Option<ObjectMeta>, Failure> {
        let path = path(key)?;
        let found = persist(|| self.store.head(&path)).await;
        there(found).map_err(|error| Failure::store(&error, &format!("cannot look at {key}")))
    }

    /// An object's content and its entity tag.
    pub(crate) async fn get(&self, key: &str) -> Result<Option<Found>, Failure> {
        let path = path(key)?;
        let found = persist(|| async {
            let found = self.store.get(&path).await?;
            let tag = tag(&found.meta);
            Ok(Found { body: found.bytes().await.map_err(broken_off)?, tag })
        });
        there(found.await).map_err(|error| Failure::store(&error, &format!("cannot read {key}")))
    }

    /// Writes an object, and gives its entity tag.
    ///
    /// Servers answer the loser of a race with 409, 412 or 500, and an answer may be lost. So after any failure the
    /// object is looked at: what holds these very bytes was written, and what is still as the condition wants it is
    /// sent again.
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
            let told = matches!(error, Error::Precondition { .. } | Error::AlreadyExists { .. });
            let again = start.elapsed() < PATIENCE
                && if told { attempt < REFUSALS } else { attempt < ATTEMPTS && is_broken(&error) };
            if failure.exit != Exit::Failed || is_stopped(&error) {
                return Err(PutError::Other(failure));
            }
            if *condition != Condition::Always {
                match self.settle(&path, body, headers, condition).await {
                    Ok(Settled::Written(tag)) => return Ok(tag),
                    Ok(Settled::Changed) => return Err(PutError::Conflict),
                    Ok(Settled::Untouched) if told && !again => return Err(PutError::Conflict),
                    Ok(Settled::Untouched) => {}
                    Err(_) => return Err(PutError::Other(failure)),
                }
            }
            if !again {
                return Err(PutError::Other(failure));
            }
            tokio::time::sleep(pause(attempt)).await;
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
                let found = there(persist(|| self.store.head(path)).await)?;
                let same = found.filter(|found| tag(found).as_deref() == Some(bare(etag)));
                let changed =
                    || Error::Precondition { path: path.to_string(), source: "it was changed".into() };
                PutMode::Update(UpdateVersion { e_tag: None, version: same.ok_or_else(changed)?.version })
            }
            Condition::Unchanged(etag) => {
                PutMode::Update(UpdateVersion { e_tag: Some(etag.clone()), version: None })
            }
        };
        let options = PutOptions { mode, attributes: attributes(headers), ..PutOptions::default() };
        let done = self.store.put_opts(path, body.clone().into(), options).await?;
        Ok(done.e_tag.as_deref().map(bare).map(str::to_owned))
    }

    /// Finds out what became of a write on a condition.
    async fn settle(
        &self,
        path: &Path,
        body: &Bytes,
        headers: &BTreeMap<String, String>,
        condition: &Condition,
    ) -> object_store::Result<Settled> {
        let look = || self.store.get_opts(path, GetOptions { head: true, ..GetOptions::default() });
        let Some(found) = there(persist(look).await)? else {
            let absent = *condition == Condition::Absent;
            return Ok(if absent { Settled::Untouched } else { Settled::Changed });
        };
        let tag = tag(&found.meta);
        let is_expected =
            matches!(condition, Condition::Unchanged(etag) if Some(bare(etag)) == tag.as_deref());
        if is_expected {
            // Where only headers change, the tag stays: it is that of the content.
            let wanted = attributes(headers);
            let done = tag.as_deref() == Some(&hex(&Md5::digest(body)))
                && wanted.iter().all(|(name, value)| found.attributes.get(name) == Some(value));
            return Ok(if done { Settled::Written(tag) } else { Settled::Untouched });
        }
        let ours = found.meta.size == body.len() as u64
            && (tag.as_deref() == Some(&hex(&Md5::digest(body))) || self.holds(path, body).await?);
        Ok(if ours { Settled::Written(tag) } else { Settled::Changed })
    }

    /// Whether an object holds these bytes; it is read a piece at a time.
    async fn holds(&self, path: &Path, body: &Bytes) -> object_store::Result<bool> {
        persist(|| async {
            let Some(found) = there(self.store.get(path).await)? else { return Ok(false) };
            compare(found, body).await
        })
        .await
    }

    /// Copies an object within the bucket.
    pub(crate) async fn copy(&self, from: &str, to: &str, condition: &Condition) -> Result<(), Failure> {
        let (source, copy) = (path(from)?, path(to)?);
        let done = match condition {
            Condition::Absent => self.copy_anew(&source, &copy).await,
            _ => persist(|| self.store.copy(&source, &copy)).await,
        };
        done.map_err(|error| Failure::store(&error, &format!("cannot copy {from}")))
    }

    /// Copies an object to where there is none. Where there is one, that is as good; not all stores know the condition.
    async fn copy_anew(&self, source: &Path, copy: &Path) -> object_store::Result<()> {
        match persist(|| self.store.copy_if_not_exists(source, copy)).await {
            Ok(()) => Ok(()),
            // Without a word of what is there it was in conflict with another write, and none may have come of that.
            Err(Error::AlreadyExists { .. }) if there(self.store.head(copy).await)?.is_some() => Ok(()),
            Err(error) if is_stopped(&error) || is_broken(&error) => Err(error),
            Err(_) => persist(|| self.store.copy(source, copy)).await,
        }
    }

    /// Deletes objects; those that are not there count as deleted.
    pub(crate) async fn delete(&self, keys: &[String]) -> Result<(), Failure> {
        let paths: Vec<Path> = keys.iter().map(|key| path(key)).collect::<Result<_, _>>()?;
        let done = persist(|| async {
            let paths = futures_util::stream::iter(paths.clone()).map(Ok).boxed();
            let mut done = self.store.delete_stream(paths);
            while let Some(result) = done.next().await {
                there(result)?;
            }
            Ok(())
        });
        done.await.map_err(|error| Failure::store(&error, "cannot delete"))
    }
}

/// The key as the store's library has it.
pub(super) fn path(key: &str) -> Result<Path, Failure> {
    Path::parse(key)
        .map_err(|error| Failure::new(Exit::Usage, format!("`{key}` cannot be a key of a bucket: {error}")))
}

async fn compare(found: GetResult, body: &Bytes) -> object_store::Result<bool> {
    let (mut pieces, mut rest) = (found.into_stream(), &body[..]);
    while let Some(piece) = pieces.try_next().await? {
        match rest.strip_prefix(&piece[..]) {
            Some(more) => rest = more,
            None => return Ok(false),
        }
    }
    Ok(rest.is_empty())
}

/// Asks again where the line broke. What the store answers itself, `object_store` has asked again by then.
pub(super) async fn persist<T, A>(mut ask: impl FnMut() -> A) -> object_store::Result<T>
where
    A: Future<Output = object_store::Result<T>>,
{
    let start = Instant::now();
    let mut attempt = 1;
    loop {
        match ask().await {
            Err(error) if attempt < ATTEMPTS && start.elapsed() < PATIENCE && is_broken(&error) => {
                tokio::time::sleep(pause(attempt)).await;
                attempt += 1;
            }
            answer => return answer,
        }
    }
}

/// How long to wait before the next attempt.
pub(super) fn pause(attempt: u32) -> Duration {
    Duration::from_millis(50 << attempt.min(6))
}

/// What broke on the way, where it was the line and not the store.
fn line(error: &Error) -> Option<&HttpError> {
    let mut source = error.source();
    while let Some(inner) = source {
        if let Some(found) = inner.downcast_ref::<HttpError>() {
            return Some(found);
        }
        source = inner.source();
    }
    None
}

/// Whether the line broke, so that it is open what was done. A store that cannot be reached at all has been tried
/// often enough by then.
pub(super) fn is_broken(error: &Error) -> bool {
    line(error).is_some_and(|line| line.kind() != HttpErrorKind::Connect) && !is_stopped(error)
}

/// A body that did not come whole. `object_store` asks for the rest of it, which not every server knows to send.
fn broken_off(error: Error) -> Error {
    Error::Generic { store: "bucket", source: Box::new(HttpError::new(HttpErrorKind::Interrupted, error)) }
}

/// Whether the fence kept a request from being sent.
pub(super) fn is_stopped(error: &Error) -> bool {
    line(error).and_then(|line| line.source()?.downcast_ref::<Failure>()).is_some()
}

pub(super) fn there<T>(found: object_store::Result<T>) -> object_store::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn present(entry: &ObjectMeta) -> Present {
    Present { size: entry.size, etag: tag(entry), sha256: None, file: None }
}

pub(super) fn tag(entry: &ObjectMeta) -> Option<String> {
    entry.e_tag.as_deref().map(bare).map(str::to_owned)
}

/// An entity tag without its quotes.
pub(super) fn bare(etag: &str) -> &str {
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
