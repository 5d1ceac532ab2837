//! Parses sitemaps.

use quick_xml::events::BytesStart;

use super::{ElementText, ValueKind, Vocabulary, XmlDocument, attribute_text, unescaped};
use crate::parse::facts::Malformed;
use crate::parse::page_metadata::NoteKind;
use crate::parse::reference_kind::ReferenceKind;
use sitegate_base::plural::count;

/// The namespaces of sitemaps that search engines accept: that of the protocol, and its predecessor of Google (2005).
const NAMESPACES: [&str; 2] =
    ["http://www.sitemaps.org/schemas/sitemap/0.9", "http://www.google.com/schemas/sitemap/0.84"];

/// Maximum number of URLs in a sitemap. Search engines reject larger ones (sitemaps.org, "Using sitemap index files").
const MAX_URLS: usize = 50_000;

impl XmlDocument<'_, '_> {
    /// Reads the sitemap protocol (sitemaps.org), with the extensions for translations, images and videos.
    pub(super) fn sitemap(&mut self, name: &str, tag: &BytesStart<'_>) -> ElementText {
        match name {
            "link" => {
                let reference = self.page.facts.references.len();
                if self.attribute(tag, "href", ReferenceKind::SitemapLink)
                    && let Some(language) = attribute_text(tag, "hreflang")
                {
                    self.page
                        .facts
                        .metadata
                        .alternates
                        .push((reference, language.to_ascii_lowercase().into_boxed_str()));
                }
                ElementText::Other
            }
            "url" | "sitemap" if matches!(self.parent(), "urlset" | "sitemapindex") => {
                self.end_sitemap_item();
                self.has_sitemap_item = true;
                self.sitemap_item = Some(self.span(tag.name().into_inner()));
                ElementText::Other
            }
            "lastmod" if matches!(self.parent(), "url" | "sitemap") => ElementText::Date,
            "changefreq" => ElementText::Value(ValueKind::Frequency),
            "priority" => ElementText::Value(ValueKind::Priority),
            "loc" if matches!(self.parent(), "url" | "sitemap") => {
                self.sitemap_item = None;
                ElementText::Reference(ReferenceKind::SitemapLoc)
            }
            "loc" | "content_loc" | "thumbnail_loc" | "player_loc" => {
                ElementText::Reference(ReferenceKind::SitemapMedia)
            }
            _ => ElementText::Other,
        }
    }

    /// Checks the namespace of a sitemap's root. Search engines reject a sitemap without it (sitemaps.org, "XML tag
    /// definitions"; Google's "Sitemaps report", "Incorrect namespace", November 2026).
    pub(super) fn sitemap_namespace(&mut self, tag: &BytesStart<'_>) {
        let name = tag.name().into_inner();
        let key = name.split_once(':').map_or("xmlns".to_owned(), |(prefix, _)| format!("xmlns:{prefix}"));
        let (reason, span) = match tag.try_get_attribute(key.as_str()) {
            Ok(Some(found)) if NAMESPACES.contains(&&*unescaped(&found.value)) => return,
            Ok(Some(found)) => {
                let written = found.value.chars().take(100).collect::<String>();
                let reason = format!("its namespace is `{written}`, but must be `{}`", NAMESPACES[0]);
                (reason, self.span(&found.value))
            }
            _ => {
                let span = self.span(name);
                (format!("it has no namespace; add `{key}=\"{}\"`", NAMESPACES[0]), span)
            }
        };
        self.page.facts.malformed.push(Malformed::meaning("sitemap", reason, span));
    }

    /// Ends the last item of a sitemap.
    fn end_sitemap_item(&mut self) {
        if let Some(span) = self.sitemap_item.take() {
            self.without_location.get_or_insert((span, 0)).1 += 1;
        }
    }

    /// Checks the items of a sitemap at its end: there should be one, each needs a location (sitemaps.org, "XML tag
    /// definitions"), and too many are rejected.
    pub(super) fn check_sitemap_items(&mut self) {
        if self.vocabulary != Some(Vocabulary::Sitemap) {
            return;
        }
        self.end_sitemap_item();
        // With a wrong namespace, its items have no meaning.
        if !self.has_sitemap_item && self.page.facts.malformed.is_empty() {
            self.page.facts.note(NoteKind::EmptySitemap, 0..0);
        }
        if let Some((span, items)) = self.without_location.take() {
            let verb = if items == 1 { "has" } else { "have" };
            let reason = format!("{} {verb} no `<loc>`", count(items, "item"));
            self.page.facts.malformed.push(Malformed::meaning("sitemap", reason, span));
        }
        let is_location = |kind| matches!(kind, ReferenceKind::SitemapLoc);
        let mut locations = self.page.facts.references.iter().filter(|found| is_location(found.kind));
        if let Some(first) = locations.nth(MAX_URLS) {
            let reason =
                format!("it has {} URLs, but at most {MAX_URLS} are read", MAX_URLS + 1 + locations.count());
            let span = first.span.clone();
            self.page.facts.malformed.push(Malformed::meaning("sitemap", reason, span));
        }
    }
}
