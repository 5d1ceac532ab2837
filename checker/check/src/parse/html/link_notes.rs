//! Notes links, and other elements that load a file, that browsers or search engines do not read as they were meant:
//! preloads, translations, `integrity`, media queries.

use std::borrow::Cow;

use super::{Builder, ReadTag, lossy};
use crate::parse::is_relative;
use crate::parse::page_metadata::{IgnoredValue, NoteKind, RequestMode};
use sitegate_html::attribute_name::Attribute;
use sitegate_html::attributes::attribute_value;

impl Builder<'_, '_> {
    pub(super) fn read_link(&mut self, token: &ReadTag, first: usize) {
        let range = &token.range;
        if !self.is_document() || !self.has(Attribute::Href) {
            return;
        }
        if self.is_in_body {
            let name = match () {
                () if self.has_word(Attribute::Rel, "canonical") => "canonical link",
                () if self.has_word(Attribute::Rel, "alternate") && self.has(Attribute::Hreflang) => {
                    "hreflang link"
                }
                () => return,
            };
            self.push_note(NoteKind::AfterHead(name), range);
            return;
        }
        if self.has_word(Attribute::Rel, "canonical") {
            if self.is_filled(Attribute::Href) {
                self.page.facts.metadata.canonicals.push(first);
            }
        } else if let Some(word) = self.misspelled_canonical() {
            self.push_note(NoteKind::IgnoredValue(IgnoredValue::LinkType, word), range);
        }
        let Some(language) = self.text_of(Attribute::Hreflang).map(Cow::into_owned) else {
            if self.has_word(Attribute::Rel, "alternate") && self.attribute(token, b"href-lang").is_some() {
                self.push_note(NoteKind::IgnoredValue(IgnoredValue::HrefLang, "href-lang".to_owned()), range);
            }
            return;
        };
        if !self.has_word(Attribute::Rel, "alternate") {
            let rel = self.text_of(Attribute::Rel).unwrap_or_default().into_owned();
            if let Some(word) = rel.split_ascii_whitespace().find(|word| is_misspelled_alternate(word)) {
                self.push_note(NoteKind::MisspelledAlternate(word.to_owned()), range);
            }
            return;
        }
        // A feed has a language but is not a translation.
        let is_page = |media: &str| media.trim().eq_ignore_ascii_case("text/html");
        if self.text_of(Attribute::Type).is_none_or(|media| is_page(&media)) {
            let language = language.trim().to_ascii_lowercase().into_boxed_str();
            self.page.facts.metadata.alternates.push((first, language));
            if self.text_of(Attribute::Href).is_some_and(|href| is_relative(&href)) {
                self.push_note(NoteKind::RelativeTranslation, range);
            }
        }
    }

    /// Returns the word of `rel` that was meant as `canonical`.
    fn misspelled_canonical(&self) -> Option<String> {
        let rel = self.text_of(Attribute::Rel)?;
        let begins = |word: &str| word.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("can"));
        rel.split_ascii_whitespace().find(|word| begins(word)).map(str::to_owned)
    }

    pub(super) fn read_integrity(&mut self, token: &ReadTag, first: usize) {
        let address = if self.has(Attribute::Src) { Attribute::Src } else { Attribute::Href };
        if self.has(address)
            && let Some(range) = self.range_of(Attribute::Integrity)
        {
            let text = self.decoded(&range);
            if text.trim().is_empty() {
                return;
            }
            self.push_note(NoteKind::Integrity(first, text), &range);
            // Browsers request modules with CORS, and check no integrity of a hint.
            let is_module = self.is_word(Attribute::Type, "module");
            let applies = address == Attribute::Src || self.has_word(Attribute::Rel, "stylesheet");
            if applies && !is_module && self.attribute(token, b"crossorigin").is_none() {
                self.push_note(NoteKind::IntegrityWithoutCors(first), &range);
            }
        }
    }

    /// Reads a media query that browsers cannot parse: a condition without parentheses, or `and(`, which is a function. It
    /// matches nothing, so that the style or the image is never used (Media Queries 4, 3.2).
    pub(super) fn read_media(&mut self, token: &ReadTag) {
        // Few tags have it, and to read all attributes again costs more.
        if memchr::memmem::find(&self.text[token.range.clone()], b"media").is_none() {
            return;
        }
        let Some(media) = self.attribute(token, b"media") else { return };
        let text = lossy(media).to_ascii_lowercase();
        if is_broken_query(&text) {
            self.push_note(NoteKind::IgnoredValue(IgnoredValue::MediaQuery, text), &token.range);
        }
    }

    /// Reads a preconnect or a DNS prefetch without the `//` before its host.
    pub(super) fn read_early_connection(&mut self) {
        let is_early =
            |word: &str| ["preconnect", "dns-prefetch"].iter().any(|known| word.eq_ignore_ascii_case(known));
        if !self.text_of(Attribute::Rel).is_some_and(|rel| rel.split_ascii_whitespace().any(is_early)) {
            return;
        }
        let Some(href) = self.text_of(Attribute::Href) else { return };
        let host = href.trim().split('/').next().unwrap_or_default();
        if host.contains('.') && !host.contains([':', '{', '%']) && !host.starts_with('.') {
            let (host, range) = (host.to_owned(), self.range_of(Attribute::Href).unwrap_or(0..0));
            self.push_note(NoteKind::IgnoredValue(IgnoredValue::Host, host), &range);
        }
    }

    /// Notes a preload. Its reference has index `first`.
    pub(super) fn read_preload(&mut self, token: &ReadTag, first: usize) {
        if !self.is_main_document() || !self.has(Attribute::Href) || !self.has_word(Attribute::Rel, "preload")
        {
            return;
        }
        let destination = self.text_of(Attribute::As).map(|own| own.trim().to_ascii_lowercase());
        // A tag that a script changes later is no plain preload.
        if self.attribute(token, b"onload").is_some() {
            return;
        }
        let fault = match destination.as_deref() {
            None | Some("") => Some("it has no `as`".to_owned()),
            Some("font") if self.attribute(token, b"crossorigin").is_none() => Some(
                "it has no `crossorigin`, with which browsers load fonts, so that they load it twice"
                    .to_owned(),
            ),
            Some("fetch") if self.attribute(token, b"crossorigin").is_none() => Some(
                "it has no `crossorigin`, with which scripts fetch files, so that they load it twice"
                    .to_owned(),
            ),
            _ if let Some(media) = self.text_of(Attribute::Type).filter(|media| is_no_media_type(media)) => {
                Some(format!("`{}` is no media type, such as `font/woff2`", media.trim()))
            }
            Some(known) if DESTINATIONS.contains(&known) => None,
            Some(other) => Some(format!("`as` has no value `{other}`")),
        };
        let is_compared = fault.is_none() && matches!(destination.as_deref(), Some("style" | "script"));
        self.push_note(NoteKind::Preload(first, fault), &token.range);
        if is_compared {
            self.has_preload = true;
            let mode = self.request_mode(token);
            self.push_note(NoteKind::PreloadMode(first, mode), &token.range);
        }
    }

    /// Notes how a style sheet or a script is requested, if a preload may be for it.
    pub(super) fn read_request_mode(&mut self, token: &ReadTag, first: usize) {
        if self.has_preload && self.is_main_document() {
            let is_module = self.is_word(Attribute::Type, "module");
            let mode = if is_module { RequestMode::Module } else { self.request_mode(token) };
            self.push_note(NoteKind::RequestMode(first, mode), &token.range);
        }
    }

    fn request_mode(&self, token: &ReadTag) -> RequestMode {
        match self.attribute(token, b"crossorigin") {
            None => RequestMode::Plain,
            Some(value) if value.trim_ascii().eq_ignore_ascii_case(b"use-credentials") => {
                RequestMode::Credentials
            }
            Some(_) => RequestMode::Cors,
        }
    }

    /// Returns the value of an attribute of the current tag as written.
    pub(super) fn attribute(&self, token: &ReadTag, name: &[u8]) -> Option<&[u8]> {
        attribute_value(self.text, token.name_range.end, name)
    }
}

/// Whether a word of `rel` was meant as `alternate`, such as `alternative` (hexojs/site#2159).
fn is_misspelled_alternate(word: &str) -> bool {
    word.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("alt"))
        && !word.eq_ignore_ascii_case("alternate")
}

/// Whether a list of media queries, in lower case, has one that does not parse. Templates fill in `{`.
fn is_broken_query(media: &str) -> bool {
    let mut depth = 0_usize;
    let has_bare_condition = media.bytes().any(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        byte == b':' && depth == 0
    });
    !media.contains('{') && (has_bare_condition || media.contains(" and("))
}

/// Whether a type is none of MIME (RFC 9110, 8.3.1), so that browsers skip the link.
fn is_no_media_type(media: &str) -> bool {
    let media = media.trim();
    !media.is_empty() && !media.contains(['/', '{'])
}

/// The values of `as` with which some browser preloads (HTML 4.6.8.20, and earlier versions of it).
const DESTINATIONS: [&str; 13] = [
    "audio", "document", "embed", "fetch", "font", "image", "json", "object", "script", "style", "track",
    "video", "worker",
];
