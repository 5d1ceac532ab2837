//! An address that is asked for once, with the fragments that are wanted of it.

use std::collections::BTreeSet;

use sitegate_check::external::{Answer, WorldVerdict};
use url::Url;

use crate::exchange::PageRead;

/// One address, without its fragment.
#[derive(Debug)]
pub(crate) struct AskedAddress {
    /// The address, as it is asked first.
    pub url: Url,
    /// The fragments that are wanted of its page.
    fragments: BTreeSet<String>,
    state: Knowledge,
}

#[derive(Debug)]
enum Knowledge {
    /// It is being asked for.
    Asked,
    /// It was asked for.
    Known { verdict: WorldVerdict, page: PageRead },
    /// It is known from earlier.
    Kept(Answer),
}

impl AskedAddress {
    /// An address that is to be asked for.
    pub(crate) fn new(url: Url, fragment: Option<String>) -> AskedAddress {
        AskedAddress { url, fragments: fragment.into_iter().collect(), state: Knowledge::Asked }
    }

    /// An address that is known from earlier, if the fragment that is wanted is.
    pub(crate) fn kept(url: Url, fragment: Option<String>, answer: Answer) -> AskedAddress {
        let mut entry = AskedAddress { url, fragments: BTreeSet::new(), state: Knowledge::Kept(answer) };
        if let Some(fragment) = fragment {
            entry.want(fragment);
        }
        entry
    }

    /// Wants one more fragment. Gives whether the address must be asked for, again or for the first time.
    pub(crate) fn want(&mut self, fragment: String) -> bool {
        if self.fragments.contains(&fragment) {
            return false;
        }
        let known = match &self.state {
            Knowledge::Asked => true,
            Knowledge::Known { verdict, page } => !is_there(verdict) || !matches!(page, PageRead::NotAsked),
            Knowledge::Kept(answer) => {
                !answer.is_there() || answer.missing.contains(&fragment) || answer.present.contains(&fragment)
            }
        };
        self.fragments.insert(fragment);
        if !known {
            self.state = Knowledge::Asked;
        }
        !known
    }

    /// Whether its page is to be read in the request that is sent now.
    pub(crate) fn wants_page(&self) -> bool {
        !self.fragments.is_empty()
    }

    /// It was asked for. Gives whether it must be asked for once more, since a fragment was wanted meanwhile.
    pub(crate) fn learn(&mut self, verdict: WorldVerdict, page: PageRead) -> bool {
        if is_there(&verdict) && matches!(page, PageRead::NotAsked) && !self.fragments.is_empty() {
            self.state = Knowledge::Asked;
            return true;
        }
        self.state = Knowledge::Known { verdict, page };
        false
    }

    /// Whether it waits for an answer.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.state, Knowledge::Asked)
    }

    /// Whether its answer was asked for now, and not kept from earlier.
    pub(crate) fn is_new(&self) -> bool {
        matches!(self.state, Knowledge::Known { .. })
    }

    /// Whether its answer is kept from earlier.
    pub(crate) fn is_kept(&self) -> bool {
        matches!(self.state, Knowledge::Kept(_))
    }

    /// What is known of it in the end.
    pub(crate) fn answer(self) -> (Url, Answer) {
        let answer = match self.state {
            Knowledge::Asked => Answer {
                verdict: WorldVerdict::Unverified("the check was stopped before it answered".to_owned()),
                missing: BTreeSet::new(),
                present: BTreeSet::new(),
            },
            Knowledge::Kept(answer) => answer,
            Knowledge::Known { verdict, page } => {
                let is_missing = |fragment: &String| match &page {
                    PageRead::Whole(page) => !page.reach(fragment),
                    PageRead::NotAsked | PageRead::NoPage => false,
                };
                let (missing, present) = self.fragments.into_iter().partition(is_missing);
                Answer { verdict, missing, present }
            }
        };
        (self.url, answer)
    }
}

fn is_there(verdict: &WorldVerdict) -> bool {
    matches!(verdict, WorldVerdict::There | WorldVerdict::Moved(_))
}
