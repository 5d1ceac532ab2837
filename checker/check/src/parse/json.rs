//! JSON that refers to files: web app manifests and JSON-LD.

use std::ops::Range;

use serde_json::Value as Json;

use super::kinds;
use super::page::Page;
use super::reference::Kind;

/// Parses [`Page::source`] as a web app manifest (W3C Web Application Manifest).
///
/// # Errors
/// When it is not JSON: the reason, and the offset.
pub fn parse_manifest(page: &mut Page) -> Result<(), (String, u32)> {
    let source = std::mem::take(&mut page.source);
    let result = manifest(page, &source);
    page.source = source;
    result
}

fn manifest(page: &mut Page, source: &[u8]) -> Result<(), (String, u32)> {
    let json: Json =
        serde_json::from_slice(source).map_err(|error| (error.to_string(), offset(source, &error)))?;
    let mut places = Places { source, cursor: 0 };
    let mut push = |kind: &'static Kind, value: Option<&Json>| {
        if let Some(text) = value.and_then(Json::as_str) {
            let span = places.find(text);
            let value = page.facts.keep(text);
            page.facts.push(kind, Some(value), span);
        }
    };
    push(&kinds::MANIFEST_URL, json.get("start_url"));
    let list = |value: &Json, key: &str| value.get(key).and_then(Json::as_array).cloned().unwrap_or_default();
    for image in list(&json, "icons").iter().chain(&list(&json, "screenshots")) {
        push(&kinds::MANIFEST_IMAGE, image.get("src"));
    }
    for shortcut in list(&json, "shortcuts") {
        push(&kinds::MANIFEST_URL, shortcut.get("url"));
        for icon in list(&shortcut, "icons") {
            push(&kinds::MANIFEST_IMAGE, icon.get("src"));
        }
    }
    Ok(())
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

/// Calls `found` with every address in a JSON-LD block (bytes of the source from `start`), and its place.
///
/// # Errors
/// When it is not JSON: the reason, and the offset in the block.
pub fn json_ld(block: &[u8], mut found: impl FnMut(&str, Range<u32>)) -> Result<(), (String, u32)> {
    let json: Json =
        serde_json::from_slice(block).map_err(|error| (error.to_string(), offset(block, &error)))?;
    let mut places = Places { source: block, cursor: 0 };
    walk(&json, false, &mut |text| {
        let is_address = text.starts_with("http://") || text.starts_with("https://") || text.starts_with('/');
        // `{search_term}` makes it a template (RFC 6570).
        if is_address && !text.contains('{') {
            let span = places.find(text);
            found(text, span);
        }
    });
    Ok(())
}

fn walk(json: &Json, is_address: bool, found: &mut dyn FnMut(&str)) {
    match json {
        Json::String(text) if is_address => found(text),
        Json::Array(items) => items.iter().for_each(|item| walk(item, is_address, found)),
        Json::Object(entries) => {
            for (key, value) in entries {
                walk(value, ADDRESSES.contains(&key.as_str()), found);
            }
        }
        _ => {}
    }
}

/// Finds strings of a JSON text again: serde_json keeps no places.
struct Places<'s> {
    source: &'s [u8],
    cursor: usize,
}

impl Places<'_> {
    /// The next place of a string, or its first where the order of keys is not that of the text, or the whole
    /// text where it is written with escapes.
    fn find(&mut self, text: &str) -> Range<u32> {
        let quoted = format!("\"{text}\"");
        let after =
            memchr::memmem::find(&self.source[self.cursor..], quoted.as_bytes()).map(|at| self.cursor + at);
        let at = after.or_else(|| memchr::memmem::find(self.source, quoted.as_bytes()));
        let range = match at {
            Some(at) => {
                self.cursor = at + quoted.len();
                at + 1..at + 1 + text.len()
            }
            None => 0..self.source.len(),
        };
        range.start as u32..range.end as u32
    }
}

fn offset(source: &[u8], error: &serde_json::Error) -> u32 {
    let line_start = match error.line() {
        0 | 1 => 0,
        line => memchr::memchr_iter(b'\n', source).nth(line - 2).map_or(0, |at| at + 1),
    };
    (line_start + error.column().saturating_sub(1)).min(source.len()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn what_is_not_json_says_where() {
        let error = json_ld(b"{\n \"a\": }", |_, _| {});
        assert_eq!(error.map_err(|(_, at)| at), Err(8));
    }
}
