//! What `integrity` attributes, and those of import maps, demand of files (W3C Subresource Integrity).

use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256, Sha384, Sha512};

use super::view::FileView;
use crate::parse::Noticed;
use crate::resolve::Target;
use crate::walk::FileId;

/// What an `integrity` attribute demands of a file.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The page that demands it.
    pub file: FileId,
    /// The attribute there.
    pub span: Range<u32>,
    /// The file that must have this content.
    pub target: FileId,
    /// The attribute's value.
    pub value: Box<str>,
}

/// A claim that does not hold.
#[derive(Clone, Debug)]
pub struct BrokenClaim {
    /// The claim.
    pub claim: Claim,
    /// What the value would have to be; `None` where it names no hash that browsers know.
    pub actual: Option<String>,
}

/// The claims that a file makes.
pub(crate) fn claims(view: &FileView<'_>) -> impl Iterator<Item = Claim> {
    let FileView { file, facts, links, site, base, .. } = *view;
    let of_map = facts.import_map.iter().flat_map(|map| &map.integrity).filter_map(move |mapping| match site
        .resolver
        .resolve(base, &mapping.specifier, &mut Vec::new())
    {
        Target::File { file: target, .. } => {
            Some(Claim { file, span: mapping.span.clone(), target, value: mapping.address.clone()? })
        }
        _ => None,
    });
    let of_elements = facts.about.notes.iter().filter_map(move |note| match &note.what {
        Noticed::Integrity(index, value) => {
            let (span, value) = (note.span.clone(), value.as_str().into());
            Some(Claim { file, span, target: links.file(*index)?, value })
        }
        _ => None,
    });
    of_elements.chain(of_map)
}

/// What browsers make of a claim, given the file's bytes: only the strongest hash counts, and one of that
/// strength must match (Subresource Integrity, 3.3.5).
pub(crate) fn verify(claim: &str, content: &[u8]) -> Result<(), Option<String>> {
    let hashes: Vec<(&str, &str)> = claim
        .split_ascii_whitespace()
        .filter_map(|token| token.split('?').next()?.split_once('-'))
        .filter(|(name, _)| matches!(*name, "sha256" | "sha384" | "sha512"))
        .collect();
    let strongest = hashes.iter().map(|(name, _)| *name).max().ok_or(None)?;
    let actual = STANDARD.encode(match strongest {
        "sha256" => Sha256::digest(content).to_vec(),
        "sha384" => Sha384::digest(content).to_vec(),
        _ => Sha512::digest(content).to_vec(),
    });
    let plain = |hash: &str| hash.replace('-', "+").replace('_', "/").trim_end_matches('=').to_owned();
    let matches = hashes.iter().any(|(name, hash)| *name == strongest && plain(hash) == plain(&actual));
    if matches { Ok(()) } else { Err(Some(format!("{strongest}-{actual}"))) }
}

#[cfg(test)]
mod tests {
    use super::verify;

    #[test]
    fn only_the_strongest_hash_counts() {
        let right = "sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=";
        assert_eq!(verify(right, b"hello"), Ok(()));
        assert_eq!(verify("sha256-LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ?x", b"hello"), Ok(()));
        assert_eq!(verify(&format!("sha256-AAAA {right}"), b"hello"), Ok(()));
        assert!(verify(&format!("{right} sha512-AAAA"), b"hello").is_err_and(|actual| actual.is_some()));
        assert_eq!(verify("md5-AAAA", b"hello"), Err(None));
    }
}
