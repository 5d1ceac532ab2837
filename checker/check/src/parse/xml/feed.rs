//! Parses feeds: RSS 2.0 and 1.0 with the extensions of podcasts and readers, and Atom (RFC 4287).

use std::ops::Range;
use std::rc::Rc;

use quick_xml::events::BytesStart;
use url::Url;

use super::{
    ElementText, FeedItem, ItemContent, OpenTag, ValueKind, Vocabulary, XmlDocument, XmlFault,
    attribute_text, join, local,
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
        let reason = format!("it is longer than {MAX_BASE} bytes, and is skipped");
        let at = self.span(tag).start;
        self.report(XmlFault::LongBase, Malformed::syntax("xml:base", reason, at..at));
        outer
    }

    pub(super) fn rss(&mut self, tag: &BytesStart<'_>) -> ElementText {
        self.item_element(tag);
        let (attribute, kind) = match tag.name().into_inner() {
            "enclosure" if self.parent() == "item" => {
                self.enclosure(tag);
                ("url", ReferenceKind::FeedEnclosure)
            }
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

    /// Reports an enclosure without the attributes that podcast clients need (RSS 2.0, "enclosure").
    fn enclosure(&mut self, tag: &BytesStart<'_>) {
        let lacking = ["url", "length", "type"].into_iter().find(|name| attribute_text(tag, name).is_none());
        if let Some(name) = lacking {
            let reason = format!("an enclosure has no `{name}`, which RSS 2.0 requires");
            self.report_in_feed(XmlFault::Enclosure, reason, self.span(tag.name().into_inner()));
        }
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
                    .is_some_and(|value| value.eq_ignore_ascii_case("false")) =>
            {
                ElementText::Id
            }
            "guid" => ElementText::Guid,
            "description" | "content:encoded" => ElementText::Content,
            "pubDate" | "lastBuildDate" => ElementText::Date,
            "ttl" => ElementText::Value(ValueKind::Minutes),
            _ => ElementText::Other,
        }
    }

    pub(super) fn atom(&mut self, tag: &BytesStart<'_>) -> ElementText {
        self.item_element(tag);
        match local(tag.name().into_inner()) {
            "link" => {
                let rel = attribute_text(tag, "rel").unwrap_or_default();
                let is_file = rel == "enclosure";
                let kind = if is_file { ReferenceKind::FeedEnclosure } else { ReferenceKind::FeedLink };
                if !self.attribute(tag, "href", kind) {
                    self.link_without_address(tag);
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
            "id" if self.parent() == "entry" => ElementText::Id,
            _ => ElementText::Other,
        }
    }

    /// Notes which elements an item has, and reports the first one with a name of the other kind of feed, or in another
    /// case: its readers skip it.
    fn item_element(&mut self, tag: &BytesStart<'_>) {
        let name = tag.name().into_inner();
        let is_of_item = matches!(self.parent(), "item" | "entry");
        match name {
            "item" | "entry" => self.item.name = Some(self.span(name)),
            "title" | "description" | "content:encoded" | "media:title" => self.item.has_title |= is_of_item,
            "id" => self.item.has_id |= is_of_item,
            "updated" => self.item.has_change |= is_of_item,
            _ => {}
        }
        if self.has_reported(XmlFault::UnknownElement)
            || name.contains(':')
            || !matches!(self.parent(), "channel" | "item" | "feed" | "entry")
        {
            return;
        }
        let (names, others) = match self.vocabulary {
            Some(Vocabulary::Rss) => (&RSS_NAMES[..], &NOT_IN_RSS[..]),
            _ => (&ATOM_NAMES[..], &NOT_IN_ATOM[..]),
        };
        let other_case = || names.iter().find(|known| known.eq_ignore_ascii_case(name) && **known != name);
        let other_kind = || others.iter().find(|(other, _)| *other == name).map(|(_, meant)| meant);
        if let Some(meant) = other_kind().or_else(other_case) {
            let kind = if self.vocabulary == Some(Vocabulary::Rss) { "RSS" } else { "Atom" };
            let reason = format!("{kind} has no element `{name}`, so that readers skip it; write `{meant}`");
            self.report_in_feed(XmlFault::UnknownElement, reason, self.span(name));
        }
    }

    fn report_in_feed(&mut self, fault: XmlFault, reason: impl Into<String>, span: Range<u32>) {
        self.report(fault, Malformed::meaning("feed", reason, span));
    }

    /// Reports the first item without what its standard requires (RFC 4287, 4.1.2; RSS 2.0, "Elements of `<item>`").
    fn check_item(&mut self, name: Range<u32>) {
        let item = &self.item;
        let reason = match self.vocabulary {
            Some(Vocabulary::Atom) if !item.has_id => "an entry has no `id`, which Atom requires",
            Some(Vocabulary::Atom) if !item.has_change => "an entry has no `updated`, which Atom requires",
            Some(Vocabulary::Rss) if !item.has_title => {
                "an item has neither `title` nor `description`, of which RSS 2.0 requires one"
            }
            _ => return,
        };
        self.report_in_feed(XmlFault::IncompleteItem, reason, name);
    }

    /// Reports the first link of Atom without `href`: RSS has the URL as text, Atom in the attribute (RFC 4287, 4.2.7).
    fn link_without_address(&mut self, tag: &BytesStart<'_>) {
        let reason = "a `<link>` has no `href`, which is where Atom has the URL";
        self.report_in_feed(XmlFault::Link, reason, self.span(tag.name().into_inner()));
    }

    /// Checks the id of an item: readers recognize an item by it, and show one of those with the same id
    /// (cocopuff2u/MOFA#24).
    fn id(&mut self, range: Range<usize>) {
        if self.has_reported(XmlFault::Id) {
            return;
        }
        let at = range.start as u32;
        let (text, span) = self.plain_text(range).unwrap_or((String::new(), at..at));
        let fault = if text.is_empty() {
            "an item has an empty id".to_owned()
        } else if !self.ids.insert(text.as_str().into()) {
            format!("two items have the id `{}`", text.chars().take(100).collect::<String>())
        } else {
            return;
        };
        self.report_in_feed(XmlFault::Id, format!("{fault}, but readers show one item for each"), span);
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
            ElementText::Id => self.id(range),
            ElementText::Guid => {
                self.item.guid = self.plain_text(range.clone());
                self.id(range);
            }
            _ => {
                let Some((text, span)) = self.plain_text(range) else { return };
                self.reference(ReferenceKind::FeedLink, &text, span);
                self.item.link.get_or_insert(self.with_base(&text));
            }
        }
    }

    /// Adds the references that need the item's own URL, which may come after them.
    pub(super) fn end_item(&mut self) {
        if let Some(name) = self.item.name.take() {
            self.check_item(name);
        }
        let FeedItem { link, guid, contents, .. } = std::mem::take(&mut self.item);
        if let Some((guid, span)) = &guid
            && !guid.is_empty()
            && Url::parse(guid).is_err()
        {
            let reason = format!(
                "the guid `{}` is no URL, but readers open it unless isPermaLink is \"false\"",
                shorten_guid(guid)
            );
            self.report_in_feed(XmlFault::Guid, reason, span.clone());
        }
        // The guid mostly repeats the link.
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

/// The elements of RSS 2.0 whose names are not in lower case.
const RSS_NAMES: [&str; 7] =
    ["lastBuildDate", "managingEditor", "pubDate", "skipDays", "skipHours", "textInput", "webMaster"];

/// The elements of Atom (RFC 4287, 4).
const ATOM_NAMES: [&str; 15] = [
    "author",
    "category",
    "content",
    "contributor",
    "generator",
    "icon",
    "id",
    "link",
    "logo",
    "published",
    "rights",
    "subtitle",
    "summary",
    "title",
    "updated",
];

/// Elements of Atom, each with that of RSS 2.0.
const NOT_IN_RSS: [(&str, &str); 5] = [
    ("entry", "item"),
    ("id", "guid"),
    ("published", "pubDate"),
    ("summary", "description"),
    ("updated", "pubDate"),
];

/// Elements of RSS 2.0, each with that of Atom.
const NOT_IN_ATOM: [(&str, &str); 5] = [
    ("description", "summary"),
    ("guid", "id"),
    ("item", "entry"),
    ("lastBuildDate", "updated"),
    ("pubDate", "updated"),
];

/// Returns a guid for a message.
fn shorten_guid(guid: &str) -> String {
    const LIMIT: usize = 60;
    let mut shown: String = guid.chars().take(LIMIT).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if guid.chars().nth(LIMIT).is_some() {
        shown.push('…');
    }
    shown
}
