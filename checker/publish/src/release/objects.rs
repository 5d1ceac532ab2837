//! Makes a release's objects out of the files of a sealed export.

use std::collections::{BTreeMap, BTreeSet};

use sitegate_check::contract::Contract;
use sitegate_hosting::headers::{IMMUTABLE, REVALIDATE, STORED};
use sitegate_hosting::media;

use super::manifest::{Object, Role, is_list_of_pages, is_page};
use super::source::Source;
use crate::failure::{Exit, Failure};
use crate::target::Manners;

/// Makes the objects of an export.
///
/// # Errors
/// [`Exit::Guard`] when a file's media type is unknown, so that browsers would download it.
pub fn objects(source: &Source, config: &Contract, manners: Manners) -> Result<Vec<Object>, Failure> {
    let paths: BTreeSet<&str> = source.files.iter().map(|file| file.sealed.path.as_str()).collect();
    let mut objects = Vec::with_capacity(source.files.len());
    let mut untyped = Vec::new();
    for file in &source.files {
        let path = &file.sealed.path;
        let (role, headers) = match file.variant {
            true => (Role::Variant, BTreeMap::new()),
            false => describe(path, config),
        };
        if manners.headers && !headers.contains_key("content-type") {
            untyped.push(path.clone());
        }
        let object = Object {
            key: path.clone(),
            path: path.clone(),
            role,
            size: file.sealed.size,
            sha256: file.sealed.sha256.clone(),
            md5: file.md5.clone(),
            headers: if manners.headers { headers } else { BTreeMap::new() },
        };
        let twin = path.strip_suffix("/index.html").filter(|twin| manners.twins && !paths.contains(twin));
        if let Some(twin) = twin {
            objects.push(Object { key: twin.to_owned(), ..object.clone() });
        }
        objects.push(object);
    }
    if !untyped.is_empty() {
        let help = "set Content-Type for them under [[headers]] in sitegate.toml";
        let message = "the media type of these files is unknown, so browsers would download them";
        return Err(Failure::new(Exit::Guard, message).names(untyped).help(help));
    }
    objects.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(objects)
}

/// A file's role and response headers.
fn describe(path: &str, config: &Contract) -> (Role, BTreeMap<String, String>) {
    let set = config.headers_for(&format!("/{path}"));
    let mut headers: BTreeMap<String, String> = set
        .iter()
        .map(|(name, value)| (name.to_ascii_lowercase(), (*value).to_owned()))
        .filter(|(name, _)| STORED.contains(&name.as_str()))
        .collect();
    let page = is_page(path) || is_list_of_pages(path);
    let immutable = match headers.get("cache-control") {
        Some(value) => value.split(',').any(|part| part.trim() == "immutable"),
        None => !page && has_hash(path),
    };
    let role = match (page, immutable) {
        (_, true) => Role::Asset,
        (true, false) => Role::Page,
        (false, false) => Role::File,
    };
    let cache = if immutable { IMMUTABLE } else { REVALIDATE };
    headers.entry("cache-control".to_owned()).or_insert_with(|| cache.to_owned());
    if mime_guess::from_path(path).first().is_some() {
        headers.entry("content-type".to_owned()).or_insert_with(|| media::content_type(path).into_owned());
    }
    (role, headers)
}

/// Whether a file's name carries a digest of its content, as bundlers write it: `app-B3x_9kQz.js`.
fn has_hash(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, _)) = name.rsplit_once('.') else { return false };
    let is_hash = |word: &str| {
        let alphabet = word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        let digits = word.chars().filter(char::is_ascii_digit).count();
        let letters = word.chars().filter(char::is_ascii_alphabetic).count();
        let upper = word.chars().filter(char::is_ascii_uppercase).count();
        let lower = word.chars().filter(char::is_ascii_lowercase).count();
        alphabet && word.len() >= 8 && (digits > 0 && letters > 1 || upper > 1 && lower > 1)
    };
    let last = stem.rsplit(['.', '-']).next().filter(|word| word.len() < stem.len());
    // An eight-character digest may itself hold a hyphen, so the place before it decides.
    let eight = stem
        .len()
        .checked_sub(9)
        .filter(|&at| stem.is_char_boundary(at + 1))
        .and_then(|at| matches!(stem.as_bytes()[at], b'-' | b'.').then(|| &stem[at + 1..]));
    last.is_some_and(is_hash) || eight.is_some_and(is_hash)
}

#[cfg(test)]
mod tests {
    use super::has_hash;

    #[test]
    fn a_hash_in_a_name_is_told_from_a_word_and_a_date() {
        for name in
            ["assets/app-B3x_9kQz.js", "a/index-DdXk-1_a.css", "main.1a2b3c4d.js", "x-0f3e9a7c21b4.png"]
        {
            assert!(has_hash(name), "{name}");
        }
        for name in ["favicon.ico", "logo-horizontal.svg", "photo-20240911.jpg", "index.html", "og-image.png"]
        {
            assert!(!has_hash(name), "{name}");
        }
    }
}
