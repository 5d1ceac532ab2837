//! Comments of HTML in MDX: Docusaurus reads them as comments of JSX.

use pulldown_cmark::{Event, Parser, Tag};

/// Replaces comments of HTML outside of code by comments of JSX with the same length.
pub(super) fn without(text: &str) -> String {
    let is_code = |event: &Event<'_>| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_)));
    let events = Parser::new(text).into_offset_iter();
    let code: Vec<_> = events.filter(|(event, _)| is_code(event)).map(|(_, range)| range).collect();
    let mut shown = String::with_capacity(text.len());
    let mut read = 0;
    while let Some(open) = memchr::memmem::find(&text.as_bytes()[read..], b"<!--").map(|open| read + open) {
        let next = code.partition_point(|range| range.end <= open);
        if let Some(code) = code.get(next).filter(|code| code.start <= open) {
            shown.push_str(&text[read..code.end]);
            read = code.end;
            continue;
        }
        let Some(length) = text[open + 4..].find("-->") else { break };
        shown.push_str(&text[read..open]);
        shown.push_str("{/* ");
        // Braces would end the expression, and other characters may have several bytes.
        let content = text[open + 4..open + 4 + length].bytes();
        shown.extend(content.map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        shown.push_str("*/}");
        read = open + 4 + length + 3;
    }
    shown.push_str(&text[read..]);
    shown
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn replaces_comments_of_html() {
        for (text, expected) in [
            ("a <!-- {é\n} --> b", "a {/*    \n  */} b"),
            ("`<!--` a -->", "`<!--` a -->"),
            ("```\n<!-- a -->\n```\n<!-- a -->", "```\n<!-- a -->\n```\n{/*   */}"),
            ("<!--> a", "<!--> a"),
            ("<!-- a", "<!-- a"),
        ] {
            let replaced = without(text);
            assert_eq!(replaced.len(), text.len(), "{text}");
            assert_eq!(replaced.replace(' ', ""), expected.replace(' ', ""), "{text}");
        }
    }
}
