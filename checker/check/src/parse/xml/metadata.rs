//! Parses sitemaps, `OpenSearch` descriptions and `browserconfig.xml`.

use quick_xml::events::BytesStart;
use sitegate_address::UrlReference;

use super::{ElementText, XmlDocument, attribute_text, unescaped};
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

    /// Reads `OpenSearch` 1.1, with Mozilla's `SearchForm`.
    pub(super) fn open_search(&mut self, name: &str, tag: &BytesStart<'_>) -> ElementText {
        match name {
            "Url" => {
                if let Ok(Some(found)) = tag.try_get_attribute("template")
                    && let Some(address) = fixed_part(&found.value)
                {
                    let span = self.span(address);
                    self.reference(ReferenceKind::OpensearchUrl, &unescaped(address), span);
                }
                ElementText::Other
            }
            "Image" => ElementText::Reference(ReferenceKind::OpensearchImage),
            "SearchForm" => ElementText::Reference(ReferenceKind::OpensearchUrl),
            _ => ElementText::Other,
        }
    }

    /// Reads the Windows tiles, and their polling URLs.
    pub(super) fn browser_config(&mut self, name: &str, tag: &BytesStart<'_>) -> ElementText {
        let kind = if name.starts_with("polling-uri") {
            ReferenceKind::BrowserconfigPolling
        } else {
            ReferenceKind::Browserconfig
        };
        self.attribute(tag, "src", kind);
        ElementText::Other
    }
}

/// Returns the part of a search template before its query; `None` if the path has a parameter, so that no single file
/// answers it.
fn fixed_part(template: &str) -> Option<&str> {
    let path = UrlReference::new(template).path();
    (!path.contains('{') && !path.trim().is_empty()).then_some(path)
}
