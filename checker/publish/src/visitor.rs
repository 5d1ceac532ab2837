//! The visitor of a live site: everything that a verification needs of the network.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use sha2::{Digest, Sha256};
use sitegate_base::hex::hex;
use sitegate_check::Contract;
use url::Url;

use crate::failure::Failure;
use crate::target_state::pending::SiteUrl;

/// Maximum number of bytes of a body that are kept besides its digest: larger than any page that an edge rewrites.
const MAX_KEPT: usize = 512 << 10;

/// Requests URLs of a live site. A visitor decides about addresses, retries, pace and timeouts. It follows no
/// redirects, and decodes no content.
#[async_trait]
pub trait Visitor: Send + Sync {
    /// Requests a URL by GET, and reads up to `limit` bytes of the body.
    async fn get(&self, url: &Url, limit: u64) -> Result<SiteAnswer, NoAnswer>;

    /// Requests a URL by HEAD.
    async fn head(&self, url: &Url) -> Result<SiteAnswer, NoAnswer>;
}

/// Opens visitors of live sites.
pub trait Visitors: fmt::Debug + Send + Sync {
    /// Opens a visitor of a site, with the certificates and the addresses that the contract allows. `timeout` is the
    /// time for one answer without a large body.
    ///
    /// # Errors
    /// [`crate::failure::FailureKind::Usage`] when the URL is not that of a site, or a setting of the contract is invalid.
    fn open(
        &self,
        site: SiteUrl<'_>,
        contract: &Contract,
        timeout: Duration,
    ) -> Result<Box<dyn Visitor>, Failure>;
}

/// An answer of a live site.
#[derive(Clone, Debug, Default)]
pub struct SiteAnswer {
    /// The status.
    pub status: u16,
    /// The headers in their order, by lowercase name.
    pub headers: Vec<(String, String)>,
    /// The body; empty after HEAD.
    pub body: SiteBody,
}

impl SiteAnswer {
    /// Returns the first header with a lowercase name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// Returns all headers with a lowercase name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        self.headers.iter().filter(move |(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// Whether the status is a redirect.
    pub fn is_redirect(&self) -> bool {
        (300..400).contains(&self.status)
    }
}

/// The body of an answer, as far as it was read.
#[derive(Clone, Debug, Default)]
pub struct SiteBody {
    /// The number of bytes that were read.
    pub size: u64,
    /// SHA-256 of these bytes, in hexadecimal.
    pub sha256: String,
    /// The bytes, unless they are more than `MAX_KEPT`.
    pub kept: Option<Vec<u8>>,
    /// Whether the body is longer than the limit, so that the rest was not read.
    pub is_cut: bool,
}

impl SiteBody {
    /// Returns the body that a visitor reads of these bytes.
    pub fn read(bytes: &[u8], limit: u64) -> SiteBody {
        let mut reader = BodyReader::new(limit);
        reader.add(bytes);
        reader.finish()
    }

    /// Whether it is this content.
    pub fn is(&self, size: u64, sha256: &str) -> bool {
        !self.is_cut && self.size == size && self.sha256 == sha256
    }
}

/// Reads a body in chunks.
#[derive(Debug)]
pub struct BodyReader {
    limit: u64,
    hash: Sha256,
    body: SiteBody,
}

impl BodyReader {
    /// Creates a reader of up to `limit` bytes.
    pub fn new(limit: u64) -> BodyReader {
        let body = SiteBody { kept: Some(Vec::new()), ..SiteBody::default() };
        BodyReader { limit, hash: Sha256::new(), body }
    }

    /// Adds a chunk. Returns whether more can be read.
    pub fn add(&mut self, chunk: &[u8]) -> bool {
        let room = usize::try_from(self.limit - self.body.size).unwrap_or(usize::MAX);
        let read = &chunk[..chunk.len().min(room)];
        self.body.is_cut |= read.len() < chunk.len();
        self.body.size += read.len() as u64;
        self.hash.update(read);
        match &mut self.body.kept {
            Some(kept) if kept.len() + read.len() <= MAX_KEPT => kept.extend_from_slice(read),
            kept => *kept = None,
        }
        !self.body.is_cut
    }

    /// Returns the body.
    pub fn finish(self) -> SiteBody {
        SiteBody { sha256: hex(&self.hash.finalize()), ..self.body }
    }
}

/// The reason why a request got no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NoAnswer {
    /// The reason, as the end of a sentence about the site: "it refuses connections".
    pub reason: String,
    /// Whether the request was sent. A visitor stops after several requests without an answer.
    pub was_sent: bool,
    /// Whether it was not sent because the address is private, and only the target state names it.
    pub is_private: bool,
}

#[cfg(test)]
mod tests {
    use super::SiteBody;

    #[test]
    fn reads_up_to_the_limit() {
        let whole = SiteBody::read(b"abc", 3);
        assert_eq!((whole.size, whole.is_cut, whole.kept.as_deref()), (3, false, Some(&b"abc"[..])));
        assert!(whole.is(3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        let cut = SiteBody::read(b"abcd", 3);
        assert_eq!((cut.size, cut.is_cut), (3, true));
        assert!(!cut.is(3, &whole.sha256));
        assert_eq!(SiteBody::read(&vec![0; super::MAX_KEPT + 1], u64::MAX).kept, None);
    }
}
