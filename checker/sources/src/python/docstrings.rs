//! Docstrings: reStructuredText in strings, without their indentation and escapes.

use super::statements::StringToken;
use crate::positions::Origins;
use crate::reference::{SourceOptions, SourceScan};
use crate::restructured::{SourceLine, scan_lines, split_lines};

/// Scans a docstring.
pub(super) fn scan_docstring<'t>(
    text: &'t str,
    string: &StringToken,
    options: SourceOptions,
    scan: &mut SourceScan<'t>,
) {
    let content = &text[string.content.clone()];
    if string.is_raw || !content.contains('\\') {
        let lines = dedented(split_lines(text, string.content.clone()));
        scan_lines(text, &lines, false, options, scan);
        return;
    }
    let (decoded, origins) = decoded(content, string.content.start);
    let lines = dedented(split_lines(&decoded, 0..decoded.len()));
    let mut found = SourceScan::default();
    scan_lines(&decoded, &lines, false, options, &mut found);
    origins.add_found((&decoded, found), text, scan);
}

/// Removes the common indentation of all lines but the first, as Python does.
fn dedented(mut lines: Vec<SourceLine>) -> Vec<SourceLine> {
    let others = lines.iter().skip(1).filter(|line| !line.is_blank());
    let margin = others.map(|line| line.indent).min().unwrap_or(0);
    for (number, line) in lines.iter_mut().enumerate() {
        line.indent = if number == 0 { 0 } else { line.indent.saturating_sub(margin) };
    }
    lines
}

/// Returns a string without its escapes. `base` is its offset in the source.
fn decoded(content: &str, base: usize) -> (String, Origins) {
    let (mut text, mut origins) = (String::with_capacity(content.len()), Origins::default());
    origins.add(0, base);
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &content.as_bytes()[at..]) {
        text.push_str(&content[at..at + found]);
        at += found;
        let (length, char) = escape(&content[at..]);
        match char {
            Escape::Kept => text.push_str(&content[at..at + length]),
            Escape::Char(char) => text.push(char),
            Escape::Nothing => {}
        }
        at += length;
        origins.add(text.len(), base + at);
    }
    text.push_str(&content[at..]);
    (text, origins)
}

/// The meaning of an escape.
enum Escape {
    /// It is no escape.
    Kept,
    Char(char),
    /// It continues a line.
    Nothing,
}

/// Maximum length of the name of a character; the longest one has fewer.
const MAX_NAME: usize = 120;

/// Returns the length and the meaning of the escape at the start of a text.
fn escape(text: &str) -> (usize, Escape) {
    let Some(next) = text[1..].chars().next() else { return (1, Escape::Kept) };
    let number = |digits: usize, radix: u32| {
        let code = text.get(2..2 + digits).and_then(|digits| u32::from_str_radix(digits, radix).ok());
        code.map_or((2, Escape::Kept), |code| {
            (2 + digits, Escape::Char(char::from_u32(code).unwrap_or('\u{fffd}')))
        })
    };
    match next {
        '\r' if text[2..].starts_with('\n') => (3, Escape::Nothing),
        '\n' => (2, Escape::Nothing),
        '\\' | '\'' | '"' => (2, Escape::Char(next)),
        'n' => (2, Escape::Char('\n')),
        'r' => (2, Escape::Char('\r')),
        't' => (2, Escape::Char('\t')),
        'a' => (2, Escape::Char('\u{7}')),
        'b' => (2, Escape::Char('\u{8}')),
        'f' => (2, Escape::Char('\u{c}')),
        'v' => (2, Escape::Char('\u{b}')),
        'x' => number(2, 16),
        'u' => number(4, 16),
        'U' => number(8, 16),
        'N' if text[2..].starts_with('{') => {
            let end = text.bytes().take(MAX_NAME).position(|byte| byte == b'}');
            end.map_or((2, Escape::Kept), |end| (end + 1, Escape::Char('\u{fffd}')))
        }
        '0'..='7' => {
            let length = text[1..].bytes().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            let code = u32::from_str_radix(&text[1..=length], 8).unwrap_or(0);
            (1 + length, Escape::Char(char::from_u32(code).unwrap_or('\u{fffd}')))
        }
        other => (1 + other.len_utf8(), Escape::Kept),
    }
}
