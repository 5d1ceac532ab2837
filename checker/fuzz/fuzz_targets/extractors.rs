//! Parses any bytes as CSS, srcset, refresh, XML, JSON, robots.txt and redirects: no panic, and every span is inside
//! the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sitegate_check::internal::parse::{self, Page, Source};
use sitegate_check::internal::resolve::redirects::Redirects;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    sitegate_html::css::urls(&text, |_, _, span| assert!(text.get(span).is_some()));
    assert!(sitegate_html::srcset::urls(&text).into_iter().all(|span| text.get(span).is_some()));
    if let sitegate_html::refresh::Refresh::Url(span) = sitegate_html::refresh::parse(&text) {
        assert!(text.get(span).is_some());
    }
    Redirects::parse(&text, None);
    for parser in [parse::parse_xml, parse::parse_manifest, parse::parse_json_feed] {
        let mut page = Page::new(Source::decoded(bytes.to_vec()));
        let _ = parser(&mut page);
        assert!(page.facts.references.iter().all(|reference| reference.span.end as usize <= page.source.len()));
    }
});
