//! Reads the facts of a page's text in one pass of the tokenizer.

use std::borrow::Cow;
use std::ops::Range;

use sitegate_html::element::Namespace;
use sitegate_review::{ScriptFacts, TextId, Texts, masked};

use super::assets::digest;
use super::head::PageHead;
use super::places::{Labels, Places, is_block};
use crate::csp::{Inline, Policy};
use crate::parse::{
    Attribute, PassedTag, Tag, TagSink, Token, Tokenizer, WrittenAttribute, decode_references, srcset,
};

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

const BOM: char = '\u{feff}';

/// The facts of a page's text, up to the offset to which it was read.
#[derive(Clone, Debug, Default)]
pub(super) struct PageState {
    pub blocks: Vec<(TextId, TextId)>,
    pub head: PageHead,
    pub scripts: Vec<ScriptFacts>,
    pub urls: Vec<String>,
    pub base: Option<String>,
    pub places: Places,
    policies: Vec<Policy>,
    has_title: bool,
    /// Offset up to which the text was read.
    from: usize,
    /// The text of the current block.
    block: String,
    /// The key of the name of the last tag.
    key: u128,
    /// Number of open `template` elements.
    templates: usize,
}

/// Reads texts of pages, and reuses its buffers.
#[derive(Default)]
pub(super) struct TextReader {
    pub labels: Labels,
    attributes: Vec<WrittenAttribute>,
    folded: String,
}

impl TextReader {
    /// Reads a text with the policies of its response.
    pub fn read(&mut self, text: &str, policies: &[Policy], texts: &Texts) -> PageState {
        self.labels.begin();
        self.read_from(start(text, policies), text, 0, texts).0
    }

    /// Reads two texts. What both begin with is read once.
    pub fn read_both(&mut self, [old, new]: [&str; 2], policies: &[Policy], texts: &Texts) -> [PageState; 2] {
        self.labels.begin();
        let common = common_length(old.as_bytes(), new.as_bytes());
        let (old_state, shared) = self.read_from(start(old, policies), old, common, texts);
        if old == new {
            return [old_state.clone(), old_state];
        }
        let shared = shared.map(|(tokenizer, state)| (tokenizer.continued(new.as_bytes()), state));
        let new_state = self.read_from(shared.unwrap_or_else(|| start(new, policies)), new, 0, texts).0;
        [old_state, new_state]
    }

    /// Reads a text from a state. Also returns the state near the end of the first `common` bytes, from which every text
    /// that begins with them can be read.
    fn read_from<'t>(
        &mut self,
        (mut tokenizer, state): (Tokenizer<'t>, PageState),
        text: &'t str,
        common: usize,
        texts: &Texts,
    ) -> (PageState, Option<(Tokenizer<'t>, PageState)>) {
        let TextReader { labels, attributes, folded } = self;
        let mut pass = Pass { text: text.as_bytes(), source: text, texts, labels, folded, state };
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
        (pass.state, shared)
    }
}

/// Returns the state at the start of a text.
fn start<'t>(text: &'t str, policies: &[Policy]) -> (Tokenizer<'t>, PageState) {
    let from = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let state = PageState { from, policies: policies.to_vec(), ..PageState::default() };
    (Tokenizer::new(text.as_bytes(), true, true), state)
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
}

impl TagSink for Pass<'_> {
    fn tag(&mut self, tag: &PassedTag) {
        self.state.key = tag.key;
    }

    fn comment(&mut self, range: Range<usize>) {
        // A `<` that begins no markup is text.
        if range.len() > 1 {
            self.text_until(range.start);
            self.state.from = range.end;
        }
    }
}

impl Pass<'_> {
    fn token(&mut self, token: &Token, attributes: &[WrittenAttribute]) {
        self.text_until(token.range.start);
        self.state.from = token.range.end;
        if token.tag == Tag::Template && token.namespace == Namespace::Html {
            self.state.templates =
                if token.is_end { self.state.templates.saturating_sub(1) } else { self.state.templates + 1 };
            return;
        }
        if self.state.templates > 0 {
            self.state.from = token.raw.as_ref().map_or(self.state.from, |raw| raw.end);
            return;
        }
        let name = &self.text[token.name.clone()];
        if token.namespace == Namespace::Html && is_block(self.state.key, name) {
            self.end_block();
            if token.is_end {
                self.state.places.close(self.text, &token.name);
            } else {
                let range = |wanted: &[u8]| {
                    let written = |own: &&WrittenAttribute| {
                        self.text[own.name_range.clone()].eq_ignore_ascii_case(wanted)
                    };
                    attributes.iter().find(written).and_then(|own| own.value.clone())
                };
                let values = [range(b"class"), range(b"id"), range(b"role")];
                self.state.places.open(self.text, token.name.clone(), values, self.labels);
            }
        }
        if !token.is_end {
            self.element(token, attributes);
        }
        if let Some(raw) = &token.raw {
            self.state.from = raw.end;
        }
    }

    /// Reads an element's own facts.
    fn element(&mut self, token: &Token, attributes: &[WrittenAttribute]) {
        let value = |name: Attribute| {
            let own = attributes.iter().find(|own| own.name == name)?;
            let value = own.value.clone().map_or("", |range| self.source.get(range).unwrap_or(""));
            Some(decode_references(value))
        };
        match token.tag {
            Tag::Title if !self.state.has_title && token.namespace == Namespace::Html => {
                self.state.has_title = true;
                let raw = token.raw.clone().unwrap_or_default();
                let title = htmlize::unescape(self.source.get(raw).unwrap_or("")).into_owned();
                self.state.head.add("title", &title, self.texts);
            }
            Tag::Html => {
                if let Some(lang) = value(Attribute::Lang) {
                    self.state.head.add("lang", &lang, self.texts);
                }
            }
            Tag::Meta => {
                let names = [value(Attribute::Name), value(Attribute::Property), value(Attribute::HttpEquiv)];
                let content = value(Attribute::Content).unwrap_or_default();
                let policies = self.state.head.policies.len();
                self.state.head.meta(names.each_ref().map(|name| name.as_deref()), &content, self.texts);
                for policy in &self.state.head.policies[policies..] {
                    self.state.policies.extend(Policy::parse_all(policy));
                }
            }
            Tag::Link => {
                let (rel, href) = (value(Attribute::Rel).unwrap_or_default(), value(Attribute::Href));
                if let Some(href) = href {
                    self.state.head.link(&rel, value(Attribute::Hreflang).as_deref(), &href, self.texts);
                    if is_loading(&rel) {
                        self.state.urls.push(href.into_owned());
                    }
                }
            }
            Tag::Base => {
                let href = value(Attribute::Href).map(Cow::into_owned);
                self.state.base = self.state.base.take().or(href);
            }
            Tag::Script => {
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
            Tag::Img
            | Tag::Source
            | Tag::Iframe
            | Tag::Frame
            | Tag::Embed
            | Tag::Video
            | Tag::Audio
            | Tag::Track
            | Tag::Input
            | Tag::Object
            | Tag::AmpImg => {
                let names = [Attribute::Src, Attribute::Poster, Attribute::Data];
                self.state.urls.extend(names.into_iter().filter_map(value).map(Cow::into_owned));
                if let Some(set) = value(Attribute::Srcset) {
                    // Browsers load one of the candidates.
                    let first = srcset::urls(&set).into_iter().next();
                    self.state.urls.extend(first.map(|range| set[range].to_owned()));
                }
            }
            _ => {}
        }
    }

    fn inline_script(&mut self, token: &Token, script_type: &str, nonce: Option<&str>) {
        let raw = token.raw.clone().unwrap_or_default();
        let code = self.source.get(raw).unwrap_or("");
        let name = script_type.trim().to_ascii_lowercase();
        let name = name.split(';').next().unwrap_or_default();
        if name == "application/ld+json" {
            self.state.head.structured_data(code, self.texts);
            return;
        }
        let is_run =
            matches!(name, "" | "module" | "text/javascript" | "application/javascript" | "text/ecmascript");
        if !is_run || code.trim().is_empty() {
            return;
        }
        let is_blocked =
            self.state.policies.iter().any(|policy| policy.blocks_inline(Inline::Script, code, nonce));
        let stable = masked(code);
        let start: Vec<&str> = code.split_ascii_whitespace().take(SCRIPT_START / 4).collect();
        let start = start.join(" ");
        let end = start.floor_char_boundary(SCRIPT_START);
        let start = self.texts.intern(&start[..end]);
        self.state.scripts.push(ScriptFacts { hash: digest(stable.as_bytes()), start, is_blocked });
    }

    /// Adds the text up to an offset to the block.
    fn text_until(&mut self, end: usize) {
        if self.state.from < end && self.state.templates == 0 {
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
        // Generators put a character without width after headings.
        let text = block.trim_ascii().trim_end_matches('\u{200b}').trim_ascii_end();
        if text.len() <= LONG_TEXT && is_folded(text.as_bytes()) {
            self.push_block(text);
        } else {
            self.push_folded(text);
        }
        self.state.block = block;
        self.state.block.clear();
    }

    /// Stores a text with white space folded, in several blocks if it is long.
    fn push_folded(&mut self, text: &str) {
        let mut folded = std::mem::take(self.folded);
        // A number that depends on the words only, so that equal parts of two texts are cut at the same words.
        for word in text.split_ascii_whitespace() {
            let is_cut = folded.len() > LONG_TEXT && word.bytes().map(u32::from).sum::<u32>() % 16 == 0;
            if is_cut || folded.len() + word.len() > MAX_TEXT {
                self.push_block(&folded);
                folded.clear();
            }
            if !folded.is_empty() {
                folded.push(' ');
            }
            folded.push_str(word);
        }
        self.push_block(&folded);
        folded.clear();
        *self.folded = folded;
    }

    fn push_block(&mut self, text: &str) {
        if !text.is_empty() {
            let place = self.state.places.name(self.labels, self.texts);
            self.state.blocks.push((place, self.texts.intern(text)));
        }
    }
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
