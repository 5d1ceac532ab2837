//! What the contract asks of a file's bytes beyond what is always read.

use md5::Md5;
use regex::bytes::Regex;
use sha2::digest::DynDigest;
use sha2::{Sha256, Sha384, Sha512};

use crate::contract::Assertion;
use crate::contract::pattern::Paths;
use sitegate_base::hex::hex;

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
        let mut digest = self.begin();
        digest.update(content);
        hex(&digest.finalize())
    }

    /// A digest that is fed a piece at a time.
    pub(crate) fn begin(self) -> Box<dyn DynDigest> {
        match self {
            Algorithm::Md5 => Box::new(Md5::default()),
            Algorithm::Sha256 => Box::new(Sha256::default()),
            Algorithm::Sha384 => Box::new(Sha384::default()),
            Algorithm::Sha512 => Box::new(Sha512::default()),
        }
    }
}
