//! XML: SVG files, sitemaps and feeds, by quick-xml's borrowing reader, whose slices tell their places.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::idrefs::{self, IdAttribute, NamedId};
use super::page::Page;
use super::reference::{Kind, Value};
use super::{css, kinds};

/// What kind of XML document a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vocabulary {
    Svg,
    Sitemap,
    Rss,
    Atom,
}

impl Vocabulary {
    /// By the name of the root element; others hold no references that are known.
    fn of(root: &str) -> Option<Vocabulary> {
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
/// When the document is not well-formed: the reason, and the offset. What stands before it is kept.
pub fn parse_xml(page: &mut Page) -> Result<(), (String, u32)> {
    let source = std::mem::take(&mut page.source);
    let result = match std::str::from_utf8(&source) {
        Ok(text) => XmlDocument { page, source: text, vocabulary: None, open: Vec::new() }.read(),
        // An encoding that the declaration names: its markup is ASCII all the same.
        Err(_) => {
            let text: String = source.iter().map(|&b| if b.is_ascii() { b as char } else { '?' }).collect();
            XmlDocument { page, source: &text, vocabulary: None, open: Vec::new() }.read()
        }
    };
    page.source = source;
    if result.is_err() {
        page.named_ids.clear();
    }
    result
}

/// An element that is open.
struct OpenTag {
    name: String,
    /// Where its content begins.
    content: usize,
    /// What its text is, where that is a reference.
    reference: Option<&'static Kind>,
}

struct XmlDocument<'p, 's> {
    page: &'p mut Page,
    source: &'s str,
    vocabulary: Option<Vocabulary>,
    open: Vec<OpenTag>,
}

impl XmlDocument<'_, '_> {
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
                    let reference = self.element(&tag);
                    if self.vocabulary.is_none() {
                        return Ok(());
                    }
                    let content = skipped + reader.buffer_position() as usize;
                    let name = local(tag.name().into_inner()).to_owned();
                    self.open.push(OpenTag { name, content, reference });
                }
                Event::Empty(tag) => {
                    self.element(&tag);
                }
                Event::End(_) => {
                    if let Some(OpenTag { content, reference: Some(kind), .. }) = self.open.pop() {
                        self.text(kind, content..before);
                    }
                }
                Event::Eof if self.open.is_empty() => return Ok(()),
                Event::Eof => {
                    return Err(("the document ends before its elements do".to_owned(), before as u32));
                }
                _ => {}
            }
        }
    }

    /// Takes what an element's attributes say. Gives the kind of reference that its text is.
    fn element(&mut self, tag: &BytesStart<'_>) -> Option<&'static Kind> {
        let qualified = tag.name().into_inner();
        let name = local(qualified);
        if self.vocabulary.is_none() {
            self.vocabulary = Vocabulary::of(name);
        }
        match self.vocabulary? {
            Vocabulary::Svg => {
                self.svg(name, tag);
                (name == "style").then_some(&kinds::CSS_URL)
            }
            Vocabulary::Sitemap => {
                if name == "link" {
                    self.attribute(tag, "href", &kinds::SITEMAP_LINK);
                }
                let is_location = matches!(name, "loc" | "content_loc" | "thumbnail_loc" | "player_loc");
                is_location.then_some(&kinds::SITEMAP_LOC)
            }
            Vocabulary::Rss => match name {
                "link" if qualified == "link" => Some(&kinds::FEED_LINK),
                "url" if self.open.last().is_some_and(|open| open.name == "image") => Some(&kinds::FEED_LINK),
                "link" | "enclosure" => {
                    self.attribute(tag, if name == "link" { "href" } else { "url" }, &kinds::FEED_LINK);
                    None
                }
                _ => None,
            },
            Vocabulary::Atom => match name {
                "link" | "content" => {
                    self.attribute(tag, if name == "link" { "href" } else { "src" }, &kinds::FEED_LINK);
                    None
                }
                "icon" | "logo" => Some(&kinds::FEED_LINK),
                _ => None,
            },
        }
    }

    /// SVG reads `href` first, then `xlink:href`; ids can be reached by fragments.
    fn svg(&mut self, name: &str, tag: &BytesStart<'_>) {
        let kind = match name {
            "a" => &kinds::SVG_A,
            "image" | "feImage" => &kinds::SVG_IMAGE,
            "script" => &kinds::SCRIPT,
            _ => &kinds::SVG_USE,
        };
        if !self.attribute(tag, "href", kind) {
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
    fn attribute(&mut self, tag: &BytesStart<'_>, wanted: &str, kind: &'static Kind) -> bool {
        let Ok(Some(found)) = tag.try_get_attribute(wanted) else { return false };
        let span = self.span(&found.value);
        let value = self.value(&found.value);
        self.page.facts.push(kind, Some(value), span);
        true
    }

    /// The text of an element that is a reference, or of an SVG's `style`.
    fn text(&mut self, kind: &'static Kind, range: Range<usize>) {
        let written = self.source.get(range).unwrap_or("").trim();
        let bare = written.strip_prefix("<![CDATA[").and_then(|rest| rest.strip_suffix("]]>"));
        if kind.element == "css" {
            self.css(bare.unwrap_or(written));
            self.painted_ids(bare.unwrap_or(written));
        } else if !written.is_empty() {
            let span = self.span(bare.unwrap_or(written).trim());
            let value = match bare {
                Some(bare) => self.page.facts.keep(bare.trim()),
                None => self.value(written),
            };
            self.page.facts.push(kind, Some(value), span);
        }
    }

    /// Takes in the ids in `url(#id)` of a style or an attribute.
    fn painted_ids(&mut self, style: &str) {
        for (id, _) in
            idrefs::ids_in_urls(&quick_xml::escape::unescape(style).unwrap_or(Cow::Borrowed(style)))
        {
            let span = self.span(style);
            let id = self.page.facts.keep(&id);
            self.page.named_ids.push(NamedId { attribute: IdAttribute::Url, id, span, tree: 0 });
        }
    }

    fn css(&mut self, sheet: &str) {
        let start = self.span(sheet).start;
        let page = &mut *self.page;
        css::urls(sheet, |css_use, url, span| {
            page.facts.push_css(kinds::css(css_use), url, start + span.start as u32..start + span.end as u32);
        });
    }

    /// A value with its entities decoded.
    fn value(&mut self, written: &str) -> Value {
        let decoded = quick_xml::escape::unescape(written).unwrap_or(Cow::Borrowed(written));
        self.page.facts.keep(&decoded)
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
