//! The list of assets in an export: files that never change under their name, with their age in releases. It is a file of
//! the export, so seals cover it, and the next release finds it in a folder, on a target and on a live site.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use chrono::NaiveDate;
use sitegate_address::SitePath;
use sitegate_address::hashed_name::may_all_be_hashed;
use sitegate_base::file_name;
use sitegate_check::Contract;
use sitegate_publish::release::objects::{is_immutable, is_switched_with_pages};

/// The path of the list in an export.
pub const ASSET_LIST: &str = "sitegate-assets.txt";

/// The first line. Another format has another number.
const HEADER: &str = "# sitegate assets 1";

/// The second line, for anyone who opens the file.
const NOTICE: &str = "# Files for open tabs, by `sitegate carry`: releases since a build made the file, last day, bytes, SHA-256, path.";

/// Maximum number of assets in a list.
const MAX_ASSETS: usize = 100_000;

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

/// The assets of an export, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssetList(pub BTreeMap<String, Asset>);

impl AssetList {
    /// Reads a list, which may come from anyone: paths stay below the export.
    ///
    /// # Errors
    /// The number of the line that is not in the format.
    pub fn parse(text: &[u8]) -> Result<AssetList, usize> {
        let text = str::from_utf8(text).map_err(|_| 1_usize)?;
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        if lines.next().is_none_or(|(_, line)| line != HEADER) {
            return Err(1);
        }
        let mut assets = BTreeMap::new();
        for (number, line) in lines.filter(|(_, line)| !line.starts_with('#')) {
            let (path, asset) = parse_line(line).ok_or(number)?;
            if assets.insert(path, asset).is_some() || assets.len() > MAX_ASSETS {
                return Err(number);
            }
        }
        Ok(AssetList(assets))
    }

    /// Returns the text of the file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEADER}\n{NOTICE}\n");
        for (path, Asset { releases, day, size, sha256 }) in &self.0 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{releases} {day} {size} {sha256} {path}");
        }
        text
    }
}

fn parse_line(line: &str) -> Option<(String, Asset)> {
    let mut fields = line.splitn(5, ' ');
    let releases = fields.next()?.parse().ok()?;
    let day = fields.next()?.parse().ok()?;
    let size = fields.next()?.parse().ok()?;
    let sha256 = fields.next()?.to_owned();
    let path = fields.next()?.to_owned();
    let is_digest =
        sha256.len() == 64 && sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (is_digest && is_plain(&path)).then_some((path, Asset { releases, day, size, sha256 }))
}

/// Whether a path is below any folder that it is joined to, and can be published.
fn is_plain(path: &str) -> bool {
    !path.is_empty()
        && path.split('/').all(|segment| !matches!(segment, "" | "." | ".."))
        && !path.contains(['\\', ':'])
        && file_name::unpublishable(path).is_none()
}

/// Returns the paths of assets: files with a hash in their name, or with `immutable` in the contract's `Cache-Control`.
/// Pages and lists of pages never are.
pub fn assets_among<'p>(paths: &[&'p str], contract: &Contract) -> BTreeSet<&'p str> {
    let candidates = || paths.iter().copied().filter(|path| is_plain(path) && !is_switched_with_pages(path));
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in candidates() {
        folders.entry(path.rsplit_once('/').map_or("", |(folder, _)| folder)).or_default().push(path);
    }
    // Some hashes look like words. In a folder of hashed names, they are hashes.
    folders.retain(|folder, files| !folder.is_empty() && may_all_be_hashed(files.iter()));
    let is_in_hashed_folder = |path: &str| {
        folders.contains_key(path.rsplit_once('/').map_or("", |(folder, _)| folder))
            && SitePath::new(path).extension().is_some()
    };
    candidates().filter(|path| is_immutable(path, contract) || is_in_hashed_folder(path)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use sitegate_check::Contract;

    use super::{AssetList, assets_among};

    const DIGEST: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn text_of_a_list_is_read_back() {
        let text =
            format!("{}3 2026-11-27 0 {DIGEST} assets/a b-B3x_9kQz.js\n", AssetList::default().to_text());
        assert_eq!(AssetList::parse(text.as_bytes()).unwrap().to_text(), text);
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
            "# sitegate assets 2\n".to_owned(),
            String::new(),
            "<!doctype html>".to_owned(),
        ] {
            assert!(AssetList::parse(text.as_bytes()).is_err(), "{text:?}");
        }
    }

    #[test]
    fn pages_and_files_that_change_are_no_assets() {
        let paths = [
            "assets/app-B3x_9kQz.js",
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
        ];
        let found = assets_among(&paths, &Contract::defaults());
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
