//! Reads Antora's `site-manifest.json` and DocFX' `xrefmap.json`.

use serde_json::Value;

use super::addresses::Addresses;
use crate::inventory::error::InventoryError;

/// Maximum number of values: with it, a parsed file takes at most 400 MiB.
const MAX_VALUES: usize = 4_000_000;

pub(super) fn read(text: &str, addresses: &mut Addresses) -> Result<(), InventoryError> {
    // Each value but the first of an array or object comes after a comma.
    if memchr::memchr_iter(b',', text.as_bytes()).count() > MAX_VALUES {
        return Err(InventoryError::new(format!("it has more than {MAX_VALUES} values")));
    }
    let document: Value = serde_json::from_str(text)
        .map_err(|error| InventoryError::at(error.line(), "the JSON is malformed"))?;
    if let Some(references) = document.get("references").and_then(Value::as_array) {
        if let Some(root) = document.get("baseUrl").and_then(Value::as_str) {
            addresses.set_root(root);
        }
        let locations = references.iter().filter_map(|reference| reference.get("href")?.as_str());
        return locations.into_iter().try_for_each(|location| addresses.add(location, 1));
    }
    let Some(components) = document.get("components") else {
        let message = "it is neither a site manifest of Antora nor an xref map of DocFX";
        return Err(InventoryError::new(message));
    };
    // Antora's URLs begin with a slash, but are below the URL of the site.
    if let Some(root) = document.get("url").and_then(Value::as_str) {
        addresses.set_root(&format!("{}/", root.trim_end_matches('/')));
    }
    add_pages(components, false, addresses)
}

/// Adds the values of `url` below `pages`. The one of a version is its first page, which may not exist.
fn add_pages(value: &Value, is_page: bool, addresses: &mut Addresses) -> Result<(), InventoryError> {
    match value {
        Value::Array(values) => values.iter().try_for_each(|entry| add_pages(entry, is_page, addresses)),
        Value::Object(values) => values.iter().try_for_each(|(key, entry)| match entry {
            Value::String(url) if is_page && key == "url" && url.starts_with('/') => {
                addresses.add(url.trim_start_matches('/'), 1)
            }
            entry => add_pages(entry, is_page || key == "pages", addresses),
        }),
        _ => Ok(()),
    }
}
