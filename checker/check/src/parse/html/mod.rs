//! One pass over one HTML document: references, ids, base, and what rules want to see of single elements.
//!
//! The tokenizer tells where each tag and attribute lies, so values are slices of the page's own buffer: nothing
//! is allocated for an element that says nothing of interest.

#[cfg(test)]
mod agreement;
mod attribute_at;
mod block;
mod element_text;
mod elements;
mod foreign;
mod lazy;
mod matching;
mod notes;
mod raw_text;
mod script_type;
mod scripts;
mod selectors;
mod tokenizer;
mod unclosed;

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use super::mapped_text::MappedText;
use super::names::{Attribute, Tag};
use super::page::Page;
use super::read_error::ReadError;
use super::reference::Value;
use super::reference_kind::ReferenceKind;
use super::source::Source;
use super::srcset;
use super::wanted::Selected;
pub use element_text::element_text;
use matching::Matcher;
pub(super) use raw_text::find_end_tag;
use script_type::{NamedChunks, ScriptType};
pub(super) use tokenizer::{Namespace, PassedTag, TagSink, Token, Tokenizer, WrittenAttribute};

/// `srcdoc` inside `srcdoc` deeper than this is not looked into.
const MAX_NESTING: usize = 8;

/// Parses [`Page::source`].
///
/// # Errors
/// When the contract's selectors cannot be matched, with the reason; nothing can then be promised of the page.
pub fn parse_html(page: &mut Page, selected: &Selected<'_>) -> Result<(), ReadError> {
    let source = std::mem::take(&mut page.source);
    let (skipped, result) = if selected.is_empty() {
        (parse_source(page, &source, false, &mut ()), Ok(()))
    } else {
        let mut matcher = Matcher::new(&source, selected);
        let skipped = if matcher.is_idle() {
            parse_source(page, &source, false, &mut ())
        } else {
            parse_source(page, &source, false, &mut matcher)
        };
        let result = selectors::select(page, &source, selected, matcher, &skipped);
        (skipped, result)
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
/// no live elements, in order and apart. `passes_all` tells the tokenizer to pass tags on that say nothing; `sink` sees those of the
/// document itself.
fn parse_source(
    page: &mut Page,
    source: &[u8],
    passes_all: bool,
    sink: &mut impl TagSink,
) -> Vec<Range<usize>> {
    let mut pending = Vec::new();
    let whole = Piece { text: PieceText::Source(0..source.len()), nesting: 0 };
    let skipped = parse_piece(page, source, &whole, &mut pending, passes_all, sink);
    page.document_ids = page.ids.len();
    while let Some(piece) = pending.pop() {
        parse_piece(page, source, &piece, &mut pending, passes_all, &mut ());
    }
    skipped
}

fn parse_piece(
    page: &mut Page,
    source: &[u8],
    piece: &Piece,
    pending: &mut Vec<Piece>,
    passes_all: bool,
    sink: &mut impl TagSink,
) -> Vec<Range<usize>> {
    let (text, origin) = match &piece.text {
        PieceText::Source(range) => (&source[range.clone()], Origin::Source(range.start)),
        PieceText::Decoded(document) => {
            (document.mapped.text.as_bytes(), Origin::Decoded(Rc::clone(document)))
        }
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
        foreign: None,
        named_chunks: NamedChunks::default(),
    };
    // What stands in `noscript` is for browsers that run no scripts.
    let runs_scripts = !matches!(builder.origin, Origin::Source(1..));
    let mut tokenizer = Tokenizer::new(text, runs_scripts, passes_all);
    while let Some(token) = tokenizer.next(&mut builder.attributes, sink) {
        builder.end_foreign_text(token.range.start);
        if token.is_end { builder.end_tag(&token) } else { builder.start_tag(&token) }
    }
    builder.end_foreign_text(text.len());
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
    Decoded(Rc<Srcdoc>),
}

/// The decoded value of a `srcdoc`.
struct Srcdoc {
    /// Its places are those of what is around it.
    mapped: MappedText,
    /// The one that it is written in.
    around: Option<Rc<Srcdoc>>,
}

impl Srcdoc {
    /// Where a part of it is written, in bytes of the page's source.
    fn source(&self, range: &Range<u32>) -> Range<u32> {
        let place = self.mapped.source(range);
        self.around.as_ref().map_or_else(|| place.clone(), |around| around.source(&place))
    }
}

/// Where the text that is being parsed comes from.
enum Origin {
    /// A slice of the source that starts here.
    Source(usize),
    /// A decoded attribute.
    Decoded(Rc<Srcdoc>),
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
    /// Those of the element at hand that say anything.
    attributes: Vec<WrittenAttribute>,
    /// How the last form is sent.
    form_method: FormMethod,
    /// The `style` or `script` of SVG or `MathML` that the tag at hand began, and where its text begins.
    foreign: Option<(ForeignText, usize)>,
    named_chunks: NamedChunks,
}

/// Text that is read by itself. In SVG and `MathML` it is made of markup: it ends with the next tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ForeignText {
    Style,
    Script(ScriptType),
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
    fn start_tag(&mut self, token: &Token) {
        let tag = token.tag;
        let is_template = tag == Tag::Template && token.namespace == Namespace::Html;
        if self.inert_from.is_some() {
            if is_template {
                self.templates.push(Template::Inert);
            }
            return;
        }
        self.skipped.extend(token.raw.clone());
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
        if self.templates.is_empty() || token.namespace != Namespace::Html || token.tag != Tag::Template {
            return;
        }
        self.templates.pop();
        // All that stand in an inert one are inert.
        if self.templates.last() != Some(&Template::Inert) {
            self.skipped.extend(self.inert_from.take().map(|start| start..token.range.start));
        }
    }

    /// Reads what an element holds that is text: at once, or in SVG and `MathML` once it is known where that ends.
    fn read_text(&mut self, what: ForeignText, token: &Token) {
        match &token.raw {
            Some(text) => self.text(what, text.clone()),
            None if token.is_empty => {}
            None => self.foreign = Some((what, token.range.end)),
        }
    }

    /// The text of an element of SVG or `MathML` ends here, where there is one.
    fn end_foreign_text(&mut self, end: usize) {
        if let Some((what, start)) = self.foreign.take() {
            self.text(what, start..end);
        }
    }

    fn text(&mut self, what: ForeignText, range: Range<usize>) {
        match what {
            ForeignText::Style => self.style_sheet(range),
            ForeignText::Script(script_type) => self.script_text(script_type, range),
        }
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
            Origin::Decoded(document) => document.source(&(range.start as u32..range.end as u32)),
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

    fn push(&mut self, kind: ReferenceKind, name: Attribute) {
        if let Some((value, span)) = self.value(name) {
            self.page.facts.push(kind, Some(value), span);
        }
    }

    fn push_at(&mut self, kind: ReferenceKind, index: usize) {
        if let Some((value, span)) = self.value_at(index) {
            self.page.facts.push(kind, Some(value), span);
        }
    }

    /// [`Builder::push`] for an attribute that must be there.
    fn push_needed(&mut self, kind: ReferenceKind, name: Attribute, tag: &Range<usize>) {
        if self.has(name) {
            self.push(kind, name);
        } else {
            self.push_absent(kind, tag);
        }
    }

    fn push_absent(&mut self, kind: ReferenceKind, tag: &Range<usize>) {
        let span = self.span(tag);
        self.page.facts.push(kind, None, span);
    }

    fn push_srcset(&mut self, kind: ReferenceKind, name: Attribute) {
        let Some(range) = self.range_of(name) else { return };
        let value = self.mapped(&range);
        let urls = srcset::urls(&value.text);
        if urls.is_empty() {
            self.push(kind, name);
        }
        for url in urls {
            self.push_part(kind, &value, url);
        }
    }

    /// Pushes each of a list of URLs separated by white space, such as `ping`.
    fn push_list(&mut self, kind: ReferenceKind, name: Attribute) {
        let Some(range) = self.range_of(name) else { return };
        let value = self.mapped(&range);
        for url in value.text.split_ascii_whitespace() {
            let at = url.as_ptr() as usize - value.text.as_ptr() as usize;
            self.push_part(kind, &value, at..at + url.len());
        }
    }

    /// The value of an attribute, decoded; its places are those of the text.
    fn mapped(&self, range: &Range<usize>) -> MappedText {
        MappedText::of_attribute(&self.text[range.clone()], range.start)
    }

    /// Pushes a part of an attribute's value.
    fn push_part(&mut self, kind: ReferenceKind, value: &MappedText, part: Range<usize>) {
        // An empty part has no place of its own.
        let place = if part.is_empty() { 0..value.text.len() } else { part.clone() };
        let place = value.source(&(place.start as u32..place.end as u32));
        let span = self.span(&(place.start as usize..place.end as usize));
        let value = self.page.facts.keep(&value.text[part]);
        self.page.facts.push(kind, Some(value), span);
    }
}

fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::agreement::pages_of_the_tests;
    use super::{Page, Source, parse_source};
    use crate::parse::names::{ATTRIBUTES, TAGS};

    /// What a page says says nothing of how it was found, so that both ways of the tokenizer must agree on it.
    fn assert_nothing_is_lost(html: &[u8], name: &str) {
        let said = |passes_all| {
            let mut page = Page::new(Source::decoded(html.to_vec()));
            let source = std::mem::take(&mut page.source);
            let skipped = parse_source(&mut page, &source, passes_all, &mut ());
            format!("{page:?} {skipped:?}")
        };
        assert_eq!(said(false), said(true), "{name}");
    }

    #[test]
    fn tags_that_are_stepped_over_say_nothing() {
        let tags = TAGS.iter().map(|(tag, _)| *tag).chain(["p", "label", "g", "x-y"]);
        for tag in tags {
            let each = ATTRIBUTES.iter().map(|(attribute, _)| {
                let element = |value| format!("<{tag} class=c {attribute}='{value}'>x</{tag}>");
                let first = element("a.png") + &element("url(#a)");
                format!("{first}<{tag} {attribute}>y</{tag} id=b><svg>{first}</svg>")
            });
            for html in each {
                assert_nothing_is_lost(html.as_bytes(), &html);
            }
        }
    }

    #[test]
    fn nothing_is_lost_of_the_pages_of_the_cases() {
        let pages = pages_of_the_tests();
        for path in &pages {
            assert_nothing_is_lost(&fs::read(path).unwrap(), &path.display().to_string());
        }
        assert!(pages.len() > 100, "only {} pages", pages.len());
    }
}
