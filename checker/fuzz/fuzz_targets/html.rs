//! Parses any bytes as a page: no panic, no error, and every span is inside the page.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sitegate_check::parse::{Page, Source, parse_html};

fuzz_target!(|bytes: &[u8]| {
    let mut page = Page::new(Source::decoded(bytes.to_vec()));
    parse_html(&mut page, &[]).expect("every page parses");
    for reference in &page.facts.references {
        assert!(reference.span.start <= reference.span.end && reference.span.end as usize <= page.source.len());
    }
});
