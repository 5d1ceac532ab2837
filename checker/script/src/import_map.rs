//! Import maps (HTML, 8.1.6.2): which address a module specifier stands for.

use std::ops::Range;

use sitegate_base::json::{Json, JsonError, parse};

/// A specifier, or what one begins with, and the address that it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mapping {
    /// What is written in a script.
    pub specifier: Box<str>,
    /// What it stands for; `None` where that is blocked.
    pub address: Option<Box<str>>,
    /// The address, in bytes of the page.
    pub span: Range<u32>,
}

/// The import maps of one page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ImportMap {
    /// What holds everywhere.
    pub imports: Vec<Mapping>,
    /// What holds for scripts whose URL begins with an address.
    pub scopes: Vec<(Box<str>, Vec<Mapping>)>,
    /// What `integrity` demands of the files at addresses: the specifier is the address here.
    pub integrity: Vec<Mapping>,
}

/// Reads an import map whose text begins at `start` of the page, and adds what it says.
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
