//! Parses an HTML document in one pass: references, ids, base, and properties of elements that rules check.
//!
//! The tokenizer reports locations, so values are slices of the page's buffer, and uninteresting elements need no
//! allocation.

mod element_notes;
mod elements;
mod faulty_markup;
pub(super) mod governed;
mod governed_element;
mod ignored_values;
mod json_ld;
mod leftover_texts;
mod libraries;
mod link_notes;
mod script_elements;
mod script_type;
mod selectors;

use sitegate_html::attribute_name::Attribute;
use sitegate_html::element::Name;
use sitegate_html::element_table::{needs_attributes, rows_of};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use super::facts::Unclosed;
use super::html_text::decode_references;
use super::mapped_text::MappedText;
use super::options::{ReadError, Selected};
use super::page::Page;
use super::page_metadata::NoteKind;
use super::reference::Value;
use super::reference_kind::ReferenceKind;
use super::source::Source;
pub use governed_element::{Governed, GovernedRequest};
use leftover_texts::PageTags;
use script_type::NamedChunks;
pub(crate) use script_type::ScriptType;
use sitegate_html::srcset;
use sitegate_html::syntax::PageSyntax;
use sitegate_html::tag_reader::{ReadTag, TagReader, WrittenAttribute};
use sitegate_html::templates::{InertContent, Inertness};

/// Maximum nesting of `srcdoc`; deeper ones are not parsed.
const MAX_NESTING: usize = 8;

/// Parses [`Page::source`].
///
/// # Errors
/// If the contract's selectors cannot be matched.
pub fn parse_html(page: &mut Page, selected: &Selected<'_>) -> Result<(), ReadError> {
    let source = std::mem::take(&mut page.source);
    let skipped = parse_source::<false>(page, &source);
    let result = if selected.is_empty() { Ok(()) } else { selectors::add_matches(page, &source, selected) };
    page.source = source;
    result?;
    page.add_unresolved_uses();
    page.copy_values();
    page.inert = skipped;
    page.store_title();
    Ok(())
}

/// Returns the first `<base href>` of a page's text. Only parses pages that may have one.
pub fn base_href(text: &[u8], syntax: PageSyntax) -> Option<String> {
    memchr::memchr_iter(b'<', text)
        .find(|at| text.get(at + 1..at + 5).is_some_and(|name| name.eq_ignore_ascii_case(b"base")))?;
    let mut page = Page { syntax, ..Page::new(Source::from(text.to_vec())) };
    parse_html(&mut page, &[]).ok()?;
    page.facts.base.map(|href| page.str(href).to_owned())
}

/// Collects everything but the contract's selections. Returns the ranges without live elements, sorted and disjoint.
/// `ALL` makes the tokenizer report all tags.
fn parse_source<const ALL: bool>(page: &mut Page, source: &[u8]) -> Vec<Range<usize>> {
    let mut pending = Vec::new();
    let whole = Piece { text: PieceText::Source(0..source.len()), nesting: 0 };
    let skipped = parse_piece::<ALL>(page, source, &whole, &mut pending);
    page.own_ids = page.ids.len();
    while let Some(piece) = pending.pop() {
        parse_piece::<ALL>(page, source, &piece, &mut pending);
    }
    skipped
}

fn parse_piece<const ALL: bool>(
    page: &mut Page,
    source: &[u8],
    piece: &Piece,
    pending: &mut Vec<Piece>,
) -> Vec<Range<usize>> {
    let (text, origin) = match &piece.text {
        PieceText::Source(range) => (&source[range.clone()], Origin::Source(range.start)),
        PieceText::Decoded(document) => {
            (document.mapped.text.as_bytes(), Origin::Decoded(Rc::clone(document)))
        }
    };
    // The document in a `srcdoc` is HTML.
    let syntax = if matches!(origin, Origin::Source(_)) { page.syntax } else { PageSyntax::Html };
    let mut builder = Builder {
        page,
        syntax,
        text,
        origin,
        nesting: piece.nesting,
        pending,
        shadow_tree: 0,
        is_in_body: false,
        has_preload: false,
        skipped: Vec::new(),
        attributes: Vec::new(),
        form_method: FormMethod::Get,
        foreign: None,
        named_chunks: NamedChunks::default(),
        qwik: None,
        material: MaterialPage::default(),
        open_plugins: Vec::new(),
    };
    let runs_scripts = builder.is_run();
    let is_page = text.len() == source.len();
    let mut page_tags = PageTags::new(text, syntax, is_page);
    let mut tags = TagReader::<ALL>::new(text, runs_scripts).with_syntax(syntax);
    while builder.qwik.is_none()
        && let Some(token) = tags.next(&mut builder.attributes, &mut page_tags)
    {
        builder.is_in_body = page_tags.is_in_body(token.range.start);
        builder.tag(&token);
    }
    // Only pages of Qwik name chunks in tags without other facts.
    let mut tags = tags.with_all();
    while let Some(token) = tags.next(&mut builder.attributes, &mut page_tags) {
        builder.is_in_body = page_tags.is_in_body(token.range.start);
        builder.tag(&token);
    }
    page_tags.filter.end_of_page(tags.text_end());
    builder.end_foreign_text(text.len());
    let open_template = tags.open_inert();
    builder.skip_inert(open_template.clone());
    let skipped = builder.skipped;
    if is_page {
        // Browsers show an error for XML with such faults.
        if syntax == PageSyntax::Html {
            let of_template =
                open_template.and_then(|template| faulty_markup::unclosed_template(text, template));
            let of_page = tags.unclosed().and_then(|cut| faulty_markup::unclosed(text, cut));
            page.facts.unclosed.extend(of_template.into_iter().chain(of_page));
            page.facts.misnested = faulty_markup::misnested_markup(text, &page_tags.filter);
        }
        leftover_texts::add_leftovers(page, text, &page_tags);
    }
    skipped
}

/// A piece of the page that is parsed separately.
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
    /// Its value, with locations in the text around it.
    mapped: MappedText,
    /// The `srcdoc` that contains it.
    outer: Option<Rc<Srcdoc>>,
}

impl Srcdoc {
    /// Returns the location of a part of it in the page's source.
    fn source(&self, range: &Range<u32>) -> Range<u32> {
        let location = self.mapped.source(range);
        self.outer.as_ref().map_or_else(|| location.clone(), |outer| outer.source(&location))
    }
}

/// The origin of the text that is parsed.
enum Origin {
    /// A slice of the source from this offset.
    Source(usize),
    /// A decoded attribute.
    Decoded(Rc<Srcdoc>),
}

/// The parts of a Material page that were found.
#[derive(Default)]
struct MaterialPage {
    is_material: bool,
    has_search: bool,
}

/// The open container of a page of Qwik.
#[derive(Default)]
struct QwikContainer {
    /// The folder of chunks, as written.
    folder: Option<Range<usize>>,
    /// The chunks that were added.
    known: HashSet<String>,
}

/// An object or a medium around the current tag.
struct OpenPlugin {
    name: Name,
    /// The reference of an object, by index.
    reference: Option<usize>,
}

/// Collects the facts of elements.
struct Builder<'p, 't> {
    page: &'p mut Page,
    text: &'t [u8],
    syntax: PageSyntax,
    origin: Origin,
    nesting: usize,
    pending: &'p mut Vec<Piece>,
    /// The shadow tree that the current tag is in; 0 for the page itself.
    shadow_tree: u32,
    /// Whether the current tag is in the body.
    is_in_body: bool,
    /// Whether a preload of a style sheet or a script came before.
    has_preload: bool,
    /// Ranges without live elements.
    skipped: Vec<Range<usize>>,
    /// Known attributes of the current element.
    attributes: Vec<WrittenAttribute>,
    /// Method of the last form.
    form_method: FormMethod,
    /// The `style` or `script` of SVG or `MathML` that the current tag began, and the start of its text.
    foreign: Option<(ForeignText, usize)>,
    named_chunks: NamedChunks,
    /// The container of Qwik, if one began.
    qwik: Option<QwikContainer>,
    material: MaterialPage,
    /// The objects and media around the current tag.
    open_plugins: Vec<OpenPlugin>,
}

/// Text that is parsed separately. In SVG and `MathML` it is markup that ends with the next tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ForeignText {
    Style,
    Script(ScriptType),
}

/// The method of a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FormMethod {
    /// As a query of its URL.
    #[default]
    Get,
    /// As the body of a request.
    Post,
    /// Not sent: it closes its dialog.
    Dialog,
}

impl Builder<'_, '_> {
    fn tag(&mut self, token: &ReadTag) {
        self.end_foreign_text(token.range.start);
        self.shadow_tree = token.shadow_tree;
        match &token.inertness {
            Inertness::Live if !token.is_end => self.start_tag(token),
            Inertness::Live if !self.open_plugins.is_empty() => self.end_plugin(token.name),
            // Only its content is inert.
            Inertness::Begins => {
                self.any_element(token);
                self.read_shadow_root(token);
            }
            Inertness::Ends(content) => self.skip_inert(Some(content.clone())),
            _ => {}
        }
        if self.qwik.is_some() {
            self.add_qwik_chunks(token);
        }
    }

    fn start_tag(&mut self, token: &ReadTag) {
        self.skipped.extend(token.raw.clone());
        if token.is_empty && self.syntax == PageSyntax::Html && self.is_main_document() {
            let unclosed = faulty_markup::unclosed_by_slash(self.text, token);
            let unclosed = unclosed.map(|found| Unclosed { span: self.span(&token.range), ..found });
            self.page.facts.unclosed.extend(unclosed);
        }
        self.any_element(token);
        if !needs_attributes(token.name) || !rows_of(token.name).is_empty() {
            let first = self.page.facts.references.len();
            self.known_element(token);
            self.add_notes(token, first);
        }
    }

    fn skip_inert(&mut self, content: Option<InertContent>) {
        self.skipped.extend(content.map(|content| content.tag.end..content.end));
    }

    /// Reads the text of an element: at once, or in SVG and `MathML` when its end is known.
    fn read_text(&mut self, kind: ForeignText, token: &ReadTag) {
        match &token.raw {
            Some(text) => self.text(kind, text.clone()),
            None if token.is_empty => {}
            None => self.foreign = Some((kind, token.range.end)),
        }
    }

    /// Ends the text of an SVG or `MathML` element, if there is one.
    fn end_foreign_text(&mut self, end: usize) {
        if let Some((kind, start)) = self.foreign.take() {
            self.text(kind, start..end);
        }
    }

    fn text(&mut self, kind: ForeignText, range: Range<usize>) {
        match kind {
            ForeignText::Style => self.style_sheet(range),
            ForeignText::Script(script_type) => self.script_text(script_type, range),
        }
    }

    /// Whether this is the page itself, not `noscript` or `srcdoc`.
    fn is_document(&self) -> bool {
        matches!(self.origin, Origin::Source(0))
    }

    /// Whether scripts run here: the content of `noscript` is for browsers without scripts.
    fn is_run(&self) -> bool {
        !matches!(self.origin, Origin::Source(1..))
    }

    /// Whether ids and names belong to the page itself, not to a `srcdoc` in it.
    fn is_main_document(&self) -> bool {
        matches!(self.origin, Origin::Source(_))
    }

    fn has(&self, name: Attribute) -> bool {
        self.attributes.iter().any(|attribute| attribute.name == name)
    }

    fn index_of(&self, name: Attribute) -> Option<usize> {
        self.attributes.iter().position(|attribute| attribute.name == name)
    }

    fn range_of(&self, name: Attribute) -> Option<Range<usize>> {
        self.index_of(name).map(|index| self.range_at(index))
    }

    /// Returns the location of an attribute's value; empty, after the name, if it has none.
    fn range_at(&self, index: usize) -> Range<usize> {
        let WrittenAttribute { name_range, value, .. } = &self.attributes[index];
        value.clone().unwrap_or(name_range.end..name_range.end)
    }

    fn text_of(&self, name: Attribute) -> Option<Cow<'_, str>> {
        self.range_of(name).map(|range| lossy(&self.text[range]))
    }

    /// Returns the text of a range with its character references decoded.
    fn decoded(&self, range: &Range<usize>) -> String {
        decode_references(&lossy(&self.text[range.clone()])).into_owned()
    }

    /// Whether an attribute is exactly this word, in any case.
    fn is_word(&self, name: Attribute, word: &str) -> bool {
        self.text_of(name).is_some_and(|text| text.trim().eq_ignore_ascii_case(word))
    }

    /// Whether an attribute contains this word, in any case.
    fn has_word(&self, name: Attribute, word: &str) -> bool {
        self.text_of(name)
            .is_some_and(|text| text.split_ascii_whitespace().any(|w| w.eq_ignore_ascii_case(word)))
    }

    fn is_filled(&self, name: Attribute) -> bool {
        self.text_of(name).is_some_and(|text| !text.trim().is_empty())
    }

    fn push_note(&mut self, kind: NoteKind, range: &Range<usize>) {
        let span = self.span(range);
        self.page.facts.note(kind, span);
    }

    /// Converts a range of the text to a location in the page's source.
    fn span(&self, range: &Range<usize>) -> Range<u32> {
        match &self.origin {
            Origin::Source(start) => (start + range.start) as u32..(start + range.end) as u32,
            Origin::Decoded(document) => document.source(&(range.start as u32..range.end as u32)),
        }
    }

    fn value(&mut self, name: Attribute) -> Option<(Value, Range<u32>)> {
        self.index_of(name).map(|index| self.value_at(index))
    }

    /// Returns an attribute's value and location; an empty value has the location of the name.
    fn value_at(&mut self, index: usize) -> (Value, Range<u32>) {
        let attribute = &self.attributes[index];
        let location = attribute.value.clone().filter(|range| !range.is_empty());
        let span = self.span(location.as_ref().unwrap_or(&attribute.name_range));
        let range = location.unwrap_or(0..0);
        let value = match self.origin {
            Origin::Source(start) => Value {
                start: (start + range.start) as u32,
                end: (start + range.end) as u32,
                in_source: true,
            },
            Origin::Decoded(_) => self.page.facts.store(&lossy(&self.text[range])),
        };
        (value, span)
    }

    fn push(&mut self, kind: ReferenceKind, name: Attribute) {
        if let Some((value, span)) = self.value(name) {
            self.page.facts.push(kind, Some(value), span);
        }
    }

    fn push_at(&mut self, kind: ReferenceKind, index: usize) {
        let (value, span) = self.value_at(index);
        self.page.facts.push(kind, Some(value), span);
    }

    /// Adds the reference of a required attribute.
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

    fn push_srcset(&mut self, kind: ReferenceKind, index: usize) {
        let value = self.mapped(&self.range_at(index));
        let urls = srcset::urls(&value.text);
        if urls.is_empty() {
            self.push_at(kind, index);
        }
        for url in urls {
            self.push_part(kind, &value, url);
        }
    }

    /// Adds each URL of a list separated by white space, such as `ping`.
    fn push_list(&mut self, kind: ReferenceKind, index: usize) {
        let value = self.mapped(&self.range_at(index));
        for url in srcset::words(&value.text) {
            self.push_part(kind, &value, url);
        }
    }

    /// Returns the decoded value of an attribute, with its locations.
    fn mapped(&self, range: &Range<usize>) -> MappedText {
        MappedText::from_attribute(&self.text[range.clone()], range.start)
    }

    /// Returns the location of a part of a decoded text.
    fn span_in(&self, text: &MappedText, range: &Range<usize>) -> Range<u32> {
        let location = text.source(&(range.start as u32..range.end as u32));
        self.span(&(location.start as usize..location.end as usize))
    }

    /// Adds a part of an attribute's value.
    fn push_part(&mut self, kind: ReferenceKind, value: &MappedText, part: Range<usize>) {
        // An empty part has no location.
        let location = if part.is_empty() { 0..value.text.len() } else { part.clone() };
        let span = self.span_in(value, &location);
        self.page.facts.push_text(kind, &value.text[part], span);
    }
}

/// Decodes text. Almost all of it is valid, which `from_utf8` confirms faster.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::path::Path;

    use super::{Page, Source, parse_source};
    use sitegate_html::attribute_name::Attribute;
    use sitegate_html::element::Name;

    fn facts<const ALL: bool>(html: &[u8]) -> String {
        let mut page = Page::new(Source::from(html.to_vec()));
        let source = std::mem::take(&mut page.source);
        let skipped = parse_source::<ALL>(&mut page, &source);
        format!("{page:?} {skipped:?}")
    }

    /// Asserts that the facts of a page do not depend on whether the tokenizer reports all tags.
    fn assert_same_facts(html: &[u8], name: &str) {
        assert_eq!(facts::<false>(html), facts::<true>(html), "{name}");
    }

    #[test]
    fn skipped_tags_have_no_facts() {
        let tags = Name::names().chain(["g", "x-y"]);
        for tag in tags {
            let each = Attribute::names().map(|attribute| {
                let element = |value| format!("<{tag} class=c {attribute}='{value}'>x</{tag}>");
                let first = element("a.png") + &element("url(#a)");
                format!("{first}<{tag} {attribute}>y</{tag} id=b><svg>{first}</svg>")
            });
            for html in each {
                assert_same_facts(html.as_bytes(), &html);
            }
        }
    }

    #[test]
    fn pages_of_cases_have_the_same_facts() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
        let cases = sitegate_textcase::read_folder(&folder).unwrap();
        let files = || cases.iter().flat_map(|case| case.files().map(move |file| (case.full_name(), file)));
        let pages: Vec<_> = files().filter(|(_, (path, _))| path.ends_with(".html")).collect();
        for (case, (path, text)) in &pages {
            assert_same_facts(text.as_bytes(), &format!("{case}: {path}"));
        }
        assert!(pages.len() > 300, "only {} pages", pages.len());
    }
}
