//! Adds the assets of earlier releases to an export, for tabs that were opened before it goes live: those of the last
//! releases, up to an age and a size.

mod asset;
mod previous_release;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use asset::{ASSET_LIST, Asset, AssetList};
use chrono::{NaiveDate, Utc};
use previous_release::{FoundAssets, PreviousRelease, read_export};
use sitegate_address::SitePath;
use sitegate_base::atomic_file::{self, OutputKind};
use sitegate_base::hex::hex;
use sitegate_check::{Contract, FileDigest};
use sitegate_publish::release::objects::is_immutable;
use sitegate_publish::target::TargetOptions;

use crate::error::Error;
use crate::sorted_list;

/// A file that is added: it replaces none.
const NEW_FILE: OutputKind = OutputKind { refusal: "is not the carried one", replaces: |_| false };

/// A carry: what an export gets from earlier releases.
#[derive(Debug)]
pub struct Carry {
    /// The assets of earlier releases, by path.
    pub carried: AssetList,
    /// Those that the export did not have yet.
    pub added: AssetList,
    /// The number of assets that are too old, or too large together.
    pub dropped: usize,
    /// Assets that the source lists, but does not have with this content.
    pub missing: Vec<String>,
    /// Files that the source loads and the export does not have, and that are no assets: their names have no hash.
    pub unhashed: Vec<String>,
}

/// Adds the assets of the previous release to the export in `root`, and writes its list of assets. With `is_dry`, it
/// changes nothing.
///
/// # Errors
/// If the source or the export cannot be read, or if the export has another content at the path of an asset.
pub fn carry(
    root: &Path,
    from: &str,
    contract: &mut Contract,
    store: &TargetOptions,
    limits: CarryLimits,
    is_dry: bool,
) -> Result<Carry, Error> {
    if fs::canonicalize(from).is_ok_and(|from| fs::canonicalize(root).is_ok_and(|root| from == root)) {
        return Err(Error::usage(format!("{from}: this is the new export; name the previous one")));
    }
    let today = Utc::now().date_naive();
    let (tree, FoundAssets { mut list, .. }) = read_export(root, contract, today)?;
    // Those that an earlier run has added are planned again: this one may be from another release.
    let added_before: AssetList = list.extract_if(.., |_, asset| asset.releases > 0).collect();
    for asset in list.values_mut() {
        asset.day = today;
    }
    let previous = PreviousRelease::open(from, contract, store, today)?;
    let mut present: BTreeMap<String, String> = BTreeMap::new();
    for path in previous.found.list.keys() {
        if let Some(file) = tree.find(path.as_bytes()).map(|id| tree.disk_path(id)) {
            let digest = FileDigest::read(&file, |_| ()).map_err(Error::file(&file))?;
            present.insert(path.clone(), hex(&digest.sha256));
        }
    }
    let CarryPlan { mut carried, dropped, mut conflicts } =
        plan(&previous.found.list, &added_before, &list, &present, limits, today);
    present.extend(added_before.into_iter().map(|(path, asset)| (path, asset.sha256)));
    // A name that may have a hash may be plain, too. Then the export has its newer content.
    conflicts.retain(|path| is_immutable(path, contract));
    if !conflicts.is_empty() {
        let names = conflicts.join("\n  ");
        return Err(Error::usage(format!(
            "the export has other contents under the names of earlier assets, so these names do not identify a content:\n  {names}"
        )));
    }
    let is_new = |(path, _): &(&String, &Asset)| !present.contains_key(*path);
    let mut added: AssetList =
        carried.iter().filter(is_new).map(|(path, asset)| (path.clone(), asset.clone())).collect();
    let mut missing = previous.found.changed.clone();
    missing.retain(|path| tree.find(path.as_bytes()).is_none());
    if !is_dry {
        let unread = previous.read(&added, contract, |path, content| {
            add_file(root, path, content).map_err(Error::file(&root.join(path)))
        })?;
        added.retain(|path, _| !unread.contains(path));
        carried.retain(|path, _| !unread.contains(path));
        missing.extend(unread);
        list.extend(carried.clone());
        sorted_list::write(&root.join(ASSET_LIST), &list)?;
    }
    let mut unhashed = previous.found.unhashed;
    unhashed.retain(|path| tree.find(path.as_bytes()).is_none());
    Ok(Carry { carried, added, dropped, missing, unhashed })
}

/// Adds a file to an export. Its folders are real folders of the export.
fn add_file(root: &Path, path: &str, content: &[u8]) -> io::Result<()> {
    for folder in SitePath::new(path).ancestors() {
        let folder = root.join(folder);
        match fs::symlink_metadata(&folder) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(io::Error::other("a folder of its path is a file or a link")),
            Err(_) => fs::create_dir(&folder)?,
        }
    }
    atomic_file::write(&root.join(path), NEW_FILE, |mut out| out.write_all(content))
}

/// Limits of carried assets.
#[derive(Clone, Copy, Debug)]
pub struct CarryLimits {
    /// Maximum number of releases since a build made the asset.
    pub releases: u32,
    /// Maximum number of days since a live build had it.
    pub days: i64,
    /// Maximum size of all of them, in bytes.
    pub size: u64,
}

/// The assets that an export gets.
#[derive(Debug, Default, PartialEq, Eq)]
struct CarryPlan {
    /// The assets of earlier releases, by path.
    pub carried: AssetList,
    /// The number of assets that are too old, or too large together.
    pub dropped: usize,
    /// Paths at which the export has another content.
    pub conflicts: Vec<String>,
}

/// Plans what an export gets from the previous release. `added` are the assets that it got from other releases, `own` those
/// of its build, and `present` the digests of its files at the paths of the previous assets.
fn plan(
    previous: &AssetList,
    added: &AssetList,
    own: &AssetList,
    present: &BTreeMap<String, String>,
    limits: CarryLimits,
    today: NaiveDate,
) -> CarryPlan {
    let mut plan = CarryPlan::default();
    let mut candidates: Vec<(&String, Asset)> = Vec::new();
    for (path, asset) in previous {
        if own.get(path).is_some_and(|own| own.sha256 == asset.sha256) {
            continue;
        }
        if present.get(path).is_some_and(|sha256| *sha256 != asset.sha256) {
            plan.conflicts.push(path.clone());
            continue;
        }
        // The build of the previous release was live until now.
        let day = if asset.releases == 0 { today } else { asset.day.min(today) };
        let mut releases = asset.releases.saturating_add(1);
        // The last build that made it counts.
        if let Some(known) = added.get(path).filter(|known| known.sha256 == asset.sha256) {
            releases = releases.min(known.releases);
        }
        candidates.push((path, Asset { releases, day, ..asset.clone() }));
    }
    let others = added.iter().filter(|(path, _)| !previous.contains_key(*path));
    candidates
        .extend(others.map(|(path, asset)| (path, Asset { day: asset.day.min(today), ..asset.clone() })));
    candidates.sort_by_key(|(path, asset)| (asset.releases, *path));
    let mut size = 0_u64;
    let mut is_full = false;
    for (path, asset) in candidates {
        let is_old = asset.releases > limits.releases || (today - asset.day).num_days() > limits.days;
        // A release is useful as a whole, so that nothing older takes the place of what does not fit.
        is_full |= !is_old && size.saturating_add(asset.size) > limits.size;
        if is_old || is_full {
            plan.dropped += 1;
            continue;
        }
        size += asset.size;
        plan.carried.insert(path.clone(), asset);
    }
    plan
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeMap;

    use super::{Asset, AssetList, CarryLimits, plan};

    const LIMITS: CarryLimits = CarryLimits { releases: 3, days: 30, size: 100 };

    fn asset(releases: u32, day: &str, size: u64) -> Asset {
        Asset { releases, day: day.parse().unwrap(), size, sha256: format!("{size}") }
    }

    fn carried(previous: &[(&str, Asset)], own: &[(&str, Asset)]) -> (Vec<(String, u32)>, usize) {
        let list = |list: &[(&str, Asset)]| {
            list.iter().map(|(path, asset)| ((*path).to_owned(), asset.clone())).collect::<AssetList>()
        };
        let today = "2026-11-30".parse().unwrap();
        let planned = plan(&list(previous), &AssetList::new(), &list(own), &BTreeMap::new(), LIMITS, today);
        (planned.carried.into_iter().map(|(path, asset)| (path, asset.releases)).collect(), planned.dropped)
    }

    #[test]
    fn old_assets_and_those_beyond_the_limits_are_dropped() {
        let list = [
            ("a", asset(0, "2020-01-01", 10)),
            ("b", asset(2, "2026-11-01", 10)),
            ("c", asset(3, "2026-11-01", 10)),
            ("d", asset(1, "2026-10-30", 10)),
        ];
        assert_eq!(carried(&list, &[]), (vec![("a".to_owned(), 1), ("b".to_owned(), 3)], 2));
        let large = [
            ("a", asset(0, "2026-11-01", 90)),
            ("b", asset(1, "2026-11-01", 20)),
            ("c", asset(1, "2026-11-01", 5)),
        ];
        assert_eq!(carried(&large, &[]), (vec![("a".to_owned(), 1)], 2));
    }

    #[test]
    fn an_asset_of_the_build_is_not_carried() {
        let list = [("a", asset(1, "2026-11-01", 10))];
        assert_eq!(carried(&list, &[("a", asset(0, "2026-11-30", 10))]), (vec![], 0));
    }
}
