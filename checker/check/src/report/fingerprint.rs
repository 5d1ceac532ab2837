//! Names a finding so that tools know it again after lines around it have moved.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use super::sources::Sources;
use crate::diagnostic::Diagnostic;
use crate::hex::hex;

/// Gives every finding of a report its fingerprint, in the report's order.
///
/// It is made from the rule, the document's path below the root and the message, never from a position;
/// findings that share all three are told apart by their order.
#[derive(Default)]
pub struct Fingerprints {
    seen: HashMap<[u8; 16], usize>,
}

/// What a finding shares with those that only position tells apart.
pub(crate) type SharedPrint = [u8; 16];

impl Fingerprints {
    /// The first part of [`Fingerprints::next`], which needs no other finding.
    pub(crate) fn shared(diagnostic: &Diagnostic, sources: &Sources<'_>) -> SharedPrint {
        print(diagnostic, sources, 0)
    }

    /// The fingerprint of the next finding, and how many came before it that only position tells apart.
    pub fn next(&mut self, diagnostic: &Diagnostic, sources: &Sources<'_>) -> (String, usize) {
        self.next_of(Fingerprints::shared(diagnostic, sources), diagnostic, sources)
    }

    /// [`Fingerprints::next`] from its first part.
    pub(crate) fn next_of(
        &mut self,
        shared: SharedPrint,
        diagnostic: &Diagnostic,
        sources: &Sources<'_>,
    ) -> (String, usize) {
        let ordinal = self.seen.entry(shared).or_insert(0);
        let before = *ordinal;
        *ordinal += 1;
        let digest = if before == 0 { shared } else { print(diagnostic, sources, before) };
        (hex(&digest), before)
    }
}

fn print(diagnostic: &Diagnostic, sources: &Sources<'_>, ordinal: usize) -> SharedPrint {
    let name = sources.name(&diagnostic.location.place);
    let mut hasher = Sha256::new();
    for part in [diagnostic.rule.id, &name, &diagnostic.message] {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.update((ordinal as u64).to_le_bytes());
    let digest: [u8; 32] = hasher.finalize().into();
    std::array::from_fn(|index| digest[index])
}
