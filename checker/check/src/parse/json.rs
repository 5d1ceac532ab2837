//! Parses JSON with references: web app manifests, JSON feeds, JSON-LD, 3D scenes, and the manifests of searches and
//! federations.

use std::ops::Range;

use super::facts::{Facts, Malformed};
use super::feed_content::{self, ContentBase};
use super::mapped_text::MappedText;
use super::page::Page;
use super::page_metadata::{ElementNote, NoteKind};
use super::reference_kind::ReferenceKind;
use sitegate_address::UrlReference;
use sitegate_base::json::{self, Json, JsonError, JsonText};

/// Parses [`Page::source`] as a web app manifest (W3C Web Application Manifest, and its incubations).
///
/// # Errors
/// If it is not JSON: the reason, and the offset.
pub fn parse_manifest(page: &mut Page) -> Result<(), (String, u32)> {
    parse(page, |facts, _, json| manifest(facts, json))
}

/// Parses [`Page::source`] as a JSON feed (jsonfeed.org, 1.1). Other JSON is ignored.
///
/// # Errors
/// If it is not JSON: the reason, and the offset.
pub fn parse_json_feed(page: &mut Page) -> Result<(), (String, u32)> {
    parse(page, |facts, source, json| {
        let version = text(json.get("version")).map_or("", |version| version.text.as_str());
        if version.contains("jsonfeed.org/version/") {
            feed(facts, source, json);
        }
    })
}

/// Parses [`Page::source`] as the `pagefind-entry.json` of a search by Pagefind. Verified with Pagefind 1.6.
///
/// # Errors
/// If it is not JSON: the reason, and the offset.
pub fn parse_pagefind_entry(page: &mut Page) -> Result<(), (String, u32)> {
    parse(page, |facts, source, json| {
        let Some(Json::Object(languages)) = json.get("languages") else { return };
        let mut add = |kind, name: &str, span: &Range<u32>| {
            let name = facts.store(name);
            facts.push(kind, Some(name), span.clone());
        };
        let mut has_pages = memchr::memmem::find(source, b"\"page_count\":0").is_none();
        for language in languages.values() {
            let Some(JsonText { text: hash, span }) = text(language.get("hash")) else { continue };
            let (stemmer, at) = match text(language.get("wasm")) {
                Some(wasm) => (wasm.text.as_str(), &wasm.span),
                // The program for languages without a stemmer.
                None => ("unknown", span),
            };
            add(ReferenceKind::SearchIndex, &format!("pagefind.{hash}.pf_meta"), span);
            add(ReferenceKind::SearchIndex, &format!("wasm.{stemmer}.pagefind"), at);
            if std::mem::take(&mut has_pages) {
                add(ReferenceKind::SearchFolder, "index/", span);
                add(ReferenceKind::SearchFolder, "fragment/", span);
            }
        }
    })
}

/// Maximum length in bytes of the settings of a search by `MkDocs`.
const MAX_SETTINGS: usize = 1 << 16;

/// Parses the settings in [`Page::source`], the `search_index.json` of Material for `MkDocs`: its worker loads scripts for
/// the languages. The other indexes of this name have no `pipeline`. Verified with Material 9.7.
pub fn parse_mkdocs_index(page: &mut Page) {
    let Page { source, facts, .. } = page;
    let source: &[u8] = source;
    let start = source.iter().position(|byte| *byte == b':').map_or(0, |colon| colon + 1);
    if source[..start].iter().filter(|byte| !byte.is_ascii_whitespace()).ne(b"{\"config\":") {
        return;
    }
    let Some(settings) = first_object(&source[start..]).and_then(|object| json::parse(object).ok()) else {
        return;
    };
    if settings.get("pipeline").is_none() {
        return;
    }
    let languages: Vec<&JsonText> =
        settings.items("lang").filter_map(|language| text(Some(language))).collect();
    let mut add = |name: &str, span: &Range<u32>| {
        let address = facts.store(&format!("../assets/javascripts/lunr/{name}"));
        let offset = start as u32;
        facts.push(ReferenceKind::SearchScript, Some(address), span.start + offset..span.end + offset);
    };
    let mut others = languages.iter().filter(|language| language.text != "en").peekable();
    if let Some(first) = others.peek() {
        add("min/lunr.stemmer.support.min.js", &first.span);
        if languages.len() > 1 {
            add("min/lunr.multi.min.js", &first.span);
        }
    }
    for JsonText { text, span } in others {
        match text.as_str() {
            "ja" => add("tinyseg.js", span),
            "hi" | "th" => add("wordcut.js", span),
            _ => {}
        }
        add(&format!("min/lunr.{text}.min.js"), span);
    }
}

/// Returns the JSON object at the start of a text.
fn first_object(text: &[u8]) -> Option<&[u8]> {
    let (mut depth, mut is_text, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in text.iter().enumerate().take(MAX_SETTINGS) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'{' => depth += 1,
            b'}' if depth <= 1 => return Some(&text[..=at]),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Parses [`Page::source`] as the `mf-manifest.json` of an application that Module Federation builds. Verified with
/// `@module-federation/enhanced` 2 and webpack 5. Files of other applications are not in it.
///
/// # Errors
/// If it is not JSON: the reason, and the offset.
pub fn parse_federation_manifest(page: &mut Page) -> Result<(), (String, u32)> {
    parse(page, |facts, _, json| {
        let Some(meta) = json.get("metaData") else { return };
        // `auto` is the folder of the manifest.
        let folder = text(meta.get("publicPath")).map_or("", |path| path.text.as_str());
        let folder = if folder == "auto" { "" } else { folder };
        let mut add = |path: &str, name: &JsonText| {
            let slash = if path.is_empty() || path.ends_with('/') { "" } else { "/" };
            let address = facts.store(&format!("{folder}{path}{slash}{}", name.text));
            facts.push(ReferenceKind::FederatedFile, Some(address), name.span.clone());
        };
        if let Some(entry) = meta.get("remoteEntry")
            && let Some(name) = text(entry.get("name")).filter(|name| !name.text.is_empty())
        {
            add(text(entry.get("path")).map_or("", |path| path.text.as_str()), name);
        }
        for module in json.items("exposes").chain(json.items("shared")) {
            let groups = ["js", "css"].into_iter().filter_map(|kind| module.get("assets")?.get(kind));
            for list in groups.flat_map(|group| group.items("sync").chain(group.items("async"))) {
                if let Some(name) = text(Some(list)) {
                    add("", name);
                }
            }
        }
    })
}

/// Parses [`Page::source`] as a scene (glTF 2.0, 3.6.1.1 and 3.8.3): its buffers and images.
///
/// # Errors
/// If it is not JSON: the reason, and the offset.
pub(super) fn parse_gltf(page: &mut Page) -> Result<(), (String, u32)> {
    parse(page, |facts, _, json| {
        for part in json.items("buffers").chain(json.items("images")) {
            push(facts, ReferenceKind::GltfFile, part.get("uri"));
        }
    })
}

/// Parses [`Page::source`] as JSON, for a reader of another format.
///
/// # Errors
/// If it is not JSON: the reason, and the offset.
pub(super) fn parse(
    page: &mut Page,
    read: impl FnOnce(&mut Facts, &[u8], &Json),
) -> Result<(), (String, u32)> {
    let Page { source, facts, .. } = page;
    let json = json::parse_file(source).map_err(|error| (error.reason, error.offset))?;
    read(facts, source, &json);
    Ok(())
}

pub(super) fn text(value: Option<&Json>) -> Option<&JsonText> {
    match value {
        Some(Json::Text(text)) => Some(text),
        _ => None,
    }
}

/// Adds a text as a reference.
pub(super) fn push(facts: &mut Facts, kind: ReferenceKind, value: Option<&Json>) {
    if let Some(JsonText { text, span }) = text(value) {
        let stored = facts.store(text);
        facts.push(kind, Some(stored), span.clone());
    }
}

fn manifest(facts: &mut Facts, json: &Json) {
    push(facts, ReferenceKind::ManifestUrl, json.get("start_url"));
    if let Some(start) = text(json.get("start_url")) {
        let scope = text(json.get("scope")).map(|scope| scope.text.clone());
        let mut add = |member, url: &JsonText| {
            let (url, span) = (url.text.clone(), url.span.clone());
            let kind = NoteKind::AppScope { member, url, start: start.text.clone(), scope: scope.clone() };
            facts.metadata.notes.push(ElementNote { kind, span });
        };
        add("start_url", start);
        for url in json.items("shortcuts").filter_map(|shortcut| text(shortcut.get("url"))) {
            add("shortcuts", url);
        }
    }
    if let Some((reason, span)) = icon_fault(json).or_else(|| member_fault(json)) {
        facts.malformed.push(Malformed::meaning("manifest", reason, span));
    }
    let states_size = json.items("icons").any(|icon| {
        let sizes = text(icon.get("sizes")).map_or("", |sizes| sizes.text.as_str());
        sizes.split_ascii_whitespace().filter_map(icon_size).any(|size| (MIN_ICON..u32::MAX).contains(&size))
    });
    for image in json.items("icons").chain(json.items("screenshots")) {
        // Icons of any size are drawings, or the only ones.
        let sizes = text(image.get("sizes"))
            .filter(|sizes| !(states_size && sizes.text.to_ascii_lowercase().contains("any")));
        if let (Some(sizes), Some(_)) = (sizes, text(image.get("src"))) {
            let kind = NoteKind::StatedSizes(facts.references.len(), sizes.text.clone());
            facts.metadata.notes.push(ElementNote { kind, span: sizes.span.clone() });
        }
        push(facts, ReferenceKind::ManifestImage, image.get("src"));
    }
    for shortcut in json.items("shortcuts") {
        push(facts, ReferenceKind::ManifestUrl, shortcut.get("url"));
        for icon in shortcut.items("icons") {
            push(facts, ReferenceKind::ManifestImage, icon.get("src"));
        }
    }
    for handler in json.items("file_handlers") {
        push(facts, ReferenceKind::ManifestHandler, handler.get("action"));
    }
    // Posted data needs a service worker, not a file.
    let share = json.get("share_target").filter(|share| {
        text(share.get("method")).is_none_or(|method| method.text.trim().eq_ignore_ascii_case("get"))
    });
    push(facts, ReferenceKind::ManifestHandler, share.and_then(|share| share.get("action")));
    for handler in json.items("protocol_handlers") {
        // `%s` is replaced by the handled URL; in the path it could be any.
        let is_fixed = |template: &&Json| {
            text(Some(*template)).is_some_and(|url| !UrlReference::new(&*url.text).path().contains("%s"))
        };
        push(facts, ReferenceKind::ManifestHandler, handler.get("url").filter(is_fixed));
    }
    for app in json.items("related_applications") {
        push(facts, ReferenceKind::ManifestApp, app.get("url"));
    }
}

/// The least width and height in pixels of an icon by which Chromium offers to install an app ("Manifest does not contain a
/// suitable icon").
const MIN_ICON: u32 = 144;

/// Returns the first fault of the icons for which Chromium does not offer to install the app, with its location.
fn icon_fault(json: &Json) -> Option<(&'static str, Range<u32>)> {
    let sizes = || json.items("icons").filter_map(|icon| text(icon.get("sizes")));
    for size in sizes().chain(json.items("screenshots").filter_map(|image| text(image.get("sizes")))) {
        // IgnisDa/ryot#1680 has `192.5x192.5`.
        if size.text.split_ascii_whitespace().any(|word| icon_size(word).is_none()) {
            let reason = "browsers read `sizes` only as `any` or as whole numbers such as `192x192`";
            return Some((reason, size.span.clone()));
        }
    }
    let is_shown = |icon: &Json| {
        text(icon.get("purpose"))
            .is_none_or(|purpose| purpose.text.split_ascii_whitespace().any(|word| word == "any"))
    };
    let first = json.items("icons").next()?;
    if !json.items("icons").any(is_shown)
        && let Some(purpose) = text(first.get("purpose")).filter(|purpose| !purpose.text.trim().is_empty())
    {
        let reason = "no icon has the purpose `any`, so Chromium does not offer to install the app";
        return Some((reason, purpose.span.clone()));
    }
    let is_app = text(json.get("display"))
        .is_some_and(|display| matches!(&*display.text, "standalone" | "fullscreen" | "minimal-ui"));
    let is_small = |icon: &Json| {
        let size = text(icon.get("sizes"));
        size.is_some_and(|size| {
            size.text.split_ascii_whitespace().filter_map(icon_size).all(|size| size < MIN_ICON)
        })
    };
    if is_app && json.items("icons").filter(|icon| is_shown(icon)).all(is_small) {
        let reason =
            "no icon has a size of 144 pixels or more, so Chromium does not offer to install the app";
        return Some((reason, text(first.get("sizes"))?.span.clone()));
    }
    None
}

/// Returns the first member of a manifest that browsers ignore or miss (the members of the Web Application
/// Manifest, and Chromium's criteria to install an app).
fn member_fault(json: &Json) -> Option<(&'static str, Range<u32>)> {
    const DISPLAYS: [&str; 4] = ["fullscreen", "standalone", "minimal-ui", "browser"];
    let display = text(json.get("display"));
    if let Some(written) = display.filter(|written| !DISPLAYS.contains(&written.text.trim())) {
        let reason = "`display` is none of `fullscreen`, `standalone`, `minimal-ui` and `browser`, so that browsers ignore it";
        return Some((reason, written.span.clone()));
    }
    let is_color = |written: &str| {
        written.trim().strip_prefix('#').is_none_or(|digits| {
            matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    };
    let mut colors = ["theme_color", "background_color"].into_iter().filter_map(|name| text(json.get(name)));
    if let Some(written) = colors.find(|written| !is_color(&written.text)) {
        return Some((
            "a color has no 3, 4, 6 or 8 digits, so that browsers ignore it",
            written.span.clone(),
        ));
    }
    let is_named = |name: &str| text(json.get(name)).is_some_and(|name| !name.text.trim().is_empty());
    let display = display.filter(|display| display.text != "browser")?;
    let reason = "it has no `name` and no `short_name`, so Chromium does not offer to install the app";
    (!is_named("name") && !is_named("short_name")).then(|| (reason, display.span.clone()))
}

/// Reads a word of `sizes`: the smaller side in pixels, or the largest number for `any`.
fn icon_size(word: &str) -> Option<u32> {
    if word.eq_ignore_ascii_case("any") {
        return Some(u32::MAX);
    }
    let (width, height) = word.split_once(['x', 'X'])?;
    Some(width.parse::<u32>().ok()?.min(height.parse().ok()?))
}

/// Adds the references of the authors of a feed or of one of its items.
fn feed_authors(facts: &mut Facts, authored: &Json) {
    for author in authored.items("authors").chain(authored.get("author")) {
        push(facts, ReferenceKind::FeedLink, author.get("url"));
        push(facts, ReferenceKind::FeedImage, author.get("avatar"));
    }
}

fn feed(facts: &mut Facts, source: &[u8], json: &Json) {
    for key in ["home_page_url", "feed_url", "next_url"] {
        push(facts, ReferenceKind::FeedLink, json.get(key));
    }
    for key in ["icon", "favicon"] {
        push(facts, ReferenceKind::FeedImage, json.get(key));
    }
    feed_authors(facts, json);
    for item in json.items("items") {
        for key in ["url", "external_url"] {
            push(facts, ReferenceKind::FeedLink, item.get(key));
        }
        for key in ["image", "banner_image"] {
            push(facts, ReferenceKind::FeedImage, item.get(key));
        }
        for attachment in item.items("attachments") {
            push(facts, ReferenceKind::FeedEnclosure, attachment.get("url"));
        }
        feed_authors(facts, item);
        let base = text(item.get("url")).map_or(ContentBase::Unknown, |url| ContentBase::Item(&url.text));
        if let Some(JsonText { span, .. }) = text(item.get("content_html")) {
            let written = String::from_utf8_lossy(&source[span.start as usize..span.end as usize]);
            let content = MappedText::from_json(&written, span.start as usize);
            feed_content::add(facts, &content, base);
        }
    }
}

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
pub fn json_ld(
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
    #![allow(clippy::expect_used)]

    use super::*;
    use crate::parse::reference::Reference;
    use crate::parse::source::Source;

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

    /// Returns the references of a manifest, the bytes at their locations, and the offsets.
    fn manifest_of(source: &str) -> Vec<(String, String, u32)> {
        let mut page = Page::new(Source::Text(source.to_owned()));
        assert!(parse_manifest(&mut page).is_ok());
        let shown = |reference: &Reference| {
            let span = reference.span.start as usize..reference.span.end as usize;
            let text = page.str(reference.value.expect("it has a text")).to_owned();
            (text, source[span].to_owned(), reference.span.start)
        };
        page.facts.references.iter().map(shown).collect()
    }

    #[test]
    fn equal_texts_have_their_own_locations() {
        let source = r#"{"name":"/a.png","icons":[{"label":"/a.png","src":"/a.png"}],"start_url":"/a.png"}"#;
        let found = manifest_of(source);
        let locations: Vec<_> = source.match_indices("/a.png").map(|(at, _)| at as u32).collect();
        assert_eq!(found.iter().map(|(_, _, at)| *at).collect::<Vec<_>>(), [locations[3], locations[2]]);
    }

    #[test]
    fn texts_with_escapes_have_locations() {
        let found =
            manifest_of(r#"{"short\"name":"x","icons":[{"src":"\/caf\u00e9\\.png"}],"start_url":"/ü"}"#);
        let shown: Vec<_> = found.iter().map(|(text, raw, _)| (text.as_str(), raw.as_str())).collect();
        assert_eq!(shown, [("/ü", "/ü"), (r"/café\.png", r"\/caf\u00e9\\.png")]);
    }

    #[test]
    fn skips_a_byte_order_mark() {
        let source = "\u{feff}{\"start_url\":\"/a\"}";
        assert_eq!(manifest_of(source), [("/a".to_owned(), "/a".to_owned(), 17)]);
        let mut page = Page::new(Source::Text("\u{feff}{\n \"a\": }".to_owned()));
        assert_eq!(parse_manifest(&mut page).map_err(|(_, offset)| offset), Err(11));
        // The text of an element is already decoded, so a mark is a part of it.
        assert!(json_ld("\u{feff}{}".as_bytes(), |_, _| {}).is_err());
    }

    #[test]
    fn the_last_of_repeated_keys_counts() {
        let found = manifest_of(r#"{"start_url":"/a","start_url":"/a"}"#);
        assert_eq!(found, [("/a".to_owned(), "/a".to_owned(), 31)]);
    }

    #[test]
    fn errors_have_an_offset() {
        let error = json_ld(b"{\n \"a\": }", |_, _| {});
        assert_eq!(error.map_err(|error| error.offset), Err(8));
    }
}
