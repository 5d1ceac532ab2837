//! A release: the objects that a site is made of, under their keys, with the headers that they answer with.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::failure::{Exit, Failure};
use super::seal::{Seal, hex};
use super::source::Source;
use crate::compression::beside;
use crate::config::Config;
use crate::serve;

/// The version of a manifest's shape.
pub const SCHEMA_VERSION: u32 = 1;

/// Cache-Control of files whose name changes with their content.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Cache-Control of everything else: kept, but asked about each time.
pub(crate) const REVALIDATE: &str = "public, max-age=0, must-revalidate";

/// The headers that an object store can answer with; all others are the edge's work.
pub(crate) const STORED: [&str; 5] =
    ["cache-control", "content-disposition", "content-encoding", "content-language", "content-type"];

/// What an object is to visitors, which decides when it is uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Its name changes with its content: uploaded first, kept for open tabs.
    Asset,
    /// Any other file.
    File,
    /// An HTML page, or a list of pages: switched last.
    Page,
    /// Another file in compressed form: switched with that file, and never there without it.
    Variant,
}

impl Role {
    /// Whether an object of this role, made from `path`, is switched with the pages.
    pub fn is_switched_last(self, path: &str) -> bool {
        match self {
            Role::Asset | Role::File => false,
            Role::Page => true,
            Role::Variant => beside(path).is_some_and(|path| is_page(path) || is_list_of_pages(path)),
        }
    }
}

/// One object of a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// Its key below the target's prefix.
    pub key: String,
    /// The file of the export that it is made from.
    pub path: String,
    /// What it is.
    pub role: Role,
    /// Its length in bytes.
    pub size: u64,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// MD5 of its content, in hexadecimal.
    pub md5: String,
    /// Its response headers, by lowercase name.
    pub headers: BTreeMap<String, String>,
}

/// A key of an earlier release that this one no longer has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retained {
    /// The key.
    pub key: String,
    /// What it was.
    pub role: Role,
    /// The last release that had it.
    pub release: String,
}

/// Everything that is to be known of a release without its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this shape.
    pub schema_version: u32,
    /// The release's name: its time, and the beginning of its digest.
    pub release: String,
    /// When it was made, in seconds since 1970.
    pub created: u64,
    /// The seal's digest of the export.
    pub tree: String,
    /// The seal's digest of the contract.
    pub contract: Option<String>,
    /// The release that this one puts back, where it is a rollback.
    pub restores: Option<String>,
    /// The releases before it that are kept, the latest first.
    pub history: Vec<String>,
    /// The objects, by key.
    pub objects: Vec<Object>,
    /// What earlier releases left behind.
    pub retained: Vec<Retained>,
}

impl Manifest {
    /// An object by its key.
    pub fn find(&self, key: &str) -> Option<&Object> {
        self.objects.binary_search_by(|object| object.key.as_str().cmp(key)).ok().map(|at| &self.objects[at])
    }
}

/// What a target can do with objects.
#[derive(Clone, Copy, Debug)]
pub struct Manners {
    /// Whether objects carry headers.
    pub headers: bool,
    /// Whether a key may be both an object and the beginning of others: then `terms` can stand beside
    /// `terms/index.html` and both spellings of an address answer without a redirect.
    pub twins: bool,
}

/// Makes the objects of an export.
///
/// # Errors
/// [`Exit::Guard`] when a file's media type is unknown, so that browsers would download it.
pub fn objects(source: &Source, config: &Config, manners: Manners) -> Result<Vec<Object>, Failure> {
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
fn describe(path: &str, config: &Config) -> (Role, BTreeMap<String, String>) {
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
        headers.entry("content-type".to_owned()).or_insert_with(|| serve::content_type(path).into_owned());
    }
    (role, headers)
}

/// Whether a path names an HTML page.
pub fn is_page(path: &str) -> bool {
    path.ends_with(".html") || path.ends_with(".htm")
}

/// Whether a path names a list of pages, which must not be newer than they are.
pub fn is_list_of_pages(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with("sitemap") && (name.ends_with(".xml") || name.ends_with(".txt"))
        || matches!(name, "feed.xml" | "rss.xml" | "atom.xml" | "feed.json")
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

/// The order in which pages are switched: leaves first, then `/`, then lists of pages.
pub fn switch_rank(object: &Object) -> (u8, usize) {
    let path = beside(&object.path).unwrap_or(&object.path);
    if is_list_of_pages(path) {
        return (2, 0);
    }
    if path == "index.html" {
        return (1, 0);
    }
    (0, usize::MAX - path.matches('/').count())
}

/// A release's name: its time, and the beginning of a digest of what visitors get.
pub fn name(created: u64, objects: &[Object]) -> String {
    let mut hash = Sha256::new();
    for object in objects {
        hash.update(format!("{} {} {:?}\0", object.key, object.sha256, object.headers));
    }
    format!("{}-{}", stamp(created), hex(&hash.finalize()[..4]))
}

/// A new manifest, with nothing before it.
pub fn manifest(seal: &Seal, objects: Vec<Object>, created: u64) -> Manifest {
    Manifest {
        schema_version: SCHEMA_VERSION,
        release: name(created, &objects),
        created,
        tree: seal.tree.clone(),
        contract: seal.contract.clone(),
        restores: None,
        history: Vec::new(),
        objects,
        retained: Vec::new(),
    }
}

/// A time in UTC as `20240911-143000`.
pub fn stamp(seconds: u64) -> String {
    let (year, month, day) = civil(seconds / 86_400);
    let second = seconds % 86_400;
    format!("{year:04}{month:02}{day:02}-{:02}{:02}{:02}", second / 3600, second / 60 % 60, second % 60)
}

/// The date of a day counted from 1970-01-01 (the "civil from days" method of Howard Hinnant).
fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::{has_hash, stamp};

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

    #[test]
    fn times_are_written_as_dates() {
        assert_eq!(stamp(0), "19700101-000000");
        assert_eq!(stamp(951_782_399), "20000228-235959");
        assert_eq!(stamp(1_726_065_000), "20240911-143000");
    }
}
