//! Which releases stay for a way back when another goes live, and which of them were rolled away from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// When a release was rolled away from, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    /// When, in seconds since 1970.
    pub at: u64,
    /// Why.
    pub because: LeftBecause,
}

/// Why a release was rolled away from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LeftBecause {
    /// Someone asked for it.
    Asked,
    /// The live site did not answer as published.
    Unverified,
}

/// A live release and what was before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Live<'l> {
    /// Its name.
    pub release: &'l String,
    /// The releases before it.
    pub history: &'l [String],
    /// Those of them that were rolled away from.
    pub left: &'l BTreeMap<String, Left>,
}

/// A way back, as the releases before it remember it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Return<'r> {
    /// The release whose content is live again.
    pub to: &'r str,
    /// How the release that was live is marked; none where it was not rolled away from.
    pub mark: Option<Left>,
}

/// The releases before a new one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lineage {
    /// Those that stay, the one that was live last first.
    pub history: Vec<String>,
    /// Those of them that were rolled away from.
    pub left: BTreeMap<String, Left>,
    /// For each that goes, the one before it that stays: what the two have in common is needed on.
    pub heirs: BTreeMap<String, String>,
}

impl Lineage {
    /// The releases before one that follows `live`. Of those that were rolled away from as many stay as of the others,
    /// `keep`, so that neither use up the places of the others. One that goes live again is no longer before it.
    pub(crate) fn after(live: Option<Live<'_>>, keep: usize, back: Option<Return<'_>>) -> Lineage {
        let mut lineage = Lineage::default();
        let Some(live) = live else { return lineage };
        let mut left = live.left.clone();
        if let Some(back) = back {
            left.extend(back.mark.map(|mark| (live.release.clone(), mark)));
            left.remove(back.to);
        }
        let before = std::iter::once(live.release).chain(live.history);
        lineage.keep(before, &left, keep, back.map(|back| back.to));
        lineage
    }

    /// The releases before `live`, where fewer are to stay.
    pub(crate) fn trimmed(live: Live<'_>, keep: usize) -> Lineage {
        let mut lineage = Lineage::default();
        lineage.keep(live.history.iter(), live.left, keep, None);
        lineage
    }

    fn keep<'n>(
        &mut self,
        names: impl Iterator<Item = &'n String>,
        left: &BTreeMap<String, Left>,
        keep: usize,
        without: Option<&str>,
    ) {
        let (mut sound, mut marked) = (0, 0);
        let mut gone: Vec<&String> = Vec::new();
        for name in names {
            let mark = left.get(name);
            let number = if mark.is_some() { &mut marked } else { &mut sound };
            if *number == keep || without == Some(name) {
                gone.push(name);
                continue;
            }
            *number += 1;
            self.heirs.extend(gone.drain(..).map(|gone| (gone.clone(), name.clone())));
            self.left.extend(mark.map(|mark| (name.clone(), *mark)));
            self.history.push(name.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::manifest::ReleaseManifest;
    use super::{Left, LeftBecause, Lineage, Return};

    const MARK: Left = Left { at: 1, because: LeftBecause::Asked };

    /// The manifest of the next release, after its lineage.
    fn next(release: &str, lineage: Lineage) -> ReleaseManifest {
        ReleaseManifest {
            release: release.to_owned(),
            history: lineage.history,
            left: lineage.left,
            ..ReleaseManifest::default()
        }
    }

    #[test]
    fn releases_that_were_rolled_away_from_use_up_no_place() {
        let mut live = next("1", Lineage::default());
        for name in ["2", "3", "4"] {
            live = next(name, Lineage::after(Some(live.lineage()), 2, None));
        }
        assert_eq!(live.history, ["3", "2"]);
        for round in 0..6 {
            // To and fro between two releases, under a new name each time.
            let to = live.history[0].clone();
            let mark = (round % 2 == 0).then_some(MARK);
            live = next(
                &format!("r{round}"),
                Lineage::after(Some(live.lineage()), 2, Some(Return { to: &to, mark })),
            );
            assert_eq!(live.history.len(), 2, "{live:?}");
            assert_eq!(live.history[1], "2");
        }
        // Releases that fail one after the other: the good ones stay, and of the bad ones the latest.
        for bad in ["b1", "b2", "b3"] {
            let good = live.release.clone();
            live = next(bad, Lineage::after(Some(live.lineage()), 2, None));
            let back = Return { to: &good, mark: Some(MARK) };
            live = next(&format!("after {bad}"), Lineage::after(Some(live.lineage()), 2, Some(back)));
        }
        assert_eq!(live.history, ["b3", "b2", "r4"]);
        assert_eq!(live.left.keys().collect::<Vec<_>>(), ["b2", "b3"]);
    }

    #[test]
    fn what_a_dropped_release_shares_goes_to_the_one_before_it() {
        let mut live = next("1", Lineage::default());
        live = next("2", Lineage::after(Some(live.lineage()), 1, None));
        let lineage = Lineage::after(Some(live.lineage()), 1, Some(Return { to: "1", mark: Some(MARK) }));
        assert_eq!((lineage.history.as_slice(), lineage.heirs.len()), (&["2".to_owned()][..], 0));
        live = next("3", lineage);
        assert_eq!(Lineage::after(Some(live.lineage()), 0, None), Lineage::default());
        let named = ReleaseManifest {
            history: vec!["2".to_owned(), "1".to_owned()],
            ..next("3", Lineage::default())
        };
        let after_named =
            Lineage::after(Some(named.lineage()), 5, Some(Return { to: "2", mark: Some(MARK) }));
        assert_eq!(after_named.history, ["3", "1"]);
        assert_eq!(after_named.heirs.get("2").map(String::as_str), Some("1"));
    }
}
