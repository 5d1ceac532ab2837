//! Reads sitemaps.

use quick_xml::Reader;
use quick_xml::events::Event;

use super::addresses::Addresses;
use crate::error::InventoryError;

pub(super) fn read(text: &str, addresses: &mut Addresses) -> Result<(), InventoryError> {
    read_locations(text, |is_index, url, line| {
        if is_index {
            return Err(InventoryError::new("it is a sitemap index; name the sitemaps that it lists"));
        }
        addresses.add(url, line)
    })
}

/// Returns the URLs of the sitemaps that a sitemap index lists; none if it is another sitemap.
pub(super) fn read_index(text: &str) -> Result<Vec<String>, InventoryError> {
    let mut listed = Vec::new();
    read_locations(text, |is_index, url, _| {
        if is_index {
            listed.push(url.to_owned());
        }
        Ok(())
    })?;
    Ok(listed)
}

/// Passes each location to `add`: whether the file is a sitemap index, the URL and its line.
fn read_locations(
    text: &str,
    mut add: impl FnMut(bool, &str, usize) -> Result<(), InventoryError>,
) -> Result<(), InventoryError> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    let (mut root, mut location) = (None, None);
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
                if name == "loc" {
                    location = Some(String::new());
                }
                root.get_or_insert(name);
            }
            Event::End(element) if element.local_name().as_ref() == "loc" => {
                if let Some(url) = location.take() {
                    add(root.as_deref() == Some("sitemapindex"), url.trim(), line)?;
                }
            }
            Event::Text(part) => {
                if let Some(url) = &mut location {
                    url.push_str(&part);
                }
            }
            Event::CData(part) => {
                if let Some(url) = &mut location {
                    url.push_str(&part);
                }
            }
            Event::GeneralRef(name) => {
                if let Some(url) = &mut location {
                    let written = format!("&{};", &*name);
                    url.push_str(&quick_xml::escape::unescape(&written).map_err(|_| malformed())?);
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
