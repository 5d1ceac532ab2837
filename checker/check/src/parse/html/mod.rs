//! One pass over one HTML document: references, ids, base, and what rules want to see of single elements.
//!
//! The tokenizer tells where each tag and attribute lies, so values are slices of the page's own buffer: nothing
//! is allocated for an element that says nothing of interest.

mod elements;
mod lazy;
mod notes;
mod scripts;
mod selectors;
mod tokenizer;
mod unclosed;

use std::borrow::Cow;
use std::ops::Range;

use super::kinds::{Attribute, Tag};
use super::page::Page;
use super::reference::{Kind, Value};
use super::source::Source;
use super::srcset;
use super::text::decode_references;
use super::wanted::Selected;
pub(super) use tokenizer::find_end_tag;
use tokenizer::{Namespace, Token, Tokenizer};

/// `srcdoc` inside `srcdoc` deeper than this is not looked into.
const MAX_NESTING: usize = 8;

/// Parses [`Page::source`].
///
/// # Errors
/// When the contract's selectors cannot be matched, with the reason; nothing can then be promised of the page.
pub fn parse_html(page: &mut Page, selected: &Selected<'_>) -> Result<(), String> {
    let source = std::mem::take(&mut page.source);
    let skipped = parse_source(page, &source);
    let result = match selected {
        [] => Ok(()),
        _ => selectors::select(page, &source, selected, &skipped),
    };
    page.source = source;
    result?;
    page.own_values();
    page.inert = skipped;
    page.keep_title();
    Ok(())
}

/// The first `<base href>` of a page's text, for what is resolved once more after the check; only a page that may
/// have one is parsed.
pub fn base_href(text: &[u8]) -> Option<String> {
    memchr::memchr_iter(b'<', text)
        .find(|at| text.get(at + 1..at + 5).is_some_and(|name| name.eq_ignore_ascii_case(b"base")))?;
    let mut page = Page::new(Source::decoded(text.to_vec()));
    parse_html(&mut page, &[]).ok()?;
    page.facts.base.map(|href| page.str(href).to_owned())
}

/// Takes everything out of the source but what the contract selects. Returns the ranges of the document that hold
/// no live elements, in order and apart.
fn parse_source(page: &mut Page, source: &[u8]) -> Vec<Range<usize>> {
    let mut pending = Vec::new();
    let whole = Piece { text: PieceText::Source(0..source.len()), nesting: 0 };
    let skipped = parse_piece(page, source, &whole, &mut pending);
    page.document_ids = page.ids.len();
    while let Some(piece) = pending.pop() {
        parse_piece(page, source, &piece, &mut pending);
    }
    skipped
}

fn parse_piece(page: &mut Page, source: &[u8], piece: &Piece, pending: &mut Vec<Piece>) -> Vec<Range<usize>> {
    let (text, origin) = match &piece.text {
        PieceText::Source(range) => (&source[range.clone()], Origin::Source(range.start)),
        PieceText::Decoded(text, span) => (text.as_bytes(), Origin::Decoded(span.clone())),
    };
    let mut builder = Builder {
        page,
        text,
        origin,
        nesting: piece.nesting,
        pending,
        templates: Vec::new(),
        shadow_trees: 0,
        inert_from: None,
        skipped: Vec::new(),
        attributes: Vec::new(),
        form_method: FormMethod::Get,
    };
    let mut tokenizer = Tokenizer::new(text);
    let mut attributes = Vec::new();
    while let Some(token) = tokenizer.next(&mut attributes) {
        match token.is_end {
            true => builder.end_tag(&token),
            false => builder.start_tag(&token, &attributes),
        }
    }
    builder.skipped.extend(builder.inert_from.map(|start| start..text.len()));
    let skipped = builder.skipped;
    if text.len() == source.len() {
        page.facts.unclosed = tokenizer.unclosed.and_then(|cut| unclosed::unclosed(text, cut));
    }
    skipped
}

/// A piece of the page that is parsed as HTML by itself.
struct Piece {
    text: PieceText,
    nesting: usize,
}

enum PieceText {
    Source(Range<usize>),
    /// The decoded value of a `srcdoc`, and the bytes it was written in.
    Decoded(String, Range<u32>),
}

/// Where the text that is being parsed comes from.
enum Origin {
    /// A slice of the source that starts here.
    Source(usize),
    /// A decoded attribute: everything in it stands at these bytes.
    Decoded(Range<u32>),
}

/// One attribute of the element at hand, as ranges of the text that is being parsed.
struct WrittenAttribute {
    name: Attribute,
    name_range: Range<usize>,
    value: Option<Range<usize>>,
}

/// Collects what one element after the other says.
struct Builder<'p, 't> {
    page: &'p mut Page,
    text: &'t [u8],
    origin: Origin,
    nesting: usize,
    pending: &'p mut Vec<Piece>,
    /// The open `template` elements.
    templates: Vec<Template>,
    /// How many shadow trees there are so far.
    shadow_trees: u32,
    /// Where the content of the outermost inert one begins.
    inert_from: Option<usize>,
    /// Ranges that hold no live elements.
    skipped: Vec<Range<usize>>,
    attributes: Vec<WrittenAttribute>,
    /// How the last form is sent.
    form_method: FormMethod,
}

/// How a form is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FormMethod {
    /// As a query of the address it leads to.
    #[default]
    Get,
    /// To a program.
    Post,
    /// Not at all: it closes the dialog that it is in.
    Dialog,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Template {
    /// Its content is not part of the page before a script makes it one.
    Inert,
    /// Declarative shadow DOM, which is live and has ids of its own: which tree, from 1.
    Shadow(u32),
}

impl Builder<'_, '_> {
    fn start_tag(&mut self, token: &Token, attributes: &[tokenizer::RawAttribute]) {
        let tag = Tag::of(&self.text[token.name.clone()]);
        let is_template = tag == Tag::Template && token.namespace == Namespace::Html;
        if self.inert_from.is_some() {
            if is_template {
                self.templates.push(Template::Inert);
            }
            return;
        }
        self.skipped.extend(token.raw.clone());
        self.read_attributes(attributes);
        if is_template {
            let is_shadow = self.has(Attribute::Shadowrootmode);
            self.shadow_trees += u32::from(is_shadow);
            self.templates.push(if is_shadow {
                Template::Shadow(self.shadow_trees)
            } else {
                Template::Inert
            });
            if !is_shadow {
                self.inert_from = Some(token.range.end);
                return;
            }
        }
        self.any_element(tag, token);
        if tag != Tag::Other {
            let first = self.page.facts.references.len();
            self.known_element(tag, token);
            self.note(tag, token, first);
        }
    }

    fn end_tag(&mut self, token: &Token) {
        if self.templates.is_empty()
            || token.namespace != Namespace::Html
            || Tag::of(&self.text[token.name.clone()]) != Tag::Template
        {
            return;
        }
        self.templates.pop();
        if !self.templates.contains(&Template::Inert) {
            self.skipped.extend(self.inert_from.take().map(|start| start..token.range.start));
        }
    }

    fn read_attributes(&mut self, attributes: &[tokenizer::RawAttribute]) {
        self.attributes.clear();
        for attribute in attributes {
            let name_range = attribute.name.clone();
            let name = Attribute::of(&self.text[name_range.clone()]);
            // The first of two attributes with one name wins.
            if name != Attribute::Other && !self.has(name) {
                self.attributes.push(WrittenAttribute { name, name_range, value: attribute.value.clone() });
            }
        }
    }

    /// What an element holds that is not markup, or at least not HTML.
    fn content(&self, token: &Token) -> Range<usize> {
        token.raw.clone().unwrap_or_else(|| {
            let start = token.range.end;
            let rest = &self.text[start..];
            let length = match token.is_empty {
                true => 0,
                false => find_end_tag(rest, &self.text[token.name.clone()]).unwrap_or(rest.len()),
            };
            start..start + length
        })
    }

    /// Whether ids and names here belong to the page itself, and not to a `srcdoc` inside it.
    fn is_main_document(&self) -> bool {
        matches!(self.origin, Origin::Source(_))
    }

    fn has(&self, name: Attribute) -> bool {
        self.attributes.iter().any(|attribute| attribute.name == name)
    }

    fn range_of(&self, name: Attribute) -> Option<Range<usize>> {
        let attribute = self.attributes.iter().find(|attribute| attribute.name == name)?;
        Some(attribute.value.clone().unwrap_or(attribute.name_range.end..attribute.name_range.end))
    }

    fn text_of(&self, name: Attribute) -> Option<Cow<'_, str>> {
        self.range_of(name).map(|range| lossy(&self.text[range]))
    }

    /// A range of the text as bytes of the page's source.
    fn span(&self, range: &Range<usize>) -> Range<u32> {
        match &self.origin {
            Origin::Source(start) => (start + range.start) as u32..(start + range.end) as u32,
            Origin::Decoded(span) => span.clone(),
        }
    }

    fn value(&mut self, name: Attribute) -> Option<(Value, Range<u32>)> {
        let index = self.attributes.iter().position(|attribute| attribute.name == name)?;
        self.value_at(index)
    }

    /// An attribute's value and its place; where it has none, the place of its name.
    fn value_at(&mut self, index: usize) -> Option<(Value, Range<u32>)> {
        let attribute = &self.attributes[index];
        let place = attribute.value.clone().filter(|range| !range.is_empty());
        let span = self.span(place.as_ref().unwrap_or(&attribute.name_range));
        let range = place.unwrap_or(0..0);
        let value = match self.origin {
            Origin::Source(start) => Value {
                start: (start + range.start) as u32,
                end: (start + range.end) as u32,
                in_source: true,
            },
            Origin::Decoded(_) => self.page.facts.keep(&lossy(&self.text[range])),
        };
        Some((value, span))
    }

    fn push(&mut self, kind: &'static Kind, name: Attribute) {
        if let Some((value, span)) = self.value(name) {
            self.page.facts.push(kind, Some(value), span);
        }
    }

    fn push_at(&mut self, kind: &'static Kind, index: usize) {
        if let Some((value, span)) = self.value_at(index) {
            self.page.facts.push(kind, Some(value), span);
        }
    }

    /// [`Builder::push`] for an attribute that must be there.
    fn push_needed(&mut self, kind: &'static Kind, name: Attribute, tag: &Range<usize>) {
        if self.has(name) {
            self.push(kind, name);
        } else {
            self.push_absent(kind, tag);
        }
    }

    fn push_absent(&mut self, kind: &'static Kind, tag: &Range<usize>) {
        let span = self.span(tag);
        self.page.facts.push(kind, None, span);
    }

    fn push_srcset(&mut self, kind: &'static Kind, name: Attribute) {
        let Some(range) = self.range_of(name) else { return };
        let text = lossy(&self.text[range.clone()]);
        let urls = srcset::urls(&decode_references(&text));
        if urls.is_empty() {
            self.push(kind, name);
        }
        for url in urls {
            self.push_part(kind, &range, &text, url);
        }
    }

    /// Pushes each of a list of URLs separated by white space, such as `ping`.
    fn push_list(&mut self, kind: &'static Kind, name: Attribute) {
        let Some(range) = self.range_of(name) else { return };
        let text = lossy(&self.text[range.clone()]);
        let decoded = decode_references(&text);
        for url in decoded.split_ascii_whitespace() {
            let at = url.as_ptr() as usize - decoded.as_ptr() as usize;
            self.push_part(kind, &range, &text, at..at + url.len());
        }
    }

    /// Pushes a part of an attribute's decoded value. Its place is exact where nothing had to be decoded.
    fn push_part(&mut self, kind: &'static Kind, range: &Range<usize>, text: &str, part: Range<usize>) {
        let decoded = decode_references(text);
        let exact = matches!(decoded, Cow::Borrowed(_)) && text.len() == range.len();
        let span = if exact && !part.is_empty() {
            range.start + part.start..range.start + part.end
        } else {
            range.clone()
        };
        let span = self.span(&span);
        let value = self.page.facts.keep(&decoded[part]);
        self.page.facts.push(kind, Some(value), span);
    }
}

fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
