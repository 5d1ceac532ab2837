//! The result of a verification, and what it means: verified, different, or not verifiable.

use std::collections::BTreeMap;

use serde::Serialize;
use sitegate_base::plural::count;

use super::comparison::Mismatch;
use super::expectation::Expectation;
use super::site::{DifferenceCause, SiteBefore};
use crate::failure::{Failure, FailureKind};
use crate::visitor::{NoAnswer, SiteAnswer};

/// Maximum number of warnings about the edge.
const MAX_WARNINGS: usize = 8;

/// Number of answers that a warning names.
const MAX_NAMES: usize = 2;

/// A response that differs from the seal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct WrongResponse {
    /// The URL.
    pub url: String,
    /// The difference.
    pub message: String,
}

/// The result of a verification.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verification {
    /// The number of requests, without retries.
    pub requests: usize,
    /// The responses that differ from the seal.
    pub wrong: Vec<WrongResponse>,
    /// The requests without a usable response.
    pub unanswered: Vec<WrongResponse>,
    /// Differences that the edge made before the release, too: the names of the requests, by difference.
    #[serde(skip)]
    edge: BTreeMap<String, Vec<String>>,
    /// The number of responses with the expected status.
    #[serde(skip)]
    compared: usize,
    /// Whether the release is the cause of a difference.
    #[serde(skip)]
    has_reason: bool,
    /// Whether the site was compared before the release.
    #[serde(skip)]
    knows_before: bool,
    /// A reason why there is no response; none if there was one without content.
    #[serde(skip)]
    no_answer: Option<NoAnswer>,
}

/// The meaning of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SiteVerdict {
    /// The site serves the release.
    Verified,
    /// The site differs from the release.
    Different,
    /// The site gave no usable answer to some request, so that nothing is known.
    Unverifiable,
}

impl Verification {
    pub(super) fn add_unanswered(&mut self, expectation: &Expectation<'_>, no_answer: NoAnswer) {
        self.requests += 1;
        let message = if no_answer.was_sent {
            format!("no response: {no_answer}")
        } else {
            format!("not requested, because other requests got no response: {no_answer}")
        };
        self.unanswered.push(WrongResponse { url: expectation.shown_url(), message });
        if self.no_answer.is_none() || no_answer.was_sent {
            self.no_answer = Some(no_answer);
        }
    }

    pub(super) fn add_unavailable(&mut self, expectation: &Expectation<'_>, answer: &SiteAnswer) {
        self.requests += 1;
        let message = format!("returns {}, which says nothing about the release", answer.status);
        self.unanswered.push(WrongResponse { url: expectation.shown_url(), message });
    }

    pub(super) fn add_compared(
        &mut self,
        expectation: &Expectation<'_>,
        answer: &SiteAnswer,
        mismatches: Vec<Mismatch>,
        before: SiteBefore<'_>,
    ) {
        self.requests += 1;
        self.knows_before = before.edge.is_some();
        let is_status = mismatches.iter().any(|mismatch| matches!(mismatch, Mismatch::Status { .. }));
        self.compared += usize::from(!is_status);
        let mut messages = Vec::new();
        for mismatch in mismatches {
            match before.cause(expectation, &mismatch, &answer.body.sha256) {
                DifferenceCause::Edge => {
                    let names = self.edge.entry(mismatch.as_edge()).or_default();
                    names.push(expectation.name.clone());
                    continue;
                }
                DifferenceCause::Release => self.has_reason = true,
                DifferenceCause::Unknown => {}
            }
            messages.push(mismatch.to_string());
        }
        if !messages.is_empty() {
            self.wrong.push(WrongResponse { url: expectation.shown_url(), message: messages.join("; ") });
        }
    }

    pub(super) fn sort(&mut self) {
        self.wrong.sort();
        self.unanswered.sort();
        self.edge.values_mut().for_each(|names| names.sort());
    }

    /// Returns the meaning.
    pub fn verdict(&self) -> SiteVerdict {
        if !self.wrong.is_empty() {
            SiteVerdict::Different
        } else if !self.unanswered.is_empty() || self.compared == 0 {
            SiteVerdict::Unverifiable
        } else {
            SiteVerdict::Verified
        }
    }

    /// Whether the release is the cause of a difference, so that a rollback may help.
    pub fn has_reason(&self) -> bool {
        self.has_reason
    }

    /// Returns what the edge makes of responses, as it did before the release: one sentence for each difference.
    pub fn edge_warnings(&self) -> Vec<String> {
        let warning = |(change, names): (&String, &Vec<String>)| match names.as_slice() {
            [name] => format!("{name}: {change}, as before this release"),
            names if names.len() <= MAX_NAMES => {
                format!("{}: {change}, as before this release", names.join(", "))
            }
            names => format!(
                "{} and {} more: {change}, as before this release",
                names[..MAX_NAMES].join(", "),
                names.len() - MAX_NAMES
            ),
        };
        let mut warnings: Vec<String> = self.edge.iter().take(MAX_WARNINGS).map(warning).collect();
        if self.edge.len() > MAX_WARNINGS {
            let more = self.edge.len() - MAX_WARNINGS;
            warnings
                .push(format!("the edge makes {}, as before this release", count(more, "more difference")));
        }
        warnings
    }

    /// Returns the differences that the edge makes, each with the names of its requests.
    pub fn edge_changes(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.edge.iter().map(|(change, names)| (change.as_str(), names.as_slice()))
    }

    /// Turns differences and missing responses into a failure.
    ///
    /// # Errors
    /// [`FailureKind::Unverified`] when there is a difference, [`FailureKind::Unverifiable`] when there is none, but
    /// a request got no usable response.
    pub fn or_fail(&self, url: &str) -> Result<(), Failure> {
        match self.verdict() {
            SiteVerdict::Verified => Ok(()),
            SiteVerdict::Different => {
                let names = self.wrong.iter().chain(&self.unanswered).map(WrongResponse::line);
                let responses = count(self.wrong.len(), "response");
                let differ = if self.wrong.len() == 1 { "differs" } else { "differ" };
                let message = format!("{url}: {responses} {differ} from the seal");
                let failure = Failure::new(FailureKind::Unverified, message).names(names);
                Err(match (self.has_reason, self.knows_before) {
                    (true, _) => failure,
                    (false, true) => failure.help("this release did not change these files"),
                    (false, false) => failure.help(UNKNOWN_BEFORE),
                })
            }
            SiteVerdict::Unverifiable => Err(self.unverifiable(url)),
        }
    }

    fn unverifiable(&self, url: &str) -> Failure {
        let failure = |message| Failure::new(FailureKind::Unverifiable, message);
        if let (0, Some(no_answer)) = (self.compared, &self.no_answer) {
            let found = failure(format!("{url} could not be verified: {no_answer}"));
            return found.help(if no_answer.is_private {
                "name it by `--verify` again, or add it to `allow-addresses` of the contract"
            } else {
                "nothing was compared"
            });
        }
        if self.unanswered.is_empty() {
            let names = self.edge.iter().map(|(change, names)| format!("{}  {change}", names.join(", ")));
            let message = format!("{url} could not be verified: no response has the expected status");
            return failure(message).names(names);
        }
        let requests = count(self.requests, "request");
        let message = format!(
            "{url} could not be verified: {} of {requests} got no usable response",
            self.unanswered.len()
        );
        failure(message).names(self.unanswered.iter().map(WrongResponse::line))
    }
}

/// The suggestion when it is unknown whether the release is the cause.
const UNKNOWN_BEFORE: &str = "a CDN or proxy may change them: `publish --verify` knows, `verify` cannot";

impl WrongResponse {
    fn line(&self) -> String {
        format!("{}  {}", self.url, self.message)
    }
}

impl Expectation<'_> {
    fn shown_url(&self) -> String {
        if self.is_head { format!("HEAD {}", self.url) } else { self.url.clone() }
    }
}
