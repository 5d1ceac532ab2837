//! Contents read a piece at a time, so that a film takes no more memory than a page.

use std::io::{self, Read};

/// How much is read at once, in bytes.
pub const PIECE: usize = 1 << 20;

/// Hands on a content piece by piece, and gives its length.
///
/// # Errors
/// When it cannot be read.
pub fn each_piece(content: &mut dyn Read, mut take: impl FnMut(&[u8])) -> io::Result<u64> {
    // Most files are far shorter than a piece, and a buffer that must be zeroed first costs more than to read them.
    let (mut piece, mut length) = (Vec::with_capacity(64 << 10), 0);
    loop {
        piece.clear();
        let read = content.take(PIECE as u64).read_to_end(&mut piece)?;
        if read > 0 {
            take(&piece);
        }
        length += read as u64;
        if read < PIECE {
            return Ok(length);
        }
    }
}
