//! One lol_html pass over one HTML document: references, ids, base, and the contract's selectors.
//!
//! lol_html tells where each tag and attribute lies, so values are slices of the page's own buffer: nothing
//! is allocated for an element that says nothing of interest.

mod notes;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use lol_html::html_content::Element;
use lol_html::{DocumentContentHandlers, ElementContentHandlers, HtmlRewriter, Selector, Settings};

use super::encoding::{charset_of_content_type, declared};
use super::kinds::{self, Attribute, Tag};
use super::refresh::Refresh;
use super::text::{decode_references, element_text, implied_content};
use super::{Kind, Malformed, Match, Page, Selected, Value, css, json, refresh, srcset};

/// `srcdoc` inside `srcdoc` deeper than this is not looked into.
const MAX_NESTING: usize = 8;

/// Parses [`Page::source`]. `any` is the selector `*`, parsed once for all pages.
///
/// # Errors
/// When lol_html gives up, with its reason; nothing can then be promised of the page.
pub fn parse_html(page: &mut Page, any: &Selector, selected: &Selected<'_>) -> Result<(), String> {
    let source = std::mem::take(&mut page.source);
    let result = parse_source(page, &source, any, selected);
    page.source = source;
    result?;
    decode_values(page);
    Ok(())
}

fn parse_source(
    page: &mut Page,
    source: &[u8],
    any: &Selector,
    selected: &Selected<'_>,
) -> Result<(), String> {
    let mut pending = vec![Fragment { text: Text::Source(0..source.len()), nesting: 0 }];
    let mut is_document = true;
    while let Some(fragment) = pending.pop() {
        let kept;
        let (text, origin) = match &fragment.text {
            Text::Source(range) => (&source[range.clone()], Origin::Source(range.start)),
            Text::Decoded(text, span) => {
                kept = text.as_bytes();
                (kept, Origin::Decoded(span.clone()))
            }
        };
        let selected = if is_document { selected } else { &[] };
        let builder = RefCell::new(Builder {
            page: &mut *page,
            text,
            origin,
            nesting: fragment.nesting,
            pending: &mut pending,
            inert: Rc::new(Cell::new(0)),
            shadow: Rc::new(Cell::new(0)),
            attributes: Vec::new(),
            raw_until: 0,
        });
        rewrite(text, any, selected, &builder)?;
        drop(builder);
        if is_document {
            page.about.document_ids = page.ids.len();
        }
        is_document = false;
    }
    Ok(())
}

/// A piece of the page that is parsed as HTML by itself.
struct Fragment {
    text: Text,
    nesting: usize,
}

enum Text {
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

/// A match whose text is not known before its end tag.
#[derive(Default)]
struct Open {
    matches: Vec<OpenMatch>,
}

struct OpenMatch {
    assertion: usize,
    tag: Range<usize>,
    name: Vec<u8>,
    attributes: Vec<(String, String)>,
    void: bool,
    end: Option<usize>,
}

/// Runs lol_html over `text`, with the page's own handler and one for each selector.
fn rewrite(
    text: &[u8],
    any: &Selector,
    selected: &Selected<'_>,
    builder: &RefCell<Builder<'_, '_>>,
) -> Result<(), String> {
    let open = Rc::new(RefCell::new(Open::default()));
    let mut settings = Settings::new().with_strict(false);
    // A doctype handler, even an empty one, keeps lol_html in its lexer, which is faster here.
    settings = settings.append_document_content_handler(
        DocumentContentHandlers::default().doctype(|_: &mut lol_html::html_content::Doctype<'_>| Ok(())),
    );
    settings = settings.append_element_content_handler((
        Cow::Borrowed(any),
        ElementContentHandlers::default().element(|element: &mut Element<'_, '_>| {
            builder.borrow_mut().element(element);
            Ok(())
        }),
    ));
    for (index, assertion) in selected {
        let open = Rc::clone(&open);
        settings = settings.append_element_content_handler((
            Cow::Borrowed(&assertion.selector),
            ElementContentHandlers::default().element(move |element: &mut Element<'_, '_>| {
                if !builder.borrow().is_inert(element) {
                    open_match(&open, *index, assertion, element);
                }
                Ok(())
            }),
        ));
    }
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(text).map_err(|error| error.to_string())?;
    rewriter.end().map_err(|error| error.to_string())?;

    let matches = std::mem::take(&mut open.borrow_mut().matches);
    let page = &mut *builder.borrow_mut().page;
    for found in matches {
        let assertion = selected.iter().find(|(index, _)| *index == found.assertion);
        let read = assertion.is_some_and(|(_, assertion)| assertion.reads_text());
        let content = || match (found.void, found.end) {
            (true, _) => &text[..0],
            (false, Some(end)) => &text[found.tag.end.min(end)..end],
            (false, None) => implied_content(&text[found.tag.end..], &found.name),
        };
        page.matches.push(Match {
            assertion: found.assertion,
            span: found.tag.start as u32..found.tag.end as u32,
            text: read.then(|| element_text(content())),
            attributes: found.attributes,
        });
    }
    Ok(())
}

fn open_match(
    open: &Rc<RefCell<Open>>,
    index: usize,
    assertion: &crate::contract::Assertion,
    element: &mut Element<'_, '_>,
) {
    let wanted = assertion
        .attributes
        .keys()
        .chain(assertion.tokens.keys())
        .chain(assertion.values.keys())
        .chain(&assertion.same);
    let attributes = wanted
        .filter_map(|name| Some((name.clone(), element.get_attribute(name)?)))
        .map(|(name, value)| (name, decode_references(&value).into_owned()))
        .collect();
    let at = open.borrow().matches.len();
    let mut found = OpenMatch {
        assertion: index,
        tag: element.source_location().bytes(),
        name: element.tag_name().into_bytes(),
        attributes,
        void: true,
        end: None,
    };
    if let Some(handlers) = element.end_tag_handlers() {
        found.void = false;
        let open = Rc::clone(open);
        let name = found.name.clone();
        handlers.push(Box::new(move |end_tag| {
            // Another element's end tag closes this one where its own is left out.
            if end_tag.name().as_bytes() == name {
                open.borrow_mut().matches[at].end = Some(end_tag.source_location().bytes().start);
            }
            Ok(())
        }));
    }
    open.borrow_mut().matches.push(found);
}

/// One attribute of the element at hand, as ranges of the text that is being parsed.
struct Written {
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
    pending: &'p mut Vec<Fragment>,
    /// How many `template` elements are open here.
    inert: Rc<Cell<usize>>,
    /// How many shadow trees are open here.
    shadow: Rc<Cell<usize>>,
    attributes: Vec<Written>,
    /// Elements before this offset are text (see [`Builder::raw_text`]).
    raw_until: usize,
}

impl Builder<'_, '_> {
    fn element(&mut self, element: &mut Element<'_, '_>) {
        let range = element.source_location().bytes();
        let name = tag_name(self.text, &range);
        let tag = Tag::of(name);
        if range.start < self.raw_until || (self.inert.get() > 0 && tag != Tag::Template) {
            return;
        }
        if self.text[..range.end - 1].trim_ascii_end().ends_with(b"=") {
            self.raw_text(name, range.end);
        }
        self.attributes.clear();
        let name_end = range.start + 1 + name.len();
        if range.end > name_end + 1 {
            self.read_attributes(element);
        }
        if tag == Tag::Template {
            self.template(element);
            if self.inert.get() > 0 {
                return;
            }
        }
        self.any_element(tag);
        if tag != Tag::Other {
            let first = self.page.references.len();
            self.known_element(tag, element, &range);
            self.note(tag, element, &range, first);
        }
    }

    /// Whether an element is inside a template, or is text.
    fn is_inert(&self, element: &Element<'_, '_>) -> bool {
        self.inert.get() > 0 || element.source_location().bytes().start < self.raw_until
    }

    /// lol_html takes the content of a script, a style or the like for markup when its start tag ends in `=>`,
    /// as in `<script src=>`; the standard says that it is text.
    fn raw_text(&mut self, name: &[u8], start: usize) {
        const RAW: [&str; 9] =
            ["script", "style", "textarea", "title", "iframe", "xmp", "noscript", "noembed", "noframes"];
        if RAW.iter().any(|raw| name.eq_ignore_ascii_case(raw.as_bytes())) {
            let rest = &self.text[start..];
            let end_tag = [b"</", name].concat();
            self.raw_until = start + find_end_tag(rest, &end_tag).unwrap_or(rest.len());
        }
    }

    fn read_attributes(&mut self, element: &Element<'_, '_>) {
        for attribute in element.attributes() {
            let Some(location) = attribute.name_source_location() else { continue };
            let name_range = location.bytes();
            let name = Attribute::of(&self.text[name_range.clone()]);
            // The first of two attributes with one name wins.
            if name == Attribute::Other || self.attributes.iter().any(|a| a.name == name) {
                continue;
            }
            let value = attribute.value_source_location().map(|location| location.bytes());
            self.attributes.push(Written { name, name_range, value });
        }
    }

    /// Counts open templates, whose content is inert; declarative shadow DOM is live.
    fn template(&mut self, element: &mut Element<'_, '_>) {
        if self.has(Attribute::Shadowrootmode) {
            self.enter_shadow(element);
            return;
        }
        if let Some(handlers) = element.end_tag_handlers() {
            self.inert.set(self.inert.get() + 1);
            let inert = Rc::clone(&self.inert);
            handlers.push(Box::new(move |_| {
                inert.set(inert.get().saturating_sub(1));
                Ok(())
            }));
        }
    }

    /// Attributes that any element may have.
    fn any_element(&mut self, tag: Tag) {
        for index in 0..self.attributes.len() {
            match self.attributes[index].name {
                Attribute::Id if self.is_main_document() => {
                    if let Some((value, span)) = self.value_at(index) {
                        if self.shadow.get() > 0 {
                            self.page.about.shadow_ids.push(self.page.ids.len());
                        }
                        self.page.ids.push((value, span));
                    }
                }
                Attribute::Style => self.style_attribute(index),
                Attribute::Cite if tag.takes_cite() => self.push_at(&kinds::CITE, index),
                Attribute::Background if tag.takes_background() => {
                    self.push_at(&kinds::BACKGROUND, index);
                }
                _ => {}
            }
        }
    }

    fn known_element(&mut self, tag: Tag, element: &Element<'_, '_>, range: &Range<usize>) {
        match tag {
            Tag::A => {
                if self.is_svg(element) {
                    self.svg_reference(&kinds::SVG_A);
                } else {
                    self.push(&kinds::A, Attribute::Href);
                    self.push_list(&kinds::A_PING, Attribute::Ping);
                    if self.is_main_document()
                        && let Some((name, _)) = self.value(Attribute::Name)
                    {
                        self.page.names.push(name);
                    }
                }
            }
            Tag::Area => {
                self.push(&kinds::AREA, Attribute::Href);
                self.push_list(&kinds::AREA_PING, Attribute::Ping);
            }
            Tag::Link => self.link(range),
            Tag::Script => {
                self.push(&kinds::SCRIPT, Attribute::Src);
                self.json_ld(range);
            }
            Tag::Img => {
                if self.has(Attribute::Src) || !self.has(Attribute::Srcset) {
                    self.push_needed(&kinds::IMG, Attribute::Src, range);
                }
                self.push_srcset(&kinds::IMG_SRCSET, Attribute::Srcset);
                self.push(&kinds::LONGDESC, Attribute::Longdesc);
                self.usemap();
            }
            Tag::Map => {
                for name in [Attribute::Name, Attribute::Id] {
                    if let Some((name, _)) = self.value(name) {
                        self.page.maps.push(name);
                    }
                }
            }
            Tag::Source => {
                self.push(&kinds::SOURCE, Attribute::Src);
                self.push_srcset(&kinds::SOURCE_SRCSET, Attribute::Srcset);
                if !self.has(Attribute::Src) && !self.has(Attribute::Srcset) {
                    self.push_absent(&kinds::SOURCE, range);
                }
            }
            Tag::Video => {
                self.push(&kinds::VIDEO, Attribute::Src);
                self.push(&kinds::POSTER, Attribute::Poster);
            }
            Tag::Audio => self.push(&kinds::AUDIO, Attribute::Src),
            Tag::Track => self.push_needed(&kinds::TRACK, Attribute::Src, range),
            Tag::Iframe => {
                self.push(&kinds::IFRAME, Attribute::Src);
                self.push(&kinds::LONGDESC, Attribute::Longdesc);
                self.srcdoc();
            }
            Tag::Frame => {
                self.push(&kinds::FRAME, Attribute::Src);
                self.push(&kinds::LONGDESC, Attribute::Longdesc);
            }
            Tag::Embed => self.push_needed(&kinds::EMBED, Attribute::Src, range),
            Tag::Object => {
                self.push(&kinds::OBJECT, Attribute::Data);
                self.usemap();
            }
            Tag::Input => {
                self.usemap();
                self.input(range);
                self.push(&kinds::FORMACTION, Attribute::Formaction);
            }
            Tag::Button => self.push(&kinds::FORMACTION, Attribute::Formaction),
            Tag::Form => self.push(&kinds::FORM, Attribute::Action),
            Tag::Base => {
                if self.page.base.is_none() && self.is_main_document() {
                    self.page.base = self.value(Attribute::Href).map(|(value, _)| value);
                }
            }
            Tag::Meta => self.meta(),
            Tag::Style => self.style_element(range),
            Tag::Noscript => self.noscript(range),
            Tag::SvgReference => {
                if self.is_svg(element) {
                    let is_image = name_is_image(tag_name(self.text, range));
                    self.svg_reference(if is_image { &kinds::SVG_IMAGE } else { &kinds::SVG_USE });
                }
            }
            Tag::Template | Tag::Cites | Tag::Body | Tag::Html | Tag::Title | Tag::Other => {}
        }
    }

    fn link(&mut self, range: &Range<usize>) {
        let rel = self.text_of(Attribute::Rel).map(|rel| rel.to_ascii_lowercase()).unwrap_or_default();
        let has = |token: &str| rel.split_ascii_whitespace().any(|t| t == token);
        let connects = has("preconnect") || has("dns-prefetch");
        const LOADS: [&str; 7] =
            ["stylesheet", "icon", "preload", "modulepreload", "manifest", "apple-touch-icon", "mask-icon"];
        let loads = LOADS.iter().any(|token| has(token)) || self.has(Attribute::Imagesrcset);
        let kind = if connects && !loads {
            &kinds::LINK_CONNECT
        } else if has("stylesheet") {
            &kinds::LINK_STYLESHEET
        } else if has("icon") {
            &kinds::LINK_ICON
        } else if loads {
            &kinds::LINK
        } else {
            &kinds::LINK_RELATED
        };
        if self.has(Attribute::Href) || !self.has(Attribute::Imagesrcset) {
            self.push_needed(kind, Attribute::Href, range);
        }
        self.push_srcset(&kinds::LINK_IMAGESRCSET, Attribute::Imagesrcset);
    }

    fn input(&mut self, range: &Range<usize>) {
        let is_image = self.text_of(Attribute::Type).is_some_and(|t| t.trim().eq_ignore_ascii_case("image"));
        if is_image {
            self.push_needed(&kinds::INPUT, Attribute::Src, range);
        }
    }

    fn meta(&mut self) {
        if let Some(label) = self.range_of(Attribute::Charset) {
            self.page.charset = self.page.charset.or(declared(&self.text[label]));
        }
        if let Some(kind) = self.social_kind() {
            self.push(kind, Attribute::Content);
        }
        let Some(equiv) = self.text_of(Attribute::HttpEquiv) else { return };
        let equiv = equiv.trim().to_ascii_lowercase();
        let Some(content) = self.range_of(Attribute::Content) else { return };
        match equiv.as_str() {
            "content-type" => {
                let label = charset_of_content_type(&self.text[content]);
                self.page.charset = self.page.charset.or(label.and_then(declared));
            }
            "refresh" => {
                let text = lossy(&self.text[content.clone()]);
                match refresh::parse(&decode_references(&text)) {
                    Refresh::Url(url) => self.push_part(&kinds::REFRESH, &content, &text, url),
                    Refresh::Invalid => {
                        let span = self.span(&content);
                        self.page.idle_refreshes.push(span);
                    }
                    Refresh::Reload => {}
                }
            }
            _ => {}
        }
    }

    /// The kind of address in an Open Graph or Twitter card property, or another that names a picture.
    fn social_kind(&self) -> Option<&'static Kind> {
        let name = self.text_of(Attribute::Property).or_else(|| self.text_of(Attribute::Name))?;
        match name.trim().to_ascii_lowercase().as_str() {
            "og:url" | "twitter:url" => Some(&kinds::META_URL),
            "og:image"
            | "og:image:url"
            | "og:image:secure_url"
            | "og:video"
            | "og:video:url"
            | "og:video:secure_url"
            | "og:audio"
            | "og:audio:url"
            | "og:audio:secure_url"
            | "twitter:image"
            | "twitter:image:src"
            | "twitter:player"
            | "twitter:player:stream"
            | "msapplication-tileimage" => Some(&kinds::META_IMAGE),
            _ => None,
        }
    }

    fn usemap(&mut self) {
        if let Some(usemap) = self.value(Attribute::Usemap) {
            self.page.usemaps.push(usemap);
        }
    }

    fn json_ld(&mut self, range: &Range<usize>) {
        let is_json_ld = |t: Cow<'_, str>| t.trim().eq_ignore_ascii_case("application/ld+json");
        let Origin::Source(start) = self.origin else { return };
        if !self.text_of(Attribute::Type).is_some_and(is_json_ld) {
            return;
        }
        let rest = &self.text[range.end..];
        let block = &rest[..find_end_tag(rest, b"</script").unwrap_or(rest.len())];
        let begin = (start + range.end) as u32;
        let page = &mut *self.page;
        let read = json::json_ld(block, |text, span| {
            let value = Some(page.keep(text.as_bytes()));
            page.push(&kinds::JSON_LD, value, begin + span.start..begin + span.end);
        });
        if let Err((reason, at)) = read {
            let at = begin + at;
            self.page.malformed.push(Malformed { what: "JSON-LD", reason, span: at..at });
        }
    }

    /// `noscript` is raw text to lol_html: its content is parsed by itself.
    fn noscript(&mut self, range: &Range<usize>) {
        let rest = &self.text[range.end..];
        let length = find_end_tag(rest, b"</noscript").unwrap_or(rest.len());
        if let Origin::Source(start) = self.origin {
            let begin = start + range.end;
            let text = Text::Source(begin..begin + length);
            self.pending.push(Fragment { text, nesting: self.nesting });
        }
    }

    fn srcdoc(&mut self) {
        let Some(range) = self.range_of(Attribute::Srcdoc) else { return };
        if self.nesting < MAX_NESTING {
            let text = decode_references(&lossy(&self.text[range.clone()])).into_owned();
            let span = self.span(&range);
            let nesting = self.nesting + 1;
            self.pending.push(Fragment { text: Text::Decoded(text, span), nesting });
        }
    }

    fn style_element(&mut self, range: &Range<usize>) {
        let rest = &self.text[range.end..];
        let length = find_end_tag(rest, b"</style").unwrap_or(rest.len());
        self.css(range.end..range.end + length, false);
    }

    fn style_attribute(&mut self, index: usize) {
        if let Some(range) = self.attributes[index].value.clone() {
            self.css(range, true);
        }
    }

    /// Takes the URLs out of CSS in the text; `encoded` where character references stand for characters.
    fn css(&mut self, range: Range<usize>, encoded: bool) {
        let bytes = &self.text[range.clone()];
        if memchr::memmem::find(bytes, b"(").is_none() && memchr::memchr(b'@', bytes).is_none() {
            return;
        }
        let written = lossy(bytes);
        let sheet = if encoded { decode_references(&written) } else { Cow::Borrowed(&*written) };
        let same = matches!(sheet, Cow::Borrowed(_)) && matches!(written, Cow::Borrowed(_));
        let mut found = Vec::new();
        css::urls(&sheet, |css_use, url, span| found.push((kinds::css(css_use), url.to_owned(), span)));
        for (kind, url, span) in found {
            let span = if same { range.start + span.start..range.start + span.end } else { range.clone() };
            let span = self.span(&span);
            let value = self.page.keep(url.as_bytes());
            self.page.push(kind, Some(value), span);
        }
    }

    /// SVG reads `href` first, then `xlink:href`.
    fn svg_reference(&mut self, kind: &'static Kind) {
        let name = if self.has(Attribute::Href) { Attribute::Href } else { Attribute::XlinkHref };
        self.push(kind, name);
    }

    fn is_svg(&self, element: &Element<'_, '_>) -> bool {
        element.namespace_uri().ends_with("/svg")
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
                in_arena: false,
            },
            Origin::Decoded(_) => self.page.keep(&self.text[range]),
        };
        Some((value, span))
    }

    fn push(&mut self, kind: &'static Kind, name: Attribute) {
        if let Some((value, span)) = self.value(name) {
            self.page.push(kind, Some(value), span);
        }
    }

    fn push_at(&mut self, kind: &'static Kind, index: usize) {
        if let Some((value, span)) = self.value_at(index) {
            self.page.push(kind, Some(value), span);
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
        self.page.push(kind, None, span);
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
        let value = self.page.keep(decoded[part].as_bytes());
        self.page.push(kind, Some(value), span);
    }
}

/// The name in a start tag's source.
fn tag_name<'t>(text: &'t [u8], tag: &Range<usize>) -> &'t [u8] {
    let rest = &text[tag.start + 1..tag.end];
    let end =
        rest.iter().position(|b| b.is_ascii_whitespace() || matches!(b, b'/' | b'>')).unwrap_or(rest.len());
    &rest[..end]
}

fn name_is_image(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"image") || name.eq_ignore_ascii_case(b"feImage")
}

/// The offset of an end tag such as `</style`, in any case, that is followed by white space, `/` or `>`.
pub(super) fn find_end_tag(text: &[u8], tag: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'<', text).find(|&at| {
        let rest = &text[at..];
        rest.len() >= tag.len()
            && rest[..tag.len()].eq_ignore_ascii_case(tag)
            && rest.get(tag.len()).is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'/' | b'>'))
    })
}

fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Decodes every value that holds character references or is not UTF-8; the rest stay slices.
fn decode_values(page: &mut Page) {
    let mut references = std::mem::take(&mut page.references);
    let mut ids = std::mem::take(&mut page.ids);
    let mut names = std::mem::take(&mut page.names);
    let mut maps = std::mem::take(&mut page.maps);
    let mut usemaps = std::mem::take(&mut page.usemaps);
    let mut base = page.base;
    let values = references
        .iter_mut()
        .filter_map(|reference| reference.value.as_mut())
        .chain(ids.iter_mut().map(|(value, _)| value))
        .chain(&mut names)
        .chain(&mut maps)
        .chain(usemaps.iter_mut().map(|(value, _)| value))
        .chain(&mut base);
    for value in values.filter(|value| !value.in_arena) {
        let bytes = page.bytes(*value);
        let is_utf8 = std::str::from_utf8(bytes).is_ok();
        if is_utf8 && memchr::memchr(b'&', bytes).is_none() {
            continue;
        }
        let text = match page.charset {
            Some(encoding) if !is_utf8 => encoding.decode(bytes).0,
            _ => lossy(bytes),
        };
        let decoded = decode_references(&text).into_owned();
        *value = page.keep(decoded.as_bytes());
    }
    page.references = references;
    page.ids = ids;
    page.names = names;
    page.maps = maps;
    page.usemaps = usemaps;
    page.base = base;
}
