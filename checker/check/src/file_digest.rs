//! The size and SHA-256 of a file, as seals have them.

use std::fs::File;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};
use sitegate_base::chunks::each_chunk;

/// The size and SHA-256 of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileDigest {
    /// Size in bytes.
    pub size: u64,
    /// SHA-256 of the content.
    pub sha256: [u8; 32],
}

impl FileDigest {
    /// Reads a file, and passes its content to `also` in chunks.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(file: &Path, mut also: impl FnMut(&[u8])) -> io::Result<FileDigest> {
        let mut hash = Sha256::new();
        let size = each_chunk(&mut File::open(file)?, |chunk| {
            hash.update(chunk);
            also(chunk);
        })?;
        Ok(FileDigest { size, sha256: hash.finalize().into() })
    }
}
