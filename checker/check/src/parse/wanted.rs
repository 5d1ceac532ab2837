//! What the contract asks of a file's bytes beyond what is always read.

use md5::Md5;
use regex::bytes::Regex;
use sha2::{Digest, Sha256, Sha384, Sha512};

use crate::contract::Assertion;
use crate::contract::pattern::Paths;
use crate::hex::hex;

/// The assertions that hold for a page, by their places in the contract.
pub type Selected<'c> = [(usize, &'c Assertion)];

/// What rules ask of the bytes of files.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// What pages and style sheets must not hold.
    pub forbidden: Option<Regex>,
    /// The files whose digest is asked for, and by which algorithm.
    pub digests: Option<(Paths, Algorithm)>,
}

impl Wanted {
    /// Whether a file's digest is asked for, by its path below the root.
    pub(crate) fn digest_of(&self, path: &[u8]) -> Option<Algorithm> {
        self.digests.as_ref().filter(|(files, _)| files.contain(path)).map(|(_, algorithm)| *algorithm)
    }
}

/// A digest that file names are made with.
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
    /// The digest of some bytes, in hexadecimal.
    pub(crate) fn digest(self, content: &[u8]) -> String {
        match self {
            Algorithm::Md5 => hex(&Md5::digest(content)),
            Algorithm::Sha256 => hex(&Sha256::digest(content)),
            Algorithm::Sha384 => hex(&Sha384::digest(content)),
            Algorithm::Sha512 => hex(&Sha512::digest(content)),
        }
    }
}
