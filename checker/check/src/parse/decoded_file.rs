//! Decodes files: a byte order mark decides, or else the declaration of the format: a `meta` element, an XML declaration,
//! or `@charset`.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::format::{Format, syntax_of};
use super::page::Page;
use super::page_metadata::CHARSET_LIMIT;
use super::source::Source;
use sitegate_html::attributes::decoded_value;
use sitegate_html::element::Name;
use sitegate_html::raw_text::RawText;
use sitegate_html::syntax::PageSyntax;
use sitegate_html::tokenizer::{Tag, Token, Tokenizer};

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

/// Returns the encoding that a file without byte order mark declares.
pub(super) fn declared_encoding(
    format: Format,
    syntax: PageSyntax,
    bytes: &[u8],
) -> Option<&'static Encoding> {
    match format {
        Format::Html if syntax == PageSyntax::Html => {
            if is_plainly_utf8(bytes) {
                return Some(UTF_8);
            }
            // HTML, 13.2.3.2: an XML declaration counts if no `meta` element does.
            in_html(bytes).or_else(|| in_xml(bytes))
        }
        Format::Html | Format::Svg | Format::Xml => in_xml(bytes),
        Format::Css => in_css(bytes),
        _ => None,
    }
}

/// Returns the encoding of a label. Text that declares UTF-16 in ASCII is UTF-8 (HTML, 13.2.3.2).
fn of_label(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    Some(match encoding {
        _ if encoding == UTF_16LE || encoding == UTF_16BE => UTF_8,
        _ if encoding == X_USER_DEFINED => WINDOWS_1252,
        _ => encoding,
    })
}

/// Whether a page begins as almost all do: `<meta charset="utf-8">` right after the start tags of the
/// document. Such a page needs no tokens.
fn is_plainly_utf8(bytes: &[u8]) -> bool {
    const DECLARATION: &[u8] = b"<meta charset=";
    let start = &bytes[..bytes.len().min(CHARSET_LIMIT as usize)];
    let Some(at) = memchr::memmem::find(start, DECLARATION) else { return false };
    let value = start[at + DECLARATION.len()..].trim_ascii_start();
    let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value);
    let begins =
        |text: &[u8], word: &[u8]| text.get(..word.len()).is_some_and(|text| text.eq_ignore_ascii_case(word));
    let is_declared =
        begins(value, b"utf-8") && matches!(value.get(5), Some(b'"' | b'\'' | b'>' | b' ' | b'/'));
    // A comment or raw text before it might contain it, and other metadata might declare an encoding.
    let mut tags = memchr::memchr_iter(b'<', &start[..at]).map(|tag| &start[tag..at]);
    let is_start =
        |tag: &[u8]| [b"<!doctype".as_slice(), b"<html", b"<head"].iter().any(|known| begins(tag, known));
    is_declared && tags.all(is_start)
}

/// Returns the encoding of the first `meta` element that declares one. Text that is UTF-8 is searched like Chromium does:
/// in the first 1024 bytes, and up to the end of the head.
fn in_html(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut is_utf8 = None;
    let mut is_in_head = true;
    let mut tokenizer = Tokenizer::new(bytes);
    while let Some(token) = tokenizer.next(false, &mut ()) {
        let (Token::Start(tag) | Token::End(tag)) = &token else { continue };
        if let Token::Start(_) = &token {
            if tag.name == Name::Meta
                && let Some(encoding) = label_in_meta(bytes, tag).and_then(of_label)
            {
                return Some(encoding);
            }
            if let Some(kind) = RawText::of(tag.name, false) {
                tokenizer.raw_text(kind, tag);
            }
        }
        is_in_head &= is_of_head(tag.name);
        if !is_in_head
            && tokenizer.offset() > CHARSET_LIMIT as usize
            && *is_utf8.get_or_insert_with(|| str::from_utf8(bytes).is_ok())
        {
            return None;
        }
    }
    None
}

/// Whether the parser does not end the head at a tag of this name.
fn is_of_head(name: Name) -> bool {
    use Name::{Base, Head, Html, Link, Meta, Noscript, Object, Script, Style, Title};
    matches!(name, Base | Head | Html | Link | Meta | Noscript | Object | Script | Style | Title)
}

fn label_in_meta<'t>(text: &'t [u8], tag: &Tag) -> Option<&'t [u8]> {
    if let Some(label) = tag.attribute(text, b"charset") {
        return Some(label.trim_ascii());
    }
    let equiv = decoded_value(tag.attribute(text, b"http-equiv")?);
    let is_type = equiv.trim().eq_ignore_ascii_case("content-type");
    charset_of_content_type(tag.attribute(text, b"content")?).filter(|_| is_type)
}

/// Returns the encoding of an XML declaration (XML 1.0, 4.3.3).
fn in_xml(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [b'<', 0, b'?', 0, ..] => return Some(UTF_16LE),
        [0, b'<', 0, b'?', ..] => return Some(UTF_16BE),
        _ => {}
    }
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr::memchr(b'>', declaration)?];
    let name = memchr::memmem::find(declaration, b"encoding")?;
    let rest = declaration[name + b"encoding".len()..].trim_ascii_start().strip_prefix(b"=")?;
    let (quote, rest) = rest.trim_ascii_start().split_first()?;
    of_label(&rest[..memchr::memchr(*quote, rest)?])
}

/// Returns the encoding of an `@charset`, which must be the first bytes of a style sheet (CSS Syntax, 3.2).
fn in_css(bytes: &[u8]) -> Option<&'static Encoding> {
    let label = bytes.strip_prefix(b"@charset \"")?;
    let end = memchr::memchr(b'"', label).filter(|end| label.get(end + 1) == Some(&b';'))?;
    of_label(&label[..end])
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

#[cfg(test)]
mod tests {
    use super::declared_encoding;
    use crate::parse::format::{Format, syntax_of};
    use encoding_rs::Encoding;

    #[test]
    fn finds_the_declaration_of_each_format() {
        let late = format!("<title>{}</title>", "x".repeat(2000));
        let late_head = format!("{late}<meta charset=big5>");
        let late_body = format!("{late}<p><meta charset=big5>");
        let examples: [(&str, &[u8], Option<&str>); 22] = [
            ("a.html", b"<meta charset=' Shift_JIS '>", Some("Shift_JIS")),
            (
                "a.html",
                b"<META content='text/html; charset=latin1' http-equiv=Content-Type>",
                Some("windows-1252"),
            ),
            ("a.html", b"<meta content='text/html; charset=big5'>", None),
            ("a.html", b"<!DOCTYPE html><html lang=en><head><meta charset=\"UTF-8\"/>", Some("UTF-8")),
            ("a.html", b"<meta charset=utf-8859>", None),
            ("a.html", b"<!--<meta charset=utf-8>--><meta charset=big5>", Some("Big5")),
            ("a.html", b"<!--<meta charset=big5>--><script>'<meta charset=big5>'</script>", None),
            ("a.html", b"<meta charset=none><meta charset=euc-kr>", Some("EUC-KR")),
            ("a.html", b"<meta charset=utf-16>", Some("UTF-8")),
            ("a.html", b"<?xml version='1.0' encoding='big5'?><meta charset=gbk>", Some("GBK")),
            ("a.html", b"<?xml version='1.0' encoding='big5'?><p>", Some("Big5")),
            ("a.html", late_head.as_bytes(), Some("Big5")),
            ("a.html", late_body.as_bytes(), None),
            ("a.html", &[late_body.as_bytes(), b"\xff"].concat(), Some("Big5")),
            ("a.xhtml", b"<?xml version='1.0' encoding = 'big5' ?><meta charset=gbk>", Some("Big5")),
            ("a.xhtml", b"<html><meta charset='gbk'/></html>", None),
            ("a.svg", b"<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><svg/>", Some("windows-1252")),
            ("a.xml", b"<\0?\0x\0", Some("UTF-16LE")),
            ("a.css", b"@charset \"big5\";", Some("Big5")),
            ("a.css", b"@charset 'big5';", None),
            ("a.css", b" @charset \"big5\";", None),
            ("a.js", b"@charset \"big5\";", None),
        ];
        for (path, text, expected) in examples {
            let (format, syntax) = (Format::of(path.as_bytes()), syntax_of(path.as_bytes()));
            let found = declared_encoding(format, syntax, text).map(Encoding::name);
            assert_eq!(found, expected, "{path}: {}", String::from_utf8_lossy(text));
        }
    }
}
