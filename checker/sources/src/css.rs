//! Style sheets: `url()`, `@import` and `image-set()`, also in SCSS and Less.

use std::ops::Range;

use sitegate_html::css::{self, CssUrl, StyleLanguage};

use crate::positions::{range_of, shifted};
use crate::reference::{Manner, SourceScan};
use crate::values::is_literal;

/// Finds the references of a style sheet in a range of the text.
pub(crate) fn scan<'t>(text: &'t str, range: Range<usize>, scan: &mut SourceScan<'t>) {
    scan_sheet(text, range, false, scan);
}

/// Finds the references of a file. In the indented syntax of Sass, a comment has all lines that are indented more.
pub(crate) fn scan_file<'t>(path: &str, text: &'t str, scan: &mut SourceScan<'t>) {
    scan_sheet(text, 0..text.len(), path.to_ascii_lowercase().ends_with(".sass"), scan);
}

fn scan_sheet<'t>(text: &'t str, range: Range<usize>, is_indented: bool, scan: &mut SourceScan<'t>) {
    let mut css = text[range.clone()].to_owned();
    for comment in comments(&css, is_indented) {
        // For CSS, a comment of SCSS and Less up to the end of the line is no comment.
        let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
        let spaces: String = css[comment.clone()].bytes().map(blank).collect();
        css.replace_range(comment.clone(), &spaces);
        scan.inert.push(shifted(comment, range.start));
    }
    let mut reader = StyleReader { text, css: &css, start: range.start, scan };
    css::each_url(&css, StyleLanguage::Preprocessed, |CssUrl { url, token, is_quoted, .. }| {
        if is_quoted { reader.quoted(url, token) } else { reader.unquoted(url, token) }
    });
}

/// Returns the end of a comment of indented Sass that begins at an offset.
fn indented_comment_end(css: &str, start: usize) -> usize {
    let line_start = css[..start].rfind('\n').map_or(0, |end| end + 1);
    let depth = start - line_start;
    let mut end = start;
    for (number, line) in css[start..].split_inclusive('\n').enumerate() {
        let indent = line.len() - line.trim_start().len();
        if number > 0 && !line.trim().is_empty() && indent <= depth {
            break;
        }
        end += line.len();
    }
    end
}

/// Returns the comments of a sheet: `/* … */`, and `//` to the end of the line, which CSS does not have.
fn comments(css: &str, is_indented: bool) -> Vec<Range<usize>> {
    let bytes = css.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = memchr::memchr3(b'/', b'"', b'\'', &bytes[at..]) {
        at += next;
        match bytes[at..] {
            [b'/', b'*', ..] => {
                let end =
                    memchr::memmem::find(&bytes[at + 2..], b"*/").map_or(bytes.len(), |end| at + end + 4);
                found.push(at..end);
                at = end;
            }
            [b'/', b'/', ..] if is_line_comment(&bytes[..at]) => {
                let end = if is_indented {
                    indented_comment_end(css, at)
                } else {
                    memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end)
                };
                found.push(at..end);
                at = end;
            }
            [b'/', ..] => at += 1,
            [quote, ..] => at += string_length(&bytes[at..], quote),
            [] => return found,
        }
    }
    found
}

/// Whether `//` after this text begins a comment, and is not a part of a URL.
fn is_line_comment(before: &[u8]) -> bool {
    before.last().is_none_or(|byte| byte.is_ascii_whitespace() || b"{};,)".contains(byte))
}

/// Returns the length of a string, which ends with its quote or its line.
fn string_length(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if *byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

struct StyleReader<'r, 't> {
    text: &'t str,
    css: &'r str,
    start: usize,
    scan: &'r mut SourceScan<'t>,
}

impl StyleReader<'_, '_> {
    /// Adds the URL of a token `url(…)` without quotes.
    fn unquoted(&mut self, url: &str, token: Range<usize>) {
        let written = &self.css[token.clone()];
        let Some(open) = written.find('(') else { return };
        let inside = written[open + 1..].strip_suffix(')').unwrap_or(&written[open + 1..]);
        self.add(url, range_of(inside.trim(), self.css));
    }

    /// Adds a string that is a URL as a whole. In SCSS, it may be a part of a sum.
    fn quoted(&mut self, url: &str, token: Range<usize>) {
        let is_closed = token.len() >= 2 && self.css[token.clone()].ends_with(['"', '\'']);
        let is_part = self.css[..token.start].trim_end().ends_with('+')
            || self.css[token.end..].trim_start().starts_with('+');
        if is_closed && !is_part {
            self.add(url, token.start + 1..token.end - 1);
        }
    }

    fn add(&mut self, url: &str, range: Range<usize>) {
        // Variables and interpolations of SCSS and Less.
        let is_computed = url.starts_with(['$', '@']) && !url.contains('/') || url.contains("@{");
        if is_literal(url) && !is_computed {
            self.scan.add_decoded(self.text, shifted(range, self.start), url, Manner::Attribute);
        }
    }
}
