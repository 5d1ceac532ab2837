//! Where a release goes: a bucket or a folder, by its URL, behind one set of operations. What a release or
//! a run is never enters here: only keys, bytes and headers.

#[cfg(feature = "network")]
mod bucket;
pub(crate) mod fence;
mod folder;
mod large;
#[cfg(feature = "network")]
mod listing;
pub(crate) mod moment;
pub(crate) mod names;
mod object;
#[cfg(feature = "network")]
mod requests;
pub mod store;
#[cfg(feature = "network")]
mod transport;
#[cfg(feature = "network")]
mod upload;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};

use crate::failure::{Exit, Failure};
use crate::target::fence::Fence;
use crate::target::folder::TargetFolder;
use crate::target::names::KeyRoom;
#[cfg(feature = "network")]
use crate::target::requests::Bucket;
use crate::target::store::{FEWEST_JOBS, TargetOptions};
#[cfg(feature = "network")]
use crate::target::transport::Transport;

pub(crate) use crate::target::large::{LARGE, LARGE_MEMORY, LargeContent, LargeSource};
pub(crate) use crate::target::object::{Condition, FileIdentity, Found, Present, PutError};

/// Files of a folder that are looked at before another thread is asked.
const LOOKED_AT_ONCE: usize = 64;

/// What a target can do with objects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abilities {
    /// Whether objects carry headers.
    pub headers: bool,
    /// Whether a key may be both an object and the beginning of others: then `terms` can stand beside
    /// `terms/index.html` and both spellings of an address answer without a redirect.
    pub twins: bool,
}

/// A bucket, or a folder.
pub struct PublishTarget {
    /// The URL as it was given.
    pub url: String,
    /// The store's address: what is known of one store does not hold for another.
    pub endpoint: String,
    place: TargetKind,
    /// How many requests run at once, where that was asked for.
    asked_jobs: Option<usize>,
    fence: Arc<Fence>,
    #[cfg(feature = "network")]
    credentials: Option<object_store::aws::AwsCredentialProvider>,
    requests: AtomicUsize,
}

/// What a target is.
enum TargetKind {
    Folder(Arc<TargetFolder>),
    #[cfg(feature = "network")]
    Bucket(Bucket),
}

impl PublishTarget {
    /// Makes ready to talk to a target. With `create`, a folder that is not there is made.
    ///
    /// # Errors
    /// [`Exit::Usage`] when the URL cannot be used, [`Exit::Credentials`] when a profile is missing.
    pub async fn open(url: &str, options: &TargetOptions, create: bool) -> Result<PublishTarget, Failure> {
        let fence = Arc::new(Fence::default());
        let target = |place, endpoint| PublishTarget {
            url: url.to_owned(),
            asked_jobs: options.jobs,
            endpoint,
            place,
            fence: Arc::clone(&fence),
            #[cfg(feature = "network")]
            credentials: None,
            requests: AtomicUsize::new(0),
        };
        match url.split(':').next() {
            Some("file") => {
                let folder = TargetFolder::open(url, create, Arc::clone(&fence))?;
                Ok(target(TargetKind::Folder(Arc::new(folder)), "file".to_owned()))
            }
            #[cfg(feature = "network")]
            Some("s3" | "gs" | "az") => {
                let transport = Transport { fence: Arc::clone(&fence), clock: Arc::default() };
                let opened = bucket::open(url, options, &transport).await?;
                let (generations, clock) = (url.starts_with("gs:"), transport.clock);
                let bucket = Bucket { store: opened.store, generations, clock };
                let credentials = opened.credentials;
                Ok(PublishTarget { credentials, ..target(TargetKind::Bucket(bucket), opened.endpoint) })
            }
            #[cfg(not(feature = "network"))]
            Some("s3" | "gs" | "az") => Err(Failure::without_network(&format!("reaching {url}"))),
            _ => Err(Failure::new(Exit::Usage, format!("`{url}` is not a target"))
                .help("a target is s3://BUCKET/PREFIX, gs://…, az://… or file:///FOLDER")),
        }
    }

    /// What the target can do.
    pub(crate) fn abilities(&self) -> Abilities {
        let bucket = self.folder().is_none();
        Abilities { headers: bucket, twins: bucket }
    }

    /// The folder, where the target is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match &self.place {
            TargetKind::Folder(folder) => Some(folder.root()),
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => None,
        }
    }

    /// How many requests run at once: as many as was asked for, or as the way to the store is long.
    pub(crate) fn jobs(&self) -> usize {
        match (self.asked_jobs, &self.place) {
            (Some(asked), _) => asked.max(1),
            (None, TargetKind::Folder(_)) => FEWEST_JOBS,
            #[cfg(feature = "network")]
            (None, TargetKind::Bucket(bucket)) => store::jobs_for(bucket.clock.nearest()),
        }
    }

    /// What keeps this process from writing once it may have lost the target.
    pub(crate) fn fence(&self) -> &Fence {
        &self.fence
    }

    /// Where its keys go, as far as that decides which ones can. `prefix` is that of a bucket's URL, as it was given.
    pub(crate) fn room<'r>(&'r self, prefix: &'r str) -> KeyRoom<'r> {
        match (self.folder(), self.url.split(':').next()) {
            (Some(folder), _) => KeyRoom::Folder(folder),
            (None, Some("gs")) => KeyRoom::Google(prefix),
            (None, Some("az")) => KeyRoom::Azure(prefix),
            (None, _) => KeyRoom::S3(prefix),
        }
    }

    /// What comes before each key in the store: empty, or a path with `/` at its end.
    pub(crate) fn prefix(&self) -> String {
        #[cfg(feature = "network")]
        if self.folder().is_none()
            && let Ok((_, prefix)) = bucket::bucket(&self.url)
            && !prefix.is_empty()
        {
            return prefix + "/";
        }
        String::new()
    }

    /// How many operations were asked for.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }

    fn count(&self, operations: usize) {
        self.requests.fetch_add(operations, Ordering::Relaxed);
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

    /// Everything below a prefix, by key: of a bucket any (`""` for all), of a folder its memory only.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn list(&self, prefix: &str) -> Result<HashMap<String, Present>, Failure> {
        self.count(1);
        match &self.place {
            TargetKind::Folder(folder) => {
                let prefix = prefix.to_owned();
                aside(folder, move |folder| folder.list(&prefix)).await
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.list(prefix).await,
        }
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
        self.count(1);
        match &self.place {
            TargetKind::Folder(_) => {
                let _ = (after, until, limit);
                Ok(Vec::new())
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.list_between(after, until, limit).await,
        }
    }

    /// What is at the keys that matter. A bucket is listed; of a folder only these files are read, and those that
    /// stand in their way, so that whatever else lies in it never matters.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn look(&self, keys: &[&str]) -> Result<HashMap<String, Present>, Failure> {
        let folder = match &self.place {
            TargetKind::Folder(folder) => folder,
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => return self.list("").await,
        };
        self.count(keys.len());
        let looks = futures_util::stream::iter(keys.chunks(LOOKED_AT_ONCE).map(|keys| {
            let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
            aside(folder, move |folder| folder.look_at(keys))
        }));
        let found: Vec<Vec<(String, Present)>> = looks.buffer_unordered(self.jobs()).try_collect().await?;
        Ok(found.into_iter().flatten().collect())
    }

    /// What is at one key.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn head(&self, key: &str) -> Result<Option<Present>, Failure> {
        self.count(1);
        match &self.place {
            TargetKind::Folder(folder) => {
                let key = key.to_owned();
                aside(folder, move |folder| folder.look(&key)).await
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.head(key).await,
        }
    }

    /// How long ago an object was written, by the store's own clock; none where it is not there, or the store does
    /// not tell the time.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn age(&self, key: &str) -> Result<Option<Duration>, Failure> {
        self.count(1);
        match &self.place {
            TargetKind::Folder(folder) => {
                let key = key.to_owned();
                aside(folder, move |folder| Ok(folder.age(&key))).await
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.age(key).await,
        }
    }

    /// An object's content; none where there is no such object.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn get(&self, key: &str) -> Result<Option<Bytes>, Failure> {
        Ok(self.get_tagged(key).await?.map(|found| found.body))
    }

    /// An object's content and its tag.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn get_tagged(&self, key: &str) -> Result<Option<Found>, Failure> {
        self.count(1);
        match &self.place {
            TargetKind::Folder(folder) => {
                let key = key.to_owned();
                aside(folder, move |folder| folder.read(&key)).await
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.get(key).await,
        }
    }

    /// Writes an object, and gives its tag. Where an answer is lost, it is found out what was done, and what was not
    /// done is done again.
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
        let _ = headers;
        match &self.place {
            TargetKind::Folder(_) => self.replace(key, body, condition, Vec::new()).await,
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => {
                self.count(1);
                bucket.put(key, &body, headers, &condition).await
            }
        }
    }

    /// Writes a file of a folder in the place of others that could not stand beside it, and gives its tag.
    ///
    /// # Errors
    /// [`PutError::Conflict`] when the condition did not hold.
    pub(crate) async fn replace(
        &self,
        key: &str,
        body: Bytes,
        condition: Condition,
        obstacles: Vec<String>,
    ) -> Result<Option<String>, PutError> {
        self.count(1);
        match &self.place {
            TargetKind::Folder(folder) => {
                let key = key.to_owned();
                let written = aside(folder, move |folder| {
                    Ok(folder.write(&key, &body, &condition, &obstacles).map(Some))
                });
                written.await.map_err(PutError::Other)?
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.put(key, &body, &BTreeMap::new(), &condition).await,
        }
    }

    /// Writes a large content, in a folder in the place of others that could not stand beside it, and gives its tag.
    ///
    /// # Errors
    /// [`PutError::Conflict`] when the condition did not hold, [`PutError::Different`] when the content is not what it
    /// should be.
    pub(crate) async fn put_large(
        &self,
        key: &str,
        content: &LargeContent,
        headers: &BTreeMap<String, String>,
        condition: Condition,
        obstacles: &[String],
    ) -> Result<Option<String>, PutError> {
        self.count(1);
        let _ = (headers, &condition);
        match &self.place {
            TargetKind::Folder(folder) => {
                let (key, content, obstacles) = (key.to_owned(), content.clone(), obstacles.to_vec());
                let written =
                    aside(folder, move |folder| Ok(folder.write_large(&key, &content, &obstacles).map(Some)));
                written.await.map_err(PutError::Other)?
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.put_large(key, content, headers, &condition).await,
        }
    }

    /// Copies an object within the target. In a bucket, where there is one already that must be absent, it stays.
    ///
    /// # Errors
    /// When the store does not answer, or there is no such object.
    pub(crate) async fn copy(&self, from: &str, to: &str, condition: Condition) -> Result<(), Failure> {
        self.count(1);
        let _ = &condition;
        match &self.place {
            TargetKind::Folder(folder) => {
                let (from, to) = (from.to_owned(), to.to_owned());
                aside(folder, move |folder| folder.copy(&from, &to)).await
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.copy(from, to, &condition).await,
        }
    }

    /// Deletes objects; those that are not there count as deleted.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn delete(&self, keys: &[String]) -> Result<(), Failure> {
        if keys.is_empty() {
            return Ok(());
        }
        self.count(keys.len());
        match &self.place {
            TargetKind::Folder(folder) => {
                let keys = keys.to_vec();
                aside(folder, move |folder| folder.delete(&keys)).await
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.delete(keys).await,
        }
    }

    /// Makes durable what was written and deleted: what is written after this is never there without it, whenever the
    /// power fails. A bucket has seen to that itself.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(crate) async fn flush(&self) -> Result<(), Failure> {
        match &self.place {
            TargetKind::Folder(folder) => aside(folder, TargetFolder::flush).await,
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => Ok(()),
        }
    }

    /// Deletes what interrupted writes left in a folder; only who holds the target may.
    ///
    /// # Errors
    /// When the target was lost.
    pub(crate) async fn sweep(&self) -> Result<(), Failure> {
        match &self.place {
            TargetKind::Folder(folder) => aside(folder, TargetFolder::sweep).await,
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => Ok(()),
        }
    }

    /// The keys of what interrupted writes left in a folder: beside files of these keys, as earlier versions wrote, and
    /// in the memory.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(crate) async fn leftovers(&self, owned: BTreeSet<String>) -> Result<Vec<String>, Failure> {
        match &self.place {
            TargetKind::Folder(folder) => aside(folder, move |folder| folder.leftovers(&owned)).await,
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => {
                drop(owned);
                Ok(Vec::new())
            }
        }
    }

    /// All files of a folder but its memory, by key, with their lengths; symbolic links are not followed. Of a bucket
    /// none is told.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(crate) async fn site_files(&self) -> Result<BTreeMap<String, u64>, Failure> {
        match &self.place {
            TargetKind::Folder(folder) => aside(folder, TargetFolder::site_files).await,
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => Ok(BTreeMap::new()),
        }
    }

    /// Waits until no other process is in the middle of a change of a folder.
    ///
    /// # Errors
    /// [`Exit::Held`] when one does not get on.
    pub(crate) async fn wait_for_others(&self) -> Result<(), Failure> {
        match &self.place {
            TargetKind::Folder(folder) => aside(folder, TargetFolder::wait_for_others).await,
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => Ok(()),
        }
    }
}

/// Works on a folder on a thread that may wait for the disk.
async fn aside<T: Send + 'static>(
    folder: &Arc<TargetFolder>,
    work: impl FnOnce(&TargetFolder) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let folder = Arc::clone(folder);
    let done = tokio::task::spawn_blocking(move || work(&folder)).await;
    done.map_err(|error| Failure::new(Exit::Failed, error.to_string()))?
}
