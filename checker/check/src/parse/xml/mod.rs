//! XML: SVG files, sitemaps, feeds, `OpenSearch` descriptions and `browserconfig.xml`, by quick-xml's borrowing reader, whose slices
//! tell their places.

mod feed;
mod metadata;

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use quick_xml::Reader;
use quick_xml::events::{BytesPI, BytesStart, Event};

use super::css;
use super::feed_content::join;
use super::idrefs::{self, IdAttribute, NamedId};
use super::page::Page;
use super::reference::Value;
use super::reference_kind::ReferenceKind;

/// What kind of XML document a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vocabulary {
    Svg,
    Sitemap,
    Rss,
    Atom,
    OpenSearch,
    BrowserConfig,
}

impl Vocabulary {
    /// By the name of the root element; others hold no references that are known.
    fn of(root: &str) -> Option<Vocabulary> {
        match root {
            "svg" => Some(Vocabulary::Svg),
            "urlset" | "sitemapindex" => Some(Vocabulary::Sitemap),
            "rss" | "RDF" => Some(Vocabulary::Rss),
            "feed" => Some(Vocabulary::Atom),
            "OpenSearchDescription" => Some(Vocabulary::OpenSearch),
            "browserconfig" => Some(Vocabulary::BrowserConfig),
            _ => None,
        }
    }
}

/// Parses [`Page::source`].
///
/// # Errors
/// When the document is not well-formed: the reason, and the offset. What stands before it is kept.
pub fn parse_xml(page: &mut Page) -> Result<(), (String, u32)> {
    let source = std::mem::take(&mut page.source);
    let result = match std::str::from_utf8(&source) {
        Ok(text) => XmlDocument::new(page, text).read(),
        // An encoding that the declaration names: its markup is ASCII all the same.
        Err(_) => {
            let text: String = source.iter().map(|&b| if b.is_ascii() { b as char } else { '?' }).collect();
            XmlDocument::new(page, &text).read()
        }
    };
    page.source = source;
    if result.is_err() {
        page.named_ids.clear();
    }
    result
}

/// What an element's text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ElementText {
    /// Nothing that is read.
    Other,
    /// A reference, or an SVG's `style`.
    Reference(ReferenceKind),
    /// The address of a feed's item.
    ItemLink,
    /// A name of a feed's item that is its address too.
    Guid,
    /// HTML that a feed's item holds.
    Content,
}

/// An element that is open.
struct OpenTag {
    name: String,
    /// Where its content begins.
    content: usize,
    text: ElementText,
    /// What the addresses in it are relative to, where the document says so.
    base: Option<Rc<str>>,
    /// Whether there are elements in it.
    has_children: bool,
    /// Whether it is an item of a feed, or a part of one.
    is_in_item: bool,
    /// Whether it is part of what a feed's item holds, or of another text that is read as a whole.
    is_content: bool,
}

/// What is known of the item of a feed that is open.
#[derive(Default)]
struct FeedItem {
    /// Its own page.
    link: Option<String>,
    guid: Option<(String, Range<u32>)>,
    contents: Vec<ItemContent>,
}

/// HTML that an item holds.
struct ItemContent {
    place: Range<usize>,
    /// Whether it is written as markup, and not as text.
    is_markup: bool,
    base: Option<Rc<str>>,
}

struct XmlDocument<'p, 's> {
    page: &'p mut Page,
    source: &'s str,
    vocabulary: Option<Vocabulary>,
    open: Vec<OpenTag>,
    item: FeedItem,
    /// Whether an `xml:base` was too long to be followed.
    has_long_base: bool,
    /// The style sheets named before the root.
    style_sheets: Vec<(Value, Range<u32>)>,
}

impl<'p, 's> XmlDocument<'p, 's> {
    fn new(page: &'p mut Page, source: &'s str) -> Self {
        let (item, style_sheets) = (FeedItem::default(), Vec::new());
        XmlDocument {
            page,
            source,
            vocabulary: None,
            open: Vec::new(),
            item,
            has_long_base: false,
            style_sheets,
        }
    }

    fn read(&mut self) -> Result<(), (String, u32)> {
        let text = self.source.strip_prefix('\u{feff}').unwrap_or(self.source);
        let skipped = self.source.len() - text.len();
        let mut reader = Reader::from_str(text);
        loop {
            let before = skipped + reader.buffer_position() as usize;
            let event = reader.read_event();
            let error_at = skipped + reader.error_position() as usize;
            match event.map_err(|error| (error.to_string(), error_at as u32))? {
                Event::Start(tag) => {
                    let content = skipped + reader.buffer_position() as usize;
                    if !self.start(&tag, content) {
                        return Ok(());
                    }
                }
                Event::Empty(tag) => {
                    let content = skipped + reader.buffer_position() as usize;
                    if !self.start(&tag, content) {
                        return Ok(());
                    }
                    self.open.pop();
                }
                Event::End(_) => {
                    if let Some(tag) = self.open.pop() {
                        let range = tag.content..before;
                        self.end(&tag, range);
                    }
                }
                Event::PI(instruction) if self.vocabulary.is_none() => self.style_sheet(&instruction),
                Event::Eof if self.open.is_empty() => return Ok(()),
                Event::Eof => {
                    return Err(("the document ends before its elements do".to_owned(), before as u32));
                }
                _ => {}
            }
        }
    }

    /// Takes a start tag. Says whether the document is one that is read.
    fn start(&mut self, tag: &BytesStart<'_>, content: usize) -> bool {
        let name = local(tag.name().into_inner());
        if self.vocabulary.is_none() {
            self.vocabulary = Vocabulary::of(name);
        }
        let Some(vocabulary) = self.vocabulary else { return false };
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
            Vocabulary::OpenSearch => self.open_search(name, tag),
            Vocabulary::BrowserConfig => self.browser_config(name, tag),
        };
        if let Some(open) = self.open.last_mut() {
            open.text = text;
            open.is_content |= text != ElementText::Other;
        }
        true
    }

    /// Takes what an element held, once it is closed.
    fn end(&mut self, tag: &OpenTag, range: Range<usize>) {
        match tag.text {
            ElementText::Other => {}
            ElementText::Reference(kind) => self.text(kind, range),
            ElementText::ItemLink | ElementText::Guid | ElementText::Content => self.item_text(tag, range),
        }
        if matches!(tag.name.as_str(), "item" | "entry") && !tag.is_content {
            self.end_item();
        }
    }

    /// What addresses are relative to in the element at hand, where the document says so.
    fn base(&self) -> Option<Rc<str>> {
        self.open.last().and_then(|open| open.base.clone())
    }

    /// The name of the element around the one at hand.
    fn parent(&self) -> &str {
        let parent = self.open.len().checked_sub(2).and_then(|at| self.open.get(at));
        parent.map_or("", |parent| parent.name.as_str())
    }

    /// `<?xml-stylesheet href?>` (Associating Style Sheets with XML documents).
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

    /// SVG reads `href` first, then `xlink:href`; ids can be reached by fragments.
    fn svg(&mut self, qualified: &str, tag: &BytesStart<'_>) {
        if let Some(kind) = refers(qualified.strip_prefix("svg:").unwrap_or(qualified))
            && !self.attribute(tag, "href", kind)
        {
            self.attribute(tag, "xlink:href", kind);
        }
        for attribute in tag.attributes().with_checks(false).flatten() {
            match attribute.key.into_inner() {
                "id" => {
                    let span = self.span(&attribute.value);
                    let id = self.value(&attribute.value);
                    self.page.ids.push((id, span));
                }
                "style" => {
                    self.css(&attribute.value);
                    self.painted_ids(&attribute.value);
                }
                name if idrefs::is_painted(name.as_bytes()) => self.painted_ids(&attribute.value),
                _ => {}
            }
        }
    }

    /// Pushes an attribute's reference, if it is there.
    fn attribute(&mut self, tag: &BytesStart<'_>, wanted: &str, kind: ReferenceKind) -> bool {
        let Ok(Some(found)) = tag.try_get_attribute(wanted) else { return false };
        let span = self.span(&found.value);
        self.reference(kind, &unescaped(&found.value), span);
        true
    }

    /// The text of an element that is a reference, or of an SVG's `style`.
    fn text(&mut self, kind: ReferenceKind, range: Range<usize>) {
        if kind.is_css() {
            let written = self.source.get(range).unwrap_or("").trim();
            self.css(bare(written).unwrap_or(written));
            self.painted_ids(bare(written).unwrap_or(written));
        } else if let Some((text, span)) = self.plain_text(range) {
            self.reference(kind, &text, span);
        }
    }

    /// The text of an element without white space around it, and its place; `None` where there is none.
    fn plain_text(&self, range: Range<usize>) -> Option<(String, Range<u32>)> {
        let written = self.source.get(range).unwrap_or("").trim();
        let bare = bare(written);
        let text = match bare {
            Some(bare) => bare.trim().to_owned(),
            None => unescaped(written).into_owned(),
        };
        let span = self.span(bare.unwrap_or(written).trim());
        (!written.is_empty()).then_some((text, span))
    }

    /// Adds a reference, relative to what the document says.
    fn reference(&mut self, kind: ReferenceKind, text: &str, span: Range<u32>) {
        let value = match self.base() {
            Some(base) => join(&base, text).into_owned(),
            None => text.to_owned(),
        };
        let value = self.page.facts.keep(&value);
        self.page.facts.push(kind, Some(value), span);
    }

    /// Takes in the ids in `url(#id)` of a style or an attribute.
    fn painted_ids(&mut self, style: &str) {
        for (id, _) in idrefs::ids_in_urls(&unescaped(style)) {
            let span = self.span(style);
            let id = self.page.facts.keep(&id);
            self.page.named_ids.push(NamedId { attribute: IdAttribute::Url, id, span, tree: 0 });
        }
    }

    fn css(&mut self, sheet: &str) {
        let start = self.span(sheet).start;
        let page = &mut *self.page;
        css::urls(sheet, |css_use, url, span| {
            page.facts.push_css(
                ReferenceKind::of_css(css_use),
                url,
                start + span.start as u32..start + span.end as u32,
            );
        });
    }

    /// A value with its entities decoded.
    fn value(&mut self, written: &str) -> Value {
        self.page.facts.keep(&unescaped(written))
    }

    /// Where a slice of the source lies in it; its start where the reader had to copy.
    fn span(&self, slice: &str) -> Range<u32> {
        let start = (slice.as_ptr() as usize).wrapping_sub(self.source.as_ptr() as usize);
        match start.checked_add(slice.len()) {
            Some(end) if end <= self.source.len() => start as u32..end as u32,
            _ => 0..0,
        }
    }
}

/// The kind of reference that an element of SVG makes by its `href` (SVG 2, and SVG 1.1 for those that it had more);
/// editors write `xlink:href` on elements of their own and on others, where it means nothing.
fn refers(element: &str) -> Option<ReferenceKind> {
    match element {
        "a" => Some(ReferenceKind::SvgA),
        "image" | "feImage" => Some(ReferenceKind::SvgImage),
        "script" => Some(ReferenceKind::Script),
        "use" | "textPath" | "mpath" | "pattern" | "linearGradient" | "radialGradient" | "animate"
        | "animateMotion" | "animateTransform" | "set" | "discard" | "filter" | "cursor" | "tref"
        | "altGlyph" | "glyphRef" | "font-face-uri" => Some(ReferenceKind::SvgUse),
        _ => None,
    }
}

/// A value with its entities decoded.
fn unescaped(written: &str) -> Cow<'_, str> {
    quick_xml::escape::unescape(written).unwrap_or(Cow::Borrowed(written))
}

/// The text of an element that is one CDATA section.
fn bare(written: &str) -> Option<&str> {
    written.strip_prefix("<![CDATA[").and_then(|rest| rest.strip_suffix("]]>"))
}

/// What an attribute says.
fn said(tag: &BytesStart<'_>, attribute: &str) -> Option<String> {
    let found = tag.try_get_attribute(attribute).ok()??;
    Some(unescaped(&found.value).trim().to_owned())
}

/// A name without its prefix.
fn local(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, local)| local)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::Source;

    fn found(xml: &str) -> Vec<(String, String)> {
        let mut page = Page::new(Source::decoded(xml.into()));
        let _ = parse_xml(&mut page);
        let all = page.facts.references.iter().filter_map(|reference| {
            let span = reference.span.start as usize..reference.span.end as usize;
            Some((page.str(reference.value?).to_owned(), xml[span].to_owned()))
        });
        all.collect()
    }

    #[test]
    fn an_attribute_of_an_element_that_has_none_is_no_reference() {
        let svg = "<svg:svg><metadata xlink:href='a'/><inkscape:path xlink:href='b'/><svg:use xlink:href='c'/><g href='d'/></svg:svg>";
        assert_eq!(found(svg), [("c".to_owned(), "c".to_owned())]);
    }

    #[test]
    fn positions_are_those_of_the_source() {
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
    fn feeds_and_sitemaps() {
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
    fn what_is_not_well_formed_says_where() {
        let mut page = Page::new(Source::decoded(b"<svg><a></b></svg>".to_vec()));
        assert!(parse_xml(&mut page).is_err());
        let mut page = Page::new(Source::decoded(b"<svg><a>".to_vec()));
        assert!(parse_xml(&mut page).is_err());
    }
}
