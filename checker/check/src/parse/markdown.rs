//! Finds links in Markdown, for `llms.txt` (llmstxt.org): inline links, images, reference definitions and autolinks
//! (`CommonMark` 0.31). Code is skipped.

use std::ops::Range;

use super::page::Page;
use super::reference_kind::ReferenceKind;

/// Adds the links in [`Page::source`]. With `is_whole` the file contains the text of many pages, like `llms-full.txt`:
/// relative links there refer to those pages, and are skipped.
pub(super) fn parse_llms(page: &mut Page, is_whole: bool) {
    let Page { source, facts, .. } = page;
    let text = String::from_utf8_lossy(source);
    // Offsets in a file that is not UTF-8 would change by decoding.
    if text.len() != source.len() {
        return;
    }
    for location in links(&text) {
        let url = &text[location.clone()];
        let is_skipped = if is_whole { !url.contains("://") } else { url.starts_with('#') };
        if !is_skipped && !url.contains(['{', '$']) {
            facts.push_text(ReferenceKind::LlmsLink, url, location.start as u32..location.end as u32);
        }
    }
}

/// Maximum number of bytes to search for the end of a link, a title or a code span. Real ones are shorter, and the
/// limit avoids quadratic time.
const MAX_LENGTH: usize = 1024;

/// Returns the text at an offset, up to the limit.
fn text_from(line: &str, at: usize) -> &str {
    line.get(at..line.floor_char_boundary(at + MAX_LENGTH)).unwrap_or("")
}

/// Returns the locations of all URLs.
fn links(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let fence_length = bare.len()
            - bare
                .trim_start_matches(bare.chars().next().filter(|c| "`~".contains(*c)).unwrap_or('\n'))
                .len();
        match fence {
            Some(open) if bare.starts_with(open) && fence_length == bare.len() => fence = None,
            Some(_) => {}
            None if fence_length >= 3 => fence = bare.get(..fence_length),
            None => links_of_line(line, start, &mut found),
        }
        start += line.len();
    }
    found
}

fn links_of_line(line: &str, start: usize, found: &mut Vec<Range<usize>>) {
    let bytes = line.as_bytes();
    let mut push = |range: Option<Range<usize>>| {
        found.extend(
            range.filter(|range| !range.is_empty()).map(|range| start + range.start..start + range.end),
        );
    };
    if let Some(at) = definition(line) {
        push(destination(line, at).map(|(range, _)| range));
        return;
    }
    let (mut at, mut open) = (0, 0usize);
    while let Some(next) = bytes[at..].iter().position(|byte| b"\\`<[]".contains(byte)) {
        at += next;
        match bytes[at] {
            b'\\' => at += 2,
            b'`' => {
                let after = at + bytes[at..].iter().take_while(|byte| **byte == b'`').count();
                let end = text_from(line, after).find(&line[at..after]);
                at = end.map_or(after, |end| 2 * after - at + end);
            }
            b'<' => {
                let end = text_from(line, at).find('>').map(|end| at + end);
                let inner = end.map_or("", |end| &line[at + 1..end]);
                let is_web = inner.starts_with("http://") || inner.starts_with("https://");
                let is_link = is_web && !inner.contains([' ', '<']);
                let link_end = if is_link { end } else { None };
                push(link_end.map(|close| at + 1..close));
                at = link_end.unwrap_or(at) + 1;
            }
            b'[' => {
                open += 1;
                at += 1;
            }
            _ => {
                at += 1;
                let link =
                    if open > 0 && bytes.get(at) == Some(&b'(') { destination(line, at + 1) } else { None };
                open = open.saturating_sub(1);
                if let Some((range, end)) = link.filter(|(_, end)| is_closed(text_from(line, *end))) {
                    push(Some(range));
                    at = end;
                }
            }
        }
        at = at.min(bytes.len());
    }
}

/// Whether a title and `)` may follow a link's URL here.
fn is_closed(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.starts_with(')') || (rest.starts_with(['"', '\'', '(']) && rest[1..].contains(')'))
}

/// Returns the start of the URL in a reference definition, `[name]: url`.
fn definition(line: &str) -> Option<usize> {
    let bare = line.trim_start();
    let indent = line.len() - bare.len();
    let name = bare.strip_prefix('[').filter(|name| indent < 4 && !name.starts_with('^'))?;
    let close = name.find(']')?;
    name[close..].starts_with("]:").then_some(indent + 1 + close + 2)
}

/// Returns the URL at an offset, after white space, and its end.
fn destination(line: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let spaced = text_from(line, at);
    let start = at + (spaced.len() - spaced.trim_start().len());
    let rest = text_from(line, start);
    if let Some(bracketed) = rest.strip_prefix('<') {
        let length = bracketed.find(['>', '\n']).filter(|end| bracketed[*end..].starts_with('>'))?;
        return Some((start + 1..start + 1 + length, start + length + 2));
    }
    let mut depth = 0;
    let ends = |c: char| {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return true,
            ')' => depth -= 1,
            _ => {}
        }
        c.is_whitespace()
    };
    let length = rest.find(ends).unwrap_or(rest.len());
    Some((start..start + length, start + length))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::links;

    fn found(text: &str) -> Vec<&str> {
        links(text).into_iter().map(|location| &text[location]).collect()
    }

    #[test]
    fn finds_links_of_every_form() {
        let text = "# Docs\n- [Guide](/guide.md): how\n- [A](</a b.md> \"t\") ![b](b.png 'x')\n<https://x.example/c>\n\n[d]: ./d.md \"D\"\n[wiki](/w_(x))";
        assert_eq!(found(text), ["/guide.md", "/a b.md", "b.png", "https://x.example/c", "./d.md", "/w_(x)"]);
    }

    #[test]
    fn skips_code_and_escapes() {
        assert_eq!(
            found("`[a](/no)` ``[`](/no)`` \\[a\\](/no) a](/no) f[0](x y) <div> [^1]: note"),
            ["/no"][..0]
        );
        assert_eq!(found("```js\n[a](/no)\n``\n```\n[a](/yes)\n~~~~\n[b](/no)\n~~~\n"), ["/yes"]);
        assert_eq!(found("[a]() [b]( ) [c](<"), ["/no"][..0]);
    }

    proptest! {
        #[test]
        fn locations_are_inside_any_text(text in "[\\[\\]()<>`~\\\\ \"'a/:é\n#!^]{0,40}") {
            for location in links(&text) {
                prop_assert!(text.get(location).is_some());
            }
        }
    }
}
