//! Computes edits of tags and of the head: attributes, the dimensions of images, and the declaration of the encoding. And
//! edits that remove ignores: from comments of pages and style sheets, and from the text of a contract, whose entries are
//! arrays of tables such as `[[ignore]]`.

use std::collections::HashSet;
use std::ops::Range;

use imagesize::ImageType;
use sitegate_html::syntax::PageSyntax;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::proof::line_start;
use crate::parse::inline_ignores::ignores;
use crate::parse::{
    CHARSET_LIMIT, Format, StartTag, TagIndex, head_start, quote_before, style_comment_around,
};

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

/// Maximum length of the rules of an ignore that is edited.
const MAX_LIST: usize = 1000;

/// An ignore in a comment.
pub(super) struct CommentedIgnore {
    /// Its rules and its reason.
    span: Range<usize>,
    comment: Range<usize>,
}

/// Returns the ignores in the comments of a text, in order.
pub(super) fn commented_ignores(format: Format, text: &[u8]) -> Vec<CommentedIgnore> {
    let tags =
        if format == Format::Css { TagIndex::default() } else { TagIndex::read(text, PageSyntax::Html) };
    let in_comment = |span: Range<usize>| {
        let comment = match format {
            Format::Css => style_comment_around(text, span.start),
            _ => tags.comment(span.start),
        };
        let comment = comment.filter(|comment| comment.start < span.start && span.end < comment.end)?;
        Some(CommentedIgnore { span, comment })
    };
    let spans = ignores(format, PageSyntax::Html, text, &[]).into_iter().map(|ignore| ignore.span);
    let mut found: Vec<_> =
        spans.filter_map(|span| in_comment(span.start as usize..span.end as usize)).collect();
    found.sort_unstable_by_key(|ignore| ignore.span.start);
    found
}

/// Returns the edit that removes the id of a rule from an ignore, with the whole ignore if it has no other rules.
/// `removed` are the starts of all ids to remove.
pub(super) fn removal(
    text: &[u8],
    ignores: &[CommentedIgnore],
    (id, removed): (&Range<usize>, &HashSet<usize>),
) -> Option<MarkupEdit> {
    let before = ignores.partition_point(|ignore| ignore.span.start <= id.start);
    let CommentedIgnore { span: ignore, comment } =
        ignores[..before].last().filter(|ignore| id.end <= ignore.span.end)?;
    let written = std::str::from_utf8(&text[ignore.clone()]).ok()?;
    let list = &written[..written.find(':').unwrap_or(written.len())];
    if list.len() > MAX_LIST {
        return None;
    }
    let is_separator = |c: char| c.is_whitespace() || c == ',';
    let offset = |part: &str| ignore.start + (part.as_ptr() as usize - written.as_ptr() as usize);
    let kept: Vec<&str> = list
        .split(is_separator)
        .filter(|part| !part.is_empty() && !removed.contains(&offset(part)))
        .collect();
    let comment = comment.clone();
    if kept.is_empty() {
        let range = whole_line(text, comment.clone());
        return Some(MarkupEdit { anchor: comment, range, new: String::new() });
    }
    let separator = if list.contains(',') { ", " } else { " " };
    let range = ignore.start..ignore.start + list.trim_end().len();
    Some(MarkupEdit { anchor: comment, range, new: kept.join(separator) })
}

/// Returns a range with the line that it is alone on, or else with a space before it.
fn whole_line(text: &[u8], range: Range<usize>) -> Range<usize> {
    let start = line_start(text, range.start);
    let end = memchr::memchr(b'\n', &text[range.end..]).map_or(text.len(), |at| range.end + at + 1);
    if text[start..range.start].trim_ascii().is_empty() && text[range.end..end].trim_ascii().is_empty() {
        return start..end;
    }
    let has_spaces =
        text[..range.start].ends_with(b" ") && text[range.end..].first().is_none_or(u8::is_ascii_whitespace);
    range.start - usize::from(has_spaces)..range.end
}

/// Returns the range to remove for a comment in a source. In Markdown, a line of its own may separate paragraphs, so that
/// it must be next to a blank line.
pub(super) fn removed_from_source(text: &[u8], comment: Range<usize>) -> Option<Range<usize>> {
    let range = whole_line(text, comment.clone());
    let is_line = range.end > comment.end || range.end == text.len();
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let is_apart = [&b"\n\n"[..], b"\n\r\n"].iter().any(|blank| before.ends_with(blank))
        || [&b"\n"[..], b"\r\n"].iter().any(|blank| after.starts_with(blank))
        || before.is_empty()
        || after.is_empty();
    (!is_line || is_apart).then_some(range)
}

/// Returns the range of each entry that has a header of its own, with the blank lines before it. Entries with more tables
/// are left out, because other tables may be between them.
pub(super) fn entries(text: &str) -> Vec<Range<usize>> {
    let Ok(table) = DeTable::parse(text) else { return Vec::new() };
    let arrays = table.get_ref().values().filter_map(|value| value.get_ref().as_array());
    let all = arrays.flat_map(|array| array.iter());
    all.filter_map(|entry| entry_range(text, entry)).collect()
}

fn entry_range(text: &str, entry: &Spanned<DeValue<'_>>) -> Option<Range<usize>> {
    let header = entry.span();
    let table = entry.get_ref().as_table().filter(|_| text[header.clone()].starts_with("[["))?;
    let end = last_end(text, table, header.end)?;
    let is_blank = |line: &&str| line.trim().is_empty();
    let line = text[..header.start].trim_end_matches([' ', '\t']).len();
    let blank: usize = text[..line].split_inclusive('\n').rev().take_while(is_blank).map(str::len).sum();
    let rest = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    Some(line - blank..rest)
}

/// Returns the end of the last value in a table; `None` if it contains a table with a header.
fn last_end(text: &str, table: &DeTable<'_>, start: usize) -> Option<usize> {
    let has_header =
        |value: &Spanned<DeValue<'_>>| value.get_ref().is_table() && text[value.span()].starts_with('[');
    table.values().try_fold(start, |end, value| {
        let end = end.max(value.span().end);
        match value.get_ref() {
            DeValue::Array(array) if array.iter().any(has_header) => None,
            DeValue::Table(_) if has_header(value) => None,
            // The span of a dotted key is that of its first part.
            DeValue::Table(inner) => last_end(text, inner, end),
            _ => Some(end),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Format, MarkupEdit, attribute_edit, charset_edit, commented_ignores, entries, removal};
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

    #[test]
    fn removes_ignores() {
        let remove = |format, text: &str, gone: &[&str]| {
            let removed = gone.iter().filter_map(|id| text.find(id)).collect();
            let first = text.find(gone[0])?;
            let found = commented_ignores(format, text.as_bytes());
            let id = first..first + gone[0].len();
            removal(text.as_bytes(), &found, (&id, &removed))
        };
        for (text, gone, expected) in [
            ("<p>\r\n <!-- sitegate-ignore aa: b -->\r\n<i>", &["aa"][..], "<p>\r\n<i>"),
            ("<p>x <!-- sitegate-ignore aa: b -->\n<i>", &["aa"], "<p>x\n<i>"),
            ("<!-- sitegate-ignore aa, bb cc: d --><i>", &["bb"], "<!-- sitegate-ignore aa, cc: d --><i>"),
            ("<!-- sitegate-ignore-file aa bb: d -->", &["aa"], "<!-- sitegate-ignore-file bb: d -->"),
            ("<i><!-- sitegate-ignore aa bb: d --></i>", &["aa", "bb"], "<i></i>"),
            ("<p data-sitegate-ignore='aa: x'>", &["aa"], ""),
        ] {
            let edit = remove(Format::Html, text, gone).map(|edit| edit.apply(text));
            assert_eq!(edit.as_deref().unwrap_or(""), expected, "{text}");
        }
        let css = "a{}\n/* sitegate-ignore aa: b */\nb{}";
        let edit = remove(Format::Css, css, &["aa"]).map(|edit| edit.apply(css));
        assert_eq!(edit.as_deref(), Some("a{}\nb{}"));
    }

    #[test]
    fn removes_an_entry_with_the_blank_lines_before_it() {
        let text = "a = 1\r\n\r\n# one\r\n[[ignore]] # x\r\nrule = \"r1\"\r\nreason = \"x\"\r\n\r\n# two\r\n\r\n[[ignore]]\r\nrule = \"r2\"\r\n";
        let without = |rule: &str| {
            let at = text.find(rule)?;
            let range = entries(text).into_iter().find(|entry| entry.contains(&at))?;
            Some([&text[..range.start], &text[range.end..]].concat())
        };
        assert_eq!(
            without("r1").as_deref(),
            Some("a = 1\r\n\r\n# one\r\n\r\n# two\r\n\r\n[[ignore]]\r\nrule = \"r2\"\r\n")
        );
        assert_eq!(
            without("r2").as_deref(),
            Some("a = 1\r\n\r\n# one\r\n[[ignore]] # x\r\nrule = \"r1\"\r\nreason = \"x\"\r\n\r\n# two\r\n")
        );
    }

    #[test]
    fn other_forms_are_left() {
        for text in [
            "ignore = [{ rule = \"r\" }]\n",
            "[[ignore]]\nrule = \"r\"\n[ignore.more]\nx = 1\n",
            "[[ignore]]\nrule = \"r\"\n[[ignore.more]]\nx = 1\n",
            "[ignore]\nrule = \"r\"\n",
            "[[ignore]\n",
        ] {
            assert!(entries(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn values_may_look_like_headers_and_comments() {
        let entry = "[[a]]\nx = [\n[1],\n]\ny.z = \"\"\"\n[[b]]\n# c\n\"\"\" # [d]\n";
        for text in [format!("{entry}# e\n[[a]]"), format!("{entry}[f]\ng = 1\n")] {
            assert_eq!(entries(&text)[0], 0..entry.len(), "{text}");
        }
    }
}
