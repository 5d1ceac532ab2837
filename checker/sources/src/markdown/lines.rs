//! Finds what whole lines hide in a dialect of Markdown: comments and formulas. The parser reads them as text.

use std::ops::Range;

use crate::reference::SourceScan;

use super::directives::{lines, next_line};

/// Lines that begin and end a formula in all renderers of `TeX`, which may contain empty lines.
const FORMULAS: [(&str, &str); 3] = [("$$", "$$"), (r"\[", r"\]"), (r"\\[", r"\\]")];

/// Definitions that authors use as comments.
const COMMENTS: [&str; 4] = ["[//]: #", "[//]: <>", "[comment]: #", "[comment]: <>"];

/// Returns the hidden ranges in a part of a text. What begins in text that is inert already hides nothing.
pub(super) fn hidden(text: &str, range: Range<usize>, found: &SourceScan<'_>) -> Vec<Range<usize>> {
    let mut hidden = formulas(text, range.clone(), found);
    let mut open: Option<(usize, &str)> = None;
    for line in lines(text, range.clone()) {
        let content = text[line.clone()].trim_start_matches([' ', '\t', '>']);
        let start = line.end - content.len();
        if found.is_inert(start) {
            continue;
        }
        let content = content.trim_end();
        if let Some((from, end)) = open {
            if content == end {
                hidden.push(from..line.end);
                open = None;
            }
        } else if let Some((_, end)) = FORMULAS.iter().find(|(mark, _)| *mark == content) {
            open = Some((start, end));
        } else if COMMENTS.iter().any(|mark| content.starts_with(mark)) || is_comment(content) {
            hidden.push(start..line.end);
        }
    }
    hidden
}

/// Whether a line is a comment of `MyST`: `% comment`. Others are ends of tags of Liquid and Hugo.
fn is_comment(content: &str) -> bool {
    content.starts_with('%') && !content.starts_with("%}")
}

/// Finds formulas in a paragraph: `\(…\)`.
fn formulas(text: &str, range: Range<usize>, found: &SourceScan<'_>) -> Vec<Range<usize>> {
    let bytes = &text.as_bytes()[..range.end];
    let mut hidden = Vec::new();
    let mut open = None;
    let mut at = range.start;
    while let Some(mark) = memchr::memchr2(b'\\', b'\n', &bytes[at..]).map(|mark| at + mark) {
        at = mark + 1;
        if bytes[mark] == b'\n' {
            let next = &text[at..next_line(text, at, range.end)];
            // A paragraph ends at an empty line.
            open = open.filter(|_| !next.trim().is_empty());
            continue;
        }
        let is_text = !found.is_inert(mark)
            && found.reference_at(mark).is_none_or(|reference| reference.range.end <= mark);
        match (bytes.get(at), open) {
            (Some(b'('), None) if is_text => open = Some(mark),
            (Some(b')'), Some(start)) if is_text => {
                hidden.push(start..at + 1);
                open = None;
            }
            _ => {}
        }
        // `\\(` begins a formula, too, and `\\` before another character is none.
        at += usize::from(bytes.get(at).is_some_and(|byte| !matches!(byte, b'\\' | b'\n')));
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    hidden
}

#[cfg(test)]
mod tests {
    use super::hidden;
    use crate::reference::SourceScan;

    fn found(text: &str) -> Vec<&str> {
        hidden(text, 0..text.len(), &SourceScan::default()).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn finds_comments_and_formulas() {
        for (text, expected) in [
            ("a\n% b\nc", "% b"),
            ("> [//]: # (b [c](d))\n", "[//]: # (b [c](d))"),
            ("$$\na\n\nb\n$$\n", "$$\na\n\nb\n$$"),
            ("\\[\na\n\\]", "\\[\na\n\\]"),
            ("a \\(b\nc\\) d", "\\(b\nc\\)"),
            ("a \\\\(b\\\\) d", "\\(b\\\\)"),
        ] {
            assert_eq!(found(text), [expected], "{text}");
        }
        for text in ["a % b", "%}\n", "$$\na", "$5 $$ 6", "\\(a\n\nb\\)", "\\[a\\]", "\\é\\(", "\\"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
