//! Reads content in chunks, so that a video takes no more memory than a page; and whole files into used buffers.

use std::fs::File;
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

/// Maximum size of a file that is read as a whole.
const MAX_WHOLE: u64 = 2 << 30;

/// Reads a file of a known length. Replaces the content of the buffer, and returns it.
///
/// # Errors
/// When it cannot be read, or is too large.
pub fn read_whole(file: &mut File, length: u64, mut buffer: Vec<u8>) -> io::Result<Vec<u8>> {
    if length > MAX_WHOLE {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 2 GiB"));
    }
    // Bytes of the previous file are overwritten, so only the part beyond them has to be zeroed.
    buffer.resize(usize::try_from(length).unwrap_or(usize::MAX), 0);
    let filled = fill(file, &mut buffer)?;
    buffer.truncate(filled);
    Ok(buffer)
}

/// Reads until the buffer is full or the content ends. Returns the number of bytes.
///
/// # Errors
/// When it cannot be read.
pub fn fill(content: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match content.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
