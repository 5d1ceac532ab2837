//! How bodies are compressed, by the preview as it answers and by a publish ahead of time.

use std::io::Read;

/// Bodies shorter than this are sent as they are: CDNs do not compress them either.
pub const MIN_COMPRESSED: usize = 1_000;

/// A content coding of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coding {
    /// `br`
    Brotli,
    /// `gzip`
    Gzip,
}

/// How much time a compression may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Little: someone waits for the answer.
    Quick,
    /// As much as it wants: it is done once.
    Best,
}

impl Coding {
    /// Its name in HTTP.
    pub fn as_str(self) -> &'static str {
        match self {
            Coding::Brotli => "br",
            Coding::Gzip => "gzip",
        }
    }

    /// What servers put behind a file's name to find it compressed.
    pub fn ending(self) -> &'static str {
        match self {
            Coding::Brotli => ".br",
            Coding::Gzip => ".gz",
        }
    }

    /// Compresses a body: the same bytes each time, with no name and no time in them.
    pub fn compress(self, body: &[u8], effort: Effort) -> Vec<u8> {
        let mut made = Vec::with_capacity(body.len() / 3);
        let (brotli, gzip) = match effort {
            Effort::Quick => (6, flate2::Compression::new(6)),
            Effort::Best => (11, flate2::Compression::best()),
        };
        // Reading from memory cannot fail.
        let _ = match self {
            Coding::Brotli => brotli::CompressorReader::new(body, 1 << 16, brotli, 22).read_to_end(&mut made),
            Coding::Gzip => flate2::read::GzEncoder::new(body, gzip).read_to_end(&mut made),
        };
        made
    }

    /// The path that a precompressed variant stands beside, and how it is compressed; none for other files.
    pub fn of(path: &str) -> Option<(&str, Coding)> {
        let mut codings = [Coding::Brotli, Coding::Gzip].into_iter();
        codings.find_map(|coding| Some((path.strip_suffix(coding.ending())?, coding)))
    }

    /// Whether what is compressed is this body. Of what is longer only so much is made.
    pub fn unpacks_to(self, packed: &[u8], body: &[u8]) -> bool {
        let reader: Box<dyn Read + '_> = match self {
            Coding::Brotli => Box::new(brotli::Decompressor::new(packed, 1 << 16)),
            Coding::Gzip => Box::new(flate2::read::GzDecoder::new(packed)),
        };
        let mut made = Vec::new();
        reader.take(body.len() as u64 + 1).read_to_end(&mut made).is_ok() && made == body
    }
}

/// The path that a precompressed variant stands beside; none for other files.
pub fn beside(path: &str) -> Option<&str> {
    Coding::of(path).map(|(path, _)| path)
}
