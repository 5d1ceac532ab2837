//! Parses any bytes and any markup in every format: no panic, and every span is inside the text.

use proptest::prelude::*;

use crate::parse::{self, ContentNeeds, Format, Page, ParseOptions};

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn parses_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), kind in 0..5u8) {
        run_all_parsers(&bytes, kind);
    }

    #[test]
    fn parses_any_markup(text in "[<>/a-c =\"'!&;#\\-\\[\\]{}():,@%\u{0}é]{0,120}", kind in 0..5u8) {
        run_all_parsers(text.as_bytes(), kind);
    }
}

fn run_all_parsers(bytes: &[u8], kind: u8) {
    match kind {
        0 => assert!(parsed(Format::Html, bytes)),
        // A file may be malformed.
        1 => [Format::Xml, Format::Manifest].into_iter().for_each(|format| {
            parsed(format, bytes);
        }),
        2 => assert!(parsed(Format::Robots, bytes)),
        3 => FORMATS.iter().for_each(|(format, before)| parse_after_prefix(*format, before, bytes)),
        _ => {
            let text = String::from_utf8_lossy(bytes);
            sitegate_html::css::urls(&text, |_, _, span| assert!(text.get(span).is_some()));
            assert!(sitegate_html::srcset::urls(&text).into_iter().all(|span| text.get(span).is_some()));
            if let sitegate_html::refresh::Refresh::Url(span) = sitegate_html::refresh::parse(&text) {
                assert!(text.get(span).is_some());
            }
            sitegate_host::redirects::Redirects::parse(&text, None);
        }
    }
}

/// Formats with a valid prefix.
const FORMATS: [(Format, &str); 7] = [
    (Format::Xml, "<rss><item><link>/a/</link><description>"),
    (Format::Xml, "<feed xml:base='/a'><entry><content type='html'>"),
    (Format::JsonFeed, "{\"version\":\"jsonfeed.org/version/1\",\"items\":[{\"content_html\":\""),
    (Format::Security, "Contact: "),
    (Format::Headers, "/*\n  Link: "),
    (Format::Llms, "- [a"),
    (Format::LlmsFull, "- [a"),
];

fn parse_after_prefix(format: Format, before: &str, bytes: &[u8]) {
    assert!(parsed(format, &[before.as_bytes(), bytes].concat()));
}

/// Parses a text. Returns whether its syntax is valid.
fn parsed(format: Format, bytes: &[u8]) -> bool {
    let mut page = Page::default();
    let options =
        ParseOptions { path: b"", format, selected: &[], needs: &ContentNeeds::default(), digest: None };
    let read = parse::read(&mut page, bytes.to_vec(), &options);
    for reference in &page.facts.references {
        assert!(reference.span.end as usize <= page.source.len(), "{reference:?}");
        assert!(reference.span.start <= reference.span.end);
    }
    read.is_ok()
}
