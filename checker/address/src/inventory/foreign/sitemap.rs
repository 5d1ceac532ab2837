//! Reads sitemaps.

use quick_xml::Reader;
use quick_xml::events::Event;

use super::addresses::Addresses;
use crate::inventory::model::InventoryError;

/// A part of an entry of a sitemap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SitemapPart<'t> {
    /// The URL of the entry; then those of its images.
    Location(&'t str),
    /// The date of the last change.
    Lastmod(&'t str),
    /// The end of the entry.
    End,
}

pub(super) fn read(text: &str, addresses: &mut Addresses) -> Result<(), InventoryError> {
    read_sitemap(text, |is_index, part, line| match part {
        _ if is_index => Err(InventoryError::new("it is a sitemap index; name the sitemaps that it lists")),
        SitemapPart::Location(url) => addresses.add(url, line),
        _ => Ok(()),
    })
}

/// Returns the URLs of the sitemaps that a sitemap index lists; none if it is another sitemap.
pub(super) fn read_index(text: &str) -> Result<Vec<String>, InventoryError> {
    let mut listed = Vec::new();
    read_sitemap(text, |is_index, part, _| {
        if let (true, SitemapPart::Location(url)) = (is_index, part) {
            listed.push(url.to_owned());
        }
        Ok(())
    })?;
    Ok(listed)
}

/// Passes each part to `found`: whether the file is a sitemap index, the part and its line.
///
/// # Errors
/// If it is no sitemap, the XML is malformed, or `found` fails.
pub fn read_sitemap(
    text: &str,
    mut found: impl FnMut(bool, SitemapPart<'_>, usize) -> Result<(), InventoryError>,
) -> Result<(), InventoryError> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    let (mut root, mut value) = (None, None);
    let (mut line, mut counted) = (1, 0);
    loop {
        let at = reader.buffer_position() as usize;
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..at]).count();
        counted = at;
        let malformed = || InventoryError::at(line, "the XML is malformed");
        match reader.read_event().map_err(|_| malformed())? {
            Event::Start(element) | Event::Empty(element) => {
                let name = element.local_name().as_ref().to_owned();
                match (&root, name.as_str()) {
                    (None, "urlset" | "sitemapindex") | (Some(_), _) => {}
                    (None, _) => return Err(InventoryError::new("it is not a sitemap")),
                }
                if matches!(name.as_str(), "loc" | "lastmod") {
                    value = Some(String::new());
                }
                root.get_or_insert(name);
            }
            Event::End(element) => {
                let ended = value.take().unwrap_or_default();
                let part = match element.local_name().as_ref() {
                    "loc" => SitemapPart::Location(ended.trim()),
                    "lastmod" => SitemapPart::Lastmod(ended.trim()),
                    "url" | "sitemap" => SitemapPart::End,
                    _ => continue,
                };
                found(root.as_deref() == Some("sitemapindex"), part, line)?;
            }
            Event::Text(part) => {
                if let Some(value) = &mut value {
                    value.push_str(&part);
                }
            }
            Event::CData(part) => {
                if let Some(value) = &mut value {
                    value.push_str(&part);
                }
            }
            Event::GeneralRef(name) => {
                if let Some(value) = &mut value {
                    let written = format!("&{};", &*name);
                    value.push_str(&quick_xml::escape::unescape(&written).map_err(|_| malformed())?);
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if root.is_none() {
        return Err(InventoryError::new("it is not a sitemap"));
    }
    Ok(())
}
