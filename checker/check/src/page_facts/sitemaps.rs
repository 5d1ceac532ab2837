//! Reads the dates of sitemaps, and the paths that robots.txt excludes.

use sitegate_address::inventory::{InventoryError, SitemapPart, read_sitemap};
use sitegate_review::{TextId, Texts};

use super::addresses::below_root;
use crate::index::site::Site;

/// Maximum size of a sitemap: that of the protocol.
const MAX_SITEMAP: u64 = 50 << 20;

/// Returns the addresses in all sitemaps with their dates, sorted. Malformed sitemaps are added to `unread`.
pub(super) fn sitemap_entries(
    site: &Site<'_>,
    texts: &Texts,
    unread: &mut Vec<String>,
) -> Vec<(Box<str>, Option<TextId>)> {
    let mut entries = Vec::new();
    for file in site.tree.ids() {
        let path = site.tree.path(file);
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
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

/// The paths that robots.txt excludes for all crawlers (RFC 9309).
#[derive(Debug, Default)]
pub(super) struct Disallowed {
    /// Patterns, and whether each allows.
    rules: Vec<(String, bool)>,
    base_path: String,
}

impl Disallowed {
    /// Whether an address below the root of the site is excluded: the longest rule counts.
    pub fn contains(&self, address: &str) -> bool {
        if self.rules.is_empty() {
            return false;
        }
        let path = format!("{}{}", self.base_path, address.trim_start_matches('/'));
        let matching = self.rules.iter().filter(|(pattern, _)| matches(pattern, &path));
        matching.max_by_key(|(pattern, allows)| (pattern.len(), *allows)).is_some_and(|(_, allows)| !allows)
    }
}

pub(super) fn disallowed(site: &Site<'_>) -> Disallowed {
    let robots = site.tree.find(b"robots.txt").and_then(|file| std::fs::read(site.tree.disk_path(file)).ok());
    let text = String::from_utf8_lossy(robots.as_deref().unwrap_or_default()).into_owned();
    let (mut is_ours, mut is_agents) = (false, false);
    let mut rules = Vec::new();
    for line in text.trim_start_matches('\u{feff}').lines() {
        let line = line.split('#').next().unwrap_or_default();
        let Some((name, value)) = line.split_once(':') else { continue };
        let value = value.trim();
        match name.trim().to_ascii_lowercase().as_str() {
            "user-agent" => {
                is_ours = value == "*" || is_ours && is_agents;
                is_agents = true;
            }
            name @ ("allow" | "disallow") => {
                is_agents = false;
                if is_ours && !value.is_empty() {
                    rules.push((value.to_owned(), name == "allow"));
                }
            }
            _ => {}
        }
    }
    Disallowed { rules, base_path: site.settings.base_path.clone() }
}

/// Whether a path matches a pattern with `*` and a final `$`.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, is_whole) = pattern.strip_suffix('$').map_or((pattern, false), |pattern| (pattern, true));
    let mut parts = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut last = "";
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = part;
    }
    !is_whole || rest.is_empty() || pattern.contains('*') && path.ends_with(last)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{matches, read_entries};

    #[test]
    fn matches_robots_patterns() {
        assert!(matches("/", "/a/"));
        assert!(matches("/drafts/", "/drafts/x"));
        assert!(!matches("/drafts/", "/draft"));
        assert!(matches("/*.pdf$", "/a/b.pdf"));
        assert!(!matches("/*.pdf$", "/a/b.pdf?x"));
    }

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
