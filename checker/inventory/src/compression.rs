//! Compresses and decompresses inventories.

use std::io::{self, Read, Write};

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use crate::error::InventoryError;

/// Maximum size of an inventory in bytes, after decompression.
pub const MAX_SIZE: u64 = 64 << 20;

/// The level of zstd: higher ones take much longer for a few per cent.
const ZSTD_LEVEL: i32 = 9;

/// The compression of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// None.
    None,
    /// Gzip.
    Gzip,
    /// Zstandard.
    Zstd,
}

impl Compression {
    /// Returns the compression that a file name asks for: `.gz`, `.zst`, or none.
    pub fn of_name(name: &str) -> Compression {
        match name.rsplit_once('.') {
            Some((_, "gz")) => Compression::Gzip,
            Some((_, "zst")) => Compression::Zstd,
            _ => Compression::None,
        }
    }

    /// Recognizes the compression of a file by its first bytes.
    pub fn of_bytes(bytes: &[u8]) -> Compression {
        match bytes {
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
            _ => Compression::None,
        }
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
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(out, ZSTD_LEVEL)?;
                encoder.include_checksum(true)?;
                encoder.write_all(text)?;
                encoder.finish()?.flush()
            }
        }
    }
}

/// Returns the decompressed bytes of a file, by its first bytes.
pub(crate) fn decompress(bytes: &[u8]) -> Result<std::borrow::Cow<'_, [u8]>, InventoryError> {
    let expanded = match Compression::of_bytes(bytes) {
        Compression::None if bytes.len() as u64 > MAX_SIZE => return Err(too_large()),
        Compression::None => return Ok(bytes.into()),
        Compression::Gzip => read_limited(MultiGzDecoder::new(bytes)),
        Compression::Zstd => zstd::Decoder::new(bytes).and_then(read_limited),
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
        Compression::Zstd => zstd::Decoder::new(bytes).ok()?.read_exact(&mut start).ok()?,
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
