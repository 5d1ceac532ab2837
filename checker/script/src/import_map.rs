//! Parses import maps (HTML, 8.1.6.2), which map module specifiers to URLs.

use std::ops::Range;

use sitegate_base::json::{Json, JsonError, parse};

/// A specifier or a prefix, and its URL.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mapping {
    /// The specifier in a script.
    pub specifier: Box<str>,
    /// Its URL; `None` if it is blocked.
    pub address: Option<Box<str>>,
    /// Location of the URL, in bytes of the page.
    pub span: Range<u32>,
}

/// The import maps of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ImportMap {
    /// Mappings for all scripts.
    pub imports: Vec<Mapping>,
    /// Mappings for scripts whose URL begins with a prefix.
    pub scopes: Vec<(Box<str>, Vec<Mapping>)>,
    /// Values of `integrity` by URL; the specifier is the URL.
    pub integrity: Vec<Mapping>,
}

/// Parses an import map whose text begins at `start` of the page, and adds its entries.
///
/// # Errors
/// If it is not JSON. The offset is that of the page.
pub fn parse_import_map(map: &mut ImportMap, source: &[u8], start: u32) -> Result<(), JsonError> {
    let json = parse(source).map_err(|error| error.after(start))?;
    map.imports.extend(mappings(json.get("imports"), start));
    map.integrity.extend(mappings(json.get("integrity"), start));
    if let Some(Json::Object(scopes)) = json.get("scopes") {
        let scopes =
            scopes.iter().map(|(prefix, inside)| (prefix.as_str().into(), mappings(Some(inside), start)));
        map.scopes.extend(scopes);
    }
    Ok(())
}

fn mappings(json: Option<&Json>, start: u32) -> Vec<Mapping> {
    let Some(Json::Object(entries)) = json else { return Vec::new() };
    let mapping = |(specifier, address): (&String, &Json)| {
        let specifier = specifier.as_str().into();
        match address {
            Json::Text(text) => Mapping {
                specifier,
                address: Some(text.text.as_str().into()),
                span: start + text.span.start..start + text.span.end,
            },
            _ => Mapping { specifier, address: None, span: start..start },
        }
    };
    entries.iter().map(mapping).collect()
}
