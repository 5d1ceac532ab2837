//! The live site to verify, and the result: verified, different, or not verifiable. Decides whether a difference is due to
//! the release or to the edge, by the answers of the site before the release.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use sitegate_address::SitePath;
use sitegate_base::plural::count;
use sitegate_check::{Contract, Seal};
use url::Url;

use super::comparison::Mismatch;
use super::expectation::Expectation;
use crate::failure::{Failure, FailureKind};
use crate::target_state::pending::{CONTENT, KnownEdge};
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

/// A live site, and the release that it must serve.
#[derive(Clone, Copy)]
pub struct SealedSite<'s> {
    /// The site's URL. Its user name and password are those of the visitor.
    pub url: &'s str,
    /// The seal of the release.
    pub seal: &'s Seal,
    /// The contract of the release.
    pub contract: &'s Contract,
}

/// Parses the URL of a site.
///
/// # Errors
/// [`FailureKind::Usage`] when it is no site's URL.
pub fn parse_site_url(base: &str) -> Result<Url, Failure> {
    let url = Url::parse(base).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none()
    });
    url.ok_or_else(|| {
        let message = format!("`{base}` is not the URL of a site, such as https://www.example.com");
        Failure::new(FailureKind::Usage, message)
    })
}

/// Whether a status says nothing about the release: overload, or a gateway that does not reach the site. `520` to
/// `530` are Cloudflare's.
pub(super) fn is_unavailable(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 502 | 503 | 504 | 520..=527 | 530)
}

/// Returns the name extension of a file.
pub(super) fn extension(path: &str) -> &str {
    SitePath::new(path).extension().unwrap_or_default()
}

impl SealedSite<'_> {
    /// Returns the site's URL without user name and password.
    pub(crate) fn plain_url(&self) -> Result<Url, Failure> {
        let mut url = parse_site_url(self.url)?;
        // A URL with a host supports both.
        let _ = url.set_username("").and_then(|()| url.set_password(None));
        Ok(url)
    }
}

/// Knowledge about the site before the release. The default is nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct SiteBefore<'b> {
    /// The differences of the edge before the switch; none if the site was not compared then.
    pub edge: Option<&'b KnownEdge>,
    /// The files that the release changes; none if that is unknown.
    pub changed: Option<&'b BTreeSet<String>>,
    /// Whether the user accepts blocks that an edge adds to a sealed content.
    pub accepts_additions: bool,
}

/// The cause of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DifferenceCause {
    /// The release: a reason to roll it back.
    Release,
    /// The edge, which did the same before.
    Edge,
    /// It cannot be known, or a rollback changes nothing.
    Unknown,
}

impl SiteBefore<'_> {
    /// Returns the cause of a difference. `sha256` is the digest of the answer's body.
    pub(super) fn cause(
        &self,
        expectation: &Expectation<'_>,
        mismatch: &Mismatch,
        sha256: &str,
    ) -> DifferenceCause {
        if self.accepts_additions && matches!(mismatch, Mismatch::Content { added: Some(_), .. }) {
            return DifferenceCause::Edge;
        }
        let Some(edge) = self.edge else { return DifferenceCause::Unknown };
        let kind = mismatch.kind();
        if let Some(answer) = edge.answers.get(&expectation.name)
            && answer.kinds.contains(&kind)
        {
            // A file has changed, but its answer has not: a cache, or a wrong site.
            let is_stale = kind == CONTENT && answer.earlier.as_deref() == Some(sha256);
            return if is_stale { DifferenceCause::Release } else { DifferenceCause::Edge };
        }
        let path = expectation.path.as_deref().unwrap_or_default();
        if edge.extensions.get(extension(path)).is_some_and(|kinds| kinds.contains(&kind)) {
            return DifferenceCause::Edge;
        }
        match self.changed.map(|changed| changed.contains(path)) {
            Some(true) => DifferenceCause::Release,
            // Answers that differ at random or by visitor. A rollback would not change this file.
            Some(false) if kind == CONTENT => DifferenceCause::Unknown,
            // A configuration in the release, such as `_headers`, may have changed the answer.
            _ if edge.is_complete => DifferenceCause::Release,
            _ => DifferenceCause::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::collections::{BTreeMap, BTreeSet};

    use super::{DifferenceCause, SiteBefore};
    use crate::target_state::pending::{EdgeAnswer, KnownEdge};
    use crate::verify::comparison::Mismatch;
    use crate::verify::expectation::{Expectation, ExpectedAnswer};

    fn request(path: &'static str) -> Expectation<'static> {
        Expectation {
            url: format!("http://a.test/{path}"),
            name: format!("/{path}"),
            is_head: false,
            path: Some(Cow::Borrowed(path)),
            expected: ExpectedAnswer::Status(200),
        }
    }

    fn kinds(kinds: &[&str]) -> BTreeSet<String> {
        kinds.iter().map(|kind| (*kind).to_owned()).collect()
    }

    #[test]
    fn only_the_release_is_a_reason() {
        let content = Mismatch::Content { path: String::new(), added: None };
        let status = |found| Mismatch::Status { found, expected: 200 };
        let answer = |names: &[&str], earlier: Option<&str>| EdgeAnswer {
            kinds: kinds(names),
            earlier: earlier.map(str::to_owned),
        };
        let answers = BTreeMap::from([
            ("/robots.txt".to_owned(), answer(&["content"], None)),
            ("/new.html".to_owned(), answer(&["content"], Some("old"))),
            ("/login.html".to_owned(), answer(&["status 403"], None)),
        ]);
        let extensions = BTreeMap::from([("css".to_owned(), kinds(&["content"]))]);
        let edge = KnownEdge { is_complete: true, answers, extensions, ..KnownEdge::default() };
        let changed = kinds(&["new.html", "index.html"]);
        let before = SiteBefore { edge: Some(&edge), changed: Some(&changed), ..SiteBefore::default() };
        let cause = |path, mismatch: &Mismatch| before.cause(&request(path), mismatch, "old");
        assert_eq!(cause("robots.txt", &content), DifferenceCause::Edge);
        assert_eq!(cause("robots.txt", &status(500)), DifferenceCause::Release, "another difference");
        assert_eq!(cause("new.html", &content), DifferenceCause::Release, "the same answer as before");
        assert_eq!(before.cause(&request("new.html"), &content, "new"), DifferenceCause::Edge);
        assert_eq!(cause("login.html", &status(403)), DifferenceCause::Edge);
        assert_eq!(cause("login.html", &status(404)), DifferenceCause::Release);
        assert_eq!(cause("added.css", &content), DifferenceCause::Edge, "as all its like");
        assert_eq!(cause("index.html", &content), DifferenceCause::Release);
        assert_eq!(cause("random.html", &content), DifferenceCause::Unknown, "not changed");
        assert_eq!(cause("random.html", &status(404)), DifferenceCause::Release, "it was right before");
        let partial = KnownEdge { is_complete: false, ..edge.clone() };
        let partly = SiteBefore { edge: Some(&partial), changed: Some(&changed), ..SiteBefore::default() };
        assert_eq!(partly.cause(&request("random.html"), &status(404), ""), DifferenceCause::Unknown);
        assert_eq!(partly.cause(&request("index.html"), &status(404), ""), DifferenceCause::Release);
        assert_eq!(
            SiteBefore::default().cause(&request("index.html"), &content, ""),
            DifferenceCause::Unknown
        );
        let resumed = SiteBefore { edge: Some(&edge), changed: None, ..SiteBefore::default() };
        assert_eq!(resumed.cause(&request("index.html"), &content, ""), DifferenceCause::Release);
        let first = KnownEdge::nothing_before("");
        let strict = SiteBefore { edge: Some(&first), changed: None, ..SiteBefore::default() };
        assert_eq!(strict.cause(&request("robots.txt"), &content, ""), DifferenceCause::Release);
    }

    #[test]
    fn differences_of_an_unverified_release_are_not_the_edges() {
        let edge = |names: &[&str]| KnownEdge {
            answers: names
                .iter()
                .map(|name| {
                    let answer = EdgeAnswer { kinds: kinds(&["content"]), earlier: None };
                    ((*name).to_owned(), answer)
                })
                .collect(),
            ..KnownEdge::default()
        };
        let now = edge(&["/a", "/b"]).known_before(&edge(&["/a"]));
        assert_eq!(now, edge(&["/a"]));
        let mut second = edge(&["/a", "/b"]);
        second
            .answers
            .insert("/gone".to_owned(), EdgeAnswer { kinds: kinds(&["status 404"]), earlier: None });
        assert_eq!(second.known_before(&KnownEdge::nothing_before("")), edge(&["/a", "/b"]));
    }
}
