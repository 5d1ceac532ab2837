//! Parses feeds: RSS 2.0 and 1.0 with the extensions of podcasts and readers, and Atom (RFC 4287).

use std::ops::Range;
use std::rc::Rc;

use chrono::DateTime;
use quick_xml::events::BytesStart;

use super::{
    ElementText, FeedItem, ItemContent, OpenTag, Vocabulary, XmlDocument, attribute_text, join, local,
};
use crate::parse::facts::{MAX_BASE, Malformed};
use crate::parse::feed_content::{self, ContentBase};
use crate::parse::mapped_text::MappedText;
use crate::parse::reference_kind::ReferenceKind;

impl XmlDocument<'_, '_> {
    /// Returns the base URL in an element, from its `xml:base` and the outer base.
    pub(super) fn base_of(&mut self, tag: &BytesStart<'_>) -> Option<Rc<str>> {
        let outer = self.base();
        let Some(written) = attribute_text(tag, "xml:base") else { return outer };
        let base: Rc<str> = match &outer {
            None => written.into(),
            Some(outer) => join(outer, &written).into(),
        };
        if base.len() <= MAX_BASE as usize {
            return Some(base);
        }
        if !std::mem::replace(&mut self.has_long_base, true) {
            let reason = format!("it is longer than {MAX_BASE} bytes, and is skipped");
            let at = self.span(tag).start;
            self.page.facts.malformed.push(Malformed::syntax("xml:base", reason, at..at));
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
            "guid"
                if attribute_text(tag, "isPermaLink")
                    .is_none_or(|attribute_text| attribute_text != "false") =>
            {
                ElementText::Guid
            }
            "description" | "content:encoded" => ElementText::Content,
            "pubDate" | "lastBuildDate" => ElementText::Date,
            _ => ElementText::Other,
        }
    }

    pub(super) fn atom(&mut self, tag: &BytesStart<'_>) -> ElementText {
        match local(tag.name().into_inner()) {
            "link" => {
                let rel = attribute_text(tag, "rel").unwrap_or_default();
                let is_file = rel == "enclosure";
                let kind = if is_file { ReferenceKind::FeedEnclosure } else { ReferenceKind::FeedLink };
                if !self.attribute(tag, "href", kind) {
                    // RFC 4287, 4.2.7: RSS has the URL as text, Atom in the attribute.
                    let span = self.span(tag.name().into_inner());
                    self.invalid_feed("a `<link>` has no `href`, which is where Atom has the URL", span);
                }
                let is_page = matches!(rel.as_str(), "" | "alternate") && self.parent() == "entry";
                if is_page && self.item.link.is_none() {
                    self.item.link = attribute_text(tag, "href").map(|href| self.with_base(&href));
                }
                ElementText::Other
            }
            name @ ("content" | "summary") => {
                if name == "content" {
                    self.attribute(tag, "src", ReferenceKind::FeedEnclosure);
                }
                let is_html = attribute_text(tag, "type").is_some_and(|kind| kind.contains("html"));
                if is_html { ElementText::Content } else { ElementText::Other }
            }
            "icon" | "logo" => ElementText::Reference(ReferenceKind::FeedImage),
            "uri" => ElementText::Reference(ReferenceKind::FeedLink),
            "published" | "updated" => ElementText::Date,
            _ => ElementText::Other,
        }
    }

    /// Adds the first fault of each kind: one template writes all of them.
    fn invalid_feed(&mut self, reason: impl Into<String>, span: Range<u32>) {
        let fault = Malformed::meaning("feed", reason, span);
        let is_same = |known: &Malformed| known.format == fault.format && known.reason == fault.reason;
        if !self.page.facts.malformed.iter().any(is_same) {
            self.page.facts.malformed.push(fault);
        }
    }

    /// Checks a date: readers sort items by it, and many drop an item without one. Atom has that of RFC 3339 (RFC 4287,
    /// 3.3), RSS 2.0 that of RFC 822.
    fn date(&mut self, range: Range<usize>) {
        if self.has_wrong_date {
            return;
        }
        let Some((text, span)) = self.plain_text(range) else { return };
        let (is_valid, standard, example) = if self.vocabulary == Some(Vocabulary::Atom) {
            (DateTime::parse_from_rfc3339(&text).is_ok(), "RFC 3339", "2027-03-31T08:00:00Z")
        } else {
            (DateTime::parse_from_rfc2822(&text).is_ok(), "RFC 822", "Wed, 31 Mar 2027 08:00:00 GMT")
        };
        if !is_valid {
            self.has_wrong_date = true;
            let text: String = text.chars().take(60).collect();
            self.invalid_feed(format!("`{text}` is no date such as `{example}` ({standard})"), span);
        }
    }

    fn with_base(&self, address: &str) -> String {
        self.base().map_or_else(|| address.to_owned(), |base| join(&base, address).into_owned())
    }

    /// Reads the text of a closed element that depends on its item.
    pub(super) fn item_text(&mut self, tag: &OpenTag, range: Range<usize>) {
        match tag.text {
            ElementText::Content => {
                let base = tag.base.clone();
                self.item.contents.push(ItemContent { range, is_markup: tag.has_children, base });
                if !tag.is_in_item {
                    self.end_item();
                }
            }
            ElementText::Guid => self.item.guid = self.plain_text(range),
            ElementText::Date => self.date(range),
            _ => {
                let Some((text, span)) = self.plain_text(range) else { return };
                self.reference(ReferenceKind::FeedLink, &text, span);
                self.item.link.get_or_insert(self.with_base(&text));
            }
        }
    }

    /// Adds the references that need the item's own URL, which may come after them.
    pub(super) fn end_item(&mut self) {
        let FeedItem { link, guid, contents } = std::mem::take(&mut self.item);
        // The guid mostly repeats the link, and many are no URLs, despite `isPermaLink`.
        let other = guid.filter(|(guid, _)| guid.starts_with("http") && link.as_ref() != Some(guid));
        if let Some((url, span)) = other {
            self.reference(ReferenceKind::FeedGuid, &url, span);
        }
        for ItemContent { range, is_markup, base } in contents {
            let Some(written) = self.source.get(range.clone()) else { continue };
            let content = if is_markup {
                MappedText::from_plain(written, range.start)
            } else {
                MappedText::from_xml(written, range.start)
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
