//! The state of one external URL: its answer, and the fragments that links to it have.

use std::collections::BTreeSet;

use sitegate_check::internal::external::{ExternalAnswer, ExternalVerdict};
use url::Url;

use crate::link_request::PageRead;

/// One URL, without its fragment, and what is known of it.
#[derive(Debug)]
pub(crate) struct UrlState {
    /// The URL, as it is requested first.
    pub url: Url,
    /// The fragments that links to it have.
    fragments: BTreeSet<String>,
    state: Knowledge,
}

#[derive(Debug)]
enum Knowledge {
    /// It has no answer yet.
    Open,
    /// It was requested.
    Known { verdict: ExternalVerdict, page: PageRead },
    /// Its answer comes from the cache.
    Cached(ExternalAnswer),
}

impl UrlState {
    /// A URL that is to be requested.
    pub(crate) fn new(url: Url, fragment: Option<String>) -> UrlState {
        UrlState { url, fragments: fragment.into_iter().collect(), state: Knowledge::Open }
    }

    /// A URL whose answer is cached. It is requested all the same if the answer does not cover the fragment.
    pub(crate) fn cached(url: Url, fragment: Option<String>, answer: ExternalAnswer) -> UrlState {
        let mut cached = UrlState { url, fragments: BTreeSet::new(), state: Knowledge::Cached(answer) };
        if let Some(fragment) = fragment {
            cached.want(fragment);
        }
        cached
    }

    /// Adds the fragment of one more link. Returns whether the URL must be requested, again or for the first time.
    pub(crate) fn want(&mut self, fragment: String) -> bool {
        if self.fragments.contains(&fragment) {
            return false;
        }
        let known = match &self.state {
            Knowledge::Open => true,
            Knowledge::Known { verdict, page } => !is_there(verdict) || !matches!(page, PageRead::NotAsked),
            Knowledge::Cached(answer) => {
                !answer.is_there() || answer.missing.contains(&fragment) || answer.present.contains(&fragment)
            }
        };
        self.fragments.insert(fragment);
        if !known {
            self.state = Knowledge::Open;
        }
        !known
    }

    /// Whether a request that is sent now must read the page.
    pub(crate) fn wants_page(&self) -> bool {
        !self.fragments.is_empty()
    }

    /// Takes in the answer. Returns whether it must be requested again, because a link with a fragment came meanwhile.
    pub(crate) fn learn(&mut self, verdict: ExternalVerdict, page: PageRead) -> bool {
        if is_there(&verdict) && matches!(page, PageRead::NotAsked) && !self.fragments.is_empty() {
            self.state = Knowledge::Open;
            return true;
        }
        self.state = Knowledge::Known { verdict, page };
        false
    }

    /// Whether it waits for an answer.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.state, Knowledge::Open)
    }

    /// Whether its answer was requested now.
    pub(crate) fn is_new(&self) -> bool {
        matches!(self.state, Knowledge::Known { .. })
    }

    /// Whether its answer comes from the cache.
    pub(crate) fn is_cached(&self) -> bool {
        matches!(self.state, Knowledge::Cached(_))
    }

    /// The answer in the end.
    pub(crate) fn answer(self) -> (Url, ExternalAnswer) {
        let answer = match self.state {
            Knowledge::Open => ExternalAnswer {
                verdict: ExternalVerdict::Unverified("the check was stopped before it answered".to_owned()),
                missing: BTreeSet::new(),
                present: BTreeSet::new(),
            },
            Knowledge::Cached(answer) => answer,
            Knowledge::Known { verdict, page } => {
                let is_missing = |fragment: &String| match &page {
                    PageRead::Whole(page) => !page.defines(fragment),
                    PageRead::NotAsked | PageRead::NoPage => false,
                };
                let (missing, present) = self.fragments.into_iter().partition(is_missing);
                ExternalAnswer { verdict, missing, present }
            }
        };
        (self.url, answer)
    }
}

fn is_there(verdict: &ExternalVerdict) -> bool {
    matches!(verdict, ExternalVerdict::There | ExternalVerdict::Moved(_))
}
