//! The text of a paragraph as one string, with its escapes marked, and the offsets of its lines.

use super::characters::is_space;
use super::lines::SourceLine;

/// The text of lines, joined by line feeds. Backslashes that escape are NUL, as in docutils, so that one byte of it is
/// one byte of the source.
pub(super) struct JoinedLines {
    pub text: String,
    /// The offset of each line in `text`, and in the source.
    lines: Vec<(usize, usize)>,
}

impl JoinedLines {
    pub fn new(source: &str, lines: &[SourceLine]) -> JoinedLines {
        let mut text = String::new();
        let mut offsets = Vec::with_capacity(lines.len());
        for (number, line) in lines.iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            offsets.push((text.len(), line.start));
            text.push_str(&source[line.start..line.end]);
        }
        JoinedLines { text: mark_escapes(text), lines: offsets }
    }

    /// Returns the offset in the source.
    pub fn source(&self, at: usize) -> usize {
        let next = self.lines.partition_point(|(start, _)| *start <= at);
        self.lines[..next].last().map_or(0, |(start, source)| source + (at - start))
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
