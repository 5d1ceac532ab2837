//! The target of a release: a store, its URL, and the machine that publishes to it. Suggests the URL of a target for
//! one that is not.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use sitegate_base::shell_word::shell_word;
use sitegate_check::Seal;

use crate::failure::{Failure, FailureKind};
use crate::folder::FolderStore;
use crate::machine::{Machine, ThisMachine};
use crate::store::{
    Fence, KeyRange, LARGE, ObjectContent, Store, StoreCapabilities, StoreError, StoredObject,
};

/// Minimum bytes per second to expect for large contents.
pub const MIN_BYTES_PER_SECOND: u64 = 256 << 10;

/// Default minimum number of concurrent requests.
const MIN_JOBS: usize = 16;

/// Default maximum number of concurrent requests.
pub const MAX_JOBS: usize = 128;

/// How to reach a target. All but the number of requests is for buckets.
#[derive(Clone, Debug)]
pub struct TargetOptions {
    /// The store's URL, if it is not the provider's own.
    pub endpoint: Option<String>,
    /// The store's region.
    pub region: Option<String>,
    /// The AWS profile to take credentials from.
    pub profile: Option<String>,
    /// Whether the bucket is part of the host name instead of the path.
    pub virtual_host: bool,
    /// Whether plain http is allowed for hosts other than this machine.
    pub allow_http: bool,
    /// Timeout per request.
    pub timeout: Duration,
    /// Number of concurrent requests. The default depends on the store's latency.
    pub jobs: Option<usize>,
}

impl TargetOptions {
    /// Extends the timeout so that the largest file of a release can be sent.
    #[must_use]
    pub fn for_files_of(self, seal: &Seal) -> TargetOptions {
        // Large files are sent in chunks, with one request each.
        let largest = seal.files.iter().map(|file| file.size.min(LARGE)).max().unwrap_or(0);
        TargetOptions { timeout: self.timeout + Duration::from_secs(largest / MIN_BYTES_PER_SECOND), ..self }
    }
}

impl Default for TargetOptions {
    fn default() -> Self {
        TargetOptions {
            endpoint: None,
            region: None,
            profile: None,
            virtual_host: false,
            allow_http: false,
            timeout: Duration::from_secs(30),
            jobs: None,
        }
    }
}

/// A store to publish to.
pub struct PublishTarget {
    /// Its URL, as given.
    pub url: String,
    store: Arc<dyn Store>,
    /// The requested number of concurrent requests.
    requested_jobs: Option<usize>,
}

impl PublishTarget {
    /// Creates a target from a store. `url` names it in messages.
    pub fn new(url: impl Into<String>, store: Arc<dyn Store>) -> PublishTarget {
        PublishTarget { url: url.into(), store, requested_jobs: None }
    }

    /// Opens the folder of a `file:` URL, which need not exist yet.
    ///
    /// # Errors
    /// [`FailureKind::Usage`] when the URL names no folder.
    pub fn open_folder(url: &str) -> Result<PublishTarget, Failure> {
        Ok(PublishTarget::new(url, Arc::new(FolderStore::open(url, Arc::new(ThisMachine::default()))?)))
    }

    /// Reports a URL that is no target, and suggests one that is.
    pub fn unknown(url: &str) -> Failure {
        Failure::new(FailureKind::Usage, format!("`{url}` is not a target")).help(target_help(url))
    }

    /// Sets the number of concurrent requests. The default depends on the store's latency.
    #[must_use]
    pub fn with_jobs(self, jobs: Option<usize>) -> PublishTarget {
        PublishTarget { requested_jobs: jobs, ..self }
    }

    /// Returns its URL as a word of a command to paste.
    pub(crate) fn url_word(&self) -> Cow<'_, str> {
        shell_word(&self.url)
    }

    /// Returns the capabilities of the store.
    pub(crate) fn capabilities(&self) -> &StoreCapabilities {
        self.store.capabilities()
    }

    /// Returns the store.
    pub(crate) fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Returns the fence, which blocks writes after the lease may have been lost.
    pub(crate) fn fence(&self) -> &Fence {
        self.store.fence()
    }

    /// Returns the machine that publishes.
    pub(crate) fn machine(&self) -> &dyn Machine {
        &**self.store.fence().machine()
    }

    /// Returns the number of concurrent requests: as requested, or by the store's latency.
    pub(crate) fn jobs(&self) -> usize {
        self.requested_jobs.map_or_else(|| jobs_for(self.store.latency()), |jobs| jobs.max(1))
    }

    /// Lists the objects below a prefix, by key.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn list(&self, prefix: &str) -> Result<BTreeMap<String, StoredObject>, Failure> {
        Ok(self.store.list(KeyRange::below(prefix)).await?.into_iter().collect())
    }

    /// Reads what is at keys, and what conflicts with them.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn inspect(&self, keys: &[&str]) -> Result<BTreeMap<String, StoredObject>, Failure> {
        Ok(self.store.inspect(keys).await?.into_iter().collect())
    }

    /// Reads what is at one key.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn head(&self, key: &str) -> Result<Option<StoredObject>, Failure> {
        match self.store.head(key).await {
            Err(StoreError::Missing) => Ok(None),
            found => Ok(Some(found?)),
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
        match self.store.get(key, limit).await {
            Err(StoreError::Missing) => Ok(None),
            Err(StoreError::TooLarge) => {
                let message = format!("{key} has more than {limit} bytes, so sitegate did not write it");
                Err(Failure::new(FailureKind::Usage, message))
            }
            found => Ok(Some(found?)),
        }
    }

    /// Removes objects. Missing ones count as removed.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn delete(&self, keys: &[String]) -> Result<(), Failure> {
        if keys.is_empty() {
            return Ok(());
        }
        Ok(self.store.remove(keys).await?)
    }

    /// Makes all writes and removals durable.
    ///
    /// # Errors
    /// When the store refuses.
    pub(crate) async fn flush(&self) -> Result<(), Failure> {
        Ok(self.store.flush().await?)
    }
}

/// Returns the number of concurrent requests for a store with this latency: one per millisecond, which makes a
/// thousand per second.
fn jobs_for(latency: Duration) -> usize {
    usize::try_from(latency.as_millis()).unwrap_or(MAX_JOBS).clamp(MIN_JOBS, MAX_JOBS)
}

/// Returns how to write a target.
fn target_help(url: &str) -> String {
    match url.split_once("://") {
        Some(("http" | "https", rest)) => match bucket_url(rest) {
            Some(bucket) => format!("did you mean {bucket}?"),
            None => {
                "write a bucket as s3://BUCKET/PREFIX, gs://… or az://…, and set its server with --endpoint"
                    .to_owned()
            }
        },
        Some((scheme, rest)) if is_other_case(scheme) => {
            format!("did you mean {}://{rest}?", scheme.to_ascii_lowercase())
        }
        None if !url.is_empty() => match std::path::absolute(url) {
            Ok(path) if url.contains(['/', '\\', '.']) => {
                format!("write a folder as file://{}", path.display())
            }
            Ok(path) => format!("write a folder as file://{}, or a bucket as s3://{url}", path.display()),
            Err(_) => "write a folder as file:///FOLDER".to_owned(),
        },
        _ => "write a target as s3://BUCKET/PREFIX, gs://…, az://… or file:///FOLDER".to_owned(),
    }
}

/// Whether a scheme is one of targets in upper case. Schemes of targets are compared byte for byte.
fn is_other_case(scheme: &str) -> bool {
    let lower = scheme.to_ascii_lowercase();
    lower != scheme && ["s3", "gs", "az", "file"].contains(&lower.as_str())
}

/// Returns the target that the web address of a bucket means.
fn bucket_url(address: &str) -> Option<String> {
    let (host, path) = address.split_once('/').unwrap_or((address, ""));
    let named = |scheme: &str, bucket: &str, prefix: &str| {
        let url = format!("{scheme}://{bucket}/{prefix}");
        (!bucket.is_empty()).then(|| url.trim_end_matches('/').to_owned())
    };
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    if host == "storage.googleapis.com" {
        return named("gs", first, rest);
    }
    if host.ends_with(".blob.core.windows.net") {
        return named("az", first, rest);
    }
    let service = host.strip_suffix(".amazonaws.com")?;
    if service == "s3" || service.starts_with("s3.") || service.starts_with("s3-") {
        return named("s3", first, rest);
    }
    let bucket = service.rfind(".s3").map(|at| &service[..at])?;
    named("s3", bucket, path)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    #[test]
    fn distant_stores_get_more_concurrent_requests() {
        let jobs = |millis| super::jobs_for(Duration::from_millis(millis));
        assert_eq!([0, 5, 16, 40, 90, 500, u64::MAX].map(jobs), [16, 16, 16, 40, 90, 128, 128]);
    }
}
