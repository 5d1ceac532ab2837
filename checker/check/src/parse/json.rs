//! Parses JSON with references: JSON feeds, 3D scenes, and the manifests of searches and federations.

use std::ops::Range;

use super::facts::Facts;
use super::feed_content::{self, ContentBase};
use super::mapped_text::MappedText;
use super::page::Page;
use super::reference_kind::ReferenceKind;
use sitegate_base::json::{self, Json, JsonText};

/// Parses [`Page::source`] as a JSON feed (jsonfeed.org, 1.1). Other JSON is ignored.
///
/// # Errors
/// If it is not JSON: the reason, and the offset.
pub fn parse_json_feed(page: &mut Page) -> Result<(), (String, u32)> {
    parse(page, |facts, source, json| {
        if text_of(json.get("version")).contains("jsonfeed.org/version/") {
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
        let mut add = |kind, name: &str, span: &Range<u32>| facts.push_text(kind, name, span.clone());
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
        let (address, offset) = (format!("../assets/javascripts/lunr/{name}"), start as u32);
        facts.push_text(ReferenceKind::SearchScript, &address, span.start + offset..span.end + offset);
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
        let folder = text_of(meta.get("publicPath"));
        let folder = if folder == "auto" { "" } else { folder };
        let mut add = |path: &str, name: &JsonText| {
            let slash = if path.is_empty() || path.ends_with('/') { "" } else { "/" };
            let address = format!("{folder}{path}{slash}{}", name.text);
            facts.push_text(ReferenceKind::FederatedFile, &address, name.span.clone());
        };
        if let Some(entry) = meta.get("remoteEntry")
            && let Some(name) = text(entry.get("name")).filter(|name| !name.text.is_empty())
        {
            add(text_of(entry.get("path")), name);
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

/// Returns a text; empty if it is none.
pub(super) fn text_of(value: Option<&Json>) -> &str {
    text(value).map_or("", |text| text.text.as_str())
}

/// Adds a text as a reference.
pub(super) fn push(facts: &mut Facts, kind: ReferenceKind, value: Option<&Json>) {
    if let Some(JsonText { text, span }) = text(value) {
        facts.push_text(kind, text, span.clone());
    }
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
