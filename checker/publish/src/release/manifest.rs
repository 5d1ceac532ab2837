//! The manifest of a release, as stored on the target.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sitegate_address::{INDEX, SitePath};
use sitegate_base::artifact::RUN;
use sitegate_base::hex::hex;
use sitegate_check::{Format, Seal};
use sitegate_host::compression::file_of_variant;

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

/// The time and reason of a rollback from a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollbackMark {
    /// The time, in seconds since 1970.
    pub at: u64,
    /// The reason.
    #[serde(rename = "because")]
    pub reason: RollbackReason,
}

/// The reason of a rollback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RollbackReason {
    /// The user requested it.
    #[serde(rename = "asked")]
    Requested,
    /// The live site did not match the seal.
    Unverified,
    /// The live site could not be verified, and the user had requested a rollback for this case.
    Unverifiable,
}

/// A rollback, as recorded in the history.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Restoration<'r> {
    /// The restored release.
    pub to: &'r str,
    /// The mark for the release that was live; none if it is not a rollback from it.
    pub mark: Option<RollbackMark>,
}

/// The history of a new release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lineage {
    /// The releases to keep, the latest first.
    pub history: Vec<String>,
    /// Those of them that were rolled back from.
    pub rolled_back: BTreeMap<String, RollbackMark>,
    /// For each dropped release, the kept one before it, which takes over their shared files.
    pub heirs: BTreeMap<String, String>,
}

impl Lineage {
    /// Returns the history of `release`, which follows `live`. It keeps `keep` releases that were rolled back
    /// from and `keep` others, so that neither displace the others. A restored release leaves the history.
    ///
    /// Releases with the same content count once, so that they do not displace the others, either.
    pub(crate) fn after(
        release: &str,
        live: Option<&ReleaseManifest>,
        keep: usize,
        back: Option<Restoration<'_>>,
    ) -> Lineage {
        let mut lineage = Lineage::default();
        let Some(live) = live else { return lineage };
        let mut rolled_back = live.rolled_back.clone();
        if let Some(back) = back {
            rolled_back.extend(back.mark.map(|mark| (live.release.clone(), mark)));
            rolled_back.remove(back.to);
        }
        let before = std::iter::once(&live.release).chain(&live.history);
        lineage.add_releases(release, before, &rolled_back, keep, back.map(|back| back.to));
        lineage
    }

    /// Returns the history of `live` with fewer releases.
    pub(crate) fn trimmed(live: &ReleaseManifest, keep: usize) -> Lineage {
        let mut lineage = Lineage::default();
        lineage.add_releases(&live.release, live.history.iter(), &live.rolled_back, keep, None);
        lineage
    }

    fn add_releases<'n>(
        &mut self,
        release: &str,
        names: impl Iterator<Item = &'n String>,
        rolled_back: &BTreeMap<String, RollbackMark>,
        keep: usize,
        without: Option<&str>,
    ) {
        let (mut sound, mut marked) = (0, 0);
        let mut gone: Vec<&String> = Vec::new();
        let own_content = content_digest(release);
        // Whether the release before in this loop, which is the next one in time, is the new one or has its content.
        let mut repeats_own = own_content.is_some();
        let mut known = BTreeSet::new();
        for name in names {
            let mark = rolled_back.get(name);
            let number = if mark.is_some() { &mut marked } else { &mut sound };
            let content = content_digest(name);
            let has_own = content.is_some() && content == own_content;
            repeats_own &= has_own;
            let is_repeated =
                repeats_own || content.is_some_and(|content| known.contains(&(content, mark.is_some())));
            if is_repeated || *number == keep || without == Some(name) {
                gone.push(name);
                continue;
            }
            known.extend(content.map(|content| (content, mark.is_some())));
            // It is no step back now, but is again after a rollback.
            *number += usize::from(!has_own);
            self.heirs.extend(gone.drain(..).map(|gone| (gone.clone(), name.clone())));
            self.rolled_back.extend(mark.map(|mark| (name.clone(), *mark)));
            self.history.push(name.clone());
        }
    }
}

/// Returns the digest of the objects in a release's name; none if the name has another form.
pub(crate) fn content_digest(release: &str) -> Option<&str> {
    release.rsplit_once('-').map(|(_, digest)| digest).filter(|digest| digest.len() == 8)
}

#[cfg(test)]
mod tests {
    use super::{Lineage, ReleaseManifest, Restoration, RollbackMark, RollbackReason, format_time, is_page};

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

    const MARK: RollbackMark = RollbackMark { at: 1, reason: RollbackReason::Requested };

    /// Returns the manifest of the next release, with this lineage.
    fn next(release: &str, lineage: Lineage) -> ReleaseManifest {
        ReleaseManifest {
            release: release.to_owned(),
            history: lineage.history,
            rolled_back: lineage.rolled_back,
            ..ReleaseManifest::default()
        }
    }

    #[test]
    fn rolled_back_releases_do_not_displace_others() {
        let mut live = next("1", Lineage::default());
        for name in ["2", "3", "4"] {
            live = next(name, Lineage::after("", Some(&live), 2, None));
        }
        assert_eq!(live.history, ["3", "2"]);
        for round in 0..6 {
            // Alternates between two releases, under a new name each time.
            let to = live.history[0].clone();
            let mark = (round % 2 == 0).then_some(MARK);
            live = next(
                &format!("r{round}"),
                Lineage::after("", Some(&live), 2, Some(Restoration { to: &to, mark })),
            );
            assert_eq!(live.history.len(), 2, "{live:?}");
            assert_eq!(live.history[1], "2");
        }
        // After several failed releases, the good ones remain, and the latest of the bad ones.
        for bad in ["b1", "b2", "b3"] {
            let good = live.release.clone();
            live = next(bad, Lineage::after("", Some(&live), 2, None));
            let back = Restoration { to: &good, mark: Some(MARK) };
            live = next(&format!("after {bad}"), Lineage::after("", Some(&live), 2, Some(back)));
        }
        assert_eq!(live.history, ["b3", "b2", "r4"]);
        assert_eq!(live.rolled_back.keys().collect::<Vec<_>>(), ["b2", "b3"]);
    }

    #[test]
    fn releases_with_the_same_content_count_once() {
        let mut live = next("1-aaaaaaaa", Lineage::default());
        for name in ["2-bbbbbbbb", "3-bbbbbbbb", "4-bbbbbbbb", "5-bbbbbbbb"] {
            live = next(name, Lineage::after(name, Some(&live), 1, None));
        }
        assert_eq!(live.history, ["1-aaaaaaaa"], "repeated releases are no steps back");
        // An older version kept them.
        live.history = ["4-bbbbbbbb", "3-bbbbbbbb", "1-aaaaaaaa", "0-cccccccc"].map(str::to_owned).into();
        assert_eq!(Lineage::trimmed(&live, 2).history, ["1-aaaaaaaa", "0-cccccccc"]);
        let after = Lineage::after("6-aaaaaaaa", Some(&live), 2, None);
        assert_eq!(after.history, ["5-bbbbbbbb", "1-aaaaaaaa", "0-cccccccc"]);
        assert_eq!(after.heirs.get("3-bbbbbbbb").map(String::as_str), Some("1-aaaaaaaa"));
    }

    #[test]
    fn files_of_a_dropped_release_pass_to_the_one_before_it() {
        let mut live = next("1", Lineage::default());
        live = next("2", Lineage::after("", Some(&live), 1, None));
        let lineage = Lineage::after("", Some(&live), 1, Some(Restoration { to: "1", mark: Some(MARK) }));
        assert_eq!((lineage.history.as_slice(), lineage.heirs.len()), (&["2".to_owned()][..], 0));
        live = next("3", lineage);
        assert_eq!(Lineage::after("", Some(&live), 0, None), Lineage::default());
        let named = ReleaseManifest {
            history: vec!["2".to_owned(), "1".to_owned()],
            ..next("3", Lineage::default())
        };
        let after_named =
            Lineage::after("", Some(&named), 5, Some(Restoration { to: "2", mark: Some(MARK) }));
        assert_eq!(after_named.history, ["3", "1"]);
        assert_eq!(after_named.heirs.get("2").map(String::as_str), Some("1"));
    }
}
