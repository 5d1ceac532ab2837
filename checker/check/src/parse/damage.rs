//! Files that are not what their names say: empty, cut off, a page saved in their place, a pointer of Git LFS.
//!
//! Only the first bytes of a file are read, and a few at the end of a PNG. Browsers tell pictures, fonts and media
//! apart by their bytes and not by their names (WHATWG MIME Sniffing, 6), so a GIF under the name of a PNG is fine.

use std::io::{self, Read, Seek, SeekFrom};

/// What a file should be, by the ending of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A picture of pixels.
    Picture,
    /// An SVG.
    Drawing,
    /// A font.
    Font,
    /// A film.
    Video,
    /// A sound.
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
    /// A feed, by an ending that only feeds have.
    Feed,
    /// A page, or anything else that nothing is known of.
    Other,
}

/// How a file is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It has no bytes, and nothing of its kind is empty.
    Empty(FileKind),
    /// It is an HTML page.
    Page(FileKind),
    /// It is the pointer that Git LFS puts in a file's place.
    LfsPointer,
    /// Its first bytes belong to no format of its kind.
    Unknown(FileKind),
    /// Its end is missing; how many bytes there should be, where it says so itself.
    CutOff(FileKind, Option<u64>),
}

/// Bytes that are read from the start of a file. A PDF may begin anywhere in them.
const HEAD: usize = 1024;

/// The last bytes of a PNG (PNG 11.2.5), with their checksum.
const PNG_END: &[u8] = b"IEND\xAE\x42\x60\x82";

/// Parts of a PNG that are looked at, for one whose end is not where it should be.
const MAX_CHUNKS: usize = 10_000;

impl FileKind {
    /// What a file should be, by the ending of its name in any case.
    pub fn of(path: &[u8]) -> FileKind {
        let name = path.rsplit(|&b| b == b'/').next().unwrap_or(path);
        let Some(dot) = name.iter().rposition(|&b| b == b'.') else { return FileKind::Other };
        let mut lower = [0u8; 12];
        let ending = &name[dot + 1..];
        let Some(ending_in_lower_case) = lower.get_mut(..ending.len()) else { return FileKind::Other };
        ending_in_lower_case.copy_from_slice(ending);
        ending_in_lower_case.make_ascii_lowercase();
        match &*ending_in_lower_case {
            b"png" | b"apng" | b"jpg" | b"jpeg" | b"jfif" | b"gif" | b"webp" | b"avif" | b"ico" | b"cur"
            | b"bmp" | b"jxl" => FileKind::Picture,
            b"svg" => FileKind::Drawing,
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
            b"rss" | b"atom" => FileKind::Feed,
            _ => FileKind::Other,
        }
    }

    /// In words, without an article.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Picture => "picture",
            FileKind::Drawing => "SVG drawing",
            FileKind::Font => "font",
            FileKind::Video => "video",
            FileKind::Audio => "sound",
            FileKind::Archive => "archive",
            FileKind::Pdf => "PDF",
            FileKind::WebAssembly => "WebAssembly module",
            FileKind::Script => "script",
            FileKind::StyleSheet => "style sheet",
            FileKind::Json => "JSON file",
            FileKind::Feed => "feed",
            FileKind::Other => "file",
        }
    }

    /// Whether a file with these first bytes may be one; `None` where anything may.
    fn accepts(self, head: &[u8]) -> Option<bool> {
        let accepted = match self {
            FileKind::Picture => is_picture(head),
            FileKind::Font => is_font(head),
            FileKind::Video | FileKind::Audio => is_media(head),
            FileKind::Archive => is_archive(head),
            FileKind::Pdf => memchr::memmem::find(head, b"%PDF-").is_some(),
            FileKind::WebAssembly => head.starts_with(b"\0asm"),
            FileKind::Drawing => is_markup(head) || is_gzip(head),
            _ => return None,
        };
        Some(accepted)
    }
}

/// How a file is damaged, by its path, its bytes and how many there are; `None` where nothing tells that it is.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn damage(path: &[u8], file: &mut (impl Read + Seek), length: u64) -> io::Result<Option<Damage>> {
    let kind = FileKind::of(path);
    let mut buffer = [0u8; HEAD];
    let filled = fill(file, &mut buffer)?;
    let head = &buffer[..filled];
    if head.is_empty() {
        return Ok(kind.accepts(head).map(|_| Damage::Empty(kind)));
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
        Some(true) => cut_off(kind, head, file, length),
        None => Ok(None),
    }
}

/// Reads until the buffer is full or the file ends.
fn fill(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Whether these are the first bytes of a whole HTML page.
fn is_page(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let begins = |start: &[u8]| text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start));
    let ends = |at: usize| text.get(at).is_none_or(|b| b.is_ascii_whitespace() || *b == b'>');
    (begins(b"<!doctype html") && ends(14)) || (begins(b"<html") && ends(5))
}

/// The pointer files of Git LFS (specification, version 1): lines of a key and a value, below 1,024 bytes.
fn is_lfs_pointer(head: &[u8]) -> bool {
    head.starts_with(b"version https://git-lfs.github.com/spec/v1")
        && head.len() < HEAD
        && memchr::memmem::find(head, b"\noid ").is_some()
        && memchr::memmem::find(head, b"\nsize ").is_some()
}

/// Whether a file is text for readers, which may show what such a pointer looks like.
fn is_prose(path: &[u8]) -> bool {
    path.ends_with(b".txt") || path.ends_with(b".md")
}

fn is_markup(head: &[u8]) -> bool {
    // UTF-16 has a zero byte beside the `<`.
    let at = memchr::memchr(b'<', head);
    at.is_some_and(|at| {
        head[..at].iter().all(|b| b.is_ascii_whitespace() || matches!(b, 0 | 0xBB | 0xBF | 0xEF..))
    })
}

fn is_gzip(head: &[u8]) -> bool {
    head.starts_with(b"\x1F\x8B")
}

fn is_picture(head: &[u8]) -> bool {
    let begins = |start: &[u8]| head.starts_with(start);
    begins(b"\x89PNG\r\n\x1A\n")
        || begins(b"\xFF\xD8\xFF")
        || begins(b"GIF8")
        || is_riff(head, b"WEBP")
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
    let is_eot = head.get(34..36) == Some(b"LP");
    const STARTS: [&[u8]; 7] = [b"wOFF", b"wOF2", b"\0\x01\0\0", b"OTTO", b"true", b"ttcf", b"typ1"];
    is_eot || STARTS.iter().any(|start| head.starts_with(start))
}

fn is_media(head: &[u8]) -> bool {
    const STARTS: [&[u8]; 7] = [b"\x1A\x45\xDF\xA3", b"OggS", b"fLaC", b"ID3", b"ADIF", b"FORM", b"FLV"];
    let is_mpeg = matches!(head, [0xFF, second, ..] if second & 0xE0 == 0xE0)
        || matches!(head, [0, 0, 1, ..] | [0x47, ..]);
    // An MP3 may begin with anything at all, as long as its frames follow; most odd ones begin with zeros.
    let is_padded = head.starts_with(b"\0\0\0\0");
    is_mpeg
        || is_padded
        || is_iso_media(head)
        || STARTS.iter().any(|start| head.starts_with(start))
        || [b"WAVE", b"AVI "].iter().any(|kind| is_riff(head, kind))
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

/// A box of the ISO base media file format (ISO/IEC 14496-12): MP4, `QuickTime`, AVIF, HEIC.
fn is_iso_media(head: &[u8]) -> bool {
    const BOXES: [&[u8; 4]; 9] =
        [b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot", b"styp", b"moof"];
    head.get(4..8).is_some_and(|name| BOXES.iter().any(|known| name == *known))
}

fn is_riff(head: &[u8], kind: &[u8; 4]) -> bool {
    (head.starts_with(b"RIFF") || head.starts_with(b"RF64")) && head.get(8..12) == Some(kind)
}

/// Whether the end of a file is missing, for the formats that tell for sure.
fn cut_off(
    kind: FileKind,
    head: &[u8],
    file: &mut (impl Read + Seek),
    length: u64,
) -> io::Result<Option<Damage>> {
    let four = |at: usize| -> [u8; 4] {
        head.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).unwrap_or_default()
    };
    let stated = match head {
        _ if is_riff(head, b"WEBP") => u64::from(u32::from_le_bytes(four(4))) + 8,
        // WOFF 1.0, 3 and WOFF 2.0, 4.1: the field `length`.
        [b'w', b'O', b'F', b'F' | b'2', ..] => u64::from(u32::from_be_bytes(four(8))),
        [0x89, b'P', b'N', b'G', ..] => {
            let is_whole = png_is_whole(head, file, length)?;
            return Ok((!is_whole).then_some(Damage::CutOff(kind, None)));
        }
        _ => return Ok(None),
    };
    // Some writers count a byte of padding that they do not write.
    Ok((stated > length + 1).then_some(Damage::CutOff(kind, Some(stated))))
}

/// Whether a PNG has its end: as the last bytes, as nearly always, or before something that was added to it.
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
    // Each chunk tells its length (PNG 5.3).
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

    use super::{Damage, FileKind, PNG_END, damage};

    fn found(name: &str, bytes: &[u8]) -> Option<Damage> {
        damage(name.as_bytes(), &mut Cursor::new(bytes), bytes.len() as u64).unwrap()
    }

    fn chunk(name: &[u8; 4], length: u32) -> Vec<u8> {
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
    fn what_is_fine() {
        assert_eq!(found("a.png", &png()), None);
        assert_eq!(found("a.png", &[&png()[..], &[7; 5000]].concat()), None, "something was added");
        assert_eq!(found("a.PNG", b"GIF89a"), None, "another format of its kind");
        assert_eq!(found("a.css", b""), None, "an empty style sheet is one");
        assert_eq!(found("a.js", b""), None);
        assert_eq!(found("a.js", b"<!-- a comment of old\nx();"), None);
        assert_eq!(found("a.bin", b"anything"), None);
        assert_eq!(found("a.html", b"<!doctype html>"), None);
        assert_eq!(found("a.svg", b"\xEF\xBB\xBF\n<svg/>"), None);
        assert_eq!(found("a.svg", b"\xFF\xFE<\0s\0v\0g\0"), None);
        assert_eq!(found("a.pdf", b"junk\n%PDF-1.4"), None);
        assert_eq!(found("git-lfs.md", b"version https://git-lfs.github.com/spec/v1\noid x\nsize 1\n"), None);
    }

    #[test]
    fn what_is_not() {
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
        assert_eq!(found("a.png", pointer), Some(Damage::LfsPointer));
        assert_eq!(found("model.glb", pointer), Some(Damage::LfsPointer));
        assert_eq!(found("a.png", b""), Some(Damage::Empty(FileKind::Picture)));
        assert_eq!(found("a.js", b"\n<!DOCTYPE html>\n"), Some(Damage::Page(FileKind::Script)));
        assert_eq!(found("a.json", b"<html lang=en>"), Some(Damage::Page(FileKind::Json)));
        assert_eq!(found("a.woff2", b"not a font at all"), Some(Damage::Unknown(FileKind::Font)));
        assert_eq!(found("a.svg", b"\x89PNG\r\n\x1A\n"), Some(Damage::Unknown(FileKind::Drawing)));
        assert_eq!(found("a.jpg", b"<svg xmlns='x'/>"), Some(Damage::Unknown(FileKind::Picture)));
    }

    #[test]
    fn what_was_cut_off() {
        let png = png();
        for end in [9, 20, 40, 1024, 2000, png.len() - 12] {
            assert_eq!(found("a.png", &png[..end]), Some(Damage::CutOff(FileKind::Picture, None)), "{end}");
        }
        assert_eq!(
            found("a.woff2", b"wOF2\0\x01\0\0\0\0\x10\0rest"),
            Some(Damage::CutOff(FileKind::Font, Some(4096)))
        );
        assert_eq!(found("a.webp", b"RIFF\x08\0\0\0WEBPVP8 "), None);
        assert_eq!(
            found("a.webp", b"RIFF\xFF\0\0\0WEBPVP8 "),
            Some(Damage::CutOff(FileKind::Picture, Some(263)))
        );
    }
}
