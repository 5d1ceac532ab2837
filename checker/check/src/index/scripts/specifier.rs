//! What a module specifier stands for (HTML, "resolve a module specifier").

use std::collections::BTreeMap;

use url::Url;

use crate::resolve::Base;
use sitegate_script::{ImportMap, Mapping};

/// What a specifier stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Specified {
    /// This URL.
    Url(String),
    /// Nothing: it is a name, and no map has an address for it.
    Bare,
}

/// Specifiers, as they are compared, and their addresses; `None` where one is blocked.
type SpecifierAddresses = BTreeMap<String, Option<Url>>;

/// The import maps of a page, sorted and normalized.
#[derive(Debug)]
pub(super) struct Names {
    imports: SpecifierAddresses,
    /// What holds in scripts below an address: those that come later are looked up first.
    scopes: BTreeMap<String, SpecifierAddresses>,
}

impl Names {
    /// What the maps of a page say, whose base is `page`. Where two of them say something of one specifier, the first holds.
    pub fn new(map: &ImportMap, page: &Base) -> Self {
        let mut scopes: BTreeMap<String, SpecifierAddresses> = BTreeMap::new();
        for (prefix, inside) in &map.scopes {
            if let Some(prefix) = page.join(prefix) {
                add(scopes.entry(prefix.into()).or_default(), inside, page);
            }
        }
        let mut imports = SpecifierAddresses::new();
        add(&mut imports, &map.imports, page);
        Names { imports, scopes }
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

/// Resolves a specifier in the script whose base is `script`, on a page with these maps.
pub(super) fn resolve(specifier: &str, script: &Base, names: Option<&Names>) -> Specified {
    let url = url_like(specifier, script);
    let normal = url.as_ref().map_or(specifier, Url::as_str);
    let has_parts = url.as_ref().is_none_or(is_special);
    if let Some(Names { imports, scopes }) = names {
        // What holds is the importer's own address, or a folder that it is in: those that come later are looked up first.
        let importer = script.url();
        let folders =
            importer.bytes().enumerate().rev().filter(|(_, byte)| *byte == b'/').map(|(at, _)| at + 1);
        let ends = std::iter::once(importer.len()).chain(folders.skip_while(|end| *end == importer.len()));
        let scopes = ends.filter(|_| !scopes.is_empty()).filter_map(|end| scopes.get(&importer[..end]));
        for addresses in scopes.chain([imports]) {
            if let Some(found) = look_up(normal, has_parts, addresses) {
                return found;
            }
        }
    }
    url.map_or(Specified::Bare, |url| Specified::Url(url.into()))
}

/// Bytes of a specifier that an entry which ends in `/` may stand for, at the most.
const LONGEST_PREFIX: usize = 4096;

/// The longest entry that a specifier is, or begins with. None where no entry does.
fn look_up(normal: &str, has_parts: bool, addresses: &SpecifierAddresses) -> Option<Specified> {
    let found = |url: Option<Url>| url.map_or(Specified::Bare, |url| Specified::Url(url.into()));
    if let Some(address) = addresses.get(normal) {
        return Some(found(address.clone()));
    }
    let ends = normal.bytes().enumerate().rev().filter(|(_, byte)| *byte == b'/').map(|(at, _)| at + 1);
    let (end, address) = ends
        .filter(|end| has_parts && *end <= LONGEST_PREFIX)
        .find_map(|end| Some((end, addresses.get(&normal[..end])?)))?;
    let below = address.as_ref().and_then(|address| {
        let url = address.join(&normal[end..]).ok()?;
        url.as_str().starts_with(address.as_str()).then_some(url)
    });
    Some(found(below))
}

/// A specifier as a URL, where it is one: absolute, or it begins with `/`, `./` or `../`.
fn url_like(specifier: &str, base: &Base) -> Option<Url> {
    if specifier.starts_with('/') || specifier.starts_with("./") || specifier.starts_with("../") {
        base.join(specifier)
    } else {
        Url::parse(specifier).ok()
    }
}

/// Whether the URL standard knows its scheme, and so the parts of its path.
fn is_special(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https" | "ws" | "wss" | "ftp" | "file")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Names, Specified, resolve};
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
    fn specifiers_resolve_as_the_standard_says() {
        let base = |url: &str| Base::of_url(url.parse().unwrap(), None);
        let mut map = ImportMap::default();
        parse_import_map(&mut map, MAP.as_bytes(), 0).unwrap();
        let names = Names::new(&map, &base("https://site.example/page/index.html"));
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
            let found = resolve(specifier, &base(&format!("https://site.example{script}")), Some(&names));
            let expected = match expected {
                "" => Specified::Bare,
                path if path.starts_with('/') => Specified::Url(format!("https://site.example{path}")),
                url => Specified::Url(url.to_owned()),
            };
            assert_eq!(found, expected, "{specifier} in {script}");
        }
        assert_eq!(resolve("a", &base("https://site.example/"), None), Specified::Bare);
    }
}
