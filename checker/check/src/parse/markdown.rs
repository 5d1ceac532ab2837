//! Links in Markdown, for `llms.txt` (llmstxt.org): inline ones, images, reference definitions and autolinks (`CommonMark` 0.31);
//! code is passed over.

use std::ops::Range;

use super::page::Page;
use super::reference_kind::ReferenceKind;

/// Takes the links out of [`Page::source`]. Where `is_whole` the file holds the text of many pages one after the other, as
/// `llms-full.txt` does: what is relative there was meant for those pages.
pub(super) fn parse_llms(page: &mut Page, is_whole: bool) {
    let Page { source, facts, .. } = page;
    let text = String::from_utf8_lossy(source);
    // A file that is not UTF-8 has other places once it is decoded.
    if text.len() != source.len() {
        return;
    }
    for place in links(&text) {
        let address = &text[place.clone()];
        let is_skipped = if is_whole { !address.contains("://") } else { address.starts_with('#') };
        if !is_skipped && !address.contains(['{', '$']) {
            let value = Some(facts.keep(address));
            facts.push(ReferenceKind::LlmsLink, value, place.start as u32..place.end as u32);
        }
    }
}

/// Bytes in which a link, a title or a span of code must end: what is written by people is shorter, and nothing is looked through
/// over and over.
const NEAR: usize = 1024;

/// The text from here on, as far as it is looked at.
fn near(line: &str, at: usize) -> &str {
    line.get(at..line.floor_char_boundary(at + NEAR)).unwrap_or("")
}

/// The places of all addresses.
fn links(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let marks = bare.len()
            - bare
                .trim_start_matches(bare.chars().next().filter(|c| "`~".contains(*c)).unwrap_or('\n'))
                .len();
        match fence {
            Some(open) if bare.starts_with(open) && marks == bare.len() => fence = None,
            Some(_) => {}
            None if marks >= 3 => fence = bare.get(..marks),
            None => of_line(line, start, &mut found),
        }
        start += line.len();
    }
    found
}

fn of_line(line: &str, start: usize, found: &mut Vec<Range<usize>>) {
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
                let end = near(line, after).find(&line[at..after]);
                at = end.map_or(after, |end| 2 * after - at + end);
            }
            b'<' => {
                let end = near(line, at).find('>').map(|end| at + end);
                let inner = end.map_or("", |end| &line[at + 1..end]);
                let is_web = inner.starts_with("http://") || inner.starts_with("https://");
                let is_link = is_web && !inner.contains([' ', '<']);
                push(end.filter(|_| is_link).map(|end| at + 1..end));
                at = end.filter(|_| is_link).unwrap_or(at) + 1;
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
                if let Some((range, end)) = link.filter(|(_, end)| is_closed(near(line, *end))) {
                    push(Some(range));
                    at = end;
                }
            }
        }
        at = at.min(bytes.len());
    }
}

/// Whether a link's address is followed by what may follow it: a title and `)`.
fn is_closed(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.starts_with(')') || (rest.starts_with(['"', '\'', '(']) && rest[1..].contains(')'))
}

/// Where the address of a reference definition, `[name]: address`, begins.
fn definition(line: &str) -> Option<usize> {
    let bare = line.trim_start();
    let indent = line.len() - bare.len();
    let name = bare.strip_prefix('[').filter(|name| indent < 4 && !name.starts_with('^'))?;
    let close = name.find(']')?;
    name[close..].starts_with("]:").then_some(indent + 1 + close + 2)
}

/// The address that begins here, after white space, and where it ends.
fn destination(line: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let rest = near(line, at);
    let start = at + (rest.len() - rest.trim_start().len());
    let rest = near(line, start);
    if let Some(pointed) = rest.strip_prefix('<') {
        let length = pointed.find(['>', '\n']).filter(|end| pointed[*end..].starts_with('>'))?;
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
        links(text).into_iter().map(|place| &text[place]).collect()
    }

    #[test]
    fn links_of_every_form() {
        let text = "# Docs\n- [Guide](/guide.md): how\n- [A](</a b.md> \"t\") ![b](b.png 'x')\n<https://x.example/c>\n\n[d]: ./d.md \"D\"\n[wiki](/w_(x))";
        assert_eq!(found(text), ["/guide.md", "/a b.md", "b.png", "https://x.example/c", "./d.md", "/w_(x)"]);
    }

    #[test]
    fn what_is_no_link() {
        assert_eq!(
            found("`[a](/no)` ``[`](/no)`` \\[a\\](/no) a](/no) f[0](x y) <div> [^1]: note"),
            ["/no"][..0]
        );
        assert_eq!(found("```js\n[a](/no)\n``\n```\n[a](/yes)\n~~~~\n[b](/no)\n~~~\n"), ["/yes"]);
        assert_eq!(found("[a]() [b]( ) [c](<"), ["/no"][..0]);
    }

    proptest! {
        #[test]
        fn any_text_at_all(text in "[\\[\\]()<>`~\\\\ \"'a/:é\n#!^]{0,40}") {
            for place in links(&text) {
                prop_assert!(text.get(place).is_some());
            }
        }
    }
}
