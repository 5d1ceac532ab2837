//! What is kept of pages and files once their source is gone: small facts, joined across the site.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256, Sha384, Sha512};

use crate::parse::{Kind, Role};
use crate::resolve::{Route, Target};
use crate::walk::FileId;

/// What one page says of itself.
#[derive(Clone, Debug)]
pub struct PageFacts {
    /// The page.
    pub file: FileId,
    /// A hash of its title, with the place of that; none where it has no title.
    pub title: Option<(u64, Range<u32>)>,
    /// Where it says that the original is.
    pub canonical: Canonical,
    /// Whether it asks search engines to leave it out.
    pub noindex: bool,
    /// Whether it sends readers on to another page.
    pub redirects: bool,
    /// Whether it is only a part of a document, for scripts to load.
    pub is_part: bool,
}

impl PageFacts {
    /// Whether search engines should list this page itself.
    pub fn is_indexable(&self) -> bool {
        let is_original = match self.canonical {
            Canonical::None => true,
            Canonical::Own(target, _) => target == self.file,
            Canonical::Elsewhere => false,
        };
        is_original && !self.noindex && !self.redirects && !self.is_part
    }
}

/// Where a page says that its original is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Canonical {
    /// It does not say.
    None,
    /// A page of this site, and the reference.
    Own(FileId, Range<u32>),
    /// On another site, or nowhere.
    Elsewhere,
}

/// One translation that a page names by `hreflang`.
#[derive(Clone, Debug)]
pub struct Alternate {
    /// The page that names it.
    pub file: FileId,
    /// The language, in lower case.
    pub language: Box<str>,
    /// The page of this site that it leads to.
    pub target: Option<FileId>,
    /// The reference.
    pub span: Range<u32>,
}

/// A link that spells out `index.html`.
#[derive(Clone, Debug)]
pub struct IndexLink {
    /// The page that links.
    pub file: FileId,
    /// The reference there.
    pub span: Range<u32>,
}

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
    /// What the value would have to be; none where it names no hash that browsers know.
    pub actual: Option<String>,
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

/// How each file is referred to, marked by all threads at once. A file's references to itself do not count.
pub struct Usage {
    marks: Vec<AtomicU8>,
}

impl Usage {
    /// A reader or a page gets there by a reference.
    pub const LINKED: u8 = 1;
    /// Something refers to it, be it only in metadata.
    pub const USED: u8 = 2;
    /// A link leads there by its directory's name.
    pub const AS_FOLDER: u8 = 4;
    /// A sitemap lists it.
    pub const LISTED: u8 = 8;

    pub(crate) fn new(files: usize) -> Self {
        Usage { marks: (0..files).map(|_| AtomicU8::new(0)).collect() }
    }

    /// Notes a reference that leads to a file.
    pub(crate) fn mark(&self, kind: &Kind, target: &Target) {
        let Target::File { file, route } = target else { return };
        let mut mark = Usage::USED;
        match kind.role {
            _ if kind.element == "sitemap" && kind.attribute == "loc" => mark |= Usage::LISTED,
            Role::Navigate | Role::Load => mark |= Usage::LINKED,
            Role::Cite if matches!(kind.element, "form" | "button") => mark |= Usage::LINKED,
            _ => {}
        }
        if kind.role == Role::Navigate && *route == Route::Index {
            mark |= Usage::AS_FOLDER;
        }
        let marks = &self.marks[*file as usize];
        // Most references lead where others have led before, and reading is cheaper than writing.
        if marks.load(Ordering::Relaxed) & mark != mark {
            marks.fetch_or(mark, Ordering::Relaxed);
        }
    }

    /// Whether a file has this mark.
    pub fn has(&self, file: FileId, mark: u8) -> bool {
        self.marks[file as usize].load(Ordering::Relaxed) & mark != 0
    }
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
