//! Parses the scripts of a page that are JSON: import maps (HTML, 8.1.6.2), which map module specifiers to URLs, and
//! speculation rules (WICG Speculation Rules), which name pages that a browser may load in advance.

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

/// A URL or a pattern of URLs in a rule.
pub struct Speculated<'j> {
    /// The address or pattern.
    pub text: &'j str,
    /// Its location, in bytes of the page.
    pub span: Range<u32>,
    /// Whether it is a pattern (WHATWG URL Pattern).
    pub is_pattern: bool,
}

/// Parses speculation rules whose text begins at `start` of the page, and calls `found` with their URLs and patterns.
///
/// # Errors
/// If they are not JSON. The offset is that of the page.
pub fn parse_speculation_rules(
    source: &[u8],
    start: u32,
    mut found: impl FnMut(Speculated<'_>),
) -> Result<(), JsonError> {
    let json = parse(source).map_err(|error| error.after(start))?;
    for rule in
        ["prefetch", "prerender", "prerender_until_script"].into_iter().flat_map(|action| json.items(action))
    {
        for url in rule.items("urls") {
            report(url, start, false, &mut found);
        }
        // A `not` excludes pages, and need not match any.
        rule.get("where").into_iter().for_each(|condition| report_conditions(condition, start, &mut found));
    }
    Ok(())
}

fn report_conditions(condition: &Json, start: u32, found: &mut impl FnMut(Speculated<'_>)) {
    // One pattern, or a list of them.
    for pattern in condition.items("href_matches").chain(condition.get("href_matches")) {
        report(pattern, start, true, found);
    }
    for group in ["and", "or"] {
        condition.items(group).for_each(|condition| report_conditions(condition, start, found));
    }
}

fn report(json: &Json, start: u32, is_pattern: bool, found: &mut impl FnMut(Speculated<'_>)) {
    if let Json::Text(text) = json {
        found(Speculated {
            text: &text.text,
            span: start + text.span.start..start + text.span.end,
            is_pattern,
        });
    }
}
