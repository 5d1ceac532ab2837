//! Assets: files that never change under their name. The list of them is a file of the export, so seals cover it, and the
//! next release finds it in a folder, an archive, on a target and on a live site.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use sitegate_address::SitePath;
use sitegate_address::hashed_name::{may_all_be_hashed, may_end_with_hash};
use sitegate_base::artifact::{self, Artifact};
use sitegate_base::file_name;
use sitegate_check::Contract;
use sitegate_publish::release::objects::{is_immutable, is_switched_with_pages};

use crate::sorted_list::{ListEntry, SortedList, parse_day};

/// The path of the list in an export.
pub const ASSET_LIST: &str = "sitegate-assets.txt";

/// The assets of an export, by path.
pub type AssetList = SortedList<Asset>;

/// An asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// Number of releases since a build made it; 0 if that of the list did.
    pub releases: u32,
    /// The last day on which a live build had it.
    pub day: NaiveDate,
    /// Its size in bytes.
    pub size: u64,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
}

impl ListEntry for Asset {
    type Key = String;
    const KIND: &'static Artifact = &artifact::ASSET_LIST;
    const NOTICE: &'static str = "# Files for open tabs, by `sitegate carry`: releases since a build made the file, last day, bytes, SHA-256, path.";

    fn parse(line: &str) -> Option<(String, Asset)> {
        let mut fields = line.splitn(5, ' ');
        let (releases, day, size) = (fields.next()?, fields.next()?, fields.next()?);
        let (sha256, path) = (fields.next()?.to_owned(), fields.next()?.to_owned());
        let asset = Asset {
            releases: releases.parse().ok()?,
            day: parse_day(day)?,
            size: size.parse().ok()?,
            sha256,
        };
        let is_digest = asset.sha256.len() == 64 && asset.sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_digest && is_plain(&path) && asset.line(&path) == line).then_some((path, asset))
    }

    fn line(&self, path: &String) -> String {
        let Asset { releases, day, size, sha256 } = self;
        format!("{releases} {day} {size} {} {path}", sha256.to_ascii_lowercase())
    }
}

/// Whether a path is below any folder that it is joined to, and can be published.
pub fn is_plain(path: &str) -> bool {
    !path.contains(['\\', ':']) && file_name::unpublishable(path).is_none()
}

/// Returns the paths with names of assets: those with a hash, or with `immutable` in the contract's `Cache-Control`. Pages
/// and lists of pages never are.
pub fn asset_names<'p>(paths: impl Iterator<Item = &'p str>, contract: &Contract) -> BTreeSet<&'p str> {
    let is_candidate = |path: &&str| {
        // Only developer tools load source maps.
        let is_map = SitePath::new(*path).extension() == Some("map");
        is_plain(path) && !is_map && *path != ASSET_LIST && !is_switched_with_pages(path)
    };
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in paths.filter(is_candidate) {
        folders.entry(SitePath::new(path).folder()).or_default().push(path);
    }
    let of_folder = |(folder, files): (&str, Vec<&'p str>)| {
        // Some hashes look like words. In a folder of hashed names, they are hashes.
        let is_hashed = !folder.is_empty() && may_all_be_hashed(files.iter());
        let is_asset = move |path: &&str| {
            is_hashed && SitePath::new(*path).extension().is_some()
                || may_end_with_hash(path)
                || is_immutable(path, contract)
        };
        files.into_iter().filter(is_asset)
    };
    folders.into_iter().flat_map(of_folder).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use sitegate_check::Contract;

    use super::{Asset, asset_names};
    use crate::sorted_list::{parse, to_text};

    const DIGEST: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn text_of_a_list_is_read_back() {
        let line = format!("3 2026-11-27 0 {DIGEST} assets/a b-B3x_9kQz.js\n");
        let list = parse::<Asset>(format!("# sitegate assets 1\n{line}").as_bytes()).unwrap();
        assert!(to_text(&list).ends_with(&line));
    }

    #[test]
    fn other_texts_and_paths_are_refused() {
        let line = |path: &str| format!("# sitegate assets 1\n0 2026-11-27 1 {DIGEST} {path}\n");
        for text in [
            line("../a.js"),
            line("/etc/passwd"),
            line("a/../../b"),
            line("a//b"),
            line("a\\b"),
            line("c:b"),
            line("."),
            line(""),
            line("a\u{1b}[2J"),
            line("a\n0 2026-11-27 1 x b"),
            format!("{}{}", line("a"), &line("a")[20..]),
            line("a").replace("e3b0", "E3B0"),
            line("a").replace("2026-11-27", "today"),
            line("a").replace("2026-11-27", "+262000-01-01"),
            line("a").replace(" 1 ", " +1 "),
            line("a").replace(" 1 ", " 99999999999999999999 "),
            "# sitegate assets 2\n".to_owned(),
            String::new(),
            "<!doctype html>".to_owned(),
        ] {
            assert!(parse::<Asset>(text.as_bytes()).is_err(), "{text:?}");
        }
        assert!(parse::<Asset>(b"# sitegate assets 1\n\xff\n").is_err());
    }

    #[test]
    fn pages_and_files_that_change_are_no_assets() {
        let paths = [
            "assets/app-B3x_9kQz.js",
            "assets/app-B3x_9kQz.js.map",
            "assets/index-DiwrgTda.js",
            "assets/chunk-QK5PWKL3.js",
            "assets/chunk-DimaRola.js",
            // Names of a build of Vite, none of them clearly hashed.
            "assets/one-B7-Hojva.svg",
            "assets/one-oaIWMBg2.svg",
            "assets/two-BOGK7tzj.svg",
            "photos/Beach-2024.jpg",
            "assets/main.1a2b3c4d.html",
            "main.1a2b3c4d.js",
            "logo.svg",
            "index.html",
            "sitemap-1a2b3c4d.xml",
            "sw.js",
            "sitegate-assets.txt",
        ];
        let found = asset_names(paths.into_iter(), &Contract::defaults());
        let expected = [
            "assets/app-B3x_9kQz.js",
            "assets/chunk-DimaRola.js",
            "assets/chunk-QK5PWKL3.js",
            "assets/index-DiwrgTda.js",
            "assets/one-B7-Hojva.svg",
            "assets/one-oaIWMBg2.svg",
            "assets/two-BOGK7tzj.svg",
            "main.1a2b3c4d.js",
        ];
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
    }
}
