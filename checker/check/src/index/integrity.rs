//! What `integrity` attributes, and those of import maps, demand of files (W3C Subresource Integrity).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, Read};
use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::digest::DynDigest;
use sha2::{Sha256, Sha384, Sha512};

use super::view::FileView;
use crate::parse::Noticed;
use crate::resolve::Target;
use crate::walk::FileId;
use sitegate_base::chunks::each_chunk;

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

/// The hashes of a file's content that are asked for, each made once.
#[derive(Default)]
pub(crate) struct ContentHashes {
    known: BTreeMap<&'static str, String>,
}

impl ContentHashes {
    /// What browsers make of a claim (Subresource Integrity, 3.3.5): only the strongest hash counts, and one of that strength must
    /// match. Gives what the value would have to be; `None` where it names no hash that browsers know.
    ///
    /// # Errors
    /// When the file cannot be read; `open` gives its content.
    pub fn verify<R: Read>(
        &mut self,
        claim: &str,
        open: impl FnOnce() -> io::Result<R>,
    ) -> io::Result<Result<(), Option<String>>> {
        let strength = |name: &str| STRENGTHS.into_iter().find(|known| *known == name);
        let hashes = claim.split_ascii_whitespace().filter_map(|token| {
            let (name, hash) = token.split('?').next()?.split_once('-')?;
            Some((strength(name)?, hash))
        });
        let Some(strongest) = hashes.clone().map(|(name, _)| name).max() else { return Ok(Err(None)) };
        let actual = match self.known.entry(strongest) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(hash(strongest, open()?)?),
        };
        let plain = |hash: &str| hash.replace('-', "+").replace('_', "/").trim_end_matches('=').to_owned();
        let wanted = plain(actual);
        let mut hashes = hashes.filter(|(name, _)| *name == strongest);
        let matches = hashes.any(|(_, hash)| plain(hash) == wanted);
        Ok(if matches { Ok(()) } else { Err(Some(format!("{strongest}-{actual}"))) })
    }
}

/// The hashes that browsers know, the strongest last.
const STRENGTHS: [&str; 3] = ["sha256", "sha384", "sha512"];

/// The hash of a content, in Base64.
fn hash(name: &str, mut content: impl Read) -> io::Result<String> {
    let mut digest: Box<dyn DynDigest> = match name {
        "sha256" => Box::new(Sha256::default()),
        "sha384" => Box::new(Sha384::default()),
        _ => Box::new(Sha512::default()),
    };
    each_chunk(&mut content, |piece| digest.update(piece))?;
    Ok(STANDARD.encode(digest.finalize()))
}

#[cfg(test)]
mod tests {
    use super::ContentHashes;

    fn verify(claim: &str, content: &[u8]) -> Result<(), Option<String>> {
        ContentHashes::default()
            .verify(claim, || Ok(content))
            .unwrap_or_else(|error| Err(Some(error.to_string())))
    }

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
