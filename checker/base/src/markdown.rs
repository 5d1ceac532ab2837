//! Escapes untrusted text for Markdown in reports and comments on GitHub and GitLab: none becomes a link, a mention, a
//! reference, an image or markup.
//!
//! The hosts process text in steps, and each needs its own answer:
//!
//! - Markdown (emphasis, links, `http://`, `www.`, tables, footnotes, math) is in the source. Character references hide it.
//! - Mail addresses, `mailto:` and `xmpp:` are found after references are resolved, up to the next tag, also in `code`
//!   elements. Code has a comment before each `@`, and other text a zero-width space after it.
//! - Mentions, issues, commits, emoji and URLs of other schemes are found in the resulting HTML, but not in `code`
//!   elements. Other text has zero-width spaces.
//!
//! A zero-width space would be in names that people copy from code, so code has comments, which hosts remove.

use std::fmt::Write as _;

use crate::sanitize::visible;

/// Ends the text in which the hosts look for the parts of a mail address. It is no part of what people see or copy.
const BREAK: &str = "<!-- -->";

/// Is invisible, and no part of any reference.
const ZERO_WIDTH: &str = "&#8203;";

/// Lengths of the abbreviated and full names of commits.
const COMMIT: std::ops::RangeInclusive<usize> = 7..=40;

/// Returns a code span, in which the hosts look for no mentions and references.
pub fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text).replace(AT, &format!("{BREAK}{AT}")))
}

/// A character reference to `@`.
const AT: &str = "&#64;";

/// Escapes text of attributes, so that it contains no markup, shortcode, web link or line break. Uses character
/// references, which also work in tables and in HTML.
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
    let mut hex = HexWord::default();
    for (at, c) in text.char_indices() {
        let next = text[at + c.len_utf8()..].chars().next().filter(|next| !next.is_whitespace());
        let is_after_www = || {
            let start = at.checked_sub(3).filter(|start| text.is_char_boundary(*start));
            start.is_some_and(|start| {
                text[start..at].eq_ignore_ascii_case("www") && !text[..start].ends_with(char::is_alphanumeric)
            })
        };
        let is_markup = match c {
            ':' => next.is_some(),
            '.' => is_after_www(),
            c => "\\`*_{}[]<>#|~&\"@$^=%!".contains(c),
        };
        if !is_code && hex.breaks_before(&text, at, c) {
            safe.push_str(ZERO_WIDTH);
        }
        if is_markup {
            let _ = write!(safe, "&#{};", u32::from(c));
        } else {
            safe.push(c);
        }
        // People, issues, merge requests, milestones, labels, snippets, epics, emoji and schemes. `GH-1` is an issue, and
        // so are the keys of other trackers: `SHOP-12`.
        let is_key = || c == '-' && text[..at].ends_with(is_word_character);
        let is_reference = "@#!%~$&^:".contains(c)
            || c == '.' && is_markup
            || is_key() && next.is_some_and(|next| next.is_ascii_digit());
        if !is_code && is_reference && next.is_some() {
            safe.push_str(ZERO_WIDTH);
        }
    }
    safe
}

fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A word of hexadecimal digits, which could be a commit.
#[derive(Default)]
struct HexWord {
    /// The end of the word, and of the current part of it.
    end: usize,
    part: usize,
}

impl HexWord {
    /// Whether a word at this character is cut, so that no part of it is as long as an abbreviated commit.
    fn breaks_before(&mut self, text: &str, at: usize, c: char) -> bool {
        if at < self.end {
            let is_cut = at == self.part;
            if is_cut {
                self.part = at + COMMIT.start() - 1;
            }
            return is_cut;
        }
        let is_start = c.is_ascii_hexdigit() && !text[..at].ends_with(is_word_character);
        if is_start {
            let length = text[at..].bytes().take_while(u8::is_ascii_hexdigit).count();
            let is_word = !text[at + length..].starts_with(is_word_character);
            if is_word && COMMIT.contains(&length) {
                (self.end, self.part) = (at + length, at + COMMIT.start() - 1);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{BREAK, ZERO_WIDTH, code, escaped, plain};

    #[test]
    fn text_has_no_markup() {
        assert_eq!(escaped("a: b"), "a: b");
        assert_eq!(escaped("https://x :tada: @all"), "https&#58;//x &#58;tada: &#64;all");
        assert_eq!(escaped("<b>|\n[x](y)"), "&#60;b&#62;&#124;&#92;n&#91;x&#93;(y)");
        assert_eq!(escaped("a\u{202e}b"), "a&#92;u&#123;202e&#125;b");
        assert_eq!(code("a@b.c"), "<code>a<!-- -->&#64;b.c</code>");
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
        assert_eq!(plain("gh-1, high- 1 & low"), "gh-&#8203;1, high- 1 &#38; low");
        for begin in ["@", "#", "!", "%", "~", "$", "&", "^", ":"] {
            assert!(plain(&format!("{begin}1")).contains(";&#8203;1"), "{begin}");
        }
        assert_eq!(plain("at 4f2a9c01b, not 4f2a9c"), "at 4f2a9c&#8203;01b, not 4f2a9c");
        assert_eq!(plain(&"a".repeat(13)), format!("aaaaaa{ZERO_WIDTH}aaaaaa{ZERO_WIDTH}a"));
        assert_eq!(plain(&"a".repeat(41)), "a".repeat(41));
    }

    #[test]
    fn copied_code_is_unchanged() {
        let name = "/a@b.example/:x:/GH-1/4f2a9c01b/#1";
        let shown = code(name).replace("<!-- -->", "").replace("<code>", "").replace("</code>", "");
        assert_eq!(htmlize_references(&shown), name);
    }

    /// Resolves decimal character references.
    fn htmlize_references(text: &str) -> String {
        let mut parts = text.split("&#");
        let mut resolved = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (number, rest) = part.split_once(';').unwrap();
            resolved.push(char::from_u32(number.parse().unwrap()).unwrap());
            resolved.push_str(rest);
        }
        resolved
    }

    /// Texts that the hosts would link or show as something else, in all contexts.
    const HOSTILE: [&str; 30] = [
        "a@b.example",
        "mailto:a@b.example",
        "xmpp:a@b.example",
        "xmpp:a@b.example/x",
        "MAILTO:a@b.example",
        "http://x.example",
        "https://x.example/a?b=c",
        "HTTP://x.example",
        "ftp://x.example",
        "irc://x.example",
        "www.x.example",
        "WWW.x.example",
        "<https://x.example>",
        "<a@b.example>",
        "[a](https://x.example)",
        "![a](x.png)",
        "[a]: https://x.example",
        "[^1]",
        "[[a]]",
        "`a`",
        "**a**",
        "$a$",
        "$`a`$",
        "~~a~~",
        "a@b@c.example",
        "a.b+c@d.example",
        "| a | b |",
        "<img src=x>",
        "<!-- a -->",
        "&commat;a",
    ];

    #[test]
    fn markdown_of_the_hosts_finds_nothing() {
        let mut options = comrak::Options::default();
        options.render.r#unsafe = true;
        let extension = &mut options.extension;
        (extension.autolink, extension.footnotes, extension.table) = (true, true, true);
        (extension.strikethrough, extension.tasklist) = (true, true);
        (extension.math_dollars, extension.math_code) = (true, true);
        (extension.wikilinks_title_after_pipe, extension.multiline_block_quotes) = (true, true);
        for relaxed in [false, true] {
            options.parse.relaxed_autolinks = relaxed;
            for hostile in HOSTILE {
                for around in ["{}", "x{}x", "({})", "a {} b", "/{}/index.html"] {
                    let text = around.replace("{}", hostile);
                    for safe in [code(&text), plain(&text), format!("- {}, {}", code(&text), plain(&text))] {
                        let html = comrak::markdown_to_html(&safe, &options);
                        let bare = html.replace(BREAK, "");
                        for tag in
                            ["<a", "<img", "<em", "<strong", "<del", "<table", "<sup", "<span", "<section"]
                        {
                            assert!(!bare.contains(tag), "{text}: {safe}: {html}");
                        }
                    }
                }
            }
        }
    }
}
