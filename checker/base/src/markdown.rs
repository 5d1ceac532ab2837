//! Escapes untrusted text for Markdown in reports and comments on GitHub and GitLab.

use std::fmt::Write as _;

use crate::sanitize::visible;

/// Returns a code span, in which the hosts look for no mentions and references.
pub fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// Escapes text of code spans and attributes, so that it contains no markup, shortcode, web link or line break. Uses
/// character references, which also work in tables and in HTML.
pub fn escaped(text: &str) -> String {
    safe(text, true)
}

/// Escapes text outside of code, so that it also contains no mention or reference. The hosts look for these in the
/// rendered text, in which character references are resolved, so a zero-width space breaks them.
pub fn plain(text: &str) -> String {
    safe(text, false)
}

fn safe(text: &str, is_code: bool) -> String {
    let text = visible(text);
    let mut safe = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let next = text[at + c.len_utf8()..].chars().next().filter(|next| !next.is_whitespace());
        let is_after = |word: &str| {
            let start = at.checked_sub(word.len()).filter(|start| text.is_char_boundary(*start));
            let Some(start) = start else { return false };
            text[start..at].eq_ignore_ascii_case(word) && !text[..start].ends_with(char::is_alphanumeric)
        };
        let is_markup = match c {
            ':' => next.is_some(),
            '.' => is_after("www"),
            c => "\\`*_{}[]<>#|~&\"@$^=%!".contains(c),
        };
        if is_markup {
            let _ = write!(safe, "&#{};", u32::from(c));
        } else {
            safe.push(c);
        }
        // People, issues, merge requests, milestones, labels, snippets and epics; `GH-1` is an issue.
        let is_reference = "@#!%~$&^".contains(c) || c == '-' && is_after("gh");
        if !is_code && is_reference && next.is_some() {
            safe.push_str("&#8203;");
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::{code, escaped, plain};

    #[test]
    fn text_has_no_markup() {
        assert_eq!(escaped("a: b"), "a: b");
        assert_eq!(escaped("https://x :tada: @all"), "https&#58;//x &#58;tada: &#64;all");
        assert_eq!(escaped("<b>|\n[x](y)"), "&#60;b&#62;&#124;&#92;n&#91;x&#93;(y)");
        assert_eq!(escaped("a\u{202e}b"), "a&#92;u&#123;202e&#125;b");
        assert_eq!(code("Www.x.example\\"), "<code>Www&#46;x.example&#92;</code>");
        let hostile =
            "</details><img src=x> ![a](b) @all #1 `code` | https://x.example www.x.example\n# Title";
        for safe in [escaped(hostile), plain(hostile)] {
            for markup in ["<", ">", "![", "](", "@", "`", "|", "://", "www.", "\n", "# "] {
                assert!(!safe.contains(markup), "{markup} in {safe}");
            }
        }
    }

    #[test]
    fn text_outside_of_code_has_no_mention_or_reference() {
        assert_eq!(plain("@all #1"), "&#64;&#8203;all &#35;&#8203;1");
        assert_eq!(plain("gh-1, high-1 & low"), "gh-&#8203;1, high-1 &#38; low");
        for begin in ["@", "#", "!", "%", "~", "$", "&", "^"] {
            assert!(plain(&format!("{begin}1")).contains(";&#8203;1"), "{begin}");
        }
    }
}
