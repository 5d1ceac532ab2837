//! What a release is made of, as the target remembers it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sitegate_base::hex::hex;
use sitegate_check::internal::parse::Format;
use sitegate_check::internal::seal::Seal;
use sitegate_hosting::compression::beside;

use super::lineage::{Left, Live};

/// The version of a manifest's shape.
pub const SCHEMA_VERSION: u32 = 1;

/// What an object is to visitors, which decides when it is uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ObjectRole {
    /// Its name changes with its content: uploaded first, kept for open tabs.
    Asset,
    /// Any other file.
    File,
    /// An HTML page, or a list of pages: switched last.
    Page,
    /// Another file in compressed form: switched with that file, and never there without it.
    Variant,
}

impl ObjectRole {
    /// Whether an object of this role, made from `path`, is switched with the pages.
    pub fn is_switched_last(self, path: &str) -> bool {
        match self {
            ObjectRole::Asset | ObjectRole::File => false,
            ObjectRole::Page => true,
            ObjectRole::Variant => beside(path).is_some_and(|path| is_page(path) || is_list_of_pages(path)),
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
    pub role: ObjectRole,
    /// Its length in bytes.
    pub size: u64,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// MD5 of its content, in hexadecimal.
    pub md5: String,
    /// Where scripts load it, or it is a script: how many steps what it loads goes on. Objects with less go first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script_depth: Option<u32>,
    /// Its response headers, by lowercase name.
    pub headers: BTreeMap<String, String>,
}

/// A key of an earlier release that this one no longer has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retained {
    /// The key.
    pub key: String,
    /// What it was.
    pub role: ObjectRole,
    /// The last release that had it.
    pub release: String,
    /// Whether scripts of that release load it.
    #[serde(default)]
    pub is_for_scripts: bool,
}

impl Retained {
    /// Whether open tabs of the release that had it may still ask for it.
    pub(crate) fn is_for_open_tabs(&self) -> bool {
        self.role == ObjectRole::Asset || self.is_for_scripts
    }
}

/// Everything that is to be known of a release without its files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseManifest {
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
    /// The releases before it that are kept, the one that was live last first.
    pub history: Vec<String>,
    /// Those of them that were rolled away from.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left: BTreeMap<String, Left>,
    /// The objects, by key.
    pub objects: Vec<Object>,
    /// What earlier releases left behind.
    pub retained: Vec<Retained>,
}

impl ReleaseManifest {
    /// An object by its key.
    pub fn find(&self, key: &str) -> Option<&Object> {
        self.objects.binary_search_by(|object| object.key.as_str().cmp(key)).ok().map(|at| &self.objects[at])
    }

    /// The keys of all that it has or found left behind.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        let objects = self.objects.iter().map(|object| object.key.as_str());
        objects.chain(self.retained.iter().map(|retained| retained.key.as_str()))
    }

    /// Its name, and what was before it.
    pub(crate) fn lineage(&self) -> Live<'_> {
        Live { release: &self.release, history: &self.history, left: &self.left }
    }

    /// The release that first had this content: itself, or the one that it puts back.
    pub(crate) fn origin(&self) -> &str {
        self.restores.as_deref().unwrap_or(&self.release)
    }

    /// A release made now that puts this one's content back.
    pub(crate) fn restored(&self, created: u64) -> ReleaseManifest {
        ReleaseManifest {
            release: name(created, &self.objects),
            created,
            restores: Some(self.origin().to_owned()),
            history: Vec::new(),
            left: BTreeMap::new(),
            retained: Vec::new(),
            ..self.clone()
        }
    }
}

/// Whether a path names an HTML page.
pub fn is_page(path: &str) -> bool {
    Format::of(path.as_bytes()) == Format::Html
}

/// Whether a path names a list of pages, which must not be newer than they are.
pub(crate) fn is_list_of_pages(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with("sitemap") && (name.ends_with(".xml") || name.ends_with(".txt"))
        || matches!(name, "feed.xml" | "rss.xml" | "atom.xml" | "feed.json" | "llms.txt" | "llms-full.txt")
}

/// The order in which pages are switched: leaves first, then `/`, then lists of pages.
pub(crate) fn switch_rank(object: &Object) -> (u8, usize) {
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
pub(crate) fn name(created: u64, objects: &[Object]) -> String {
    let mut hash = Sha256::new();
    for object in objects {
        hash.update(format!("{} {} {:?}\0", object.key, object.sha256, object.headers));
    }
    format!("{}-{}", stamp(created), hex(&hash.finalize()[..4]))
}

/// A new manifest, with nothing before it.
pub(crate) fn manifest(seal: &Seal, objects: Vec<Object>, created: u64) -> ReleaseManifest {
    ReleaseManifest {
        schema_version: SCHEMA_VERSION,
        release: name(created, &objects),
        created,
        tree: seal.tree.clone(),
        contract: seal.contract.clone(),
        objects,
        ..ReleaseManifest::default()
    }
}

/// A time in UTC as `20240911-143000`.
pub(crate) fn stamp(seconds: u64) -> String {
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
    use super::{is_page, stamp};

    #[test]
    fn a_page_is_what_the_check_reads_as_a_page() {
        for path in ["index.html", "a/b.htm", "INDEX.HTML", "chapter.xhtml"] {
            assert!(is_page(path), "{path}");
        }
        for path in ["index.html.gz", "html", "feed.xml", "a.html/b.png"] {
            assert!(!is_page(path), "{path}");
        }
    }

    #[test]
    fn times_are_written_as_dates() {
        assert_eq!(stamp(0), "19700101-000000");
        assert_eq!(stamp(951_782_399), "20000228-235959");
        assert_eq!(stamp(1_726_065_000), "20240911-143000");
    }
}
