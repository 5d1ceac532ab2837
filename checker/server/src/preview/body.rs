//! Response bodies of the preview: bytes, and parts of files that are read while they are sent.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

/// Number of bytes read at once.
const CHUNK_SIZE: u64 = 64 << 10;

/// A body made of segments.
#[derive(Debug, Default)]
pub struct PreviewBody {
    segments: VecDeque<BodySegment>,
    /// Whether its length is unknown.
    unknown: bool,
}

#[derive(Debug)]
enum BodySegment {
    Bytes(Bytes),
    /// Bytes of a file.
    Part(Arc<File>, Range<u64>),
}

impl BodySegment {
    fn length(&self) -> u64 {
        match self {
            BodySegment::Bytes(bytes) => bytes.len() as u64,
            BodySegment::Part(_, range) => range.end - range.start,
        }
    }
}

impl PreviewBody {
    /// Creates the body of a HEAD response, without content and with unknown length.
    pub(super) fn unknown() -> PreviewBody {
        PreviewBody { unknown: true, ..PreviewBody::default() }
    }

    /// Adds bytes.
    pub(super) fn push(&mut self, bytes: impl Into<Bytes>) {
        let bytes = bytes.into();
        if !bytes.is_empty() {
            self.segments.push_back(BodySegment::Bytes(bytes));
        }
    }

    /// Adds a part of a file.
    pub(super) fn push_part(&mut self, file: &Arc<File>, range: Range<u64>) {
        if !range.is_empty() {
            self.segments.push_back(BodySegment::Part(Arc::clone(file), range));
        }
    }
}

impl<B: Into<Bytes>> From<B> for PreviewBody {
    fn from(bytes: B) -> PreviewBody {
        let mut body = PreviewBody::default();
        body.push(bytes);
        body
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
        let next = match self.segments.pop_front() {
            None => return Poll::Ready(None),
            Some(BodySegment::Bytes(bytes)) => Ok(bytes),
            Some(BodySegment::Part(file, mut range)) => {
                let read = read_chunk(&file, &mut range);
                if !range.is_empty() {
                    self.segments.push_front(BodySegment::Part(file, range));
                }
                read
            }
        };
        Poll::Ready(Some(next.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.segments.is_empty() && !self.unknown
    }

    fn size_hint(&self) -> SizeHint {
        if self.unknown {
            SizeHint::default()
        } else {
            SizeHint::with_exact(self.segments.iter().map(BodySegment::length).sum())
        }
    }
}
