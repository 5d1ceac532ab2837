//! Reads the facts of a page's text in one pass of the tokenizer.

use std::borrow::Cow;
use std::ops::Range;

use sitegate_html::attribute_name::Attribute;
use sitegate_html::element::{Name, Namespace};
use sitegate_html::element_table::{URL_ATTRIBUTES, rows_of};
use sitegate_html::srcset;
use sitegate_html::syntax::PageSyntax;
use sitegate_html::tag_reader::{ReadTag, TagReader, TagSink, WrittenAttribute};
use sitegate_html::templates::{InertContent, Inertness};
use sitegate_html::tokenizer::section_content;
use sitegate_html::tree::selects_quirks;
use sitegate_html::url_attribute::UrlSyntax;
use sitegate_review::{ContentHash, ScriptFacts, TextId, Texts, is_date};

use super::assets::digest;
use super::attributes::{has_urls, is_left_out, value_id};
use super::head::PageHead;
use super::markup::{BlockKind, BlockStyles, visible_spaces};
use super::noise::{PageNoise, VolatileNames};
use super::places::{Labels, Places, is_block};
use crate::csp::{Inline, Policy};
use crate::parse::{ScriptType, decode_references};

/// Number of bytes of a text from which it is cut into several, at words that depend on the content.
const LONG_TEXT: usize = 2000;

/// Maximum number of bytes of a text.
const MAX_TEXT: usize = 16_000;

/// Number of bytes of an inline script to show.
const SCRIPT_START: usize = 120;

/// Maximum number of bytes after a tag that decide where it ends: those of an end tag.
const LOOKAHEAD: usize = 16;

/// Number of bytes that are not worth the copy of a state.
const SHORT: usize = 256;

/// Maximum number of bytes of a date in a `time` element.
const MAX_TIME: usize = 200;

const DOCTYPE: &[u8] = b"<!doctype";

const BOM: char = '\u{feff}';

/// The facts of a page's text, up to the offset to which it was read.
#[derive(Clone, Debug, Default)]
pub(super) struct PageState {
    pub blocks: Vec<(TextId, TextId)>,
    /// Index of a block, its kind, and its text with markup.
    pub markup: Vec<(u32, TextId, TextId)>,
    pub head: PageHead,
    pub scripts: Vec<ScriptFacts>,
    pub urls: Vec<String>,
    /// Links, if the context needs them.
    pub links: Vec<String>,
    pub base: Option<String>,
    pub places: Places,
    /// Place, name and value.
    pub attributes: Vec<(TextId, TextId, TextId)>,
    pub anchors: Vec<TextId>,
    /// Texts with dates, and the texts without them.
    pub times: Vec<(TextId, TextId)>,
    pub noise: PageNoise,
    /// The hash of the text without its noise.
    pub content: ContentHash,
    policies: Vec<Policy>,
    has_title: bool,
    /// Offset up to which the text was read.
    from: usize,
    /// The text of the current block.
    block: String,
    styles: BlockStyles,
    /// Whether browsers show the page in standards mode; `None` before its first tag.
    is_standard: Option<bool>,
    /// Whether the content of a template is read, which only scripts use.
    is_inert: bool,
    /// The open `time` element: the offset of its text, and the length of the block before it.
    open_time: Option<(usize, usize)>,
    /// The dates in the current block.
    block_times: Vec<Range<usize>>,
}

/// The facts of a build that its pages need.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageContext<'b> {
    /// The policies of the response.
    pub policies: &'b [Policy],
    pub base_path: &'b str,
    pub syntax: PageSyntax,
    pub names: &'b VolatileNames,
    /// Whether links are needed: pages have several addresses.
    pub needs_links: bool,
}

/// Reads texts of pages, and reuses its buffers.
#[derive(Default)]
pub(super) struct TextReader {
    pub labels: Labels,
    attributes: Vec<WrittenAttribute>,
    folded: String,
}

impl TextReader {
    /// Reads a text.
    pub fn read(&mut self, text: &str, context: PageContext<'_>, texts: &Texts) -> PageState {
        self.labels.begin();
        self.read_from(start(text, context), text, 0, context, texts).0
    }

    /// Reads two texts. What both begin with is read once, so the contexts may differ by names of files only.
    pub fn read_both(
        &mut self,
        [old, new]: [&str; 2],
        [old_context, new_context]: [PageContext<'_>; 2],
        texts: &Texts,
    ) -> [PageState; 2] {
        self.labels.begin();
        let common = common_length(old.as_bytes(), new.as_bytes());
        let (old_state, shared) = self.read_from(start(old, old_context), old, common, old_context, texts);
        if old == new {
            return [old_state.clone(), old_state];
        }
        let shared = shared.map(|(tokenizer, state)| (tokenizer.continued(new.as_bytes()), state));
        let from = shared.unwrap_or_else(|| start(new, new_context));
        let new_state = self.read_from(from, new, 0, new_context, texts).0;
        [old_state, new_state]
    }

    /// Reads a text from a state. Also returns the state near the end of the first `common` bytes, from which every text
    /// that begins with them can be read.
    fn read_from<'t>(
        &mut self,
        (mut tokenizer, state): (TagReader<'t, true>, PageState),
        text: &'t str,
        common: usize,
        context: PageContext<'_>,
        texts: &Texts,
    ) -> (PageState, Option<(TagReader<'t, true>, PageState)>) {
        let TextReader { labels, attributes, folded } = self;
        let mut pass = Pass { text: text.as_bytes(), source: text, texts, labels, folded, state, context };
        let mut shared = None;
        loop {
            let at = tokenizer.offset();
            if shared.is_none() && at + LOOKAHEAD <= common && at + SHORT > common {
                shared = Some((tokenizer.clone(), pass.state.clone()));
            }
            let Some(token) = tokenizer.next(attributes, &mut pass) else { break };
            pass.token(&token, attributes);
        }
        pass.text_until(text.len());
        pass.end_block();
        pass.push_template(tokenizer.open_inert());
        pass.push_layout();
        pass.state.content = pass.state.noise.content(text);
        (pass.state, shared)
    }
}

/// Returns the state at the start of a text.
fn start<'t>(text: &'t str, context: PageContext<'_>) -> (TagReader<'t, true>, PageState) {
    let from = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let state = PageState { from, policies: context.policies.to_vec(), ..PageState::default() };
    (TagReader::new(text.as_bytes(), true).with_syntax(context.syntax), state)
}

/// Returns the number of equal bytes at the start of two texts.
fn common_length(old: &[u8], new: &[u8]) -> usize {
    /// Number of bytes that are compared at a time.
    const SIZE: usize = 64;
    let equal = old.chunks(SIZE).zip(new.chunks(SIZE)).take_while(|(a, b)| a == b);
    let start = equal.map(|(a, _)| a.len()).sum();
    start + old[start..].iter().zip(&new[start..]).take_while(|(a, b)| a == b).count()
}

/// One pass over a page.
struct Pass<'p> {
    text: &'p [u8],
    source: &'p str,
    texts: &'p Texts,
    labels: &'p mut Labels,
    folded: &'p mut String,
    state: PageState,
    context: PageContext<'p>,
}

impl TagSink for Pass<'_> {
    fn comment(&mut self, range: Range<usize>) {
        self.text_until(range.start);
        if self.context.syntax == PageSyntax::Xml
            && !self.state.is_inert
            && self.text[range.clone()].starts_with(b"<![CDATA[")
        {
            let content = section_content(self.text, &range);
            self.state.block.push_str(self.source.get(content).unwrap_or(""));
        }
        let written = &self.text[range.clone()];
        if self.state.is_standard.is_none()
            && written.get(..DOCTYPE.len()).is_some_and(|start| start.eq_ignore_ascii_case(DOCTYPE))
        {
            self.state.is_standard = Some(self.state.block.trim().is_empty() && !selects_quirks(written));
        }
        self.state.from = range.end;
    }
}

impl Pass<'_> {
    fn token(&mut self, token: &ReadTag, attributes: &[WrittenAttribute]) {
        self.text_until(token.range.start);
        self.state.from = token.range.end;
        self.state.is_standard.get_or_insert(false);
        self.state.is_inert = matches!(token.inertness, Inertness::Begins | Inertness::Inside);
        if let Inertness::Ends(content) = &token.inertness {
            return self.push_template(Some(content.clone()));
        }
        if self.state.is_inert {
            self.state.from = token.raw.as_ref().map_or(self.state.from, |raw| raw.end);
            return;
        }
        let name = &self.text[token.name_range.clone()];
        self.time(token, name);
        if token.namespace == Namespace::Html && is_block(token.name, name) {
            self.end_block();
            if token.is_end {
                self.state.places.close(self.text, token);
            } else {
                let range = |wanted: &[u8]| {
                    let written = |own: &&WrittenAttribute| {
                        self.text[own.name_range.clone()].eq_ignore_ascii_case(wanted)
                    };
                    attributes.iter().find(written).and_then(|own| own.value.clone())
                };
                let values = [range(b"class"), range(b"id"), range(b"role")];
                self.state.places.open(self.text, token, values, self.labels);
            }
        } else if token.namespace == Namespace::Html {
            self.state.styles.read_tag(name, token.is_end, self.state.block.len());
        }
        if !token.is_end {
            let is_known = self.element(token, attributes);
            self.attributes(token, attributes, is_known);
            self.raw_content(token, attributes);
        }
        if let Some(raw) = &token.raw {
            self.state.from = raw.end;
        }
    }

    /// Stores the layout mode, which depends on the doctype. XML has only one.
    fn push_layout(&mut self) {
        if self.context.syntax == PageSyntax::Html {
            let is_standard = self.state.is_standard.unwrap_or(false);
            self.push_content("doctype", if is_standard { "standards mode" } else { "quirks mode" });
        }
    }

    /// Stores the content of a template that has ended.
    fn push_template(&mut self, closed: Option<InertContent>) {
        if let Some(InertContent { tag, end }) = closed {
            let content = self.source.get(tag.start..end).unwrap_or("");
            self.push_content("template", content);
        }
    }

    /// Stores content that is neither text nor a script.
    fn push_content(&mut self, name: &str, content: &str) {
        let masked = self.context.names.mask(content, |_| ());
        let (place, name) = (self.texts.intern(""), self.texts.intern(name));
        self.state.attributes.push((place, name, value_id(masked.trim_ascii(), self.texts)));
    }

    /// Finds dates in `time` elements that have no other content.
    fn time(&mut self, token: &ReadTag, name: &[u8]) {
        let is_own = name.eq_ignore_ascii_case(b"time") && token.namespace == Namespace::Html;
        if let Some((start, length)) = self.state.open_time.take()
            && is_own
            && token.is_end
            && token.range.start - start <= MAX_TIME
            && self.state.block.get(length..).is_some_and(is_date)
        {
            self.state.block_times.push(length..self.state.block.len());
            self.state.noise.replace(start..token.range.start, String::new());
        }
        if is_own && !token.is_end {
            self.state.open_time = Some((token.range.end, self.state.block.len()));
        }
    }

    /// Stores the attributes that are compared. `is_known` is whether the element is metadata, which is stored.
    fn attributes(&mut self, token: &ReadTag, attributes: &[WrittenAttribute], is_known: bool) {
        let element = &self.text[token.name_range.clone()];
        let is_html = token.namespace == Namespace::Html;
        let mut place = None;
        for own in attributes {
            let name = &self.text[own.name_range.clone()];
            let range = own.value.clone().unwrap_or(own.name_range.end..own.name_range.end);
            let written = self.source.get(range.clone()).unwrap_or("");
            // Other elements need no nonce, and what is no Base64 could be a message.
            let takes_nonce = matches!(token.name, Name::Script | Name::Style | Name::Link);
            let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_=".contains(&byte);
            if name.eq_ignore_ascii_case(b"nonce") && takes_nonce && written.bytes().all(is_base64) {
                self.state.noise.add_nonce(range, written);
                continue;
            }
            let is_anchor =
                own.name == Attribute::Id && is_html || own.name == Attribute::Name && token.name == Name::A;
            if is_anchor {
                self.state.anchors.push(self.texts.intern(&decode_references(written)));
                continue;
            }
            if is_left_out(name, own.value.is_some()) {
                continue;
            }
            let mut value = decode_references(written);
            if name.eq_ignore_ascii_case(b"datetime")
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
            let name = self.labels.attribute(element, name, self.texts);
            self.state.attributes.push((place, name, value_id(&value, self.texts)));
        }
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
    fn raw_content(&mut self, token: &ReadTag, attributes: &[WrittenAttribute]) {
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
    fn element(&mut self, token: &ReadTag, attributes: &[WrittenAttribute]) -> bool {
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
                    let nonce = attributes
                        .iter()
                        .find(|own| self.text[own.name_range.clone()].eq_ignore_ascii_case(b"nonce"));
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

    /// Adds the text up to an offset to the block.
    fn text_until(&mut self, end: usize) {
        if self.state.from < end && !self.state.is_inert {
            let text = self.source.get(self.state.from..end).unwrap_or("");
            if text.contains('&') {
                self.state.block.push_str(&htmlize::unescape(text));
            } else {
                self.state.block.push_str(text);
            }
        }
        self.state.from = self.state.from.max(end);
    }

    /// Stores the text of the block.
    fn end_block(&mut self) {
        let block = std::mem::take(&mut self.state.block);
        if !self.state.block_times.is_empty() {
            self.push_dated(&block);
        }
        // Generators put a character without width after headings.
        let text = block.trim_ascii().trim_end_matches('\u{200b}').trim_ascii_end();
        if text.len() <= LONG_TEXT && is_folded(text.as_bytes()) {
            self.push_block(text, &block, 0..block.len());
        } else {
            self.push_folded(text, &block);
        }
        self.state.block = block;
        self.state.block.clear();
        self.state.styles.end_block();
    }

    /// Stores the text of a block with and without its dates.
    fn push_dated(&mut self, block: &str) {
        let (mut undated, mut from) = (String::with_capacity(block.len()), 0);
        for date in std::mem::take(&mut self.state.block_times) {
            undated.push_str(&block[from..date.start]);
            undated.push_str(" <time> ");
            from = date.end;
        }
        undated.push_str(&block[from..]);
        let folded = |text: &str| text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        // Longer texts are cut into several.
        if block.len() <= LONG_TEXT {
            let text = folded(block.trim_ascii().trim_end_matches('\u{200b}'));
            self.state.times.push((self.texts.intern(&text), self.texts.intern(&folded(&undated))));
        }
    }

    /// Stores a text with white space folded, in several blocks if it is long.
    fn push_folded(&mut self, text: &str, block: &str) {
        let mut folded = std::mem::take(self.folded);
        let mut start = 0;
        // A number that depends on the words only, so that equal parts of two texts are cut at the same words.
        for word in text.split_ascii_whitespace() {
            let is_cut = folded.len() > LONG_TEXT && word.bytes().map(u32::from).sum::<u32>() % 16 == 0;
            if is_cut || folded.len() + word.len() > MAX_TEXT {
                let end = word.as_ptr() as usize - block.as_ptr() as usize;
                self.push_block(&folded, block, start..end);
                folded.clear();
                start = end;
            }
            if !folded.is_empty() {
                folded.push(' ');
            }
            folded.push_str(word);
        }
        self.push_block(&folded, block, start..block.len());
        folded.clear();
        *self.folded = folded;
    }

    /// Stores a text, which is a part of the block.
    fn push_block(&mut self, text: &str, block: &str, part: Range<usize>) {
        if !text.is_empty() {
            let place = self.state.places.name(self.labels, self.texts);
            let id = self.texts.intern(text);
            let kind = self.state.places.kind();
            let marked = self.state.styles.marked(block, part, kind);
            if kind != BlockKind::Plain || marked.is_some() {
                let marked = marked.map_or(id, |marked| value_id(&marked, self.texts));
                self.state.markup.push((
                    self.state.blocks.len() as u32,
                    self.texts.intern(kind.shown()),
                    marked,
                ));
            }
            self.state.blocks.push((place, id));
        }
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

/// Whether the only white space of a trimmed text is single spaces. It has no branches, so that it takes little time.
fn is_folded(text: &[u8]) -> bool {
    let other = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r');
    let is_double = |(a, b): (&u8, &u8)| *a == b' ' && *b == b' ';
    let is_unfolded = |found, pair: (&u8, &u8)| found | is_double(pair) | other(*pair.0);
    !text.iter().zip(text.get(1..).unwrap_or_default()).fold(false, is_unfolded)
}

/// Whether browsers load the target of a link for the page.
fn is_loading(rel: &str) -> bool {
    const LOADING: [&str; 5] = ["stylesheet", "modulepreload", "preload", "preconnect", "icon"];
    let mut words = rel.split_ascii_whitespace();
    !rel.to_ascii_lowercase().contains("alternate")
        && words.any(|word| LOADING.iter().any(|loading| word.eq_ignore_ascii_case(loading)))
}
