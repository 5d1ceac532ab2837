//! What an edge (CDN, proxy, host) makes of the answers of a live site, as found before a release was switched. The
//! release is no reason for these differences, so that they are no reason to roll it back.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// The kind of a difference in the body.
pub(crate) const CONTENT: &str = "content";

/// The kind of a difference in a header, before its name.
pub(crate) const HEADER: &str = "header ";

/// The differences between a live site and the releases before, found right before a switch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownEdge {
    /// The site's URL, without user name and password.
    pub url: String,
    /// Whether there was no release to compare the site with.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_first: bool,
    /// Whether all answers that the release does not change were compared.
    pub is_complete: bool,
    /// The answers that differ, by the names of their requests.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, EdgeAnswer>,
    /// The kinds of differences that all compared files with a name extension have. New files have them, too.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extensions: BTreeMap<String, BTreeSet<String>>,
}

/// An answer that differs from the release before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeAnswer {
    /// The kinds of its differences.
    pub kinds: BTreeSet<String>,
    /// SHA-256 of its body, if the release changes the file. The same body afterwards means that the site still serves
    /// the earlier release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<String>,
}

impl KnownEdge {
    /// Returns what is known without a look: there was no release before.
    pub fn nothing_before(url: &str) -> KnownEdge {
        KnownEdge { url: url.to_owned(), is_first: true, is_complete: true, ..KnownEdge::default() }
    }

    /// Keeps only the differences that were known before an earlier release, which was not verified: it may be the
    /// reason for the others. Of the first release, nothing was known, so only a wrong status or redirect is its fault.
    #[must_use]
    pub(crate) fn known_before(mut self, earlier: &KnownEdge) -> KnownEdge {
        let of_first = |kind: &str| earlier.is_first && (kind == CONTENT || kind.starts_with(HEADER));
        self.answers.retain(|name, answer| {
            let known = earlier.answers.get(name);
            answer
                .kinds
                .retain(|kind| of_first(kind) || known.is_some_and(|known| known.kinds.contains(kind)));
            !answer.kinds.is_empty()
        });
        self.extensions.retain(|extension, kinds| {
            let known = earlier.extensions.get(extension);
            kinds.retain(|kind| of_first(kind) || known.is_some_and(|known| known.contains(kind)));
            !kinds.is_empty()
        });
        self
    }
}
