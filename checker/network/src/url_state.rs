//! Tracks one external URL: its answer, and the fragments of links to it.

use std::collections::BTreeSet;

use sitegate_check::{ExternalAnswer, ExternalVerdict};
use url::Url;

use crate::link_request::PageIds;

/// The state of a URL, without its fragment.
#[derive(Debug)]
pub(crate) struct UrlState {
    /// The URL, as it is requested first.
    pub url: Url,
    /// The fragments of links to it.
    fragments: BTreeSet<String>,
    answer: AnswerState,
}

#[derive(Debug)]
enum AnswerState {
    /// It has no answer yet.
    Open,
    /// It is not requested in this run, for this reason.
    NotRequested(String),
    /// It was requested.
    Known { verdict: ExternalVerdict, page: PageIds },
    /// Its answer comes from the cache.
    Cached(ExternalAnswer),
}

impl UrlState {
    /// Creates the state of a URL to request.
    pub(crate) fn new(url: Url, fragment: Option<String>) -> UrlState {
        UrlState { url, fragments: fragment.into_iter().collect(), answer: AnswerState::Open }
    }

    /// Creates the state of a URL with a cached answer. It is requested again if the answer does not cover the
    /// fragment.
    pub(crate) fn cached(url: Url, fragment: Option<String>, answer: ExternalAnswer) -> UrlState {
        let mut cached = UrlState { url, fragments: BTreeSet::new(), answer: AnswerState::Cached(answer) };
        if let Some(fragment) = fragment {
            cached.add_fragment(fragment);
        }
        cached
    }

    /// Adds the fragment of another link. Returns whether the URL must be requested, for the first time or
    /// again.
    pub(crate) fn add_fragment(&mut self, fragment: String) -> bool {
        if self.fragments.contains(&fragment) {
            return false;
        }
        let known = match &self.answer {
            AnswerState::Open | AnswerState::NotRequested(_) => true,
            AnswerState::Known { verdict, page } => !is_there(verdict) || !matches!(page, PageIds::NotRead),
            AnswerState::Cached(answer) => {
                !answer.is_there() || answer.missing.contains(&fragment) || answer.present.contains(&fragment)
            }
        };
        self.fragments.insert(fragment);
        if !known {
            self.answer = AnswerState::Open;
        }
        !known
    }

    /// Whether the next request must read the page.
    pub(crate) fn wants_page(&self) -> bool {
        !self.fragments.is_empty()
    }

    /// Records the answer. Returns whether the URL must be requested again, because a link with a fragment was
    /// added meanwhile.
    pub(crate) fn record_answer(&mut self, verdict: ExternalVerdict, page: PageIds) -> bool {
        if is_there(&verdict) && matches!(page, PageIds::NotRead) && !self.fragments.is_empty() {
            self.answer = AnswerState::Open;
            return true;
        }
        self.answer = AnswerState::Known { verdict, page };
        false
    }

    /// Ends it without an answer. It is unverified in this run, and requested by the next one.
    pub(crate) fn give_up(&mut self, reason: String) {
        self.answer = AnswerState::NotRequested(reason);
    }

    /// Whether it waits for an answer.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.answer, AnswerState::Open)
    }

    /// Whether it was requested in this run.
    pub(crate) fn is_new(&self) -> bool {
        matches!(self.answer, AnswerState::Known { .. })
    }

    /// Whether its answer comes from the cache.
    pub(crate) fn is_cached(&self) -> bool {
        matches!(self.answer, AnswerState::Cached(_))
    }

    /// Returns the final answer.
    pub(crate) fn answer(self) -> (Url, ExternalAnswer) {
        let unverified = |reason| ExternalAnswer {
            verdict: ExternalVerdict::Unverified(reason),
            missing: BTreeSet::new(),
            present: BTreeSet::new(),
        };
        let answer = match self.answer {
            AnswerState::Open => unverified("the check was stopped before it answered".to_owned()),
            AnswerState::NotRequested(reason) => unverified(reason),
            AnswerState::Cached(answer) => answer,
            AnswerState::Known { verdict, page } => {
                let is_missing = |fragment: &String| match &page {
                    PageIds::Whole(page) => !page.defines(fragment),
                    PageIds::NotRead | PageIds::NoIds => false,
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
