//! Blocks of `MkDocs` whose content is indented Markdown, which `CommonMark` reads as code: `!!! note`, `??? tip` and
//! `=== "Tab"`.

use std::ops::Range;

use super::directives::{lines, next_line};

/// Columns by which the content is indented.
const INDENT: usize = 4;

/// Returns the lines of the content of a block that begins at an offset, without their indentation, and its end.
pub(super) fn content(text: &str, start: usize) -> Option<(Vec<Range<usize>>, usize)> {
    if !is_opening(&text[start..]) {
        return None;
    }
    let indent = text[..start].bytes().rev().take_while(|byte| *byte == b' ').count();
    let is_line_start = indent == start || text.as_bytes()[start - indent - 1] == b'\n';
    if !is_line_start {
        return None;
    }
    let mut content = Vec::new();
    let mut end = start;
    let first = next_line(text, start, text.len());
    for line in lines(text, first..text.len()) {
        let next = next_line(text, line.end, text.len());
        let written = &text[line.clone()];
        if written.trim().is_empty() {
            content.push(line.end..next);
            continue;
        }
        let Some(skipped) = columns(written, indent + INDENT) else { break };
        content.push(line.start + skipped..next);
        end = next;
    }
    content.retain(|line| line.start < end);
    (!content.is_empty()).then_some((content, end))
}

/// Whether a line begins a block.
fn is_opening(line: &str) -> bool {
    let has = |mark: &str, is_argument: fn(char) -> bool| {
        let rest = line.strip_prefix(mark).map(|rest| rest.strip_prefix(['!', '+']).unwrap_or(rest));
        rest.is_some_and(|rest| {
            rest.starts_with(' ') && rest.trim_start_matches(' ').starts_with(is_argument)
        })
    };
    has("!!!", char::is_alphanumeric)
        || has("???", char::is_alphanumeric)
        || has("===", |c| matches!(c, '"' | '\''))
}

/// Returns the length of the white space that fills columns at the start of a line.
fn columns(line: &str, count: usize) -> Option<usize> {
    let mut column = 0;
    for (at, byte) in line.bytes().enumerate() {
        if column >= count {
            return Some(at);
        }
        match byte {
            b' ' => column += 1,
            b'\t' => column += INDENT - column % INDENT,
            _ => return None,
        }
    }
    None
}
