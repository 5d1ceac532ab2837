//! Reads the facts of a page's text in one pass of the tokenizer.

use std::ops::Range;

use sitegate_html::element::Namespace;
use sitegate_html::syntax::PageSyntax;
use sitegate_html::tag_reader::{ReadTag, TagReader, TagSink, WrittenAttribute};
use sitegate_html::templates::{InertContent, Inertness};
use sitegate_html::tokenizer::section_content;
use sitegate_html::tree::selects_quirks;
use sitegate_review::{ContentHash, ScriptFacts, TextId, Texts, is_date};

use super::attributes::value_id;
use super::head::PageHead;
use super::markup::{BlockKind, BlockStyles};
use super::noise::{PageNoise, VolatileNames};
use super::outline::Outline;
use super::places::{Labels, Places, is_block};
use crate::csp::Policy;

/// Number of bytes of a text from which it is cut into several, at words that depend on the content.
const LONG_TEXT: usize = 2000;

/// Maximum number of bytes of a text.
const MAX_TEXT: usize = 16_000;

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
    /// Ids and names that links may point to, and the index of the text after each.
    pub anchors: Vec<(TextId, u32)>,
    pub outline: Outline,
    /// Texts with dates, and the texts without them.
    pub times: Vec<(TextId, TextId)>,
    pub noise: PageNoise,
    /// The hash of the text without its noise.
    pub content: ContentHash,
    pub policies: Vec<Policy>,
    pub has_title: bool,
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
    names: Vec<Range<usize>>,
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
        let TextReader { labels, attributes, names, folded } = self;
        let mut pass =
            Pass { text: text.as_bytes(), source: text, texts, labels, names, folded, state, context };
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
        pass.state.outline.end(texts);
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
pub(super) struct Pass<'p> {
    pub text: &'p [u8],
    pub source: &'p str,
    pub texts: &'p Texts,
    pub labels: &'p mut Labels,
    /// The names of the attributes of a tag that are compared, sorted.
    pub names: &'p mut Vec<Range<usize>>,
    folded: &'p mut String,
    pub state: PageState,
    pub context: PageContext<'p>,
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
                let values = [&b"class"[..], b"id", b"role"].map(|wanted| {
                    find_written(self.text, attributes, wanted).and_then(|own| own.value.clone())
                });
                self.state.places.open(self.text, token, values, self.labels);
            }
        } else if token.namespace == Namespace::Html {
            self.state.styles.read_tag(name, token.is_end, self.state.block.len());
        }
        if token.is_end {
            self.state.outline.close(self.source, token, &self.state.block);
        } else {
            let is_known = self.element(token, attributes);
            self.attributes(token, attributes, is_known);
            self.raw_content(token, attributes);
            self.state.outline.open(self.source, token, self.names, &self.state.block);
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
    pub fn push_content(&mut self, name: &str, content: &str) {
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
        self.state.outline.end_block();
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
            let marked = self.state.styles.marked(block, part.clone(), kind);
            if kind != BlockKind::Plain || marked.is_some() {
                let marked = marked.map_or(id, |marked| value_id(&marked, self.texts));
                self.state.markup.push((
                    self.state.blocks.len() as u32,
                    self.texts.intern(kind.shown()),
                    marked,
                ));
            }
            let is_whole = part.len() == block.len();
            let own = if is_whole { None } else { block.get(part) };
            self.state.outline.push(own, self.texts);
            self.state.blocks.push((place, id));
        }
    }
}

/// Returns an attribute by its name in any case.
pub(super) fn find_written<'a>(
    text: &[u8],
    attributes: &'a [WrittenAttribute],
    name: &[u8],
) -> Option<&'a WrittenAttribute> {
    attributes.iter().find(|own| text[own.name_range.clone()].eq_ignore_ascii_case(name))
}

/// Whether the only white space of a trimmed text is single spaces. It has no branches, so that it takes little time.
fn is_folded(text: &[u8]) -> bool {
    let other = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r');
    let is_double = |(a, b): (&u8, &u8)| *a == b' ' && *b == b' ';
    let is_unfolded = |found, pair: (&u8, &u8)| found | is_double(pair) | other(*pair.0);
    !text.iter().zip(text.get(1..).unwrap_or_default()).fold(false, is_unfolded)
}
