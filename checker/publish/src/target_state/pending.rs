//! Represents facts about the steps after a publish, which the record of a run stores.
//!
//! Steps that are not complete yet are stored until they succeed, so that running the same command again cannot hide a
//! failure. Differences that an edge (CDN, proxy, host) makes in the answers of a live site, as found before a release
//! was switched, are stored, too: the release is no reason for them, so that they are no reason to roll it back.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use url::Url;

use crate::failure::{Failure, FailureKind};

/// The steps that remain for the live release.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// The CloudFront distribution to invalidate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalidate: Option<String>,
    /// The live site to verify.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<PendingVerification>,
    /// The known differences that the edge of the live site makes. They stay after the verification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<KnownEdge>,
}

/// A verification of the live site that has not succeeded yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingVerification {
    /// The site's URL, without user name and password.
    pub url: String,
    /// Whether the URL had a user name or password. They are not stored.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_login: bool,
    /// How long to retry, in seconds.
    pub patience: u64,
    /// Whether to roll back if the site does not match the release.
    pub rollback: bool,
    /// Whether to roll back, too, if the site could not be verified.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rollback_unverified: bool,
    /// The result of the last attempt, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The URL as given to this run.
    #[serde(skip)]
    given: Option<String>,
}

/// The URL of a live site, and its author.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteUrl<'u> {
    /// The command line, which may name a private address.
    CommandLine(&'u str),
    /// The target state, which anyone who can write to the target may have changed.
    Recorded(&'u str),
}

impl Pending {
    /// Whether no step remains.
    pub fn is_empty(&self) -> bool {
        self.invalidate.is_none() && self.verify.is_none()
    }

    /// Whether there is nothing to record.
    pub(crate) fn is_default(&self) -> bool {
        *self == Pending::default()
    }

    /// Combines stored steps with newly requested ones. New ones replace stored ones of the same kind.
    pub(crate) fn with(self, requested: Pending) -> Pending {
        Pending {
            invalidate: requested.invalidate.or(self.invalidate),
            verify: requested.verify.or(self.verify),
            edge: requested.edge.or(self.edge),
        }
    }
}

impl PendingVerification {
    /// Whether the release is rolled back unless the site is known to match it.
    pub(crate) fn always_rolls_back(&self) -> bool {
        self.rollback && self.rollback_unverified
    }

    /// Creates a verification of the site at the URL that the user gave.
    pub(crate) fn new(
        given: &str,
        patience: u64,
        rollback: bool,
        rollback_unverified: bool,
    ) -> PendingVerification {
        let mut url = given.to_owned();
        let mut needs_login = false;
        if let Ok(mut parsed) = Url::parse(given)
            && !(parsed.username().is_empty() && parsed.password().is_none())
        {
            // A URL with a host always supports this. Other URLs are rejected before they are requested.
            needs_login = parsed.set_username("").and_then(|()| parsed.set_password(None)).is_ok();
            url = parsed.into();
        }
        PendingVerification {
            url,
            needs_login,
            patience,
            rollback,
            rollback_unverified,
            result: None,
            given: Some(given.to_owned()),
        }
    }

    /// Returns the verification with the result of an attempt.
    pub(crate) fn with_result(&self, result: &str) -> PendingVerification {
        // The reader sees the URL next to the result.
        let short = result.strip_prefix(self.url.as_str()).unwrap_or(result);
        let short = short.trim_start_matches([':', ' ']);
        PendingVerification { result: Some(short.to_owned()), ..self.clone() }
    }

    /// Returns the URL to verify.
    ///
    /// # Errors
    /// [`crate::failure::FailureKind::Unverifiable`] when it needs a user name or password, which only the original run
    /// knows.
    pub(crate) fn address(&self) -> Result<SiteUrl<'_>, Failure> {
        match &self.given {
            Some(given) => Ok(SiteUrl::CommandLine(given)),
            None if self.needs_login => {
                let message =
                    format!("{} cannot be verified: its name and password are not stored", self.url);
                Err(Failure::new(FailureKind::Unverifiable, message)
                    .help("repeat --verify with the full URL, or use --drop-pending"))
            }
            None => Ok(SiteUrl::Recorded(&self.url)),
        }
    }
}

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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{KnownEdge, Pending, PendingVerification, SiteUrl};

    #[test]
    fn uses_passwords_and_never_stores_them() {
        let given = "https://me:secret@www.example.com/";
        let verify = PendingVerification::new(given, 0, false, false);
        assert_eq!(verify.address().unwrap(), SiteUrl::CommandLine(given));
        let text = serde_json::to_string(&Pending { verify: Some(verify), ..Pending::default() }).unwrap();
        assert!(!text.contains("secret") && !text.contains("me:"), "{text}");
        let read: Pending = serde_json::from_str(&text).unwrap();
        assert!(read.verify.unwrap().address().unwrap_err().to_string().contains("--drop-pending"));
        let plain = PendingVerification::new("http://127.0.0.1:8/a", 3, true, false);
        let plain_text = serde_json::to_string(&plain).unwrap();
        let read_plain: PendingVerification = serde_json::from_str(&plain_text).unwrap();
        assert_eq!(read_plain.address().unwrap(), SiteUrl::Recorded("http://127.0.0.1:8/a"));
    }

    #[test]
    fn new_steps_replace_stored_ones() {
        let verify = |url| Some(PendingVerification::new(url, 0, false, false));
        let before = Pending {
            invalidate: Some("E1".to_owned()),
            verify: verify("https://a/"),
            edge: Some(KnownEdge::nothing_before("https://a/")),
        };
        let both = before.clone().with(Pending { verify: verify("https://b/"), ..Pending::default() });
        assert_eq!((both.invalidate.as_deref(), both.verify), (Some("E1"), verify("https://b/")));
        assert_eq!(before.clone().with(Pending::default()), before);
    }
}
