//! Reads redirects and rewrites from the configuration files of hosts: `vercel.json`, `netlify.toml`, `firebase.json`
//! and `staticwebapp.config.json`, and from `[[redirects]]` of a contract. Reads what these files say of addresses.
//!
//! Entries with conditions, and patterns that redirects cannot express, are left out: links that only they answer are
//! reported, as if the entry did not exist.

use std::ops::Range;

use serde_json::Value;
use sitegate_base::json::{self, Json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::patterns::{Converted, of_firebase, of_static_web_apps, of_vercel};
use super::redirect::{Redirect, RedirectOrigin};
use crate::hosts::{Host, TrailingSlash};

/// The keys of a plain entry.
const KEYS: [&str; 4] = ["from", "to", "status", "force"];

/// An entry of `[[redirects]]`.
#[derive(Debug)]
pub struct TomlRedirect {
    /// The redirect. Its location is that of the destination, without quotes.
    pub redirect: Redirect,
    /// The location of the entry without its header: from the first key to the end of the last value.
    pub values: Range<usize>,
    /// Whether it has only a source, a destination, a status and `force`, and a destination that is not a multi-line
    /// string.
    pub is_plain: bool,
}

/// Returns the items of `redirects`: `None` for one without a source or a destination. Returns `None` if the text is no
/// TOML. A byte order mark is skipped.
pub fn toml_redirects(text: &str, origin: &RedirectOrigin) -> Option<Vec<Option<TomlRedirect>>> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let document = DeTable::parse(&text[start..]).ok()?;
    let list = document.get_ref().get("redirects").and_then(|list| list.get_ref().as_array());
    let items = list.into_iter().flat_map(|list| list.iter());
    Some(items.map(|item| toml_redirect(item.get_ref().as_table()?, text, start, origin)).collect())
}

fn toml_redirect(
    table: &DeTable<'_>,
    text: &str,
    start: usize,
    origin: &RedirectOrigin,
) -> Option<TomlRedirect> {
    let value = |key: &str| Some(table.get(key)?.get_ref());
    let string = |key: &str| value(key)?.as_str();
    let status = value("status").and_then(|status| status.as_integer()?.as_str().parse().ok());
    let is_forced = value("force").and_then(DeValue::as_bool) == Some(true);
    let quoted = table.get("to")?.span();
    let quote = text[start + quoted.start..].chars().take_while(|c| matches!(c, '"' | '\'')).count();
    let span = (start + quoted.start + quote) as u32..(start + quoted.end - quote) as u32;
    let redirect = Redirect::new(
        (string("from")?, string("to")?.to_owned()),
        (status.unwrap_or(301), is_forced),
        span,
        origin.clone(),
    );
    // They depend on the reader, or on the query.
    let is_condition = |key: &str| {
        value(key).is_some_and(|found| found.as_table().is_none_or(|conditions| !conditions.is_empty()))
    };
    let is_conditional = ["conditions", "query"].into_iter().any(is_condition);
    let values = table.iter().map(|(key, of_key)| start + key.span().start..start + of_key.span().end);
    let values = values.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))?;
    let is_plain = table.iter().all(|(key, of_key)| is_plain_key(key.get_ref(), of_key)) && quote == 1;
    let redirect = Redirect { has_conditions: is_conditional, ..redirect };
    Some(TomlRedirect { redirect, values, is_plain })
}

fn is_plain_key(key: &str, value: &Spanned<DeValue<'_>>) -> bool {
    KEYS.contains(&key) && value.get_ref().as_table().is_none()
}

/// Returns the redirects of a host's configuration file, in the order that the host tries them; `None` if it is
/// malformed.
pub(super) fn redirects(host: Host, text: &[u8], origin: &RedirectOrigin) -> Option<Vec<Redirect>> {
    let text = std::str::from_utf8(text).ok()?;
    let read = match host {
        Host::Netlify => return netlify(text, origin),
        Host::Vercel => vercel,
        Host::Firebase => firebase,
        Host::AzureStaticWebApps => static_web_apps,
        _ => return None,
    };
    let document = json::parse_file(text.as_bytes()).ok()?;
    // With `trailingSlash`, Vercel removes or adds the slash before (path-to-regexp is strict otherwise).
    let is_strict = host == Host::Vercel && document.get("trailingSlash").is_none();
    let redirect = |entry: ConfigEntry| {
        let Converted { from, to } = entry.converted;
        let redirect = Redirect::new((&from, to), (entry.status, entry.force), entry.span, origin.clone());
        Redirect { is_strict: is_strict && entry.is_strict, ..redirect }
    };
    Some(read(&document).into_iter().map(redirect).collect())
}

/// The settings of addresses in a configuration file; `None` is the default of the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddressSettings {
    /// Whether pages have addresses without `.html`.
    pub clean_urls: Option<bool>,
    /// The treatment of trailing slashes.
    pub trailing_slash: Option<TrailingSlash>,
}

/// Reads `cleanUrls` and `trailingSlash` of a host's configuration file. A malformed file has none: reading its redirects
/// reports it.
pub fn address_settings(host: Host, text: &[u8]) -> AddressSettings {
    let Ok(document) = json::parse_file(text) else { return AddressSettings::default() };
    let flag = |of: &Json, key: &str| of.other(key).and_then(Value::as_bool);
    let by_flags = |of: &Json| AddressSettings {
        clean_urls: flag(of, "cleanUrls"),
        trailing_slash: flag(of, "trailingSlash")
            .map(|adds| if adds { TrailingSlash::Always } else { TrailingSlash::Never }),
    };
    match host {
        Host::Vercel => by_flags(&document),
        Host::Firebase => firebase_site(&document).map(by_flags).unwrap_or_default(),
        Host::AzureStaticWebApps => {
            let trailing_slash = document.text("trailingSlash").and_then(|value| match value.text.as_str() {
                "always" => Some(TrailingSlash::Always),
                "never" => Some(TrailingSlash::Never),
                "auto" => Some(TrailingSlash::Redirect),
                _ => None,
            });
            // Each of them redirects `/page.html`.
            AddressSettings { clean_urls: trailing_slash.map(|_| true), trailing_slash }
        }
        _ => AddressSettings::default(),
    }
}

/// A redirect or a rewrite of a JSON file.
struct ConfigEntry {
    converted: Converted,
    /// The HTTP status; 200 for a rewrite.
    status: u16,
    /// Whether it comes before files.
    force: bool,
    /// The location of the destination.
    span: Range<u32>,
    /// Whether its source says what it does with a `/` at the end.
    is_strict: bool,
}

/// Returns the status under a key.
fn status(item: &Json, key: &str) -> Option<u16> {
    item.other(key)?.as_u64()?.try_into().ok()
}

/// Reads `vercel.json` ("Project configuration" in the documentation of Vercel). Redirects come before files, rewrites
/// after them; the older `routes` replace both.
fn vercel(root: &Json) -> Vec<ConfigEntry> {
    let is_for_all = |item: &&Json| item.get("has").is_none() && item.get("missing").is_none();
    let mut entries = Vec::new();
    for item in root.items("redirects").filter(is_for_all) {
        let is_permanent = item.other("permanent").and_then(Value::as_bool).unwrap_or(true);
        let status = status(item, "statusCode").unwrap_or(if is_permanent { 308 } else { 307 });
        entries.extend(entry(item, ("source", "destination"), of_vercel, (status, true)));
    }
    for item in root.items("rewrites").filter(is_for_all) {
        entries.extend(entry(item, ("source", "destination"), of_vercel, (200, false)));
    }
    let mut is_before_files = true;
    for item in root.items("routes").filter(is_for_all) {
        is_before_files &= item.text("handle").is_none_or(|handle| handle.text != "filesystem");
        let location = item.get("headers").and_then(|headers| {
            let name = ["Location", "location"].into_iter().find(|name| headers.get(name).is_some())?;
            headers.text(name)
        });
        let (status, to) = match (status(item, "status"), location, item.text("dest")) {
            (Some(status @ 300..400), Some(location), _) => (status, location),
            (None | Some(200), None, Some(to)) => (200, to),
            _ => continue,
        };
        let converted = item.text("src").and_then(|source| of_vercel(&source.text, &to.text));
        entries.extend(converted.map(|converted| ConfigEntry {
            converted,
            status,
            force: is_before_files,
            span: to.span.clone(),
            is_strict: false,
        }));
    }
    entries
}

/// Reads `firebase.json` ("Configure Hosting behavior" in the documentation of Firebase). Redirects come before files,
/// rewrites after them.
fn firebase(root: &Json) -> Vec<ConfigEntry> {
    let mut entries = Vec::new();
    let Some(site) = firebase_site(root) else { return entries };
    for item in site.items("redirects") {
        let status = status(item, "type").unwrap_or(301);
        entries.extend(entry(item, ("source", "destination"), of_firebase, (status, true)));
    }
    for item in site.items("rewrites") {
        entries.extend(entry(item, ("source", "destination"), of_firebase, (200, false)));
    }
    entries
}

/// Returns the settings of the site in `firebase.json`. A list of sites does not say which one the export is.
fn firebase_site(root: &Json) -> Option<&Json> {
    let sites: Vec<&Json> = root.items("hosting").collect();
    match sites.as_slice() {
        [] => root.get("hosting"),
        [only] => Some(*only),
        _ => None,
    }
}

/// Reads `staticwebapp.config.json` ("Configure Azure Static Web Apps"). Routes come before files, the fallback after
/// them.
fn static_web_apps(root: &Json) -> Vec<ConfigEntry> {
    let mut entries = Vec::new();
    for item in root.items("routes").filter(|item| item.get("methods").is_none()) {
        let status = status(item, "statusCode").filter(|status| (300..400).contains(status));
        let status = status.unwrap_or(302);
        entries.extend(entry(item, ("route", "redirect"), of_static_web_apps, (status, true)));
        entries.extend(entry(item, ("route", "rewrite"), of_static_web_apps, (200, true)));
    }
    if let Some(to) = root.get("navigationFallback").and_then(|fallback| fallback.text("rewrite")) {
        let converted = Converted { from: "/*".to_owned(), to: to.text.clone() };
        let span = to.span.clone();
        entries.push(ConfigEntry { converted, status: 200, force: false, span, is_strict: false });
    }
    entries
}

/// Returns the entry of an item with a source and a destination, if it has both.
fn entry(
    item: &Json,
    (source, destination): (&str, &str),
    convert: fn(&str, &str) -> Option<Converted>,
    (status, force): (u16, bool),
) -> Option<ConfigEntry> {
    let (written, destination) = (&item.text(source)?.text, item.text(destination)?);
    let converted = convert(written, &destination.text)?;
    // `/old/?` and `/old(/.*)?` match both.
    let is_strict = !written.contains(['?', '(']);
    Some(ConfigEntry { converted, status, force, span: destination.span.clone(), is_strict })
}

/// Reads `netlify.toml` ("File-based configuration" in the documentation of Netlify). Its redirects have the syntax of
/// `_redirects`. Those with conditions depend on the reader, or on the query.
fn netlify(text: &str, origin: &RedirectOrigin) -> Option<Vec<Redirect>> {
    let tables = toml_redirects(text, origin)?;
    let redirects = tables.into_iter().flatten().map(|table| table.redirect);
    Some(redirects.filter(|redirect| !redirect.is_conditional()).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{AddressSettings, Host, RedirectOrigin, TrailingSlash, address_settings};
    use super::{redirects, toml_redirects};

    #[test]
    fn locates_destinations_without_their_quotes() {
        let text = "\u{feff}[[redirects]]\nfrom = '/a%20b'\nto = \"\"\"/c\"\"\"\nstatus = 302\n\
            [[redirects]]\nto = '/d'\nfrom = \"/e\"\nquery = { id = \":id\" }\n[[redirects]]\nfrom = \"/f\"\n";
        let tables = toml_redirects(text, &RedirectOrigin::Contract).unwrap();
        let shown: Vec<_> = tables
            .iter()
            .flatten()
            .map(|table| {
                let redirect = &table.redirect;
                let to = &text[redirect.span.start as usize..redirect.span.end as usize];
                let values = &text[table.values.clone()];
                let flags = (table.is_plain, redirect.is_conditional());
                (redirect.from.as_str(), to, redirect.status, values.lines().count(), flags)
            })
            .collect();
        assert_eq!(shown, [("/a b", "/c", 302, 3, (false, false)), ("/e", "/d", 301, 3, (false, true))]);
        assert_eq!(tables.len(), 3);
        assert!(toml_redirects("redirects = [", &RedirectOrigin::Contract).is_none());
    }

    /// Returns the redirects of a file: source, destination, status, whether they are forced, and the text at the
    /// location of the destination.
    fn read(name: &'static str, text: &str) -> Vec<String> {
        let host = Host::of_config_file(name).unwrap();
        let read = redirects(host, text.as_bytes(), &RedirectOrigin::File(name)).unwrap();
        let shown = read.into_iter().map(|redirect| {
            let at = &text[redirect.span.start as usize..redirect.span.end as usize];
            let force = if redirect.force { "!" } else { "" };
            format!("{} {} {}{force} {at}", redirect.from, redirect.to, redirect.status)
        });
        shown.collect()
    }

    #[test]
    fn reads_vercel_json() {
        let text = r#"{"redirects":[{"source":"/old","destination":"/new","permanent":true},
            {"source":"/a/:path*","destination":"/b/:path*","permanent":false},
            {"source":"/c","destination":"/d","statusCode":301},
            {"source":"/e","destination":"/f","has":[{"type":"host","value":"x"}]}],
            "rewrites":[{"source":"/((?!api/).*)","destination":"/index.html"}]}"#;
        let expected = [
            "/old /new 308! /new",
            "/a/* /b/:splat 307! /b/:path*",
            "/c /d 301! /d",
            "/* /index.html 200 /index.html",
        ];
        assert_eq!(read("vercel.json", text), expected);
        let routes = r#"{"routes":[{"src":"/old","status":301,"headers":{"Location":"/new"}},
            {"handle":"filesystem"},{"src":"/(.*)","dest":"/index.html"},{"src":"/x","status":404}]}"#;
        assert_eq!(read("vercel.json", routes), ["/old /new 301! /new", "/* /index.html 200 /index.html"]);
        assert_eq!(read("vercel.json", "\u{feff}{}"), [""; 0]);
    }

    #[test]
    fn reads_netlify_toml() {
        let text = "[build]\npublish = \"dist\"\n[[redirects]]\nfrom = \"/old/*\"\nto = \"/new/:splat\"\n\
            [[redirects]]\nfrom = \"/a\"\nto = \"/b\"\nstatus = 302\nforce = true\nquery = {}\n\
            [[redirects]]\nfrom = \"/c\"\nto = \"/d\"\nconditions = {Country = [\"de\"]}\n\
            [[redirects]]\nfrom = \"/q\"\nto = \"/d\"\nquery = {id = \":id\"}\n";
        let expected = ["/old/* /new/:splat 301 /new/:splat", "/a /b 302! /b"];
        assert_eq!(read("netlify.toml", text), expected);
        // An editor of Windows may begin the file with a byte order mark.
        assert_eq!(read("netlify.toml", &format!("\u{feff}{text}")), expected);
    }

    #[test]
    fn reads_firebase_json() {
        let hosting = r#"{"redirects":[{"source":"/old/**","destination":"/new","type":302},
            {"regex":"^/x","destination":"/y"}],"rewrites":[{"source":"**","destination":"/index.html"},
            {"source":"/api/**","function":"api"}]}"#;
        let expected = ["/old/* /new 302! /new", "/* /index.html 200 /index.html"];
        assert_eq!(read("firebase.json", &format!("{{\"hosting\":{hosting}}}")), expected);
        assert_eq!(read("firebase.json", &format!("{{\"hosting\":[{hosting}]}}")), expected);
        assert_eq!(read("firebase.json", &format!("{{\"hosting\":[{hosting},{hosting}]}}")), [""; 0]);
    }

    #[test]
    fn reads_staticwebapp_config_json() {
        let text = r#"{"routes":[{"route":"/old","redirect":"/new","statusCode":301},
            {"route":"/a/*","rewrite":"/a.html"},{"route":"/login","allowedRoles":["x"]},
            {"route":"/p","redirect":"/q","methods":["POST"]}],
            "navigationFallback":{"rewrite":"/index.html","exclude":["/images/*"]}}"#;
        let expected = ["/old /new 301! /new", "/a/* /a.html 200! /a.html", "/* /index.html 200 /index.html"];
        assert_eq!(read("staticwebapp.config.json", text), expected);
    }

    #[test]
    fn reads_settings_of_addresses() {
        use TrailingSlash::{Always, Never, Redirect};
        for (host, text, clean_urls, trailing_slash) in [
            (Host::Vercel, r#"{"cleanUrls":true,"trailingSlash":false}"#, Some(true), Some(Never)),
            (Host::Vercel, "\u{feff}{\"cleanUrls\":false,\"trailingSlash\":true}", Some(false), Some(Always)),
            (Host::Vercel, r#"{"cleanUrls":"yes"}"#, None, None),
            (Host::Vercel, "{", None, None),
            (Host::Firebase, r#"{"hosting":{"cleanUrls":true}}"#, Some(true), None),
            (Host::Firebase, r#"{"hosting":[{"trailingSlash":false}]}"#, None, Some(Never)),
            (Host::Firebase, r#"{"hosting":[{"cleanUrls":true},{}]}"#, None, None),
            (Host::AzureStaticWebApps, r#"{"trailingSlash":"always"}"#, Some(true), Some(Always)),
            (Host::AzureStaticWebApps, r#"{"trailingSlash":"never"}"#, Some(true), Some(Never)),
            (Host::AzureStaticWebApps, r#"{"trailingSlash":"auto"}"#, Some(true), Some(Redirect)),
            (Host::AzureStaticWebApps, r#"{"trailingSlash":true}"#, None, None),
            (Host::Netlify, "{}", None, None),
        ] {
            let expected = AddressSettings { clean_urls, trailing_slash };
            assert_eq!(address_settings(host, text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn malformed_files_have_no_redirects() {
        for (name, text) in
            [("vercel.json", "{"), ("netlify.toml", "a"), ("firebase.json", ""), ("vercel.json", "\u{1}")]
        {
            let host = Host::of_config_file(name).unwrap();
            let origin = RedirectOrigin::File(name);
            assert!(redirects(host, text.as_bytes(), &origin).is_none(), "{name}");
        }
    }
}
