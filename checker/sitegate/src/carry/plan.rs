//! Decides which assets of earlier releases an export gets: those of the last releases, up to an age and a size.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::asset::{Asset, AssetList};

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
pub struct CarryPlan {
    /// The assets of earlier releases, by path.
    pub carried: AssetList,
    /// The number of assets that are too old, or too large together.
    pub dropped: usize,
    /// Paths at which the export has another content.
    pub conflicts: Vec<String>,
}

/// Plans what an export gets from the previous release. `added` are the assets that it got from other releases, `own` those
/// of its build, and `present` the digests of its files at the paths of the previous assets.
pub fn plan(
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
