//! Builds a release's objects from the files of a sealed export.

use std::collections::{BTreeMap, BTreeSet};

use sitegate_address::SitePath;
use sitegate_address::hashed_name::is_hashed;
use sitegate_check::Contract;
use sitegate_host::Host;
use sitegate_host::headers::{IMMUTABLE, REVALIDATE, STORED, WEBSITE_REDIRECT};
use sitegate_host::media;

use super::manifest::{Object, ObjectRole, is_list_of_pages, is_page};
use super::sealed_export::SealedExport;
use crate::failure::{Failure, FailureKind};
use crate::store::StoreCapabilities;

/// Builds the objects of an export.
///
/// # Errors
/// [`FailureKind::Guard`] when a file's media type is unknown, so that browsers would download it.
pub fn build_objects(
    source: &SealedExport,
    config: &Contract,
    store: &StoreCapabilities,
) -> Result<Vec<Object>, Failure> {
    let paths: BTreeSet<&str> = source.files.iter().map(|file| file.sealed.path.as_str()).collect();
    let mut objects = Vec::with_capacity(source.files.len());
    let mut untyped = Vec::new();
    let has_website_redirects = store.has_website_redirects && config.site.host == Some(Host::S3Website);
    for file in &source.files {
        let path = &file.sealed.path;
        let (role, mut headers) =
            if file.variant { (ObjectRole::Variant, BTreeMap::new()) } else { describe(path, config) };
        if has_website_redirects && let Some(to) = &file.redirect {
            headers.insert(WEBSITE_REDIRECT.to_owned(), to.clone());
        }
        if store.serves_visitors && !headers.contains_key("content-type") {
            untyped.push(path.clone());
        }
        let object = Object {
            key: path.clone(),
            path: path.clone(),
            role,
            size: file.sealed.size,
            sha256: file.sealed.sha256.clone(),
            md5: file.md5.clone(),
            script_depth: file.sealed.script_depth,
            headers: if store.serves_visitors { headers } else { BTreeMap::new() },
        };
        let slashless = SitePath::new(path.as_str())
            .index_folder()
            .and_then(|folder| folder.strip_suffix('/'))
            .filter(|slashless| store.has_flat_keys && !paths.contains(slashless));
        if let Some(slashless) = slashless {
            objects.push(Object { key: slashless.to_owned(), ..object.clone() });
        }
        objects.push(object);
    }
    if !untyped.is_empty() {
        let help = "set Content-Type for them under [[headers]] in sitegate.toml";
        let message = "the media type of these files is unknown, so browsers would download them";
        return Err(Failure::new(FailureKind::Guard, message).names(untyped).help(help));
    }
    objects.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(objects)
}

/// Whether a file never changes under its name: its name has a hash, or its `Cache-Control` says `immutable`.
pub fn is_immutable(path: &str, config: &Contract) -> bool {
    is_hashed(path) || describe(path, config).0 == ObjectRole::Asset
}

/// Whether a file is a page or a list of pages, which are switched last and never kept.
pub fn is_switched_with_pages(path: &str) -> bool {
    is_page(path) || is_list_of_pages(path)
}

/// Returns a file's role and response headers.
fn describe(path: &str, config: &Contract) -> (ObjectRole, BTreeMap<String, String>) {
    let set = config.headers_for(path);
    let mut headers: BTreeMap<String, String> = set
        .iter()
        .map(|(name, value)| (name.to_ascii_lowercase(), (*value).to_owned()))
        .filter(|(name, _)| STORED.contains(&name.as_str()))
        .collect();
    let page = is_page(path) || is_list_of_pages(path);
    let immutable = match headers.get("cache-control") {
        Some(value) => value.split(',').any(|part| part.trim() == "immutable"),
        None => !page && is_hashed(path),
    };
    let role = match (page, immutable) {
        (_, true) => ObjectRole::Asset,
        (true, false) => ObjectRole::Page,
        (false, false) => ObjectRole::File,
    };
    let cache = if immutable { IMMUTABLE } else { REVALIDATE };
    headers.entry("cache-control".to_owned()).or_insert_with(|| cache.to_owned());
    if let Some(media_type) = media::known_content_type(path) {
        headers.entry("content-type".to_owned()).or_insert_with(|| media_type.into_owned());
    }
    (role, headers)
}
