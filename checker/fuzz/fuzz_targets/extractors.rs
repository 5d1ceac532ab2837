//! Parses any bytes as CSS, srcset, refresh, XML, JSON, robots.txt and redirects: no panic, and every span is inside
//! the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sitegate_check::parse::{self, ContentNeeds, Format, Page, ParseOptions};
use sitegate_host::redirects::Redirects;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    sitegate_html::css::urls(&text, |_, _, span| assert!(text.get(span).is_some()));
    assert!(sitegate_html::srcset::urls(&text).into_iter().all(|span| text.get(span).is_some()));
    if let sitegate_html::refresh::Refresh::Url(span) = sitegate_html::refresh::parse(&text) {
        assert!(text.get(span).is_some());
    }
    Redirects::parse(&text, None);
    for format in [Format::Xml, Format::Manifest, Format::JsonFeed] {
        let mut page = Page::default();
        let options = ParseOptions { format, selected: &[], needs: &ContentNeeds::default(), digest: None };
        let _ = parse::read(&mut page, bytes.to_vec(), &options);
        assert!(page.facts.references.iter().all(|reference| reference.span.end as usize <= page.source.len()));
    }
});
