//! Reads the inventories that generators of documentation write.
//!
//! - `objects.inv` of Sphinx, version 2: a header of four lines, then zlib-compressed lines
//!   `name domain:role priority location title`. A `$` at the end of a location is the name.
//! - `xrefmap.yml` of `DocFX`. It is written in one form, a list of flat entries, so that no YAML parser is needed.
//! - `xrefmap.json` of `DocFX`, and `site-manifest.json` of Antora.

use std::collections::HashSet;

use flate2::read::ZlibDecoder;
use serde_json::Value;

use super::addresses::Addresses;
use crate::inventory::compression::{MAX_SIZE, read_limited, too_large};
use crate::inventory::model::InventoryError;

/// The first bytes of the file.
pub(super) const OBJECTS_INV_START: &[u8] = b"# Sphinx inventory version ";

/// Reads `objects.inv` of Sphinx.
pub(super) fn read_objects_inv(bytes: &[u8], addresses: &mut Addresses) -> Result<(), InventoryError> {
    let version =
        bytes[OBJECTS_INV_START.len()..].split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
    if version != b"2" {
        let version = String::from_utf8_lossy(&version[..version.len().min(8)]);
        return Err(InventoryError::new(format!(
            "it is a Sphinx inventory of version {version}; only version 2 is read"
        )));
    }
    let header_end = memchr::memchr_iter(b'\n', bytes).nth(3).map(|end| end + 1);
    let header_end = header_end.ok_or_else(|| InventoryError::new("its header has fewer than four lines"))?;
    let text = read_limited(ZlibDecoder::new(&bytes[header_end..]))
        .map_err(|error| InventoryError::new(format!("cannot decompress it: {error}")))?;
    if text.len() as u64 > MAX_SIZE {
        return Err(too_large());
    }
    let text = String::from_utf8_lossy(&text);
    let mut entries = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let entry = parse_entry(line);
        entries
            .push(entry.ok_or_else(|| {
                InventoryError::at(number, "an entry of the Sphinx inventory is malformed")
            })?);
    }
    let objects: HashSet<&str> = entries.iter().map(|entry| entry.object).collect();
    for (entry, number) in entries.iter().zip(1..) {
        if entry.index_domain().is_some_and(|domain| !has_objects(domain, &objects)) {
            continue;
        }
        match entry.location.strip_suffix('$') {
            Some(start) => addresses.add(&format!("{start}{}", entry.name), number)?,
            None => addresses.add(entry.location, number)?,
        }
    }
    Ok(())
}

/// Whether the inventory has objects that the index of a domain lists. The one of Python lists modules.
fn has_objects(domain: &str, objects: &HashSet<&str>) -> bool {
    let is_of_domain = |object: &&str| object.split_once(':').is_some_and(|(own, _)| own == domain);
    match domain {
        "py" => objects.contains("py:module"),
        _ => objects.iter().any(is_of_domain),
    }
}

/// An entry of `objects.inv`.
struct SphinxEntry<'t> {
    /// The name of the object.
    name: &'t str,
    /// Its domain and type: `py:module`.
    object: &'t str,
    /// Its address.
    location: &'t str,
}

impl<'t> SphinxEntry<'t> {
    /// Returns the domain whose index this entry is: `py` for `py-modindex std:label -1 py-modindex.html`. Sphinx writes
    /// the entry even without objects of the domain, and then no such page.
    fn index_domain(&self) -> Option<&'t str> {
        // The pages of the builder `dirhtml` are folders.
        let page = self.location.trim_end_matches('/').trim_end_matches(".html");
        let is_index = page == self.name || (page, self.name) == ("py-modindex", "modindex");
        let domain = page.split_once('-').map(|(domain, _)| domain);
        domain.filter(|_| self.object == "std:label" && is_index)
    }
}

/// Parses an entry. The name may contain spaces, so the role and the priority that follow it are looked for.
fn parse_entry(line: &str) -> Option<SphinxEntry<'_>> {
    line.match_indices(' ').find_map(|(at, _)| {
        let mut words = line[at + 1..].splitn(4, ' ');
        let (object, priority, location) = (words.next()?, words.next()?, words.next()?);
        let is_entry = object.contains(':') && priority.parse::<i32>().is_ok();
        is_entry.then_some(SphinxEntry { name: &line[..at], object, location })
    })
}

/// Whether a text begins as DocFX writes such a file.
pub(super) fn is_xref_map(text: &str) -> bool {
    text.starts_with("### YamlMime:XRefMap")
        || text.lines().take(8).any(|line| line.trim_end() == "references:")
}

/// Reads `xrefmap.yml` of `DocFX`.
pub(super) fn read_xref_map(text: &str, addresses: &mut Addresses) -> Result<(), InventoryError> {
    for (line, number) in text.lines().zip(1..) {
        if let Some(root) = line.strip_prefix("baseUrl:") {
            addresses.set_root(&scalar(root));
        } else if let Some(location) = line.trim_start_matches([' ', '-']).strip_prefix("href:") {
            addresses.add(&scalar(location), number)?;
        }
    }
    Ok(())
}

/// Returns a plain or quoted scalar.
fn scalar(text: &str) -> String {
    let text = text.trim();
    let inside = |quote| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    match (inside('\''), inside('"')) {
        (Some(single), _) => single.replace("''", "'"),
        (_, Some(double)) => double.replace("\\\"", "\"").replace("\\\\", "\\"),
        _ => text.to_owned(),
    }
}

/// Maximum number of values: with it, a parsed file takes at most 400 MiB.
const MAX_VALUES: usize = 4_000_000;

/// Reads `site-manifest.json` of Antora, or `xrefmap.json` of `DocFX`.
pub(super) fn read_json(text: &str, addresses: &mut Addresses) -> Result<(), InventoryError> {
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
