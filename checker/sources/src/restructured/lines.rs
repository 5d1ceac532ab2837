//! Lines of a block, without copies: nested blocks are the same lines with less indentation. The markers that begin
//! lines, and the text of a paragraph as one string.

use std::ops::Range;

use super::characters::is_space;
use crate::positions::Origins;

/// A line, as the parser of a block sees it: its text, without white space at both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceLine {
    /// Offset of the first character that is not white space; of the end in a blank line.
    pub start: usize,
    /// Offset after the last character that is not white space.
    pub end: usize,
    /// Number of columns before it, in its block.
    pub indent: usize,
}

impl SourceLine {
    pub fn is_blank(&self) -> bool {
        self.start == self.end
    }

    /// Returns the same line in a block that is indented.
    pub fn dedented(self, columns: usize) -> SourceLine {
        SourceLine { indent: self.indent.saturating_sub(columns), ..self }
    }
}

/// Columns of a tab, as in docutils.
const TAB: usize = 8;

/// Splits a range of the text into lines, at the separators of Python.
pub(crate) fn split_lines(text: &str, range: Range<usize>) -> Vec<SourceLine> {
    let bytes = &text.as_bytes()[..range.end];
    let mut lines = Vec::new();
    let mut start = range.start;
    let mut at = range.start;
    while at < bytes.len() {
        let length = separator(bytes, at);
        if length > 0 {
            lines.push(line(text, start..at));
            start = at + length;
        }
        at += length.max(1);
    }
    if start < bytes.len() {
        lines.push(line(text, start..bytes.len()));
    }
    lines
}

/// Returns the length of the line separator at an offset, or 0.
fn separator(bytes: &[u8], at: usize) -> usize {
    match bytes[at] {
        b'\r' if bytes.get(at + 1) == Some(&b'\n') => 2,
        b'\n' | b'\r' | 0x1c..=0x1e => 1,
        0xc2 if bytes.get(at + 1) == Some(&0x85) => 2,
        0xe2 if matches!(bytes.get(at + 1..at + 3), Some([0x80, 0xa8 | 0xa9])) => 3,
        _ => 0,
    }
}

/// Returns a line without its indentation.
pub(crate) fn line(text: &str, range: Range<usize>) -> SourceLine {
    let end = range.start + text[range.clone()].trim_end().len();
    let (start, indent) = skip_columns(text, range.start..end, 0);
    SourceLine { start, end, indent }
}

/// Skips white space from a column on; returns the offset and the column after it.
pub(crate) fn skip_columns(text: &str, range: Range<usize>, column: usize) -> (usize, usize) {
    let mut reached = column;
    for (at, byte) in text.as_bytes()[range.clone()].iter().enumerate() {
        match byte {
            b'\t' => reached = (reached / TAB + 1) * TAB,
            b' ' | 0x0b | 0x0c => reached += 1,
            _ => return (range.start + at, reached),
        }
    }
    (range.end, reached)
}

/// Returns the end of the indented block that begins at a line, and its indentation. `has_first`: the indentation of the
/// first line is known, as after a marker, and does not count.
pub(super) fn indented_block(
    lines: &[SourceLine],
    from: usize,
    has_first: bool,
    is_until_blank: bool,
) -> (usize, usize) {
    let mut indent = None;
    let mut end = from + usize::from(has_first);
    while let Some(line) = lines.get(end) {
        if line.is_blank() {
            if is_until_blank {
                break;
            }
        } else if line.indent == 0 {
            break;
        } else {
            indent = Some(indent.map_or(line.indent, |least: usize| least.min(line.indent)));
        }
        end += 1;
    }
    (end, indent.unwrap_or_default())
}

/// Returns the end of the lines that are indented by at least a number of columns, after the first line.
pub(super) fn known_block(lines: &[SourceLine], from: usize, indent: usize) -> usize {
    let is_end = |line: &SourceLine| !line.is_blank() && line.indent < indent;
    lines[from + 1..].iter().position(is_end).map_or(lines.len(), |end| from + 1 + end)
}

/// Returns a block with another first line, and the others dedented.
pub(super) fn block_after_marker(first: SourceLine, others: &[SourceLine], indent: usize) -> Vec<SourceLine> {
    std::iter::once(SourceLine { indent: 0, ..first })
        .chain(others.iter().map(|line| line.dedented(indent)))
        .collect()
}

/// Returns the lines of a block after a marker whose other lines are indented by any number of columns, and its end.
pub(super) fn marked_block(
    lines: &[SourceLine],
    at: usize,
    start: usize,
    is_until_blank: bool,
) -> (Vec<SourceLine>, usize) {
    let first = SourceLine { start, ..lines[at] };
    let (end, indent) = indented_block(lines, at, true, is_until_blank);
    (block_after_marker(first, &lines[at + 1..end], indent), end)
}

/// Removes blank lines at the end.
pub(super) fn trim_end(lines: &[SourceLine]) -> &[SourceLine] {
    let end = lines.iter().rposition(|line| !line.is_blank()).map_or(0, |last| last + 1);
    &lines[..end]
}

/// Removes blank lines at the start.
pub(super) fn trim_start(lines: &[SourceLine]) -> &[SourceLine] {
    let start = lines.iter().position(|line| !line.is_blank()).unwrap_or(lines.len());
    &lines[start..]
}

/// Returns the bytes from the first to the last line; `None` if all are blank.
pub(super) fn covered(lines: &[SourceLine]) -> Option<Range<usize>> {
    let lines = trim_start(trim_end(lines));
    Some(lines.first()?.start..lines.last()?.end)
}

/// The text of lines, joined by line feeds. Backslashes that escape are NUL, as in docutils, so that one byte of it is
/// one byte of the source.
pub(super) struct JoinedLines {
    pub text: String,
    /// The origins of its lines.
    pub origins: Origins,
}

impl JoinedLines {
    pub fn new(source: &str, lines: &[SourceLine]) -> JoinedLines {
        let mut text = String::new();
        let mut origins = Origins::default();
        for (number, line) in lines.iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            origins.add(text.len(), line.start);
            text.push_str(&source[line.start..line.end]);
        }
        JoinedLines { text: mark_escapes(text), origins }
    }
}

/// Replaces backslashes that escape by NUL.
pub(super) fn mark_escapes(text: String) -> String {
    if !text.contains('\\') {
        return text;
    }
    let mut is_escaped = false;
    let mark = |char| {
        let is_mark = char == '\\' && !is_escaped;
        is_escaped = is_mark;
        if is_mark { '\0' } else { char }
    };
    text.chars().map(mark).collect()
}

/// Returns a URL without white space and escapes. White space that is escaped is a space.
pub(super) fn url_of(marked: &str) -> String {
    let mut url = String::with_capacity(marked.len());
    let mut chars = marked.chars();
    while let Some(char) = chars.next() {
        match char {
            '\0' => match chars.next() {
                Some(escaped) if is_space(escaped) => url.push(' '),
                Some(escaped) => url.push(escaped),
                None => {}
            },
            char if is_space(char) => {}
            char => url.push(char),
        }
    }
    url
}

/// Returns text without escapes: white space that is escaped disappears.
pub(super) fn unescape(marked: &str) -> String {
    let mut text = String::with_capacity(marked.len());
    let mut chars = marked.chars();
    while let Some(char) = chars.next() {
        match char {
            '\0' => text.extend(chars.next().filter(|escaped| !matches!(escaped, ' ' | '\n'))),
            char => text.push(char),
        }
    }
    text
}

/// Whether a text is a marker, or begins with it and white space.
pub(super) fn is_marker(text: &str, marker: &str) -> bool {
    text.strip_prefix(marker)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\x0b', '\x0c']))
}

/// Returns the length of the marker of a bullet list.
pub(super) fn bullet(text: &str) -> Option<usize> {
    let bullet = text.chars().next().filter(|char| matches!(char, '-' | '+' | '*' | '•' | '‣' | '⁃'))?;
    let rest = &text[bullet.len_utf8()..];
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some(bullet.len_utf8())
}

/// Returns the length of `1.`, `(a)`, `iv)` or `#.`.
pub(super) fn enumerator(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('(').unwrap_or(text);
    let is_number = |byte: &u8| byte.is_ascii_digit();
    let is_roman = |byte: &u8| b"ivxlcdm".contains(byte);
    let is_upper_roman = |byte: &u8| b"IVXLCDM".contains(byte);
    let count = |is_part: &dyn Fn(&u8) -> bool| inner.bytes().take_while(|byte| is_part(byte)).count();
    let length = match inner.as_bytes().first()? {
        b'#' => 1,
        byte if byte.is_ascii_digit() => count(&is_number),
        byte if byte.is_ascii_alphabetic() => count(&is_roman).max(count(&is_upper_roman)).max(1),
        _ => return None,
    };
    let is_parenthesized = inner.len() < text.len();
    let is_closed = match inner.as_bytes().get(length) {
        Some(b')') => true,
        Some(b'.') => !is_parenthesized,
        _ => false,
    };
    let end = text.len() - inner.len() + length + 1;
    (is_closed && text[end..].chars().next().is_none_or(|next| matches!(next, ' ' | '\t'))).then_some(end)
}

/// Returns the length of `:name:`.
pub(super) fn field_marker(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b':') || matches!(bytes.get(1), None | Some(b':' | b' ')) {
        return None;
    }
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b':' => match bytes.get(at + 1) {
                None | Some(b' ' | b'\t') => return (bytes[at - 1] != b' ').then_some(at + 1),
                Some(b'`') => return None,
                _ => {}
            },
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the length of options of a command, as in `-a, --all=WHEN`, if their description is after two spaces or on
/// the next line.
pub(super) fn option_marker(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let (without, with) = command_option(&text[at..])?;
        let is_end = |end: usize| {
            text[end..].is_empty() || text[end..].starts_with("  ") || text[end..].starts_with('\t')
        };
        let next = [with, without].into_iter().flatten().map(|length| at + length);
        let end = next.into_iter().find(|end| is_end(*end) || text[*end..].starts_with(", "))?;
        if is_end(end) {
            return Some(end);
        }
        at = end + 2;
    }
}

/// Returns the length of an option, without and with its argument.
fn command_option(text: &str) -> Option<(Option<usize>, Option<usize>)> {
    let alphanumeric = |from: usize| {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        from + text.as_bytes()[from..].iter().take_while(|byte| is_name(byte)).count()
    };
    let is_long = text.starts_with("--") || text.starts_with('/');
    let mark = if text.starts_with("--") { 2 } else { usize::from(text.starts_with(['-', '+', '/'])) };
    if mark == 0 || !text.as_bytes().get(mark).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let name = if is_long { alphanumeric(mark) } else { mark + 1 };
    let argument = match text.as_bytes().get(name) {
        Some(b' ') => name + 1,
        Some(b'=') if is_long => name + 1,
        _ if is_long => return Some((Some(name), None)),
        _ => name,
    };
    let end = match text.as_bytes().get(argument) {
        Some(b'<') => text[argument + 1..]
            .find(['<', '>'])
            .filter(|length| *length > 0 && text[argument + 1 + length..].starts_with('>'))
            .map(|length| argument + length + 2),
        Some(byte) if byte.is_ascii_alphabetic() => Some(alphanumeric(argument)),
        _ => None,
    };
    Some((Some(name), end))
}
