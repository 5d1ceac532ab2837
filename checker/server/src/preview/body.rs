//! Response bodies of the preview: bytes, compressed ones from a cache, and a part of a file that is read while it is
//! sent.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use sitegate_base::lock::lock;
use sitegate_host::compression::{Coding, Effort};

/// Number of bytes read at once.
const CHUNK_SIZE: u64 = 64 << 10;

/// The rest of a body that is not sent yet.
#[derive(Debug)]
pub enum PreviewBody {
    /// Bytes in memory.
    Bytes(Bytes),
    /// Bytes of a file.
    Part(File, Range<u64>),
    /// The body of a HEAD response, without content and with unknown length.
    Unknown,
}

impl<B: Into<Bytes>> From<B> for PreviewBody {
    fn from(bytes: B) -> PreviewBody {
        PreviewBody::Bytes(bytes.into())
    }
}

/// Reads the next chunk of a part, and advances its start.
fn read_chunk(mut file: &File, range: &mut Range<u64>) -> io::Result<Bytes> {
    let length = CHUNK_SIZE.min(range.end - range.start);
    let mut chunk = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    file.seek(SeekFrom::Start(range.start))?;
    // If the file was truncated, the response is cut off: its length has been sent.
    file.read_exact(&mut chunk)?;
    range.start += length;
    Ok(chunk.into())
}

impl Body for PreviewBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let next = match &mut *self {
            PreviewBody::Bytes(bytes) if !bytes.is_empty() => Ok(std::mem::take(bytes)),
            PreviewBody::Part(file, range) if !range.is_empty() => read_chunk(file, range),
            _ => return Poll::Ready(None),
        };
        if next.is_err() {
            *self = Bytes::new().into();
        }
        Poll::Ready(Some(next.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.size_hint().exact() == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            PreviewBody::Bytes(bytes) => SizeHint::with_exact(bytes.len() as u64),
            PreviewBody::Part(_, range) => SizeHint::with_exact(range.end.saturating_sub(range.start)),
            PreviewBody::Unknown => SizeHint::default(),
        }
    }
}

/// Maximum size of the cache, in bytes.
const MAX_CACHE_SIZE: usize = 64 << 20;

/// Compressed bodies, by entity tag.
#[derive(Default)]
pub(super) struct CompressedBodies(Mutex<HashMap<String, Bytes>>);

impl CompressedBodies {
    /// Returns content in compressed form. If only headers are needed, it is not compressed for them.
    pub fn get(&self, etag: &str, content: &Bytes, coding: Coding, only_headers: bool) -> PreviewBody {
        if let Some(known) = lock(&self.0).get(etag) {
            return known.clone().into();
        }
        if only_headers {
            return PreviewBody::Unknown;
        }
        let compressed = Bytes::from(coding.compress(content, Effort::Quick));
        let mut cache = lock(&self.0);
        if cache.values().map(Bytes::len).sum::<usize>() + compressed.len() > MAX_CACHE_SIZE {
            cache.clear();
        }
        cache.insert(etag.to_owned(), compressed.clone());
        compressed.into()
    }
}
