//! Verifies hashes in `integrity` attributes and in import maps (W3C Subresource Integrity).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, Read};
use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::digest::DynDigest;
use sha2::{Sha256, Sha384, Sha512};

use super::view::FileView;
use crate::parse::NoteKind;
use crate::resolve::Target;
use crate::walk::FileId;
use sitegate_base::chunks::each_chunk;

/// An `integrity` value for a file.
#[derive(Clone, Debug)]
pub struct IntegrityValue {
    /// The page with the value.
    pub file: FileId,
    /// The value's location there.
    pub span: Range<u32>,
    /// The file that must match.
    pub target: FileId,
    /// The value.
    pub value: Box<str>,
}

/// An `integrity` value that does not match its file.
#[derive(Clone, Debug)]
pub struct BrokenIntegrity {
    /// The value.
    pub value: IntegrityValue,
    /// The correct value; `None` if it names no hash algorithm that browsers support.
    pub actual: Option<String>,
}

/// Returns the `integrity` values of a file.
pub(crate) fn integrity_values(view: &FileView<'_>) -> impl Iterator<Item = IntegrityValue> {
    let FileView { file, facts, links, site, base, .. } = *view;
    let in_import_map = facts.import_map.iter().flat_map(|map| &map.integrity).filter_map(move |mapping| {
        match site.resolver.resolve(base, &mapping.specifier, &mut Vec::new()) {
            Target::File { file: target, .. } => Some(IntegrityValue {
                file,
                span: mapping.span.clone(),
                target,
                value: mapping.address.clone()?,
            }),
            _ => None,
        }
    });
    let in_elements = facts.metadata.notes.iter().filter_map(move |note| match &note.kind {
        NoteKind::Integrity(index, value) => {
            let (span, value) = (note.span.clone(), value.as_str().into());
            Some(IntegrityValue { file, span, target: links.file(*index)?, value })
        }
        _ => None,
    });
    in_elements.chain(in_import_map)
}

/// The requested hashes of a file's content, each computed once.
#[derive(Default)]
pub(crate) struct ContentHashes {
    known: BTreeMap<&'static str, String>,
}

impl ContentHashes {
    /// Verifies a value as browsers do (Subresource Integrity, 3.3.5): only the strongest algorithm counts, and one
    /// hash of it must match.
    /// On failure returns the correct value, or `None` if the value names no algorithm that browsers support.
    ///
    /// # Errors
    /// If the file cannot be read; `open` opens its content.
    pub fn verify<R: Read>(
        &mut self,
        value: &str,
        open: impl FnOnce() -> io::Result<R>,
    ) -> io::Result<Result<(), Option<String>>> {
        let strength = |name: &str| STRENGTHS.into_iter().find(|known| *known == name);
        let hashes = value.split_ascii_whitespace().filter_map(|token| {
            let (name, hash) = token.split('?').next()?.split_once('-')?;
            Some((strength(name)?, hash))
        });
        let Some(strongest) = hashes.clone().map(|(name, _)| name).max() else { return Ok(Err(None)) };
        let actual = match self.known.entry(strongest) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(hash(strongest, open()?)?),
        };
        let plain = |hash: &str| hash.replace('-', "+").replace('_', "/").trim_end_matches('=').to_owned();
        let expected = plain(actual);
        let mut hashes = hashes.filter(|(name, _)| *name == strongest);
        let matches = hashes.any(|(_, hash)| plain(hash) == expected);
        Ok(if matches { Ok(()) } else { Err(Some(format!("{strongest}-{actual}"))) })
    }
}

/// Hash algorithms that browsers support, the strongest last.
const STRENGTHS: [&str; 3] = ["sha256", "sha384", "sha512"];

/// Computes a hash in Base64.
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

    fn verify(value: &str, content: &[u8]) -> Result<(), Option<String>> {
        ContentHashes::default()
            .verify(value, || Ok(content))
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
