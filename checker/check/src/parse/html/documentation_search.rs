//! Finds the files that the search of generated documentation loads, if the page names them.
//!
//! - rustdoc (verified with 1.95) has the names in `<meta name="rustdoc-vars" data-search-js="search-63369b7b.js">`.
//! - Material for `MkDocs` (verified with 9.7) has the worker in `<script id="__config">`, and the index in a folder
//!   below the base. It loads both if there is a form of this name: `<form name="search">`.

use std::ops::Range;

use super::script_type::ScriptType;
use super::{Builder, Origin};
use crate::parse::reference_kind::ReferenceKind;
use sitegate_base::json::{self, Json, JsonText};
use sitegate_html::attribute_name::Attribute;
use sitegate_html::attributes::attribute_value;

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
            Some((std::str::from_utf8(value).ok()?, value.as_ptr() as usize - text.as_ptr() as usize))
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
        let value = Some(self.page.facts.store(address));
        let span = self.span(&range);
        self.page.facts.push(kind, value, span);
    }

    /// Returns the type of the current script element, if it is the configuration of a Material page with a search.
    pub(super) fn material_config(&self) -> Option<ScriptType> {
        let is_config = self.material.is_material
            && self.material.has_search
            && matches!(self.origin, Origin::Source(0))
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
