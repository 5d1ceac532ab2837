//! Uploads large contents to a bucket in parts while they are read. The store joins the parts only if the
//! digest is right.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use bytes::Bytes;
use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{Error, GetOptions, GetRange, MultipartUpload, ObjectStoreExt, PutMultipartOptions};
use sha2::{Digest, Sha256};
use sitegate_base::hex::hex;
use tokio::task::JoinSet;

use crate::bucket::bucket_store::{
    Bucket, WriteOutcome, attributes, none_if_missing, path, read_body, tag, too_long, unquoted,
};
use crate::bucket::store_failure::{backoff, is_disconnected, is_fenced, retry, store_failure};
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::store::{Condition, Content, Headers, LARGE, StoreError};

/// Maximum number of parts. S3 allows 10,000.
const MAX_PARTS: u64 = 9_000;

/// Number of concurrent parts.
const CONCURRENT_PARTS: usize = 2;

/// Maximum number of attempts for the whole upload. Each part is retried on its own.
const MAX_ATTEMPTS: u32 = 3;

/// The reason why a large content was not written.
enum UploadError {
    /// Its digest is wrong.
    Different,
    /// The object at its key does not match the condition.
    Conflict,
    /// It could not be read on this machine.
    Unreadable(io::Error),
    /// The store or the connection failed.
    Store(Error),
}

impl From<Error> for UploadError {
    fn from(error: Error) -> UploadError {
        UploadError::Store(error)
    }
}

impl Bucket {
    /// Writes a large content, and returns its entity tag.
    ///
    /// Multipart uploads have no conditions, so the object is checked right before; the fence blocks a
    /// publisher that lost its lease. If a response is lost, the object is read to see whether it was written.
    pub(crate) async fn put_large(
        &self,
        key: &str,
        content: &Content,
        headers: &Headers,
        condition: &Condition,
    ) -> Result<Option<String>, StoreError> {
        let to = path(key)?;
        for attempt in 1.. {
            let error = match self.upload(&to, content, headers, condition).await {
                Ok(tag) => return Ok(tag),
                Err(UploadError::Different) => return Err(StoreError::Different),
                Err(UploadError::Conflict) => return Err(StoreError::Changed),
                Err(UploadError::Unreadable(error)) => {
                    let failure = Failure::new(
                        FailureKind::Failed,
                        format!("cannot read the content of {key}: {error}"),
                    );
                    return Err(failure.into());
                }
                Err(UploadError::Store(error)) => error,
            };
            let failure = store_failure(&error, &format!("cannot write {key}"));
            if failure.kind != FailureKind::Failed || is_fenced(&error) {
                return Err(failure.into());
            }
            // If the response to the last request was lost, `object_store` has retried it and got "no such
            // upload".
            let sha256 = content.sha256();
            match self.find_outcome(&to, (content.size(), &sha256), None, headers, condition).await {
                Ok(WriteOutcome::Written(tag)) => return Ok(tag),
                Ok(_) if attempt < MAX_ATTEMPTS && is_disconnected(&error) => {
                    tokio::time::sleep(backoff(attempt)).await;
                }
                _ => return Err(failure.into()),
            }
        }
        Err(StoreError::Changed)
    }

    /// Sends all parts, and completes the upload if the digest is right.
    async fn upload(
        &self,
        to: &Path,
        content: &Content,
        headers: &Headers,
        condition: &Condition,
    ) -> Result<Option<String>, UploadError> {
        let begin = || {
            let options =
                PutMultipartOptions { attributes: attributes(headers), ..PutMultipartOptions::default() };
            self.store.put_multipart_opts(to, options)
        };
        let mut upload = retry(begin).await?;
        let mut sent = self.send_parts(upload.as_mut(), content).await;
        if sent.is_ok() && !self.is_expected(to, condition).await? {
            sent = Err(UploadError::Conflict);
        }
        if let Err(error) = sent {
            // If this fails, the bucket's lifecycle rule for incomplete uploads removes the parts.
            let _ = upload.abort().await;
            return Err(error);
        }
        let done = upload.complete().await?;
        Ok(done.e_tag.as_deref().map(unquoted).map(str::to_owned))
    }

    async fn send_parts(
        &self,
        upload: &mut dyn MultipartUpload,
        content: &Content,
    ) -> Result<(), UploadError> {
        let length = LARGE.max(content.size().div_ceil(MAX_PARTS));
        // Tasks of their own: signing hashes each part again, and other parts are sent meanwhile.
        let (mut hash, mut in_flight, mut at) = (Sha256::new(), JoinSet::new(), 0);
        while at < content.size() {
            let range = at..content.size().min(at + length);
            let part;
            (part, hash) = self.part(content, range.clone(), hash).await?;
            if part.len() as u64 != range.end - range.start {
                return Err(UploadError::Different);
            }
            // The next part is read while others are sent.
            if in_flight.len() >= CONCURRENT_PARTS {
                finish_part(&mut in_flight).await?;
            }
            in_flight.spawn(upload.put_part(part.into()));
            at = range.end;
        }
        while !in_flight.is_empty() {
            finish_part(&mut in_flight).await?;
        }
        if hex(&hash.finalize()) == content.sha256() { Ok(()) } else { Err(UploadError::Different) }
    }

    /// Reads a part of a content, and updates the hash. The part is shorter if the content was truncated.
    async fn part(
        &self,
        content: &Content,
        range: Range<u64>,
        mut hash: Sha256,
    ) -> Result<(Bytes, Sha256), UploadError> {
        let part = match content {
            Content::File { .. } => Bytes::new(),
            Content::Bytes(bytes) => {
                let at = |offset| usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
                bytes.slice(at(range.start)..at(range.end))
            }
            Content::Key { key, .. } => {
                let from = path(key).map_err(|_| UploadError::Different)?;
                none_if_missing(self.range(&from, range.clone()).await)?.ok_or(UploadError::Different)?
            }
        };
        // Hashing takes as long as sending, so it runs on another thread.
        let file = if let Content::File { path, .. } = content { Some(path.clone()) } else { None };
        let done = tokio::task::spawn_blocking(move || {
            let part = file.map_or(Ok(part), |file| read(&file, range))?;
            hash.update(&part);
            Ok((part, hash))
        });
        done.await.map_err(io::Error::other).and_then(|done| done).map_err(UploadError::Unreadable)
    }

    /// Reads a range of an object.
    async fn range(&self, from: &Path, range: Range<u64>) -> object_store::Result<Bytes> {
        retry(|| async {
            let range = Some(GetRange::Bounded(range.clone()));
            let found = self.store.get_opts(from, GetOptions { range, ..GetOptions::default() });
            read_body(found.await?).await
        })
        .await
    }

    /// Whether the object at a key matches a condition.
    async fn is_expected(&self, at: &Path, condition: &Condition) -> object_store::Result<bool> {
        if *condition == Condition::Always {
            return Ok(true);
        }
        let found = none_if_missing(retry(|| self.store.head(at)).await)?;
        Ok(match condition {
            Condition::Unchanged(etag) => {
                found.and_then(|found| tag(&found)).as_deref() == Some(unquoted(etag))
            }
            _ => found.is_none(),
        })
    }

    /// Returns the SHA-256 of the first `size` bytes of an object.
    pub(super) async fn digest(&self, at: &Path, size: u64) -> object_store::Result<String> {
        let (mut hash, mut start) = (Sha256::new(), 0);
        while start < size {
            let end = size.min(start + LARGE);
            hash = retry(|| async {
                let (mut hash, mut left) = (hash.clone(), end - start);
                let range = Some(GetRange::Bounded(start..end));
                let found = self.store.get_opts(at, GetOptions { range, ..GetOptions::default() }).await?;
                let mut chunks = found.into_stream();
                while let Some(chunk) = chunks.try_next().await? {
                    left = left.checked_sub(chunk.len() as u64).ok_or_else(too_long)?;
                    hash.update(&chunk);
                }
                Ok(hash)
            })
            .await?;
            start = end;
        }
        Ok(hex(&hash.finalize()))
    }
}

/// Waits until one of the parts in flight is sent.
async fn finish_part(in_flight: &mut JoinSet<object_store::Result<()>>) -> Result<(), UploadError> {
    match in_flight.join_next().await {
        Some(Ok(sent)) => Ok(sent?),
        Some(Err(error)) => Err(UploadError::Unreadable(io::Error::other(error))),
        None => Ok(()),
    }
}

/// Reads a range of a file; less if the file was truncated.
fn read(file: &std::path::Path, range: Range<u64>) -> io::Result<Bytes> {
    let mut file = File::open(file)?;
    file.seek(SeekFrom::Start(range.start))?;
    let length = range.end - range.start;
    let mut part = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    file.take(length).read_to_end(&mut part)?;
    Ok(Bytes::from(part))
}
