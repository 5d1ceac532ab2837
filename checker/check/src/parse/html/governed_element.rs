//! Reads the requests and the inline code of one element, for [`mod@super::governed`].

use std::borrow::Cow;
use std::ops::Range;

use super::script_type::ScriptType;
use crate::csp::{HandlerOwner, Inline};
use crate::parse::html_text::decode_references;
use sitegate_address::{SitePath, UrlReference};
use sitegate_html::attribute_name::Attribute;
use sitegate_html::attributes::attributes;
use sitegate_html::element::{Name, Namespace};
use sitegate_html::element_table::{URL_ATTRIBUTES, rows_of};
use sitegate_html::nesting::NestedElement;
use sitegate_html::srcset;
use sitegate_html::tag_reader::WrittenAttribute;
use sitegate_html::tokenizer::name_end;
use sitegate_html::url_attribute::{Condition, Effect, RequestKind, Scope, UrlAttribute, UrlSyntax};
use sitegate_script::Goal;

/// Something that a policy governs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Governed<'t> {
    /// A policy in the head. It governs what follows.
    Policy(Cow<'t, str>),
    /// The URL of a base element.
    Base(Cow<'t, str>),
    /// Inline code, and the nonce of its element.
    Inline(Inline, Cow<'t, str>, Option<Cow<'t, str>>),
    /// A request.
    Request(GovernedRequest<'t>),
    /// The beginning of a `srcdoc`, which inherits the policies.
    NestedStart,
    /// The end of a `srcdoc`.
    NestedEnd,
}

/// A request of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GovernedRequest<'t> {
    /// Its kind.
    pub kind: RequestKind,
    /// Its URL as written.
    pub url: Cow<'t, str>,
    /// The nonce of the element.
    pub nonce: Option<Cow<'t, str>>,
    /// The `integrity` of the element.
    pub integrity: Option<Cow<'t, str>>,
}

/// An element, by its start tag.
pub(super) struct GovernedElement<'a, 't> {
    text: &'t [u8],
    element: &'a NestedElement,
    attributes: &'a [WrittenAttribute],
}

/// Returns a text as browsers see it: decoded, with normalized newlines.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    let text = if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text };
    if text.contains('\0') { text.replace('\0', "\u{fffd}").into() } else { text }
}

/// Receives what the element has, with locations.
type Visit<'v, 't> = dyn FnMut(Governed<'t>, Range<usize>) + 'v;

impl<'a, 't> GovernedElement<'a, 't> {
    pub fn new(text: &'t [u8], element: &'a NestedElement, attributes: &'a [WrittenAttribute]) -> Self {
        GovernedElement { text, element, attributes }
    }

    pub fn name(&self) -> Name {
        self.element.name
    }

    pub fn attributes(&self) -> &[WrittenAttribute] {
        self.attributes
    }

    pub fn has(&self, name: Attribute) -> bool {
        self.find(name).is_some()
    }

    fn find(&self, name: Attribute) -> Option<&WrittenAttribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// Returns the kind of element by its event handlers.
    pub fn handler_owner(&self) -> HandlerOwner {
        match self.element.namespace {
            Namespace::Html if matches!(self.name(), Name::Body | Name::Frameset) => HandlerOwner::Body,
            Namespace::Svg => HandlerOwner::Svg,
            _ => HandlerOwner::Other,
        }
    }

    /// Returns the location of an attribute's value, or of its name if it has none, or of the tag.
    pub fn range_of(&self, name: Attribute) -> Range<usize> {
        let Some(attribute) = self.find(name) else { return self.element.tag.clone() };
        attribute.value.clone().filter(|value| !value.is_empty()).unwrap_or(attribute.name_range.clone())
    }

    /// Returns the decoded value of an attribute.
    pub fn text_of(&self, attribute: &WrittenAttribute) -> Cow<'t, str> {
        let text = attribute.value.clone().map_or(Cow::Borrowed(""), |range| self.decode(range));
        if text.contains('&') { decode_references(&text).into_owned().into() } else { text }
    }

    pub fn value(&self, name: Attribute) -> Option<Cow<'t, str>> {
        self.find(name).map(|attribute| self.text_of(attribute))
    }

    /// Returns the value of an attribute that the parser does not know, by its name in lower case.
    pub fn other(&self, name: &str) -> Option<Cow<'t, str>> {
        let is_named = |attribute: &&WrittenAttribute| {
            self.text[attribute.name_range.clone()].eq_ignore_ascii_case(name.as_bytes())
        };
        self.attributes.iter().find(is_named).map(|attribute| self.text_of(attribute))
    }

    fn decode(&self, range: Range<usize>) -> Cow<'t, str> {
        decode(&self.text[range])
    }

    /// Returns its nonce. Dangling markup and repeated attributes make browsers ignore it (CSP 3, 6.7.3.1).
    fn nonce(&self) -> Option<Cow<'t, str>> {
        let nonce = self.other("nonce").filter(|nonce| !nonce.is_empty())?;
        // `attributes` has only the first of several.
        let written = attributes(self.text, name_end(self.text, &self.element.tag));
        let mut names: Vec<_> = written.map(|own| self.text[own.name].to_ascii_lowercase()).collect();
        names.sort();
        let is_repeated = names.windows(2).any(|pair| pair[0] == pair[1]);
        let is_dangling = |attribute: &WrittenAttribute| {
            let value = attribute.value.clone().map_or(&b""[..], |range| &self.text[range]);
            [&self.text[attribute.name_range.clone()], value].into_iter().any(|text| {
                let text = text.to_ascii_lowercase();
                [&b"<script"[..], b"<style"].iter().any(|tag| memchr::memmem::find(&text, tag).is_some())
            })
        };
        let is_script = matches!(self.name(), Name::Script | Name::Style);
        let is_ignored = is_script && (is_repeated || self.attributes.iter().any(is_dangling));
        (!is_ignored).then_some(nonce)
    }

    /// Returns the document in its `srcdoc`.
    pub fn nested_document(&self) -> Option<Cow<'t, str>> {
        if self.name() == Name::Iframe { self.value(Attribute::Srcdoc) } else { None }
    }

    /// Calls `visit` with its requests and its inline code, apart from styles and event handlers in attributes. Code in
    /// its content is empty, as only the start tag is read.
    pub fn each(&self, visit: &mut Visit<'_, 't>) {
        if self.name() == Name::Style {
            visit(Governed::Inline(Inline::Style, "".into(), self.nonce()), self.element.tag.clone());
        }
        for row in rows_of(self.name()) {
            let row = &URL_ATTRIBUTES[row];
            if row.is_in(self.element.namespace) {
                self.row(row, visit);
            }
        }
    }

    /// Reads an attribute with URLs.
    fn row(&self, row: &UrlAttribute, visit: &mut Visit<'_, 't>) {
        let is_word = |name: Attribute, word: &str| {
            self.value(name).is_some_and(|value| value.trim().eq_ignore_ascii_case(word))
        };
        // SVG reads `href` first.
        let is_legacy = row.scope == Scope::Svg && !self.has(row.attribute);
        let name = if is_legacy { Attribute::XlinkHref } else { row.attribute };
        let is_skipped = match row.condition {
            Condition::ScriptElement => return self.script(name, visit),
            Condition::LinkRel => return self.link(visit),
            Condition::DefaultTrack => self.other("default").is_none(),
            Condition::ImageInput => !is_word(Attribute::Type, "image"),
            Condition::WithoutSrcdoc => self.has(Attribute::Srcdoc),
            Condition::FormMethod => name == Attribute::Action && is_word(Attribute::Method, "dialog"),
            _ => false,
        };
        if is_skipped {
            return;
        }
        match row.effect {
            Effect::Load(_) if row.syntax == UrlSyntax::Srcset => self.candidates(name, visit),
            Effect::Load(RequestKind::Frame) if self.navigation(name, visit) => {}
            Effect::Load(RequestKind::Object(_)) => {
                self.request(RequestKind::Object(self.may_be_document(name)), name, visit);
            }
            Effect::Load(kind) => self.request(kind, name, visit),
            Effect::Navigate => drop(self.navigation(name, visit)),
            Effect::Ping => self.pings(visit),
            Effect::Submit => self.form(name, visit),
            Effect::Base => self.base(visit),
            Effect::Defer | Effect::Depends | Effect::Describe | Effect::LoadByScript | Effect::Request => {}
        }
    }

    /// Adds the request of an attribute. An empty URL is not requested.
    fn request(&self, kind: RequestKind, name: Attribute, visit: &mut Visit<'_, 't>) {
        if let Some(url) = self.value(name).filter(|url| !url.trim().is_empty()) {
            self.request_of(kind, url, self.range_of(name), visit);
        }
    }

    fn request_of(
        &self,
        kind: RequestKind,
        url: Cow<'t, str>,
        range: Range<usize>,
        visit: &mut Visit<'_, 't>,
    ) {
        let (nonce, integrity) = (self.nonce(), self.value(Attribute::Integrity));
        visit(Governed::Request(GovernedRequest { kind, url, nonce, integrity }), range);
    }

    fn candidates(&self, name: Attribute, visit: &mut Visit<'_, 't>) {
        let Some(value) = self.value(name) else { return };
        for url in srcset::urls(&value) {
            self.request_of(RequestKind::Image, value[url].to_owned().into(), self.range_of(name), visit);
        }
    }

    fn script(&self, src: Attribute, visit: &mut Visit<'_, 't>) {
        let language = self.other("language").filter(|language| !language.is_empty());
        let written = match (self.value(Attribute::Type), language) {
            (None, Some(language)) => Some(Cow::Owned(format!("text/{language}"))),
            (written, _) => written,
        };
        let kind = ScriptType::of(written.as_deref());
        let is_classic = kind == ScriptType::Run(Goal::Script);
        if is_classic && src == Attribute::Src && self.other("nomodule").is_some() {
            return;
        }
        let inline = match kind {
            ScriptType::Run(_) if self.has(src) => {
                return self.request(RequestKind::Script, src, visit);
            }
            ScriptType::Run(_) | ScriptType::ImportMap => Inline::Script,
            ScriptType::SpeculationRules => Inline::SpeculationRules,
            ScriptType::JsonLd | ScriptType::MaterialConfig | ScriptType::Data => return,
        };
        if !self.has(src) {
            visit(Governed::Inline(inline, "".into(), self.nonce()), self.element.tag.clone());
        }
    }

    /// Adds the base URL, unless browsers ignore it.
    fn base(&self, visit: &mut Visit<'_, 't>) {
        if let Some(url) = self.value(Attribute::Href).filter(|url| !url.trim().is_empty()) {
            visit(Governed::Base(url), self.range_of(Attribute::Href));
        }
    }

    /// Adds the pings of a link.
    fn pings(&self, visit: &mut Visit<'_, 't>) {
        if !self.has(Attribute::Href) && !self.has(Attribute::XlinkHref) {
            return;
        }
        for ping in self.value(Attribute::Ping).unwrap_or_default().split_ascii_whitespace() {
            let range = self.range_of(Attribute::Ping);
            self.request_of(RequestKind::Connect, ping.to_owned().into(), range, visit);
        }
    }

    /// Adds a `javascript:` URL. Returns whether it is one.
    fn navigation(&self, name: Attribute, visit: &mut Visit<'_, 't>) -> bool {
        let Some(url) = self.value(name) else { return false };
        let url = url.trim_start_matches(|character: char| character <= ' ');
        // `url` also removes tabs and newlines in the scheme.
        let Some(parsed) = url::Url::parse(url).ok().filter(|url| url.scheme() == "javascript") else {
            return false;
        };
        let code = sitegate_address::percent::decode_lossy(parsed.as_str()).into_owned();
        visit(Governed::Inline(Inline::Navigation, code.into(), None), self.range_of(name));
        true
    }

    /// Adds the URL that a form is sent to. An empty one is that of the document. A form without the attribute is sent
    /// there, too, unless a script handles it, which most of them have.
    fn form(&self, name: Attribute, visit: &mut Visit<'_, 't>) {
        if let Some(url) = self.value(name) {
            self.request_of(RequestKind::Form, url, self.range_of(name), visit);
        }
    }

    /// Whether a plug-in element may show a document, by its type or the extension of its URL.
    fn may_be_document(&self, name: Attribute) -> bool {
        if let Some(written) = self.value(Attribute::Type).filter(|written| !written.is_empty()) {
            return written.contains("html") || written.contains("svg");
        }
        let url = self.value(name).unwrap_or_default();
        let extension = SitePath::new(UrlReference::new(&*url).path()).extension().unwrap_or_default();
        extension.is_empty() || extension.starts_with("htm") || matches!(extension, "svg" | "xhtml")
    }

    fn link(&self, visit: &mut Visit<'_, 't>) {
        use RequestKind as Kind;
        let rel = self.value(Attribute::Rel).unwrap_or_default().to_ascii_lowercase();
        let has = |word: &str| rel.split_ascii_whitespace().any(|token| token == word);
        let lower = |name: Attribute| self.value(name).unwrap_or_default().trim().to_ascii_lowercase();
        let kind = lower(Attribute::Type);
        let wanted = lower(Attribute::As);
        let is_other_medium = self.other("media").is_some_and(|media| {
            let media = media.trim();
            media.eq_ignore_ascii_case("not all") || media.eq_ignore_ascii_case("print")
        });
        if has("stylesheet") && (kind.is_empty() || kind == "text/css") && self.other("disabled").is_none() {
            self.request(Kind::StyleSheet, Attribute::Href, visit);
        }
        if has("icon") || has("apple-touch-icon") || has("apple-touch-icon-precomposed") {
            self.request(Kind::Image, Attribute::Href, visit);
        }
        if has("manifest") {
            self.request(Kind::Manifest, Attribute::Href, visit);
        }
        if has("prefetch") {
            self.request(Kind::Prefetch, Attribute::Href, visit);
        }
        if is_other_medium {
            return;
        }
        if has("modulepreload") {
            match wanted.as_str() {
                "style" => self.request(Kind::StylePreload, Attribute::Href, visit),
                "" | "script" => self.request(Kind::ScriptPreload(true), Attribute::Href, visit),
                _ => {}
            }
        }
        if has("preload") {
            let preloaded = match wanted.as_str() {
                "script" => Kind::ScriptPreload(false),
                "style" => Kind::StylePreload,
                "font" => Kind::Font,
                "fetch" => Kind::Connect,
                "track" => Kind::Media,
                "image" if self.has(Attribute::Imagesrcset) => {
                    return self.candidates(Attribute::Imagesrcset, visit);
                }
                "image" => Kind::Image,
                _ => return,
            };
            self.request(preloaded, Attribute::Href, visit);
        }
    }
}
