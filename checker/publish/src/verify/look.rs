//! Compares a live site with the releases before, right before a switch: what differs then is the edge's.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures_util::StreamExt;

use super::comparison::Mismatch;
use super::expectation::{
    Expectation, ExpectedAnswer, ExpectedContent, ExpectedFile, expectations, request_all,
};
use super::verification::{SealedSite, extension, is_unavailable};
use crate::failure::Failure;
use crate::release::manifest::{Object, ReleaseManifest};
use crate::target_state::pending::{EdgeAnswer, KnownEdge};
use crate::visitor::Visitor;
use sha2::{Digest, Sha256};
use sitegate_base::hex::hex;
use sitegate_host::redirect_page::redirect_page;

/// Maximum number of requests before a switch. Changed files come first, then some of each name extension.
const MAX_LOOKS: usize = 512;

/// Maximum time of the requests before a switch.
const MAX_TIME: Duration = Duration::from_secs(20);

/// The minimum number of files with an extension that must differ alike, before all others are expected to.
const MIN_ALIKE: usize = 2;

/// The target before a switch, and the files that the switch changes.
#[derive(Debug)]
pub(crate) struct Earlier<'e> {
    /// The live release, and those whose switch was interrupted.
    pub releases: Vec<&'e ReleaseManifest>,
    /// The paths of the files that change.
    pub changed: &'e BTreeSet<String>,
    /// Whether caches are invalidated after the switch.
    pub is_invalidated: bool,
}

impl<'e> Earlier<'e> {
    fn objects<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'e Object> + 'a {
        self.releases.iter().filter_map(move |release| release.find(path))
    }

    /// Returns the answer that a request had to get before; none if the release adds it.
    fn expectation<'q>(&self, now: &Expectation<'q>) -> Option<Expectation<'q>>
    where
        'e: 'q,
    {
        let file = |file: &ExpectedFile<'q>| {
            let contents: Vec<ExpectedContent<'q>> = self
                .objects(file.path)
                .map(|object| ExpectedContent { size: object.size, sha256: &object.sha256 })
                .collect();
            let stored = self.objects(file.path).map(|object| &object.headers).find(|set| !set.is_empty());
            (!contents.is_empty()).then_some(ExpectedFile {
                path: file.path,
                contents,
                stored_headers: stored,
            })
        };
        let expected = match &now.expected {
            ExpectedAnswer::File { file: now, status } => {
                ExpectedAnswer::File { file: file(now)?, status: *status }
            }
            ExpectedAnswer::FileOrRedirect { file: now, to } => {
                ExpectedAnswer::FileOrRedirect { file: file(now)?, to: to.clone() }
            }
            ExpectedAnswer::Redirect { to } => {
                let sha256 = hex(&Sha256::digest(redirect_page(to)));
                self.objects(now.path.as_deref()?).find(|object| object.sha256 == sha256)?;
                ExpectedAnswer::Redirect { to }
            }
            ExpectedAnswer::Status(status) => {
                if let Some(path) = &now.path {
                    self.objects(path).next()?;
                }
                ExpectedAnswer::Status(*status)
            }
        };
        Some(Expectation { expected, ..now.clone() })
    }

    /// Whether a request before the switch could leave an answer in a cache that is wrong afterwards.
    fn could_be_cached(&self, path: &str, site: &SealedSite<'_>) -> bool {
        if self.is_invalidated || !self.changed.contains(path) {
            return false;
        }
        let stored = self.objects(path).find_map(|object| object.headers.get("cache-control"));
        let set = || site.contract.headers_for(path).into_iter();
        let contract = || set().find(|(name, _)| name.eq_ignore_ascii_case("cache-control"));
        stored.map(String::as_str).or_else(|| contract().map(|(_, value)| value)).is_some_and(is_cached)
    }
}

/// Whether caches may answer without a request to the origin (RFC 9111, 5.2.2).
fn is_cached(cache_control: &str) -> bool {
    let parts = || cache_control.split(',').map(|part| part.trim().to_ascii_lowercase());
    let has_age = parts().any(|part| {
        part.split_once('=')
            .is_some_and(|(name, age)| matches!(name, "max-age" | "s-maxage") && age.trim_matches('"') != "0")
    });
    has_age && !parts().any(|part| matches!(part.as_str(), "no-cache" | "no-store"))
}

impl SealedSite<'_> {
    /// Compares the site with the releases before. Returns none if there is no usable answer.
    ///
    /// # Errors
    /// [`crate::failure::FailureKind::Usage`] when the URL is not that of a site.
    pub(crate) async fn look_before(
        &self,
        visitor: &dyn Visitor,
        earlier: &Earlier<'_>,
    ) -> Result<Option<KnownEdge>, Failure> {
        let url = self.plain_url()?;
        let mut seen = BTreeMap::new();
        let now = expectations(url.as_str().trim_end_matches('/'), self.seal, self.contract);
        let mut requests: Vec<(bool, usize, Expectation<'_>)> = now
            .iter()
            .filter_map(|now| {
                let path = now.path.as_deref().unwrap_or_default();
                let number = seen.entry(extension(path)).or_insert(0_usize);
                *number += 1;
                let expectation = earlier.expectation(now)?;
                let is_unchanged = !earlier.changed.contains(path);
                (!earlier.could_be_cached(path, self)).then_some((is_unchanged, *number, expectation))
            })
            .collect();
        requests.sort_by_key(|(is_unchanged, number, _)| (*is_unchanged, *number));
        let mut look = Look { is_complete: requests.len() <= MAX_LOOKS, ..Look::default() };
        requests.truncate(MAX_LOOKS);
        let requests: Vec<_> = requests.into_iter().map(|(_, _, expectation)| expectation).collect();
        let count = requests.len();
        let mut answers = request_all(requests, visitor);
        let all = async {
            while let Some((expectation, answer)) = answers.next().await {
                let Ok(answer) = answer else { continue };
                if !is_unavailable(answer.status) {
                    let found = expectation.compare(&answer, self.contract);
                    look.add(&expectation, &found, &answer.body.sha256, earlier.changed);
                }
            }
        };
        // What did not arrive in time is unknown.
        let _ = tokio::time::timeout(MAX_TIME, all).await;
        look.is_complete &= look.compared == count;
        Ok((look.compared > 0).then(|| look.finish(url.to_string())))
    }
}

/// The result of the requests so far.
#[derive(Debug, Default)]
struct Look {
    is_complete: bool,
    compared: usize,
    answers: BTreeMap<String, EdgeAnswer>,
    /// For each extension, the number of compared files, and of each kind of difference.
    extensions: BTreeMap<String, (usize, BTreeMap<String, usize>)>,
}

impl Look {
    fn add(
        &mut self,
        expectation: &Expectation<'_>,
        found: &[Mismatch],
        sha256: &str,
        changed: &BTreeSet<String>,
    ) {
        self.compared += 1;
        let kinds: BTreeSet<String> = found.iter().map(Mismatch::kind).collect();
        let path = expectation.path.as_deref();
        if let (Some(path), ExpectedAnswer::File { .. }) = (path, &expectation.expected) {
            let (files, counts) = self.extensions.entry(extension(path).to_owned()).or_default();
            *files += 1;
            for kind in &kinds {
                *counts.entry(kind.clone()).or_insert(0) += 1;
            }
        }
        if !kinds.is_empty() {
            let is_changed = path.is_some_and(|path| changed.contains(path));
            let earlier = is_changed.then(|| sha256.to_owned());
            self.answers.insert(expectation.name.clone(), EdgeAnswer { kinds, earlier });
        }
    }

    fn finish(self, url: String) -> KnownEdge {
        let extensions = self.extensions.into_iter().filter_map(|(extension, (files, counts))| {
            let alike = counts.into_iter().filter(|(_, count)| *count == files && files >= MIN_ALIKE);
            let kinds: BTreeSet<String> = alike.map(|(kind, _)| kind).collect();
            (!kinds.is_empty()).then_some((extension, kinds))
        });
        KnownEdge {
            url,
            is_first: false,
            is_complete: self.is_complete,
            extensions: extensions.collect(),
            answers: self.answers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_cached;

    #[test]
    fn knows_which_answers_stay_in_caches() {
        for value in ["public, max-age=600", "S-MaxAge=1, max-age=0", "max-age=\"5\""] {
            assert!(is_cached(value), "{value}");
        }
        for value in ["public, max-age=0, must-revalidate", "no-cache, max-age=9", "", "private", "max-age"] {
            assert!(!is_cached(value), "{value}");
        }
    }
}
