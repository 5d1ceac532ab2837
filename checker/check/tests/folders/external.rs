//! Other hosts, as tests have them answer.

use std::collections::{BTreeSet, HashMap};

use sitegate_check::internal::external::{ExternalAnswer, ExternalAnswers, ExternalLinks, ExternalVerdict};
use url::Url;

/// What other hosts say, a line for each address.
pub struct ExternalReferences(HashMap<String, ExternalAnswer>);

impl ExternalReferences {
    pub fn told(told: &str) -> ExternalReferences {
        let answer = |line: &str| {
            let (url, said) = line.split_once(' ').unwrap();
            let (word, rest) = said.split_once(' ').unwrap_or((said, ""));
            let verdict = match word {
                "there" | "without" => ExternalVerdict::There,
                "moved" => ExternalVerdict::Moved(rest.to_owned()),
                "broken" => ExternalVerdict::Broken(rest.to_owned()),
                "unverified" => ExternalVerdict::Unverified(rest.to_owned()),
                _ => panic!("`{line}` says nothing of an address"),
            };
            let missing =
                (word == "without").then(|| rest.trim_start_matches('#').to_owned()).into_iter().collect();
            (url.to_owned(), ExternalAnswer { verdict, missing, present: BTreeSet::new() })
        };
        ExternalReferences(told.lines().map(answer).collect())
    }
}

impl ExternalLinks for ExternalReferences {
    fn take(&self, _: &Url) -> bool {
        true
    }

    fn answers(&self) -> ExternalAnswers {
        ExternalAnswers { by_url: self.0.clone(), ..ExternalAnswers::default() }
    }
}
