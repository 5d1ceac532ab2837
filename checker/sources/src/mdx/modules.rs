//! Finds the ends of expressions, imports and exports, and the names of modules in them.

use std::ops::Range;

use markdown::MdxSignal;

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

/// Maximum length in bytes of a script whose end is searched. It is read again at each possible end.
const MAX_SCRIPT: usize = 16 << 10;

/// Tells the parser whether a script is complete: brackets, strings and comments in it are closed.
pub(super) fn is_complete(text: &str) -> MdxSignal {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    while at < bytes.len() && bytes.len() <= MAX_SCRIPT {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let length = skipped(bytes, at);
        depth += usize::from(length.is_none());
        at += length.unwrap_or(bytes.len());
    }
    if depth == 0 || bytes.len() > MAX_SCRIPT {
        return MdxSignal::Ok;
    }
    let message = "it is not complete".to_owned();
    MdxSignal::Eof(message, Box::new("sitegate".to_owned()), Box::new("script".to_owned()))
}

#[cfg(test)]
mod tests {
    use markdown::MdxSignal;

    use super::{is_complete, sources};

    fn found(text: &str) -> Vec<&str> {
        sources(text, 0..text.len()).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn finds_ends() {
        for text in ["a", "'}'", "/* } */", "{}", "`${a}`", "// a", "", "a /* b */"] {
            assert!(matches!(is_complete(text), MdxSignal::Ok), "{text}");
        }
        for text in ["'", "/* ", "{", "(a", "`a", "/*/", "a '"] {
            assert!(matches!(is_complete(text), MdxSignal::Eof(..)), "{text}");
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
