//! The live site to verify: its URL, and the answers that say nothing about it. Decides whether a difference is due to
//! the release or to the edge, by the answers of the site before the release.

use std::collections::BTreeSet;

use sitegate_address::SitePath;
use sitegate_check::{Contract, Seal};
use url::Url;

use super::comparison::Mismatch;
use super::expectation::Expectation;
use crate::failure::{Failure, FailureKind};
use crate::target_state::pending::{CONTENT, KnownEdge};

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
