//! Compares files with what pages and manifests state about them: hashes (W3C Subresource Integrity), the sizes of icons
//! of apps, and the least and largest images that social networks show.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::digest::DynDigest;
use sha2::{Sha256, Sha384, Sha512};
use sitegate_base::chunks::each_chunk;

use super::view::FileView;
use crate::parse::NoteKind;
use crate::resolve::Target;
use crate::walk::FileId;

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

/// An image, and the need of its reader.
#[derive(Clone, Debug)]
pub struct ImageClaim {
    /// The file that refers to it.
    pub file: FileId,
    /// The reference.
    pub span: Range<u32>,
    /// The image.
    pub target: FileId,
    /// What its reader needs.
    pub need: ImageNeed,
}

/// A need of the reader of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageNeed {
    /// One of the sizes that a manifest states.
    Sizes(Box<str>),
    /// A size that social networks show.
    Preview,
}

/// An image that is not what its reader needs.
#[derive(Clone, Debug)]
pub struct WrongImage {
    /// The image, and what its reader needs.
    pub claim: ImageClaim,
    /// Its width and height in pixels.
    pub pixels: (u32, u32),
    /// Its size in bytes.
    pub bytes: u64,
}

/// The least width and height of a preview image (Facebook, "Images in link shares": 200 x 200).
pub const MIN_PREVIEW: u32 = 200;

/// The largest file of a preview image (the same document: 8 MB).
pub const MAX_PREVIEW: u64 = 8 << 20;

/// The least width and height of an icon by which Chromium offers to install an app.
pub const MIN_ICON: u32 = 144;

/// Number of bytes of an image to read. A JPEG has its size after its metadata, which have at most 64 KiB each.
const HEAD: u64 = 256 << 10;

/// Adds the images of a manifest, or the preview image of a page.
pub(super) fn collect_images(view: &FileView<'_>, claims: &mut Vec<ImageClaim>) {
    let FileView { file, facts, links, .. } = *view;
    let mut add = |index: usize, span: &Range<u32>, need: ImageNeed| {
        let span = span.clone();
        claims.extend(links.file(index).map(|target| ImageClaim { file, span, target, need }));
    };
    if let Some(index) = facts.metadata.social_image
        && let Some(reference) = facts.references.get(index)
    {
        add(index, &reference.span, ImageNeed::Preview);
    }
    if !view.is_page() {
        for note in &facts.metadata.notes {
            let NoteKind::StatedSizes(index, sizes) = &note.kind else { continue };
            add(*index, &note.span, ImageNeed::Sizes(sizes.as_str().into()));
        }
    }
}

impl ImageNeed {
    /// Whether an image of these pixels and bytes is what the reader needs.
    fn is_met(&self, (width, height): (u32, u32), bytes: u64) -> bool {
        match self {
            ImageNeed::Preview => width.min(height) >= MIN_PREVIEW && bytes <= MAX_PREVIEW,
            ImageNeed::Sizes(sizes) => sizes.split_ascii_whitespace().any(|size| {
                if size.eq_ignore_ascii_case("any") {
                    return width.min(height) >= MIN_ICON;
                }
                let Some((stated_width, stated_height)) = size.split_once(['x', 'X']) else { return true };
                stated_width.parse() == Ok(width) && stated_height.parse() == Ok(height)
            }),
        }
    }
}

/// Returns the images that are not what their readers need, in the order of locations. Each image is read once.
pub(crate) fn wrong_images<'p>(
    mut claims: Vec<ImageClaim>,
    path: impl Fn(FileId) -> std::borrow::Cow<'p, Path>,
) -> Vec<WrongImage> {
    claims.sort_by_key(|claim| (claim.target, claim.file, claim.span.start));
    let mut wrong = Vec::new();
    for same in claims.chunk_by(|a, b| a.target == b.target) {
        // Another stage reports files that cannot be read.
        let Ok((Some(pixels), bytes)) = measured(&path(same[0].target)) else { continue };
        let broken = same.iter().filter(|claim| !claim.need.is_met(pixels, bytes));
        wrong.extend(broken.map(|claim| WrongImage { claim: claim.clone(), pixels, bytes }));
    }
    wrong.sort_by_key(|wrong| (wrong.claim.file, wrong.claim.span.start));
    wrong
}

/// Returns the width and height of an image, and its size in bytes.
fn measured(path: &Path) -> io::Result<(Option<(u32, u32)>, u64)> {
    let file = File::open(path)?;
    let bytes = file.metadata()?.len();
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head)?;
    Ok((pixels(&head), bytes))
}

/// Returns the width and height of a PNG, GIF, WebP or JPEG by its first bytes; `None` for other formats.
fn pixels(head: &[u8]) -> Option<(u32, u32)> {
    let byte = |at: usize| head.get(at).copied().map(u32::from);
    let two_le = |at: usize| Some(byte(at)? | byte(at + 1)? << 8);
    let three_le = |at: usize| Some(two_le(at)? | byte(at + 2)? << 16);
    let two_be = |at: usize| Some(byte(at)? << 8 | byte(at + 1)?);
    let four_be = |at: usize| Some(two_be(at)? << 16 | two_be(at + 2)?);
    match head {
        [0x89, b'P', b'N', b'G', ..] => Some((four_be(16)?, four_be(20)?)),
        [b'G', b'I', b'F', b'8', ..] => Some((two_le(6)?, two_le(8)?)),
        [0xFF, 0xD8, 0xFF, ..] => {
            // Segments: a marker, then a length (ITU T.81, B.1.1.4). Those of a frame have the size.
            let mut at = 2;
            loop {
                let (mark, kind) = (byte(at)?, byte(at + 1)?);
                match (mark, kind) {
                    (0xFF, 0xFF) => at += 1,
                    (0xFF, 0xC0..=0xCF) if !matches!(kind, 0xC4 | 0xC8 | 0xCC) => {
                        return Some((two_be(at + 7)?, two_be(at + 5)?));
                    }
                    (0xFF, _) => at += 2 + two_be(at + 2)? as usize,
                    _ => return None,
                }
            }
        }
        _ if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") => match head.get(12..16)? {
            b"VP8X" => Some((three_le(24)? + 1, three_le(27)? + 1)),
            b"VP8L" => {
                let bits = two_le(21)? | two_le(23)? << 16;
                Some(((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
            }
            b"VP8 " => Some((two_le(26)? & 0x3FFF, two_le(28)? & 0x3FFF)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{ContentHashes, ImageNeed, pixels};

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

    #[test]
    fn reads_sizes_of_images() {
        let png = b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\x02\0\0\0\x01\0";
        let jpeg = b"\xFF\xD8\xFF\xE0\0\x04ab\xFF\xC0\0\x11\x08\x01\0\x02\0\x03";
        let lossless = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2F\xFF\xC1\x3F\0";
        let extended = b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\xFF\x01\0\xFF\0\0";
        let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9D\x01\x2A\0\x02\0\x01";
        for image in [&png[..], jpeg, lossless, extended, lossy, b"GIF89a\0\x02\0\x01"] {
            assert_eq!(pixels(image), Some((512, 256)), "{image:?}");
        }
        for other in [&b""[..], b"\0\0\x01\0", b"\xFF\xD8\xFF\xE0\0\x04", b"\xFF\xD8\xFF\0x"] {
            assert_eq!(pixels(other), None, "{other:?}");
        }
    }

    #[test]
    fn one_stated_size_is_enough() {
        let sizes = |text: &str| ImageNeed::Sizes(text.into());
        assert!(sizes("48x48 192X192").is_met((192, 192), 1));
        assert!(!sizes("512x512").is_met((192, 192), 1));
        assert!(sizes("any").is_met((192, 192), 1));
        assert!(!sizes("any").is_met((96, 96), 1));
        assert!(!ImageNeed::Preview.is_met((1200, 100), 1));
        assert!(!ImageNeed::Preview.is_met((1200, 630), 9 << 20));
        assert!(ImageNeed::Preview.is_met((200, 200), 1));
    }
}
