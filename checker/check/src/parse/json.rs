//! JSON that refers to files: web app manifests and JSON-LD.

use std::ops::Range;

use super::kinds;
use super::page::Page;
use super::placed_json::{self, Json, Text};
use super::reference::Kind;

/// Parses [`Page::source`] as a web app manifest (W3C Web Application Manifest).
///
/// # Errors
/// When it is not JSON: the reason, and the offset.
pub fn parse_manifest(page: &mut Page) -> Result<(), (String, u32)> {
    let source = std::mem::take(&mut page.source);
    let read = placed_json::parse(&source).map(|json| manifest(page, &json));
    page.source = source;
    read
}

fn manifest(page: &mut Page, json: &Json) {
    let mut push = |kind: &'static Kind, value: Option<&Json>| {
        if let Some(Json::Text(Text { text, span })) = value {
            let value = page.facts.keep(text);
            page.facts.push(kind, Some(value), span.clone());
        }
    };
    push(&kinds::MANIFEST_URL, json.get("start_url"));
    for image in json.items("icons").chain(json.items("screenshots")) {
        push(&kinds::MANIFEST_IMAGE, image.get("src"));
    }
    for shortcut in json.items("shortcuts") {
        push(&kinds::MANIFEST_URL, shortcut.get("url"));
        for icon in shortcut.items("icons") {
            push(&kinds::MANIFEST_IMAGE, icon.get("src"));
        }
    }
}

/// The properties of schema.org and JSON-LD whose values are addresses.
const ADDRESSES: [&str; 14] = [
    "@id",
    "contentUrl",
    "discussionUrl",
    "downloadUrl",
    "embedUrl",
    "image",
    "item",
    "logo",
    "mainEntityOfPage",
    "sameAs",
    "screenshot",
    "target",
    "thumbnailUrl",
    "url",
];

/// Calls `found` with every address in a JSON-LD block, and its place in the block.
///
/// # Errors
/// When it is not JSON: the reason, and the offset in the block.
pub fn json_ld(block: &[u8], mut found: impl FnMut(&str, Range<u32>)) -> Result<(), (String, u32)> {
    let json = placed_json::parse(block)?;
    walk(&json, false, &mut |Text { text, span }| {
        let is_address = text.starts_with("http://") || text.starts_with("https://") || text.starts_with('/');
        // `{search_term}` makes it a template (RFC 6570).
        if is_address && !text.contains('{') {
            found(text, span.clone());
        }
    });
    Ok(())
}

fn walk(json: &Json, is_address: bool, found: &mut dyn FnMut(&Text)) {
    match json {
        Json::Text(text) if is_address => found(text),
        Json::Array(items) => items.iter().for_each(|item| walk(item, is_address, found)),
        Json::Object(entries) => {
            for (key, value) in entries {
                walk(value, ADDRESSES.contains(&key.as_str()), found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use super::*;
    use crate::parse::reference::Reference;
    use crate::parse::source::Source;

    #[test]
    fn json_ld_addresses_and_their_places() {
        let block = br#"{"@id":"https://x/#me","name":"/not","image":["/a.png",{"url":"/b.png"}],"target":"/s?q={q}"}"#;
        let mut all = Vec::new();
        let read = json_ld(block, |text, span| {
            all.push((text.to_owned(), block[span.start as usize..span.end as usize].to_vec()));
        });
        assert!(read.is_ok());
        all.sort();
        let texts: Vec<_> = all.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts, ["/a.png", "/b.png", "https://x/#me"]);
        assert!(all.iter().all(|(text, place)| text.as_bytes() == place));
    }

    /// The references of a manifest, and the bytes at their places.
    fn manifest_of(source: &str) -> Vec<(String, String, u32)> {
        let mut page = Page::new(Source::decoded(source.as_bytes().to_vec()));
        assert!(parse_manifest(&mut page).is_ok());
        let shown = |reference: &Reference| {
            let span = reference.span.start as usize..reference.span.end as usize;
            let text = page.str(reference.value.expect("it has a text")).to_owned();
            (text, source[span].to_owned(), reference.span.start)
        };
        page.facts.references.iter().map(shown).collect()
    }

    #[test]
    fn a_place_is_the_elements_own() {
        let source = r#"{"name":"/a.png","icons":[{"label":"/a.png","src":"/a.png"}],"start_url":"/a.png"}"#;
        let found = manifest_of(source);
        let places: Vec<_> = source.match_indices("/a.png").map(|(at, _)| at as u32).collect();
        assert_eq!(found.iter().map(|(_, _, at)| *at).collect::<Vec<_>>(), [places[3], places[2]]);
    }

    #[test]
    fn a_place_is_found_where_the_text_has_escapes() {
        let found =
            manifest_of(r#"{"short\"name":"x","icons":[{"src":"\/caf\u00e9\\.png"}],"start_url":"/ü"}"#);
        let shown: Vec<_> = found.iter().map(|(text, raw, _)| (text.as_str(), raw.as_str())).collect();
        assert_eq!(shown, [("/ü", "/ü"), (r"/café\.png", r"\/caf\u00e9\\.png")]);
    }

    #[test]
    fn of_a_key_that_stands_twice_the_last_counts() {
        let found = manifest_of(r#"{"start_url":"/a","start_url":"/a"}"#);
        assert_eq!(found, [("/a".to_owned(), "/a".to_owned(), 31)]);
    }

    #[test]
    fn what_is_not_json_says_where() {
        let error = json_ld(b"{\n \"a\": }", |_, _| {});
        assert_eq!(error.map_err(|(_, at)| at), Err(8));
    }
}
