//! Parses web app manifests (W3C Web Application Manifest, and its incubations).

use std::ops::Range;

use super::facts::{Facts, Malformed};
use super::json::{parse, push, text, text_of};
use super::page::Page;
use super::page_metadata::NoteKind;
use super::reference_kind::ReferenceKind;
use sitegate_address::UrlReference;
use sitegate_base::json::{Json, JsonText};

/// Parses [`Page::source`] as a web app manifest.
///
/// # Errors
/// If it is not JSON: the reason, and the offset.
pub(super) fn parse_manifest(page: &mut Page) -> Result<(), (String, u32)> {
    parse(page, |facts, _, json| manifest(facts, json))
}

fn manifest(facts: &mut Facts, json: &Json) {
    push(facts, ReferenceKind::ManifestUrl, json.get("start_url"));
    if let Some(start) = text(json.get("start_url")) {
        let scope = text(json.get("scope")).map(|scope| scope.text.clone());
        let mut add = |member, url: &JsonText| {
            let (url, span) = (url.text.clone(), url.span.clone());
            let kind = NoteKind::AppScope { member, url, start: start.text.clone(), scope: scope.clone() };
            facts.note(kind, span);
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
        let sizes = text_of(icon.get("sizes"));
        sizes.split_ascii_whitespace().filter_map(icon_size).any(|size| (MIN_ICON..u32::MAX).contains(&size))
    });
    for image in json.items("icons").chain(json.items("screenshots")) {
        // Icons of any size are drawings, or the only ones.
        let sizes = text(image.get("sizes"))
            .filter(|sizes| !(states_size && sizes.text.to_ascii_lowercase().contains("any")));
        if let (Some(sizes), Some(_)) = (sizes, text(image.get("src"))) {
            let kind = NoteKind::StatedSizes(facts.references.len(), sizes.text.clone());
            facts.note(kind, sizes.span.clone());
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

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use super::*;
    use crate::parse::reference::Reference;
    use crate::parse::source::Source;

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
    }

    #[test]
    fn the_last_of_repeated_keys_counts() {
        let found = manifest_of(r#"{"start_url":"/a","start_url":"/a"}"#);
        assert_eq!(found, [("/a".to_owned(), "/a".to_owned(), 31)]);
    }
}
