//! Parses sitemaps.

use quick_xml::events::BytesStart;

use super::{ElementText, XmlDocument, attribute_text};
use crate::parse::reference_kind::ReferenceKind;

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
            "loc" if matches!(self.parent(), "url" | "sitemap") => {
                ElementText::Reference(ReferenceKind::SitemapLoc)
            }
            "loc" | "content_loc" | "thumbnail_loc" | "player_loc" => {
                ElementText::Reference(ReferenceKind::SitemapMedia)
            }
            _ => ElementText::Other,
        }
    }
}
