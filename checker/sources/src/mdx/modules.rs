//! Finds the ends of expressions, imports and exports, and the names of modules in them.

use std::ops::Range;

use crate::markdown::directives::next_line;

use super::jsx::skipped;

/// Returns the ranges of the names after `from` and `import`, without quotes.
pub(super) fn sources(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
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
pub(super) fn begins(line: &str) -> bool {
    line.starts_with("import ") || line.starts_with("export ")
}

/// Returns the end of imports and exports: the first empty line outside of brackets and strings.
pub(super) fn end(text: &str, start: usize, end: usize) -> usize {
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
    use super::{begins, end, sources};

    fn found(text: &str) -> Vec<&str> {
        sources(text, 0..text.len()).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn finds_ends() {
        for (text, rest) in [
            ("import a from 'b'\n\nc", "\nc"),
            ("export const a = {\n\nb: `\n\n`,\n\n}\nimport c from 'd'\n  \ne", "  \ne"),
            ("export const a = <p>don't</p>\n\nb", "\nb"),
            ("import 'a'", ""),
        ] {
            assert!(begins(text));
            assert_eq!(&text[end(text, 0, text.len())..], rest, "{text}");
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
