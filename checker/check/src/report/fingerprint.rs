//! Computes fingerprints of findings, by which tools recognize them after lines have moved.

use std::collections::HashMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};
use sha2::{Digest, Sha256};

use super::finding::Finding;
use super::stable_text::stable_message;
use sitegate_address::hashed_name::stable_name;
use sitegate_base::hex::hex;

/// The characters to encode in a path: all except the unreserved ones of RFC 3986 and `/`. A `:` could make a relative
/// path absolute.
pub const URI_PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Computes the fingerprints of the findings of a report, in order.
///
/// A fingerprint depends on the rule, the thing and the document, never on a position, a number in the message or the
/// hash in a name. Findings that share all three are distinguished by their order.
#[derive(Default)]
pub struct Fingerprints {
    /// The number of findings so far with each fingerprint, before ordinals.
    counts: HashMap<Fingerprint, usize>,
}

type Fingerprint = [u8; 16];

impl Fingerprints {
    /// Returns the fingerprint of the next finding. `thing` is the name of its cause, or its message. `document` is
    /// the path of its file; empty if the finding represents its cause on all pages.
    pub fn next(&mut self, finding: &Finding, thing: &str, document: &str) -> String {
        let is_message = *thing == *finding.message;
        let stable =
            if is_message { stable_message(&finding.rule, thing).into() } else { stable_name(thing) };
        // A message with a number is about its file, also if it is the only one with this number.
        let is_of_file = is_message && *stable != *thing && document.is_empty();
        let document = stable_name(if is_of_file { &finding.file } else { document });
        let parts = [&*finding.rule, &*document, &*stable];
        let first = fingerprint(parts, 0);
        let count = self.counts.entry(first).or_insert(0);
        let ordinal = *count;
        *count += 1;
        hex(&if ordinal == 0 { first } else { fingerprint(parts, ordinal) })
    }
}

fn fingerprint(parts: [&str; 3], ordinal: usize) -> Fingerprint {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.update((ordinal as u64).to_le_bytes());
    let digest: [u8; 32] = hasher.finalize().into();
    std::array::from_fn(|index| digest[index])
}
