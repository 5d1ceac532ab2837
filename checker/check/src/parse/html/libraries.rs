//! Collects references that libraries and generators define, not HTML:
//!
//! - Lazy loaders load a file when an element becomes visible. No standard defines that, but nearly all read `data-src`,
//!   `data-srcset` and similar attributes.
//! - The search of rustdoc (verified with 1.95) has the names of its files in
//!   `<meta name="rustdoc-vars" data-search-js="search-63369b7b.js">`.
//! - The search of Material for `MkDocs` (verified with 9.7) has its worker in `<script id="__config">`, and the index in a
//!   folder below the base. It loads both if there is a form of this name: `<form name="search">`.
//! - A page of Qwik (verified with 1.20) names chunks. A container, usually the root, has their folder:
//!   `<html q:base="/build/">`. Attributes name a listener's chunk and its export, `on:click="q-a.js#s_b[0]"`, also with
//!   `on-window:` and `on-document:`. The state in `<script type="qwik/json">` has further ones: `"\u0002q-c.js#s_d"`.

use std::collections::HashSet;
use std::ops::Range;

use super::script_type::ScriptType;
use super::{Builder, QwikContainer, ReadTag, lossy};
use crate::parse::reference_kind::ReferenceKind;
use sitegate_address::{SitePath, UrlReference};
use sitegate_base::json::{self, Json, JsonText};
use sitegate_html::attribute_name::Attribute;
use sitegate_html::attributes::{attribute_value, attributes};
use sitegate_html::element::Name;
use sitegate_html::srcset;
use sitegate_html::url_attribute::{UrlAttribute, UrlSyntax};
use sitegate_script::Goal;

impl Builder<'_, '_> {
    /// Adds the references that an element loads later, by each of the attributes with the meaning of a row.
    pub(super) fn push_lazy_row(&mut self, lazy: ReferenceKind, row: &UrlAttribute) {
        if !self.has(row.attribute) {
            return;
        }
        // If there is an image already, it may have another purpose, such as a light box.
        let loads = self.text_of(Attribute::Src).is_some_and(|src| !is_placeholder(&src))
            || self.text_of(Attribute::Srcset).is_some_and(|srcset| !is_placeholder(&srcset));
        let kind = if loads { ReferenceKind::LazySpare } else { lazy };
        for index in 0..self.attributes.len() {
            if self.attributes[index].name == row.attribute {
                match row.syntax {
                    UrlSyntax::Srcset => self.push_lazy_srcset(kind, index),
                    _ => self.push_lazy(kind, index),
                }
            }
        }
    }

    /// Adds an attribute of a lazy loader if it contains a path or a URL, not a name, a color or a template.
    pub(super) fn push_lazy(&mut self, kind: ReferenceKind, index: usize) {
        let Some(range) = self.attributes[index].value.clone() else { return };
        if is_url(&self.decoded(&range)) {
            self.push_at(kind, index);
        }
    }

    fn push_lazy_srcset(&mut self, kind: ReferenceKind, index: usize) {
        let Some(range) = self.attributes[index].value.clone() else { return };
        let value = self.mapped(&range);
        let urls = srcset::urls(&value.text).into_iter();
        for url in urls.filter(|url| is_url(&value.text[url.clone()])) {
            self.push_part(kind, &value, url);
        }
    }

    /// Adds an attribute of a library, if it is a URL and not a template or data.
    pub(super) fn push_request(&mut self, kind: ReferenceKind, index: usize) {
        let Some(range) = self.attributes[index].value.clone() else { return };
        let url = self.decoded(&range);
        let is_odd = |c: char| c.is_whitespace() || "{}<>$`\"'".contains(c);
        let url = url.trim();
        if !url.is_empty() && !url.starts_with('#') && !url.contains(is_odd) {
            self.push_at(kind, index);
        }
    }

    /// Adds the slides of reveal.js: `<section data-markdown="slides.md">`.
    pub(super) fn push_markdown(&mut self, index: usize) {
        let Some(range) = self.attributes[index].value.clone() else { return };
        let name = self.text[range].to_ascii_lowercase();
        if name.ends_with(b".md") || name.ends_with(b".markdown") {
            self.push_request(ReferenceKind::Markdown, index);
        }
    }
}

/// Whether an image is only a placeholder for the one that is loaded later.
fn is_placeholder(src: &str) -> bool {
    let src = src.trim();
    src.is_empty() || src.starts_with('#') || src.starts_with("data:") || src.starts_with("about:")
}

/// Whether a text is a URL, a path, or a name with an extension.
fn is_url(text: &str) -> bool {
    let text = text.trim();
    if text.contains(|c: char| c.is_whitespace() || "{}<>[]$`\"'()".contains(c)) {
        return false;
    }
    let path = SitePath::new(UrlReference::new(text).path());
    let has_extension = path.extension().is_some_and(|extension| {
        let is_alphanumeric = |byte: u8| byte.is_ascii_alphanumeric();
        !path.stem().is_empty()
            && (2..=5).contains(&extension.len())
            && extension.bytes().all(is_alphanumeric)
            && extension.bytes().any(|byte| byte.is_ascii_alphabetic())
    });
    has_extension || text.starts_with("https://") || text.starts_with("http://") || text.starts_with("//")
}

impl Builder<'_, '_> {
    /// Reads a `meta` element.
    pub(super) fn read_documentation_meta(&mut self, tag: &Range<usize>) {
        match self.text_of(Attribute::Name).as_deref() {
            Some("rustdoc-vars") if self.is_main_document() => self.add_rustdoc_search(tag),
            Some("generator") => {
                let is_material =
                    self.text_of(Attribute::Content).is_some_and(|name| name.contains("mkdocs-material"));
                self.material.is_material |= is_material;
            }
            _ => {}
        }
    }

    /// Reads a `form` element.
    pub(super) fn read_documentation_form(&mut self) {
        self.material.has_search |= self.text_of(Attribute::Name).as_deref() == Some("search");
    }

    /// Adds the scripts of rustdoc's search, and the root of its index. Versions without stringdex have one index.
    fn add_rustdoc_search(&mut self, tag: &Range<usize>) {
        let text = self.text;
        let value = |name: &str| {
            let value = attribute_value(text, tag.start + "<meta".len(), name.as_bytes())?;
            Some((str::from_utf8(value).ok()?, value.as_ptr() as usize - text.as_ptr() as usize))
        };
        let (Some((root, root_at)), Some((files, _))) =
            (value("data-root-path"), value("data-static-root-path"))
        else {
            return;
        };
        let stringdex = value("data-stringdex-js");
        let index = if stringdex.is_some() { "search.index/root" } else { "search-index" };
        let (suffix, _) = value("data-resource-suffix").unwrap_or_default();
        for (name, at) in value("data-search-js").into_iter().chain(stringdex) {
            self.add_search_file(ReferenceKind::SearchScript, &format!("{files}{name}"), at..at + name.len());
        }
        let index = format!("{root}{index}{suffix}.js");
        self.add_search_file(ReferenceKind::SearchIndex, &index, root_at..root_at + root.len());
    }

    fn add_search_file(&mut self, kind: ReferenceKind, address: &str, range: Range<usize>) {
        let span = self.span(&range);
        self.page.facts.push_text(kind, address, span);
    }

    /// Returns the type of the current script element, if it is the configuration of a Material page with a search.
    pub(super) fn material_config(&self) -> Option<ScriptType> {
        let is_config = self.material.is_material
            && self.material.has_search
            && self.is_document()
            && self.text_of(Attribute::Id).as_deref() == Some("__config");
        is_config.then_some(ScriptType::MaterialConfig)
    }

    /// Adds the worker and the index of a search: `{"base": "..", "search": "../assets/search.min.js"}`.
    pub(super) fn add_material_search(&mut self, content: Range<usize>) {
        let Ok(config) = json::parse(&self.text[content.clone()]) else { return };
        let range =
            |span: &Range<u32>| content.start + span.start as usize..content.start + span.end as usize;
        if let (Some(Json::Text(base)), Some(Json::Text(worker))) = (config.get("base"), config.get("search"))
        {
            let JsonText { text, span } = worker;
            self.add_search_file(ReferenceKind::SearchScript, text, range(span));
            let index = format!("{}/search/search_index.json", base.text.trim_end_matches('/'));
            self.add_search_file(ReferenceKind::SearchIndex, &index, range(&base.span));
        }
    }
}

/// Prefixes of the names of attributes with listeners.
const LISTENERS: [&[u8]; 3] = [b"on:", b"on-window:", b"on-document:"];

impl Builder<'_, '_> {
    /// Begins the first container. From there all tags of the page are read.
    pub(super) fn begin_qwik(&mut self) {
        if self.is_document() {
            self.qwik.get_or_insert_default();
        }
    }

    /// Adds the chunks that a tag names, if it is in a container. Inert content is resumed, too.
    pub(super) fn add_qwik_chunks(&mut self, token: &ReadTag) {
        let Some(mut container) = self.qwik.take() else { return };
        if !token.is_end {
            let named = self.read_qwik_tag(token, &mut container);
            if let Some(folder) = &container.folder {
                let folder = lossy(&self.text[folder.clone()]).into_owned();
                for chunk in named {
                    self.add_qwik_chunk(&folder, &chunk, &mut container.known);
                }
            }
        }
        self.qwik = Some(container);
    }

    /// Returns the chunks that a start tag names, and updates the folder of chunks.
    fn read_qwik_tag(&self, token: &ReadTag, container: &mut QwikContainer) -> Vec<Range<usize>> {
        let mut named = Vec::new();
        let mut script_type = None;
        for attribute in attributes(self.text, token.name_range.end) {
            let Some(value) = attribute.value else { continue };
            let name = &self.text[attribute.name];
            if name.eq_ignore_ascii_case(b"q:base") {
                container.folder = Some(value);
            } else if name.eq_ignore_ascii_case(b"type") {
                script_type = script_type.or(Some(&self.text[value]));
            } else if LISTENERS.iter().any(|prefix| name.starts_with(prefix)) {
                named.extend(self.chunks(value, |byte| byte.is_ascii_whitespace()));
            }
        }
        let is_state =
            token.name == Name::Script && script_type.is_some_and(|kind| kind.starts_with(b"qwik/"));
        if let Some(state) = token.raw.clone().filter(|_| is_state) {
            let mark = |at: &usize| self.text[state.clone()][*at..].starts_with(MARK);
            for at in memchr::memchr_iter(b'\\', &self.text[state.clone()]).filter(mark) {
                let start = state.start + at + MARK.len();
                let text = &self.text[start..state.end];
                let end = memchr::memchr(b'"', text).unwrap_or(text.len());
                named.extend(self.chunks(start..start + end, |byte| byte == b' '));
            }
        }
        named
    }

    fn add_qwik_chunk(&mut self, folder: &str, chunk: &Range<usize>, known: &mut HashSet<String>) {
        let name = lossy(&self.text[chunk.clone()]).into_owned();
        let name = name.strip_prefix("./").unwrap_or(&name);
        let is_url = name.starts_with('/') || name.contains("://");
        let address = if is_url { name.to_owned() } else { folder.to_owned() + name };
        if known.insert(address.clone()) {
            let span = self.span(chunk);
            self.run_chunk(&address, Some(Goal::Module), span);
        }
    }

    /// Returns the chunks in a list of `chunk#export`. An entry without a chunk is a function in the page.
    fn chunks(&self, list: Range<usize>, is_end: impl Fn(u8) -> bool) -> Vec<Range<usize>> {
        let mut chunks = Vec::new();
        let mut start = list.start;
        for part in self.text[list].split(|byte| is_end(*byte)) {
            let end = memchr::memchr(b'#', part);
            if let Some(end) = end.filter(|end| part[..*end].ends_with(b"js")) {
                chunks.push(start..start + end);
            }
            start += part.len() + 1;
        }
        chunks
    }
}

/// The mark of a chunk in the state.
const MARK: &[u8] = br"\u0002";

#[cfg(test)]
mod tests {
    use super::is_url;

    #[test]
    fn distinguishes_urls_from_names_colors_and_templates() {
        for text in ["a.jpg", "/img/a.webp?v=1", "../a.mp4", "https://x.example/photo", "//x.example/a"] {
            assert!(is_url(text), "{text}");
        }
        for text in
            ["", "photo", "#ddd", "1.5", "v1.0", "{{ src }}", "url(a.png)", "/api/photo", "a.b c.d", ".png"]
        {
            assert!(!is_url(text), "{text}");
        }
    }
}
