//! Feeds: RSS 2.0 and 1.0 with the extensions that podcasts and readers use, and Atom (RFC 4287).

use std::ops::Range;
use std::rc::Rc;

use quick_xml::events::BytesStart;

use super::{ElementText, FeedItem, ItemContent, OpenTag, XmlDocument, join, local, said};
use crate::parse::facts::{LONGEST_BASE, Malformed};
use crate::parse::feed_content::{self, ContentBase};
use crate::parse::mapped_text::MappedText;
use crate::parse::reference_kind::ReferenceKind;

impl XmlDocument<'_, '_> {
    /// What an element's `xml:base` makes of what addresses were relative to around it.
    pub(super) fn base_of(&mut self, tag: &BytesStart<'_>) -> Option<Rc<str>> {
        let outer = self.base();
        let Some(written) = said(tag, "xml:base") else { return outer };
        let base: Rc<str> = match &outer {
            None => written.into(),
            Some(outer) => join(outer, &written).into(),
        };
        if base.len() <= LONGEST_BASE as usize {
            return Some(base);
        }
        if !std::mem::replace(&mut self.has_long_base, true) {
            let reason = format!("it is longer than {LONGEST_BASE} bytes, and was passed over");
            let at = self.span(tag).start;
            self.page.facts.malformed.push(Malformed { what: "xml:base", reason, span: at..at });
        }
        outer
    }

    pub(super) fn rss(&mut self, tag: &BytesStart<'_>) -> ElementText {
        let (attribute, kind) = match tag.name().into_inner() {
            "enclosure" | "media:content" | "podcast:transcript" | "podcast:chapters" => {
                ("url", ReferenceKind::FeedEnclosure)
            }
            "media:thumbnail" => ("url", ReferenceKind::FeedImage),
            "media:player" | "source" => ("url", ReferenceKind::FeedLink),
            "itunes:image" | "googleplay:image" => ("href", ReferenceKind::FeedImage),
            name if name != "link" && local(name) == "link" => ("href", ReferenceKind::FeedLink),
            name => return self.rss_text(name, tag),
        };
        self.attribute(tag, attribute, kind);
        ElementText::Other
    }

    fn rss_text(&self, name: &str, tag: &BytesStart<'_>) -> ElementText {
        match name {
            "link" if self.parent() == "item" => ElementText::ItemLink,
            "link" | "comments" | "wfw:commentRss" | "itunes:new-feed-url" => {
                ElementText::Reference(ReferenceKind::FeedLink)
            }
            "url" if self.parent() == "image" => ElementText::Reference(ReferenceKind::FeedImage),
            "guid" if said(tag, "isPermaLink").is_none_or(|said| said != "false") => ElementText::Guid,
            "description" | "content:encoded" => ElementText::Content,
            _ => ElementText::Other,
        }
    }

    pub(super) fn atom(&mut self, tag: &BytesStart<'_>) -> ElementText {
        match local(tag.name().into_inner()) {
            "link" => {
                let rel = said(tag, "rel").unwrap_or_default();
                let is_file = rel == "enclosure";
                self.attribute(
                    tag,
                    "href",
                    if is_file { ReferenceKind::FeedEnclosure } else { ReferenceKind::FeedLink },
                );
                let is_page = matches!(rel.as_str(), "" | "alternate") && self.parent() == "entry";
                if is_page && self.item.link.is_none() {
                    self.item.link = said(tag, "href").map(|href| self.based(&href));
                }
                ElementText::Other
            }
            name @ ("content" | "summary") => {
                if name == "content" {
                    self.attribute(tag, "src", ReferenceKind::FeedEnclosure);
                }
                let is_html = said(tag, "type").is_some_and(|kind| kind.contains("html"));
                if is_html { ElementText::Content } else { ElementText::Other }
            }
            "icon" | "logo" => ElementText::Reference(ReferenceKind::FeedImage),
            "uri" => ElementText::Reference(ReferenceKind::FeedLink),
            _ => ElementText::Other,
        }
    }

    fn based(&self, address: &str) -> String {
        self.base().map_or_else(|| address.to_owned(), |base| join(&base, address).into_owned())
    }

    /// Takes the text of an element that is closed, and that its item decides about.
    pub(super) fn item_text(&mut self, tag: &OpenTag, range: Range<usize>) {
        match tag.text {
            ElementText::Content => {
                let base = tag.base.clone();
                self.item.contents.push(ItemContent { place: range, is_markup: tag.has_children, base });
                if !tag.is_in_item {
                    self.end_item();
                }
            }
            ElementText::Guid => self.item.guid = self.plain_text(range),
            _ => {
                let Some((text, span)) = self.plain_text(range) else { return };
                self.reference(ReferenceKind::FeedLink, &text, span);
                self.item.link.get_or_insert(self.based(&text));
            }
        }
    }

    /// Takes what waited for the end of its item, since the item's own address may stand after what is relative to it.
    pub(super) fn end_item(&mut self) {
        let FeedItem { link, guid, contents } = std::mem::take(&mut self.item);
        // Mostly it is the link once more; and many are no address, whatever they are said to be.
        let other = guid.filter(|(guid, _)| guid.starts_with("http") && link.as_ref() != Some(guid));
        if let Some((guid, span)) = other {
            self.reference(ReferenceKind::FeedGuid, &guid, span);
        }
        for ItemContent { place, is_markup, base } in contents {
            let Some(written) = self.source.get(place.clone()) else { continue };
            let content = if is_markup {
                MappedText::verbatim_of(written, place.start)
            } else {
                MappedText::of_xml(written, place.start)
            };
            let base = match (&base, &link) {
                (Some(base), _) => ContentBase::Named(base),
                (None, Some(link)) => ContentBase::Item(link),
                (None, None) => ContentBase::Unknown,
            };
            feed_content::add(&mut self.page.facts, &content, base);
        }
    }
}
