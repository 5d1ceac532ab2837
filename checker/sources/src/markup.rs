//! HTML: URLs in attributes, style sheets and scripts.

use std::collections::HashSet;
use std::ops::Range;

use sitegate_html::attributes::{AttributeAt, attributes};
use sitegate_html::element::Name;
use sitegate_html::raw_text::RawText;
use sitegate_html::refresh::{self, Refresh};
use sitegate_html::tokenizer::{Tag, Token, Tokenizer};

use crate::data::{self, DataKind};
use crate::positions::{shifted, trimmed};
use crate::reference::{Manner, SourceScan, SourceTag};
use crate::templates::expressions::{self, Expression};
use crate::templates::masking::{Dialect, Masked, mask};
use crate::url_attributes::{UrlsIn, add_urls, decode_html, urls_in};
use crate::{css, scripts, values};

/// Finds the references of HTML in a range of the text, such as a block of HTML or a tag in Markdown.
pub(crate) fn scan<'t>(text: &'t str, range: Range<usize>, scan: &mut SourceScan<'t>) {
    let masked = mask(text, range, &[], Dialect::Html);
    scan_masked(text, &masked, Dialect::Html, scan);
}

/// Finds the references of markup whose expressions and hidden parts are masked.
pub(crate) fn scan_masked<'t>(text: &'t str, masked: &Masked, dialect: Dialect, scan: &mut SourceScan<'t>) {
    let mut walk = Walk { text, masked, dialect, scan, foreign: 0 };
    let mut tokenizer = Tokenizer::new(&masked.bytes);
    while let Some(token) = tokenizer.next(walk.foreign > 0, &mut ()) {
        match token {
            Token::Start(tag) => walk.start(&tag, &mut tokenizer),
            Token::End(tag) if matches!(tag.name, Name::Svg | Name::Math) => {
                walk.foreign = walk.foreign.saturating_sub(1);
            }
            Token::Comment(range) => walk.scan.inert.push(masked.in_text(range)),
            Token::End(_) | Token::Section(_) | Token::Doctype(_) => {}
        }
    }
}

struct Walk<'w, 't> {
    text: &'t str,
    masked: &'w Masked,
    dialect: Dialect,
    scan: &'w mut SourceScan<'t>,
    /// Number of open elements of SVG and `MathML`, in which there is no raw text.
    foreign: usize,
}

impl Walk<'_, '_> {
    /// Reads a start tag, and the content of an element that is not markup.
    fn start(&mut self, tag: &Tag, tokenizer: &mut Tokenizer<'_>) {
        let name = tag.name_range.clone();
        let element = String::from_utf8_lossy(&self.masked.bytes[name.clone()]).into_owned();
        let range = self.masked.in_text(tag.range.clone());
        self.scan.tags.push(SourceTag { range: range.clone(), name: self.masked.in_text(name) });
        let lower = element.to_ascii_lowercase();
        let has_statements = self.masked.bytes[tag.range.clone()] != self.text.as_bytes()[range.clone()];
        let refresh = self.value(tag, b"http-equiv").filter(|_| lower == "meta");
        let is_refresh = refresh.is_some_and(|kind| kind.eq_ignore_ascii_case("refresh"));
        let mut names = HashSet::new();
        for attribute in attributes(&self.masked.bytes, tag.name_range.end) {
            // The first of two counts, except if a statement decides between them.
            let is_first = names.insert(self.masked.bytes[attribute.name.clone()].to_ascii_lowercase());
            if is_first || has_statements {
                self.attribute(&lower, is_refresh, &attribute);
            }
        }
        let is_empty = tag.is_empty && (self.foreign > 0 || self.dialect.has_empty_tags());
        // Components may be named as elements are, except for the case.
        let is_component = self.dialect.has_empty_tags() && element != lower;
        if !is_empty && !is_component {
            self.content(tag, tokenizer);
        }
    }

    /// Reads the content of an element that is not markup.
    fn content(&mut self, tag: &Tag, tokenizer: &mut Tokenizer<'_>) {
        let raw_text = match tag.name {
            Name::Script => RawText::Script,
            Name::Title if self.foreign > 0 => return,
            // With a language, it has Pug, a markup of its own.
            Name::Template if !self.dialect.is_component() || self.value(tag, b"lang").is_none() => return,
            Name::Style
            | Name::Textarea
            | Name::Title
            | Name::Xmp
            | Name::Iframe
            | Name::Noembed
            | Name::Noframes
            | Name::Template => RawText::Plain,
            Name::Plaintext => RawText::Endless,
            Name::Svg | Name::Math => {
                self.foreign += 1;
                return;
            }
            _ => return,
        };
        let content = self.masked.in_text(tokenizer.raw_text(raw_text, tag));
        match tag.name {
            Name::Script => self.script(tag, content),
            Name::Style => css::scan(self.text, content, self.scan),
            _ => self.scan.inert.push(content),
        }
    }

    /// Returns the value of an attribute as written.
    fn value(&self, tag: &Tag, name: &[u8]) -> Option<&str> {
        let value = tag.attribute(&self.masked.bytes, name)?;
        std::str::from_utf8(value).ok()
    }

    fn attribute(&mut self, element: &str, is_refresh: bool, attribute: &AttributeAt) {
        let Some(value) = attribute.value.clone().filter(|value| !value.is_empty()) else { return };
        let name = String::from_utf8_lossy(&self.masked.bytes[attribute.name.clone()]).to_ascii_lowercase();
        let value = trimmed(self.text, self.masked.in_text(value));
        let (name, is_bound) = bound_name(&name);
        if (element, name) == ("meta", "content") {
            return self.meta(is_refresh, value);
        }
        let urls = urls_in(element, name);
        let (range, manner) =
            match expressions::in_attribute(self.text, value.clone(), self.dialect, is_bound) {
                Expression::None => return add_urls(self.text, value, urls, decode_html, self.scan),
                Expression::Literal(range, manner) => (range, manner),
                Expression::Unknown => return,
            };
        let target = &self.text[range.clone()];
        let is_url = match urls {
            UrlsIn::Whole => values::is_literal(target),
            // Such a text is a literal, too.
            UrlsIn::PathLike => values::is_path_like(target),
            _ => false,
        };
        if is_url {
            self.scan.add(self.text, range, manner);
        }
    }

    /// Reads the `content` of a refresh, or of metadata with a URL.
    fn meta(&mut self, is_refresh: bool, content: Range<usize>) {
        let written = &self.text[content.clone()];
        if is_refresh {
            if let Refresh::Url(url) = refresh::parse(written) {
                let range = shifted(url, content.start);
                add_urls(self.text, range, UrlsIn::Whole, decode_html, self.scan);
            }
        } else if ["/", "https://", "http://"].iter().any(|start| written.starts_with(start)) {
            add_urls(self.text, content, UrlsIn::PathLike, decode_html, self.scan);
        }
    }

    /// Reads the content of a `<script>`, by its type.
    fn script(&mut self, tag: &Tag, content: Range<usize>) {
        let kind = self.value(tag, b"type").unwrap_or_default().trim().to_ascii_lowercase();
        match kind.as_str() {
            "application/ld+json" | "importmap" | "speculationrules" => {
                data::json(self.text, content, DataKind::Data, self.scan);
            }
            _ if self.dialect.is_component() && tag.attribute(&self.masked.bytes, b"is:inline").is_none() => {
                scripts::scan("component.tsx", self.text, content, self.scan);
            }
            "module" => self.inert_script(content, true),
            _ => self.inert_script(content, false),
        }
    }

    /// Makes the content of a script of a page inert, except for the specifiers of its imports. What the script does
    /// with other texts is not known.
    fn inert_script(&mut self, content: Range<usize>, is_module: bool) {
        let mut imports = SourceScan::default();
        if is_module {
            scripts::scan("page.js", self.text, content.clone(), &mut imports);
        }
        let mut start = content.start;
        for mut import in imports.references.into_iter().filter(|found| found.manner == Manner::File) {
            self.scan.inert.push(start..import.range.start);
            start = import.range.end;
            // It is a URL, relative to the page.
            import.manner = Manner::Attribute;
            self.scan.references.push(import);
        }
        self.scan.inert.push(start..content.end);
    }
}

/// Returns the name of an attribute without the prefix that makes its value an expression, as in Vue and Alpine, and
/// whether it has such a prefix.
fn bound_name(name: &str) -> (&str, bool) {
    let bound = ["v-bind:", "x-bind:", ":"].iter().find_map(|prefix| name.strip_prefix(prefix));
    (bound.unwrap_or(name), bound.is_some())
}
