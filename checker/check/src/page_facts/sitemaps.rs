//! Reads the sitemaps and the robots.txt of a build.

use sitegate_address::SitePath;
use sitegate_address::inventory::{InventoryError, SitemapPart, read_sitemap};
use sitegate_address::robots::RobotsFile;
use sitegate_review::{TextId, Texts};

use super::files::below_root;
use crate::index::site::{ROBOTS_FILE, Site};
use crate::parse::MAX_SITEMAP;

/// Returns the addresses in all sitemaps with their dates, sorted. Malformed sitemaps are added to `unread`.
pub(super) fn sitemap_entries(
    site: &Site<'_>,
    texts: &Texts,
    unread: &mut Vec<String>,
) -> Vec<(Box<str>, Option<TextId>)> {
    let mut entries = Vec::new();
    for file in site.tree.ids() {
        let path = site.tree.path(file);
        let name = SitePath::new(path).name();
        let is_sitemap = name.starts_with(b"sitemap") && name.ends_with(b".xml");
        let disk = site.tree.disk_path(file);
        let is_small = || std::fs::metadata(&disk).is_ok_and(|found| found.len() <= MAX_SITEMAP);
        if is_sitemap
            && is_small()
            && let Ok(content) = std::fs::read(&disk)
        {
            let read = read_entries(&String::from_utf8_lossy(&content), |url, lastmod| {
                let address = url
                    .split_once("://")
                    .map_or(url, |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
                entries.push((
                    below_root(address, &site.settings.base_path),
                    (!lastmod.is_empty()).then(|| texts.intern(lastmod)),
                ));
            });
            unread.extend(read.err().map(|error| format!("{}: {error}", site.tree.display(file))));
        }
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    entries.dedup_by(|a, b| a.0 == b.0);
    entries
}

/// Calls `found` with the URL and the `lastmod` of each entry. A sitemap index has none.
fn read_entries(text: &str, mut found: impl FnMut(&str, &str)) -> Result<(), InventoryError> {
    let (mut location, mut lastmod) = (String::new(), String::new());
    read_sitemap(text, |is_index, part, _| {
        match part {
            SitemapPart::Location(url) if location.is_empty() => url.clone_into(&mut location),
            SitemapPart::Location(_) => {}
            SitemapPart::Lastmod(date) => date.clone_into(&mut lastmod),
            SitemapPart::End => {
                if !is_index {
                    found(&location, &lastmod);
                }
                location.clear();
                lastmod.clear();
            }
        }
        Ok(())
    })
}

/// Reads the robots.txt of a site; one without rules if there is none.
pub(super) fn robots_file(site: &Site<'_>) -> RobotsFile {
    let robots =
        site.tree.find(ROBOTS_FILE.as_bytes()).and_then(|file| std::fs::read(site.tree.disk_path(file)).ok());
    robots.map_or_else(RobotsFile::default, |text| RobotsFile::read(&text))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::read_entries;

    #[test]
    fn reads_dates() {
        let mut found = Vec::new();
        let text = "<urlset><url><loc> https://x.example/a/?x&amp;y#&lt; </loc><image:image>\
                    <image:loc>https://x.example/a.png</image:loc></image:image><lastmod>2026-11-24</lastmod></url>\
                    <url><loc><![CDATA[https://x.example/b/]]></loc></url></urlset>";
        read_entries(text, |url, date| found.push(format!("{url} {date}"))).unwrap();
        assert_eq!(found, ["https://x.example/a/?x&y#< 2026-11-24", "https://x.example/b/ "]);
        let index = "<sitemapindex><sitemap><loc>https://x.example/s.xml</loc></sitemap></sitemapindex>";
        assert!(read_entries(index, |_, _| panic!("an index has no pages")).is_ok());
        assert!(read_entries("<urlset><url", |_, _| ()).is_err());
    }
}
