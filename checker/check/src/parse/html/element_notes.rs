//! Collects metadata of the page (title, language, encoding), and elements that rules may report, such as preloads.

use std::borrow::Cow;
use std::ops::Range;

use super::ignored_values::has_extension;
use super::{Builder, ReadTag, lossy};
use crate::csp::ignored_parts;
use crate::parse::decoded_file::charset_of_content_type;
use crate::parse::html_text::decode_references;
use crate::parse::is_relative;
use crate::parse::leftover_values::{left_in, missing_value};
use crate::parse::page_metadata::{CHARSET_LIMIT, IgnoredValue, NoteKind, forbids_indexing};
use crate::parse::reference_kind::ReferenceKind;
use sitegate_base::language_tag::element_fault;
use sitegate_html::attribute_name::Attribute;
use sitegate_html::element::Name;
use sitegate_html::srcset;

impl Builder<'_, '_> {
    /// Reads one element. Its references begin at index `first`.
    pub(super) fn add_notes(&mut self, token: &ReadTag, first: usize) {
        let range = &token.range;
        match token.name {
            Name::Html => self.read_html(range),
            Name::Title => self.read_title(token),
            Name::Meta => self.read_meta(range),
            Name::Link => {
                self.read_link(token, first);
                self.read_early_connection();
                self.read_touch_icon();
                self.read_media(token);
                self.read_preload(token, first);
                if self.has_preload && self.has_word(Attribute::Rel, "stylesheet") {
                    self.read_request_mode(token, first);
                }
                self.read_integrity(token, first);
                self.read_srcset(Attribute::Imagesrcset);
            }
            Name::Script => {
                self.read_integrity(token, first);
                if self.has(Attribute::Src) {
                    self.read_request_mode(token, first);
                }
            }
            Name::Img => {
                self.read_alt("img", range);
                self.read_srcset(Attribute::Srcset);
            }
            Name::Style => self.read_media(token),
            Name::Iframe => self.read_sandbox(token),
            Name::Track => self.read_captions(),
            Name::Embed | Name::Object | Name::Video | Name::Audio => self.read_fallback(token, first),
            Name::Source => {
                self.read_media(token);
                self.read_srcset(Attribute::Srcset);
                self.read_ignored_src(range);
            }
            Name::Input if self.is_word(Attribute::Type, "image") => self.read_alt("input", range),
            Name::Area => {
                if self.has(Attribute::Href) {
                    self.read_alt("area", range);
                }
                self.read_target(range, first);
            }
            Name::A => self.read_target(range, first),
            _ => {}
        }
    }

    fn read_html(&mut self, range: &Range<usize>) {
        if self.is_document() && self.page.facts.metadata.html.is_none() {
            self.page.facts.metadata.html = Some(self.span(range));
            self.page.facts.metadata.has_lang =
                self.is_filled(Attribute::Lang) || self.is_filled(Attribute::XmlLang);
            let lang = self.text_of(Attribute::Lang).map(|lang| lang.trim().to_owned());
            if let Some(lang) = lang.filter(|lang| !lang.is_empty())
                && let Some(error) = element_fault(&lang)
            {
                let value = self.range_of(Attribute::Lang).unwrap_or(range.clone());
                self.push_note(NoteKind::WrongLanguage(lang.into_boxed_str(), error), &value);
            }
        }
    }

    /// Reads the title of the page, not of an SVG in it.
    fn read_title(&mut self, token: &ReadTag) {
        let Some(content) = token.raw.as_ref().filter(|_| self.is_document()) else { return };
        let Some(first) = self.page.title.clone() else {
            self.page.title = Some(self.span(content));
            return;
        };
        let second = self.text[content.clone()].trim_ascii();
        let is_other = self.text[first.start as usize..first.end as usize].trim_ascii() != second;
        if is_other && !second.is_empty() && !self.is_in_body {
            let second = NoteKind::IgnoredValue(IgnoredValue::SecondTitle, lossy(second).into_owned());
            self.push_note(second, content);
        }
    }

    fn read_meta(&mut self, range: &Range<usize>) {
        if !self.is_document() {
            return;
        }
        let content = self.range_of(Attribute::Content).unwrap_or(0..0);
        let declares = self.is_filled(Attribute::Charset)
            || (self.is_word(Attribute::HttpEquiv, "content-type")
                && charset_of_content_type(&self.text[content.clone()]).is_some());
        if declares && self.page.facts.metadata.charset_end.is_none() {
            self.note_unknown_encoding();
            let end = self.span(range).end;
            self.page.facts.metadata.charset_end = Some(end);
            self.page.facts.metadata.charset_is_late =
                end > CHARSET_LIMIT && !self.text[..range.start].is_ascii();
        }
        // Search engines read this metadata in the head only.
        let is_in_head = !self.is_in_body;
        if is_in_head && self.is_word(Attribute::Name, "description") {
            self.page.facts.metadata.has_description |= self.is_filled(Attribute::Content);
            if let Some(left) = left_in(&self.decoded(&content)) {
                self.push_note(NoteKind::Leftover("description", left.to_owned()), &content);
            }
        } else if let Some(name) = self.social_name() {
            let text = self.decoded(&content);
            if name == CARD {
                let card = text.trim().to_ascii_lowercase();
                if !card.is_empty() && !CARDS.contains(&&*card) {
                    self.push_note(NoteKind::IgnoredValue(IgnoredValue::SocialCard, card), &content);
                }
            } else if let Some(left) = left_in(&text) {
                self.push_note(NoteKind::Leftover(name, left.to_owned()), &content);
            }
        } else if is_in_head
            && (self.is_word(Attribute::Name, "robots") || self.is_word(Attribute::Name, "googlebot"))
        {
            let directives = lossy(&self.text[content.clone()]).to_ascii_lowercase();
            if forbids_indexing(&directives) {
                let span = self.span(range);
                self.page.facts.metadata.noindex.get_or_insert(span);
            } else if let Some((word, meant)) = misspelled_robots(&directives) {
                self.push_note(NoteKind::MisspelledRobots(word.to_owned(), meant), &content);
            }
        }
        if self.is_word(Attribute::Name, "referrer") {
            self.read_referrer(&content);
        }
        if self.has(Attribute::HttpEquiv) {
            self.read_ignored_policy(&content);
        }
    }

    /// Notes a declared encoding that no browser knows.
    fn note_unknown_encoding(&mut self) {
        let Some(label) = self.text_of(Attribute::Charset).map(|label| label.trim().to_owned()) else {
            return;
        };
        if encoding_rs::Encoding::for_label(label.as_bytes()).is_none() && !label.is_empty() {
            let range = self.range_of(Attribute::Charset).unwrap_or(0..0);
            self.push_note(NoteKind::IgnoredValue(IgnoredValue::Encoding, label), &range);
        }
    }

    /// Notes that the property whose reference was just added has no URL, a relative one, or that of an SVG image.
    pub(super) fn note_property(&mut self, kind: ReferenceKind) {
        if !kind.is_property() {
            return;
        }
        let is_page_url = |name: Cow<'_, str>| name.trim().eq_ignore_ascii_case("og:url");
        if kind == ReferenceKind::MetaUrl && self.property().is_some_and(is_page_url) {
            self.page.facts.metadata.social_url = self.page.facts.references.len().checked_sub(1);
        }
        let is_image = matches!(kind, ReferenceKind::MetaOgImage | ReferenceKind::MetaTwitterImage);
        if is_image && self.page.facts.metadata.social_image.is_none() {
            self.page.facts.metadata.social_image = self.page.facts.references.len().checked_sub(1);
        }
        let written = self.text_of(Attribute::Content);
        let written = written.as_deref().unwrap_or_default();
        let content = written.trim();
        let mut notes: Vec<fn(String) -> NoteKind> = Vec::new();
        if written.len() != content.len() && !content.is_empty() {
            notes.push(|name| NoteKind::IgnoredValue(IgnoredValue::SpacedUrl, name));
        }
        if content.is_empty() {
            notes.push(NoteKind::EmptyProperty);
        } else if is_relative(content) {
            notes.push(NoteKind::RelativeProperty);
        }
        if is_image && has_extension(content, "svg") {
            notes.push(NoteKind::SvgProperty);
        }
        if notes.is_empty() {
            return;
        }
        if let Some(name) = self.property().map(|name| name.trim().to_ascii_lowercase())
            && let Some(reference) = self.page.facts.references.last()
        {
            let span = reference.span.clone();
            for note in notes {
                self.page.facts.note(note(name.clone()), span.clone());
            }
        }
    }

    /// Returns which of the properties for social networks this is.
    fn social_name(&self) -> Option<&'static str> {
        let name = self.property()?;
        SOCIAL_NAMES.into_iter().find(|known| name.trim().eq_ignore_ascii_case(known))
    }

    /// Returns the name of a property or of metadata.
    fn property(&self) -> Option<Cow<'_, str>> {
        self.text_of(Attribute::Property).or_else(|| self.text_of(Attribute::Name))
    }

    /// Notes what browsers ignore in a policy, because a `meta` element has it.
    fn read_ignored_policy(&mut self, content: &Range<usize>) {
        let name = self.text_of(Attribute::HttpEquiv).unwrap_or_default().trim().to_ascii_lowercase();
        let ignored = if name == "content-security-policy" {
            let written = self.decoded(content);
            for part in ignored_parts(&written) {
                self.push_note(NoteKind::PolicyPart(part), content);
            }
            let text = written.to_ascii_lowercase();
            let directives =
                text.split(';').filter_map(|directive| directive.split_ascii_whitespace().next());
            let ignored = directives.filter(|directive| IGNORED_DIRECTIVES.contains(directive));
            let ignored: Vec<String> = ignored.map(|directive| format!("`{directive}`")).collect();
            ignored.join(", ")
        } else {
            let header = HEADERS_ONLY.into_iter().find(|known| known.eq_ignore_ascii_case(&name));
            header.map_or_else(String::new, |header| format!("`{header}`"))
        };
        if !ignored.is_empty() {
            self.push_note(NoteKind::IgnoredPolicy(ignored), content);
        }
    }

    /// Notes an attribute that screen readers read, and that is the text of a missing value.
    pub(super) fn note_missing_value(&mut self, place: &'static str, value: Option<Range<usize>>) {
        let Some(value) = value.filter(|_| self.is_main_document()) else { return };
        let left = missing_value(&decode_references(&lossy(&self.text[value.clone()]))).map(str::to_owned);
        if let Some(left) = left {
            self.push_note(NoteKind::Leftover(place, left), &value);
        }
    }

    fn read_alt(&mut self, element: &'static str, range: &Range<usize>) {
        self.note_missing_value("`alt`", self.range_of(Attribute::Alt));
        let has_text = match element {
            // An empty text would leave a control without a name.
            "input" => self.is_filled(Attribute::Alt),
            _ => self.has(Attribute::Alt),
        };
        let named = self.is_filled(Attribute::AriaLabel) || self.is_filled(Attribute::AriaLabelledby);
        let hidden = self.is_word(Attribute::AriaHidden, "true")
            || self.has_word(Attribute::Role, "presentation")
            || self.has_word(Attribute::Role, "none");
        if !has_text && !named && !hidden {
            self.push_note(NoteKind::NoAlt(element), range);
        }
    }

    fn read_srcset(&mut self, name: Attribute) {
        let Some(range) = self.range_of(name) else { return };
        if let Some(problem) = srcset::find_problem(&self.decoded(&range)) {
            self.push_note(NoteKind::Srcset(problem), &range);
        }
    }

    /// Reads a `src` that has no effect, because the parent takes images by `srcset` only.
    fn read_ignored_src(&mut self, range: &Range<usize>) {
        if self.has(Attribute::Src)
            && !self.has(Attribute::Srcset)
            && takes_srcset_only(&self.text[..range.start])
        {
            let problem = "browsers ignore `src` of a `<source>` in `<picture>`: write `srcset`".to_owned();
            self.push_note(NoteKind::Srcset(problem), range);
        }
    }

    fn read_target(&mut self, range: &Range<usize>, first: usize) {
        let safe =
            || self.has_word(Attribute::Rel, "noopener") || self.has_word(Attribute::Rel, "noreferrer");
        let has_address = self.has(Attribute::Href) || self.has(Attribute::XlinkHref);
        if has_address && self.is_word(Attribute::Target, "_blank") && !safe() {
            self.push_note(NoteKind::OpensWindow(first), range);
        }
    }
}

/// The properties whose text social networks show, and the kind of card (ogp.me; X, "Cards markup").
const SOCIAL_NAMES: [&str; 14] = [
    "og:title",
    "og:description",
    "og:site_name",
    "og:image:alt",
    "twitter:title",
    "twitter:description",
    "twitter:image:alt",
    "twitter:site",
    "twitter:creator",
    "twitter:label1",
    "twitter:data1",
    "twitter:label2",
    "twitter:data2",
    CARD,
];

const CARD: &str = "twitter:card";

/// The directives that a policy in a `meta` element loses (HTML, 4.2.5.3, "Content security policy state").
const IGNORED_DIRECTIVES: [&str; 3] = ["frame-ancestors", "report-uri", "sandbox"];

/// Headers that protect a site and that browsers ignore in `http-equiv` (HTML, 4.2.5.3, has the list of those they read).
const HEADERS_ONLY: [&str; 6] = [
    "Content-Security-Policy-Report-Only",
    "Permissions-Policy",
    "Referrer-Policy",
    "Strict-Transport-Security",
    "X-Content-Type-Options",
    "X-Frame-Options",
];

/// The kinds of cards of X, and those that it shows as a summary ("Cards markup").
const CARDS: [&str; 7] = ["app", "gallery", "photo", "player", "product", "summary", "summary_large_image"];

/// The words of `<meta name="robots">` that hide something (Google, "Robots meta tag").
const HIDING_ROBOTS: [&str; 5] = ["noindex", "nofollow", "noarchive", "nosnippet", "noimageindex"];

/// Returns the first word that was meant to hide the page, such as `no-index`, and the word that does. `content` is in
/// lower case.
fn misspelled_robots(content: &str) -> Option<(&str, &'static str)> {
    content.split(',').map(str::trim).find_map(|word| {
        let letters: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
        let meant = HIDING_ROBOTS.into_iter().find(|known| *known == letters && *known != word)?;
        Some((word, meant))
    })
}

/// Number of bytes before a source in which its parent begins. Chosen: sources are the first children.
const MAX_BEFORE_SOURCE: usize = 4096;

/// Whether the parent of a source takes a `srcset` only: the last element before it that may be its parent.
fn takes_srcset_only(before: &[u8]) -> bool {
    let before = &before[before.len().saturating_sub(MAX_BEFORE_SOURCE)..];
    let last = |tag: &[u8]| memchr::memmem::rfind(before, tag);
    let own = last(b"<picture");
    own.is_some() && own > last(b"<video").max(last(b"<audio")).max(last(b"</picture"))
}
