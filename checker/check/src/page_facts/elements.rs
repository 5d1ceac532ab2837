//! Reads the elements of a page: its scripts, the files that it loads, its metadata, and the attributes of the others.

use std::borrow::Cow;
use std::ops::Range;

use sitegate_html::attribute_name::Attribute;
use sitegate_html::element::{Name, Namespace};
use sitegate_html::element_table::{URL_ATTRIBUTES, rows_of};
use sitegate_html::srcset;
use sitegate_html::tag_reader::{ReadTag, WrittenAttribute};
use sitegate_html::url_attribute::UrlSyntax;
use sitegate_review::{ScriptFacts, is_date};

use super::assets::digest;
use super::attributes::{has_urls, is_left_out, value_id};
use super::markup::{BlockKind, visible_spaces};
use super::pass::{Pass, find_written};
use crate::csp::{Inline, Policy};
use crate::parse::{ScriptType, decode_references};

/// Number of bytes of an inline script to show.
const SCRIPT_START: usize = 120;

impl Pass<'_> {
    /// Stores the attributes that are compared. `is_known` is whether the element is metadata, which is stored.
    pub fn attributes(&mut self, token: &ReadTag, attributes: &[WrittenAttribute], is_known: bool) {
        let element = &self.text[token.name_range.clone()];
        let is_html = token.namespace == Namespace::Html;
        let mut place = None;
        let start = self.state.attributes.len();
        self.names.clear();
        for own in attributes {
            let name = &self.text[own.name_range.clone()];
            let range = own.value.clone().unwrap_or(own.name_range.end..own.name_range.end);
            let written = self.source.get(range.clone()).unwrap_or("");
            let is_anchor =
                own.name == Attribute::Id && is_html || own.name == Attribute::Name && token.name == Name::A;
            if is_anchor {
                let id = self.texts.intern(&decode_references(written));
                self.state.anchors.push((id, self.next_text()));
                continue;
            }
            // Other elements need no nonce, and what is no Base64 could be a message.
            let takes_nonce = matches!(token.name, Name::Script | Name::Style | Name::Link);
            let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_=".contains(&byte);
            let is_nonce =
                name.eq_ignore_ascii_case(b"nonce") && takes_nonce && written.bytes().all(is_base64);
            if !is_nonce && is_left_out(name, !written.is_empty(), is_html) {
                continue;
            }
            let mut value = decode_references(written);
            if is_nonce {
                self.state.noise.add_nonce(range, written);
                let mut policies = self.state.policies.iter().filter(|policy| policy.has_nonce()).peekable();
                if policies.peek().is_none() {
                    continue;
                }
                let is_allowed = policies.all(|policy| policy.allows_nonce(written));
                value = Cow::Borrowed(if is_allowed { "the policy's" } else { "not the policy's" });
            } else if name.eq_ignore_ascii_case(b"datetime")
                && element.eq_ignore_ascii_case(b"time")
                && is_date(&value)
            {
                self.state.noise.replace(range, String::new());
            } else if has_urls(name, own.name) {
                value = self.stable_url(value, range);
            }
            if is_known || token.name == Name::Html && own.name == Attribute::Lang {
                continue;
            }
            let is_head = matches!(
                token.name,
                Name::Html | Name::Meta | Name::Link | Name::Base | Name::Script | Name::Style
            );
            let place = *place.get_or_insert_with(|| {
                if is_head { self.texts.intern("") } else { self.state.places.name(self.labels, self.texts) }
            });
            let shown = self.labels.attribute(element, name, self.texts);
            // Their order in a tag does not matter.
            let lower = |of: &Range<usize>| self.text[of.clone()].iter().map(u8::to_ascii_lowercase);
            let is_before = |other: &Range<usize>| lower(other).le(lower(&own.name_range));
            let at = self.names.iter().rposition(is_before).map_or(0, |before| before + 1);
            self.names.insert(at, own.name_range.clone());
            self.state.attributes.insert(start + at, (place, shown, value_id(&value, self.texts)));
        }
    }

    /// Returns the index of the next text. In preformatted text, anchors are numbers of lines, which any change moves.
    fn next_text(&self) -> u32 {
        let is_line = self.state.places.kind() == BlockKind::Preformatted;
        if is_line { u32::MAX } else { self.state.blocks.len() as u32 }
    }

    /// Returns the value of an attribute with URLs: without the base path, and without hashes in names of files.
    fn stable_url<'v>(&mut self, value: Cow<'v, str>, range: Range<usize>) -> Cow<'v, str> {
        let base = self.context.base_path;
        let below = if base == "/" { None } else { value.strip_prefix(base) };
        let below = below.map(|below| format!("/{below}"));
        let noise = &mut self.state.noise;
        let stable = below.as_deref().unwrap_or(&value);
        let masked = match self.context.names.mask(stable, |name| noise.add_name(name)) {
            Cow::Owned(masked) => Some(masked),
            Cow::Borrowed(_) => below.clone(),
        };
        match masked {
            Some(masked) => {
                noise.replace(range, masked.clone());
                Cow::Owned(masked)
            }
            None => value,
        }
    }

    /// Stores the content of an element that is not markup: `style`, `noscript`, `textarea`, data in scripts.
    pub fn raw_content(&mut self, token: &ReadTag, attributes: &[WrittenAttribute]) {
        let Some(raw) = token.raw.clone() else { return };
        let content = self.source.get(raw.clone()).unwrap_or("");
        if content.trim_ascii().is_empty() {
            return;
        }
        if matches!(token.name, Name::Script | Name::Style) {
            let noise = &mut self.state.noise;
            if let Cow::Owned(masked) = self.context.names.mask(content, |name| noise.add_name(name)) {
                noise.replace(raw, masked);
            }
        }
        match token.name {
            Name::Title => {}
            Name::Script => {
                let script_type = attributes.iter().find(|own| own.name == Attribute::Type);
                let script_type =
                    script_type.and_then(|own| self.source.get(own.value.clone()?)).unwrap_or("");
                let name = script_name(script_type);
                if is_data(script_type) {
                    self.push_content(&format!("script[type={name}]"), content);
                }
            }
            _ => {
                let name = String::from_utf8_lossy(&self.text[token.name_range.clone()]).to_ascii_lowercase();
                match token.name {
                    Name::Textarea => self.push_content(&name, &visible_spaces(content)),
                    _ => self.push_content(&name, content),
                }
            }
        }
    }

    /// Reads an element's own facts. Returns whether all its attributes are among them.
    pub fn element(&mut self, token: &ReadTag, attributes: &[WrittenAttribute]) -> bool {
        let value = |name: Attribute| {
            let own = attributes.iter().find(|own| own.name == name)?;
            let value = own.value.clone().map_or("", |range| self.source.get(range).unwrap_or(""));
            Some(decode_references(value))
        };
        if self.context.needs_links && matches!(token.name, Name::A | Name::Area | Name::Link) {
            self.state.links.extend(value(Attribute::Href).map(Cow::into_owned));
        }
        match token.name {
            Name::Title if !self.state.has_title && token.namespace == Namespace::Html => {
                self.state.has_title = true;
                let raw = token.raw.clone().unwrap_or_default();
                let title = htmlize::unescape(self.source.get(raw).unwrap_or("")).into_owned();
                self.state.head.add("title", &title, self.texts);
            }
            Name::Html => {
                if let Some(lang) = value(Attribute::Lang) {
                    self.state.head.add("lang", &lang, self.texts);
                }
            }
            Name::Meta => {
                let names = [value(Attribute::Name), value(Attribute::Property), value(Attribute::HttpEquiv)];
                let content = value(Attribute::Content).unwrap_or_default();
                let policies = self.state.head.policies.len();
                let masked = self.context.names.mask(&content, |_| ());
                let names = names.each_ref().map(|name| name.as_deref());
                let is_known = self.state.head.meta(names, &masked, self.texts);
                for policy in &self.state.head.policies[policies..] {
                    self.state.policies.extend(Policy::parse_all(policy));
                }
                if !is_known && let Some(name) = names.into_iter().flatten().next() {
                    self.push_meta(name, &masked);
                    return true;
                }
                return is_known;
            }
            Name::Link => {
                let (rel, href) = (value(Attribute::Rel).unwrap_or_default(), value(Attribute::Href));
                if let Some(href) = href {
                    let is_known =
                        self.state.head.link(&rel, value(Attribute::Hreflang).as_deref(), &href, self.texts);
                    if is_loading(&rel) {
                        self.state.urls.push(href.into_owned());
                    }
                    return is_known;
                }
            }
            Name::Base => {
                let href = value(Attribute::Href).map(Cow::into_owned);
                self.state.base = self.state.base.take().or(href);
            }
            Name::Script => {
                if let Some(src) = value(Attribute::Src) {
                    self.state.urls.push(src.into_owned());
                } else {
                    let script_type = value(Attribute::Type).unwrap_or_default().into_owned();
                    let nonce = find_written(self.text, attributes, b"nonce");
                    let nonce = nonce.and_then(|own| self.source.get(own.value.clone()?));
                    self.inline_script(token, &script_type, nonce);
                }
            }
            _ => {
                let rows = rows_of(token.name).map(|row| &URL_ATTRIBUTES[row]);
                for row in rows.filter(|row| row.effect.is_load() && row.is_in(token.namespace)) {
                    let Some(written) = value(row.attribute) else { continue };
                    if row.syntax == UrlSyntax::Srcset {
                        // Browsers load one of the candidates.
                        let first = srcset::urls(&written).into_iter().next();
                        self.state.urls.extend(first.map(|range| written[range].to_owned()));
                    } else {
                        self.state.urls.push(written.into_owned());
                    }
                }
            }
        }
        false
    }

    /// Stores metadata that neither people nor search engines see: `viewport`, `referrer`, a policy.
    fn push_meta(&mut self, name: &str, content: &str) {
        let place = self.texts.intern("");
        let name = self.labels.attribute(b"meta", name.trim().as_bytes(), self.texts);
        self.state.attributes.push((place, name, value_id(content, self.texts)));
    }

    fn inline_script(&mut self, token: &ReadTag, script_type: &str, nonce: Option<&str>) {
        let raw = token.raw.clone().unwrap_or_default();
        let code = self.source.get(raw).unwrap_or("");
        if ScriptType::of(Some(script_type)) == ScriptType::JsonLd {
            self.state.head.structured_data(&self.context.names.mask(code, |_| ()), self.texts);
            return;
        }
        if is_data(script_type) || code.trim().is_empty() {
            return;
        }
        let is_blocked =
            self.state.policies.iter().any(|policy| policy.blocks_inline(Inline::Script, code, nonce));
        let stable = self.context.names.mask(code, |_| ());
        let start: Vec<&str> = code.split_ascii_whitespace().take(SCRIPT_START / 4).collect();
        let start = start.join(" ");
        let end = start.floor_char_boundary(SCRIPT_START);
        let start = self.texts.intern(&start[..end]);
        self.state.scripts.push(ScriptFacts { hash: digest(stable.as_bytes()), start, is_blocked });
    }
}

/// Whether a script of a type is neither run nor structured data.
fn is_data(script_type: &str) -> bool {
    !matches!(ScriptType::of(Some(script_type)), ScriptType::Run(_) | ScriptType::JsonLd)
}

/// Returns the type of a script without parameters.
fn script_name(script_type: &str) -> String {
    let name = script_type.trim().to_ascii_lowercase();
    name.split(';').next().unwrap_or_default().to_owned()
}

/// Whether browsers load the target of a link for the page.
fn is_loading(rel: &str) -> bool {
    const LOADING: [&str; 5] = ["stylesheet", "modulepreload", "preload", "preconnect", "icon"];
    let mut words = rel.split_ascii_whitespace();
    !rel.to_ascii_lowercase().contains("alternate")
        && words.any(|word| LOADING.iter().any(|loading| word.eq_ignore_ascii_case(loading)))
}
