//! Large contents on their way to a bucket: sent in pieces while they are read, and put together by the store only when
//! all of it was found to be what it should be.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use object_store::path::Path;
use object_store::{Error, GetOptions, GetRange, MultipartUpload, ObjectStoreExt, PutMultipartOptions};
use sha2::{Digest, Sha256};
use sitegate_base::hex::hex;

use crate::failure::{Exit, Failure};
use crate::target::large::{LARGE, LargeContent, LargeSource};
use crate::target::object::{Condition, PutError};
use crate::target::requests::{
    Bucket, attributes, bare, is_broken, is_stopped, path, pause, persist, tag, there,
};

/// The most pieces that a store puts together is 10,000 (S3); this leaves room.
const PIECES: u64 = 9_000;

/// Pieces on their way at once.
const UNDER_WAY: usize = 2;

/// How often the whole is sent where it stays open what became of it. Each piece is sent again by itself.
const ATTEMPTS: u32 = 3;

/// Why a large content was not written.
enum Unsent {
    /// It is not what it should be.
    Different,
    /// The object at its key is not what the condition expects.
    Conflict,
    /// It could not be read on this machine.
    Unread(io::Error),
    /// The store, or the line to it.
    Store(Error),
}

impl From<Error> for Unsent {
    fn from(error: Error) -> Unsent {
        Unsent::Store(error)
    }
}

impl Bucket {
    /// Writes a large content, and gives its entity tag.
    ///
    /// Stores put pieces together without a condition, so the object is looked at right before; the fence stops whoever
    /// lost the target meanwhile. After a lost answer the object is looked at, and read where it may be ours.
    pub(crate) async fn put_large(
        &self,
        key: &str,
        content: &LargeContent,
        headers: &BTreeMap<String, String>,
        condition: &Condition,
    ) -> Result<Option<String>, PutError> {
        let to = path(key).map_err(PutError::Other)?;
        for attempt in 1.. {
            let error = match self.upload(&to, content, headers, condition).await {
                Ok(tag) => return Ok(tag),
                Err(Unsent::Different) => return Err(PutError::Different),
                Err(Unsent::Conflict) => return Err(PutError::Conflict),
                Err(Unsent::Unread(error)) => {
                    let failure =
                        Failure::new(Exit::Failed, format!("cannot read what {key} is made of: {error}"));
                    return Err(PutError::Other(failure));
                }
                Err(Unsent::Store(error)) => error,
            };
            let failure = Failure::store(&error, &format!("cannot write {key}"));
            if failure.exit != Exit::Failed || is_stopped(&error) {
                return Err(PutError::Other(failure));
            }
            // Where the answer to the last request was lost, object_store has asked again, and was told that there is no
            // such upload any more.
            match self.is_written(&to, content, condition).await {
                Ok(Some(tag)) => return Ok(Some(tag)),
                Ok(None) if attempt < ATTEMPTS && is_broken(&error) => {
                    tokio::time::sleep(pause(attempt)).await;
                }
                Ok(None) | Err(_) => return Err(PutError::Other(failure)),
            }
        }
        Err(PutError::Conflict)
    }

    /// Sends all pieces, and has them put together where they are what they should be.
    async fn upload(
        &self,
        to: &Path,
        content: &LargeContent,
        headers: &BTreeMap<String, String>,
        condition: &Condition,
    ) -> Result<Option<String>, Unsent> {
        let begin = || {
            let options =
                PutMultipartOptions { attributes: attributes(headers), ..PutMultipartOptions::default() };
            self.store.put_multipart_opts(to, options)
        };
        let mut upload = persist(begin).await?;
        let mut sent = self.send_pieces(upload.as_mut(), content).await;
        if sent.is_ok() && !self.is_expected(to, condition).await? {
            sent = Err(Unsent::Conflict);
        }
        if let Err(unsent) = sent {
            // What cannot be cleared away now, the bucket's own rule for unfinished uploads does.
            let _ = upload.abort().await;
            return Err(unsent);
        }
        let done = upload.complete().await?;
        Ok(done.e_tag.as_deref().map(bare).map(str::to_owned))
    }

    async fn send_pieces(
        &self,
        upload: &mut dyn MultipartUpload,
        content: &LargeContent,
    ) -> Result<(), Unsent> {
        let length = LARGE.max(content.size.div_ceil(PIECES));
        let (mut hash, mut under_way, mut at) = (Sha256::new(), FuturesUnordered::new(), 0);
        while at < content.size {
            let range = at..content.size.min(at + length);
            let piece;
            (piece, hash) = self.piece(content, range.clone(), hash).await?;
            if piece.len() as u64 != range.end - range.start {
                return Err(Unsent::Different);
            }
            under_way.push(upload.put_part(piece.into()));
            if under_way.len() >= UNDER_WAY
                && let Some(sent) = under_way.next().await
            {
                sent?;
            }
            at = range.end;
        }
        while let Some(sent) = under_way.next().await {
            sent?;
        }
        if hex(&hash.finalize()) == content.sha256 { Ok(()) } else { Err(Unsent::Different) }
    }

    /// A piece of a content, less than that where it has become shorter, and the hash of all up to its end.
    async fn piece(
        &self,
        content: &LargeContent,
        range: Range<u64>,
        mut hash: Sha256,
    ) -> Result<(Bytes, Sha256), Unsent> {
        let piece = match &content.from {
            LargeSource::File(_) => Bytes::new(),
            LargeSource::Key(key) => {
                let from = path(key).map_err(|_| Unsent::Different)?;
                there(self.range(&from, range.clone()).await)?.ok_or(Unsent::Different)?
            }
        };
        // Hashing takes a processor as long as sending does: it is done beside that.
        let from = content.from.clone();
        let done = tokio::task::spawn_blocking(move || {
            let piece = match from {
                LargeSource::File(file) => read(&file, range)?,
                LargeSource::Key(_) => piece,
            };
            hash.update(&piece);
            Ok((piece, hash))
        });
        done.await.map_err(io::Error::other).and_then(|done| done).map_err(Unsent::Unread)
    }

    /// A range of an object.
    async fn range(&self, from: &Path, range: Range<u64>) -> object_store::Result<Bytes> {
        persist(|| async {
            let range = Some(GetRange::Bounded(range.clone()));
            let found = self.store.get_opts(from, GetOptions { range, ..GetOptions::default() });
            found.await?.bytes().await
        })
        .await
    }

    /// Whether the object at a key is what a condition expects.
    async fn is_expected(&self, at: &Path, condition: &Condition) -> object_store::Result<bool> {
        if *condition == Condition::Always {
            return Ok(true);
        }
        let found = there(persist(|| self.store.head(at)).await)?;
        Ok(match condition {
            Condition::Unchanged(etag) => found.and_then(|found| tag(&found)).as_deref() == Some(bare(etag)),
            _ => found.is_none(),
        })
    }

    /// Finds out whether a content whose answer was lost was written, by reading it; with its entity tag.
    async fn is_written(
        &self,
        at: &Path,
        content: &LargeContent,
        condition: &Condition,
    ) -> object_store::Result<Option<String>> {
        let found = there(persist(|| self.store.head(at)).await)?;
        let found = found.filter(|found| found.size == content.size);
        let Some(tag) = found.as_ref().and_then(tag) else { return Ok(None) };
        if matches!(condition, Condition::Unchanged(etag) if bare(etag) == tag) {
            // The same content with other headers may have the same tag.
            return Ok(None);
        }
        let (mut hash, mut start) = (Sha256::new(), 0);
        while start < content.size {
            let end = content.size.min(start + LARGE);
            hash.update(self.range(at, start..end).await?);
            start = end;
        }
        Ok((hex(&hash.finalize()) == content.sha256).then_some(tag))
    }
}

/// A range of a file; less than that where it has become shorter.
fn read(file: &std::path::Path, range: Range<u64>) -> io::Result<Bytes> {
    let mut file = File::open(file)?;
    file.seek(SeekFrom::Start(range.start))?;
    let length = range.end - range.start;
    let mut piece = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    file.take(length).read_to_end(&mut piece)?;
    Ok(Bytes::from(piece))
}
