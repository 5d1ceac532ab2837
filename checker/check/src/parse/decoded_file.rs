//! Decodes files: a byte order mark decides, or else the declaration of the format.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use sitegate_html::syntax::PageSyntax;

use super::declared_encoding::declared_encoding;
use super::format::{Format, syntax_of};
use super::page::Page;
use super::source::Source;

/// A decoded file, and how it was decoded.
#[derive(Debug, Default)]
pub struct DecodedFile {
    /// The content.
    pub source: Source,
    /// Whether the content has other bytes than the file, so that its offsets are not those of the file.
    pub is_transcoded: bool,
    /// The name of the declared encoding, if some bytes are invalid in it and it is not UTF-8.
    pub damaged: Option<&'static str>,
    /// The name of the declared encoding, if the content is UTF-8.
    pub misdeclared: Option<&'static str>,
}

impl DecodedFile {
    /// Decodes a file by its [`file_encoding`].
    pub fn read(format: Format, syntax: PageSyntax, bytes: Vec<u8>) -> DecodedFile {
        DecodedFile::new(file_encoding(format, syntax, &bytes), bytes)
    }

    /// Decodes a file in an encoding, which is UTF-8 if it is not known.
    pub fn new(encoding: Option<&'static Encoding>, bytes: Vec<u8>) -> DecodedFile {
        let Some(encoding) = encoding.filter(|encoding| *encoding != UTF_8) else {
            return DecodedFile { source: Source::from(bytes), ..DecodedFile::default() };
        };
        let is_utf16 = encoding == UTF_16LE || encoding == UTF_16BE;
        let (text, is_damaged) = match Encoding::for_bom(&bytes) {
            Some(_) => (encoding.decode_with_bom_removal(&bytes).0, false),
            None => encoding.decode_without_bom_handling(&bytes),
        };
        // Text in such an encoding is practically never valid UTF-8, besides ASCII.
        let is_utf8 = encoding.is_single_byte() && !bytes.is_ascii() && str::from_utf8(&bytes).is_ok();
        DecodedFile {
            misdeclared: is_utf8.then(|| encoding.name()),
            // ASCII is the same in most encodings.
            is_transcoded: matches!(text, Cow::Owned(_)),
            damaged: (is_damaged && !is_utf16).then(|| encoding.name()),
            source: Source::Text(text.into_owned()),
        }
    }
}

/// Returns the encoding of a file, if it is known: by its byte order mark, or else by the declaration of its format.
pub fn file_encoding(format: Format, syntax: PageSyntax, bytes: &[u8]) -> Option<&'static Encoding> {
    let bom = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    bom.or_else(|| declared_encoding(format, syntax, bytes))
}

impl Source {
    /// Decodes the file at a path, like [`DecodedFile::read`].
    pub fn of_file(path: &[u8], bytes: Vec<u8>) -> Source {
        DecodedFile::read(Format::of(path), syntax_of(path), bytes).source
    }
}

impl Page {
    /// Creates a page from the file at a path.
    pub fn of_file(path: &[u8], bytes: Vec<u8>) -> Page {
        Page { syntax: syntax_of(path), ..Page::new(Source::of_file(path, bytes)) }
    }
}
