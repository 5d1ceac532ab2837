//! Finds what is no Markdown in MDX: tags, expressions, comments, imports and exports with the names of their modules, and
//! code, which has none of them.

use std::ops::Range;

use super::jsx::{self, skipped};
use crate::markdown::directives::next_line;
use crate::reference::{Manner, SourceScan};

/// Maximum distance in bytes of the end of inline code.
const MAX_CODE: usize = 16 << 10;

/// Reads the parts of a range that are no Markdown into a scan. Returns those to replace, in order; `None` if a tag or an
/// expression has no end.
pub(super) fn scan_parts<'t>(
    text: &'t str,
    range: Range<usize>,
    found: &mut SourceScan<'t>,
) -> Option<Vec<Range<usize>>> {
    let bytes = &text.as_bytes()[..range.end];
    let mut parts = Vec::new();
    let mut at = range.start;
    let mut is_line_start = true;
    // Whether the line before is text, which an import does not interrupt.
    let mut is_paragraph = false;
    while at < range.end {
        if std::mem::take(&mut is_line_start) {
            let line_end = next_line(text, at, range.end);
            let line = &text[at..line_end];
            if line.trim().is_empty() {
                (is_paragraph, is_line_start, at) = (false, true, line_end);
                continue;
            }
            if let Some(fence) = CodeFence::open(line) {
                let end = fence.end(text, line_end, range.end);
                found.inert.push(at..end);
                (is_paragraph, is_line_start, at) = (false, true, end);
                continue;
            }
            if !is_paragraph && begins_module(line) {
                let end = module_end(text, at, range.end);
                add_modules(text, at..end, found);
                parts.push(at..end);
                (is_line_start, at) = (true, end);
                continue;
            }
            is_paragraph = true;
        }
        let start = at;
        match bytes[at] {
            b'\n' => {
                is_line_start = true;
                at += 1;
            }
            b'\\' => at += if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) { 2 } else { 1 },
            b'`' => at = code_end(text, at, range.end),
            b'<' => {
                let is_markdown;
                (at, is_markdown) = tag(text, at..range.end, found)?;
                if !is_markdown {
                    parts.push(start..at);
                }
            }
            b'{' => {
                at = jsx::expression_end(bytes, at)?;
                found.inert.push(start..at);
                parts.push(start..at);
            }
            _ => at += 1,
        }
    }
    Some(parts)
}

/// Reads what `<` begins. Returns the offset after it, and whether it is Markdown; `None` if it has no end.
fn tag<'t>(text: &'t str, range: Range<usize>, found: &mut SourceScan<'t>) -> Option<(usize, bool)> {
    let rest = &text[range.clone()];
    let before = text[..range.start].trim_end_matches([' ', '\t', '\n']);
    if before.ends_with("](") || before.ends_with("]:") {
        // A destination in angle brackets.
        let line_end = rest.find('\n').unwrap_or(rest.len());
        return Some((range.start + rest[..line_end].find('>').unwrap_or(0) + 1, true));
    }
    let find = |mark: &str| rest.find(mark).map(|end| range.start + end + mark.len());
    if rest.starts_with("<!--") {
        // Docusaurus allows comments of HTML.
        let end = find("-->")?;
        found.inert.push(range.start..end);
        return Some((end, false));
    }
    if rest.starts_with("</") {
        return Some((find(">")?, false));
    }
    let is_name = |c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '>');
    if !rest[1..].starts_with(is_name) {
        return Some((range.start + 1, true));
    }
    Some((jsx::tag(text, range, found)?, false))
}

/// Adds imports and exports: only the names of modules are references.
fn add_modules<'t>(text: &'t str, range: Range<usize>, found: &mut SourceScan<'t>) {
    let mut start = range.start;
    for source in module_sources(text, range.clone()) {
        found.inert.push(start..source.start);
        start = source.end;
        found.add(text, source, Manner::File);
    }
    found.inert.push(start..range.end);
}

/// Returns the offset after inline code, or after its backquotes if it has no end in its paragraph.
fn code_end(text: &str, start: usize, end: usize) -> usize {
    let bytes = &text.as_bytes()[..end.min(start + MAX_CODE)];
    let run = |at: usize| bytes[at..].iter().take_while(|byte| **byte == b'`').count();
    let count = run(start);
    let mut at = start + count;
    while let Some(mark) = memchr::memchr2(b'`', b'\n', &bytes[at..]).map(|mark| at + mark) {
        if bytes[mark] == b'\n' {
            at = mark + 1;
            if text.as_bytes()[at..next_line(text, at, end)].trim_ascii().is_empty() {
                break;
            }
            continue;
        }
        at = mark + run(mark);
        if at == mark + count {
            return at;
        }
    }
    start + count
}

/// A fence of code.
struct CodeFence {
    mark: u8,
    count: usize,
    is_in_quote: bool,
}

impl CodeFence {
    /// Returns the fence that a line opens, also in quotes and lists.
    fn open(line: &str) -> Option<CodeFence> {
        let mut content = line.trim_start_matches([' ', '\t', '>']);
        let is_in_quote = line[..line.len() - content.len()].contains('>');
        loop {
            let rest = content.trim_start_matches(|c: char| c.is_ascii_digit());
            let marker = if rest.len() < content.len() { &['.', ')'][..] } else { &['-', '*', '+'][..] };
            match rest.strip_prefix(marker) {
                Some(rest) if rest.starts_with([' ', '\t']) => {
                    content = rest.trim_start_matches([' ', '\t', '>']);
                }
                _ => break,
            }
        }
        let mark = content.bytes().next().filter(|mark| matches!(mark, b'`' | b'~'))?;
        let count = content.bytes().take_while(|byte| *byte == mark).count();
        let is_inline = mark == b'`' && content[count..].contains('`');
        (count >= 3 && !is_inline).then_some(CodeFence { mark, count, is_in_quote })
    }

    /// Returns the offset after the closing fence.
    fn end(&self, text: &str, from: usize, end: usize) -> usize {
        let mut at = from;
        while at < end {
            let next = next_line(text, at, end);
            let line = text[at..next].trim();
            let content = line.trim_start_matches([' ', '\t', '>']);
            if self.is_in_quote && !line.starts_with('>') {
                return at;
            }
            if content.len() >= self.count && content.bytes().all(|byte| byte == self.mark) {
                return next;
            }
            at = next;
        }
        end
    }
}

/// Returns the ranges of the names after `from` and `import`, without quotes.
fn module_sources(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let bytes = &text.as_bytes()[..range.end];
    let mut found = Vec::new();
    let mut last_word = "";
    let mut at = range.start;
    while at < range.end {
        let start = at;
        let word = bytes[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"_$.".contains(byte))
            .count();
        if word > 0 {
            last_word = &text[at..at + word];
            at += word;
            continue;
        }
        let Some(length) = skipped(bytes, at) else { break };
        at = (at + length).min(range.end);
        let is_string = matches!(bytes[start], b'"' | b'\'') && at - start >= 2;
        if is_string {
            let inner = start + 1..at - 1;
            if matches!(last_word, "from" | "import")
                && !inner.is_empty()
                && !text[inner.clone()].contains('\\')
            {
                found.push(inner);
            }
            last_word = "";
        } else if !(bytes[start].is_ascii_whitespace() || at - start > 1) {
            last_word = "";
        }
    }
    found
}

/// Maximum length in bytes of imports and exports without an empty line between them.
const MAX_MODULE: usize = 64 << 10;

/// Whether a line begins imports or exports.
fn begins_module(line: &str) -> bool {
    line.starts_with("import ") || line.starts_with("export ")
}

/// Returns the end of imports and exports: the first empty line outside of brackets and strings.
fn module_end(text: &str, start: usize, end: usize) -> usize {
    let bytes = &text.as_bytes()[..end];
    let mut depth = 0_usize;
    let mut at = start;
    while at < end.min(start + MAX_MODULE) {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'\n' if depth == 0 => {
                let next = next_line(text, at + 1, end);
                if text[at + 1..next].trim().is_empty() {
                    return at + 1;
                }
            }
            _ => {}
        }
        let Some(length) = skipped(bytes, at) else { break };
        at += length;
    }
    at.min(end)
}

#[cfg(test)]
mod tests {
    use super::{begins_module, module_end, module_sources};

    fn found(text: &str) -> Vec<&str> {
        module_sources(text, 0..text.len()).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn finds_ends() {
        for (text, rest) in [
            ("import a from 'b'\n\nc", "\nc"),
            ("export const a = {\n\nb: `\n\n`,\n\n}\nimport c from 'd'\n  \ne", "  \ne"),
            ("export const a = <p>don't</p>\n\nb", "\nb"),
            ("import 'a'", ""),
        ] {
            assert!(begins_module(text));
            assert_eq!(&text[module_end(text, 0, text.len())..], rest, "{text}");
        }
    }

    #[test]
    fn finds_names_of_modules() {
        assert_eq!(
            found("import A, {b} from './a.mdx'\nimport \"./c.css\"\nexport * from /* x */ '@site/d.js'"),
            ["./a.mdx", "./c.css", "@site/d.js"]
        );
        assert_eq!(
            found("export const a = {from: './b', import: './c'}, d = import('./e') // from './f'\n"),
            [""; 0]
        );
        assert_eq!(found("export const a = x.from './b'; /* from './c' */ `from './d'`"), [""; 0]);
        assert_eq!(found("export const a = <p>don't</p>\nexport b from 'c'"), ["c"]);
    }
}
