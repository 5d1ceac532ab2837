//! Reads content in chunks, so that a video takes no more memory than a page.

use std::io::{self, Read};

/// Maximum size of a chunk, in bytes.
pub const CHUNK_SIZE: usize = 1 << 20;

/// Passes content to `take` in chunks, and returns its size.
///
/// # Errors
/// When it cannot be read.
pub fn each_chunk(content: &mut dyn Read, mut take: impl FnMut(&[u8])) -> io::Result<u64> {
    // Most files are much smaller than a chunk, and zeroing a full buffer would take longer than reading them.
    let (mut chunk, mut length) = (Vec::with_capacity(64 << 10), 0);
    loop {
        chunk.clear();
        let read = content.take(CHUNK_SIZE as u64).read_to_end(&mut chunk)?;
        if read > 0 {
            take(&chunk);
        }
        length += read as u64;
        if read < CHUNK_SIZE {
            return Ok(length);
        }
    }
}
