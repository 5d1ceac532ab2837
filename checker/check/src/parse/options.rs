//! Defines the options of parsing a file, and the reasons why it fails.

use md5::Md5;
use regex::bytes::Regex;
use sha2::digest::DynDigest;
use sha2::{Sha256, Sha384, Sha512};

use super::format::Format;
use crate::contract::Assertion;
use sitegate_address::{AddedHtml, PathPatterns};
use sitegate_base::hex::hex;
use sitegate_html::tree::TooDeep;

/// Options for parsing a file.
#[derive(Clone, Copy)]
pub struct ParseOptions<'c> {
    /// The path of the file below the root of the export.
    pub path: &'c [u8],
    /// The format of the file.
    pub format: Format,
    /// The assertions that apply to the file.
    pub selected: &'c Selected<'c>,
    /// The data that rules need from the bytes.
    pub needs: &'c ContentNeeds,
    /// The required digest.
    pub digest: Option<Algorithm>,
}

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
        self.digests
            .as_ref()
            .filter(|(files, _)| files.has_file(path, AddedHtml::default()))
            .map(|(_, algorithm)| *algorithm)
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

/// The reason why a file cannot be parsed.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Its offsets do not fit into 32 bits.
    #[error("larger than 2 GiB")]
    TooLarge,
    /// The contract's selectors cannot be matched.
    #[error("cannot match selectors: {0}")]
    Selector(#[from] TooDeep),
    /// Nested elements select far more text than the page contains.
    #[error(
        "so many nested elements match `{select}` that their texts are {times} times the page; select fewer elements"
    )]
    TooMuchText {
        /// The selector.
        select: String,
        /// The maximum text, as a multiple of the page.
        times: usize,
    },
}
