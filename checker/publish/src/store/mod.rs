//! Stores of releases: objects by key, with headers and conditional writes.

mod capabilities;
mod content;
mod fence;
mod object;

use std::time::Duration;

use async_trait::async_trait;

pub use crate::store::capabilities::{Conditions, KeyRules, StoreCapabilities, TagForm};
pub(crate) use crate::store::capabilities::{colliding_keys, invalid_keys};
pub use crate::store::content::{Content, KeyRange, LARGE, ListingRoom, MAX_DOCUMENT, Write};
pub(crate) use crate::store::fence::lease_lost;
pub use crate::store::fence::{Fence, Hold};
pub use crate::store::object::{Condition, FileIdentity, Headers, ObjectContent, StoreError, StoredObject};

/// A place for releases. Everything that a publisher does is an operation on a store.
///
/// Each write, each copy and each removal checks [`Store::fence`] with its key before every attempt, so that a publisher
/// that lost its lease cannot write. An operation is retried by the store until its outcome is known, if possible.
///
/// The default methods are right for a store without files: it stages nothing, and all of its writes are durable.
#[async_trait]
pub trait Store: Send + Sync {
    /// Returns what the store can do. It never changes.
    fn capabilities(&self) -> &StoreCapabilities;

    /// Returns the fence before its writes.
    fn fence(&self) -> &Fence;

    /// Returns the shortest time of an answer so far. Distant stores get more concurrent requests.
    fn latency(&self) -> Duration {
        Duration::ZERO
    }

    /// Creates the place itself, if it does not exist.
    async fn create(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Lists the objects in a range of keys. A store that [does not list contents](StoreCapabilities::lists_contents)
    /// supports only a prefix that is empty or ends with `/`.
    async fn list(&self, range: KeyRange<'_>) -> Result<Vec<(String, StoredObject)>, StoreError>;

    /// Returns the keys of the folders directly in a folder, with or without files; none if [keys are
    /// flat](StoreCapabilities::has_flat_keys).
    async fn folders(&self, folder: &str) -> Result<Vec<String>, StoreError> {
        let _ = folder;
        Ok(Vec::new())
    }

    /// Reads what is at keys, with its digest. Of the keys at which there is nothing, reads what conflicts with them:
    /// a file at the path of a folder, or the files of a folder at the path of a file. The default lists everything.
    async fn inspect(&self, keys: &[&str]) -> Result<Vec<(String, StoredObject)>, StoreError> {
        let _ = keys;
        self.list(KeyRange::default()).await
    }

    /// Reads what is at one key, and how long ago it was written.
    ///
    /// # Errors
    /// [`StoreError::Missing`].
    async fn head(&self, key: &str) -> Result<StoredObject, StoreError>;

    /// Reads an object of at most `limit` bytes.
    ///
    /// # Errors
    /// [`StoreError::Missing`] and [`StoreError::TooLarge`].
    async fn get(&self, key: &str, limit: u64) -> Result<ObjectContent, StoreError>;

    /// Whether an object has this content. It may be large, so it is read in chunks. A missing one has not.
    async fn has_content(&self, key: &str, size: u64, sha256: &str) -> Result<bool, StoreError>;

    /// Writes an object, and returns its tag. If the answer is lost, finds out whether the write happened.
    ///
    /// # Errors
    /// [`StoreError::Changed`] and [`StoreError::Different`].
    async fn put(
        &self,
        key: &str,
        content: &Content,
        headers: &Headers,
        condition: &Condition,
    ) -> Result<Option<String>, StoreError>;

    /// Copies an object.
    ///
    /// # Errors
    /// [`StoreError::Changed`], if the store supports such a condition for copies.
    async fn copy(&self, from: &str, to: &str, condition: &Condition) -> Result<(), StoreError>;

    /// Removes objects. Missing ones count as removed.
    async fn remove(&self, keys: &[String]) -> Result<(), StoreError>;

    /// Moves an object that no publisher reads or writes, without the lease. In a folder, it may be a folder.
    async fn move_aside(&self, from: &str, to: &str) -> Result<(), StoreError> {
        self.copy(from, to, &Condition::Always).await?;
        self.remove(&[from.to_owned()]).await
    }

    /// Starts to [stage](StoreCapabilities::stages) a number of objects, with an upper limit of the bytes that they take.
    ///
    /// # Errors
    /// When there is not enough space.
    async fn begin_staging(&self, objects: usize, bytes: u64) -> Result<(), StoreError> {
        let _ = (objects, bytes);
        Ok(())
    }

    /// Prepares a write or a copy to a key, so that little can fail when it is made.
    ///
    /// # Errors
    /// [`StoreError::Different`].
    async fn stage(&self, key: &str, content: &Content) -> Result<(), StoreError> {
        let _ = (key, content);
        Ok(())
    }

    /// Makes everything durable that was staged.
    async fn finish_staging(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Writes objects, staged or not, and returns their tags. A store that stages does so with as short a pause between
    /// them as it can.
    ///
    /// # Errors
    /// Those of [`Store::put`].
    async fn switch(&self, writes: &[Write]) -> Result<Vec<Option<String>>, StoreError> {
        put_each(self, writes).await
    }

    /// Removes what was staged and not written, by this run or an interrupted one. Requires the lease.
    async fn sweep(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Makes all writes and removals durable, so that later ones cannot survive a power loss without them.
    async fn flush(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Waits until no other publisher is in the middle of a write that its lease no longer allows.
    ///
    /// # Errors
    /// [`FailureKind::Held`](crate::failure::FailureKind::Held) when one does not finish.
    async fn wait_for_others(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Whether two keys that differ only in case, or in the encoding of accents, are one object.
    async fn are_same_object(&self, keys: [&str; 2]) -> bool {
        let _ = keys;
        false
    }

    /// Removes everything from the cache of a content delivery network in front of the store. `reference` names the
    /// request, so that a repeated one has no effect.
    ///
    /// # Errors
    /// [`FailureKind::Unverified`](crate::failure::FailureKind::Unverified): the release is live behind the cache.
    async fn invalidate(&self, distribution: &str, reference: &str) -> Result<(), StoreError> {
        let _ = (distribution, reference);
        Ok(())
    }
}

/// Puts objects one after the other, as a store does that stages nothing. Of the contents of each, the first with the right
/// digest is written.
///
/// # Errors
/// Those of [`Store::put`].
pub async fn put_each(
    store: &(impl Store + ?Sized),
    writes: &[Write],
) -> Result<Vec<Option<String>>, StoreError> {
    let mut tags = Vec::with_capacity(writes.len());
    for write in writes {
        if !write.path_conflicts.is_empty() {
            store.remove(&write.path_conflicts).await?;
        }
        let mut written = Err(StoreError::Different);
        for content in &write.contents {
            written = store.put(&write.key, content, &write.headers, &write.condition).await;
            if !matches!(written, Err(StoreError::Different)) {
                break;
            }
        }
        tags.push(written?);
    }
    Ok(tags)
}
