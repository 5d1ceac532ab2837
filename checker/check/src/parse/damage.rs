//! Detects damaged files: empty, truncated, an HTML page under another name, a Git LFS pointer.
//!
//! Reads only the first bytes of a file, and some at the end of a PNG. Browsers recognize images, fonts and media by
//! their bytes, not by their names (WHATWG MIME Sniffing, 6). So a GIF with the name of a PNG is not damaged.

use std::io::{self, Read, Seek, SeekFrom};

use sitegate_address::SitePath;
use sitegate_base::chunks::fill;

/// The kind of a file, by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A raster image.
    Image,
    /// An SVG.
    Svg,
    /// A font.
    Font,
    /// A video.
    Video,
    /// An audio file.
    Audio,
    /// A ZIP, or another archive or compressed file.
    Archive,
    /// A PDF.
    Pdf,
    /// A WebAssembly module.
    WebAssembly,
    /// A script.
    Script,
    /// A style sheet.
    StyleSheet,
    /// JSON: data, a manifest, a source map.
    Json,
    /// A file of a search by Pagefind, which is never empty.
    Search,
    /// A feed, by an extension that only feeds have.
    Feed,
    /// Captions in `WebVTT`.
    Captions,
    /// A page, or an unknown kind.
    Other,
}

/// The kinds of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The file is empty, and files of its kind rarely are.
    Empty(FileKind),
    /// It is an HTML page.
    Page(FileKind),
    /// It is the pointer of a file in Git LFS.
    LfsPointer,
    /// Its first bytes match no format of its kind.
    Unknown(FileKind),
    /// It is an SVG without the namespace of SVG, which browsers do not show as an image.
    NoNamespace,
    /// It is truncated; with its full length, if the file states it.
    Truncated(FileKind, Option<u64>),
}

/// Number of bytes to read from the start of a file. A PDF may begin anywhere in them.
const HEAD: usize = 1024;

/// The last bytes of a PNG (PNG 11.2.5), with their checksum.
const PNG_END: &[u8] = b"IEND\xAE\x42\x60\x82";

/// Maximum number of chunks to read of a PNG that does not end with its end chunk.
const MAX_CHUNKS: usize = 10_000;

impl FileKind {
    /// Returns the kind of a file, by its extension in any case.
    pub fn of_path(path: &[u8]) -> FileKind {
        let path = SitePath::new(path);
        if matches!(path.name(), b"pagefind.js" | b"pagefind-entry.json") {
            return FileKind::Search;
        }
        let Some(extension) = path.extension() else { return FileKind::Other };
        let mut lower = [0u8; 12];
        let Some(lower_extension) = lower.get_mut(..extension.len()) else { return FileKind::Other };
        lower_extension.copy_from_slice(extension);
        lower_extension.make_ascii_lowercase();
        match &*lower_extension {
            b"png" | b"apng" | b"jpg" | b"jpeg" | b"jfif" | b"gif" | b"webp" | b"avif" | b"ico" | b"cur"
            | b"bmp" | b"jxl" => FileKind::Image,
            b"svg" => FileKind::Svg,
            b"woff" | b"woff2" | b"ttf" | b"otf" | b"ttc" | b"eot" => FileKind::Font,
            b"mp4" | b"m4v" | b"mov" | b"webm" | b"ogv" | b"mkv" => FileKind::Video,
            b"mp3" | b"m4a" | b"ogg" | b"oga" | b"opus" | b"wav" | b"flac" | b"aac" | b"weba" => {
                FileKind::Audio
            }
            b"zip" | b"gz" | b"tgz" | b"bz2" | b"xz" | b"7z" | b"zst" | b"epub" | b"docx" | b"xlsx"
            | b"pptx" => FileKind::Archive,
            b"pdf" => FileKind::Pdf,
            b"wasm" => FileKind::WebAssembly,
            b"js" | b"mjs" | b"cjs" => FileKind::Script,
            b"css" => FileKind::StyleSheet,
            b"json" | b"map" | b"webmanifest" => FileKind::Json,
            b"pagefind" | b"pf_filter" | b"pf_fragment" | b"pf_index" | b"pf_meta" => FileKind::Search,
            b"rss" | b"atom" => FileKind::Feed,
            b"vtt" => FileKind::Captions,
            _ => FileKind::Other,
        }
    }

    /// Returns a name for messages, without an article.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Image => "image",
            FileKind::Svg => "SVG image",
            FileKind::Font => "font",
            FileKind::Video => "video",
            FileKind::Audio => "audio file",
            FileKind::Archive => "archive",
            FileKind::Pdf => "PDF",
            FileKind::WebAssembly => "WebAssembly module",
            FileKind::Script => "script",
            FileKind::StyleSheet => "style sheet",
            FileKind::Json => "JSON file",
            FileKind::Search => "search file",
            FileKind::Feed => "feed",
            FileKind::Captions => "WebVTT file",
            FileKind::Other => "file",
        }
    }

    /// Whether a file with these first bytes may be of this kind; `None` if any bytes are accepted.
    fn accepts(self, head: &[u8]) -> Option<bool> {
        let accepted = match self {
            FileKind::Image => is_image(head),
            FileKind::Font => is_font(head),
            FileKind::Video | FileKind::Audio => is_media(head),
            FileKind::Archive => is_archive(head),
            FileKind::Pdf => memchr::memmem::find(head, b"%PDF-").is_some(),
            FileKind::WebAssembly => head.starts_with(b"\0asm"),
            FileKind::Svg => is_markup(head) || is_gzip(head),
            FileKind::Search => !head.is_empty(),
            FileKind::Captions => is_webvtt(head),
            _ => return None,
        };
        Some(accepted)
    }
}

/// Detects the damage of a file, by its path, its bytes and its length.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn detect_damage(
    path: &[u8],
    file: &mut (impl Read + Seek),
    length: u64,
) -> io::Result<Option<Damage>> {
    let kind = FileKind::of_path(path);
    let mut buffer = [0u8; HEAD];
    let filled = fill(file, &mut buffer)?;
    let head = &buffer[..filled];
    if head.is_empty() {
        let is_code = matches!(kind, FileKind::Script | FileKind::StyleSheet);
        return Ok((is_code || kind.accepts(head).is_some()).then_some(Damage::Empty(kind)));
    }
    if is_lfs_pointer(head) && !is_prose(path) {
        return Ok(Some(Damage::LfsPointer));
    }
    if kind == FileKind::Other {
        return Ok(None);
    }
    if is_page(head) {
        return Ok(Some(Damage::Page(kind)));
    }
    match kind.accepts(head) {
        Some(false) => Ok(Some(Damage::Unknown(kind))),
        Some(true) if kind == FileKind::Svg && lacks_namespace(head) => Ok(Some(Damage::NoNamespace)),
        Some(true) => detect_truncation(kind, head, file, length),
        None => Ok(None),
    }
}

/// Whether these bytes begin an HTML page.
pub(super) fn is_page(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let begins = |start: &[u8]| text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start));
    let ends = |at: usize| text.get(at).is_none_or(|b| b.is_ascii_whitespace() || *b == b'>');
    (begins(b"<!doctype html") && ends(14)) || (begins(b"<html") && ends(5))
}

/// Whether the file is a Git LFS pointer (specification, version 1): lines of a key and a value, below 1,024 bytes.
fn is_lfs_pointer(head: &[u8]) -> bool {
    head.starts_with(b"version https://git-lfs.github.com/spec/v1")
        && head.len() < HEAD
        && memchr::memmem::find(head, b"\noid ").is_some()
        && memchr::memmem::find(head, b"\nsize ").is_some()
}

/// Whether a file is documentation, which may show such a pointer.
fn is_prose(path: &[u8]) -> bool {
    path.ends_with(b".txt") || path.ends_with(b".md")
}

fn is_markup(head: &[u8]) -> bool {
    // In UTF-16 a zero byte is next to the `<`.
    let at = memchr::memchr(b'<', head);
    at.is_some_and(|at| {
        head[..at].iter().all(|b| b.is_ascii_whitespace() || matches!(b, 0 | 0xBB | 0xBF | 0xEF..))
    })
}

/// Whether the root of an SVG is surely without the namespace of SVG: its tag is complete, its name is not in it, and no
/// document type is before it, which may define one.
fn lacks_namespace(head: &[u8]) -> bool {
    let find = |text: &[u8], part: &[u8]| memchr::memmem::find(text, part);
    let Some(root) = find(head, b"<svg") else { return false };
    let (before, tag) = head.split_at(root);
    let Some(end) = memchr::memchr(b'>', tag) else { return false };
    let is_root = tag.get(4).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'>');
    is_root
        && find(before, b"<!DOCTYPE").is_none()
        // An entity may have the name.
        && [&b"http://www.w3.org/2000/svg"[..], b"&"].iter().all(|name| find(&tag[..end], name).is_none())
}

/// Whether the file has the signature that browsers require (`WebVTT`, 6.1).
fn is_webvtt(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let after = text.strip_prefix(b"WEBVTT");
    after.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

fn is_gzip(head: &[u8]) -> bool {
    head.starts_with(b"\x1F\x8B")
}

fn is_image(head: &[u8]) -> bool {
    let begins = |start: &[u8]| head.starts_with(start);
    begins(b"\x89PNG\r\n\x1A\n")
        || begins(b"\xFF\xD8\xFF")
        || begins(b"GIF8")
        || is_riff(head, *b"WEBP")
        || is_iso_media(head)
        || begins(b"\0\0\x01\0")
        || begins(b"\0\0\x02\0")
        || begins(b"BM")
        || begins(b"\xFF\x0A")
        || begins(b"\0\0\0\x0CJXL ")
        || begins(b"II*\0")
        || begins(b"MM\0*")
}

fn is_font(head: &[u8]) -> bool {
    const STARTS: [&[u8]; 7] = [b"wOFF", b"wOF2", b"\0\x01\0\0", b"OTTO", b"true", b"ttcf", b"typ1"];
    let is_eot = head.get(34..36) == Some(b"LP");
    is_eot || STARTS.iter().any(|start| head.starts_with(start))
}

fn is_media(head: &[u8]) -> bool {
    const STARTS: [&[u8]; 7] = [b"\x1A\x45\xDF\xA3", b"OggS", b"fLaC", b"ID3", b"ADIF", b"FORM", b"FLV"];
    let is_mpeg = matches!(head, [0xFF, second, ..] if second & 0xE0 == 0xE0)
        || matches!(head, [0, 0, 1, ..] | [0x47, ..]);
    // An MP3 may begin with any bytes before its frames; mostly they are zeros.
    let is_padded = head.starts_with(b"\0\0\0\0");
    is_mpeg
        || is_padded
        || is_iso_media(head)
        || STARTS.iter().any(|start| head.starts_with(start))
        || [*b"WAVE", *b"AVI "].into_iter().any(|kind| is_riff(head, kind))
}

fn is_archive(head: &[u8]) -> bool {
    const STARTS: [&[u8]; 9] = [
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"PK\x07\x08",
        b"\x1F\x8B",
        b"BZh",
        b"\xFD7zXZ\0",
        b"7z\xBC\xAF\x27\x1C",
        b"Rar!",
        b"MZ",
    ];
    let is_zstd = matches!(head, [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]);
    let is_tar = head.get(257..262) == Some(b"ustar");
    is_zstd || is_tar || STARTS.iter().any(|start| head.starts_with(start))
}

/// Whether the file begins with a box of the ISO base media file format (ISO/IEC 14496-12): MP4, `QuickTime`, AVIF,
/// HEIC.
fn is_iso_media(head: &[u8]) -> bool {
    const BOXES: [&[u8; 4]; 9] =
        [b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot", b"styp", b"moof"];
    head.get(4..8).is_some_and(|name| BOXES.iter().any(|known| name == *known))
}

fn is_riff(head: &[u8], kind: [u8; 4]) -> bool {
    (head.starts_with(b"RIFF") || head.starts_with(b"RF64")) && head.get(8..12) == Some(&kind)
}

/// Detects a truncated file, for formats that state their length or have an end marker.
fn detect_truncation(
    kind: FileKind,
    head: &[u8],
    file: &mut (impl Read + Seek),
    length: u64,
) -> io::Result<Option<Damage>> {
    let four = |at: usize| -> [u8; 4] {
        head.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).unwrap_or_default()
    };
    let stated = match head {
        _ if is_riff(head, *b"WEBP") => u64::from(u32::from_le_bytes(four(4))) + 8,
        // WOFF 1.0, 3 and WOFF 2.0, 4.1: the field `length`.
        [b'w', b'O', b'F', b'F' | b'2', ..] => u64::from(u32::from_be_bytes(four(8))),
        [0x89, b'P', b'N', b'G', ..] => {
            let is_whole = png_is_whole(head, file, length)?;
            return Ok((!is_whole).then_some(Damage::Truncated(kind, None)));
        }
        _ => return Ok(None),
    };
    // Some writers count a padding byte that they do not write.
    Ok((stated > length + 1).then_some(Damage::Truncated(kind, Some(stated))))
}

/// Whether a PNG has its end chunk: as the last bytes, as usual, or before data that was appended.
fn png_is_whole(head: &[u8], file: &mut (impl Read + Seek), length: u64) -> io::Result<bool> {
    let mut end = [0u8; PNG_END.len()];
    if head.ends_with(PNG_END) {
        return Ok(true);
    }
    if length > HEAD as u64 {
        file.seek(SeekFrom::Start(length - PNG_END.len() as u64))?;
        fill(file, &mut end)?;
        if end == PNG_END {
            return Ok(true);
        }
    }
    // Each chunk states its length (PNG 5.3).
    let mut at = 8;
    for _ in 0..MAX_CHUNKS {
        file.seek(SeekFrom::Start(at))?;
        let mut start = [0u8; 8];
        if fill(file, &mut start)? < start.len() {
            return Ok(false);
        }
        if start[4..] == *b"IEND" {
            return Ok(true);
        }
        let [a, b, c, d, ..] = start;
        at += 12 + u64::from(u32::from_be_bytes([a, b, c, d]));
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io::Cursor;

    use super::{Damage, FileKind, PNG_END, detect_damage};

    fn found(name: &str, bytes: &[u8]) -> Option<Damage> {
        detect_damage(name.as_bytes(), &mut Cursor::new(bytes), bytes.len() as u64).unwrap()
    }

    fn chunk(name: &[u8], length: u32) -> Vec<u8> {
        let mut chunk = length.to_be_bytes().to_vec();
        chunk.extend(name);
        chunk.extend(vec![0; length as usize + 4]);
        chunk
    }

    fn png() -> Vec<u8> {
        let mut png = b"\x89PNG\r\n\x1A\n".to_vec();
        png.extend(chunk(b"IHDR", 13));
        png.extend(chunk(b"IDAT", 3000));
        png.extend([0, 0, 0, 0]);
        png.extend(PNG_END);
        png
    }

    #[test]
    fn accepts_undamaged_files() {
        assert_eq!(found("a.png", &png()), None);
        assert_eq!(found("a.png", &[&png()[..], &[7; 5000]].concat()), None, "something was added");
        assert_eq!(found("a.PNG", b"GIF89a"), None, "another format of its kind");
        assert_eq!(found("a.js", b"<!-- a comment of old\nx();"), None);
        assert_eq!(found("a.bin", b"anything"), None);
        assert_eq!(found("a.html", b"<!doctype html>"), None);
        assert_eq!(found("a.svg", b"\xEF\xBB\xBF\n<svg xmlns='http://www.w3.org/2000/svg'/>"), None);
        assert_eq!(found("a.svg", b"<s:svg xmlns:s='http://www.w3.org/2000/svg'/>"), None);
        assert_eq!(found("a.svg", b"<!DOCTYPE svg PUBLIC 'a' 'b'><svg/>"), None, "the document type has it");
        assert_eq!(found("a.svg", b"<!-- cut --><svg width='"), None);
        assert_eq!(found("a.svg", b"\xFF\xFE<\0s\0v\0g\0"), None);
        assert_eq!(found("a.pdf", b"junk\n%PDF-1.4"), None);
        assert_eq!(found("a.vtt", b"\xEF\xBB\xBFWEBVTT - English\n\n"), None);
        assert_eq!(found("git-lfs.md", b"version https://git-lfs.github.com/spec/v1\noid x\nsize 1\n"), None);
    }

    #[test]
    fn detects_damaged_files() {
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
        assert_eq!(found("a.png", pointer), Some(Damage::LfsPointer));
        assert_eq!(found("model.glb", pointer), Some(Damage::LfsPointer));
        assert_eq!(found("a.svg", b"<!-- a -->\n<svg width='1'>"), Some(Damage::NoNamespace));
        assert_eq!(found("a.svg", b"<svg xmlns='https://www.w3.org/2000/svg'>"), Some(Damage::NoNamespace));
        assert_eq!(found("a.png", b""), Some(Damage::Empty(FileKind::Image)));
        assert_eq!(found("a.css", b""), Some(Damage::Empty(FileKind::StyleSheet)));
        assert_eq!(found("a.txt", b""), None);
        assert_eq!(found("a.js", b"\n<!DOCTYPE html>\n"), Some(Damage::Page(FileKind::Script)));
        assert_eq!(found("a.json", b"<html lang=en>"), Some(Damage::Page(FileKind::Json)));
        assert_eq!(found("a.woff2", b"not a font at all"), Some(Damage::Unknown(FileKind::Font)));
        assert_eq!(found("a.svg", b"\x89PNG\r\n\x1A\n"), Some(Damage::Unknown(FileKind::Svg)));
        assert_eq!(
            found("a.vtt", b"1\n00:00:01,000 --> 00:00:02,000\nHello\n"),
            Some(Damage::Unknown(FileKind::Captions))
        );
        assert_eq!(found("a.jpg", b"<svg xmlns='x'/>"), Some(Damage::Unknown(FileKind::Image)));
    }

    #[test]
    fn detects_truncated_files() {
        let png = png();
        for end in [9, 20, 40, 1024, 2000, png.len() - 12] {
            assert_eq!(found("a.png", &png[..end]), Some(Damage::Truncated(FileKind::Image, None)), "{end}");
        }
        assert_eq!(
            found("a.woff2", b"wOF2\0\x01\0\0\0\0\x10\0rest"),
            Some(Damage::Truncated(FileKind::Font, Some(4096)))
        );
        assert_eq!(found("a.webp", b"RIFF\x08\0\0\0WEBPVP8 "), None);
        assert_eq!(
            found("a.webp", b"RIFF\xFF\0\0\0WEBPVP8 "),
            Some(Damage::Truncated(FileKind::Image, Some(263)))
        );
    }
}
