//! The manifest of a release, as stored on the target.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sitegate_address::{INDEX, SitePath};
use sitegate_base::artifact::RUN;
use sitegate_base::hex::hex;
use sitegate_check::{Format, Seal};
use sitegate_host::compression::file_of_variant;

use super::lineage::{LiveRelease, RollbackMark};

/// The role of an object, which decides when it is uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ObjectRole {
    /// Its name contains a hash of its content: uploaded first, kept for open tabs.
    Asset,
    /// Any other file.
    File,
    /// An HTML page, or a list of pages such as a sitemap: switched last.
    Page,
    /// A precompressed variant of another file: switched with that file, and never without it.
    Variant,
}

impl ObjectRole {
    /// Whether an object of this role, made from `path`, is switched with the pages.
    pub fn is_switched_last(self, path: &str) -> bool {
        match self {
            ObjectRole::Asset | ObjectRole::File => false,
            ObjectRole::Page => true,
            ObjectRole::Variant => {
                file_of_variant(path).is_some_and(|path| is_page(path) || is_list_of_pages(path))
            }
        }
    }
}

/// One object of a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// Its key below the target's prefix.
    pub key: String,
    /// The file of the export.
    pub path: String,
    /// Its role.
    pub role: ObjectRole,
    /// Its length in bytes.
    pub size: u64,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// MD5 of its content, in hexadecimal; empty for large contents.
    pub md5: String,
    /// For scripts and files that they load: the depth of the tree that it loads. Smaller ones are uploaded
    /// first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script_depth: Option<u32>,
    /// Its response headers, by lowercase name.
    pub headers: BTreeMap<String, String>,
}

/// A key of an earlier release that this one does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retained {
    /// The key.
    pub key: String,
    /// Its role.
    pub role: ObjectRole,
    /// The last release that had it.
    pub release: String,
    /// Whether scripts of that release load it.
    #[serde(default)]
    pub is_for_scripts: bool,
}

impl Retained {
    /// Whether open tabs of that release may still request it.
    pub(crate) fn is_for_open_tabs(&self) -> bool {
        self.role == ObjectRole::Asset || self.is_for_scripts
    }
}

/// The inventory of a release: the addresses of its site. It is stored next to the backups, by its digest, so that
/// releases with the same addresses share one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseInventory {
    /// SHA-256 of its compressed text, in hexadecimal.
    pub sha256: String,
    /// The length of its compressed text in bytes.
    pub size: u64,
}

/// Everything about a release except its files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseManifest {
    /// The version of the format.
    pub schema_version: u32,
    /// The release's name: its time, and a prefix of its digest.
    pub release: String,
    /// The creation time, in seconds since 1970.
    pub created: u64,
    /// The digest of the export, from the seal.
    pub tree: String,
    /// The digest of the contract, from the seal.
    pub contract: Option<String>,
    /// The release that this one restores, if it is a rollback.
    pub restores: Option<String>,
    /// The earlier releases that are kept, the latest first.
    pub history: Vec<String>,
    /// Those of them that were rolled back from.
    #[serde(rename = "left", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rolled_back: BTreeMap<String, RollbackMark>,
    /// Its inventory, unless an older version published it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inventory: Option<ReleaseInventory>,
    /// The objects, sorted by key.
    pub objects: Vec<Object>,
    /// Keys of earlier releases that still exist.
    pub retained: Vec<Retained>,
}

impl ReleaseManifest {
    /// Finds an object by its key.
    pub fn find(&self, key: &str) -> Option<&Object> {
        self.objects.binary_search_by(|object| object.key.as_str().cmp(key)).ok().map(|at| &self.objects[at])
    }

    /// Returns the keys of its objects and of retained ones.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        let objects = self.objects.iter().map(|object| object.key.as_str());
        objects.chain(self.retained.iter().map(|retained| retained.key.as_str()))
    }

    /// Returns its name and history.
    pub(crate) fn lineage(&self) -> LiveRelease<'_> {
        LiveRelease { release: &self.release, history: &self.history, rolled_back: &self.rolled_back }
    }

    /// Returns the digests of all contents that it needs.
    pub(crate) fn contents(&self) -> impl Iterator<Item = &String> {
        let objects = self.objects.iter().map(|object| &object.sha256);
        objects.chain(self.inventory.iter().map(|inventory| &inventory.sha256))
    }

    /// Returns the release that first had this content: itself, or the one that it restores.
    pub(crate) fn origin(&self) -> &str {
        self.restores.as_deref().unwrap_or(&self.release)
    }

    /// Returns when it was made, in UTC: `14:10 UTC`, with the date if that is another than at `now`, which is in seconds
    /// since 1970. A time beyond the calendar has no such form, so the release is named instead.
    pub fn shown_time(&self, now: u64) -> String {
        let Some(time) = utc(self.created) else { return self.release.clone() };
        let is_today = utc(now).is_some_and(|now| now.date_naive() == time.date_naive());
        time.format(if is_today { "%H:%M UTC" } else { "%Y-%m-%d %H:%M UTC" }).to_string()
    }

    /// Returns a new release that restores this one's content.
    pub(crate) fn restored(&self, created: u64) -> ReleaseManifest {
        ReleaseManifest {
            release: release_name(created, &self.objects),
            created,
            restores: Some(self.origin().to_owned()),
            history: Vec::new(),
            rolled_back: BTreeMap::new(),
            retained: Vec::new(),
            ..self.clone()
        }
    }
}

/// Whether a path names an HTML page.
pub fn is_page(path: &str) -> bool {
    Format::of(path.as_bytes()) == Format::Html
}

/// Whether a path is a list of pages, which must not be newer than the pages.
pub(crate) fn is_list_of_pages(path: &str) -> bool {
    let release_name = SitePath::new(path).name();
    release_name.starts_with("sitemap") && (release_name.ends_with(".xml") || release_name.ends_with(".txt"))
        || matches!(
            release_name,
            "feed.xml" | "rss.xml" | "atom.xml" | "feed.json" | "llms.txt" | "llms-full.txt"
        )
}

/// Returns the order in which pages are switched: leaves first, then `/`, then lists of pages.
pub(crate) fn switch_rank(object: &Object) -> (u8, usize) {
    let path = file_of_variant(&object.path).unwrap_or(&object.path);
    if is_list_of_pages(path) {
        return (2, 0);
    }
    if path == INDEX {
        return (1, 0);
    }
    (0, usize::MAX - path.matches('/').count())
}

/// Returns a release's name: its time, and a prefix of the digest of its objects.
pub(crate) fn release_name(created: u64, objects: &[Object]) -> String {
    let mut hash = Sha256::new();
    for object in objects {
        hash.update(format!("{} {} {:?}\0", object.key, object.sha256, object.headers));
    }
    format!("{}-{}", format_time(created), hex(&hash.finalize()[..4]))
}

/// Creates a manifest without a history.
pub(crate) fn new_manifest(seal: &Seal, objects: Vec<Object>, created: u64) -> ReleaseManifest {
    ReleaseManifest {
        schema_version: RUN.version,
        release: release_name(created, &objects),
        created,
        tree: seal.tree.clone(),
        contract: seal.contract.clone(),
        objects,
        ..ReleaseManifest::default()
    }
}

/// Formats a time in UTC as `20240911-143000`. A time beyond the calendar is formatted as its seconds.
pub(crate) fn format_time(seconds: u64) -> String {
    utc(seconds).map_or_else(|| seconds.to_string(), |time| time.format("%Y%m%d-%H%M%S").to_string())
}

fn utc(seconds: u64) -> Option<DateTime<Utc>> {
    i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0))
}

#[cfg(test)]
mod tests {
    use super::{ReleaseManifest, format_time, is_page};

    #[test]
    fn pages_are_the_formats_that_the_check_parses_as_html() {
        for path in ["index.html", "a/b.htm", "INDEX.HTML", "chapter.xhtml"] {
            assert!(is_page(path), "{path}");
        }
        for path in ["index.html.gz", "html", "feed.xml", "a.html/b.png"] {
            assert!(!is_page(path), "{path}");
        }
    }

    #[test]
    fn formats_times_as_dates() {
        let at = |created| ReleaseManifest { created, ..ReleaseManifest::default() };
        assert_eq!(at(1_726_065_000).shown_time(1_726_098_000), "14:30 UTC");
        assert_eq!(at(1_726_065_000).shown_time(1_726_100_000), "2024-09-11 14:30 UTC");
        assert_eq!(format_time(0), "19700101-000000");
        assert_eq!(format_time(951_782_399), "20000228-235959");
        assert_eq!(format_time(1_726_065_000), "20240911-143000");
    }
}
