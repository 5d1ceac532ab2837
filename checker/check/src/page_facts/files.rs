//! Reads the files of a build that are no pages: their addresses, their contents as hashes, the headers that they set,
//! the sitemaps and the robots.txt.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use rayon::prelude::*;

use crate::file_digest::FileDigest;
use crate::index::site::{ROBOTS_FILE, Site};
use crate::parse::{Format, MAX_SITEMAP};
use crate::resolve::address_forms::{AddressForm, AddressForms};
use crate::walk::FileId;
use sitegate_address::SitePath;
use sitegate_address::hashed_name::is_hashed;
use sitegate_address::inventory::{InventoryError, SitemapPart, read_sitemap};
use sitegate_address::percent::escape_path;
use sitegate_address::robots::RobotsFile;
use sitegate_review::{ContentHash, OtherFile, TextId, Texts};

/// Returns an address below the root of the site, from a decoded URL path.
pub(super) fn below_root(path: &str, base_path: &str) -> Box<str> {
    let below = path.strip_prefix(base_path).unwrap_or_else(|| path.trim_start_matches('/'));
    format!("/{below}").into()
}

/// Returns the address of a file below the root of the site.
pub(super) fn address(site: &Site<'_>, file: FileId) -> Box<str> {
    let served = site.resolver.served_path(&site.tree.display(file));
    escape_path(&below_root(&served, &site.settings.base_path)).into()
}

/// Returns the addresses of a page that links use, if not only that of its file.
pub(super) fn linked_addresses(site: &Site<'_>, page: FileId, used: AddressForms) -> Vec<Box<str>> {
    let path = site.tree.display(page);
    let mut forms = site.resolver.address_forms(&path);
    forms.retain(|form| used.contains(*form));
    if forms == [AddressForm::File] {
        return Vec::new();
    }
    let served = forms.into_iter().map(|form| site.resolver.served_in_form(&path, form));
    served.map(|served| escape_path(&below_root(&served, &site.settings.base_path)).into()).collect()
}

/// Returns the files that are no pages, sorted. `stored` has the contents of those whose bytes are not in the folder.
pub(super) fn file_facts(
    site: &Site<'_>,
    stored: Option<&HashMap<String, ContentHash>>,
    unread: &mut Vec<String>,
) -> Vec<OtherFile> {
    let files: Vec<FileId> = site.tree.ids().filter(|file| site.format(*file) != Format::Html).collect();
    let read = |file: &FileId| {
        let path = site.tree.display(*file);
        let content = match stored.and_then(|stored| stored.get(&*path)) {
            Some(known) => Ok(Some(*known)),
            None if site.tree.has_content(*file) => hash_of(&site.tree.disk_path(*file)).map(Some),
            None => Ok(None),
        };
        let is_linked = std::str::from_utf8(site.tree.path(*file)).is_ok_and(is_linked);
        let address = is_linked.then(|| address(site, *file));
        let error = content.as_ref().err().map(|error| format!("{path}: {error}"));
        (OtherFile { path: (*path).into(), address, content: content.unwrap_or_default() }, error)
    };
    let all: Vec<(OtherFile, Option<String>)> = files.par_iter().map(read).collect();
    let mut facts = Vec::with_capacity(all.len());
    for (file, error) in all {
        facts.push(file);
        unread.extend(error);
    }
    facts
}

/// Whether people may link to a file: no code, no font and no hashed name.
fn is_linked(path: &str) -> bool {
    const CODE: [&str; 11] =
        ["js", "mjs", "css", "map", "json", "woff", "woff2", "ttf", "otf", "wasm", "inv"];
    let extension = SitePath::new(path).extension().unwrap_or_default();
    let is_hidden = path.split('/').any(|name| name.starts_with(['_', '.']));
    !CODE.contains(&extension) && !is_hidden && !is_hashed(path)
}

fn hash_of(file: &Path) -> io::Result<ContentHash> {
    Ok(ContentHash::new(&FileDigest::read(file, |_| ())?.sha256))
}

/// Returns the headers that the contract and `_headers` set: path pattern, name and value.
pub(super) fn set_headers(site: &Site<'_>) -> Vec<(Box<str>, Box<str>, Box<str>)> {
    if site.live().is_some() {
        return Vec::new();
    }
    let header = |pattern: &str, name: &str, value: &str| {
        (pattern.into(), name.trim().to_ascii_lowercase().into(), value.trim().into())
    };
    let mut headers = Vec::new();
    for rule in &site.contract.headers {
        for pattern in &rule.patterns {
            headers.extend(rule.set.iter().map(|(name, value)| header(pattern, name, value)));
        }
    }
    if let Ok(file) = site.headers_file() {
        headers.extend(file.all().map(|(pattern, name, value)| header(pattern, &name, value)));
    }
    headers
}

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
