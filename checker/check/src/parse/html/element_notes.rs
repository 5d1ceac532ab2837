//! Collects metadata of the page (title, language, encoding), and elements that rules may report, such as preloads.

use std::borrow::Cow;
use std::ops::Range;

use super::{Builder, Origin, ReadTag, lossy};
use crate::csp::ignored_parts;
use crate::parse::declared_encoding::charset_of_content_type;
use crate::parse::html_text::decode_references;
use crate::parse::leftover_values::{is_missing_value, leftover_value, markup_in};
use crate::parse::page_metadata::{CHARSET_LIMIT, ElementNote, IgnoredValue, NoteKind, RequestMode};
use crate::parse::reference_kind::ReferenceKind;
use crate::parse::{is_relative, srcset_descriptors};
use sitegate_address::{SitePath, UrlReference};
use sitegate_base::language_tag::element_fault;
use sitegate_html::attribute_name::Attribute;
use sitegate_html::attributes::attribute_value;
use sitegate_html::element::Name;
use sitegate_html::refresh::{self, Refresh};

impl Builder<'_, '_> {
    /// Reads one element. Its references begin at index `first`.
    pub(super) fn add_notes(&mut self, token: &ReadTag, first: usize) {
        let range = &token.range;
        match token.name {
            Name::Html => self.read_html(range),
            Name::Title => self.read_title(token),
            Name::Meta => self.read_meta(range, first),
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

    /// Whether this is the page itself, not `noscript` or `srcdoc`.
    fn is_document(&self) -> bool {
        matches!(self.origin, Origin::Source(0))
    }

    /// Whether an attribute is exactly this word, in any case.
    pub(super) fn is_word(&self, name: Attribute, word: &str) -> bool {
        self.text_of(name).is_some_and(|text| text.trim().eq_ignore_ascii_case(word))
    }

    /// Whether an attribute contains this word, in any case.
    pub(super) fn has_word(&self, name: Attribute, word: &str) -> bool {
        self.text_of(name)
            .is_some_and(|text| text.split_ascii_whitespace().any(|w| w.eq_ignore_ascii_case(word)))
    }

    fn is_filled(&self, name: Attribute) -> bool {
        self.text_of(name).is_some_and(|text| !text.trim().is_empty())
    }

    pub(super) fn push_note(&mut self, kind: NoteKind, range: &Range<usize>) {
        let span = self.span(range);
        self.page.facts.metadata.notes.push(ElementNote { kind, span });
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

    fn read_meta(&mut self, range: &Range<usize>, first: usize) {
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
            let text = decode_references(&lossy(&self.text[content.clone()])).into_owned();
            let whole = Some(text.trim()).filter(|text| is_missing_value(text));
            let left = whole.or_else(|| leftover_value(&text).map(|(_, left)| left));
            if let Some(left) = left.or_else(|| markup_in(&text)) {
                self.push_note(NoteKind::Leftover("description", left.to_owned()), &content);
            }
        } else if let Some(name) = self.social_name() {
            let text = decode_references(&lossy(&self.text[content.clone()])).into_owned();
            if name == CARD {
                let card = text.trim().to_ascii_lowercase();
                if !card.is_empty() && !CARDS.contains(&&*card) {
                    self.push_note(NoteKind::IgnoredValue(IgnoredValue::SocialCard, card), &content);
                }
            } else if let Some(left) = markup_in(&text) {
                self.push_note(NoteKind::Leftover(name, left.to_owned()), &content);
            }
        } else if is_in_head
            && (self.is_word(Attribute::Name, "robots") || self.is_word(Attribute::Name, "googlebot"))
        {
            let directives = lossy(&self.text[content.clone()]).to_ascii_lowercase();
            let mut words = directives.split([',', ' ']).map(str::trim);
            if words.any(|word| matches!(word, "noindex" | "none")) {
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
        if self.is_word(Attribute::HttpEquiv, "refresh") {
            let has_target = self.page.facts.references.get(first).is_some_and(|to| to.value.is_some());
            let text = decode_references(&lossy(&self.text[content])).into_owned();
            let is_immediate = refresh::is_immediate(&text);
            if is_immediate && refresh::parse(&text) == Refresh::Reload {
                let span = self.span(range);
                self.page.facts.metadata.reloads.get_or_insert(span);
            }
            self.page.facts.metadata.refreshes |= has_target;
            self.page.facts.metadata.refreshes_at_once |= has_target && is_immediate;
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
        if is_image
            && SitePath::new(UrlReference::new(content).path())
                .extension()
                .is_some_and(|end| end.eq_ignore_ascii_case("svg"))
        {
            notes.push(NoteKind::SvgProperty);
        }
        if notes.is_empty() {
            return;
        }
        if let Some(name) = self.property().map(|name| name.trim().to_ascii_lowercase())
            && let Some(reference) = self.page.facts.references.last()
        {
            let span = reference.span.clone();
            let notes =
                notes.into_iter().map(|note| ElementNote { kind: note(name.clone()), span: span.clone() });
            self.page.facts.metadata.notes.extend(notes);
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

    /// Reads a media query that browsers cannot parse: a condition without parentheses, or `and(`, which is a function. It
    /// matches nothing, so that the style or the image is never used (Media Queries 4, 3.2).
    fn read_media(&mut self, token: &ReadTag) {
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
    fn read_early_connection(&mut self) {
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

    /// Notes what browsers ignore in a policy, because a `meta` element has it.
    fn read_ignored_policy(&mut self, content: &Range<usize>) {
        let name = self.text_of(Attribute::HttpEquiv).unwrap_or_default().trim().to_ascii_lowercase();
        let ignored = if name == "content-security-policy" {
            let written = decode_references(&lossy(&self.text[content.clone()])).into_owned();
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

    fn read_link(&mut self, token: &ReadTag, first: usize) {
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

    fn read_integrity(&mut self, token: &ReadTag, first: usize) {
        let address = if self.has(Attribute::Src) { Attribute::Src } else { Attribute::Href };
        if self.has(address)
            && let Some(range) = self.range_of(Attribute::Integrity)
        {
            let text = decode_references(&lossy(&self.text[range.clone()])).into_owned();
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

    fn read_alt(&mut self, element: &'static str, range: &Range<usize>) {
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
        let text = lossy(&self.text[range.clone()]);
        if let Some(problem) = srcset_descriptors::find_problem(&decode_references(&text)) {
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
const SOCIAL_NAMES: [&str; 5] = ["og:title", "og:description", "twitter:title", "twitter:description", CARD];

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

/// Whether a word of `rel` was meant as `alternate`, such as `alternative` (hexojs/site#2159).
fn is_misspelled_alternate(word: &str) -> bool {
    word.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("alt"))
        && !word.eq_ignore_ascii_case("alternate")
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

impl Builder<'_, '_> {
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
    fn read_request_mode(&mut self, token: &ReadTag, first: usize) {
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
