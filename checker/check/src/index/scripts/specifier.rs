//! Resolves module specifiers (HTML, "resolve a module specifier").

use std::collections::BTreeMap;

use url::Url;

use crate::resolve::Base;
use sitegate_script::{ImportMap, Mapping};

/// The result for a specifier.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ResolvedSpecifier {
    /// A URL.
    Url(String),
    /// No URL: a bare name that no import map has.
    Bare,
}

/// Normalized specifiers and their URLs; `None` if one is blocked.
type SpecifierAddresses = BTreeMap<String, Option<Url>>;

/// The merged import maps of a page, sorted and normalized.
#[derive(Debug)]
pub(super) struct SpecifierMap {
    imports: SpecifierAddresses,
    /// Scopes by URL prefix; later keys are looked up first.
    scopes: BTreeMap<String, SpecifierAddresses>,
}

impl SpecifierMap {
    /// Normalizes the import maps of a page with this base. The first entry for a specifier wins.
    pub fn new(map: &ImportMap, page: &Base) -> Self {
        let mut scopes: BTreeMap<String, SpecifierAddresses> = BTreeMap::new();
        for (prefix, inside) in &map.scopes {
            if let Some(prefix) = page.join(prefix) {
                add(scopes.entry(prefix.into()).or_default(), inside, page);
            }
        }
        let mut imports = SpecifierAddresses::new();
        add(&mut imports, &map.imports, page);
        SpecifierMap { imports, scopes }
    }
}

fn add(addresses: &mut SpecifierAddresses, mappings: &[Mapping], page: &Base) {
    for Mapping { specifier, address, .. } in mappings.iter().filter(|mapping| !mapping.specifier.is_empty())
    {
        let specifier = url_like(specifier, page).map_or_else(|| specifier.to_string(), String::from);
        let address = address.as_deref().and_then(|address| url_like(address, page));
        let address = address.filter(|url| !specifier.ends_with('/') || url.as_str().ends_with('/'));
        addresses.entry(specifier).or_insert(address);
    }
}

/// Resolves a specifier in a script with the base `script`, on a page with these maps.
pub(super) fn resolve(
    specifier: &str,
    script: &Base,
    specifiers: Option<&SpecifierMap>,
) -> ResolvedSpecifier {
    let url = url_like(specifier, script);
    let normal = url.as_ref().map_or(specifier, Url::as_str);
    let has_parts = url.as_ref().is_none_or(is_special);
    if let Some(SpecifierMap { imports, scopes }) = specifiers {
        // A scope matches the importer's own URL, or a folder that contains it; longer ones come first.
        let importer = script.url();
        let folders =
            importer.bytes().enumerate().rev().filter(|(_, byte)| *byte == b'/').map(|(at, _)| at + 1);
        let ends = std::iter::once(importer.len()).chain(folders.skip_while(|end| *end == importer.len()));
        let scopes = ends.filter_map(|end| scopes.get(&importer[..end]));
        for addresses in scopes.chain([imports]) {
            if let Some(found) = look_up(normal, has_parts, addresses) {
                return found;
            }
        }
    }
    url.map_or(ResolvedSpecifier::Bare, |url| ResolvedSpecifier::Url(url.into()))
}

/// Maximum length of a specifier prefix that an entry with a final `/` may match.
const MAX_PREFIX: usize = 4096;

/// Returns the longest entry that a specifier is, or begins with.
fn look_up(normal: &str, has_parts: bool, addresses: &SpecifierAddresses) -> Option<ResolvedSpecifier> {
    let found =
        |url: Option<Url>| url.map_or(ResolvedSpecifier::Bare, |url| ResolvedSpecifier::Url(url.into()));
    if let Some(address) = addresses.get(normal) {
        return Some(found(address.clone()));
    }
    let ends = normal.bytes().enumerate().rev().filter(|(_, byte)| *byte == b'/').map(|(at, _)| at + 1);
    let (end, address) = ends
        .filter(|end| has_parts && *end <= MAX_PREFIX)
        .find_map(|end| Some((end, addresses.get(&normal[..end])?)))?;
    let below = address.as_ref().and_then(|address| {
        let url = address.join(&normal[end..]).ok()?;
        url.as_str().starts_with(address.as_str()).then_some(url)
    });
    Some(found(below))
}

/// Parses a specifier as a URL, if it is absolute or begins with `/`, `./` or `../`.
fn url_like(specifier: &str, base: &Base) -> Option<Url> {
    if specifier.starts_with('/') || specifier.starts_with("./") || specifier.starts_with("../") {
        base.join(specifier)
    } else {
        Url::parse(specifier).ok()
    }
}

/// Whether a URL is the same from every document of the site.
pub(super) fn is_absolute(address: &str) -> bool {
    address.starts_with('/') || Url::parse(address).is_ok()
}

/// Whether the URL has a special scheme of the URL standard, and so a hierarchical path.
fn is_special(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https" | "ws" | "wss" | "ftp" | "file")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{ResolvedSpecifier, SpecifierMap, resolve};
    use crate::resolve::Base;
    use sitegate_script::ImportMap;
    use sitegate_script::parse_import_map;

    const MAP: &str = r#"{
        "imports": {
            "a": "/a.js", "a/": "/lib/a/", "a/b/": "/lib/b/", "a/b/c": "./c.js", "up/": "/lib/up/",
            "none": null, "bare": "not-a-url", "slash/": "/lib", "none/": null, "": "/empty.js",
            "./near.js": "/near-mapped.js", "/far/": "https://cdn.example/far/", "https://x.example/y": "/y.js",
            "data:text/": "/data/"
        },
        "scopes": {
            "/s/": {"a": "/s/a.js"},
            "/s/deep/": {"a": "/s/deep/a.js", "none": "/s/none.js"},
            "exact.js": {"a": "/exact-a.js"}
        }
    }"#;

    #[test]
    fn resolves_specifiers_as_the_standard_requires() {
        let base = |url: &str| Base::from_url(url.parse().unwrap(), None);
        let mut map = ImportMap::default();
        parse_import_map(&mut map, MAP.as_bytes(), 0).unwrap();
        let specifiers = SpecifierMap::new(&map, &base("https://site.example/page/index.html"));
        for (script, specifier, expected) in [
            ("/x/app.js", "a", "/a.js"),
            ("/x/app.js", "a/x.js", "/lib/a/x.js"),
            ("/x/app.js", "a/b/x.js", "/lib/b/x.js"),
            ("/x/app.js", "a/b/c", "/page/c.js"),
            ("/x/app.js", "a/", "/lib/a/"),
            ("/x/app.js", "up/../../x.js", ""),
            ("/x/app.js", "up/../up/x.js", "/lib/up/x.js"),
            ("/x/app.js", "ab", ""),
            ("/x/app.js", "none", ""),
            ("/x/app.js", "none/x.js", ""),
            ("/x/app.js", "bare", ""),
            ("/x/app.js", "slash/x.js", ""),
            ("/x/app.js", "", ""),
            ("/page/app.js", "./near.js", "/near-mapped.js"),
            ("/x/app.js", "../page/near.js", "/near-mapped.js"),
            ("/x/app.js", "./near.js", "/x/near.js"),
            ("/x/app.js", "/far/x.js", "https://cdn.example/far/x.js"),
            ("/x/app.js", "https://x.example/y", "/y.js"),
            ("/x/app.js", "https://x.example/z", "https://x.example/z"),
            ("/x/app.js", "data:text/javascript,1", "data:text/javascript,1"),
            ("/s/app.js", "a", "/s/a.js"),
            ("/s/app.js", "none", ""),
            ("/s/deep/app.js", "a", "/s/deep/a.js"),
            ("/s/deep/app.js", "none", "/s/none.js"),
            ("/s/deep/app.js", "a/x.js", "/lib/a/x.js"),
            ("/page/exact.js", "a", "/exact-a.js"),
            ("/page/exact.js.map", "a", "/a.js"),
        ] {
            let found =
                resolve(specifier, &base(&format!("https://site.example{script}")), Some(&specifiers));
            let expected = match expected {
                "" => ResolvedSpecifier::Bare,
                path if path.starts_with('/') => {
                    ResolvedSpecifier::Url(format!("https://site.example{path}"))
                }
                url => ResolvedSpecifier::Url(url.to_owned()),
            };
            assert_eq!(found, expected, "{specifier} in {script}");
        }
        assert_eq!(resolve("a", &base("https://site.example/"), None), ResolvedSpecifier::Bare);
    }
}
