//! Where a release goes: a bucket or a folder, by its URL, behind one set of operations. What a release or
//! a run is never enters here: only keys, bytes and headers.

#[cfg(feature = "network")]
mod bucket;
mod folder;
pub mod store;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{
    Attribute, AttributeValue, Attributes, ObjectStore, ObjectStoreExt, PutMode, PutOptions, UpdateVersion,
};
use sha2::{Digest, Sha256};

use crate::failure::{Exit, Failure};
use crate::target::store::TargetOptions;
use sitegate_check::hex::hex;

/// What a target can do with objects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abilities {
    /// Whether objects carry headers.
    pub headers: bool,
    /// Whether a key may be both an object and the beginning of others: then `terms` can stand beside
    /// `terms/index.html` and both spellings of an address answer without a redirect.
    pub twins: bool,
}

/// What is at a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Present {
    /// Its length in bytes.
    pub size: u64,
    /// The store's entity tag, without quotes.
    pub etag: Option<String>,
    /// SHA-256 of its content, where the target is cheap to read.
    pub sha256: Option<String>,
}

/// On what condition an object is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// None.
    Always,
    /// Only where there is none yet.
    Absent,
    /// Only where the entity tag is still this one, as it is to be sent.
    Unchanged(String),
}

/// Why an object was not written.
#[derive(Debug)]
pub(crate) enum PutError {
    /// Its condition did not hold.
    Conflict,
    /// Anything else.
    Other(Failure),
}

/// A bucket, or a folder.
pub struct PublishTarget {
    /// The URL as it was given.
    pub url: String,
    /// How many requests run at once.
    pub jobs: usize,
    /// The store's address: what is known of one store does not hold for another.
    pub endpoint: String,
    folder: Option<PathBuf>,
    /// Whether conditions name a generation, which only a look at the object tells, in place of its entity tag.
    generations: bool,
    store: Arc<dyn ObjectStore>,
    #[cfg(feature = "network")]
    credentials: Option<object_store::aws::AwsCredentialProvider>,
    requests: AtomicUsize,
}

impl PublishTarget {
    /// Makes ready to talk to a target. With `create`, a folder that is not there is made.
    ///
    /// # Errors
    /// [`Exit::Usage`] when the URL cannot be used, [`Exit::Credentials`] when a profile is missing.
    pub async fn open(url: &str, options: &TargetOptions, create: bool) -> Result<PublishTarget, Failure> {
        let opened = match url.split(':').next() {
            Some("file") => folder::open(url, create)?,
            #[cfg(feature = "network")]
            Some("s3" | "gs" | "az") => bucket::open(url, options).await?,
            #[cfg(not(feature = "network"))]
            Some("s3" | "gs" | "az") => {
                return Err(Failure::without_network(&format!("reaching {url}")));
            }
            _ => {
                return Err(Failure::new(Exit::Usage, format!("`{url}` is not a target"))
                    .help("a target is s3://BUCKET/PREFIX, gs://…, az://… or file:///FOLDER"));
            }
        };
        Ok(PublishTarget {
            url: url.to_owned(),
            jobs: options.jobs.max(1),
            endpoint: opened.endpoint,
            folder: opened.folder,
            generations: url.starts_with("gs:"),
            store: opened.store,
            #[cfg(feature = "network")]
            credentials: opened.credentials,
            requests: AtomicUsize::new(0),
        })
    }

    /// What the target can do.
    pub(crate) fn abilities(&self) -> Abilities {
        let bucket = self.folder.is_none();
        Abilities { headers: bucket, twins: bucket }
    }

    /// The folder, where the target is one.
    pub(crate) fn folder(&self) -> Option<&FilePath> {
        self.folder.as_deref()
    }

    /// How many operations were asked for.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }

    /// The credentials that an S3 target is written with.
    ///
    /// # Errors
    /// [`Exit::Usage`] for other targets, [`Exit::Credentials`] when there are none.
    #[cfg(feature = "network")]
    pub(crate) async fn credentials(&self) -> Result<Arc<object_store::aws::AwsCredential>, Failure> {
        let provider = self
            .credentials
            .as_ref()
            .ok_or_else(|| Failure::new(Exit::Usage, format!("{} has no AWS credentials", self.url)))?;
        let found = provider.get_credential().await;
        found.map_err(|error| Failure::store(&error, "cannot get credentials"))
    }

    fn path(&self, key: &str) -> Result<Path, Failure> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        Path::parse(key).map_err(|error| {
            Failure::new(Exit::Usage, format!("`{key}` cannot be a key of {}: {error}", self.url))
        })
    }

    /// Everything below a prefix (`""` for all), by key.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn list(&self, prefix: &str) -> Result<HashMap<String, Present>, Failure> {
        let path = self.path(prefix.trim_end_matches('/'))?;
        let prefix = (!prefix.is_empty()).then_some(&path);
        let mut found = HashMap::new();
        let mut entries = self.store.list(prefix);
        while let Some(entry) = entries.next().await {
            let entry = entry.map_err(|error| Failure::store(&error, "cannot list the target"))?;
            let etag = entry.e_tag.as_deref().map(bare).map(str::to_owned);
            let present = Present { size: entry.size, etag, sha256: None };
            found.insert(entry.location.to_string(), present);
        }
        Ok(found)
    }

    /// The objects of a bucket whose keys come after one and not after another, in their order; at most
    /// `limit` of them.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn list_between(
        &self,
        after: Option<&str>,
        until: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Present)>, Failure> {
        let mut entries = match after {
            None => self.store.list(None),
            Some(after) => self.store.list_with_offset(None, &self.path(after)?),
        };
        let mut found = Vec::new();
        while found.len() < limit
            && let Some(entry) = entries.next().await
        {
            let entry = entry.map_err(|error| Failure::store(&error, "cannot list the target"))?;
            let key = entry.location.to_string();
            if until.is_some_and(|until| key.as_str() > until) {
                break;
            }
            let etag = entry.e_tag.as_deref().map(bare).map(str::to_owned);
            found.push((key, Present { size: entry.size, etag, sha256: None }));
        }
        Ok(found)
    }

    /// What is at the keys that matter. A bucket is listed; of a folder only these files are read, so that
    /// whatever else lies in it never matters.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn look(&self, keys: &[&str]) -> Result<HashMap<String, Present>, Failure> {
        if self.folder.is_none() {
            return self.list("").await;
        }
        let read = futures_util::stream::iter(keys.iter().map(|key| async move {
            let body = self.get(key).await?;
            Ok(body.map(|body| {
                let sha256 = Some(hex(&Sha256::digest(&body)));
                ((*key).to_owned(), Present { size: body.len() as u64, etag: None, sha256 })
            }))
        }));
        let found: Vec<Option<(String, Present)>> =
            read.buffer_unordered(self.jobs).try_collect::<Vec<_>>().await?;
        Ok(found.into_iter().flatten().collect())
    }

    /// What is at one key.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn head(&self, key: &str) -> Result<Option<Present>, Failure> {
        let path = self.path(key)?;
        match self.store.head(&path).await {
            Ok(entry) => {
                let etag = entry.e_tag.as_deref().map(bare).map(str::to_owned);
                Ok(Some(Present { size: entry.size, etag, sha256: None }))
            }
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(Failure::store(&error, &format!("cannot look at {key}"))),
        }
    }

    /// An object's content; none where there is no such object.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn get(&self, key: &str) -> Result<Option<Bytes>, Failure> {
        Ok(self.get_tagged(key).await?.map(|(body, _)| body))
    }

    /// An object's content and its entity tag, without quotes.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn get_tagged(&self, key: &str) -> Result<Option<(Bytes, Option<String>)>, Failure> {
        let path = self.path(key)?;
        let fail = |error: object_store::Error| Failure::store(&error, &format!("cannot read {key}"));
        match self.store.get(&path).await {
            Ok(found) => {
                let etag = found.meta.e_tag.as_deref().map(bare).map(str::to_owned);
                Ok(Some((found.bytes().await.map_err(fail)?, etag)))
            }
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(fail(error)),
        }
    }

    /// Writes an object, and gives its entity tag without quotes.
    ///
    /// Servers answer the loser of a race with 409, 412 or 500, and an answer may be lost, so after any of
    /// these the object is read back: if it holds these very bytes, it was written.
    ///
    /// # Errors
    /// [`PutError::Conflict`] when the condition did not hold.
    pub(crate) async fn put(
        &self,
        key: &str,
        body: Bytes,
        headers: &BTreeMap<String, String>,
        condition: Condition,
    ) -> Result<Option<String>, PutError> {
        let path = self.path(key).map_err(PutError::Other)?;
        let mode = match &condition {
            Condition::Always => PutMode::Overwrite,
            Condition::Absent => PutMode::Create,
            Condition::Unchanged(_) if self.folder.is_some() => PutMode::Overwrite,
            Condition::Unchanged(etag) if self.generations => match self.store.head(&path).await {
                Ok(found) if found.e_tag.as_deref().map(bare) == Some(bare(etag)) => {
                    PutMode::Update(UpdateVersion { e_tag: None, version: found.version })
                }
                Ok(_) | Err(object_store::Error::NotFound { .. }) => return Err(PutError::Conflict),
                Err(error) => {
                    return Err(PutError::Other(Failure::store(&error, &format!("cannot look at {key}"))));
                }
            },
            Condition::Unchanged(etag) => {
                PutMode::Update(UpdateVersion { e_tag: Some(etag.clone()), version: None })
            }
        };
        let attributes = if self.folder.is_some() { Attributes::new() } else { attributes(headers) };
        let options = PutOptions { mode, attributes, ..PutOptions::default() };
        let error = match self.store.put_opts(&path, body.clone().into(), options).await {
            Ok(done) => return Ok(done.e_tag.as_deref().map(bare).map(str::to_owned)),
            Err(error) => error,
        };
        let failure = Failure::store(&error, &format!("cannot write {key}"));
        if condition == Condition::Always || failure.exit == Exit::Credentials {
            return Err(PutError::Other(failure));
        }
        match self.get(key).await {
            Ok(Some(there)) if there == body => Ok(None),
            Ok(there) => {
                use object_store::Error;
                let told = matches!(error, Error::Precondition { .. } | Error::AlreadyExists { .. });
                let exists = condition == Condition::Absent && there.is_some();
                Err(if told || exists { PutError::Conflict } else { PutError::Other(failure) })
            }
            Err(_) => Err(PutError::Other(failure)),
        }
    }

    /// Copies an object within the target.
    ///
    /// # Errors
    /// When the store does not answer, or there is no such object.
    pub(crate) async fn copy(&self, from: &str, to: &str) -> Result<(), Failure> {
        let (source, copy) = (self.path(from)?, Path::parse(to));
        let copy = copy.map_err(|error| Failure::new(Exit::Usage, format!("{to}: {error}")))?;
        let done = self.store.copy(&source, &copy).await;
        done.map_err(|error| Failure::store(&error, &format!("cannot copy {from}")))
    }

    /// Deletes objects; those that are not there count as deleted.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn delete(&self, keys: &[String]) -> Result<(), Failure> {
        let mut paths = Vec::with_capacity(keys.len());
        for key in keys {
            paths.push(Ok(self.path(key)?));
        }
        let mut done = self.store.delete_stream(futures_util::stream::iter(paths).boxed());
        while let Some(result) = done.next().await {
            match result {
                Ok(_) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(Failure::store(&error, "cannot delete")),
            }
        }
        Ok(())
    }
}

/// An entity tag without its quotes.
fn bare(etag: &str) -> &str {
    etag.trim_matches('"')
}

fn attributes(headers: &BTreeMap<String, String>) -> Attributes {
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
