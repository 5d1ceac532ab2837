//! Targets: buckets and folders behind one set of operations on keys, bytes and headers.

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
mod open_bucket;
pub mod options;
#[cfg(feature = "network")]
mod paging;
#[cfg(feature = "network")]
mod retry;
mod root_folder;
mod staged_files;
mod staging;
#[cfg(feature = "network")]
mod transport;
#[cfg(feature = "network")]
mod upload;
mod url_help;
#[cfg(feature = "network")]
mod website_redirect;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};

use crate::failure::{Failure, FailureKind};
#[cfg(feature = "network")]
use crate::target::bucket::Bucket;
use crate::target::fence::Fence;
use crate::target::folder::TargetFolder;
use crate::target::names::KeyRules;
use crate::target::options::{MIN_JOBS, TargetOptions};
#[cfg(feature = "network")]
use crate::target::transport::Transport;

pub(crate) use crate::target::large::{
    LARGE, LARGE_MEMORY, LargeContent, LargeSource, ListingRoom, MAX_DOCUMENT,
};
pub(crate) use crate::target::object::{
    Condition, FileIdentity, ObjectContent, PutError, StoredObject, TargetFeatures,
};

/// Number of files that are read or renamed per blocking task.
pub(crate) const FILES_PER_TASK: usize = 64;

/// A bucket or a folder.
pub struct PublishTarget {
    /// The URL, as given.
    pub url: String,
    /// The store's endpoint. Knowledge about one store does not apply to another.
    pub endpoint: String,
    kind: TargetKind,
    /// The requested number of concurrent requests.
    requested_jobs: Option<usize>,
    fence: Arc<Fence>,
    #[cfg(feature = "network")]
    credentials: Option<object_store::aws::AwsCredentialProvider>,
    requests: AtomicUsize,
}

/// The kind of a target.
enum TargetKind {
    Folder(Arc<TargetFolder>),
    #[cfg(feature = "network")]
    Bucket(Bucket),
}

impl PublishTarget {
    /// Opens a target. With `create`, creates a folder that does not exist.
    ///
    /// # Errors
    /// [`FailureKind::Usage`] when the URL cannot be used, [`FailureKind::Credentials`] when a profile is missing.
    pub async fn open(url: &str, options: &TargetOptions, create: bool) -> Result<PublishTarget, Failure> {
        let fence = Arc::new(Fence::default());
        let target = |kind, endpoint| PublishTarget {
            url: url.to_owned(),
            requested_jobs: options.jobs,
            endpoint,
            kind,
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
                let opened = open_bucket::open(url, options, &transport).await?;
                let (generations, clock) = (url.starts_with("gs:"), transport.clock);
                let bucket = Bucket { store: opened.store, listings: opened.listings, generations, clock };
                let credentials = opened.credentials;
                Ok(PublishTarget { credentials, ..target(TargetKind::Bucket(bucket), opened.endpoint) })
            }
            #[cfg(not(feature = "network"))]
            Some("s3" | "gs" | "az") => Err(Failure::without_network(&format!("reaching {url}"))),
            _ => Err(Failure::new(FailureKind::Usage, format!("`{url}` is not a target"))
                .help(url_help::target_help(url))),
        }
    }

    /// Returns the features of the target.
    pub(crate) fn features(&self) -> TargetFeatures {
        let bucket = self.folder().is_none();
        TargetFeatures {
            headers: bucket,
            slashless_keys: bucket,
            website_redirects: self.url.starts_with("s3:"),
        }
    }

    /// Returns the folder, if the target is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match &self.kind {
            TargetKind::Folder(folder) => Some(folder.root()),
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => None,
        }
    }

    /// Returns the number of concurrent requests: as requested, or by the store's latency.
    pub(crate) fn jobs(&self) -> usize {
        match (self.requested_jobs, &self.kind) {
            (Some(requested), _) => requested.max(1),
            (None, TargetKind::Folder(_)) => MIN_JOBS,
            #[cfg(feature = "network")]
            (None, TargetKind::Bucket(bucket)) => options::jobs_for(bucket.clock.min_latency()),
        }
    }

    /// Returns the fence, which blocks writes after the lease may have been lost.
    pub(crate) fn fence(&self) -> &Fence {
        &self.fence
    }

    /// Returns the rules for keys. `prefix` is that of a bucket's URL, as given.
    pub(crate) fn key_rules<'r>(&'r self, prefix: &'r str) -> KeyRules<'r> {
        match (self.folder(), self.url.split(':').next()) {
            (Some(folder), _) => KeyRules::Folder(folder),
            (None, Some("gs")) => KeyRules::Google(prefix),
            (None, Some("az")) => KeyRules::Azure(prefix),
            (None, _) => KeyRules::S3(prefix),
        }
    }

    /// Returns the prefix of all keys in the store: empty, or a path that ends with `/`.
    pub(crate) fn prefix(&self) -> String {
        #[cfg(feature = "network")]
        if self.folder().is_none()
            && let Ok((_, prefix)) = open_bucket::bucket(&self.url)
            && !prefix.is_empty()
        {
            return prefix + "/";
        }
        String::new()
    }

    /// Returns the number of operations so far.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }

    fn count(&self, operations: usize) {
        self.requests.fetch_add(operations, Ordering::Relaxed);
    }

    /// Returns the credentials of an S3 target.
    ///
    /// # Errors
    /// [`FailureKind::Usage`] for other targets, [`FailureKind::Credentials`] when there are none.
    #[cfg(feature = "network")]
    pub(crate) async fn credentials(&self) -> Result<Arc<object_store::aws::AwsCredential>, Failure> {
        let provider = self.credentials.as_ref().ok_or_else(|| {
            Failure::new(FailureKind::Usage, format!("{} has no AWS credentials", self.url))
        })?;
        let found = provider.get_credential().await;
        found.map_err(|error| Failure::store(&error, "cannot get credentials"))
    }

    /// Lists the objects below a prefix, by key. A bucket supports any prefix (`""` for all), a folder only the
    /// target state.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn list(&self, prefix: &str) -> Result<HashMap<String, StoredObject>, Failure> {
        self.count(1);
        match &self.kind {
            TargetKind::Folder(folder) => {
                let prefix = prefix.to_owned();
                run_blocking(folder, move |folder| folder.list(&prefix)).await
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.list(prefix).await,
        }
    }

    /// Lists the objects of a bucket whose keys are after `after` and not after `until`, in order, at most
    /// `limit`. `room` bounds the memory of all parts of a listing.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn list_between(
        &self,
        after: Option<&str>,
        until: Option<&str>,
        limit: usize,
        room: &ListingRoom,
    ) -> Result<Vec<(String, StoredObject)>, Failure> {
        self.count(1);
        match &self.kind {
            TargetKind::Folder(_) => {
                let _ = (after, until, limit, room);
                Ok(Vec::new())
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.list_between(after, until, limit, room).await,
        }
    }

    /// Reads what is at keys. A bucket is listed. In a folder, only these files are read, and those that
    /// conflict with them.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn inspect(&self, keys: &[&str]) -> Result<HashMap<String, StoredObject>, Failure> {
        let folder = match &self.kind {
            TargetKind::Folder(folder) => folder,
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => return self.list("").await,
        };
        self.count(keys.len());
        let reads = futures_util::stream::iter(keys.chunks(FILES_PER_TASK).map(|keys| {
            let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
            run_blocking(folder, move |folder| folder.inspect_all(keys))
        }));
        let found: Vec<Vec<(String, StoredObject)>> =
            reads.buffer_unordered(self.jobs()).try_collect().await?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Reads what is at one key.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn head(&self, key: &str) -> Result<Option<StoredObject>, Failure> {
        self.count(1);
        match &self.kind {
            TargetKind::Folder(folder) => {
                let key = key.to_owned();
                run_blocking(folder, move |folder| folder.inspect(&key)).await
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.head(key).await,
        }
    }

    /// Returns how long ago an object was written, by the store's own clock; none if it does not exist, or the
    /// store reports no time.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn age(&self, key: &str) -> Result<Option<Duration>, Failure> {
        self.count(1);
        match &self.kind {
            TargetKind::Folder(folder) => {
                let key = key.to_owned();
                run_blocking(folder, move |folder| Ok(folder.age(&key))).await
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.age(key).await,
        }
    }

    /// Reads an object of at most `limit` bytes; none if it does not exist.
    ///
    /// # Errors
    /// [`FailureKind::Usage`] when it is larger, and when the store does not answer.
    pub(crate) async fn get(&self, key: &str, limit: u64) -> Result<Option<Bytes>, Failure> {
        Ok(self.get_tagged(key, limit).await?.map(|found| found.body))
    }

    /// Reads an object of at most `limit` bytes, and its tag.
    ///
    /// # Errors
    /// [`FailureKind::Usage`] when it is larger, and when the store does not answer.
    pub(crate) async fn get_tagged(&self, key: &str, limit: u64) -> Result<Option<ObjectContent>, Failure> {
        self.count(1);
        match &self.kind {
            TargetKind::Folder(folder) => {
                let key = key.to_owned();
                run_blocking(folder, move |folder| folder.read(&key, limit)).await
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.get(key, limit).await,
        }
    }

    /// Whether an object has this content. It is read in chunks.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn has_content(&self, key: &str, size: u64, sha256: &str) -> Result<bool, Failure> {
        self.count(1);
        match &self.kind {
            TargetKind::Folder(folder) => {
                let key = key.to_owned();
                let found = run_blocking(folder, move |folder| folder.inspect(&key)).await?;
                Ok(found.is_some_and(|found| found.size == size && found.sha256.as_deref() == Some(sha256)))
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.has_content(key, size, sha256).await,
        }
    }

    /// Writes an object, and returns its tag. If a response is lost, finds out whether the write happened, and
    /// retries it if not.
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
        match &self.kind {
            TargetKind::Folder(folder) => {
                self.count(1);
                let key = key.to_owned();
                let written =
                    run_blocking(folder, move |folder| Ok(folder.write(&key, &body, &condition).map(Some)));
                written.await.map_err(PutError::Other)?
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => {
                self.count(1);
                bucket.put(key, &body, headers, &condition).await
            }
        }
    }

    /// Writes a large content, and returns its tag. Buckets only.
    ///
    /// # Errors
    /// [`PutError::Conflict`] when the condition did not hold, [`PutError::Different`] when the digest is
    /// wrong.
    pub(crate) async fn put_large(
        &self,
        key: &str,
        content: &LargeContent,
        headers: &BTreeMap<String, String>,
        condition: Condition,
    ) -> Result<Option<String>, PutError> {
        self.count(1);
        let _ = (content, headers, &condition);
        match &self.kind {
            TargetKind::Folder(_) => {
                let message = format!("{key}: a folder's files are staged first");
                Err(PutError::Other(Failure::new(FailureKind::Failed, message)))
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.put_large(key, content, headers, &condition).await,
        }
    }

    /// Copies an object within the target. In a bucket, an existing object that must be absent is kept. In a folder,
    /// the copy was staged before.
    ///
    /// # Errors
    /// When the store does not answer, or there is no such object.
    pub(crate) async fn copy(&self, from: &str, to: &str, condition: Condition) -> Result<(), Failure> {
        self.count(1);
        let _ = (from, to, &condition);
        match &self.kind {
            TargetKind::Folder(_) => self.switch(vec![to.to_owned()], Vec::new()).await,
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.copy(from, to, &condition).await,
        }
    }

    /// Deletes objects. Missing ones count as deleted.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn delete(&self, keys: &[String]) -> Result<(), Failure> {
        if keys.is_empty() {
            return Ok(());
        }
        self.count(keys.len());
        match &self.kind {
            TargetKind::Folder(folder) => {
                let keys = keys.to_vec();
                run_blocking(folder, move |folder| folder.delete(&keys)).await
            }
            #[cfg(feature = "network")]
            TargetKind::Bucket(bucket) => bucket.delete(keys).await,
        }
    }

    /// Makes all writes and deletions durable, so that later writes cannot survive a power loss without them. A
    /// bucket always does.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(crate) async fn flush(&self) -> Result<(), Failure> {
        match &self.kind {
            TargetKind::Folder(folder) => run_blocking(folder, TargetFolder::flush).await,
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => Ok(()),
        }
    }

    /// Deletes leftovers of interrupted writes in a folder. Requires the lease.
    ///
    /// # Errors
    /// When the target was lost.
    pub(crate) async fn sweep(&self) -> Result<(), Failure> {
        match &self.kind {
            TargetKind::Folder(folder) => run_blocking(folder, TargetFolder::sweep).await,
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => Ok(()),
        }
    }

    /// Returns the keys of leftovers of interrupted writes in a folder: in the target state, and next to the
    /// files of these keys.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(crate) async fn leftovers(&self, owned: BTreeSet<String>) -> Result<Vec<String>, Failure> {
        match &self.kind {
            TargetKind::Folder(folder) => run_blocking(folder, move |folder| folder.leftovers(&owned)).await,
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => {
                drop(owned);
                Ok(Vec::new())
            }
        }
    }

    /// Lists all files of a folder outside of the target state, by key, with their sizes. Symbolic links are
    /// not followed. Returns nothing for a bucket.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(crate) async fn site_files(&self) -> Result<BTreeMap<String, u64>, Failure> {
        match &self.kind {
            TargetKind::Folder(folder) => run_blocking(folder, TargetFolder::site_files).await,
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => Ok(BTreeMap::new()),
        }
    }

    /// Waits until no other process is changing a folder.
    ///
    /// # Errors
    /// [`FailureKind::Held`] when one does not finish.
    pub(crate) async fn wait_for_others(&self) -> Result<(), Failure> {
        match &self.kind {
            TargetKind::Folder(folder) => run_blocking(folder, TargetFolder::wait_for_others).await,
            #[cfg(feature = "network")]
            TargetKind::Bucket(_) => Ok(()),
        }
    }
}

/// Runs work on a folder on a blocking thread.
async fn run_blocking<T: Send + 'static>(
    folder: &Arc<TargetFolder>,
    work: impl FnOnce(&TargetFolder) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let folder = Arc::clone(folder);
    let done = tokio::task::spawn_blocking(move || work(&folder)).await;
    done.map_err(|error| Failure::new(FailureKind::Failed, error.to_string()))?
}
