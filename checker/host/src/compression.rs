//! Compresses response bodies, on the fly in the preview and ahead of time in a publish.

use std::io::Read;

/// Smaller bodies are not compressed, as on CDNs.
pub const MIN_COMPRESSED: usize = 1_000;

/// A content coding of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coding {
    /// `br`
    Brotli,
    /// `gzip`
    Gzip,
}

/// The effort of a compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Fast: a client waits for the response.
    Quick,
    /// Best compression: it runs once.
    Best,
}

impl Coding {
    /// Returns its name in HTTP.
    pub fn as_str(self) -> &'static str {
        match self {
            Coding::Brotli => "br",
            Coding::Gzip => "gzip",
        }
    }

    /// Returns the extension of precompressed files.
    pub fn extension(self) -> &'static str {
        match self {
            Coding::Brotli => ".br",
            Coding::Gzip => ".gz",
        }
    }

    /// Compresses a body. The output is deterministic: it has no name and no time.
    pub fn compress(self, body: &[u8], effort: Effort) -> Vec<u8> {
        let mut output = Vec::with_capacity(body.len() / 3);
        let (brotli, gzip) = match effort {
            Effort::Quick => (6, flate2::Compression::new(6)),
            Effort::Best => (11, flate2::Compression::best()),
        };
        // Reading from memory cannot fail.
        let _ = match self {
            Coding::Brotli => {
                brotli::CompressorReader::new(body, 1 << 16, brotli, 22).read_to_end(&mut output)
            }
            Coding::Gzip => flate2::read::GzEncoder::new(body, gzip).read_to_end(&mut output),
        };
        output
    }

    /// Splits the path of a precompressed variant into the path of its file and the coding; none for other
    /// files.
    pub fn split_variant(path: &str) -> Option<(&str, Coding)> {
        let mut codings = [Coding::Brotli, Coding::Gzip].into_iter();
        codings.find_map(|coding| Some((path.strip_suffix(coding.extension())?, coding)))
    }

    /// Whether compressed data decompresses to this body. Longer output is not read completely.
    pub fn decompresses_to(self, compressed: &[u8], body: &[u8]) -> bool {
        let reader: Box<dyn Read + '_> = match self {
            Coding::Brotli => Box::new(brotli::Decompressor::new(compressed, 1 << 16)),
            Coding::Gzip => Box::new(flate2::read::GzDecoder::new(compressed)),
        };
        let mut output = Vec::new();
        reader.take(body.len() as u64 + 1).read_to_end(&mut output).is_ok() && output == body
    }
}

/// Returns the path of the file that a precompressed variant belongs to; none for other files.
pub fn file_of_variant(path: &str) -> Option<&str> {
    Coding::split_variant(path).map(|(path, _)| path)
}
