//! Contents read a piece at a time, so that a film takes no more memory than a page.

use std::io::{self, Read};

/// How much is read at once, in bytes.
pub const PIECE: usize = 1 << 20;

/// Hands on a content piece by piece, and gives its length.
///
/// # Errors
/// When it cannot be read.
pub fn each_piece(content: &mut dyn Read, mut take: impl FnMut(&[u8])) -> io::Result<u64> {
    let (mut piece, mut length) = (vec![0; PIECE], 0);
    loop {
        match content.read(&mut piece) {
            Ok(0) => return Ok(length),
            Ok(read) => {
                take(&piece[..read]);
                length += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
