//! Finds the URLs in JSON-LD, and what search engines reject in it.

use std::ops::Range;

use crate::parse::json::text;
use sitegate_base::json::{self, Json, JsonError, JsonText};

/// Properties of schema.org and JSON-LD that contain URLs.
const URL_PROPERTIES: [&str; 14] = [
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

/// Calls `found` with every URL in a JSON-LD block, and its location in the block. Returns what search engines reject in
/// it, with its location.
///
/// # Errors
/// If it is not JSON. The offset is that of the block.
pub(super) fn json_ld(
    block: &[u8],
    mut found: impl FnMut(&str, Range<u32>),
) -> Result<Option<(&'static str, Range<u32>)>, JsonError> {
    let json = json::parse(block)?;
    walk(&json, false, &mut |JsonText { text, span }| {
        let start = text.trim_start_matches(|c: char| c <= ' ');
        let has = |scheme: &str| start.get(..scheme.len()).is_some_and(|s| s.eq_ignore_ascii_case(scheme));
        let is_url = start.starts_with(['/', '\\']) || has("http:") || has("https:");
        // `{search_term}` marks a template (RFC 6570).
        if is_url && !text.contains('{') {
            found(text, span.clone());
        }
    });
    let may_have_list = memchr::memmem::find(block, BREADCRUMBS.as_bytes()).is_some();
    let fault = if may_have_list { breadcrumb_fault(&json) } else { None };
    Ok(fault.or_else(|| date_fault(&json)))
}

/// Properties of schema.org that are dates, which search engines show.
const DATE_PROPERTIES: [&str; 4] = ["dateCreated", "dateModified", "datePublished", "uploadDate"];

/// Returns the first date that does not begin as one of ISO 8601 does, which Google requires ("Article structured data").
fn date_fault(json: &Json) -> Option<(&'static str, Range<u32>)> {
    match json {
        Json::Array(items) => items.iter().find_map(date_fault),
        Json::Object(entries) => entries.iter().find_map(|(key, value)| {
            let date = text(Some(value)).filter(|_| DATE_PROPERTIES.contains(&key.as_str()));
            let reason = |written: &JsonText| match written.text.trim() {
                // The zero time of Go, which Hugo writes.
                text if text.starts_with("0001-") => {
                    Some("a date of it is what generators write if they know no date")
                }
                text if is_iso_date(text) => None,
                _ => Some("a date of it is not written like `2027-03-31` (ISO 8601), which Google requires"),
            };
            let fault = date.and_then(|date| Some((reason(date)?, date.span.clone())));
            fault.or_else(|| date_fault(value))
        }),
        Json::Text(_) | Json::Other(_) => None,
    }
}

/// Whether a text begins with a year, a month or a day of ISO 8601. Its time is not read.
fn is_iso_date(text: &str) -> bool {
    let day = text.split(['T', ' ']).next().unwrap_or_default();
    let mut parts = day.split('-');
    let year = parts.next().unwrap_or_default();
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    is_number(day) && day.len() == "20270331".len()
        || year.len() == 4 && is_number(year) && parts.all(|part| part.len() == 2 && is_number(part))
}

/// The type of a list whose items Google requires to have a position and a name ("Breadcrumb structured data").
const BREADCRUMBS: &str = "BreadcrumbList";

/// Returns what is missing in the first incomplete item of a list of breadcrumbs.
fn breadcrumb_fault(json: &Json) -> Option<(&'static str, Range<u32>)> {
    match json {
        Json::Array(items) => items.iter().find_map(breadcrumb_fault),
        Json::Object(entries) => {
            let kind = text(json.get("@type")).filter(|kind| kind.text == BREADCRUMBS);
            let fault = kind.and_then(|kind| {
                let items = json.items("itemListElement").filter(|item| matches!(item, Json::Object(_)));
                let mut faults = items.filter_map(|item| {
                    let has_name = |named: &Json| named.get("name").is_some();
                    let reason = if item.get("position").is_none() {
                        "an item of its BreadcrumbList has no `position`, which Google requires"
                    } else if !has_name(item) && !item.get("item").is_some_and(has_name) {
                        "an item of its BreadcrumbList has no `name`, which Google requires"
                    } else {
                        return None;
                    };
                    let place = text(item.get("name")).or(text(item.get("item"))).unwrap_or(kind);
                    Some((reason, place.span.clone()))
                });
                faults.next()
            });
            fault.or_else(|| entries.values().find_map(breadcrumb_fault))
        }
        Json::Text(_) | Json::Other(_) => None,
    }
}

fn walk(json: &Json, is_url: bool, found: &mut dyn FnMut(&JsonText)) {
    match json {
        Json::Text(text) if is_url => found(text),
        Json::Array(items) => items.iter().for_each(|item| walk(item, is_url, found)),
        Json::Object(entries) => {
            for (key, value) in entries {
                walk(value, URL_PROPERTIES.contains(&key.as_str()), found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::json_ld;

    #[test]
    fn finds_urls_and_their_locations_in_json_ld() {
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
    fn errors_have_an_offset() {
        let error = json_ld(b"{\n \"a\": }", |_, _| {});
        assert_eq!(error.map_err(|error| error.offset), Err(8));
        // The text of an element is already decoded, so a byte order mark is a part of it.
        assert!(json_ld("\u{feff}{}".as_bytes(), |_, _| {}).is_err());
    }
}
