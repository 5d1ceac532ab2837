//! Computes edits of tags and of the head: attributes, the dimensions of images, and the declaration of the encoding.

use std::ops::Range;

use imagesize::ImageType;

use crate::parse::{CHARSET_LIMIT, StartTag, head_start, quote_before};

/// The declaration of the encoding.
const CHARSET: &str = "<meta charset=\"utf-8\">";

/// An edit of an exported document, or of its source.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MarkupEdit {
    /// The bytes that the source must have, too.
    pub anchor: Range<usize>,
    /// The bytes to replace.
    pub range: Range<usize>,
    pub new: String,
}

#[cfg(test)]
impl MarkupEdit {
    /// Returns a text after the edit.
    pub fn apply(&self, text: &str) -> String {
        [&text[..self.range.start], &self.new, &text[self.range.end..]].concat()
    }
}

/// Returns the edit that gives a tag an attribute, or more words in it.
pub(super) fn attribute_edit(
    text: &[u8],
    tag: &StartTag,
    name: &str,
    value: &str,
    is_list: bool,
) -> Option<(Range<usize>, String)> {
    if value.contains(['"', '\'', '&', '<', '>']) {
        return None;
    }
    match tag.attribute(text, name) {
        None => {
            let quote = text[..tag.end].iter().find(|byte| matches!(byte, b'"' | b'\''));
            let quote = char::from(*quote.unwrap_or(&b'"'));
            Some((tag.end..tag.end, format!(" {name}={quote}{value}{quote}")))
        }
        Some((written, None)) if is_list => Some((written.end..written.end, format!("=\"{value}\""))),
        Some((_, Some(present))) if is_list => {
            let old = std::str::from_utf8(&text[present.clone()]).ok()?;
            let space = if old.is_empty() || old.ends_with(char::is_whitespace) { "" } else { " " };
            match quote_before(text, present.start) {
                Some(_) => Some((present.end..present.end, format!("{space}{value}"))),
                // An unquoted value may have quotes.
                None if old.contains('"') => None,
                None => Some((present.clone(), format!("\"{old}{space}{value}\""))),
            }
        }
        _ => None,
    }
}

/// Returns the edit that declares UTF-8 at the start of the head, on a line of its own if the head has lines.
pub(super) fn charset_edit(text: &[u8]) -> Option<MarkupEdit> {
    let at = head_start(text)?;
    std::str::from_utf8(text).ok()?;
    let blank = text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let indent = std::str::from_utf8(&text[at..at + blank]).ok()?;
    // With blank lines, the last one has the indent of the content.
    let first = indent.find('\n').map_or("", |end| &indent[..=end]);
    let last = indent.rfind('\n').map_or("", |start| &indent[start + 1..]);
    let new = format!("{first}{last}{CHARSET}");
    let is_early = at + new.len() <= CHARSET_LIMIT as usize;
    is_early.then_some(MarkupEdit { anchor: 0..text.len(), range: at..at, new })
}

/// Returns the width and height in pixels at which browsers show an image: those of PNG, GIF, WebP, and of JPEG without
/// metadata, which may rotate it.
pub(super) fn dimensions(image: &[u8]) -> Option<(usize, usize)> {
    let is_plain = match imagesize::image_type(image).ok()? {
        ImageType::Png | ImageType::Gif => true,
        ImageType::Jpeg | ImageType::Webp => {
            memchr::memmem::find(image, b"Exif").is_none() && memchr::memmem::find(image, b"EXIF").is_none()
        }
        _ => false,
    };
    let size = imagesize::blob_size(image).ok().filter(|_| is_plain)?;
    (size.width > 0 && size.height > 0).then_some((size.width, size.height))
}

#[cfg(test)]
mod tests {
    use super::{MarkupEdit, attribute_edit, charset_edit};
    use crate::parse::start_tag;

    #[track_caller]
    fn assert_edited(text: &str, edit: Option<MarkupEdit>, expected: &str) {
        assert_eq!(edit.map(|edit| edit.apply(text)).as_deref().unwrap_or(""), expected, "{text}");
    }

    #[test]
    fn adds_attributes_and_words_in_the_style_of_the_tag() {
        for (tag, is_list, expected) in [
            ("<a href='x'>", true, "<a href='x' rel='no'>"),
            ("<a href=x >", false, "<a href=x rel=\"no\" >"),
            ("<a rel=x>", true, "<a rel=\"x no\">"),
            ("<a rel='x ' b>", true, "<a rel='x no' b>"),
            ("<a rel=\"\">", true, "<a rel=\"no\">"),
            ("<a rel b>", true, "<a rel=\"no\" b>"),
            ("<A REL=x/>", true, "<A REL=\"x/ no\">"),
            ("<img/>", false, "<img rel=\"no\"/>"),
            ("<a rel=x>", false, ""),
        ] {
            let bytes = tag.as_bytes();
            let edit = start_tag(bytes).and_then(|found| attribute_edit(bytes, &found, "rel", "no", is_list));
            assert_edited(tag, edit.map(|(range, new)| MarkupEdit { anchor: 0..0, range, new }), expected);
        }
    }

    #[test]
    fn declares_the_encoding_on_a_line_of_its_own() {
        for (text, expected) in [
            ("<html><head><title>é", "<html><head><meta charset=\"utf-8\"><title>é"),
            ("<head>\r\n\t<title>", "<head>\r\n\t<meta charset=\"utf-8\">\r\n\t<title>"),
            ("<head>\n\n  <title>", "<head>\n  <meta charset=\"utf-8\">\n\n  <title>"),
            ("<title>x</title>", ""),
        ] {
            assert_edited(text, charset_edit(text.as_bytes()), expected);
        }
        assert_eq!(charset_edit(b"<head>\xFF"), None);
    }
}
