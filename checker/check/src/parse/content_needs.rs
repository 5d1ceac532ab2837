//! Declares the data that rules need from the bytes of files.

use md5::Md5;
use regex::bytes::Regex;
use sha2::digest::DynDigest;
use sha2::{Sha256, Sha384, Sha512};

use crate::contract::Assertion;
use sitegate_address::PathPatterns;
use sitegate_base::hex::hex;

/// The assertions that apply to a page, with their indexes in the contract.
pub type Selected<'c> = [(usize, &'c Assertion)];

/// The data that rules need from the bytes of files.
#[derive(Clone, Debug, Default)]
pub struct ContentNeeds {
    /// Text that pages and style sheets must not contain.
    pub forbidden: Option<Regex>,
    /// Files whose digest is needed, and the algorithm.
    pub digests: Option<(PathPatterns, Algorithm)>,
    /// Whether the texts of anchors are needed, not only their hashes.
    pub anchor_names: bool,
    /// Attributes and classes whose elements are ignored, in lowercase.
    pub ignore_attributes: Vec<String>,
}

impl ContentNeeds {
    /// Returns the algorithm if a file's digest is needed, by its path below the root.
    pub(crate) fn digest_for(&self, path: &[u8]) -> Option<Algorithm> {
        self.digests.as_ref().filter(|(files, _)| files.has_file(path)).map(|(_, algorithm)| *algorithm)
    }
}

/// A digest algorithm for file names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// MD5.
    Md5,
    /// SHA-256.
    #[default]
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

impl Algorithm {
    /// Returns the digest of some bytes in hexadecimal.
    pub(crate) fn digest(self, content: &[u8]) -> String {
        let mut digest = self.hasher();
        digest.update(content);
        hex(&digest.finalize())
    }

    /// Starts an incremental digest.
    pub(crate) fn hasher(self) -> Box<dyn DynDigest> {
        match self {
            Algorithm::Md5 => Box::new(Md5::default()),
            Algorithm::Sha256 => Box::new(Sha256::default()),
            Algorithm::Sha384 => Box::new(Sha384::default()),
            Algorithm::Sha512 => Box::new(Sha512::default()),
        }
    }
}
