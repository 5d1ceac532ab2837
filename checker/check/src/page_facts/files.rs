//! Reads the addresses of files, the contents of those that are no pages as hashes, and the headers that they set.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use rayon::prelude::*;

use crate::file_digest::FileDigest;
use crate::index::site::Site;
use crate::parse::Format;
use crate::resolve::address_forms::{AddressForm, AddressForms};
use crate::walk::FileId;
use sitegate_address::SitePath;
use sitegate_address::hashed_name::is_hashed;
use sitegate_address::percent::escape_path;
use sitegate_review::{ContentHash, OtherFile};

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
