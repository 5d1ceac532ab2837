//! Decides which earlier releases to keep for rollback when another goes live, and tracks which were rolled
//! back from.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

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

/// The live release and its history.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiveRelease<'l> {
    /// Its name.
    pub release: &'l String,
    /// The releases before it.
    pub history: &'l [String],
    /// Those of them that were rolled back from.
    pub rolled_back: &'l BTreeMap<String, RollbackMark>,
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
        live: Option<LiveRelease<'_>>,
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
        let before = std::iter::once(live.release).chain(live.history);
        lineage.add_releases(release, before, &rolled_back, keep, back.map(|back| back.to));
        lineage
    }

    /// Returns the history of `live` with fewer releases.
    pub(crate) fn trimmed(live: LiveRelease<'_>, keep: usize) -> Lineage {
        let mut lineage = Lineage::default();
        lineage.add_releases(live.release, live.history.iter(), live.rolled_back, keep, None);
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
    use super::super::manifest::ReleaseManifest;
    use super::{Lineage, Restoration, RollbackMark, RollbackReason};

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
            live = next(name, Lineage::after("", Some(live.lineage()), 2, None));
        }
        assert_eq!(live.history, ["3", "2"]);
        for round in 0..6 {
            // Alternates between two releases, under a new name each time.
            let to = live.history[0].clone();
            let mark = (round % 2 == 0).then_some(MARK);
            live = next(
                &format!("r{round}"),
                Lineage::after("", Some(live.lineage()), 2, Some(Restoration { to: &to, mark })),
            );
            assert_eq!(live.history.len(), 2, "{live:?}");
            assert_eq!(live.history[1], "2");
        }
        // After several failed releases, the good ones remain, and the latest of the bad ones.
        for bad in ["b1", "b2", "b3"] {
            let good = live.release.clone();
            live = next(bad, Lineage::after("", Some(live.lineage()), 2, None));
            let back = Restoration { to: &good, mark: Some(MARK) };
            live = next(&format!("after {bad}"), Lineage::after("", Some(live.lineage()), 2, Some(back)));
        }
        assert_eq!(live.history, ["b3", "b2", "r4"]);
        assert_eq!(live.rolled_back.keys().collect::<Vec<_>>(), ["b2", "b3"]);
    }

    #[test]
    fn releases_with_the_same_content_count_once() {
        let mut live = next("1-aaaaaaaa", Lineage::default());
        for name in ["2-bbbbbbbb", "3-bbbbbbbb", "4-bbbbbbbb", "5-bbbbbbbb"] {
            live = next(name, Lineage::after(name, Some(live.lineage()), 1, None));
        }
        assert_eq!(live.history, ["1-aaaaaaaa"], "repeated releases are no steps back");
        // An older version kept them.
        live.history = ["4-bbbbbbbb", "3-bbbbbbbb", "1-aaaaaaaa", "0-cccccccc"].map(str::to_owned).into();
        assert_eq!(Lineage::trimmed(live.lineage(), 2).history, ["1-aaaaaaaa", "0-cccccccc"]);
        let after = Lineage::after("6-aaaaaaaa", Some(live.lineage()), 2, None);
        assert_eq!(after.history, ["5-bbbbbbbb", "1-aaaaaaaa", "0-cccccccc"]);
        assert_eq!(after.heirs.get("3-bbbbbbbb").map(String::as_str), Some("1-aaaaaaaa"));
    }

    #[test]
    fn files_of_a_dropped_release_pass_to_the_one_before_it() {
        let mut live = next("1", Lineage::default());
        live = next("2", Lineage::after("", Some(live.lineage()), 1, None));
        let lineage =
            Lineage::after("", Some(live.lineage()), 1, Some(Restoration { to: "1", mark: Some(MARK) }));
        assert_eq!((lineage.history.as_slice(), lineage.heirs.len()), (&["2".to_owned()][..], 0));
        live = next("3", lineage);
        assert_eq!(Lineage::after("", Some(live.lineage()), 0, None), Lineage::default());
        let named = ReleaseManifest {
            history: vec!["2".to_owned(), "1".to_owned()],
            ..next("3", Lineage::default())
        };
        let after_named =
            Lineage::after("", Some(named.lineage()), 5, Some(Restoration { to: "2", mark: Some(MARK) }));
        assert_eq!(after_named.history, ["3", "1"]);
        assert_eq!(after_named.heirs.get("2").map(String::as_str), Some("1"));
    }
}
