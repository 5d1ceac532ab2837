//! The digest of a content, of which only a part is in memory at a time.

use std::io::{self, Read};

use sha2::Digest;

/// The digest of what is left to be read, and how many bytes that is.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn digest_of<D: Digest>(content: &mut impl Read) -> io::Result<(Vec<u8>, u64)> {
    let (mut digest, mut size) = (D::new(), 0);
    let mut buffer = vec![0; 64 << 10];
    loop {
        match content.read(&mut buffer) {
            Ok(0) => return Ok((digest.finalize().to_vec(), size)),
            Ok(length) => {
                digest.update(&buffer[..length]);
                size += length as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
