//! Reads DocFX' `xrefmap.yml`. DocFX writes it in one form, a list of flat entries, so that no YAML parser is needed.

use super::addresses::Addresses;
use crate::inventory::error::InventoryError;

/// Whether a text begins as DocFX writes such a file.
pub(super) fn is_xref_map(text: &str) -> bool {
    text.starts_with("### YamlMime:XRefMap")
        || text.lines().take(8).any(|line| line.trim_end() == "references:")
}

pub(super) fn read(text: &str, addresses: &mut Addresses) -> Result<(), InventoryError> {
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
