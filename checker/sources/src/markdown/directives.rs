//! Directives and roles of `MyST`, whose names decide whether the content is Markdown, and which values are
//! references. Blocks of `MkDocs`, whose content is indented Markdown, which `CommonMark` reads as code: `!!! note`,
//! `??? tip` and `=== "Tab"`.

use std::ops::Range;

use crate::positions::range_of;
use crate::reference::Manner;
use crate::restructured;

/// Directives whose content is Markdown.
const MARKDOWN: [&str; 45] = [
    "admonition",
    "attention",
    "aside",
    "button-link",
    "button-ref",
    "card",
    "caution",
    "container",
    "danger",
    "deprecated",
    "details",
    "div",
    "dropdown",
    "epigraph",
    "error",
    "exercise",
    "figure",
    "figure-md",
    "glossary",
    "grid",
    "grid-item",
    "grid-item-card",
    "hint",
    "important",
    "list-table",
    "margin",
    "note",
    "only",
    "pull-quote",
    "seealso",
    "sidebar",
    "solution",
    "tab",
    "tab-item",
    "tab-set",
    "table",
    "tabbed",
    "tip",
    "todo",
    "topic",
    "versionadded",
    "versionchanged",
    "versionremoved",
    "warning",
    "hlist",
];

/// Directives whose argument is the path of a file.
const FILES: [&str; 6] = ["include", "literalinclude", "image", "figure", "video", "audio"];

/// Columns by which a block of code is indented, and the content of a block of `MkDocs`.
pub(super) const CODE_INDENT: usize = 4;

/// Maximum number of lines of options.
const MAX_OPTIONS: usize = 64;

/// The content of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MystContent {
    Markdown,
    /// Names of documents, one on each line.
    Documents,
    Restructured,
    /// Code, raw text, or not known.
    Code,
}

impl MystContent {
    /// Returns the content of a directive between colons. Their content is Markdown, unless it is known to be code.
    pub fn between_colons(name: &str) -> MystContent {
        match MystContent::of_directive(name) {
            MystContent::Code if !restructured::is_code_directive(name) => MystContent::Markdown,
            content => content,
        }
    }

    /// Returns the content of a directive between backquotes.
    pub fn of_directive(name: &str) -> MystContent {
        match name {
            "toctree" | "tableofcontents" => MystContent::Documents,
            "eval-rst" => MystContent::Restructured,
            _ if MARKDOWN.contains(&name) => MystContent::Markdown,
            _ => MystContent::Code,
        }
    }
}

/// The first line of a directive: `{name} argument`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opening<'f> {
    pub name: &'f str,
    pub argument: Range<usize>,
}

/// Reads the first line of a directive after its fence, in a range of a text.
pub(super) fn opening(text: &str, line: Range<usize>) -> Option<Opening<'_>> {
    let (name, argument) = text[line].trim_start().strip_prefix('{')?.split_once('}')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_:.+".contains(c);
    let argument = range_of(argument.trim(), text);
    (!name.is_empty() && name.chars().all(is_name)).then_some(Opening { name, argument })
}

/// Returns the reference in the argument of a directive.
pub(super) fn argument(text: &str, opening: &Opening<'_>) -> Option<(Range<usize>, Manner)> {
    let written = &text[opening.argument.clone()];
    let is_one = !written.is_empty() && !written.contains(char::is_whitespace);
    let manner = match opening.name {
        "button-link" => Manner::Link,
        name if has_path(name) => {
            if is_url(written) {
                Manner::Link
            } else {
                Manner::File
            }
        }
        _ => return None,
    };
    is_one.then(|| (opening.argument.clone(), manner))
}

/// Whether the argument of a directive is the path of a file.
pub(super) fn has_path(name: &str) -> bool {
    FILES.contains(&name)
}

/// Reads the options at the start of the content, as lines `:key: value` or between lines `---`. Returns the references
/// in them, and the start of the rest.
pub(super) fn options(text: &str, content: Range<usize>) -> (Vec<(Range<usize>, Manner)>, usize) {
    let mut values: Vec<(&str, &str)> = Vec::new();
    let mut body = content.start;
    let mut is_block = false;
    for line in lines(text, content.clone()).take(MAX_OPTIONS) {
        let next = next_line(text, line.end, content.end);
        let written = text[line.clone()].trim();
        if written == "---" && (is_block || line.start == content.start) {
            body = next;
            if is_block {
                break;
            }
            is_block = true;
            continue;
        }
        let pair = if is_block { Some(written) } else { written.strip_prefix(':') };
        match pair.and_then(|pair| pair.split_once(':')) {
            Some((key, value)) => values.push((key, value.trim())),
            None if is_block => continue,
            None => break,
        }
        if !is_block {
            body = next;
        }
    }
    let link_type = values.iter().find(|(key, _)| *key == "link-type").map(|(_, value)| *value);
    let references = values.iter().filter_map(|(key, value)| {
        let manner = match (*key, link_type) {
            ("target", _) | ("link", None | Some("url")) => Manner::Link,
            ("link", Some("doc")) => Manner::Document,
            ("file", _) => Manner::File,
            _ => return None,
        };
        (!value.is_empty() && !value.contains(char::is_whitespace)).then(|| (range_of(value, text), manner))
    });
    (references.collect(), body)
}

/// Whether only marks of quotes and lists are before an offset in its line.
pub(super) fn is_line_start(text: &str, offset: usize) -> bool {
    let before = &text.as_bytes()[..offset];
    let marks = before.iter().rev().take_while(|byte| b" \t>-+*.)0123456789".contains(byte)).count();
    let prefix = &before[offset - marks..];
    (marks == offset || before[offset - marks - 1] == b'\n')
        && matches!(prefix.last(), None | Some(b' ' | b'\t' | b'>'))
}

/// Returns the lines between lines of colons, without the prefix that the first of these has, and the end of the last.
/// The directive begins at `start`, and its first line ends at `from`.
pub(super) fn colon_content(text: &str, start: usize, from: usize) -> (Vec<Range<usize>>, usize) {
    let count = text[start..from].bytes().take_while(|byte| *byte == b':').count();
    let line_start = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let prefix = &text.as_bytes()[line_start..start];
    let is_in_item = prefix.iter().any(|byte| !matches!(byte, b' ' | b'\t' | b'>'));
    let mut content = Vec::new();
    let mut end = from;
    for line in lines(text, from..text.len()) {
        let next = next_line(text, line.end, text.len());
        let written = text[line.clone()].as_bytes();
        let matches = |(mark, byte): (&u8, &u8)| if *mark == b'>' { *byte == b'>' } else { *byte == b' ' };
        let skipped = prefix.iter().zip(written).take_while(|pair| matches(*pair)).count();
        let is_outside = prefix[skipped..].contains(&b'>') || is_in_item && skipped < prefix.len();
        let rest = written[skipped..].trim_ascii();
        if is_outside && !rest.is_empty() {
            break;
        }
        end = next;
        // A line that is indented more ends a directive in the content.
        let indent = written[skipped..].iter().take_while(|byte| **byte == b' ').count();
        if rest.len() >= count && rest.iter().all(|byte| *byte == b':') && indent < CODE_INDENT {
            break;
        }
        content.push(line.start + skipped..next);
    }
    (content, end)
}

/// Returns the entries of a toctree: `document`, `Title <document>`, or a URL.
pub(super) fn entries(text: &str, body: Range<usize>) -> Vec<(Range<usize>, Manner)> {
    let entry = |line: Range<usize>| {
        let name = without_title(text[line].trim()).trim();
        // Patterns of `:glob:`, the keyword for the document itself, and text that is no entry.
        let is_other = |c| "*?[](){}<>`$%#\\\"'=".contains(c);
        let is_none = name.is_empty() || name == "self" || !is_url(name) && name.contains(is_other);
        let manner = if is_url(name) { Manner::Link } else { Manner::Document };
        (!is_none).then(|| (range_of(name, text), manner))
    };
    lines(text, body).filter_map(entry).collect()
}

/// Returns the reference in the content of a role, such as `` {doc}`Title <name>` ``.
pub(super) fn role(text: &str, before: usize, code: &Range<usize>) -> Option<(Range<usize>, Manner)> {
    let manner = match &text[..before].rsplit_once('{')?.1 {
        &"doc}" | &"any}" => Manner::Document,
        &"download}" => Manner::File,
        _ => return None,
    };
    let content = &text[code.clone()];
    let inner = content.trim_start_matches('`');
    let fence = content.len() - inner.len();
    let name = without_title(inner[..inner.len().saturating_sub(fence)].trim());
    (!name.is_empty() && !name.contains(['\n', '<', '>'])).then(|| (range_of(name, text), manner))
}

/// Returns the name in `Title <name>`, or the whole text if it is none.
fn without_title(text: &str) -> &str {
    text.strip_suffix('>').and_then(|titled| titled.rsplit_once('<')).map_or(text, |(_, name)| name)
}

fn is_url(written: &str) -> bool {
    written.starts_with("http://") || written.starts_with("https://")
}

/// Returns the lines of a range, without line ends.
pub(crate) fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = range.start;
    std::iter::from_fn(move || {
        let at = start;
        (at < range.end).then(|| {
            start = next_line(text, at, range.end);
            at..at + text[at..start].trim_end_matches(['\n', '\r']).len()
        })
    })
}

/// Returns the start of the next line.
pub(crate) fn next_line(text: &str, at: usize, end: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[at..end]).map_or(end, |found| at + found + 1)
}

/// Returns the lines of the content of a block that begins at an offset, without their indentation, and its end.
pub(super) fn indented_content(text: &str, start: usize) -> Option<(Vec<Range<usize>>, usize)> {
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
        let Some(skipped) = columns(written, indent + CODE_INDENT) else { break };
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
            b'\t' => column += CODE_INDENT - column % CODE_INDENT,
            _ => return None,
        }
    }
    None
}
