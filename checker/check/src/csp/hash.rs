//! Hashes inline code, and compares hashes of policies.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256, Sha384, Sha512};

use super::directive::Inline;

/// A hash source: its algorithm, and its Base64 without padding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hash {
    algorithm: HashAlgorithm,
    digest: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HashAlgorithm {
    Sha256,
    Sha384,
    Sha512,
}

impl Hash {
    /// Parses `sha256-…`, also in the alphabet for URLs.
    pub fn parse(text: &str) -> Option<Hash> {
        let (name, digest) = text.split_once('-')?;
        let algorithm = match name.to_ascii_lowercase().as_str() {
            "sha256" => HashAlgorithm::Sha256,
            "sha384" => HashAlgorithm::Sha384,
            "sha512" => HashAlgorithm::Sha512,
            _ => return None,
        };
        let is_valid = is_base64(digest);
        let digest = digest.strip_suffix("==").or(digest.strip_suffix('=')).unwrap_or(digest);
        is_valid.then(|| Hash { algorithm, digest: digest.replace('-', "+").replace('_', "/") })
    }

    /// Whether it is the hash of a text.
    pub fn matches(&self, text: &str) -> bool {
        let digest = match self.algorithm {
            HashAlgorithm::Sha256 => STANDARD.encode(Sha256::digest(text)),
            HashAlgorithm::Sha384 => STANDARD.encode(Sha384::digest(text)),
            HashAlgorithm::Sha512 => STANDARD.encode(Sha512::digest(text)),
        };
        digest.trim_end_matches('=') == self.digest
    }
}

/// Returns the hash of a text as a policy writes it, with quotes.
pub fn sha256(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

/// The kinds of inline code that sources allow separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum HashScope {
    ScriptElement,
    /// `javascript:` URLs, too: they belong to script-src-elem, but need `'unsafe-hashes'` like event handlers.
    ScriptAttribute,
    StyleElement,
    StyleAttribute,
}

/// The hashes of inline code, sorted, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InlineHashes(BTreeSet<(HashScope, String)>);

impl InlineHashes {
    /// Adds the hash of inline code.
    pub fn add(&mut self, kind: Inline, text: &str) {
        let scope = match kind {
            Inline::Script | Inline::SpeculationRules => HashScope::ScriptElement,
            Inline::Handler | Inline::Navigation => HashScope::ScriptAttribute,
            Inline::Style => HashScope::StyleElement,
            Inline::StyleAttribute => HashScope::StyleAttribute,
        };
        self.0.insert((scope, sha256(text)));
    }

    /// Adds all hashes of another page.
    pub fn merge(&mut self, other: &InlineHashes) {
        self.0.extend(other.0.iter().cloned());
    }

    /// Returns the hashes for a directive. Those of attributes have no effect without `'unsafe-hashes'`.
    pub(super) fn for_directive(&self, name: &str, has_unsafe_hashes: bool) -> BTreeSet<&str> {
        let applies = |scope: HashScope| match scope {
            HashScope::ScriptElement => matches!(name, "script-src" | "script-src-elem" | "default-src"),
            HashScope::ScriptAttribute => {
                let names = ["script-src", "script-src-elem", "script-src-attr", "default-src"];
                has_unsafe_hashes && names.contains(&name)
            }
            HashScope::StyleElement => matches!(name, "style-src" | "style-src-elem" | "default-src"),
            HashScope::StyleAttribute => {
                has_unsafe_hashes && matches!(name, "style-src" | "style-src-attr" | "default-src")
            }
        };
        self.0.iter().filter(|(scope, _)| applies(*scope)).map(|(_, hash)| hash.as_str()).collect()
    }
}

/// Whether a text is a `base64-value` (CSP 3, 2.3.1).
pub(super) fn is_base64(text: &str) -> bool {
    let digits = text.strip_suffix("==").or(text.strip_suffix('=')).unwrap_or(text);
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
    !digits.is_empty() && digits.bytes().all(is_digit)
}
