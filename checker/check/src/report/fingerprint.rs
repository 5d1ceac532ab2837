//! Names what is reported so that tools know it again after lines around it have moved.

use std::collections::HashMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};
use sha2::{Digest, Sha256};

use super::finding::Finding;
use sitegate_base::hex::hex;

/// All but the unreserved characters of RFC 3986 and `/`: a `:` could make a relative path absolute.
pub const URI_PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Gives all that is reported fingerprints, in one order.
///
/// One is made from the rule, what it is about, and the document where it is told by that, never from a position; those that share all
/// three are told apart by their order.
#[derive(Default)]
pub struct Fingerprints {
    resolved: HashMap<SharedPrint, usize>,
}

/// What those share that only order tells apart.
type SharedPrint = [u8; 16];

impl Fingerprints {
    /// The fingerprint of the next finding. `thing` is what it is about: the name of its cause, or its message. `document` is the path
    /// of the file that it is in; empty where it is told wherever it is met.
    pub fn next(&mut self, finding: &Finding, thing: &str, document: &str) -> String {
        let parts = [&*finding.rule, document, thing];
        let shared = print(parts, 0);
        let ordinal = self.resolved.entry(shared).or_insert(0);
        let before = *ordinal;
        *ordinal += 1;
        hex(&if before == 0 { shared } else { print(parts, before) })
    }
}

fn print(parts: [&str; 3], ordinal: usize) -> SharedPrint {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.update((ordinal as u64).to_le_bytes());
    let digest: [u8; 32] = hasher.finalize().into();
    std::array::from_fn(|index| digest[index])
}
