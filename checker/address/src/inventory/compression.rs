//! Compresses and decompresses inventories.

use std::io::{self, Read, Write};

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use crate::inventory::model::InventoryError;

/// Maximum size of an inventory in bytes, after decompression.
pub const MAX_SIZE: u64 = 64 << 20;

/// The first bytes of a file that is compressed by zstd.
const ZSTD_START: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The compression of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// None.
    None,
    /// Gzip.
    Gzip,
}

impl Compression {
    /// Returns the compression that a file name asks for: gzip for `.gz`, or none.
    ///
    /// # Errors
    /// If the name asks for zstd, which would need a compiler for C.
    pub fn of_name(name: &str) -> Result<Compression, InventoryError> {
        match name.rsplit_once('.') {
            Some((_, "gz")) => Ok(Compression::Gzip),
            Some((stem, "zst" | "zstd")) => {
                let stem = stem.rsplit(['/', '\\']).next().unwrap_or(stem);
                Err(InventoryError::new(format!("zstd is not supported; for gzip, name it `{stem}.gz`")))
            }
            _ => Ok(Compression::None),
        }
    }

    /// Recognizes the compression of a file by its first bytes.
    pub fn of_bytes(bytes: &[u8]) -> Compression {
        if bytes.starts_with(&[0x1f, 0x8b]) { Compression::Gzip } else { Compression::None }
    }

    /// Writes compressed text. The same text gives the same bytes.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn write(self, text: &[u8], mut out: impl Write) -> io::Result<()> {
        match self {
            Compression::None => out.write_all(text),
            Compression::Gzip => {
                let mut encoder = GzEncoder::new(out, flate2::Compression::best());
                encoder.write_all(text)?;
                encoder.finish()?.flush()
            }
        }
    }
}

/// Returns the decompressed bytes of a file, by its first bytes.
pub(crate) fn decompress(bytes: &[u8]) -> Result<std::borrow::Cow<'_, [u8]>, InventoryError> {
    if bytes.starts_with(&ZSTD_START) {
        let message = "it is compressed by zstd, which is not supported; use gzip: `zstd -dc FILE.zst | gzip > FILE.gz`";
        return Err(InventoryError::new(message));
    }
    let expanded = match Compression::of_bytes(bytes) {
        Compression::None if bytes.len() as u64 > MAX_SIZE => return Err(too_large()),
        Compression::None => return Ok(bytes.into()),
        Compression::Gzip => read_limited(MultiGzDecoder::new(bytes)),
    };
    let expanded = expanded.map_err(|error| InventoryError::new(format!("cannot decompress it: {error}")))?;
    if expanded.len() as u64 > MAX_SIZE { Err(too_large()) } else { Ok(expanded.into()) }
}

/// Returns the first bytes of a file, decompressed; `None` if it is malformed or shorter.
pub(crate) fn start(bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut start = vec![0; length];
    match Compression::of_bytes(bytes) {
        Compression::None => start.copy_from_slice(bytes.get(..length)?),
        Compression::Gzip => MultiGzDecoder::new(bytes).read_exact(&mut start).ok()?,
    }
    Some(start)
}

/// Reads at most one byte more than [`MAX_SIZE`].
pub(crate) fn read_limited(source: impl Read) -> io::Result<Vec<u8>> {
    let mut expanded = Vec::new();
    source.take(MAX_SIZE + 1).read_to_end(&mut expanded)?;
    Ok(expanded)
}

pub(crate) fn too_large() -> InventoryError {
    InventoryError::new(format!("it is larger than {} MiB", MAX_SIZE >> 20))
}
