//! Detects the declared encoding of a file.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Whether the bytes begin with a byte order mark, which declares their encoding.
pub fn has_bom(source: &[u8]) -> bool {
    Encoding::for_bom(source).is_some()
}

/// Returns the encoding of a label such as `windows-1252`, unless it is Unicode.
pub(crate) fn declared_encoding(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    let is_unicode = encoding == UTF_8 || encoding == UTF_16LE || encoding == UTF_16BE;
    (!is_unicode).then_some(encoding)
}

/// Returns the encoding label in a `<meta http-equiv="content-type" content="…">`.
pub(crate) fn charset_of_content_type(content: &[u8]) -> Option<&[u8]> {
    let lower = content.to_ascii_lowercase();
    let at = memchr::memmem::find(&lower, b"charset")?;
    let rest = content[at + b"charset".len()..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (rest, ends): (&[u8], fn(&u8) -> bool) = match rest.first()? {
        b'"' => (&rest[1..], |b| *b == b'"'),
        b'\'' => (&rest[1..], |b| *b == b'\''),
        _ => (rest, |b| b.is_ascii_whitespace() || *b == b';'),
    };
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    Some(&rest[..end])
}
