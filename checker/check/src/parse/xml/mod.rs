//! Parses XML: SVG files, sitemaps and feeds. Uses quick-xml's borrowing reader, whose slices have known locations.

mod feed;
mod sitemap;
pub(super) mod syntax;
mod values;

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use quick_xml::Reader;
use quick_xml::events::{BytesPI, BytesStart, Event};

pub(super) use syntax::check_well_formed;
use syntax::{Entities, LATE_DECLARATION, check_attributes, check_reference};

use super::facts::Malformed;
use super::feed_content::join;
use super::page::Page;
use super::reference::{ReferencedId, Value, ids_in_urls};
use super::reference_kind::ReferenceKind;
use sitegate_html::attribute_name::Attribute;
use sitegate_html::attribute_name::IdAttribute;
use sitegate_html::css;
use sitegate_html::element::Name;
use sitegate_html::element_table::{URL_ATTRIBUTES, rows_of};
use sitegate_html::key::key;
use sitegate_html::url_attribute::Scope;

/// The vocabulary of an XML document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vocabulary {
    Svg,
    Sitemap,
    Rss,
    Atom,
}

impl Vocabulary {
    /// Returns the vocabulary by the name of the root element; `None` for unknown ones.
    fn from_root(root: &str) -> Option<Vocabulary> {
        match root {
            "svg" => Some(Vocabulary::Svg),
            "urlset" | "sitemapindex" => Some(Vocabulary::Sitemap),
            "rss" | "RDF" => Some(Vocabulary::Rss),
            "feed" => Some(Vocabulary::Atom),
            _ => None,
        }
    }
}

/// Parses [`Page::source`].
///
/// # Errors
/// If the document is not well-formed, and is no sitemap: the reason, and the offset. References before the error stay.
pub fn parse_xml(page: &mut Page) -> Result<(), (String, u32)> {
    let source = std::mem::take(&mut page.source);
    let text: Cow<'_, str> = std::str::from_utf8(&source).map_or_else(
        // In other declared encodings the markup is still ASCII.
        |_| source.iter().map(|&b| if b.is_ascii() { b as char } else { '?' }).collect(),
        Cow::Borrowed,
    );
    let mut document = XmlDocument::new(page, &text);
    let result = document.read();
    let is_sitemap = document.vocabulary == Some(Vocabulary::Sitemap);
    let has_fault = document.has_reported(XmlFault::Syntax);
    drop(text);
    page.source = source;
    if result.is_err() {
        page.referenced_ids.clear();
    }
    match result {
        // Parsers stop at the first.
        Err(_) if has_fault => Ok(()),
        Err((reason, at)) if is_sitemap => {
            page.facts.malformed.push(Malformed::syntax("sitemap", reason, at..at));
            Ok(())
        }
        result => result,
    }
}

/// A value that has few forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueKind {
    /// How often a page changes.
    Frequency,
    /// The priority of a page.
    Priority,
    /// The minutes for which readers keep a feed.
    Minutes,
}

/// The meaning of an element's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ElementText {
    /// None.
    Other,
    /// A reference, or an SVG's `style`.
    Reference(ReferenceKind),
    /// The URL of a feed's item.
    ItemLink,
    /// An id of a feed's item.
    Id,
    /// An id of a feed's item that is also its URL.
    Guid,
    /// The HTML of a feed's item.
    Content,
    /// A date of a feed or of a sitemap.
    Date,
    /// A value of a feed or of a sitemap that has few forms.
    Value(ValueKind),
}

/// An open element.
struct OpenTag {
    name: String,
    /// Start of its content.
    content: usize,
    text: ElementText,
    /// The base of URLs in it, if the document sets one.
    base: Option<Rc<str>>,
    /// Whether it contains elements.
    has_children: bool,
    /// Whether it is an item of a feed, or a part of one.
    is_in_item: bool,
    /// Whether it is part of an item's HTML, or of another text that is read as a whole.
    is_content: bool,
}

/// The open item of a feed.
#[derive(Default)]
struct FeedItem {
    /// Its own page.
    link: Option<String>,
    guid: Option<(String, Range<u32>)>,
    contents: Vec<ItemContent>,
    /// Its name, while it is open.
    name: Option<Range<u32>>,
    /// Whether it has a title, an id and a time of its last change.
    has_title: bool,
    has_id: bool,
    has_change: bool,
}

/// The HTML of an item.
struct ItemContent {
    range: Range<usize>,
    /// Whether it is written as markup, not as text.
    is_markup: bool,
    base: Option<Rc<str>>,
}

/// The kinds of faults of which the first is reported: one template writes all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum XmlFault {
    /// It is not well-formed, in a way that the reader accepts.
    Syntax,
    /// An `xml:base` is too long.
    LongBase,
    /// A date is none.
    Date,
    /// A value has none of its forms.
    Value,
    /// An id is empty, or that of two items.
    Id,
    /// A guid is no URL.
    Guid,
    /// An enclosure lacks an attribute.
    Enclosure,
    /// A link has no `href`.
    Link,
    /// An element has a name that its readers do not know.
    UnknownElement,
    /// An item lacks an element.
    IncompleteItem,
}

struct XmlDocument<'p, 's> {
    page: &'p mut Page,
    source: &'s str,
    vocabulary: Option<Vocabulary>,
    open: Vec<OpenTag>,
    item: FeedItem,
    /// The kinds of faults that were reported.
    reported: Vec<XmlFault>,
    /// Style sheets that are named before the root.
    style_sheets: Vec<(Value, Range<u32>)>,
    /// The name of the open item of a sitemap, until its location.
    sitemap_item: Option<Range<u32>>,
    /// The first item of a sitemap without location, and their number.
    without_location: Option<(Range<u32>, usize)>,
    /// Whether a sitemap has an item.
    has_sitemap_item: bool,
    /// The ids of a feed's items so far.
    ids: HashSet<Box<str>>,
    /// Whether it has a doctype, which may declare prefixes.
    has_doctype: bool,
    /// The prefixes of names that the document declares, as far as they are used.
    prefixes: Vec<Box<str>>,
}

impl<'p, 's> XmlDocument<'p, 's> {
    fn new(page: &'p mut Page, source: &'s str) -> Self {
        XmlDocument {
            page,
            source,
            vocabulary: None,
            open: Vec::new(),
            item: FeedItem::default(),
            reported: Vec::new(),
            style_sheets: Vec::new(),
            sitemap_item: None,
            without_location: None,
            has_sitemap_item: false,
            ids: HashSet::new(),
            has_doctype: false,
            prefixes: Vec::new(),
        }
    }

    fn read(&mut self) -> Result<(), (String, u32)> {
        let text = self.source.strip_prefix('\u{feff}').unwrap_or(self.source);
        let skipped = self.source.len() - text.len();
        let mut reader = Reader::from_str(text);
        loop {
            let before = skipped + reader.buffer_position() as usize;
            let event = reader.read_event();
            let is_empty = matches!(event, Ok(Event::Empty(_)));
            let error_at = skipped + reader.error_position() as usize;
            match event.map_err(|error| (error.to_string(), error_at as u32))? {
                Event::Start(tag) | Event::Empty(tag) => {
                    let content = skipped + reader.buffer_position() as usize;
                    if !self.start(&tag, content) {
                        return Ok(());
                    }
                    self.open.pop_if(|_| is_empty);
                }
                Event::End(_) => {
                    if let Some(tag) = self.open.pop() {
                        let range = tag.content..before;
                        self.end(&tag, range);
                    }
                }
                Event::DocType(doctype) => {
                    self.page.entities = Entities::read(&doctype);
                    self.has_doctype = true;
                }
                Event::GeneralRef(name) => {
                    let checked = check_reference(&name, &self.page.entities, before);
                    self.note_syntax(checked);
                }
                Event::PI(instruction) if self.vocabulary.is_none() => self.style_sheet(&instruction),
                Event::Decl(_) if before > skipped && self.vocabulary.is_none() => {
                    let span = before as u32..skipped as u32 + reader.buffer_position() as u32;
                    self.page.facts.malformed.push(Malformed::syntax("XML file", LATE_DECLARATION, span));
                }
                Event::Eof if self.vocabulary.is_none() && !text.trim().is_empty() => {
                    return Err(("it has no root element".to_owned(), 0));
                }
                Event::Eof if self.open.is_empty() => {
                    self.check_sitemap_items();
                    return Ok(());
                }
                Event::Eof => {
                    return Err(("the document ends before its elements do".to_owned(), before as u32));
                }
                _ => {}
            }
        }
    }

    /// Reports a page of HTML in a file of XML: generators write redirect pages at the paths of sitemaps and feeds
    /// (Simply-Static/simply-static#305). Browsers show its markup, and crawlers find no list in it.
    fn html_root(&mut self, tag: &BytesStart<'_>) {
        let span = self.span(tag.name().into_inner());
        let reason = "it is a page of HTML";
        self.page.facts.malformed.push(Malformed::meaning("XML file", reason, span));
    }

    /// Notes the first fault for which parsers of XML stop.
    fn note_syntax(&mut self, checked: Result<(), (String, u32)>) {
        let Err((reason, at)) = checked else { return };
        let format = match self.vocabulary {
            Some(Vocabulary::Svg) => "SVG",
            Some(Vocabulary::Sitemap) => "sitemap",
            Some(Vocabulary::Rss | Vocabulary::Atom) => "feed",
            None => "XML file",
        };
        self.report(XmlFault::Syntax, Malformed::syntax(format, reason, at..at));
    }

    /// Reports a fault, if it is the first of its kind.
    fn report(&mut self, fault: XmlFault, malformed: Malformed) {
        if !self.has_reported(fault) {
            self.reported.push(fault);
            self.page.facts.malformed.push(malformed);
        }
    }

    fn has_reported(&self, fault: XmlFault) -> bool {
        self.reported.contains(&fault)
    }

    /// Checks that the prefix of a name is declared: else parsers stop there (Namespaces in XML 1.0, 5). The declaration
    /// may be anywhere in the document.
    fn check_prefix(&mut self, name: &str) {
        let Some((prefix, _)) = name.split_once(':') else { return };
        if matches!(prefix, "xml" | "xmlns") || self.prefixes.iter().any(|known| **known == *prefix) {
            return;
        }
        let declaration = format!("xmlns:{prefix}");
        if self.has_doctype || memchr::memmem::find(self.source.as_bytes(), declaration.as_bytes()).is_some()
        {
            self.prefixes.push(prefix.into());
            return;
        }
        let at = self.span(name).start;
        self.note_syntax(Err((format!("the prefix of `{name}` is not declared; add `{declaration}`"), at)));
    }

    /// Handles a start tag. Returns whether the document has a known vocabulary.
    fn start(&mut self, tag: &BytesStart<'_>, content: usize) -> bool {
        let name = local(tag.name().into_inner());
        if self.vocabulary.is_none() {
            self.vocabulary = Vocabulary::from_root(name);
            if self.vocabulary == Some(Vocabulary::Sitemap) {
                self.sitemap_namespace(tag);
            } else if name.eq_ignore_ascii_case("html") && attribute_text(tag, "xmlns").is_none() {
                self.html_root(tag);
            }
        }
        let Some(vocabulary) = self.vocabulary else { return false };
        // Drawings have most of the attributes, and few with an entity.
        if vocabulary != Vocabulary::Svg || memchr::memchr(b'&', tag.as_bytes()).is_some() {
            let at = self.span(tag.name().into_inner()).start;
            let checked = check_attributes(tag, &self.page.entities, at as usize);
            self.note_syntax(checked);
        }
        self.check_prefix(tag.name().into_inner());
        for (value, span) in self.style_sheets.drain(..) {
            self.page.facts.push(ReferenceKind::XmlStylesheet, Some(value), span);
        }
        if let Some(parent) = self.open.last_mut() {
            parent.has_children = true;
        }
        let is_feed = matches!(vocabulary, Vocabulary::Rss | Vocabulary::Atom);
        let base = if is_feed { self.base_of(tag) } else { None };
        let parent = self.open.last();
        let is_content = parent.is_some_and(|parent| parent.is_content);
        self.open.push(OpenTag {
            name: name.to_owned(),
            content,
            text: ElementText::Other,
            base,
            has_children: false,
            is_in_item: matches!(name, "item" | "entry") || parent.is_some_and(|parent| parent.is_in_item),
            is_content,
        });
        let text = match vocabulary {
            Vocabulary::Svg => {
                self.svg(tag.name().into_inner(), tag);
                let is_style = name == "style" && !is_content;
                if is_style { ElementText::Reference(ReferenceKind::CssUrl) } else { ElementText::Other }
            }
            _ if is_content => ElementText::Other,
            Vocabulary::Sitemap => self.sitemap(name, tag),
            Vocabulary::Rss => self.rss(tag),
            Vocabulary::Atom => self.atom(tag),
        };
        if let Some(open) = self.open.last_mut() {
            open.text = text;
            open.is_content |= text != ElementText::Other;
        }
        true
    }

    /// Reads the content of a closed element.
    fn end(&mut self, tag: &OpenTag, range: Range<usize>) {
        match tag.text {
            ElementText::Other => {}
            ElementText::Reference(kind) => self.text(kind, range),
            ElementText::ItemLink | ElementText::Id | ElementText::Guid | ElementText::Content => {
                self.item_text(tag, range);
            }
            ElementText::Date => self.date(range),
            ElementText::Value(kind) => self.value_of(kind, range),
        }
        if matches!(tag.name.as_str(), "item" | "entry") && !tag.is_content {
            self.end_item();
        }
    }

    /// Returns the base of URLs in the current element, if the document sets one.
    fn base(&self) -> Option<Rc<str>> {
        self.open.last().and_then(|open| open.base.clone())
    }

    /// Returns the name of the current element's parent.
    fn parent(&self) -> &str {
        let parent = self.open.len().checked_sub(2).and_then(|at| self.open.get(at));
        parent.map_or("", |parent| parent.name.as_str())
    }

    /// Reads `<?xml-stylesheet href?>` (Associating Style Sheets with XML documents).
    fn style_sheet(&mut self, instruction: &BytesPI<'_>) {
        if instruction.target() != "xml-stylesheet" {
            return;
        }
        let mut attributes = instruction.attributes();
        let href =
            attributes.with_checks(false).flatten().find(|attribute| attribute.key.into_inner() == "href");
        if let Some(href) = href.filter(|href| !href.value.starts_with('#')) {
            let (value, span) = (self.value(&href.value), self.span(&href.value));
            self.style_sheets.push((value, span));
        }
    }

    /// SVG reads `href` first, then `xlink:href`; fragments can refer to ids.
    fn svg(&mut self, qualified: &str, tag: &BytesStart<'_>) {
        if let Some(kind) = reference_kind(qualified.strip_prefix("svg:").unwrap_or(qualified))
            && !self.attribute(tag, "href", kind)
        {
            self.attribute(tag, "xlink:href", kind);
        }
        for attribute in tag.attributes().with_checks(false).flatten() {
            let name = attribute.key.into_inner();
            self.check_prefix(name);
            match name {
                "id" => {
                    let span = self.span(&attribute.value);
                    let id = self.value(&attribute.value);
                    self.page.ids.push((id, span));
                }
                "style" => self.css(&attribute.value),
                name if Attribute::from_name(name.as_bytes()) == Attribute::Paint => {
                    self.css(&attribute.value);
                }
                _ => {}
            }
        }
    }

    /// Adds an attribute's reference, if it exists.
    fn attribute(&mut self, tag: &BytesStart<'_>, name: &str, kind: ReferenceKind) -> bool {
        let Ok(Some(found)) = tag.try_get_attribute(name) else { return false };
        let span = self.span(&found.value);
        if let Some(text) = self.expanded(&found.value) {
            self.reference(kind, &text, span);
        }
        true
    }

    /// Reads the text of an element that is a reference, or of an SVG's `style`.
    fn text(&mut self, kind: ReferenceKind, range: Range<usize>) {
        if kind.is_css() {
            let written = self.source.get(range).unwrap_or("").trim();
            self.css(cdata(written).unwrap_or(written));
        } else if let Some((text, span)) = self.plain_text(range) {
            self.reference(kind, &text, span);
        }
    }

    /// Returns the text of an element without surrounding white space, and its location; `None` if it is empty.
    fn plain_text(&self, range: Range<usize>) -> Option<(String, Range<u32>)> {
        let written = self.source.get(range).unwrap_or("").trim();
        let cdata = cdata(written);
        let text = match cdata {
            Some(cdata) => cdata.trim().to_owned(),
            None => self.expanded(written)?.into_owned(),
        };
        let span = self.span(cdata.unwrap_or(written).trim());
        (!written.is_empty()).then_some((text, span))
    }

    /// Adds a reference, relative to the current base.
    fn reference(&mut self, kind: ReferenceKind, text: &str, span: Range<u32>) {
        let address = self.with_base(text);
        self.page.facts.push_text(kind, &address, span);
    }

    /// Returns a URL relative to the current base.
    fn with_base(&self, address: &str) -> String {
        self.base().map_or_else(|| address.to_owned(), |base| join(&base, address).into_owned())
    }

    /// Adds the ids in `url(#id)` of a style or an attribute.
    fn add_ids_in_urls(&mut self, style: &str) {
        let Some(text) = self.expanded(style) else { return };
        for (id, _) in ids_in_urls(&text) {
            let span = self.span(style);
            let id = self.page.facts.store(&id);
            self.page.referenced_ids.push(ReferencedId {
                attribute: IdAttribute::in_urls(),
                id,
                span,
                tree: 0,
            });
        }
    }

    /// Adds the URLs of a style or an attribute, and the ids in them.
    fn css(&mut self, sheet: &str) {
        let start = self.span(sheet).start;
        let page = &mut *self.page;
        css::urls(sheet, |css_use, url, span| {
            let span = start + span.start as u32..start + span.end as u32;
            page.facts.push_text(ReferenceKind::of_css(css_use), url, span);
        });
        self.add_ids_in_urls(sheet);
    }

    /// Stores a value with its entities decoded.
    fn value(&mut self, written: &str) -> Value {
        let text = self.expanded(written).unwrap_or(Cow::Borrowed(written));
        self.page.facts.store(&text)
    }

    /// Decodes the entities in a value; `None` if their texts are not known.
    fn expanded<'t>(&self, written: &'t str) -> Option<Cow<'t, str>> {
        Some(match self.page.entities.expand(written)? {
            Cow::Borrowed(text) => unescaped(text),
            Cow::Owned(text) => Cow::Owned(unescaped(&text).into_owned()),
        })
    }

    /// Returns the location of a slice in the source; 0 if the reader had to copy it.
    fn span(&self, slice: &str) -> Range<u32> {
        let start = (slice.as_ptr() as usize).wrapping_sub(self.source.as_ptr() as usize);
        match start.checked_add(slice.len()) {
            Some(end) if end <= self.source.len() => start as u32..end as u32,
            _ => 0..0,
        }
    }
}

/// Returns the kind of reference that an SVG element makes by its `href`. Editors write `xlink:href` on other elements,
/// too, but without a meaning.
fn reference_kind(element: &str) -> Option<ReferenceKind> {
    let is_of_svg = |row: &usize| URL_ATTRIBUTES[*row].scope == Scope::Svg;
    let mut rows = rows_of(Name::from_key(key(element.as_bytes())));
    rows.find(is_of_svg).and_then(ReferenceKind::of_row)
}

/// Decodes the entities of XML in a value.
fn unescaped(written: &str) -> Cow<'_, str> {
    quick_xml::escape::unescape(written).unwrap_or(Cow::Borrowed(written))
}

/// Returns the text of an element that is one CDATA section.
fn cdata(written: &str) -> Option<&str> {
    written.strip_prefix("<![CDATA[").and_then(|rest| rest.strip_suffix("]]>"))
}

/// Returns the value of an attribute.
fn attribute_text(tag: &BytesStart<'_>, attribute: &str) -> Option<String> {
    let found = tag.try_get_attribute(attribute).ok()??;
    Some(unescaped(&found.value).trim().to_owned())
}

/// Returns a name without its prefix.
fn local(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, local)| local)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::Source;

    fn found(xml: &str) -> Vec<(String, String)> {
        let mut page = Page::new(Source::Text(xml.into()));
        let _ = parse_xml(&mut page);
        let all = page.facts.references.iter().filter_map(|reference| {
            let span = reference.span.start as usize..reference.span.end as usize;
            Some((page.str(reference.value?).to_owned(), xml[span].to_owned()))
        });
        all.collect()
    }

    #[test]
    fn ignores_links_on_elements_without_links() {
        let svg = "<svg:svg><metadata xlink:href='a'/><inkscape:path xlink:href='b'/><svg:use xlink:href='c'/><g href='d'/></svg:svg>";
        assert_eq!(found(svg), [("c".to_owned(), "c".to_owned())]);
    }

    #[test]
    fn locations_are_those_in_the_source() {
        let svg = "\u{feff}<svg xmlns='x'><use xlink:href=\"a.svg#x\"/><a href='b&amp;c'/><g style='fill:url(d.svg)'/></svg>";
        assert_eq!(
            found(svg),
            [
                ("a.svg#x".to_owned(), "a.svg#x".to_owned()),
                ("b&c".to_owned(), "b&amp;c".to_owned()),
                ("d.svg".to_owned(), "d.svg".to_owned()),
            ]
        );
    }

    #[test]
    fn finds_references_in_feeds_and_sitemaps() {
        let values = |xml: &str| found(xml).into_iter().map(|(value, _)| value).collect::<Vec<_>>();
        assert_eq!(values("<urlset><url><loc> https://x/?a&amp;b </loc></url></urlset>"), ["https://x/?a&b"]);
        assert_eq!(
            values(
                "<rss><channel><link><![CDATA[/a]]></link><item><enclosure url='/b.mp3'/></item></channel></rss>"
            ),
            ["/a", "/b.mp3"]
        );
        assert_eq!(values("<feed><link href='/a'/><logo>/l.png</logo><id>/no</id></feed>"), ["/a", "/l.png"]);
        assert_eq!(values("<other><loc>/a</loc></other>"), [""; 0]);
    }

    #[test]
    fn rejects_malformed_documents() {
        for document in ["<svg><a></b></svg>", "<svg><a>"] {
            let mut page = Page::new(Source::Text(document.to_owned()));
            assert!(parse_xml(&mut page).is_err(), "{document}");
        }
    }
}
